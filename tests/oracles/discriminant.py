"""Slow twins of CRIMCOORDs, Fisher's discriminant and QUEST's splits, from their definitions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import stats

Vector = NDArray[np.float64]
Codes = NDArray[np.intp]


def crimcoords(level: Codes, y: Codes) -> tuple[Vector, float]:
    """Return the score of every row, up to scale and sign, and the largest eigenvalue.

    Loh and Shih 1997: the first discriminant coordinate of the level indicators v, from the
    scatter B between the classes and T in all.
    """
    v = (level[:, None] == np.unique(level)).astype(float)
    centred = v - v.mean(axis=0)
    T = centred.T @ centred
    B = np.zeros_like(T)
    for k in np.unique(y):
        mean = centred[y == k].mean(axis=0)
        B += np.sum(y == k) * np.outer(mean, mean)
    eigenvalues, Q = np.linalg.eigh(T)
    inverse_root = np.where(eigenvalues > 1e-9, 1.0 / np.sqrt(np.maximum(eigenvalues, 1e-9)), 0.0)
    whitening = Q * inverse_root
    values, vectors = np.linalg.eigh(whitening.T @ B @ whitening)
    return centred @ whitening @ vectors[:, -1], float(values[-1])


def fisher_direction(X: Vector, group: Codes, weight: Vector | None = None) -> Vector:
    """Return S_W^-1 (m_1 - m_0)."""
    weight = np.ones(len(X)) if weight is None else weight
    means = [np.average(X[group == g], axis=0, weights=weight[group == g]) for g in (0, 1)]
    centred = X - np.array(means)[group]
    return np.linalg.solve((centred * weight[:, None]).T @ centred, means[1] - means[0])


def select_variable(
    X: Vector, y: Codes, categorical: Sequence[int] = (), alpha: float = 0.05
) -> int:
    """Return QUEST's variable, by the tests of SciPy."""
    n_variables = X.shape[1]
    numbers = [j for j in range(n_variables) if j not in categorical]

    def by_class(j: int) -> list[Vector]:
        return [X[y == k, j] for k in np.unique(y)]

    def association(j: int) -> float:
        if j in numbers:
            return float(stats.f_oneway(*by_class(j)).pvalue)
        table = np.zeros((int(X[:, j].max()) + 1, int(y.max()) + 1))
        np.add.at(table, (X[:, j].astype(int), y), 1)
        table = table[table.sum(axis=1) > 0]
        return float(stats.chi2_contingency(table, correction=False).pvalue)

    p = [association(j) for j in range(n_variables)]
    if min(p) < alpha / n_variables or not numbers:
        return int(np.argmin(p))
    spread = [float(stats.levene(*by_class(j), center="mean").pvalue) for j in numbers]
    if min(spread) < alpha / (n_variables + len(numbers)):
        return numbers[int(np.argmin(spread))]
    return int(np.argmin(p))
