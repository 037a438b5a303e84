"""scikit-learn's checks of the regressors, its tools at work on them, and what they keep."""

from __future__ import annotations

import inspect
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from estimators.test_sklearn_checks import expected_failures
from sklearn.datasets import load_diabetes, make_friedman1
from sklearn.ensemble import AdaBoostRegressor, BaggingRegressor
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

import aslant
from aslant import (
    AutoTreeRegressor,
    CARTLCRegressor,
    CARTRegressor,
    HHCARTRegressor,
    LeastSquaresTreeRegressor,
    ObliqueDecisionTreeRegressor,
    OC1Regressor,
    export_graphviz,
    export_text,
    load,
    plot_boundary,
    save,
)
from aslant.estimators.regressor import SingleTreeRegressor
from aslant.prune import CostComplexity, ReducedError
from aslant.search import Fisher, ResidualSigns

PUBLIC = [getattr(aslant, name) for name in aslant.__all__ if name.endswith("Regressor")]
REGRESSORS = [cls for cls in PUBLIC if issubclass(cls, SingleTreeRegressor)]
every_regressor = pytest.mark.parametrize("cls", REGRESSORS, ids=lambda cls: cls.__name__)

CHECKED = [
    AutoTreeRegressor(effort="low", leaf="mean", max_leaf_nodes=3),
    CARTRegressor(),
    CARTRegressor(leaf="linear", pruning=ReducedError()),
    OC1Regressor(),
    CARTLCRegressor(),
    HHCARTRegressor(),
    HHCARTRegressor(residuals="line", pruning=None),
    LeastSquaresTreeRegressor(),
    LeastSquaresTreeRegressor(selection="sbe", leaf="linear", extrapolate=True, pruning=None),
    ObliqueDecisionTreeRegressor(),
    ObliqueDecisionTreeRegressor(ResidualSigns(Fisher(), fit="line")),
]


# The automatic tree that also tries linear leaves takes as long as all others together.
BOTH_LEAVES = pytest.param(AutoTreeRegressor(effort="low"), marks=pytest.mark.slow)


@pytest.mark.parametrize("model", [BOTH_LEAVES, *CHECKED], ids=repr)
def test_scikit_learn_checks(model: Any) -> None:
    check_estimator(model, expected_failed_checks=expected_failures(model), on_skip=None)


def test_no_regressor_is_left_out() -> None:
    assert {type(one) for one in CHECKED} == set(REGRESSORS)


def small(cls: type, depth: int) -> Any:
    size = {"effort": "low"} if cls is AutoTreeRegressor else {"max_depth": depth}
    return cls(**size, random_state=0)


@every_regressor
def test_saved_and_loaded(cls: type, tmp_path: Path) -> None:
    X, y = load_diabetes(return_X_y=True, as_frame=True)
    tree = small(cls, 3).fit(X, y)
    save(tree, tmp_path / "model.aslant")
    other = load(tmp_path / "model.aslant")
    assert type(other) is cls
    assert other.tree_ == tree.tree_
    np.testing.assert_array_equal(other.predict(X), tree.predict(X))
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(tree)).predict(X), tree.predict(X))
    assert list(other.feature_names_in_) == list(X.columns)


def test_a_file_made_by_hand_is_refused(tmp_path: Path) -> None:
    import json

    from aslant.model_file.file import _checksum

    X, y = make_friedman1(50, random_state=0)
    save(CARTRegressor(max_depth=2).fit(X, y), tmp_path / "model.aslant")
    document = json.loads((tmp_path / "model.aslant").read_text())
    document["state"]["n_outputs"] = 2
    document["sha256"] = _checksum(document)
    (tmp_path / "model.aslant").write_text(json.dumps(document))
    with pytest.raises(aslant.ModelFileError, match="another number of outputs"):
        load(tmp_path / "model.aslant")


def test_text_of_a_tree() -> None:
    X = [[0.0], [1.0], [2.0], [3.0]]
    tree = CARTRegressor().fit(X, [1.5, 1.5, 4.0, 4.0])
    assert export_text(tree) == (
        "x0 <= 1.5\n|-- yes -> value: 1.5 (2 rows)\n`-- no -> value: 4 (2 rows)\n"
    )
    both = CARTRegressor().fit(X, [[1.5, 0.0], [1.5, 0.0], [4.0, 1.0], [4.0, 1.0]])
    assert "value: 4, 1 (2 rows)" in export_text(both)
    assert "value: 4" in export_graphviz(tree)
    with pytest.raises(ValueError, match="show_weights needs a classifier"):
        export_text(tree, show_weights=True)
    with pytest.raises(ValueError, match="class_names needs a classifier"):
        export_text(tree, class_names=["a", "b"])
    with pytest.raises(TypeError, match="draws the regions of classes"):
        plot_boundary(tree, np.zeros((4, 2)), [0, 1, 0, 1])


def test_several_outputs() -> None:
    X, y = make_friedman1(200, random_state=0)
    both = np.column_stack([y, y**2])
    for cls in REGRESSORS:
        tree = small(cls, 3).fit(X, both)
        assert tree.predict(X).shape == (200, 2)
        assert tree.n_outputs_ == 2
        assert tree.score(X, both) > 0.2
    assert CARTRegressor().fit(X, y[:, np.newaxis]).predict(X).shape == (200,)


def test_scikit_learn_tools() -> None:
    X, y = load_diabetes(return_X_y=True)
    pipeline = make_pipeline(StandardScaler(), CARTRegressor(min_samples_leaf=20))
    assert cross_val_score(pipeline, X, y, cv=3).mean() > 0.1
    grid = GridSearchCV(CARTRegressor(), {"min_samples_leaf": [1, 40]}, cv=3).fit(X, y)
    assert grid.best_params_ == {"min_samples_leaf": 40}
    bag = BaggingRegressor(CARTRegressor(), n_estimators=5, random_state=0).fit(X, y)
    boost = AdaBoostRegressor(CARTRegressor(max_depth=2), n_estimators=5, random_state=0)
    assert bag.score(X, y) > 0.5
    assert boost.fit(X, y).score(X, y) > 0.3


def test_importances_and_hyperplanes() -> None:
    X, y = make_friedman1(300, random_state=0)
    tree = OC1Regressor(random_state=0).fit(X, y)
    assert tree.feature_importances_.sum() == pytest.approx(1.0)
    assert tree.feature_importances_[:5].sum() > 0.6
    assert tree.n_hyperplanes_ > 0


def test_categories_are_ordered_by_their_means() -> None:
    rng = np.random.default_rng(0)
    level = rng.integers(0, 8, size=400)
    effect = np.array([5.0, 0.0, 5.0, 0.0, 0.0, 5.0, 5.0, 0.0])
    y = effect[level] + 0.1 * rng.normal(size=400)
    X = np.array(list("abcdefgh"), dtype=object)[level][:, np.newaxis]
    tree = CARTRegressor(max_depth=1, categorical_features=[0]).fit(X, y)
    assert tree.score(X, y) > 0.99
    assert np.isfinite(tree.predict(np.array([["z"]], dtype=object))).all()


@every_regressor
def test_documented_attributes_are_those_that_fitting_sets(cls: type) -> None:
    from project.test_docstrings import parsed

    X, y = load_diabetes(return_X_y=True, as_frame=True)
    fitted = small(cls, 2).fit(X, y)
    documented = {entry.name for entry in parsed(cls)["Attributes"]}
    assert documented == {name for name in vars(fitted) if name.endswith("_")}
    entries = parsed(cls)["Parameters"]
    assert [entry.name for entry in entries] == list(inspect.signature(cls).parameters)
    assert f">>> from aslant import {cls.__name__}" in "\n".join(parsed(cls)["Examples"])


# ------------------------------------------------------------------ pruning


def held_out_errors(tree: Any, X: Any, y: Any) -> float:
    return float(((tree.predict(X) - y) ** 2).mean())


@pytest.mark.parametrize("leaf", ["mean", "linear"])
@pytest.mark.parametrize(
    "pruning", [CostComplexity(), CostComplexity(cv=5), CostComplexity(cv=5, se_rule=1.0),
                CostComplexity(cv=5, leaf_matching=True), ReducedError()], ids=repr
)  # fmt: skip
def test_pruning_helps(pruning: Any, leaf: str) -> None:
    X, y = make_friedman1(300, noise=3.0, random_state=0)
    other, truth = make_friedman1(2000, noise=0.0, random_state=1)
    settings = {"leaf": leaf, "min_samples_leaf": 3}
    full = CARTRegressor(**settings).fit(X, y)
    pruned = CARTRegressor(pruning=pruning, random_state=0, **settings).fit(X, y)
    assert pruned.get_n_leaves() < full.get_n_leaves() / 2
    assert held_out_errors(pruned, other, truth) < held_out_errors(full, other, truth)


def test_reduced_error_leaves_no_branch_that_a_leaf_beats() -> None:
    X, y = make_friedman1(300, noise=2.0, random_state=0)
    judge = np.arange(300) % 3 == 0
    tree = CARTRegressor(pruning=ReducedError()).fit(X, y, prune_rows=judge)
    nodes = tree.tree_
    for node in np.flatnonzero(~nodes.is_leaf):
        path = tree.decision_path(X[judge]).toarray()[:, node] > 0
        below = ((y[judge][path] - tree.predict(X[judge][path])) ** 2).sum()
        assert below < ((y[judge][path] - nodes.value[node, 0]) ** 2).sum()


def test_the_chosen_tree_has_the_least_error_on_the_judging_rows() -> None:
    X, y = make_friedman1(300, noise=2.0, random_state=0)
    judge = np.arange(300) % 5 == 0
    chosen = CARTRegressor(pruning=CostComplexity()).fit(X, y, prune_rows=judge)
    path = CARTRegressor().cost_complexity_pruning_path(X[~judge], y[~judge])
    errors = [
        held_out_errors(
            CARTRegressor(ccp_alpha=alpha).fit(X[~judge], y[~judge]), X[judge], y[judge]
        )
        for alpha in path.ccp_alphas[::4]
    ]
    assert held_out_errors(chosen, X[judge], y[judge]) <= min(errors) + 1e-9


def test_one_standard_error_gives_a_smaller_tree() -> None:
    X, y = load_diabetes(return_X_y=True)
    sizes = [
        CARTRegressor(pruning=CostComplexity(cv=5, se_rule=rule), random_state=0)
        .fit(X, y)
        .get_n_leaves()
        for rule in (0.0, 1.0)
    ]
    assert sizes[1] < sizes[0]


def test_holes_that_tell_on_which_side_of_the_mean_a_row_is() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 2))
    missing = rng.random((400, 2)) < 0.3
    y = np.where(missing[:, 0], 10.0, 0.0) + rng.normal(size=400)
    X[missing] = np.nan
    tree = CARTRegressor(max_depth=1).fit(X, y)
    assert tree.encoder_.flags == {2}
    assert tree.score(X, y) > 0.9
    never = CARTRegressor(max_depth=1, missing="node_mean").fit(X, y)
    assert never.encoder_.flags == set()


@pytest.mark.parametrize("unit", [1.0, 1e300, 1e-300])
def test_levels_of_a_large_category_stand_for_shares_above_the_mean(unit: float) -> None:
    rng = np.random.default_rng(0)
    town = rng.integers(40, size=1200)
    y = (np.where(town % 2 == 0, 5.0, 0.0) + rng.normal(size=1200)) * unit
    X = np.array([[f"town {t}"] for t in town], dtype=object)
    tree = CARTRegressor(max_depth=1).fit(X, y)
    assert tree.encoder_.columns_[0].encoding == "target"
    share = tree.encoder_.target_encodings[0][:, 1]
    levels = tree.encoder_.columns_[0].levels
    even = np.array([int(level.split()[1]) % 2 == 0 for level in levels])
    assert share[:-1][even].min() > 0.9
    assert share[:-1][~even].max() < 0.1
    assert np.mean((tree.predict(X) > y.mean()) == (town % 2 == 0)) == 1.0
    assert "above the mean" in tree.encoder_.feature_names[0]
