"""Axis-parallel trees depend on the order of values only: a law of trees and forests.

An increasing transformation of every feature leaves the partition of the training rows as it is.
Money, counts and concentrations are such transformations of something well-behaved.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone, is_regressor
from sklearn.ensemble import RandomForestClassifier

from aslant import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ObliqueDecisionTreeClassifier,
    ObliqueDecisionTreeRegressor,
    ObliqueRandomForestClassifier,
    ObliqueRandomForestRegressor,
)
from aslant.search import AxisParallel, ForestSplit
from aslant.search.forest import RandomSubset

N_ROWS = 2000


def ranks(Z: np.ndarray) -> np.ndarray:
    return np.column_stack([np.unique(z, return_inverse=True)[1] for z in Z.T]).astype(float)


INCREASING: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "exp": lambda Z: np.exp(6.0 * Z),
    "cube": lambda Z: Z**3,
    "ranks": ranks,
}

# In small nodes two features often divide the rows equally well. Counts are exact and the first
# wins; sums of regression targets or of class weights decide by rounding.
LARGE_NODES = {"min_samples_split": 80, "min_samples_leaf": 10}

# Without pruning: a row that is held out may lie on either side of a threshold.
MODELS: dict[str, Any] = {
    "CART": CARTClassifier(pruning=None),
    "C4.5": C45Classifier(pruning=None),
    "gain ratio": ObliqueDecisionTreeClassifier("axis_parallel", criterion="gain_ratio"),
    "subset of features": ObliqueDecisionTreeClassifier(RandomSubset(AxisParallel(), 2)),
    "split of a forest": ObliqueDecisionTreeClassifier(ForestSplit(oblique_share=0.0)),
    "regression tree": CARTRegressor(**LARGE_NODES),
    "regression split of a forest": ObliqueDecisionTreeRegressor(
        ForestSplit(oblique_share=0.0), **LARGE_NODES
    ),
    "forest": ObliqueRandomForestClassifier(3, search="axis_parallel"),
    "forest of the Gini index": ObliqueRandomForestClassifier(
        3, search="axis_parallel", criterion="gini", max_depth=6
    ),
    "forest without bootstrap": ObliqueRandomForestClassifier(
        3, search="axis_parallel", bootstrap=False
    ),
    "balanced forest": ObliqueRandomForestClassifier(
        3, search="axis_parallel", class_weight="balanced_subsample", min_samples_split=300
    ),
    "regression forest": ObliqueRandomForestRegressor(3, search="axis_parallel", **LARGE_NODES),
    "regression forest without bootstrap": ObliqueRandomForestRegressor(
        3, search="axis_parallel", bootstrap=False, **LARGE_NODES
    ),
}


def rows(seed: int, *, ties: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    Z = rng.normal(size=(N_ROWS, 4))
    if ties:
        Z = np.round(Z, 1) + 0.0  # no negative zeros
    noise = rng.random(N_ROWS) < 0.05
    y = ((Z[:, 0] > 0.2) ^ (Z[:, 1] > -0.3) ^ noise).astype(int) + (Z[:, 2] > 1.0)
    number = np.where(Z[:, 0] > 0.2, 1.0, -1.0) + 0.5 * (Z[:, 1] > 0) + rng.normal(size=N_ROWS)
    return Z, y, number


WEIGHTS: dict[str, Callable[[np.random.Generator], np.ndarray | None]] = {
    "unweighted": lambda rng: None,
    "counts": lambda rng: rng.integers(1, 4, N_ROWS).astype(float),
    "weighted": lambda rng: 0.1 + rng.random(N_ROWS),
}


def partitions(model: Any, X: np.ndarray) -> list[tuple[np.ndarray, ...]]:
    """Return of each tree its shape, the features it tests and the leaves of its training rows."""
    if hasattr(model, "tree_"):
        trees, rows_of = [model.tree_], [np.arange(len(X))]
    else:
        trees, rows_of = model.trees_, model.estimators_samples_
    return [
        (tree.children, tree.coef_column, tree.n_node_samples, tree.apply(X[drawn]))
        for tree, drawn in zip(trees, rows_of, strict=True)
    ]


@pytest.mark.parametrize("ties", [False, True], ids=["distinct", "tied"])
@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("name", MODELS)
def test_increasing_transformations_change_no_partition(
    name: str, weights: str, ties: bool
) -> None:
    model = clone(MODELS[name]).set_params(random_state=0)
    weight = WEIGHTS[weights](np.random.default_rng(1))
    for seed in range(2):
        Z, y, number = rows(seed, ties=ties)
        target = number if is_regressor(model) else y
        expected = partitions(model.fit(Z, target, sample_weight=weight), Z)
        assert expected[0][0].shape[0] > 10
        for transformation in INCREASING.values():
            X = transformation(Z)
            found = partitions(model.fit(X, target, sample_weight=weight), X)
            for one, other in zip(found, expected, strict=True):
                for this, that in zip(one, other, strict=True):
                    np.testing.assert_array_equal(this, that)


def test_a_threshold_found_on_a_sample_depends_on_the_order_of_values_only() -> None:
    z = np.sort(np.random.default_rng(0).normal(size=2000))
    y = np.arange(2000) >= 40
    model = CARTClassifier(pruning=None, max_depth=1, search_rows=300, random_state=0)
    for steepness in (1.0, 6.0, 12.0):
        tree = model.fit(np.exp(steepness * z)[:, None], y).tree_
        assert tree.n_node_samples.tolist() == [2000, 40, 1960]


@pytest.mark.parametrize("seed", range(3))
def test_a_forest_on_skewed_features_is_as_good_as_scikit_learns(seed: int) -> None:
    rng = np.random.default_rng(seed)
    Z = rng.normal(size=(6000, 10))
    y = (Z[:, 0] > 0).astype(int)
    X, train, test = np.exp(6.0 * Z), slice(4000), slice(4000, None)
    settings = {"n_estimators": 20, "max_depth": 4, "random_state": seed}
    ours = ObliqueRandomForestClassifier(search="axis_parallel", **settings).fit(X[train], y[train])
    theirs = RandomForestClassifier(**settings).fit(X[train], y[train])
    assert theirs.score(X[test], y[test]) > 0.99
    assert ours.score(X[test], y[test]) > theirs.score(X[test], y[test]) - 0.005
