"""The axis-parallel tree of numbers is scikit-learn's, node for node, where nothing is tied.

Nodes of few rows are full of ties: two rows are told apart by every feature alike. So leaves hold
several rows here, and features are exact in scikit-learn's float32.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_diabetes, make_friedman1
from sklearn.tree import DecisionTreeRegressor

from aslant import CARTRegressor


def untied(n: int, n_outputs: int = 1, seed: int = 0) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 5)).astype(np.float32).astype(float)
    y = np.sin(X[:, 0] * 2) + X[:, 1] * X[:, 2] + 0.3 * rng.normal(size=n)
    if n_outputs > 1:
        y = np.column_stack([y] + [X[:, q] ** 2 + y for q in range(n_outputs - 1)])
    return X, y


def assert_same(ours: CARTRegressor, theirs: DecisionTreeRegressor) -> None:
    mine, other = ours.tree_, theirs.tree_
    np.testing.assert_array_equal(mine.children_left, other.children_left)
    np.testing.assert_array_equal(mine.children_right, other.children_right)
    np.testing.assert_array_equal(mine.feature, other.feature)
    inner = other.children_left >= 0
    np.testing.assert_allclose(mine.threshold[inner], other.threshold[inner], rtol=1e-7, atol=1e-7)
    np.testing.assert_allclose(mine.value, other.value[:, :, 0], rtol=1e-9, atol=1e-9)
    np.testing.assert_array_equal(mine.n_node_samples, other.n_node_samples)
    np.testing.assert_allclose(mine.weighted_n_node_samples, other.weighted_n_node_samples)
    factor = mine.n_outputs  # theirs is the mean over the outputs
    np.testing.assert_allclose(mine.impurity, factor * other.impurity, rtol=1e-6, atol=1e-12)


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"max_depth": 4},
        {"min_samples_split": 30},
        {"min_impurity_decrease": 0.01},
        {"min_weight_fraction_leaf": 0.03},
        {"ccp_alpha": 0.005},
    ],
    ids=str,
)
def test_same_tree(settings: dict[str, Any]) -> None:
    X, y = untied(400)
    assert_same(
        CARTRegressor(min_samples_leaf=7, **settings).fit(X, y),
        DecisionTreeRegressor(min_samples_leaf=7, random_state=0, **settings).fit(X, y),
    )


def test_same_tree_grown_best_first() -> None:
    """scikit-learn numbers such nodes in the order of their making; the leaves are the same."""
    X, y = untied(400)
    ours = CARTRegressor(max_leaf_nodes=13, min_samples_leaf=7).fit(X, y)
    theirs = DecisionTreeRegressor(max_leaf_nodes=13, min_samples_leaf=7, random_state=0).fit(X, y)
    assert ours.get_n_leaves() == theirs.get_n_leaves() == 13
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X))


@pytest.mark.parametrize("unit", [1e-3, 1.0, 1e6])
def test_same_tree_in_any_unit(unit: float) -> None:
    X, y = untied(300, seed=1)
    mine = CARTRegressor(min_samples_leaf=7).fit(X, unit * (3 + y)).tree_
    other = DecisionTreeRegressor(min_samples_leaf=7, random_state=0).fit(X, unit * (3 + y)).tree_
    np.testing.assert_array_equal(mine.feature, other.feature)
    np.testing.assert_allclose(mine.value, other.value[:, :, 0], rtol=1e-9)
    np.testing.assert_allclose(mine.impurity, other.impurity, rtol=1e-6)


def test_same_tree_with_weights() -> None:
    X, y = untied(300, seed=2)
    weight = np.random.default_rng(0).integers(0, 4, size=len(y)).astype(float)
    ours = CARTRegressor(min_samples_leaf=7).fit(X[weight > 0], y[weight > 0], weight[weight > 0])
    theirs = DecisionTreeRegressor(min_samples_leaf=7, random_state=0)
    assert_same(ours, theirs.fit(X[weight > 0], y[weight > 0], weight[weight > 0]))


def test_a_weight_of_two_is_the_row_twice() -> None:
    X, y = untied(120, seed=3)
    weight = np.random.default_rng(1).integers(0, 3, size=len(y))
    heavy = CARTRegressor().fit(X, y, weight)
    copied = CARTRegressor().fit(np.repeat(X, weight, axis=0), np.repeat(y, weight))
    np.testing.assert_array_equal(heavy.tree_.children, copied.tree_.children)
    np.testing.assert_allclose(heavy.tree_.threshold, copied.tree_.threshold)
    np.testing.assert_allclose(heavy.tree_.value, copied.tree_.value)


def test_same_tree_for_several_outputs() -> None:
    X, y = untied(300, n_outputs=3, seed=4)
    assert_same(
        CARTRegressor(min_samples_leaf=7).fit(X, y),
        DecisionTreeRegressor(random_state=0, min_samples_leaf=7).fit(X, y),
    )


def test_same_poisson_tree() -> None:
    X, y = untied(400, seed=5)
    y = np.exp(y)
    ours = CARTRegressor(criterion="poisson", min_samples_leaf=7).fit(X, y)
    theirs = DecisionTreeRegressor(criterion="poisson", min_samples_leaf=7, random_state=0)
    assert_same(ours, theirs.fit(X, y))


def test_same_pruning_path() -> None:
    X, y = untied(300, seed=6)
    ours = CARTRegressor(min_samples_leaf=7).cost_complexity_pruning_path(X, y)
    theirs = DecisionTreeRegressor(random_state=0, min_samples_leaf=7).cost_complexity_pruning_path(
        X, y
    )
    np.testing.assert_allclose(ours.ccp_alphas, theirs.ccp_alphas, rtol=1e-6, atol=1e-12)
    np.testing.assert_allclose(ours.impurities, theirs.impurities, rtol=1e-6, atol=1e-12)


def test_predictions_and_importances() -> None:
    X, y = make_friedman1(500, random_state=0)
    X = X.astype(np.float32).astype(float)
    ours = CARTRegressor(min_samples_leaf=7).fit(X, y)
    theirs = DecisionTreeRegressor(min_samples_leaf=7, random_state=0).fit(X, y)
    other = make_friedman1(200, random_state=1)[0].astype(np.float32)
    np.testing.assert_allclose(ours.predict(other), theirs.predict(other))
    np.testing.assert_allclose(ours.feature_importances_, theirs.feature_importances_)


def test_tied_data_is_fitted_as_well() -> None:
    X, y = load_diabetes(return_X_y=True)
    ours = CARTRegressor(max_depth=6).fit(X, y)
    theirs = DecisionTreeRegressor(max_depth=6, random_state=0).fit(X, y)
    assert ours.score(X, y) == pytest.approx(theirs.score(X, y), abs=0.02)
