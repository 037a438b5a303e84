"""Isotonic regression on the leaves of a tree, and the descent under signs, against SciPy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize

from aslant import _core

# Two levels of tests above four leaves, and a deeper one on the left.
CHILDREN = np.array(
    [[1, 6], [2, 3], [-1, -1], [4, 5], [-1, -1], [-1, -1], [7, 8], [-1, -1], [-1, -1]],
    dtype=np.int32,
)
LEAVES = np.array([2, 4, 5, 7, 8])


def leaves_below(node: int) -> list[int]:
    if CHILDREN[node, 0] < 0:
        return [node]
    return leaves_below(CHILDREN[node, 0]) + leaves_below(CHILDREN[node, 1])


@pytest.mark.parametrize("seed", range(30))
def test_ordered_values_are_nearest(seed: int) -> None:
    rng = np.random.default_rng(seed)
    order = np.where(CHILDREN[:, 0] >= 0, rng.integers(-1, 2, size=9), 0).astype(np.int32)
    value, weight = rng.normal(size=9), rng.uniform(0.5, 3.0, size=9)
    found = _core.ordered_values(CHILDREN, order, value, weight)
    pairs = [
        (low, high) if order[node] > 0 else (high, low)
        for node in np.flatnonzero(order)
        for low in leaves_below(CHILDREN[node, 0])
        for high in leaves_below(CHILDREN[node, 1])
    ]
    for low, high in pairs:
        assert found[low] <= found[high]
    place = {int(leaf): i for i, leaf in enumerate(LEAVES)}
    nearest = minimize(
        lambda v: weight[LEAVES] @ (v - value[LEAVES]) ** 2,
        np.full(5, value.mean()),
        jac=lambda v: 2.0 * weight[LEAVES] * (v - value[LEAVES]),
        constraints=[
            {"type": "ineq", "fun": lambda v, a=low, b=high: v[place[b]] - v[place[a]]}
            for low, high in pairs
        ],
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 500},
    )
    np.testing.assert_allclose(found[LEAVES], nearest.x, atol=1e-5)
    inner = [(node, CHILDREN[node]) for node in np.flatnonzero(CHILDREN[:, 0] >= 0)]
    for node, below in inner:
        assert found[node] == pytest.approx(np.average(found[below], weights=weight[below]))


@pytest.mark.parametrize("l1", [0.0, 1.5])
def test_descent_keeps_signs(l1: float) -> None:
    """The minimum under bounds equals that of SciPy's L-BFGS-B, with and without a penalty."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 6))
    y = rng.random(200) < 1.0 / (1.0 + np.exp(-X @ [1.0, -1.0, 0.5, -0.5, 0.0, 2.0]))
    sign = [1, 1, 0, 1, -1, -1]

    def logistic(w: np.ndarray) -> tuple[float, np.ndarray]:
        margin = np.where(y, 1.0, -1.0) * (X @ w)
        slope = -np.where(y, 1.0, -1.0) / (1.0 + np.exp(margin))
        return float(np.logaddexp(0.0, -margin).sum() + 0.5 * w @ w), X.T @ slope + w

    point, value, _ = _core.minimise(logistic, np.zeros(6), np.full(6, l1), 500, 0.0, sign=sign)
    assert (np.array(sign) * point >= 0.0).all()

    def halves(v: np.ndarray) -> tuple[float, np.ndarray]:  # w = v[:6] - v[6:], both positive
        loss, slope = logistic(v[:6] - v[6:])
        return loss + l1 * v.sum(), np.concatenate([slope, -slope]) + l1

    bounds = [(0.0, 0.0 if s < 0 else None) for s in sign]
    bounds += [(0.0, 0.0 if s > 0 else None) for s in sign]
    known = minimize(
        halves, np.zeros(12), jac=True, bounds=bounds, method="L-BFGS-B", options={"ftol": 1e-15}
    )
    assert value == pytest.approx(known.fun, rel=1e-7)
    np.testing.assert_allclose(point, known.x[:6] - known.x[6:], atol=1e-3)
