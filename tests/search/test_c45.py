"""C4.5's choice of a test, against a trial of every threshold written down from Quinlan's books."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray
from search.nodes import blobs, children, find, make_node

from aslant import C45Classifier, ObliqueDecisionTreeClassifier
from aslant.search import C45, HyperplaneSplit, LinearMachineSplit

Vector = NDArray[np.float64]


def entropy(weights: Vector) -> float:
    share = weights[weights > 0] / weights.sum()
    return float(-(share * np.log2(share)).sum())


def by_class(y: Vector, weight: Vector) -> Vector:
    return np.bincount(y, weight, minlength=int(y.max()) + 1)


def threshold_tests(
    X: Vector, y: Vector, weight: Vector, cost: bool
) -> list[tuple[float, float, int, float]]:
    """Return (gain, gain ratio, column, threshold) of the best threshold of every column."""
    n, classes = weight.sum(), len(np.unique(y))
    least = max(2.0, min(25.0, 0.1 * n / classes))
    found = []
    for column, x in enumerate(X.T):
        values = np.unique(x)
        best: tuple[float, float, int, float] | None = None
        for low, high in pairwise(values):
            inside = x <= low
            sizes = np.array([weight[inside].sum(), weight[~inside].sum()])
            if sizes.min() < least:
                continue
            after = sum(
                size / n * entropy(by_class(y[side], weight[side]))
                for size, side in zip(sizes, (inside, ~inside), strict=True)
            )
            gain = entropy(by_class(y, weight)) - after
            if best is None or gain > best[0] + 1e-12:
                best = (gain, entropy(sizes), column, (low + high) / 2.0)
        if best is not None:
            gain = best[0] - (np.log2(len(values) - 1) / n if cost else 0.0)
            found.append((gain, gain / best[1], *best[2:]))
    return found


@pytest.mark.parametrize("cost", [True, False])
@pytest.mark.parametrize("seed", range(8))
def test_highest_gain_ratio_among_the_tests_of_average_gain(seed: int, cost: bool) -> None:
    X, y = blobs(seed, n=70, n_classes=2 + seed % 3)
    X = X.round(1)
    weight = np.random.default_rng(seed).integers(1, 9, len(y)) / 4.0
    tests = [t for t in threshold_tests(X, y, weight, cost) if t[0] > 0.0]
    average = np.mean([gain for gain, *_ in tests])
    _, ratio, column, threshold = max(
        (t for t in tests if t[0] >= average - 1e-5), key=lambda t: t[1]
    )
    node = make_node(X, y, weight=weight, criterion="gain_ratio")
    split = find(C45(threshold_cost=cost), node)
    assert isinstance(split, HyperplaneSplit)
    assert np.flatnonzero(split.coef).tolist() == [column]
    assert split.threshold == pytest.approx(threshold, abs=1e-12)
    if not cost:
        assert split.score == pytest.approx(ratio, rel=1e-9)


def test_the_average_gain_excludes_a_tiny_but_pure_branch() -> None:
    """One pure row of sixty has the better ratio, but next to no gain."""
    n = 60
    y = np.repeat([0, 1], n // 2)
    useful = np.where(np.arange(n) % 6 == 0, 1 - y, y) + np.linspace(0.0, 0.3, n)
    rare = (np.arange(n) < 2).astype(float)
    node = make_node(np.column_stack([rare, useful]), y, criterion="gain_ratio")
    split = find(C45(min_samples_branch=1, threshold_cost=False), node)
    assert isinstance(split, HyperplaneSplit)
    assert np.flatnonzero(split.coef).tolist() == [1]


def test_one_branch_for_each_level_that_occurs() -> None:
    codes = np.repeat([0, 2, 3], [4, 5, 6]).astype(float)
    y = np.repeat([0, 1, 2], [4, 5, 6])
    node = make_node(codes[:, None], y, levels={0: 5}, criterion="gain_ratio")
    split = find(C45(), node)
    assert isinstance(split, LinearMachineSplit)
    assert children(node, split).tolist() == y.tolist()
    assert split.score == pytest.approx(1.0)


def test_at_least_two_branches_hold_the_minimum_of_cases() -> None:
    codes = np.repeat([0, 1, 2], [12, 1, 1]).astype(float)
    y = np.repeat([0, 1, 1], [12, 1, 1])
    node = make_node(codes[:, None], y, levels={0: 3}, criterion="gain_ratio")
    assert find(C45(min_samples_branch=2), node) is None
    assert isinstance(find(C45(min_samples_branch=1), node), LinearMachineSplit)


def test_missing_and_unseen_levels_go_with_the_most_frequent() -> None:
    colours = np.array([["red"]] * 6 + [["blue"]] * 8 + [["green"]] * 5, dtype=object)
    y = [0] * 6 + [1] * 8 + [2] * 5
    model = C45Classifier(categorical_features=[0], pruning=None).fit(colours, y)
    assert model.tree_.children.shape[1] == 3
    asked = [["red"], ["green"], [None], ["violet"]]
    assert model.predict(asked).tolist() == [0, 2, 1, 1]


def test_the_cost_of_the_choice_can_forbid_a_threshold() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(30, 1)), rng.integers(0, 2, 30)
    node = make_node(X, y, criterion="gain_ratio")
    assert find(C45(), node) is None
    assert find(C45(threshold_cost=False), node) is not None


def test_only_its_own_criterion() -> None:
    X, y = blobs(0)
    with pytest.raises(ValueError, match="C45 works with criterion 'gain_ratio' only"):
        ObliqueDecisionTreeClassifier("c45", criterion="gini").fit(X, y)


@pytest.mark.parametrize(("first", "found"), [(24, False), (25, True), (30, True)])
def test_a_branch_needs_no_more_than_25_cases(first: int, found: bool) -> None:
    """A tenth of the mean class size would be 50 of these thousand rows."""
    x = np.arange(1000.0)[:, np.newaxis]
    y = np.r_[np.zeros(first), np.ones(500), np.zeros(500 - first)].astype(int)
    y[first:] = np.random.default_rng(0).permutation(y[first:])
    split = find(C45(threshold_cost=False), make_node(x, y, criterion="gain_ratio"))
    assert isinstance(split, HyperplaneSplit)
    assert (split.threshold == first - 0.5) == found
