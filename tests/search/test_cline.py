"""Cline: three planes between two classes, by hand."""

from __future__ import annotations

import numpy as np
import pytest
from search.nodes import blobs, children, find, make_node

from aslant import ObliqueDecisionTreeClassifier
from aslant.search import Cline


def test_the_bisector_of_the_nearest_rows() -> None:
    """Far rows pull the means aside; between (0, 0) and (2, 0) only the nearest pair divides."""
    X = np.array([[0.0, 0.0], [-9.0, 30.0], [2.0, 0.0], [2.5, 40.0]])
    split = find(Cline(), make_node(X, [0, 0, 1, 1]))
    assert split.coef / split.coef[0] == pytest.approx([1.0, 0.0])
    assert split.threshold / split.coef[0] == pytest.approx(1.0)


def test_the_bisector_of_the_means() -> None:
    """Spread equally in all directions, with one pair close by that misleads."""
    X = np.array(
        [[0, 0], [1, 0], [0, 1], [1, 1], [3.9, 0.5], [4, 0], [5, 0], [4, 1], [5, 1]], float
    )
    y = np.array([0, 0, 0, 0, 0, 1, 1, 1, 1])
    node = make_node(X, y)
    split = find(Cline(), node)
    means = X[y == 0].mean(axis=0), X[y == 1].mean(axis=0)
    by_hand = (X @ (means[1] - means[0])) > (means[1] - means[0]) @ (means[0] + means[1]) / 2
    assert split.score is None or split.score >= 0
    assert node.score(split) >= make_node(X, y).score(split)
    assert (children(node, split) == y).sum() >= (by_hand == y).sum()


def test_fisher_s_direction_where_classes_are_long() -> None:
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 200)
    long = rng.normal(scale=10.0, size=400)
    X = np.column_stack([long + y, long + 0.3 * rng.normal(size=400)])
    node = make_node(X, y)
    split = find(Cline(), node)
    assert np.mean(children(node, split) == y) > 0.9
    scatter = sum(np.cov(X[y == k].T) for k in (0, 1))
    fisher = np.linalg.solve(scatter, X[y == 1].mean(axis=0) - X[y == 0].mean(axis=0))
    cosine = fisher @ split.coef / np.linalg.norm(fisher) / np.linalg.norm(split.coef)
    assert cosine == pytest.approx(1.0, abs=1e-6)


def test_the_best_threshold_is_no_worse() -> None:
    for seed in range(5):
        X, y = blobs(seed)
        node = make_node(X, y)
        midpoint, best = (find(Cline(threshold=t), node) for t in ("midpoint", "best"))
        assert best.score >= node.score(midpoint) - 1e-12


def test_every_pair_of_classes_proposes() -> None:
    """Three corners: the planes between two of them leave the third to one side."""
    rng = np.random.default_rng(2)
    y = np.repeat([0, 1, 2], 50)
    X = np.array([[0.0, 0.0], [8.0, 0.0], [0.0, 8.0]])[y] + rng.normal(size=(150, 2))
    tree = ObliqueDecisionTreeClassifier(Cline()).fit(X, y)
    assert tree.score(X, y) == 1.0 and tree.get_n_leaves() == 3
