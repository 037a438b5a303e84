"""The objective of the joint fit and its gradient, beside a slow twin and finite differences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from oracles import soft_tree as oracle

from aslant import _core

CHILDREN = {
    "a test": [[1, 2], [-1, -1], [-1, -1]],
    "a chain": [[1, 2], [-1, -1], [3, 4], [-1, -1], [5, 6], [-1, -1], [-1, -1]],
    "a bush": [[1, 4], [2, 3], [-1, -1], [-1, -1], [5, 6], [-1, -1], [-1, -1]],
}
SHAPES = pytest.mark.parametrize("shape", list(CHILDREN))


@dataclass
class Problem:
    """Rows with the leaves they are in, of a tree without tests: only its shape counts."""

    Z: NDArray[np.float64]
    y: NDArray[np.int32]
    weight: NDArray[np.float64]
    leaf: NDArray[np.int32]
    children: NDArray[np.int32]
    n_classes: int = 3

    def core(self, **changed: Any) -> _core.SoftTree:
        inner = int((self.children[:, 0] >= 0).sum())
        fill = np.full((inner, self.Z.shape[1]), np.nan)
        return _core.SoftTree(**{**vars(self), "fill": fill, "fill_with_zero": False, **changed})


def problem(shape: str, *, n: int = 37, d: int = 3, missing: bool = False) -> Problem:
    rng = np.random.default_rng(len(shape))
    children = np.array(CHILDREN[shape], dtype=np.int32)
    Z = rng.normal(size=(n, d))
    if missing:
        Z[rng.random((n, d)) < 0.2] = np.nan
    return Problem(
        Z,
        rng.integers(0, 3, n).astype(np.int32),
        rng.integers(1, 4, n).astype(float),
        rng.choice(np.flatnonzero(children[:, 0] < 0), n).astype(np.int32),
        children,
    )


def parameters_of(core: _core.SoftTree, size: float = 0.7) -> NDArray[np.float64]:
    return np.random.default_rng(5).normal(size=core.n_parameters) * size


@SHAPES
@pytest.mark.parametrize("missing", [False, True])
def test_objective_is_that_of_the_formulas(shape: str, missing: bool) -> None:
    given = problem(shape, missing=missing)
    parameters = parameters_of(given.core())
    for l2 in (0.0, 2.5):
        ours, _ = given.core().evaluate(parameters, l2)
        theirs = oracle.objective(parameters, l2, **vars(given))
        assert ours == pytest.approx(theirs, rel=1e-6)


@SHAPES
@pytest.mark.parametrize("missing", [False, True])
def test_gradient_is_the_slope_of_the_formulas(shape: str, missing: bool) -> None:
    given = problem(shape, missing=missing)
    parameters = parameters_of(given.core())
    _, gradient = given.core().evaluate(parameters, 1.3)
    step = 1e-5
    for i in range(len(parameters)):
        moved = np.zeros_like(parameters)
        moved[i] = step
        above = oracle.objective(parameters + moved, 1.3, **vars(given))
        below = oracle.objective(parameters - moved, 1.3, **vars(given))
        assert gradient[i] == pytest.approx((above - below) / (2 * step), rel=1e-5, abs=1e-5)


def test_gradient_is_the_slope_of_the_objective() -> None:
    core = problem("a bush", missing=True).core()
    parameters = parameters_of(core)
    _, gradient = core.evaluate(parameters, 1.3)
    step = 1e-2  # single precision sees no smaller one
    for i in range(len(parameters)):
        moved = np.zeros_like(parameters)
        moved[i] = step
        above, below = (core.evaluate(parameters + sign * moved, 1.3)[0] for sign in (1, -1))
        assert gradient[i] == pytest.approx((above - below) / (2 * step), rel=1e-2, abs=1e-2)


def test_many_rows_are_the_sum_of_few() -> None:
    few = problem("a bush", missing=True)
    times = 300  # more blocks than single precision may add up
    many = Problem(
        np.tile(few.Z, (times, 1)),
        np.tile(few.y, times),
        np.tile(few.weight, times),
        np.tile(few.leaf, times),
        few.children,
    )
    parameters = parameters_of(few.core())
    nothing = Problem(few.Z, few.y, 0.0 * few.weight, few.leaf, few.children)
    penalty, penalty_slope = nothing.core().evaluate(parameters, 0.0)
    one, one_slope = few.core().evaluate(parameters, 0.0)
    all_, all_slope = many.core().evaluate(parameters, 0.0)
    assert all_ - penalty == pytest.approx(times * (one - penalty), rel=1e-6)
    expected = times * (one_slope - penalty_slope)
    assert all_slope - penalty_slope == pytest.approx(expected, rel=1e-5, abs=1e-4 * times)


@pytest.mark.parametrize("weights", [np.ones(37), 2.5 * np.ones(37)])
def test_equal_weights(weights: NDArray[np.float64]) -> None:
    given = problem("a chain")
    given.weight = weights
    parameters = parameters_of(given.core())
    ours, _ = given.core().evaluate(parameters, 0.0)
    assert ours == pytest.approx(oracle.objective(parameters, 0.0, **vars(given)), rel=1e-6)


@pytest.mark.parametrize("missing", [False, True])
def test_coefficients_that_stay_zero_are_not_read(missing: bool) -> None:
    given = problem("a bush", missing=missing)
    core = given.core()
    start = parameters_of(core)
    unread = np.zeros(core.n_parameters, dtype=bool)
    unread[[1, 4, 5, 6]] = True  # a column of the first node; all of the second
    start[unread] = 0.0
    fitted, value, _ = core.minimise(
        start,
        l2=0.1,
        l1=np.zeros(0),
        sign=np.zeros(0, dtype=np.int32),
        fixed=unread,
        max_iterations=30,
        tolerance=0.0,
        progress=None,
    )
    assert (fitted[unread] == 0.0).all()
    again, slope = given.core().evaluate(fitted, 0.1)
    assert value == pytest.approx(again, rel=1e-6)
    assert np.abs(slope[~unread]).max() < 0.2 < np.abs(slope[unread]).max()


def test_only_leaves_are_fitted() -> None:
    given = problem("a bush")
    core = given.core()
    start = parameters_of(core)
    gates = np.arange(core.n_parameters) < 12
    fitted, _, _ = core.minimise(
        start,
        l2=0.0,
        l1=np.zeros(0),
        sign=np.zeros(0, dtype=np.int32),
        fixed=gates,
        max_iterations=200,
        tolerance=0.0,
        progress=None,
    )
    assert np.array_equal(fitted[gates], start[gates])
    _, slope = given.core().evaluate(fitted, 0.0)
    assert slope[~gates] == pytest.approx(np.zeros(12), abs=0.02)


def test_missing_values_can_be_zero() -> None:
    given = problem("a bush", missing=True)
    zero = Problem(np.nan_to_num(given.Z), *list(vars(given).values())[1:])
    parameters = parameters_of(given.core())
    ours = given.core(fill_with_zero=True).evaluate(parameters, 1.0)
    theirs = zero.core().evaluate(parameters, 1.0)
    assert ours[0] == pytest.approx(theirs[0], rel=1e-6)
    assert ours[1] == pytest.approx(theirs[1], rel=1e-5, abs=1e-4)


def test_fills_can_be_given() -> None:
    given = problem("a bush", missing=True)
    fill = np.random.default_rng(0).normal(size=(3, 3))
    core = given.core(fill=fill)
    assert np.array_equal(core.fill, fill)
    parameters = parameters_of(core)
    fill[1] = np.nan  # the node's own mean again
    assert core.evaluate(parameters, 1.0) != given.core(fill=fill).evaluate(parameters, 1.0)
    assert given.core(fill=fill).fill[1] == pytest.approx(given.core().fill[1], rel=1e-14)


def test_a_row_of_weight_two_is_the_row_twice() -> None:
    given = problem("a chain", missing=True)
    times = given.weight.astype(int)
    twice = Problem(
        np.repeat(given.Z, times, axis=0),
        np.repeat(given.y, times),
        np.ones(times.sum()),
        np.repeat(given.leaf, times),
        given.children,
    )
    parameters = parameters_of(given.core())
    weighted, repeated = (one.core().evaluate(parameters, 0.3) for one in (given, twice))
    assert weighted[0] == pytest.approx(repeated[0], rel=1e-6)
    assert weighted[1] == pytest.approx(repeated[1], rel=1e-5, abs=1e-4)


def test_the_order_of_the_rows_does_not_matter() -> None:
    given = problem("a bush", missing=True)
    order = np.random.default_rng(0).permutation(len(given.y))
    shuffled = Problem(
        given.Z[order], given.y[order], given.weight[order], given.leaf[order], given.children
    )
    parameters = parameters_of(given.core())
    ours, theirs = (one.core().evaluate(parameters, 1.0) for one in (given, shuffled))
    assert ours[0] == pytest.approx(theirs[0], rel=1e-6)


def test_hardly_reached_branches_are_skipped_at_little_cost() -> None:
    given = problem("a chain", n=200)
    parameters = parameters_of(given.core(), size=6.0)  # gates close to 0 and 1
    ours, _ = given.core().evaluate(parameters, 0.0)
    theirs = oracle.objective(parameters, 0.0, **vars(given))
    assert abs(ours / theirs - 1.0) > 2e-6  # more than single precision explains
    assert ours == pytest.approx(theirs, rel=1e-3)


def test_gates_far_away_are_finite() -> None:
    core = problem("a bush").core()
    for size in (1e3, 1e8):
        value, gradient = core.evaluate(parameters_of(core, size) * 1.0, 1.0)
        assert np.isfinite(value)
        assert np.isfinite(gradient).all()


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"children": [[1, 2], [-1, -1]]}, "preorder"),
        ({"children": [[2, 1], [-1, -1], [-1, -1]]}, "preorder"),
        ({"children": [[1, -1], [-1, -1]]}, "one child"),
        ({"children": [[-1, -1], [-1, -1]]}, "no test leads to"),
        ({"leaf": np.zeros(37, dtype=np.int32)}, "not a leaf"),
        ({"leaf": np.ones(3, dtype=np.int32)}, "for each row"),
        ({"weight": -np.ones(37)}, "negative"),
        ({"Z": np.full((37, 3), np.inf)}, "infinite"),
        ({"y": np.full(37, 3)}, "class code"),
    ],
)
def test_what_does_not_fit_together_is_refused(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        problem("a test").core(**changed)


def test_parameters_of_another_tree_are_refused() -> None:
    core = problem("a test").core()
    with pytest.raises(ValueError, match="parameters must be a vector of"):
        core.evaluate(np.zeros(3), 1.0)
