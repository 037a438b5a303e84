"""L-BFGS and its orthant-wise form beside SciPy."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit

from aslant import _core

Vector = NDArray[np.float64]
Function = Callable[[Vector], tuple[float, Vector]]

FREE = np.zeros(0)  # no parameter has an L1 penalty


def logistic(n: int = 200, d: int = 12) -> Function:
    """Return a convex function: the loss of a logistic regression with a little ridge."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    sign = np.sign(X[:, 0] - 2.0 * X[:, 1] + rng.normal(size=n))

    def function(w: Vector) -> tuple[float, Vector]:
        margin = sign * (X @ w)
        value = np.logaddexp(0.0, -margin).sum() + 0.05 * w @ w
        return float(value), -X.T @ (sign * expit(-margin)) + 0.1 * w

    return function


def rosenbrock(x: Vector) -> tuple[float, Vector]:
    value = 100.0 * (x[1] - x[0] ** 2) ** 2 + (1.0 - x[0]) ** 2
    slope = [-400.0 * x[0] * (x[1] - x[0] ** 2) - 2.0 * (1.0 - x[0]), 200.0 * (x[1] - x[0] ** 2)]
    return float(value), np.array(slope)


def test_finds_the_minimum_that_scipy_finds() -> None:
    function = logistic()
    point, value, _ = _core.minimise(function, np.zeros(12), FREE, 200, 1e-14)
    reference = minimize(function, np.zeros(12), jac=True, method="L-BFGS-B", tol=1e-14)
    assert value == pytest.approx(reference.fun, rel=1e-10)
    assert point == pytest.approx(reference.x, abs=1e-4)


def test_is_about_as_quick_as_scipy() -> None:
    calls = []

    def counted(x: Vector) -> tuple[float, Vector]:
        calls.append(x)
        return logistic()(x)

    _, value, steps = _core.minimise(counted, np.zeros(12), FREE, 15, 0.0)
    reference = minimize(
        logistic(), np.zeros(12), jac=True, method="L-BFGS-B", options={"maxiter": 15, "maxcor": 8}
    )
    assert steps <= 15
    assert len(calls) <= 25
    assert value <= reference.fun * (1.0 + 1e-3)


def test_follows_a_curved_valley() -> None:
    point, value, _ = _core.minimise(rosenbrock, np.array([-1.2, 1.0]), FREE, 200, 1e-15)
    assert value < 1e-8
    assert point == pytest.approx([1.0, 1.0], abs=1e-3)


@pytest.mark.parametrize("penalty", [0.5, 5.0, 20.0])
def test_with_an_l1_penalty_it_finds_the_minimum_of_two_sided_variables(penalty: float) -> None:
    # w = u - v with u, v >= 0 makes the penalty smooth, so SciPy's bounded minimiser can tell.
    function, d = logistic(), 12

    def two_sided(z: Vector) -> tuple[float, Vector]:
        value, slope = function(z[:d] - z[d:])
        return value + penalty * z.sum(), np.concatenate([slope, -slope]) + penalty

    bounds = [(0.0, None)] * (2 * d)
    reference = minimize(
        two_sided,
        np.zeros(2 * d),
        jac=True,
        method="L-BFGS-B",
        bounds=bounds,
        options={"maxiter": 5000, "ftol": 1e-15, "gtol": 1e-10},
    )
    start = np.random.default_rng(1).normal(size=d)
    point, value, _ = _core.minimise(function, start, np.full(d, penalty), 2000, 0.0)
    assert value == pytest.approx(reference.fun, rel=1e-7)
    expected = reference.x[:d] - reference.x[d:]
    assert point == pytest.approx(expected, abs=1e-3)
    assert np.array_equal(point != 0.0, np.abs(expected) > 1e-6)


def test_a_penalty_on_some_parameters_leaves_the_others_alone() -> None:
    function = logistic()
    penalty = np.zeros(12)
    penalty[:6] = 1e6
    point, _, _ = _core.minimise(function, np.ones(12), penalty, 500, 0.0)
    assert (point[:6] == 0.0).all()
    assert (point[6:] != 0.0).all()
    _, slope = function(point)
    assert slope[6:] == pytest.approx(np.zeros(6), abs=1e-3)


def test_stops_when_nothing_is_gained() -> None:
    _, _, steps = _core.minimise(logistic(), np.zeros(12), FREE, 10_000, 1e-3)
    assert 1 <= steps < 30


def test_no_steps_leave_the_start() -> None:
    start = np.arange(12.0)
    point, value, steps = _core.minimise(logistic(), start, FREE, 0, 0.0)
    assert np.array_equal(point, start)
    assert value == logistic()(start)[0]
    assert steps == 0


def test_walls_of_infinity_are_avoided() -> None:
    def walled(x: Vector) -> tuple[float, Vector]:
        if x[0] <= 0.0:
            return np.inf, np.zeros(1)
        return float(x[0] - np.log(x[0])), np.array([1.0 - 1.0 / x[0]])

    point, _, _ = _core.minimise(walled, np.array([0.01]), FREE, 100, 1e-14)
    assert point == pytest.approx([1.0], abs=1e-5)
