"""Scores and impurities of the core against their definitions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from oracles import criterion
from oracles.criterion import CRITERIA
from oracles.problems import class_weights, examples

from aslant import _core


@st.composite
def children(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray]:
    n_classes = draw(st.integers(2, 6))
    weights = st.lists(class_weights, min_size=n_classes, max_size=n_classes)
    return np.array(draw(weights)), np.array(draw(weights))


@pytest.mark.parametrize("name", CRITERIA)
@examples(150)
@given(split=children())
def test_score_follows_its_definition(name: str, split: tuple[np.ndarray, np.ndarray]) -> None:
    expected = criterion.score(*split, name)
    assert _core.score(*split, name) == pytest.approx(expected, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("name", CRITERIA)
@examples(100)
@given(split=children())
def test_impurity_follows_its_definition(name: str, split: tuple[np.ndarray, np.ndarray]) -> None:
    for weights in (*split, split[0] + split[1]):
        expected = criterion.impurity(weights, name)
        assert _core.impurity(weights, name) == pytest.approx(expected, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("name", CRITERIA)
@pytest.mark.parametrize("seed", range(5))
def test_arbitrary_real_weights(name: str, seed: int) -> None:
    """Weights over several orders of magnitude, none of them a round number."""
    rng = np.random.default_rng(seed)
    left, right = np.exp(rng.normal(0.0, 4.0, (2, 2 + seed)))
    assert _core.score(left, right, name) == pytest.approx(
        criterion.score(left, right, name), rel=1e-9, abs=1e-12
    )
    assert _core.impurity(left, name) == pytest.approx(criterion.impurity(left, name), rel=1e-9)


@pytest.mark.parametrize("n_left", range(1, 100))
def test_sum_minority_cannot_see_a_class_enclosed_by_a_larger_one(n_left: int) -> None:
    """Along one feature stand 50 rows of class 1, 24 of class 2 and 26 of class 1.

    Wherever one cuts, the minority rows number 24, as many as before: nothing is gained. (Murthy et
    al. 1994, on where Sum Minority fails.)
    """
    y = np.repeat([0, 1, 0], [50, 24, 26])
    left, right = (
        np.bincount(side, minlength=2).astype(float) for side in (y[:n_left], y[n_left:])
    )
    assert criterion.minority(left) + criterion.minority(right) == 24
    assert _core.score(left, right, "sum_minority") == 0.0


@examples(100)
@given(left=st.tuples(class_weights, class_weights), right=st.tuples(class_weights, class_weights))
def test_twoing_is_twice_the_gini_gain_for_two_classes(
    left: tuple[float, float], right: tuple[float, float]
) -> None:
    assume(sum(left) > 0 and sum(right) > 0)
    children = np.array(left), np.array(right)
    gain = _core.score(*children, "gini")
    assert _core.score(*children, "twoing") == pytest.approx(2 * gain, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("name", CRITERIA)
@pytest.mark.parametrize("n_classes", [2, 3, 6])
def test_a_pure_node_has_no_impurity_and_nothing_to_gain(name: str, n_classes: int) -> None:
    for pure_class in range(n_classes):
        weights = np.zeros(n_classes)
        weights[pure_class] = 0.7
        assert _core.impurity(weights, name) == 0.0
        assert _core.score(weights, 3 * weights, name) == pytest.approx(0.0, abs=1e-15)


@pytest.mark.parametrize("name", CRITERIA)
def test_an_empty_child_gains_nothing(name: str) -> None:
    node, empty = np.array([3.0, 2.0, 2.0]), np.zeros(3)
    assert _core.score(node, empty, name) == pytest.approx(0.0, abs=1e-15)
    assert _core.score(empty, node, name) == pytest.approx(0.0, abs=1e-15)
    assert _core.score(empty, empty, name) == 0.0
    assert _core.impurity(empty, name) == 0.0


@pytest.mark.parametrize("name", CRITERIA)
@examples(50)
@given(split=children())
def test_exchanging_the_children_changes_nothing(
    name: str, split: tuple[np.ndarray, np.ndarray]
) -> None:
    left, right = split
    forth, back = _core.score(left, right, name), _core.score(right, left, name)
    assert forth == pytest.approx(back, rel=1e-9, abs=1e-12)
