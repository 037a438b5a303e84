"""Any search in standardised units."""

from __future__ import annotations

import numpy as np
import pytest
from search.nodes import blobs, children, find, make_node

from aslant import ObliqueDecisionTreeClassifier
from aslant.search import (
    OC1,
    AxisParallel,
    HyperplaneSplit,
    LinearMachineSplit,
    SplitSearch,
    Standardize,
)


class Seen(SplitSearch):
    """Keeps the columns it was shown; returns what it was told to."""

    def __init__(self, answer: object = None) -> None:
        self.answer = answer

    def find(self, node, rng):
        self.columns = node.X.copy()
        return self.answer


def test_the_inner_search_sees_mean_0_and_deviation_1() -> None:
    X, y = blobs(0)
    X = X * [1.0, 1e6, 1e-6, 3.0] + [0.0, 1e7, 5.0, -2.0]
    X[:, 3] = 4.5
    weight = np.random.default_rng(0).integers(1, 9, len(y)) / 4.0
    inner = Seen()
    assert find(Standardize(inner), make_node(X, y, weight=weight)) is None
    mean = np.average(inner.columns, axis=0, weights=weight)
    variance = np.average(inner.columns**2, axis=0, weights=weight)
    np.testing.assert_allclose(mean, 0.0, atol=1e-8)
    np.testing.assert_allclose(variance, [1.0, 1.0, 1.0, 0.0], rtol=1e-8)


@pytest.mark.parametrize("weighted", [False, True])
def test_levels_are_shown_as_their_indicators_would_be(weighted: bool) -> None:
    """The last level has no row; missing rows stand at the mean and do not count."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 4, (90, 2)).astype(float)
    X[rng.random(X.shape) < 0.2] = np.nan
    y, weight = rng.integers(0, 2, 90), rng.random(90) if weighted else None
    indicators = [np.where(np.isnan(x), np.nan, x == level) for x in X.T for level in range(5)]
    by_level, by_hand = Seen(), Seen()
    find(Standardize(by_level), make_node(X, y, levels={0: 5, 1: 5}, weight=weight))
    find(Standardize(by_hand), make_node(np.column_stack(indicators), y, weight=weight))
    np.testing.assert_array_equal(by_level.columns, by_hand.columns)
    assert by_level.columns[:, :4].any(axis=0).all()
    assert not by_level.columns[:, 4].any()


def test_one_level_and_missing_values_are_a_constant() -> None:
    """However the weights add up."""
    for seed in range(200):
        rng = np.random.default_rng(seed)
        X = np.column_stack([np.where(rng.random(40) < 0.3, np.nan, 1.0), rng.normal(size=40)])
        inner = Seen()
        node = make_node(X, np.arange(40) % 2, levels={0: 3}, weight=rng.random(40))
        find(Standardize(inner), node)
        assert not inner.columns[:, :3].any()
        assert inner.columns[:, 3].any()


def test_a_hyperplane_returns_in_the_units_of_the_input() -> None:
    X, y = blobs(1)
    X = X * [1.0, 1e3, 1e-3, 7.0] + [0.0, 50.0, 5.0, -2.0]
    inner = Seen(HyperplaneSplit(np.array([1.0, -0.5, 2.0, 0.0]), 0.25))
    node = make_node(X, y)
    split = find(Standardize(inner), node)
    assert isinstance(split, HyperplaneSplit)
    expected = inner.columns @ inner.answer.coef > 0.25
    assert np.array_equal(children(node, split), expected)
    assert split.coef[3] == 0.0


def test_a_linear_machine_returns_in_the_units_of_the_input() -> None:
    X, y = blobs(2)
    X = X * [1.0, 1e3, 1e-3, 7.0] + [0.0, 50.0, 5.0, -2.0]
    machine = LinearMachineSplit(np.random.default_rng(0).normal(size=(3, 4)), np.arange(3) / 9.0)
    inner = Seen(machine)
    node = make_node(X, y)
    split = find(Standardize(inner), node)
    assert isinstance(split, LinearMachineSplit)
    expected = np.argmax(inner.columns @ machine.weights.T + machine.bias, axis=1)
    assert np.array_equal(children(node, split), expected)


@pytest.mark.parametrize("shift", [0.0, 1e4, 1e8])
def test_units_of_the_features_do_not_matter(shift: float) -> None:
    """Powers of two and a common shift leave OC1 with the same problem but for rounding."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 4))
    y = (X.sum(axis=1) > 0.0).astype(int)
    changed = X * [2.0**30, 1.0, 2.0**-30, 4.0] + shift * np.array([2.0**30, 1.0, 2.0**-30, 4.0])
    for data in (X, changed):
        model = ObliqueDecisionTreeClassifier(Standardize(OC1()), random_state=0).fit(data, y)
        assert model.get_n_leaves() <= 3
        assert model.score(data, y) == 1.0


def test_axis_parallel_tests_stay_axis_parallel() -> None:
    X, y = blobs(3)
    node = make_node(X, y)
    split, plain = find(Standardize(AxisParallel()), node), find(AxisParallel(), node)
    assert isinstance(split, HyperplaneSplit)
    assert np.count_nonzero(split.coef) == 1
    assert np.array_equal(children(node, split), children(node, plain))


def test_its_criteria_are_those_of_the_inner_search() -> None:
    assert Standardize(OC1()).default_criterion == "twoing"
    assert Standardize(AxisParallel()).default_criterion == "gini"
