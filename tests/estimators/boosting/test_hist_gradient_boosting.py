"""Without combinations the trees are those of scikit-learn's HistGradientBoosting.

Features have few distinct values: quantiles that are exact fractions of the rows are rounded
differently, and ties are broken differently, elsewhere.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

from aslant import ObliqueGradientBoostingClassifier, ObliqueGradientBoostingRegressor, _core

RNG = np.random.default_rng(0)
X = np.round(20.0 * RNG.normal(size=(1201, 6))) / 20.0
TARGET = np.abs(X[:, 0] + X[:, 1] * X[:, 2] + RNG.normal(size=len(X))) + 0.1
MISSING = X.copy()
MISSING[RNG.random(X.shape) < 0.1] = np.nan
SETTINGS: dict[str, Any] = {"max_iter": 8, "l2_regularization": 0.7, "early_stopping": False}


def assert_same_trees(theirs: Any, mine: Any) -> None:
    per_round = len(theirs._predictors[0])
    assert mine.n_trees_per_iteration_ == per_round
    for i, tree in enumerate(mine.trees_):
        nodes = theirs._predictors[i // per_round][i % per_round].nodes
        assert np.array_equal(nodes["count"], tree.n_node_samples)
        assert np.array_equal(nodes["is_leaf"].astype(bool), tree.is_leaf)
        for node in np.flatnonzero(~tree.is_leaf):
            columns = np.flatnonzero(tree.split(node).coef)
            assert set(tree.column_feature[columns]) == {nodes["feature_idx"][node]}
        values = nodes["value"][tree.is_leaf]
        np.testing.assert_allclose(tree.value[tree.is_leaf, 0], values, rtol=1e-6, atol=1e-9)


LOSSES = ["squared_error", "absolute_error", "gamma", "poisson", "quantile"]


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("table", [X, MISSING], ids=["complete", "missing"])
def test_regression(loss: str, table: np.ndarray) -> None:
    given = {**SETTINGS, "loss": loss, "quantile": 0.3 if loss == "quantile" else None}
    theirs = HistGradientBoostingRegressor(**given).fit(table, TARGET)
    mine = ObliqueGradientBoostingRegressor(oblique=False, **given).fit(table, TARGET)
    assert_same_trees(theirs, mine)
    np.testing.assert_allclose(mine.predict(table), theirs.predict(table), rtol=1e-6)
    other = np.round(RNG.normal(size=(50, 6)), 2)
    other[::4, 1] = np.nan  # goes to the larger child where training had none
    np.testing.assert_allclose(mine.predict(other), theirs.predict(other), rtol=1e-6)


@pytest.mark.parametrize("n_classes", [2, 4])
def test_classification(n_classes: int) -> None:
    edges = np.quantile(TARGET, np.arange(1, n_classes) / n_classes)
    y = np.digitize(TARGET, edges)
    theirs = HistGradientBoostingClassifier(**SETTINGS).fit(X, y)
    mine = ObliqueGradientBoostingClassifier(oblique=False, **SETTINGS).fit(X, y)
    assert_same_trees(theirs, mine)
    np.testing.assert_allclose(mine.predict_proba(X), theirs.predict_proba(X), rtol=1e-6)
    np.testing.assert_allclose(mine.decision_function(X), theirs.decision_function(X), rtol=1e-6)


@pytest.mark.parametrize("missing", [False, True])
def test_categories(missing: bool) -> None:
    rng = np.random.default_rng(1)
    level = rng.integers(0, 12, len(X)).astype(float)
    y = TARGET + 2.0 * (level % 3)
    if missing:
        level[::11] = np.nan
    table = np.column_stack([level, X])
    given = {**SETTINGS, "categorical_features": [0]}
    theirs = HistGradientBoostingRegressor(**given).fit(table, y)
    mine = ObliqueGradientBoostingRegressor(oblique=False, **given).fit(table, y)
    assert_same_trees(theirs, mine)
    assert any((tree.column_level[tree.coef_column] >= 0).any() for tree in mine.trees_)
    np.testing.assert_allclose(mine.predict(table), theirs.predict(table), rtol=1e-6)


def test_weights_constraints_and_limits() -> None:
    weight = np.random.default_rng(2).integers(1, 4, len(X)).astype(float)
    given = {
        **SETTINGS,
        "monotonic_cst": [1, -1, 0, 0, 0, 0],
        "interaction_cst": [{0, 1, 2}, {2, 3}],
        "max_depth": 4,
        "min_samples_leaf": 9,
        "max_leaf_nodes": 11,
    }
    theirs = HistGradientBoostingRegressor(**given).fit(X, TARGET, weight)
    mine = ObliqueGradientBoostingRegressor(oblique=False, **given).fit(X, TARGET, weight)
    assert_same_trees(theirs, mine)


@pytest.mark.parametrize("max_bins", [7, 255])
def test_bins_are_quantiles(max_bins: int) -> None:
    table = np.random.default_rng(3).normal(size=(1009, 3))  # a prime: no quantile is a tie
    model = HistGradientBoostingRegressor(max_bins=max_bins, max_iter=1, early_stopping=False)
    model.fit(table, table[:, 0])
    columns = np.arange(3, dtype=np.int32), np.full(3, -1, dtype=np.int32)
    binned = _core.BinnedFeatures(table, *columns, None, max_bins, 0, 1)
    for j in range(3):
        expected = model._bin_mapper.bin_thresholds_[j]
        np.testing.assert_allclose(binned.feature(j)["thresholds"], expected)
        assert np.array_equal(binned.bins[:, j], np.searchsorted(expected, table[:, j]))


def test_weights_count_as_copies_in_bins() -> None:
    rng = np.random.default_rng(4)
    table, weight = rng.normal(size=(600, 2)), rng.integers(1, 4, 600)
    columns = np.arange(2, dtype=np.int32), np.full(2, -1, dtype=np.int32)
    weighted = _core.BinnedFeatures(table, *columns, weight.astype(float), 31, 0, 1)
    copied = _core.BinnedFeatures(np.repeat(table, weight, axis=0), *columns, None, 31, 0, 1)
    for j in range(2):
        assert np.array_equal(weighted.feature(j)["thresholds"], copied.feature(j)["thresholds"])
