"""Slow NumPy twins of what trees of numbers are made of, each written from its definition."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import numpy.typing as npt

Vector = npt.NDArray[np.float64]


def weighted_squares(y: Vector, weight: Vector) -> float:
    """Sum of squared deviations from the weighted mean, over all outputs."""
    y = y.reshape(len(y), -1)
    mean = weight @ y / weight.sum()
    return float(weight @ ((y - mean) ** 2).sum(axis=1))


def best_threshold(u: Vector, y: Vector, weight: Vector) -> tuple[float, float]:
    """Threshold of least squared error on projections, by trying every midpoint, and the gain."""
    before = weighted_squares(y, weight)
    best, gain = np.nan, -np.inf
    values = np.unique(u)
    for low, high in pairwise(values):
        left = u <= (low + high) / 2
        after = weighted_squares(y[left], weight[left]) + weighted_squares(y[~left], weight[~left])
        if (before - after) / weight.sum() > gain + 1e-12:
            best, gain = (low + high) / 2, (before - after) / weight.sum()
    return best, gain


def standardized(X: Vector, weight: Vector) -> tuple[Vector, Vector, Vector]:
    """Columns of weighted mean 0 and variance 1, and what they were."""
    mean = weight @ X / weight.sum()
    spread = np.sqrt(weight @ (X - mean) ** 2 / weight.sum())
    return (X - mean) / spread, mean, spread


def least_squares_direction(X: Vector, y: Vector, weight: Vector, ridge: float) -> Vector:
    """Coefficients, in the units of X, of the ridge regression in standard units."""
    Z, _, spread = standardized(X, weight)
    target = y - weight @ y / weight.sum()
    total = weight.sum()
    gram = Z.T @ (weight[:, None] * Z) + ridge * total * np.eye(X.shape[1])
    return np.linalg.solve(gram, Z.T @ (weight * target)) / spread


def left_out_error(X: Vector, y: Vector, weight: Vector, strength: float) -> float:
    """Mean squared leave-one-out error of ridge regression, fitting without each row in turn.

    The units of the columns, and so the penalty, are those of all rows.
    """
    Z, _, _ = standardized(X, weight)
    penalty = strength * weight.sum()
    total = 0.0
    for i in range(len(y)):
        rest = np.arange(len(y)) != i
        design = np.column_stack([np.ones(rest.sum()), Z[rest]])
        gram = design.T @ (weight[rest, None] * design)
        gram[1:, 1:] += penalty * np.eye(Z.shape[1])
        coef = np.linalg.solve(gram, design.T @ (weight[rest] * y[rest]))
        total += weight[i] * float(y[i] - coef[0] - Z[i] @ coef[1:]) ** 2
    return total / float(weight.sum())


def signs_from_mean(y: Vector, weight: Vector) -> npt.NDArray[np.int32]:
    """1 for rows not below the mean."""
    return (y >= weight @ y / weight.sum()).astype(np.int32)


def signs_from_line(X: Vector, y: Vector, weight: Vector) -> npt.NDArray[np.int32]:
    """1 for rows not below the weighted least-squares line."""
    root = np.sqrt(weight)[:, None]
    design = np.column_stack([np.ones(len(y)), X])
    coef, *_ = np.linalg.lstsq(root * design, root[:, 0] * y, rcond=None)
    return (y >= design @ coef).astype(np.int32)
