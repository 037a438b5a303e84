"""The searches of a forest against slow twins, written from the recipe."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aslant import ObliqueDecisionTreeClassifier, ObliqueDecisionTreeRegressor, _core
from aslant.search import AxisParallel, ForestSplit
from aslant.search.forest import RandomSubset


def stump(search, X, y, weight=None, **parameters):
    tree = ObliqueDecisionTreeClassifier(
        search, criterion="entropy", max_depth=1, random_state=0, **parameters
    )
    return tree.fit(X, y, weight).tree_


def gain_at(tree):
    """Return the entropy that the root's test takes away."""
    share = tree.value.sum(axis=1) / tree.value[0].sum()
    return tree.impurity[0] - share[1:] @ tree.impurity[1:]


def ridge_fisher(X, y, weight, ridge=0.01):
    mean = np.average(X, axis=0, weights=weight)
    deviation = np.sqrt(np.average((X - mean) ** 2, axis=0, weights=weight))
    Z = (X - mean) / deviation
    total = (Z.T * weight) @ Z / weight.sum()
    means = [np.average(Z[y == k], axis=0, weights=weight[y == k]) for k in (0, 1)]
    regular = total + (ridge + 0.5 / len(X)) * np.eye(X.shape[1])
    return np.linalg.solve(regular, means[1] - means[0]) / deviation


@pytest.mark.parametrize("seed", range(5))
def test_the_direction_is_the_ridge_discriminant(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(200, 4)) @ rng.normal(size=(4, 4)) + 5.0
    weight = rng.integers(1, 4, 200).astype(float)
    normal = rng.normal(size=4)
    y = (X @ normal + 0.1 * rng.normal(size=200) > np.median(X @ normal)).astype(int)
    tree = stump(ForestSplit(max_features=4, oblique_share=1.0), X, y, weight)
    expected = ridge_fisher(X, y, weight)
    found = tree.coef.toarray()[0]
    assert np.count_nonzero(found) == 4
    assert found / np.linalg.norm(found) == pytest.approx(
        expected / np.linalg.norm(expected), abs=1e-9
    )
    best = _core.best_threshold(X @ found, y, 2, "entropy", weight=weight)
    assert gain_at(tree) == pytest.approx(best[1], abs=1e-9)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 256), st.integers(2, 5), st.booleans(), st.booleans())
def test_cuts_of_few_rows_are_exact(seed, n_rows, n_classes, discrete, weighted):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 6, (n_rows, 3)).astype(float) if discrete else rng.normal(size=(n_rows, 3))
    X[:, 2] = np.exp(4.0 * X[:, 2])  # one far from uniform
    y = rng.integers(0, n_classes, n_rows)
    weight = rng.integers(1, 4, n_rows).astype(float) if weighted else np.ones(n_rows)
    codes = np.unique(y, return_inverse=True)[1]
    found = stump(ForestSplit(max_features=3, oblique_share=0.0), X, y, weight)
    scores = [
        _core.best_threshold(x, codes, codes.max() + 1, "entropy", weight=weight) for x in X.T
    ]
    best = max((one[1] for one in scores if one is not None), default=None)
    if best is None or codes.max() == 0:
        assert found.n_nodes == 1
    else:
        assert gain_at(found) == pytest.approx(best, abs=1e-9)


def test_cuts_of_many_rows_are_exact_and_midway_between_values():
    rng = np.random.default_rng(0)
    x = rng.normal(size=1000)
    y = (x > 0.3).astype(int)
    tree = stump(ForestSplit(max_features=1, oblique_share=0.0), x[:, None], y)
    assert tree.threshold[0] == pytest.approx((x[y == 0].max() + x[y == 1].min()) / 2, abs=1e-12)


def test_a_category_is_parted_into_two_sets_of_levels():
    rng = np.random.default_rng(0)
    level = rng.integers(0, 6, 400)
    y = np.isin(level, (1, 4, 5)).astype(int)
    search = ForestSplit(max_features=1, oblique_share=0.0)
    tree = stump(search, level[:, None].astype(float), y, categorical_features=[0])
    assert tree.impurity[1:] == pytest.approx([0.0, 0.0])
    assert set(np.abs(tree.coef_value)) == {1.0}


def test_children_hold_what_they_must():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 2)), np.arange(60) == 0
    tree = stump(ForestSplit(max_features=2, oblique_share=1.0), X, y, min_samples_leaf=20)
    assert tree.n_node_samples.min() >= 20


def test_a_subset_search_looks_at_features_that_vary():
    rng = np.random.default_rng(0)
    X = np.zeros((50, 12))
    X[:, 7] = rng.normal(size=50)
    tree = stump(RandomSubset(AxisParallel(), max_features=1), X, X[:, 7] > 0)
    assert tree.coef_column.tolist() == [7]


def test_extreme_values_are_searched_too():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 3)) * 1e200
    y = (X[:, 1] > 0).astype(int)
    tree = stump(ForestSplit(max_features=3, oblique_share=1.0), X, y)
    assert np.isfinite(tree.coef_value).all()
    assert gain_at(tree) > 0.9


def best_decrease(X, y, weight):
    """Return the greatest decrease of the weighted squared error by a cut of one feature."""

    def error(rows):
        mean = np.average(y[rows], weights=weight[rows])
        return weight[rows] @ (y[rows] - mean) ** 2

    everything, best = np.ones(len(y), bool), 0.0
    for x in X.T:
        for cut in np.unique(x)[:-1]:
            low = x <= cut
            best = max(best, error(everything) - error(low) - error(~low))
    return best


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(3, 60), st.booleans(), st.booleans(), st.booleans())
def test_every_node_of_numbers_has_the_best_cut(seed, n_rows, discrete, ties, weighted):
    """Whether a search stops early or not: with few rows it does where nothing can be better."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 4, (n_rows, 4)).astype(float) if discrete else rng.normal(size=(n_rows, 4))
    y = rng.integers(0, 3, n_rows).astype(float) if ties else rng.normal(size=n_rows)
    weight = rng.uniform(0.5, 3.0, n_rows) if weighted else np.ones(n_rows)
    for search in (AxisParallel(), ForestSplit(max_features=4, oblique_share=0.0)):
        fitted = ObliqueDecisionTreeRegressor(search, random_state=0).fit(X, y, weight)
        tree, path = fitted.tree_, fitted.decision_path(X).toarray().astype(bool)
        for node in np.flatnonzero(tree.children[:, 0] >= 0):
            rows = path[:, node]
            left, right = (path[:, child] for child in tree.children[node])
            parts = [
                weight[part] @ (y[part] - np.average(y[part], weights=weight[part])) ** 2
                for part in (rows, left, right)
            ]
            best = best_decrease(X[rows], y[rows], weight[rows])
            assert parts[0] - parts[1] - parts[2] == pytest.approx(best, abs=1e-9)


def test_a_row_that_weighs_next_to_nothing_does_not_hide_the_best_cut():
    X = np.arange(6.0)[:, None]
    y = np.array([5.0, 0.0, 0.0, 1.0, 1.0, 1.0])
    weight = np.array([1e-30, 1.0, 1.0, 1.0, 1.0, 1.0])
    for order in (slice(None), slice(None, None, -1)):
        tree = ObliqueDecisionTreeRegressor(AxisParallel(), max_depth=1)
        tree.fit(X, y[order], weight[order])
        assert tree.tree_.threshold[0] == 2.5
    alone = np.array([1.0, 1e-30, 1e-30, 1e-30, 1e-30, 1e-30])  # the others do not change the sum
    assert ObliqueDecisionTreeRegressor(AxisParallel()).fit(X, y, alone).tree_.n_nodes == 1
