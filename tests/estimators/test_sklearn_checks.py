"""scikit-learn's own checks of estimators, and its tools at work on ours."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pytest
from sklearn.base import clone, is_classifier
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_iris
from sklearn.ensemble import AdaBoostClassifier, BaggingClassifier
from sklearn.impute import SimpleImputer
from sklearn.inspection import permutation_importance
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import (
    check_estimator,
    check_sample_weight_equivalence_on_dense_data,
)

import aslant
from aslant import (
    AutoTreeClassifier,
    C45Classifier,
    CARTClassifier,
    CARTLCClassifier,
    FisherTreeClassifier,
    HHCARTClassifier,
    KDTClassifier,
    LMDTClassifier,
    LTUTreeClassifier,
    MMLTreeClassifier,
    ObliqueDecisionTreeClassifier,
    ObliqueExtraTreesClassifier,
    ObliqueGradientBoostingClassifier,
    ObliqueRandomForestClassifier,
    OC1Classifier,
    PolePairClassifier,
    QUESTClassifier,
    SADTClassifier,
)
from aslant.estimators.access import settings_of
from aslant.estimators.auto.base import AutoTree
from aslant.prune import CostComplexity, ErrorBased, Pessimistic, ReducedError
from aslant.search import (
    C45,
    CARTLC,
    OC1,
    SADT,
    AxisParallel,
    BestOf,
    CrimCoords,
    PolePair,
    Standardize,
)

IRIS = load_iris(return_X_y=True)

# Annealing with its own patience takes long; eleven such trees are grown only where that is the
# point.
ESTIMATORS = [
    AutoTreeClassifier(),
    AutoTreeClassifier(effort="low", probabilities="leaf", sparsity=None, max_leaf_nodes=4),
    CARTClassifier(),
    CARTClassifier(refine="joint"),
    C45Classifier(),
    OC1Classifier(),
    CARTLCClassifier(),
    SADTClassifier(),
    FisherTreeClassifier(),
    QUESTClassifier(),
    QUESTClassifier(split="univariate", split_point="qda", pruning=None),
    HHCARTClassifier(),
    HHCARTClassifier(variant="dominant", covariance="robust", clusters="auto"),
    PolePairClassifier(),
    ObliqueDecisionTreeClassifier(PolePair(exact_rows=10, poles=20, thresholds="all")),
    KDTClassifier(SADT(patience=1000), n_estimators=3),
    KDTClassifier("oc1", n_estimators=2, voting="soft"),
    LMDTClassifier(),
    LTUTreeClassifier(),
    LTUTreeClassifier(learner="pocket", selection="sfs", univariate=True, pruning="multivariate"),
    MMLTreeClassifier(),
    MMLTreeClassifier(n_estimators=2, combine="average", restarts=4),
    ObliqueDecisionTreeClassifier(),
    ObliqueRandomForestClassifier(5),
    ObliqueRandomForestClassifier(5, search="oc1", oob_score=False),
    ObliqueExtraTreesClassifier(5),
    ObliqueGradientBoostingClassifier(max_iter=5, min_samples_leaf=5),
    ObliqueDecisionTreeClassifier(BestOf([AxisParallel(), CARTLC()]), pruning="pessimistic"),
    ObliqueDecisionTreeClassifier(CrimCoords(OC1(restarts=2))),
    ObliqueDecisionTreeClassifier(Standardize(C45()), pruning="reduced_error"),
    CARTClassifier(pruning=CostComplexity(cv=3), max_leaf_nodes=8),
]


FORESTS = (ObliqueRandomForestClassifier, ObliqueExtraTreesClassifier)
WEIGHTS_AS_COPIES = (
    "check_sample_weight_equivalence_on_dense_data",
    "check_sample_weight_equivalence_on_sparse_data",
)
BOOSTING = ObliqueGradientBoostingClassifier
SPARSE = (CARTClassifier, C45Classifier, OC1Classifier, BOOSTING, *FORESTS)


def expected_failures(model: Any) -> dict[str, str]:
    """Return the check that pruning by other rows cannot pass: of two copies one may be held out.

    A row of weight 2 is held out or not. scikit-learn's own check gives its estimators with an
    inner cross-validation folds that keep copies together, for the same reason.
    """
    if isinstance(model, FORESTS):
        reason = "rows are drawn, not weights, as in scikit-learn's forests"
        return dict.fromkeys(WEIGHTS_AS_COPIES, reason)
    if isinstance(model, BOOSTING):
        reason = "bins and leaves hold rows, not weights, as in scikit-learn's boosting"
        return dict.fromkeys(WEIGHTS_AS_COPIES, reason)
    divides = isinstance(model, AutoTree)
    if not divides:
        pruner = settings_of(model).pruner
        divides = pruner is not None and (pruner.held_out > 0.0 or getattr(pruner, "cv", None))
    return dict.fromkeys(WEIGHTS_AS_COPIES, "pruning divides rows, not weights") if divides else {}


# The automatic tree as it is by default takes as long as all others together. What it does beyond
# that of low effort in the list, choosing a sparse tree and smoothing, a smaller one does too.
BY_DEFAULT, *OTHERS = ESTIMATORS
CHECKED = [
    pytest.param(BY_DEFAULT, marks=pytest.mark.slow),
    AutoTreeClassifier(effort="low", leaf="constant", max_leaf_nodes=4),
    *OTHERS,
]


@pytest.mark.parametrize("model", CHECKED, ids=repr)
def test_scikit_learn_checks(model: Any) -> None:
    """All in one test, of which a failing check is the traceback: two thousand tests cost more."""
    check_estimator(model, expected_failed_checks=expected_failures(model), on_skip=None)


# Forests draw rows, boosting counts them in leaves, and the automatic tree divides them into
# folds: see docs/scikit-learn.md.
DIVIDE_ROWS = (*FORESTS, BOOSTING, aslant.AutoTreeClassifier)


@pytest.mark.parametrize(
    "model", [model for model in ESTIMATORS if not isinstance(model, DIVIDE_ROWS)], ids=repr
)
def test_whole_weights_are_copies_in_growing(model: Any) -> None:
    unpruned = clone(model).set_params(pruning=None)
    check_sample_weight_equivalence_on_dense_data(type(model).__name__, unpruned)


def test_no_estimator_is_left_out() -> None:
    public = {getattr(aslant, name) for name in aslant.__all__ if name.endswith("Classifier")}
    assert public == {type(estimator) for estimator in ESTIMATORS}


@pytest.mark.parametrize("model", ESTIMATORS, ids=repr)
def test_tags(model: Any) -> None:
    tags = get_tags(model)
    assert is_classifier(model)
    assert tags.input_tags.allow_nan
    generic = isinstance(model, ObliqueDecisionTreeClassifier | KDTClassifier)
    by_default = generic and model.search == "oc1"
    refined = getattr(model, "refine", None) is not None
    assert tags.input_tags.sparse == ((isinstance(model, SPARSE) and not refined) or by_default)


def test_grid_search_over_the_search_and_the_pruning() -> None:
    grid = GridSearchCV(
        ObliqueDecisionTreeClassifier(OC1(), random_state=0),
        {
            "search__restarts": [1, 3],
            "pruning": [None, "pessimistic", ReducedError(validation=0.2), CostComplexity(cv=3)],
        },
        cv=2,
    ).fit(*IRIS)
    assert len(grid.cv_results_["params"]) == 8
    assert grid.best_score_ > 0.9
    assert grid.best_estimator_.search.restarts in (1, 3)


def test_grid_search_over_parameters_of_a_pruner_and_of_a_wrapped_search() -> None:
    model = ObliqueDecisionTreeClassifier(
        Standardize(OC1(restarts=2)), pruning=ErrorBased(), random_state=0
    )
    grid = GridSearchCV(
        model, {"pruning__confidence": [0.01, 0.5], "search__search__jumps": [0, 3]}, cv=2
    ).fit(*IRIS)
    assert {"pruning__confidence", "search__search__jumps"} == set(grid.best_params_)


def test_several_processes() -> None:
    grid = GridSearchCV(CARTClassifier(), {"max_depth": [1, 3]}, cv=2, n_jobs=2).fit(*IRIS)
    assert grid.best_params_ == {"max_depth": 3}


def test_pipeline_and_cross_validation() -> None:
    X, y = IRIS
    holes = X.copy()
    holes[::10, 2] = np.nan
    model = make_pipeline(
        SimpleImputer(), StandardScaler(), OC1Classifier(restarts=3, random_state=0, pruning=None)
    )
    scores = cross_val_score(model, holes, y, cv=5)
    assert scores.shape == (5,)
    assert scores.mean() > 0.9
    assert np.array_equal(scores, cross_val_score(model, holes, y, cv=5))


def test_columns_chosen_in_a_pipeline() -> None:
    X, y = IRIS
    model = make_pipeline(
        make_column_transformer((StandardScaler(), [2, 3]), remainder="drop"), CARTClassifier()
    )
    assert model.fit(X, y).score(X, y) > 0.95


def test_ensembles_of_others() -> None:
    X, y = IRIS
    tree = OC1Classifier(restarts=1, max_depth=2, pruning=None)
    for model in (
        BaggingClassifier(tree, n_estimators=4, random_state=0),
        AdaBoostClassifier(tree, n_estimators=4, random_state=0),
        CalibratedClassifierCV(tree, cv=3),
    ):
        assert model.fit(X, y).score(X, y) > 0.9


def test_permutation_importance_agrees_with_the_trees_own() -> None:
    X, y = IRIS
    model = CARTClassifier(max_depth=2).fit(X, y)
    shuffled = permutation_importance(model, X, y, n_repeats=5, random_state=0).importances_mean
    assert set(np.flatnonzero(shuffled > 0.01)) <= set(np.flatnonzero(model.feature_importances_))


@pytest.mark.parametrize("model", ESTIMATORS, ids=repr)
def test_clones_are_the_same_and_not_fitted(model: Any) -> None:
    X, y = IRIS
    settings = {"random_state": 0}
    fitted = clone(model).set_params(**settings).fit(X, y)
    copy = clone(fitted)
    assert not hasattr(copy, "classes_")
    assert repr(copy.get_params()) == repr(fitted.get_params())
    assert np.array_equal(copy.fit(X, y).predict_proba(X), fitted.predict_proba(X))


@pytest.mark.parametrize("model", ESTIMATORS, ids=repr)
def test_pickled_and_dumped(model: Any, tmp_path: Path) -> None:
    X, y = IRIS
    fitted = clone(model).set_params(random_state=0).fit(X, np.array(["a", "b", "c"])[y])
    joblib.dump(fitted, tmp_path / "model.joblib", compress=3)
    joblib.dump(fitted, tmp_path / "mapped.joblib")
    restored = [
        pickle.loads(pickle.dumps(fitted)),
        joblib.load(tmp_path / "model.joblib"),
        joblib.load(tmp_path / "mapped.joblib", mmap_mode="r"),
    ]
    for other in restored:
        assert np.array_equal(other.predict_proba(X), fitted.predict_proba(X))
        assert np.array_equal(other.predict(X), fitted.predict(X))
        assert np.array_equal(other.feature_importances_, fitted.feature_importances_)
        other.fit(X, y)


def test_parameters_are_kept_as_they_were_given() -> None:
    """scikit-learn's rule: a constructor stores, and checks nothing."""
    pruner, weights = Pessimistic(), {0: 1.0, 1: 2.0, 2: 1.0}
    model = OC1Classifier(restarts="many", pruning=pruner, class_weight=weights, max_depth=-3)
    assert model.restarts == "many"
    assert model.pruning is pruner
    assert model.class_weight is weights
    assert model.get_params()["max_depth"] == -3
    fitted = OC1Classifier(pruning=pruner, class_weight=weights).fit(*IRIS)
    assert fitted.pruning is pruner
    assert fitted.class_weight is weights


def test_tags_can_be_read_whatever_the_parameters_are() -> None:
    model = aslant.ObliqueDecisionTreeRegressor("mml")  # only for classes
    assert get_tags(model).estimator_type == "regressor"
    with pytest.raises(ValueError, match="search must be one of"):
        model.fit([[0.0], [1.0]], [0.0, 1.0])
