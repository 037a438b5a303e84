"""Splits of gradient boosting against slow references."""

from __future__ import annotations

import numpy as np
import pytest
from oracles import boosting as oracle

from aslant import ObliqueGradientBoostingClassifier, ObliqueGradientBoostingRegressor, _core
from aslant.tree.regression_tree import RegressionTree


def data(seed: int, n_rows: int = 240) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, 4)) * [1.0, 10.0, 0.1, 1.0] + [0.0, 100.0, 5.0, 0.0]
    X[:, 3] = rng.lognormal(sigma=3.0, size=n_rows)  # deviation far above the quartiles
    y = X[:, 0] - X[:, 1] / 9 + 8 * X[:, 2] + rng.normal(size=n_rows)
    return X, y


def root_gain(tree: RegressionTree) -> float:
    risk = tree.impurity * tree.node_weight
    return float(risk[0] - risk[tree.children[0]].sum())


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("l2", [0.0, 2.5])
def test_the_root_of_the_first_tree(seed: int, l2: float) -> None:
    X, y = data(seed)
    model = ObliqueGradientBoostingRegressor(
        max_iter=1, oblique_features=1.0, l2_regularization=l2, min_samples_leaf=7, max_leaf_nodes=2
    ).fit(X, y)
    (tree,) = model.trees_
    g, h = y.mean() - y, np.ones(len(y))
    g = g.astype(np.float32).astype(float)
    coef = oracle.direction(X, g, h)
    gain, threshold = oracle.best_threshold(X @ coef, g, h, l2, least=7)
    single = oracle.best_single(X, g, h, l2, least=7)
    assert gain > single
    split = tree.split(0)
    np.testing.assert_allclose(split.coef, coef, rtol=1e-7)
    # Rows close to the edge of a bin may be in the next one.
    np.testing.assert_allclose(split.threshold, threshold, atol=8 / 255 * (X @ coef).std())
    np.testing.assert_allclose(root_gain(tree), gain, rtol=0.01)
    means = [scale[0] for scale in map(oracle.scale_of, X.T)]
    np.testing.assert_allclose(split.fill, means)
    left = X @ split.coef <= split.threshold
    np.testing.assert_allclose(root_gain(tree), oracle.gain(g, h, left, l2), rtol=1e-9)
    step = oracle.value(g[left].sum(), h[left].sum(), l2)
    np.testing.assert_allclose(tree.value[tree.children[0, 0], 0], 0.1 * step)


def test_weights_and_hessians_enter_the_direction() -> None:
    X, y = data(7)
    labels = (y > np.median(y)).astype(int)
    weight = np.random.default_rng(0).integers(1, 5, len(y)).astype(float)
    model = ObliqueGradientBoostingClassifier(
        max_iter=2, oblique_features=1.0, l2_regularization=0.0, max_leaf_nodes=2
    ).fit(X, labels, weight)
    first, second = model.trees_
    raw = model.baseline_[0] + first.value[first.apply(X), 0]
    p = 1 / (1 + np.exp(-raw))
    coef = oracle.direction(X, weight * (p - labels), weight * p * (1 - p))
    # Quartiles that scale the features are weighted too, so only the hyperplane is compared.
    mine, scale = second.split(0).coef, np.array([oracle.scale_of(x)[1] for x in X.T])
    cosine = (mine * scale) @ (coef * scale)
    cosine /= np.linalg.norm(mine * scale) * np.linalg.norm(coef * scale)
    assert cosine > 0.999


def test_single_features_win_where_they_are_better() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(240, 3))
    y = np.where(X[:, 1] > 0.3, 5.0, 0.0) + 0.01 * rng.normal(size=240)
    model = ObliqueGradientBoostingRegressor(max_iter=1, max_leaf_nodes=2).fit(X, y)
    assert model.trees_[0].features_in_test[0] == 1


def test_only_the_features_that_contribute_most_stay_in_a_test() -> None:
    X, y = data(3)
    given = {"max_iter": 1, "oblique_features": 1.0, "max_leaf_nodes": 2}
    every = ObliqueGradientBoostingRegressor(**given).fit(X, y).trees_[0].split(0)
    few = ObliqueGradientBoostingRegressor(max_features_per_test=2, **given).fit(X, y)
    kept = np.flatnonzero(few.trees_[0].split(0).coef)
    assert (every.coef != 0).sum() == 4
    assert len(kept) == 2
    g, h = (y.mean() - y).astype(np.float32).astype(float), np.ones(len(y))
    expected = oracle.direction(X[:, kept], g, h)
    np.testing.assert_allclose(few.trees_[0].split(0).coef[kept], expected, rtol=1e-7)


def test_bins_of_several_values_hardly_change_the_direction() -> None:
    X, y = data(11, 4000)
    model = ObliqueGradientBoostingRegressor(
        max_iter=1, oblique_features=1.0, l2_regularization=0.0, max_leaf_nodes=2
    ).fit(X, y)
    g, h = y.mean() - y, np.ones(len(y))
    coef = oracle.direction(X, g, h)
    gain, _ = oracle.best_threshold(X @ coef, g, h, 0.0, least=20)
    scale = np.array([oracle.scale_of(x)[1] for x in X.T])
    mine = model.trees_[0].split(0).coef * scale
    cosine = mine @ (coef * scale) / np.linalg.norm(mine) / np.linalg.norm(coef * scale)
    assert cosine > 0.99
    np.testing.assert_allclose(root_gain(model.trees_[0]), gain, rtol=0.03)
    left = X @ model.trees_[0].split(0).coef <= model.trees_[0].split(0).threshold
    np.testing.assert_allclose(root_gain(model.trees_[0]), oracle.gain(g, h, left, 0.0), rtol=1e-6)


def test_which_features_can_be_in_combinations() -> None:
    rng = np.random.default_rng(0)
    values = [2, 3, 4, 5, 1, 200]
    X = np.column_stack([rng.permutation(np.arange(200) % k) for k in values]).astype(float)
    huge = X[:, -1:] * 1e200
    table = np.column_stack([X, huge])
    n = table.shape[1]
    columns = np.arange(n, dtype=np.int32), np.full(n, -1, dtype=np.int32)
    binned = _core.BinnedFeatures(table, *columns, None, 255, 0, 1)
    found = [binned.feature(j)["in_directions"] for j in range(n)]
    assert found == [True, False, False, True, False, True, False]


def test_how_many_features_are_drawn() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 25))
    y = X.sum(axis=1)
    for given, expected in ((None, 10), (3, 3), (0.2, 5), (1.0, 25), (99, 25)):
        model = ObliqueGradientBoostingRegressor(
            max_iter=1, oblique_features=given, max_leaf_nodes=2
        ).fit(X, y)
        assert model.trees_[0].features_in_test[0] == expected


def test_small_nodes_look_at_single_features_only() -> None:
    X, y = data(0)
    model = ObliqueGradientBoostingRegressor(oblique_min_rows=200, max_iter=5).fit(X, y)
    for tree in model.trees_:
        several = tree.features_in_test > 1
        assert (tree.n_node_samples[several] >= 200).all()
    assert any((tree.features_in_test > 1).any() for tree in model.trees_)


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("origin", [0.0, 1e9])
def test_rows_go_the_same_way_in_growing_and_predicting(missing: bool, origin: float) -> None:
    # Bins hold several values here, and rounding matters far from the origin.
    X, y = data(5, 2000)
    X += origin
    if missing:
        X[np.random.default_rng(1).random(X.shape) < 0.1] = np.nan
    for table in (X, np.asfortranarray(X), X.astype(np.float32)):
        model = ObliqueGradientBoostingRegressor(max_iter=5, min_samples_leaf=3).fit(table, y)
        assert_rows_go_the_same_way(model, table)


def assert_rows_go_the_same_way(model: ObliqueGradientBoostingRegressor, X: np.ndarray) -> None:
    assert any((tree.features_in_test > 1).any() for tree in model.trees_)
    for tree in model.trees_:
        leaves = np.bincount(tree.apply(X), minlength=tree.n_nodes)
        assert np.array_equal(leaves[tree.is_leaf], tree.n_node_samples[tree.is_leaf])


def test_values_far_from_the_others_go_the_same_way() -> None:
    """Bins that are very wide or far away have no place on a direction that could be trusted."""
    X, y = data(6, 3000)
    X[::300, 1] = 1e15
    X[:, 3] = np.exp(3 * X[:, 0])
    assert_rows_go_the_same_way(ObliqueGradientBoostingRegressor(max_iter=5).fit(X, y), X)


def test_more_features_than_radii_have_parts() -> None:
    X = np.random.default_rng(0).normal(size=(300, 4200))
    y = X[:, :5].sum(axis=1)
    model = ObliqueGradientBoostingRegressor(max_iter=1, oblique_features=1.0, max_leaf_nodes=3)
    assert_rows_go_the_same_way(model.fit(X, y), X)


@pytest.mark.parametrize("max_features", [1.0, 0.5])
def test_a_node_has_the_bins_of_its_rows(max_features: float) -> None:
    """The histogram of a larger child is a difference, whichever features are searched."""
    X, y = data(8, 800)
    model = ObliqueGradientBoostingRegressor(
        max_iter=3, oblique=False, max_features=max_features, l2_regularization=0.0, random_state=0
    ).fit(X, y)
    raw = np.full(len(y), model.baseline_[0])
    for tree in model.trees_:
        leaf = tree.apply(X)
        steps = np.array([np.mean((y - raw)[leaf == node]) for node in leaf])
        np.testing.assert_allclose(tree.value[leaf, 0], 0.1 * steps, rtol=1e-4, atol=1e-6)
        raw += tree.value[leaf, 0]


def test_large_nodes_look_at_a_sample_first() -> None:
    X, y = data(2, 20_000)
    models = [
        ObliqueGradientBoostingRegressor(
            max_iter=2, random_state=0, early_stopping=False, n_jobs=n_jobs
        ).fit(X, y)
        for n_jobs in (1, 2)
    ]
    for one, other in zip(models[0].trees_, models[1].trees_, strict=True):
        assert one.features_in_test[0] > 1
        np.testing.assert_array_equal(one.coef_value, other.coef_value)
        np.testing.assert_array_equal(one.value, other.value)
        leaves = np.bincount(one.apply(X), minlength=one.n_nodes)
        assert np.array_equal(leaves[one.is_leaf], one.n_node_samples[one.is_leaf])
