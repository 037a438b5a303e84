"""The tree over partitions is the tree of the ordinary estimator, array for array."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from local_partitions import WorkersHere, fitted_here
from sklearn.datasets import make_classification, make_friedman1

from aslant import (
    CARTClassifier,
    HHCARTClassifier,
    ObliqueDecisionTreeClassifier,
    ObliqueDecisionTreeRegressor,
    ObliqueRandomForestClassifier,
    ObliqueRandomForestRegressor,
    load,
    save,
)
from aslant.dask.forest import ForestFit
from aslant.dask.survey import Block
from aslant.prune import CostComplexity, Pessimistic, ReducedError
from aslant.search import HHCART, QUEST, BestOf, PolePair, Standardize
from aslant.search.registry import REGRESSION_SEARCHES, SEARCHES

X, Y = make_classification(1500, 5, n_informative=4, n_redundant=0, n_classes=3, random_state=1)
SETTINGS: dict[str, Any] = {"search_rows": 150, "max_depth": 5, "random_state": 0}


def assert_same(estimator: Any, X: Any, y: Any, n_parts: int, **how: Any) -> None:
    ordinary = estimator.fit(X, y, how.get("weight"))
    over = fitted_here(estimator, X, y, n_parts=n_parts, **how)
    for name, array in ordinary.tree_.arrays().items():
        if name == "error":  # summed by NumPy where it is not the impurity
            np.testing.assert_allclose(over.tree_.arrays()[name], array, rtol=1e-12)
            continue
        np.testing.assert_array_equal(over.tree_.arrays()[name], array, err_msg=name)
    if not estimator.max_leaf_nodes:  # best-first growth over partitions plays a full tree again
        assert over.n_hyperplanes_ == ordinary.n_hyperplanes_
    assert over.n_samples_fit_ == ordinary.n_samples_fit_
    np.testing.assert_allclose(over.feature_importances_, ordinary.feature_importances_)
    np.testing.assert_allclose(over.column_spread_, ordinary.column_spread_, atol=1e-9)
    np.testing.assert_array_equal(over.predict(X), ordinary.predict(X))


@pytest.mark.parametrize("name", sorted(set(SEARCHES) - {"mml"}))
def test_every_search(name: str) -> None:
    tree = ObliqueDecisionTreeClassifier(name, **SETTINGS)
    for n_parts in (1, 3, 7):
        assert_same(tree, X, Y, n_parts)


@pytest.mark.parametrize("name", ["axis_parallel", "oc1", "least_squares", "fisher"])
def test_numbers(name: str) -> None:
    rows, numbers = make_friedman1(1500, random_state=0)
    tree = ObliqueDecisionTreeRegressor(name, **SETTINGS)
    for n_parts in (1, 3):
        assert_same(tree, rows, 1000.0 + 7.3 * numbers, n_parts)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(REGRESSION_SEARCHES))
def test_numbers_with_every_search(name: str) -> None:
    rows, numbers = make_friedman1(1500, random_state=0)
    assert_same(ObliqueDecisionTreeRegressor(name, **SETTINGS), rows, numbers, 7)


def test_poisson_and_several_outputs() -> None:
    rows, numbers = make_friedman1(1500, random_state=0)
    counts = np.floor(np.abs(numbers))
    tree = ObliqueDecisionTreeRegressor("axis_parallel", **SETTINGS)
    assert_same(tree.set_params(criterion="poisson"), rows, counts, 3)
    both = np.column_stack([numbers, rows[:, 0]])
    assert_same(tree.set_params(criterion="squared_error"), rows, both, 3)


@pytest.mark.parametrize("criterion", ["gini", "entropy", "twoing", "sum_minority", "max_minority"])
def test_every_kind_of_criterion(criterion: str) -> None:
    assert_same(ObliqueDecisionTreeClassifier("hhcart", criterion=criterion, **SETTINGS), X, Y, 3)


@pytest.mark.parametrize("weights", ["whole", "real"])
def test_weights(weights: str) -> None:
    rng = np.random.default_rng(0)
    weight = rng.integers(0, 4, len(Y)).astype(float)
    if weights == "real":
        weight = np.where(weight == 0.0, 0.0, rng.random(len(Y)))
    tree = ObliqueDecisionTreeClassifier("hhcart", **SETTINGS)
    for n_parts in (1, 7):
        assert_same(tree, X, Y, n_parts, weight=weight)


def test_class_weights() -> None:
    tree = ObliqueDecisionTreeClassifier("hhcart", class_weight="balanced", **SETTINGS)
    assert_same(tree, X, Y, 3)
    assert_same(tree.set_params(class_weight={0: 1.0, 1: 2.5, 2: 0.3}), X, Y, 3)


@pytest.mark.parametrize("missing", ["node_mean", "training_mean", "auto", "indicator"])
def test_missing_values(missing: str) -> None:
    rng = np.random.default_rng(0)
    rows = X.copy()
    rows[rng.random(len(X)) < 0.2, 1] = np.nan
    rows[(Y == 1) & (rng.random(len(X)) < 0.5), 2] = np.nan
    tree = ObliqueDecisionTreeClassifier("hhcart", missing=missing, **SETTINGS)
    for n_parts in (1, 7):
        assert_same(tree, rows, Y, n_parts)


@pytest.mark.parametrize("name", ["hhcart", "axis_parallel", "c45", "quest"])
def test_categories(name: str) -> None:
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 4, len(Y))
    frame = pd.DataFrame(X[:, :3], columns=list("abc"))
    frame["kind"] = pd.Categorical(np.array(["u", "v", "w", "x"])[codes])
    frame.loc[rng.random(len(Y)) < 0.1, "kind"] = None
    y = np.where(codes == 1, 2, Y)
    tree = ObliqueDecisionTreeClassifier(name, **SETTINGS)
    assert_same(tree, frame, y, 3)


def test_extreme_values() -> None:
    rows = X * np.array([1e-150, 1.0, 1e150, 1.0, 1.0])
    assert_same(ObliqueDecisionTreeClassifier("hhcart", **SETTINGS), rows, Y, 3)


def test_single_precision_and_other_bins() -> None:
    tree = ObliqueDecisionTreeClassifier("hhcart", **SETTINGS)
    assert_same(tree, X.astype(np.float32), Y, 3)
    assert_same(tree, X, Y, 3, bins=16)


@pytest.mark.parametrize(
    "search",
    [
        BestOf([HHCART(), QUEST()]),
        Standardize(HHCART()),
        PolePair(scale="training"),
    ],
)
def test_searches_in_searches(search: Any) -> None:
    assert_same(ObliqueDecisionTreeClassifier(search, **SETTINGS), X, Y, 3)


@pytest.mark.parametrize(
    "rules",
    [
        {"min_samples_leaf": 40},
        {"min_weight_fraction_leaf": 0.1},
        {"min_impurity_decrease": 0.01},
        {"max_leaf_nodes": 7},
        {"ccp_alpha": 0.002},
    ],
)
def test_stopping_rules(rules: dict[str, Any]) -> None:
    assert_same(ObliqueDecisionTreeClassifier("hhcart", **(SETTINGS | rules)), X, Y, 3)


@pytest.mark.parametrize(
    "pruning", [ReducedError(), CostComplexity(), CostComplexity(se_rule=1.0), Pessimistic()]
)
def test_pruning(pruning: Any) -> None:
    noisy = np.where(np.random.default_rng(0).random(len(Y)) < 0.2, 0, Y)
    tree = ObliqueDecisionTreeClassifier("hhcart", pruning=pruning, **SETTINGS)
    for n_parts in (1, 3):
        assert_same(tree, X, noisy, n_parts)


def test_pruning_of_numbers() -> None:
    rows, numbers = make_friedman1(1500, noise=3.0, random_state=0)
    tree = ObliqueDecisionTreeRegressor("axis_parallel", pruning="reduced_error", **SETTINGS)
    assert_same(tree, rows, numbers, 3)


def test_rare_classes_and_empty_partitions() -> None:
    labels = np.where(np.arange(len(Y)) < len(Y) - 3, 0, 1)
    values = np.arange(len(Y), dtype=float)[:, np.newaxis]
    tree = CARTClassifier(search_rows=20, random_state=0)
    assert_same(tree, values, labels, 3)
    blocks = [Block(X[:0], Y[:0]), Block(X, Y), Block(X[:0], Y[:0])]
    from aslant.dask.fitting import TreeFit

    ordinary = HHCARTClassifier(pruning=None, **SETTINGS).fit(X, Y)
    over = TreeFit(ordinary, WorkersHere(), 200, 1024).run(blocks, X[:0])
    assert over.tree_ == ordinary.tree_


def test_the_sample_does_not_depend_on_how_rows_are_divided() -> None:
    tree = ObliqueDecisionTreeClassifier("hhcart", **SETTINGS)
    trees = [fitted_here(tree, X, Y, n_parts=n, local_rows=100).tree_ for n in (2, 5)]
    assert trees[0] == trees[1]
    assert trees[0] == fitted_here(tree, X, Y, n_parts=4, local_rows=1000).tree_


@pytest.mark.parametrize(
    ("forest", "numbers"),
    [(ObliqueRandomForestClassifier, False), (ObliqueRandomForestRegressor, True)],
)
def test_forests(forest: Any, numbers: bool) -> None:
    y = X @ np.arange(5.0) * 100.0 if numbers else Y
    estimator = forest(4, max_samples=300, max_depth=5, random_state=0)
    ordinary = estimator.fit(X, y)
    blocks = [Block(X[a : a + 500], y[a : a + 500]) for a in (0, 500, 1000)]
    over = ForestFit(estimator, WorkersHere()).run(blocks, X[:0])
    assert over.trees_ == ordinary.trees_
    np.testing.assert_array_equal(over.predict(X), ordinary.predict(X))


def test_a_forest_predicts_probabilities_and_is_saved(tmp_path: Any) -> None:
    X, y = np.random.default_rng(0).normal(size=(200, 3)), np.arange(200) % 2
    forest = ObliqueRandomForestClassifier(3, max_samples=50, random_state=0)
    blocks = [Block(X[k : k + 50], y[k : k + 50]) for k in range(0, 200, 50)]
    over = ForestFit(forest, WorkersHere()).run(blocks, X[:0])
    assert over.power_ is None
    expected = forest.fit(X, y).predict_proba(X)
    assert np.array_equal(over.predict_proba(X), expected)
    save(over, tmp_path / "f.aslant")
    assert np.array_equal(load(tmp_path / "f.aslant").predict_proba(X), expected)


def test_rows_of_weight_zero_leave_no_levels() -> None:
    n = 120
    frame = pd.DataFrame({"k": pd.Categorical(["a", "b", "ghost"] * (n // 3)), "x": np.arange(n)})
    y, weight = np.arange(n) % 2, np.tile([1.0, 1.0, 0.0], n // 3)
    tree = CARTClassifier(search_rows=20, random_state=0)
    over = fitted_here(tree, frame, y, n_parts=2, weight=weight)
    assert over.encoder_.columns_ == tree.fit(frame, y, weight).encoder_.columns_
    assert over.encoder_.columns_[0].levels == ["a", "b"]


@pytest.mark.parametrize("classes", [2, 3, 0])
@pytest.mark.parametrize("forest", [False, True])
def test_target_encoding(classes: int, forest: bool) -> None:
    """The encoder is the ordinary one; training rows are encoded out of other folds."""
    rng = np.random.default_rng(0)
    level = rng.integers(0, 60, 1500)
    noise = rng.normal(size=1500)
    effect = rng.normal(size=60)[level] + 0.3 * noise
    y = effect if classes == 0 else np.digitize(effect, [0.0] if classes == 2 else [-0.5, 0.5])
    table = pd.DataFrame(
        {
            "zip": pd.Categorical([f"z{code}" for code in level]),
            "x": np.where(rng.random(1500) < 0.1, np.nan, noise),
        }
    )
    if forest:
        kind = ObliqueRandomForestRegressor if classes == 0 else ObliqueRandomForestClassifier
        estimator: Any = kind(5, max_samples=800, random_state=0)
        blocks = [Block(table[i : i + 500], y[i : i + 500]) for i in range(0, 1500, 500)]
        over = ForestFit(estimator, WorkersHere()).run(blocks, table[:0])
    else:
        kind = ObliqueDecisionTreeRegressor if classes == 0 else ObliqueDecisionTreeClassifier
        estimator = kind("axis_parallel", **SETTINGS)
        over = fitted_here(estimator, table, y, n_parts=3)
    ordinary = estimator.fit(table, y)
    assert over.encoder_.feature_names == ordinary.encoder_.feature_names
    np.testing.assert_allclose(
        over.encoder_.target_encodings[0], ordinary.encoder_.target_encodings[0]
    )
    assert over.score(table, y) == pytest.approx(ordinary.score(table, y), abs=0.05)


def test_training_rows_are_encoded_out_of_fold() -> None:
    """Levels of noise do not separate the classes that they were learned from."""
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"zip": pd.Categorical(rng.integers(0, 150, 450))})
    y = rng.integers(0, 2, 450)
    estimator = ObliqueDecisionTreeClassifier("axis_parallel", max_depth=1, random_state=0)
    over = fitted_here(estimator, table, y, n_parts=3)
    own = (over.tree_.value.argmax(axis=1) == 1)[over.tree_.is_leaf]
    correct = over.tree_.value.max(axis=1)[over.tree_.is_leaf].sum() / 450
    assert correct < 0.62, own
