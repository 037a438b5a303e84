"""Tests of one feature: thresholds and sets of levels."""

from __future__ import annotations

import numpy as np
import pytest
from search.nodes import blobs, children, find, make_node

from aslant import CARTClassifier
from aslant.search import AxisParallel, HyperplaneSplit
from aslant.search.base import CRITERIA


def plane(node: object) -> HyperplaneSplit:
    split = find(AxisParallel(), node)
    assert isinstance(split, HyperplaneSplit)
    return split


@pytest.mark.parametrize("criterion", CRITERIA)
def test_it_is_the_best_of_the_lines_along_the_axes(criterion: str) -> None:
    for seed in range(5):
        X, y = blobs(seed, n_classes=2 + seed % 3)
        node = make_node(X, y, criterion=criterion)
        split, along = plane(node), node.best_along(np.eye(X.shape[1]))
        assert split.score == pytest.approx(along.score, rel=1e-12)
        assert np.array_equal(split.coef, along.coef)
        assert split.threshold == along.threshold


def test_the_threshold_lies_halfway_between_two_rows() -> None:
    split = plane(make_node([[1.0], [2.0], [5.0], [9.0]], [0, 0, 1, 1]))
    assert split.coef.tolist() == [1.0]
    assert split.threshold == 3.5
    assert split.fill.tolist() == [4.25]


def test_neighbouring_numbers_are_told_apart() -> None:
    """No double lies between them, so the threshold is the lower one."""
    high = np.nextafter(1.0, 2.0)
    split = plane(make_node([[1.0], [high]], [0, 1]))
    assert split.threshold == 1.0


def test_only_the_order_of_a_feature_counts() -> None:
    X, y = blobs(1)
    node, stretched = make_node(X, y), make_node(np.exp(3.0 * X), y)
    assert np.array_equal(children(node, plane(node)), children(stretched, plane(stretched)))


def test_two_classes_get_the_best_of_all_sets_of_levels() -> None:
    codes = np.repeat(np.arange(4), 5).astype(float)
    y = np.array([0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 1, 0, 1, 1, 1, 1, 0])
    node = make_node(codes[:, None], y, levels={0: 4})
    split = plane(node)
    together = {tuple(np.unique(codes[children(node, split) == side])) for side in (0, 1)}
    assert together == {(0.0, 2.0), (1.0, 3.0)}


def test_a_test_names_the_smaller_set_of_levels() -> None:
    codes = np.repeat(np.arange(5), 4).astype(float)
    y = (codes == 3).astype(int)
    split = plane(make_node(codes[:, None], y, levels={0: 5}))
    assert np.flatnonzero(split.coef).tolist() == [3]


def test_a_missing_level_goes_where_most_rows_go() -> None:
    colours = np.array(["red"] * 6 + ["blue"] * 3 + [None], dtype=object)[:, None]
    y = [1] * 6 + [0] * 3 + [1]
    model = CARTClassifier(categorical_features=[0]).fit(colours, y)
    assert model.predict([[None], ["red"], ["blue"], ["never seen"]]).tolist() == [1, 1, 0, 1]


def test_nothing_to_split() -> None:
    assert find(AxisParallel(), make_node([[1.0, 2.0]] * 4, [0, 1, 0, 1])) is None
    assert find(AxisParallel(), make_node([[1.0]] * 3, [0, 1, 1], levels={0: 2})) is None


def test_a_column_that_says_nothing_is_still_followed_by_gini() -> None:
    """The exclusive or has no gain at the root, and two perfect splits below it."""
    X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]] * 3)
    y = X[:, 0] != X[:, 1]
    assert CARTClassifier().fit(X, y).score(X, y) == 1.0
    assert CARTClassifier(criterion="twoing").fit(X, y).get_n_leaves() == 1
