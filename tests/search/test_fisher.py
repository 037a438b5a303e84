"""Fisher: the best threshold along the linear discriminant."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.discriminant import fisher_direction
from search.nodes import blobs, children, find, make_node
from sklearn.datasets import load_iris

from aslant import FisherTreeClassifier, _core
from aslant.search import Fisher, HyperplaneSplit


def plane(search: Fisher, node: _core.Node) -> HyperplaneSplit:
    split = find(search, node)
    assert isinstance(split, HyperplaneSplit)
    return split


def cosine(one: np.ndarray, other: np.ndarray) -> float:
    return float(abs(one @ other) / np.linalg.norm(one) / np.linalg.norm(other))


@settings(deadline=None, max_examples=40)
@given(st.integers(1, 8), st.integers(0, 2**32 - 1), st.booleans())
def test_direction_and_threshold(d: int, seed: int, weighted: bool) -> None:
    rng = np.random.default_rng(seed)
    X, y = blobs(seed, n=50, d=d, n_classes=2)
    X = X @ rng.normal(size=(d, d))
    weight = rng.integers(1, 9, 50) / 2.0 if weighted else np.ones(50)
    split = plane(
        Fisher(min_samples_branch=0, shrinkage="none"),
        make_node(X, y, weight=weight, criterion="entropy"),
    )
    expected = fisher_direction(X, y, weight)
    assert cosine(split.coef, expected) == pytest.approx(1.0, abs=1e-6)
    assert np.abs(split.coef).max() == 1.0
    _, score = _core.best_threshold(X @ expected, y, 2, "entropy", weight=weight)
    assert split.score == pytest.approx(score, rel=1e-9)


@pytest.mark.parametrize(("n", "d"), [(60, 30), (40, 120)])
@pytest.mark.parametrize("weighted", [False, True])
def test_correlations_are_shrunk_where_rows_are_few(n: int, d: int, weighted: bool) -> None:
    """Chen, Wiesel, Eldar and Hero 2010, equation 23, with the correlations in place of S."""
    X, y = blobs(n, n=n, d=d, n_classes=2)
    X = X @ np.random.default_rng(n).normal(size=(d, d))
    cases = np.random.default_rng(1).integers(1, 4, n) if weighted else np.ones(n, dtype=int)
    rows = np.repeat(np.arange(n), cases)
    R = np.corrcoef(X[rows].T)
    squares = (R**2).sum()
    share = ((1 - 2 / d) * squares + d**2) / ((len(rows) + 1 - 2 / d) * (squares - d))
    assert 0.05 < share < 1.0
    deviation = X[rows].std(axis=0)
    apart = (X[rows][y[rows] == 1].mean(axis=0) - X[rows][y[rows] == 0].mean(axis=0)) / deviation
    expected = np.linalg.solve((1 - share) * R + share * np.eye(d), apart) / deviation
    split = plane(Fisher(min_samples_branch=0), make_node(X, y, weight=cases.astype(float)))
    assert cosine(split.coef, expected) == pytest.approx(1.0, abs=1e-9)


def test_nothing_is_shrunk_where_rows_are_plenty() -> None:
    X, y = blobs(0, n=100, d=10, n_classes=2)
    shrunk, published = (plane(Fisher(shrinkage=how), make_node(X, y)) for how in ("auto", "none"))
    assert (shrunk.coef == published.coef).all()
    few = [plane(Fisher(shrinkage=how), make_node(X[:99], y[:99])) for how in ("auto", "none")]
    assert (few[0].coef != few[1].coef).any()


def test_units_and_origin_of_the_features_do_not_matter() -> None:
    X, y = blobs(1, n_classes=2)
    node = make_node(X, y)
    changed = make_node(X * [1e8, 1.0, 1e-8, 3.0] + [1e8, -5.0, 1.0, 1e4], y)
    assert np.array_equal(
        children(node, plane(Fisher(), node)), children(changed, plane(Fisher(), changed))
    )


def pseudo_inverse_direction(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    standard = (X - X.mean(axis=0)) / X.std(axis=0)
    difference = standard[y == 1].mean(axis=0) - standard[y == 0].mean(axis=0)
    correlation = standard.T @ standard / len(X)
    return np.linalg.pinv(correlation, rcond=1e-10) @ difference / X.std(axis=0)


def test_collinear_columns_change_nothing() -> None:
    X, y = blobs(2, n_classes=2)
    more = np.column_stack([X, X[:, 0] + X[:, 1], 2.0 * X[:, 2], X.sum(axis=1)])
    node, wide = make_node(X, y), make_node(more, y)
    split = plane(Fisher(), wide)
    assert np.array_equal(children(node, plane(Fisher(), node)), children(wide, split))
    plain = plane(Fisher(shrinkage="none"), wide)
    assert cosine(plain.coef, pseudo_inverse_direction(more, y)) == pytest.approx(1.0, abs=1e-9)


def test_a_direction_without_spread_within_the_classes_is_found() -> None:
    """The pseudo-inverse of the scatter within the classes would be blind to it."""
    rng = np.random.default_rng(0)
    y = np.arange(60) % 2
    hidden = rng.normal(size=60)
    X = np.column_stack([rng.normal(size=60) + y, hidden, y - hidden])  # the last two sum to y
    split = plane(Fisher(), make_node(X, y))
    assert np.array_equal(children(make_node(X, y), split), y)
    assert abs(split.coef[0]) < 1e-9


@pytest.mark.parametrize(("n", "d"), [(10, 30), (20, 21), (40, 300)])
def test_more_features_than_rows(n: int, d: int) -> None:
    """The direction lies in the span of the rows, and each class is one point on it."""
    X, y = blobs(n, n=n, d=d, n_classes=2)
    split = plane(Fisher(min_samples_branch=1, shrinkage="none"), make_node(X, y))
    projected = X @ split.coef
    spread = [np.ptp(projected[y == k]) for k in (0, 1)]
    assert max(spread) < 1e-8 * abs(projected[y == 0].mean() - projected[y == 1].mean())
    assert cosine(split.coef, pseudo_inverse_direction(X, y)) == pytest.approx(1.0, abs=1e-9)


def test_rows_that_are_copies_and_classes_of_one_row() -> None:
    X = np.array([[0.0, 0.0]] * 5 + [[1.0, 2.0]] * 4 + [[3.0, -1.0]])
    y = np.array([0] * 5 + [1] * 4 + [2])
    node = make_node(X, y)
    split = plane(Fisher(min_samples_branch=1), node)
    assert len(np.unique(3 * children(node, split) + y)) == 3
    assert find(Fisher(), make_node(X[:5], [0, 1, 0, 1, 0])) is None


def test_equal_means_leave_a_threshold_on_one_column() -> None:
    X = np.array([[-3.0, 1.0], [3.0, 1.0], [-1.0, 1.0], [1.0, 1.0]]).repeat(3, axis=0)
    y = np.array([0, 0, 1, 1]).repeat(3)
    split = plane(Fisher(), make_node(X, y))
    assert split.coef.tolist() == [1.0, 0.0]
    assert abs(split.threshold) == 2.0


def test_a_single_column_competes_only_if_asked() -> None:
    """One class in the middle: the means differ by chance only, one threshold gains more."""
    better = 0
    for seed in range(8):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(80, 3))
        y = (np.abs(X[:, 1]) > 1.0).astype(int)
        node = make_node(X, y, criterion="entropy")
        alone, competing = plane(Fisher(), node), plane(Fisher(univariate=True), node)
        assert np.count_nonzero(alone.coef) == 3
        assert competing.score >= alone.score
        better += np.count_nonzero(competing.coef) == 1
    assert better >= 4


def test_each_child_holds_the_cases_asked_for() -> None:
    X, y = blobs(3, n=40, n_classes=2)
    weight = np.full(40, 0.5)
    for min_cases in (2, 5, 9.5):
        node = make_node(X, y, weight=weight, criterion="gain_ratio")
        split = plane(Fisher(min_samples_branch=min_cases), node)
        assert np.bincount(children(node, split), weight).min() >= min_cases
    assert find(Fisher(min_samples_branch=10.5), make_node(X, y, weight=weight)) is None


def test_more_than_two_classes() -> None:
    """Super-classes first part the two that are near each other from the third."""
    rng = np.random.default_rng(0)
    centres = np.array([[0.0, 0.0, 0.0], [1.5, 0.0, 0.0], [0.0, 9.0, 9.0]])
    y = np.arange(120) % 3
    X = centres[y] + rng.normal(size=(120, 3))
    node = make_node(X, y, criterion="entropy")
    sides = children(node, plane(Fisher(), node))
    assert np.array_equal(sides == sides[2], y == 2)
    rest = max(
        plane(Fisher(), make_node(X, (y == k).astype(int), criterion="entropy")).score
        for k in range(3)
    )
    assert plane(Fisher(multiclass="one_vs_rest"), node).score >= 0.9 * rest


@pytest.mark.parametrize("multiclass", ["superclasses", "one_vs_rest"])
def test_on_iris(multiclass: str) -> None:
    X, y = load_iris(return_X_y=True)
    model = FisherTreeClassifier(multiclass=multiclass).fit(X, y)
    assert model.score(X, y) > 0.97
    assert model.get_n_leaves() <= 5


def test_the_preset_prunes_as_published() -> None:
    X, y = blobs(4, n=300, n_classes=2)
    pruned = FisherTreeClassifier().fit(X, y)
    assert pruned.get_n_leaves() < FisherTreeClassifier(pruning=None).fit(X, y).get_n_leaves()
    assert pruned.tree_.n_node_samples[pruned.tree_.is_leaf].min() >= 2
