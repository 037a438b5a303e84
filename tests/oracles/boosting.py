"""Slow references of gradient boosting: the direction of a node, its threshold and its gain."""

from __future__ import annotations

import numpy as np


def scale_of(x: np.ndarray) -> tuple[float, float]:
    """Return the mean of a feature and what it is divided by."""
    x = np.sort(x)
    n = len(x)

    def quantile(q: float) -> float:
        place = q * n
        if place == round(place):
            return (x[round(place) - 1] + x[round(place)]) / 2
        return x[int(place)]

    spread, deviation = (quantile(0.75) - quantile(0.25)) / 1.349, x.std()
    return x.mean(), deviation if spread == 0 or deviation > 10 * spread else spread


def value(gradient: float, hessian: float, l2: float) -> float:
    return -gradient / (hessian + l2 + 1e-15)


def gain(g: np.ndarray, h: np.ndarray, left: np.ndarray, l2: float) -> float:
    """Return the decrease of the second-order loss by a split."""

    def loss(rows: np.ndarray) -> float:
        return g[rows].sum() * value(g[rows].sum(), h[rows].sum(), l2)

    return loss(np.ones(len(g), dtype=bool)) - loss(left) - loss(~left)


def direction(X: np.ndarray, g: np.ndarray, h: np.ndarray) -> np.ndarray:
    """Return the coefficients of the weighted ridge regression of the Newton steps."""
    scales = [scale_of(x) for x in X.T]
    Z = np.column_stack([(x - mean) / s for x, (mean, s) in zip(X.T, scales, strict=True)])
    centered = Z - (h @ Z) / h.sum()
    A, b = centered.T @ (h[:, None] * centered), -centered.T @ g
    ridge = 0.01 * np.diag(A) + 1e-6 * np.trace(A) / len(A) + 1e-9
    w = np.linalg.solve(A + np.diag(ridge), b)
    return w / np.abs(w).max() / np.array([s for _, s in scales])


def best_threshold(
    projected: np.ndarray, g: np.ndarray, h: np.ndarray, l2: float, least: int
) -> tuple[float, float]:
    """Return the best gain and threshold of 255 bins of equal width around the mean."""
    mean = h @ projected / h.sum()
    deviation = np.sqrt(h @ (projected - mean) ** 2 / h.sum())
    low, width = mean - 4 * deviation, 8 * deviation / 255
    place = np.clip((projected - low) / width, 0, 254).astype(int)
    best = (0.0, np.nan)
    for b in range(254):
        left = place <= b
        if min(left.sum(), (~left).sum()) < least:
            continue
        found = gain(g, h, left, l2)
        if found > best[0] * (1 + 1e-12):
            best = (found, low + width * (b + 1 + place[~left].min()) / 2)
    return best


def best_single(X: np.ndarray, g: np.ndarray, h: np.ndarray, l2: float, least: int) -> float:
    """Return the best gain of the thresholds of single features."""
    gains = [0.0]
    for x in X.T:
        for threshold in np.unique(x)[:-1]:
            left = x <= threshold
            if min(left.sum(), (~left).sum()) >= least:
                gains.append(gain(g, h, left, l2))
    return max(gains)
