"""HHCART's split of a node, as the paper writes it: explicit matrices and an exhaustive search."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from oracles.axis_parallel import Codes, best_numeric_split
from oracles.criterion import Vector


@dataclass(frozen=True)
class Tried:
    """A space that was searched: columns of ``basis`` are normals; its best score."""

    basis: Vector
    column: int
    score: float


def householder(d: Vector) -> Vector:
    """Return H = I - 2uu' with u = (e_1 - d) / |e_1 - d|, for which Hd = e_1."""
    u = np.eye(len(d))[0] - d
    u /= np.linalg.norm(u)
    return np.eye(len(d)) - 2.0 * np.outer(u, u)


def sample_covariance(X: Vector, weight: Vector) -> Vector:
    """Return the weighted covariance, up to a factor."""
    centred = X - np.average(X, axis=0, weights=weight)
    return (centred * weight[:, None]).T @ centred


def sign_covariance(X: Vector, weight: Vector) -> Vector:
    """Return the covariance of the spatial signs about the median, for whole weights."""
    rows = np.repeat(X, weight.astype(int), axis=0)
    centred = rows - np.median(rows, axis=0)
    length = np.linalg.norm(centred, axis=1, keepdims=True)
    signs = np.divide(centred, length, out=np.zeros_like(centred), where=length > 0.0)
    return signs.T @ signs


def eigenvectors(covariance: Vector, variant: str) -> list[Vector]:
    """Return those that the covariance determines, or the dominant one, first component >= 0."""
    values, vectors = np.linalg.eigh(covariance)
    spread = values > 1e-12 * values[-1]
    if np.count_nonzero(~spread) == 1:
        spread[:] = True
    chosen = vectors[:, spread] if variant == "all" else vectors[:, -1:]
    return [d if d[0] >= 0.0 else -d for d in chosen.T]


def searched_spaces(
    X: Vector,
    y: Codes,
    n_classes: int,
    criterion: str,
    *,
    variant: str = "all",
    both_signs: bool = False,
    tau: float = 0.05,
    robust: bool = False,
    weight: Vector | None = None,
) -> list[Tried]:
    """Return every space that HHCART searches, the plain one first."""
    weights = np.ones(len(X)) if weight is None else weight
    axes = np.eye(X.shape[1])
    bases = [axes]
    for k in range(n_classes):
        rows, row_weights = X[y == k], weights[y == k]
        if len(np.unique(rows, axis=0)) < 2:
            continue
        covariance = (sign_covariance if robust else sample_covariance)(rows, row_weights)
        for d in eigenvectors(covariance, variant):
            distances = [np.linalg.norm(axis - s * d) for axis in axes for s in (1.0, -1.0)]
            if min(distances) > tau:
                bases += [householder(d), householder(-d)] if both_signs else [householder(d)]
    tried = []
    for basis in bases:
        found = best_numeric_split(X @ basis, y, n_classes, criterion, weight)
        if found is not None:
            tried.append(Tried(basis, found[0], found[2]))
    return tried
