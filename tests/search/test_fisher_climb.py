"""FisherClimb: single features, discriminants between groups of classes, and a climb."""

from __future__ import annotations

import numpy as np
import pytest
from search.nodes import blobs, find, make_node

from aslant import ObliqueDecisionTreeClassifier, _core
from aslant.datasets import make_ls10, make_pol
from aslant.search import AxisParallel, FisherClimb, HyperplaneSplit

NO_CLIMB = FisherClimb(max_columns=0)


def plane(search: FisherClimb, node: _core.Node) -> HyperplaneSplit:
    split = find(search, node)
    assert isinstance(split, HyperplaneSplit)
    return split


def direction(X: np.ndarray, y: np.ndarray, group: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """(S + (0.01 + 0.5/n) I)^-1 (m1 - m0), columns in units of their deviations."""
    mean = np.average(X, axis=0, weights=weight)
    deviation = np.sqrt(np.average((X - mean) ** 2, axis=0, weights=weight))
    Z = (X - mean) / deviation
    n = weight.sum()
    scatter = (Z * weight[:, np.newaxis]).T @ Z / n + (0.01 + 0.5 / n) * np.eye(X.shape[1])
    side = group[y] == 1
    means = [np.average(Z[s], axis=0, weights=weight[s]) for s in (~side, side)]
    return np.linalg.solve(scatter, means[1] - means[0]) / deviation


def score_along(X: np.ndarray, y: np.ndarray, coef: np.ndarray, weight: np.ndarray) -> float:
    found = _core.best_threshold(X @ coef, y, int(y.max()) + 1, "entropy", weight=weight)
    assert found is not None
    return found[1]


def sides(X: np.ndarray, y: np.ndarray, split: HyperplaneSplit, weight: np.ndarray) -> np.ndarray:
    right = X @ split.coef > split.threshold
    per_class = [
        weight[(y == k) & right].sum() > weight[(y == k) & ~right].sum() for k in range(y.max() + 1)
    ]
    return np.array(per_class, dtype=int)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("weighted", [False, True])
def test_two_classes_have_one_direction(seed: int, weighted: bool) -> None:
    rng = np.random.default_rng(seed)
    X, y = blobs(seed, n=60, d=4, n_classes=2)
    X = X @ rng.normal(size=(4, 4))
    weight = rng.integers(1, 9, 60) / 2.0 if weighted else np.ones(60)
    node = make_node(X, y, weight=weight, criterion="entropy")
    split = plane(NO_CLIMB, node)
    coef = direction(X, y, np.array([0, 1]), weight)
    axis = find(AxisParallel(), node)
    expected = max(score_along(X, y, coef, weight), axis.score)
    assert split.score == pytest.approx(expected, rel=1e-9)
    if split.score > axis.score * (1.0 + 1e-9):
        cosine = split.coef @ coef / np.linalg.norm(split.coef) / np.linalg.norm(coef)
        assert abs(cosine) == pytest.approx(1.0, abs=1e-9)


@pytest.mark.parametrize("seed", range(20))
def test_more_classes_are_grouped_in_several_ways(seed: int) -> None:
    X, y = blobs(seed, n=90, d=3, n_classes=5)
    X = X @ np.random.default_rng(seed).normal(size=(3, 3))
    weight = np.ones(90)
    node = make_node(X, y, criterion="entropy")
    split, axis = plane(NO_CLIMB, node), find(AxisParallel(), node)
    for k in range(5):  # each class against the rest
        group = (np.arange(5) == k).astype(int)
        assert split.score >= score_along(X, y, direction(X, y, group, weight), weight) - 1e-9
    for source in (axis, split):  # the sides of the best single feature, and of the result
        group = sides(X, y, source, weight)
        if 0 < group.sum() < 5:
            assert split.score >= score_along(X, y, direction(X, y, group, weight), weight) - 1e-9


def test_a_climb_finds_what_no_discriminant_can() -> None:
    X, y = make_pol(1000, random_state=0)
    node = make_node(X, y, criterion="entropy")
    without, with_climb = plane(NO_CLIMB, node), plane(FisherClimb(), node)
    assert with_climb.score > without.score + 0.5 * 2 / 1000


def test_a_climb_is_taken_only_if_it_pays() -> None:
    for seed in range(10):
        X, y = blobs(seed, n=80, d=4, n_classes=3)
        node = make_node(X, y, criterion="entropy")
        plain = plane(NO_CLIMB, node)
        for penalty in (0.0, 0.5, 3.0):
            split = plane(FisherClimb(penalty=penalty), node)
            gained = (split.score - plain.score) * 80
            assert gained == 0.0 or gained > 4 * penalty
        assert np.array_equal(plane(FisherClimb(penalty=np.inf), node).coef, plain.coef)


def test_no_climb_with_many_columns_or_few_rows() -> None:
    X, y = make_ls10(300, random_state=0)
    node, few = make_node(X, y, criterion="entropy"), make_node(X[:20], y[:20], criterion="entropy")
    for here, search in ((node, FisherClimb(max_columns=9)), (few, FisherClimb())):
        assert np.array_equal(plane(search, here).coef, plane(NO_CLIMB, here).coef)
    assert not np.array_equal(
        plane(FisherClimb(penalty=0.0), node).coef, plane(NO_CLIMB, node).coef
    )


def test_trees_are_small_where_features_act_together() -> None:
    X, y = make_ls10(1000, random_state=0)
    clf = ObliqueDecisionTreeClassifier("fisher_climb", random_state=0).fit(X, y)
    other = ObliqueDecisionTreeClassifier("axis_parallel").fit(X, y)
    assert 10 * clf.get_n_leaves() < other.get_n_leaves()
