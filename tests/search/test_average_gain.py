"""Gain ratio among tests of at least average gain."""

from __future__ import annotations

import numpy as np
import pytest
from search.nodes import blobs, find, make_node

from aslant import LTUTreeClassifier
from aslant.search import AverageGain, AxisParallel, HyperplaneSplit, SplitSearch, ThresholdUnit


def plane(search: SplitSearch, node: object) -> HyperplaneSplit:
    split = find(search, node)
    assert isinstance(split, HyperplaneSplit)
    return split


def entropy(y: np.ndarray) -> float:
    share = np.unique(y, return_counts=True)[1] / len(y)
    return float(-(share * np.log2(share)).sum())


def best_by_hand(X: np.ndarray, y: np.ndarray) -> tuple[int, float]:
    """Return feature and gain ratio of the best test: one threshold a feature, by gain."""
    tests = []
    for x in X.T:
        best = (0.0, 0.0)
        for threshold in np.unique(x)[:-1]:
            left = x <= threshold
            share = left.mean()
            gain = entropy(y) - share * entropy(y[left]) - (1 - share) * entropy(y[~left])
            if gain > best[0]:
                best = (gain, gain / entropy(left))
        tests.append(best)
    gains, ratios = np.array(tests).T
    ratios[gains < gains[gains > 0].mean() - 1e-5] = 0.0
    return int(ratios.argmax()), float(ratios.max())


def test_it_chooses_what_a_slow_search_chooses() -> None:
    for seed in range(12):
        X, y = blobs(seed, n=60)
        node = make_node(X, y, criterion="gain_ratio")
        split = plane(AverageGain(), node)
        feature, ratio = best_by_hand(X, y)
        assert np.flatnonzero(split.coef).tolist() == [feature]
        assert split.score == pytest.approx(ratio)


def test_a_test_that_cuts_off_one_row_does_not_win() -> None:
    """The gain ratio alone prefers it; its gain is below the average."""
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 50)
    good = y + rng.normal(0, 0.9, 100)
    X = np.column_stack([good, np.where(np.arange(100) == 0, 1.0, 0.0)])
    node = make_node(X, y, criterion="gain_ratio")
    assert np.flatnonzero(plane(AverageGain(), node).coef).tolist() == [0]
    alone = plane(AxisParallel(), node)
    assert alone.score > plane(AverageGain(), node).score


def test_the_test_of_another_search_is_one_more_test() -> None:
    rng = np.random.default_rng(1)
    X = rng.normal(size=(200, 3))
    y = X @ [1.0, -1.0, 1.0] > 0
    node = make_node(X, y, criterion="gain_ratio")
    both = plane(AverageGain([ThresholdUnit()]), node)
    assert np.count_nonzero(both.coef) == 3
    assert both.score == pytest.approx(node.score(both))
    assert np.count_nonzero(plane(AverageGain(), node).coef) == 1


def test_univariate_tests_compete_by_it_under_gain_ratio_alone() -> None:
    for criterion, name in (("gain_ratio", "AverageGain"), ("gini", "BestOf")):
        tree = LTUTreeClassifier(univariate=True, criterion=criterion)
        assert type(tree._make_search()).__name__ == name


def test_wrong_searches_are_refused() -> None:
    with pytest.raises(TypeError, match="searches must be a list of searches, got 'oc1'"):
        AverageGain("oc1").core()  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="each of searches must be a search"):
        AverageGain([3]).core()  # type: ignore[list-item]
