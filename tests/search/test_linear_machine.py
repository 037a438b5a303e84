"""Linear machines and threshold units as tests of a tree."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from search.nodes import blobs, branches, children, find, make_node

from aslant import LMDTClassifier
from aslant.search import (
    CARTLC,
    HyperplaneSplit,
    LinearMachine,
    LinearMachineSplit,
    SplitSearch,
    Standardize,
    Thermal,
    ThresholdUnit,
)

LEARNERS = ("rls", "pocket", "thermal")
every_learner = pytest.mark.parametrize("learner", LEARNERS)


def corners(n_each: int = 20, n_classes: int = 4, seed: int = 0) -> tuple[Any, Any]:
    """Return classes around the corners of a polygon, which a machine separates."""
    rng = np.random.default_rng(seed)
    y = np.repeat(np.arange(n_classes), n_each)
    angle = 2.0 * np.pi * y / n_classes
    centre = 8.0 * np.column_stack([np.cos(angle), np.sin(angle)])
    return centre + rng.normal(size=centre.shape).clip(-2.0, 2.0), y


# ---------------------------------------------------------------------- branches


@every_learner
def test_a_branch_for_every_class_in_the_order_of_the_classes(learner: str) -> None:
    X, y = corners()
    split = find(LinearMachine(learner=learner), make_node(X, y))
    assert isinstance(split, LinearMachineSplit)
    assert np.array_equal(children(make_node(X, y), split), y)


@every_learner
def test_classes_that_are_absent_have_no_branch(learner: str) -> None:
    X, y = corners(n_classes=3)
    absent = np.array([1, 4, 6])[y]
    node = make_node(X, absent, n_classes=9)
    split = find(LinearMachine(learner=learner), node)
    assert branches(split).shape[0] == 3
    assert np.array_equal(children(node, split), y)


@every_learner
def test_a_machine_of_two_classes_is_a_threshold_unit(learner: str) -> None:
    """Child 0 of a machine has the smaller class, that of a unit the heavier one."""
    for seed in range(5):
        X, y = blobs(seed, n_classes=2)
        node = make_node(X, y)
        machine = find(LinearMachine(learner=learner), node, seed)
        unit = find(ThresholdUnit(learner=learner), node, seed)
        assert isinstance(machine, HyperplaneSplit)
        sign = 1.0 if np.bincount(y).argmax() == 0 else -1.0
        np.testing.assert_array_equal(branches(machine), sign * branches(unit))
        assert machine.score == unit.score


def in_the_midst_of_another_class() -> tuple[Any, Any]:
    """Return three classes, the last of which no linear test can reach."""
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(-3.0, 1.0, (40, 2)), rng.normal(3.0, 1.0, (40, 2))])
    inside = np.tile([[3.0, 3.0]], (2, 1))
    return np.concatenate([X, inside]), np.repeat([0, 1, 2], [40, 40, 2])


def test_a_branch_that_no_row_takes_is_left_out() -> None:
    X, y = in_the_midst_of_another_class()
    node = make_node(X, y)
    split = find(LinearMachine(learner="rls"), node)
    assert isinstance(split, HyperplaneSplit)
    assert np.array_equal(children(node, split), y >= 1)


def test_a_branch_that_no_row_takes_can_be_kept() -> None:
    """It is a leaf without rows that predicts what its node does."""
    X, y = in_the_midst_of_another_class()
    node = make_node(X, y)
    kept = find(LinearMachine(learner="rls", keep_empty=True), node)
    assert branches(kept).shape[0] == 3
    assert np.array_equal(children(node, kept), y >= 1)
    assert kept.score == pytest.approx(find(LinearMachine(learner="rls"), node).score)
    settings = {"learner": "rls", "selection": None, "pruning": None, "max_depth": 1}
    tree = LMDTClassifier(keep_empty=True, **settings).fit(X, y).tree_
    assert tree.n_leaves == 3
    assert tree.n_node_samples.tolist() == [82, 40, 42, 0]
    shares = tree.value / tree.value.sum(axis=1, keepdims=True)
    np.testing.assert_array_equal(shares[3], shares[0])
    assert LMDTClassifier(**settings).fit(X, y).tree_.n_leaves == 2


@pytest.mark.parametrize("learner", ["pocket", "thermal"])
@pytest.mark.parametrize("least", [{"min_rows": 6}, {"min_weight": 6.0}], ids=str)
def test_rows_of_a_branch_that_is_too_small_go_to_the_next_best(
    learner: str, least: dict[str, Any]
) -> None:
    X, y = corners()
    few = np.flatnonzero((y != 2) | (np.arange(len(y)) % 4 == 0))  # five of class 2
    X, y = X[few], y[few]
    assert len(branches(find(LinearMachine(learner=learner), make_node(X, y)))) == 4
    node = make_node(X, y, **least)
    split = find(LinearMachine(learner=learner), node)
    reached = children(node, split)
    assert len(branches(split)) == 3
    assert np.bincount(reached).min() >= 6
    assert np.array_equal(reached[y != 2], np.array([0, 1, -1, 2])[y[y != 2]])


def test_a_small_branch_goes_even_if_it_is_not_the_lightest() -> None:
    """One heavy row of class 1 is too few rows; class 0 weighs less, but has enough of them."""
    X, y = corners(n_classes=3)
    kept = np.flatnonzero((y != 1) | (np.arange(len(y)) == 20))
    X, y = X[kept], y[kept]
    weight = np.where(y == 1, 100.0, 1.0)
    node = make_node(X, y, weight=weight, min_rows=2)
    split = find(LinearMachine(learner="rls"), node)
    assert np.array_equal(children(node, split)[y != 1], y[y != 1] // 2)


# ---------------------------------------------------------------------- threshold units


def on_a_line(*clusters: tuple[float, int]) -> tuple[Any, Any]:
    """Return a class for each (place, number of rows), with a little noise."""
    rng = np.random.default_rng(0)
    y = np.concatenate([np.full(n, k) for k, (_, n) in enumerate(clusters)])
    place = np.array([place for place, _ in clusters])[y]
    return np.column_stack([place + 0.1 * rng.normal(size=len(y)), rng.normal(size=len(y))]), y


@every_learner
@pytest.mark.parametrize(
    ("clusters", "together"),
    [
        ([(0.0, 20), (2.0, 20), (9.0, 20)], [[0, 1], [2]]),
        ([(0.0, 20), (7.0, 20), (9.0, 20)], [[0], [1, 2]]),
        ([(5.0, 20), (0.0, 20), (6.0, 20), (1.0, 20)], [[0, 2], [1, 3]]),
    ],
)
def test_several_classes_are_joined_into_two_groups(
    learner: str, clusters: list[tuple[float, int]], together: list[list[int]]
) -> None:
    """Those that are near each other."""
    X, y = on_a_line(*clusters)
    node = make_node(X, y)
    split = find(ThresholdUnit(learner=learner), node)
    assert isinstance(split, HyperplaneSplit)
    reached = children(node, split)
    groups = [sorted(set(y[reached == child].tolist())) for child in (0, 1)]
    assert sorted(groups) == together


def test_a_class_with_one_stray_row_does_not_become_a_group_of_its_own() -> None:
    """It is the farthest from the first class, but hardly anything weighs there."""
    X, y = on_a_line((0.0, 50), (4.0, 50), (10.0, 1))
    node = make_node(X, y)
    assert np.array_equal(children(node, find(ThresholdUnit(), node)), y > 0)


def test_explicit_reduction_of_impurity_is_that_of_cart_with_linear_combinations() -> None:
    X, y = blobs(1, n_classes=3)
    node = make_node(X, y)
    plain = find(CARTLC(normalize=True, univariate=False), node)
    assert np.array_equal(branches(find(ThresholdUnit(learner="cart"), node)), branches(plain))


# ---------------------------------------------------------------------- what a learner sees


class Seen(SplitSearch):
    """Keeps the columns it was shown."""

    def find(self, node: Any, rng: Any) -> None:
        self.columns = node.X.copy()


def shown(*args: Any, **options: Any) -> Any:
    inner = Seen()
    find(Standardize(inner), make_node(*args, **options))
    return inner.columns


def test_missing_values_are_the_mean_and_do_not_count_for_the_deviation() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(5.0, 3.0, (60, 2))
    X[::3, 0] = np.nan
    columns = shown(X, np.arange(60) % 2)
    present = ~np.isnan(X[:, 0])
    np.testing.assert_allclose(columns[~present, 0], 0.0, atol=1e-15)
    assert columns[present, 0].std() == pytest.approx(1.0)
    assert columns[present, 0].mean() == pytest.approx(0.0, abs=1e-14)
    assert columns[:, 1].std() == pytest.approx(1.0)


def test_missing_categories_are_the_mean_and_do_not_count_for_the_deviation() -> None:
    rng = np.random.default_rng(0)
    X = rng.integers(0, 3, (60, 1)).astype(float)
    X[::4] = np.nan
    columns = shown(X, np.arange(60) % 2, levels={0: 3})
    present = ~np.isnan(X[:, 0])
    np.testing.assert_allclose(columns[~present], 0.0, atol=1e-15)
    np.testing.assert_allclose(columns[present].std(axis=0), 1.0)


def test_two_levels_are_one_column() -> None:
    X = np.tile([[0.0], [1.0], [1.0]], (20, 1))
    columns = shown(X, np.arange(60) % 2, levels={0: 2})
    assert columns[:, 0].std() == pytest.approx(1.0)
    assert not columns[:, 1].any()


@every_learner
@pytest.mark.parametrize("n_levels", [2, 3])
def test_levels_are_plus_and_minus_one(learner: str, n_levels: int) -> None:
    """As the paper encodes them: two levels by one column, more by a column each."""
    rng = np.random.default_rng(n_levels)
    code = rng.integers(0, n_levels, 80)
    number = rng.normal(size=80)
    y = (number + 1.5 * (code == 1) + 0.3 * rng.normal(size=80) > 0.7).astype(int)
    encoded = [np.where(code == level, 1.0, -1.0) for level in range(n_levels)]
    by_hand = make_node(np.column_stack([number, *encoded[: 1 if n_levels == 2 else None]]), y)
    node = make_node(np.column_stack([number, code]), y, levels={1: n_levels})
    # Long training makes what rounding tells them apart another test.
    search = ThresholdUnit(learner=Thermal(rate=0.7) if learner == "thermal" else learner)
    split = find(search, node)
    assert np.array_equal(children(node, split), children(by_hand, find(search, by_hand)))
    if n_levels == 2:
        assert split.coef[2] == 0.0
