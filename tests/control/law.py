"""The law of monotonic constraints, checked on pairs of rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

N_PAIRS = 100_000


def problem(
    seed: int, n_rows: int = 240, n_features: int = 4
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return random rows, two classes and numbers that break every constraint somewhere."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, n_features))
    z = np.sin(2.0 * X[:, 0]) + X[:, 1] - 0.5 * X[:, 2] ** 2 + 0.4 * X[:, 2] * X[:, 3]
    z += 0.5 * rng.normal(size=n_rows)
    return X, (z > np.median(z)).astype(int), z


def output(model: Any) -> Callable[[Any], np.ndarray]:
    """Return what the law is about: the probability of the second class, or the prediction."""
    if hasattr(model, "predict_proba"):
        return lambda rows: model.predict_proba(rows)[:, 1]
    return lambda rows: model.predict(rows)


def pairs(X: np.ndarray, column: int, n: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Return pairs of rows inside and outside the data that differ in a column only."""
    rng = np.random.default_rng([seed, column])
    low, high = np.nanmin(X, axis=0) - 1.0, np.nanmax(X, axis=0) + 1.0
    rows = X[rng.integers(len(X), size=n)].copy()
    elsewhere = rng.random(rows.shape) < 0.5
    rows[elsewhere] = (low + (high - low) * rng.random(rows.shape))[elsewhere]
    values = np.sort(low[column] + (high[column] - low[column]) * rng.random((n, 2)), axis=1)
    lower, upper = rows, rows.copy()
    lower[:, column], upper[:, column] = values.T
    return lower, upper


def worst(
    predict: Callable[[Any], np.ndarray], X: np.ndarray, signs: Any, n: int = N_PAIRS
) -> float:
    """Return the largest violation of the law, a number below 0; 0 if there is none."""
    found = 0.0
    for column in np.flatnonzero(signs):
        lower, upper = pairs(X, int(column), n)
        rise = signs[column] * (predict(upper) - predict(lower))
        found = min(found, float(rise.min()))
    return found
