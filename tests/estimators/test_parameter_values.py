"""Every parameter of every estimator, search and wrapper, given what it cannot mean.

The error names the parameter, and says what is allowed and what was given.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import numpy as np
import pytest

import aslant
from aslant import ObliqueDecisionTreeClassifier
from aslant.prune import CostComplexity
from aslant.refine import JointFit
from aslant.search import (
    HHCARTG,
    OC1,
    RLS,
    AverageGain,
    BestOf,
    Cline,
    CrimCoords,
    ForestSplit,
    Learner,
    LeastSquares,
    LinearMachine,
    Pocket,
    RandomProjection,
    ResidualSigns,
    SequentialSelection,
    SplitSearch,
    Standardize,
    Thermal,
    ThresholdUnit,
)
from aslant.search.base import CRITERIA
from aslant.search.forest import RandomSubset
from aslant.search.registry import SEARCHES

X = np.random.default_rng(0).normal(size=(40, 3))
Y = (X.sum(axis=1) > 0.0).astype(int)

NOT_WHOLE: list[Any] = [2.5, "3", None, True, [1], np.nan]
NOT_A_NUMBER: list[Any] = ["3", None, True, [1], 1j]
NOT_A_FLAG: list[Any] = ["yes", None, 1, 0.0]
FRACTION_OR_COUNT: list[Any] = [0, -1, 0.0, -0.5, 1.5, np.nan, np.inf, *NOT_A_NUMBER]

OF_ESTIMATORS: dict[str, list[Any]] = {
    "search": ["oc2", None, 3, OC1, ["oc1"]],
    "criterion": ["ginni", 3, ["gini"]],
    "pruning": ["prune", 3, True, CostComplexity],
    "refine": ["joined", 3, True, JointFit],
    "sparsity": [-0.1, np.nan, *(value for value in NOT_A_NUMBER if value is not None)],
    "effort": ["some", None, 1],
    "bootstrap": NOT_A_FLAG,
    "calibrate": NOT_A_FLAG,
    "warm_start": NOT_A_FLAG,
    "oob_score": NOT_A_FLAG,
    "max_features": ["all", 0, -1, 1.5, 0.0, np.nan, True, [1]],
    "max_samples": ["all", 0, -1, 0.0, -0.5, np.nan, np.inf, True, [1]],
    "probabilities": ["hard", None, True],
    "leaf": ["some", None, 1],
    "max_depth": [0, -1, *(value for value in NOT_WHOLE if value is not None)],
    "min_samples_split": [1, *FRACTION_OR_COUNT],
    "min_samples_leaf": FRACTION_OR_COUNT,
    "min_weight_fraction_leaf": [-0.1, 0.6, np.nan, *NOT_A_NUMBER],
    "min_impurity_decrease": [-0.1, np.nan, *NOT_A_NUMBER],
    "max_leaf_nodes": [1, 0, -1, *(value for value in NOT_WHOLE if value is not None)],
    "class_weight": ["balance", 3, [{0: 1.0}], {0: -1.0}, {0: "1"}],
    "ccp_alpha": [-0.1, np.nan, *NOT_A_NUMBER],
    "categorical_features": ["dtype", 0, [3], [-1], [[0]], [0.5], [True], len],
    "min_frequency": [0, -1, -0.1, 1.5, np.nan, "3", True, [1]],
    "max_levels": [1, 0, -1, *(value for value in NOT_WHOLE if value is not None)],
    "high_cardinality": ["share", None, 1],
    "date_parts": ["month", None, 3, ["months"], [1]],
    "missing": ["mean", None, 0],
    "smoothing": ["laplac", -1.0, np.nan, np.inf, None, True, [1]],
    "smoothing_prior": ["leaf", None, 1],
    "search_finish": ["climb", None, 1],
    "search_rows": [1, 0, -5, *(value for value in NOT_WHOLE if value is not None)],
    "random_state": [-1, 2**32, 1.5, "0", [1], np.random.default_rng(0)],
    "n_jobs": [0, 1.5, "2", [1], True],
    "verbose": [-1, 1.5, "1", None, [1]],
    "n_estimators": [0, -1, 10**9, *NOT_WHOLE],
    "n_trees": [0, -1, 10**9, *(value for value in NOT_WHOLE if value is not None)],
    "voting": ["hard", None, 1],
    "selection": ["backward", "SBE", 3, True, ["sbe"]],
    "shortlist": [0, -1, 2**40, *(value for value in NOT_WHOLE if value is not None)],
    "combine": ["vote", None, 1],
    "loss": ["deviance", None, 1],
    "learning_rate": [0.0, -0.1, np.nan, np.inf, *NOT_A_NUMBER],
    "max_iter": [0, -1, 10**9, *NOT_WHOLE],
    "l2_regularization": [-0.1, np.nan, np.inf, *NOT_A_NUMBER],
    "max_bins": [1, 256, *NOT_WHOLE],
    "monotonic_cst": [3, "up", [1], [2, 0, 0], {"a": 1}],
    "interaction_cst": ["pairs", 3, [1], [[3]], [[0.5]], [["a"]]],
    "feature_costs": [3, "a", [1.0], [-1.0, 0, 0], [np.nan, 0, 0], ["1", 0, 0], {"a": 1.0}],
    "feature_costs_paid": ["row", None, 1],
    "forced_root": [3, -1, 0.5, "a", True, [0]],
    "allowed_features": ["a", 3, [], [[3]], [0], [["a"]], {0: [1]}],
    "max_features_per_test": [0, -1, *(value for value in NOT_WHOLE if value is not None)],
    "early_stopping": ["yes", None, 1],
    "scoring": ["losses", 3, ["loss"]],
    "validation_fraction": [0, -1, 0.0, 1.0, 1.5, np.nan, "0.1", True, [1]],
    "n_iter_no_change": [0, -1, 10**9, *NOT_WHOLE],
    "tol": [-1e-7, np.nan, *NOT_A_NUMBER],
    "oblique": NOT_A_FLAG,
    "oblique_features": [0, 1, -1, 0.0, 1.5, np.nan, "2", True, [1]],
    "oblique_min_rows": [0, 1, 2**40, *NOT_WHOLE],
    "smaller_tests": NOT_A_FLAG,
}
OF_SEARCHES: dict[str, list[Any]] = {
    "min_samples_branch": [-1, np.nan, *NOT_A_NUMBER],
    "threshold_cost": NOT_A_FLAG,
    "restarts": [0, -1, 2**40, *NOT_WHOLE],
    "jumps": [-1, 2**40, *NOT_WHOLE],
    "max_columns": [-1, 2**40, *NOT_WHOLE],
    "cycles": [-1, 2**40, *NOT_WHOLE],
    "penalty": [-0.1, np.nan, *NOT_A_NUMBER],
    "order": ["seq", None, 1],
    "random_moves": [0, -1, 2**40, *NOT_WHOLE],
    "stagnation": ["count", None],
    "stagnation_step": [0.0, -0.1, 1.5, np.nan, *NOT_A_NUMBER],
    "min_samples_oblique": [-1, 2**70, *(value for value in NOT_WHOLE if value is not None)],
    "axis_bias": [-0.1, np.nan, *NOT_A_NUMBER],
    "axis_start": NOT_A_FLAG,
    "perturb_constant": NOT_A_FLAG,
    "start": ["axis", None],
    "origin": ["zero", None],
    "legacy_sweep": NOT_A_FLAG,
    "min_step": [-1e-4, np.nan, *NOT_A_NUMBER],
    "small_nodes": ["all", None, 2],
    "keep": ["first", None],
    "axis_parallel": NOT_A_FLAG,
    "null_directions": ["none", None],
    "normalize": NOT_A_FLAG,
    "gammas": [[], (), 0.25, None, "0.25", ["a"], [[0.1]], [np.nan], [np.inf], [1e9], [True]],
    "max_cycles": [0, -1, 2**40, *NOT_WHOLE],
    "tolerance": [-1e-4, np.nan, *NOT_A_NUMBER],
    "beta": [-0.1, 1.1, np.nan, *(value for value in NOT_A_NUMBER if value is not None)],
    "univariate": NOT_A_FLAG,
    "complete_cases": NOT_A_FLAG,
    "keep_empty": NOT_A_FLAG,
    "learner": ["rsl", None, 3, RLS, ["rls"], OC1()],
    "temperature": [0.0, -1.0, np.nan, *NOT_A_NUMBER],
    "cooling": [-0.1, 1.1, np.nan, *NOT_A_NUMBER],
    "patience": [0, -1, 2**70, *NOT_WHOLE],
    "move": ["one", None],
    "multiclass": ["one", None, 2],
    "split": ["oblique", None, 1],
    "split_point": ["lds", None, True],
    "pairs": ["different", None, 1],
    "thresholds": ["middle", None, 1],
    "scale": ["standard", None, 1.0],
    "exact_rows": [-1, 2**40, *NOT_WHOLE],
    "poles": [1, 0, -1, 2**40, *NOT_WHOLE],
    "max_features_per_test": [0, -1, 2**40, *NOT_WHOLE],
    "min_features_per_test": [0, -1, 2**40, *NOT_WHOLE],
    "features_tried": [0, -1, 2**40, *NOT_WHOLE],
    "strategy": ["sweeps", None, 1],
    "rounds": [0, -1, 2**40, *NOT_WHOLE],
    "significance": [-0.1, 0.0, 1.5, np.nan, *NOT_A_NUMBER],
    "alpha": [0.0, -1.0, np.inf, np.nan, "trees", *NOT_A_NUMBER],
    "direction": ["caps", None, 1],
    "position": ["gaps", None, 1],
    "attributes": ["all", None, 1],
    "min_saving": [np.nan, *NOT_A_NUMBER],
    "step": [0.0, -1.0, np.inf, *(value for value in NOT_A_NUMBER if value is not None)],
    "variant": ["A", None, 1],
    "tau": [-0.1, 2.1, np.nan, *NOT_A_NUMBER],
    "sign": ["negative", None, 1],
    "depth_of_reflection": [-1, 2**40, *(value for value in NOT_WHOLE if value is not None)],
    "mis_rate": [-0.1, 1.1, np.nan, *NOT_A_NUMBER],
    "covariance": ["mcd", None, True],
    "shrinkage": ["oas", None, 0.5],
    "clusters": [0, -1, 2**40, "many", np.array([1, 2]), *NOT_WHOLE],
}
NOT_A_SEARCH: list[Any] = ["oc1", None, OC1, [OC1()], 3, RLS()]
OF_WRAPPERS: dict[type[SplitSearch], dict[str, list[Any]]] = {
    Standardize: {"search": NOT_A_SEARCH},
    CrimCoords: {"search": NOT_A_SEARCH},
    AverageGain: {"searches": ["oc1", None, OC1(), ["oc1"], [OC1], 3]},
    BestOf: {"searches": ["oc1", None, [], (), OC1(), ["oc1"], [OC1], 3]},
    SequentialSelection: {
        "search": NOT_A_SEARCH,
        "method": ["backward", None, 3, ["sbe"]],
        "accuracy_drop": [-0.1, 1.1, np.nan, *NOT_A_NUMBER],
        "rows_per_feature": [-1.0, np.inf, np.nan, *NOT_A_NUMBER],
        "shortlist": OF_ESTIMATORS["shortlist"],
        "beta": OF_SEARCHES["beta"],
    },
}
NOT_NONE_NUMBER: list[Any] = [value for value in NOT_A_NUMBER if value is not None]
MANY: list[Any] = [0, 0.5, -1, np.nan, *NOT_NONE_NUMBER]
OF_WRAPPERS |= {
    ForestSplit: {
        "max_features": MANY,
        "oblique_share": [-0.1, 1.1, np.nan, *NOT_A_NUMBER],
        "ridge": [-1.0, np.nan, *NOT_A_NUMBER],
    },
    RandomProjection: {
        "max_features": MANY,
        "density": [-0.1, 1.1, np.nan, *NOT_NONE_NUMBER],
        "distribution": ["normal", None, 1],
    },
    RandomSubset: {"search": NOT_A_SEARCH, "max_features": MANY},
    Cline: {"threshold": ["middle", None, 0.5]},
    HHCARTG: {"min_impurity": [-0.1, 1.1, np.nan, *NOT_A_NUMBER]},
}
OF_SEARCHES_OF_NUMBERS: dict[type[SplitSearch], dict[str, list[Any]]] = {
    LeastSquares: {"ridge": [0.0, -1.0, np.nan, np.inf, *NOT_A_NUMBER]},
    ResidualSigns: {"search": NOT_A_SEARCH, "fit": ["median", None, 1]},
}
POSITIVE: list[Any] = [0.0, -1.0, np.nan, np.inf, *NOT_A_NUMBER]
OF_LEARNERS: dict[type[Learner], dict[str, list[Any]]] = {
    RLS: {
        "variance": POSITIVE,
        "passes": [0, -1, 2**40, *NOT_WHOLE],
        "shrinkage": ["oas", None, 0.5],
    },
    Pocket: {
        "ratchet": NOT_A_FLAG,
        "correction": POSITIVE,
        "passes": [0, -1, 2**40, *NOT_WHOLE],
        "presentations": [0, -1, 2**50, *NOT_WHOLE],
    },
    Thermal: {
        "heat": POSITIVE,
        "rate": [-0.1, 1.1, np.nan, *NOT_A_NUMBER],
        "step": [-0.1, np.nan, np.inf, *NOT_A_NUMBER],
        "correction": POSITIVE,
        "calm": [-0.1, 1.1, np.nan, *NOT_A_NUMBER],
        "unit": ["rows", None, 1],
        "emag": ["first", None, 1],
        "checked": ["row", None, 1],
        "order": ["random", None, 1],
        "ties": ["last", None, 1],
    },
}
ESTIMATORS = [getattr(aslant, name) for name in aslant.__all__ if name.endswith("Classifier")]


def parameters(cls: type) -> list[str]:
    return list(inspect.signature(cls).parameters)


def wrong(cls: type, name: str, values: list[Any]) -> list[Any]:
    """Return the values but None where that is the default: it means something there."""
    optional = inspect.signature(cls).parameters[name].default is None
    return [value for value in values if not (optional and value is None)]


def every(classes: Iterable[type]) -> Any:
    return pytest.mark.parametrize("cls", classes, ids=lambda cls: cls.__name__)


def assert_refused(name: str, value: Any, *calls: Callable[[], Any]) -> None:
    expected = rf"{name}'? (parameter |as .*)?(must|needs)"
    for call in calls:
        try:
            call()
        except (ValueError, TypeError) as error:
            assert re.search(expected, str(error)), f"{name}={value!r}: {error}"
        else:
            pytest.fail(f"{name}={value!r} is accepted")


def assert_searches_are_refused(
    cls: type[SplitSearch], table: dict[str, list[Any]], inner: SplitSearch, tree: type
) -> None:
    given = {"search": inner} if "search" in parameters(cls) else {}
    for name in parameters(cls):
        for value in wrong(cls, name, table[name]):
            search = cls(**{**given, name: value})
            fitted = partial(tree(search).fit, X, Y)
            assert_refused(name, value, search.core, fitted)


@every(ESTIMATORS)
def test_estimators(cls: type) -> None:
    for name in parameters(cls):
        settings = {"bootstrap": True} if name == "max_samples" else {}
        for value in wrong(cls, name, {**OF_SEARCHES, **OF_ESTIMATORS}[name]):
            model = cls(**{name: value}, **settings)
            assert_refused(name, value, partial(model.fit, X, Y))


@every(SEARCHES.values())
def test_searches(cls: type[SplitSearch]) -> None:
    assert_searches_are_refused(cls, OF_SEARCHES, OC1(), ObliqueDecisionTreeClassifier)


@every(OF_WRAPPERS)
def test_wrappers(cls: type[SplitSearch]) -> None:
    tree = ObliqueDecisionTreeClassifier
    assert_searches_are_refused(cls, OF_WRAPPERS[cls], ThresholdUnit(), tree)


@every(OF_SEARCHES_OF_NUMBERS)
def test_searches_of_numbers(cls: type[SplitSearch]) -> None:
    tree = aslant.ObliqueDecisionTreeRegressor
    assert_searches_are_refused(cls, OF_SEARCHES_OF_NUMBERS[cls], OC1(), tree)


@every(OF_LEARNERS)
def test_learners(cls: type[Learner]) -> None:
    for name in parameters(cls):
        for value in OF_LEARNERS[cls][name]:
            learner = cls(**{name: value})
            tree = aslant.LTUTreeClassifier(learner=learner)
            machine = LinearMachine(learner=learner)
            assert_refused(name, value, machine.core, partial(tree.fit, X, Y))


def test_no_wrapper_or_learner_is_left_out() -> None:
    public = [getattr(aslant.search, name) for name in aslant.search.__all__]
    classes = {thing for thing in public if isinstance(thing, type)}
    searches = {cls for cls in classes if issubclass(cls, SplitSearch)} - {SplitSearch}
    listed = {*SEARCHES.values(), *OF_WRAPPERS, *OF_SEARCHES_OF_NUMBERS}
    assert searches == listed - {RandomSubset}  # which is not public
    assert {cls for cls in classes if issubclass(cls, Learner)} - {Learner} == {*OF_LEARNERS}


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (
            aslant.LTUTreeClassifier(selection="dsbe", shortlist=3),
            "shortlist applies to method 'sbe' and 'hss' only, got shortlist=3",
        ),
        (
            aslant.LTUTreeClassifier(selection="sbe", beta=0.1),
            "beta applies to method 'cart' only, got beta=0.1",
        ),
        (
            aslant.LTUTreeClassifier(selection=None, shortlist=3),
            "shortlist needs a selection, got 3 with selection=None",
        ),
        (aslant.LTUTreeClassifier(selection=None, beta=0.1), "beta needs a selection, got 0.1"),
        (aslant.LMDTClassifier(selection="cart"), "selection must be one of"),
        (aslant.LMDTClassifier(learner="cart"), "learner must be one of"),
        (
            aslant.LMDTClassifier(learner=Thermal(rate=1.0, step=0.0)),
            "rate and step must let beta fall, got rate=1.0 and step=0.0",
        ),
        (
            ObliqueDecisionTreeClassifier(SequentialSelection(LinearMachine(), method="cart")),
            "CART's elimination needs tests with two branches, got a linear machine with 3",
        ),
    ],
    ids=str,
)
def test_parameters_that_do_not_go_together(model: Any, message: str) -> None:
    three_classes = Y + (X[:, 0] > 1.0)
    with pytest.raises(ValueError, match=message):
        model.fit(X, three_classes)


def test_the_nearest_name_is_suggested() -> None:
    for changed, meant in (
        ({"criterion": "ginni"}, "gini"),
        ({"search": "cart_cl"}, "cart_lc"),
        ({"pruning": "reduced-error"}, "reduced_error"),
        ({"missing": "node_means"}, "node_mean"),
    ):
        with pytest.raises(ValueError, match=f"Did you mean '{meant}'"):
            ObliqueDecisionTreeClassifier(**changed).fit(X, Y)


def test_all_choices_are_listed() -> None:
    with pytest.raises(ValueError) as refused:
        ObliqueDecisionTreeClassifier(criterion="error").fit(X, Y)
    assert all(repr(name) in str(refused.value) for name in CRITERIA)


@pytest.mark.parametrize(
    "large",
    [
        {"max_depth": 10**30},
        {"max_leaf_nodes": 10**30},
        {"min_samples_leaf": 10**30},
        {"min_samples_split": 10**30},
        {"n_jobs": 10**30},
        {"n_jobs": -(10**30)},
        {"min_impurity_decrease": np.inf},
        {"ccp_alpha": np.inf},
        {"random_state": 2**32 - 1},
        {"max_depth": np.int8(3)},
        {"min_samples_leaf": np.float32(0.1)},
    ],
    ids=repr,
)
def test_large_and_unusual_numbers_mean_what_they_say(large: dict[str, Any]) -> None:
    name = next(iter(large))
    model = aslant.CARTClassifier(**large).fit(X, Y)
    stops = name.startswith("min_samples") or large[name] == np.inf
    full = aslant.CARTClassifier().fit(X, Y).get_n_leaves()
    if stops and not isinstance(large[name], np.floating):
        assert model.get_n_leaves() == 1
    elif isinstance(large[name], int):
        assert model.get_n_leaves() == full


def test_an_unknown_parameter() -> None:
    for cls in (*ESTIMATORS, *SEARCHES.values()):
        with pytest.raises(TypeError, match="argument"):
            cls(depth=3)
        with pytest.raises(ValueError, match="Invalid parameter 'depth'"):
            cls().set_params(depth=3)
