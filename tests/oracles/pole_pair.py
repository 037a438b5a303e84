"""Pole pairs by brute force: every pair of rows, the distances of every row to both.

Poles are ordered by their values, column by column: the first of a pair is A, and rows equally far
from both go with A, which is child 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from oracles.criterion import Vector
from oracles.line_search import Mask, candidates, first_best, split_score

Codes = NDArray[np.int32]

TIE = 1e-9  # squared distances, of rows a few units apart, that differ by less are equal


@dataclass(frozen=True)
class PolePairSplit:
    """The poles A and B, the rows that go with A, and what that split is worth."""

    poles: tuple[Vector, Vector]
    in_child_0: Mask
    score: float


def deviations(X: Vector, weight: Vector | None = None) -> Vector:
    """Return the standard deviation of each column."""
    centred = X - np.average(X, axis=0, weights=weight)
    return np.sqrt(np.average(centred**2, axis=0, weights=weight))


def pole_pairs(X: Vector, y: Codes, pairs: str) -> list[tuple[Vector, Vector]]:
    """Return the pairs of different rows, in order; of different classes unless all are asked."""
    poles = np.unique(X, axis=0)
    classes = [set(y[(pole == X).all(axis=1)].tolist()) for pole in poles]
    return [
        (poles[a], poles[b])
        for a, b in combinations(range(len(poles)), 2)
        if pairs == "all" or len(classes[a] | classes[b]) > 1
    ]


def splits(
    X: Vector,
    y: Codes,
    weight: Vector,
    unit: Vector,
    *,
    n_classes: int,
    criterion: str,
    pairs: str = "opposite",
    thresholds: str = "midpoint",
    min_rows: int = 1,
    min_weight: float = 0.0,
) -> list[PolePairSplit]:
    """Return the best split of every admissible pair of poles, in the order of the pairs."""
    found = []
    for a, b in pole_pairs(X, y, pairs):
        to_a, to_b = (np.sum(((X - pole) / unit) ** 2, axis=1) for pole in (a, b))
        if thresholds == "all":
            line = candidates(
                to_a - to_b,
                np.full(len(X), -1.0),
                y,
                n_classes,
                criterion,
                weight,
                min_rows,
                min_weight,
                tie_tolerance=TIE,
            )
            if line:
                best = line[first_best([candidate.score for candidate in line])]
                found.append(PolePairSplit((a, b), best.in_child_0, best.score))
            continue
        with_a = to_a <= to_b + TIE
        sides = (with_a, ~with_a)
        if min(side.sum() for side in sides) < max(1, min_rows):
            continue
        if min(weight[side].sum() for side in sides) < min_weight:
            continue
        score = split_score(y, weight, with_a, n_classes, criterion)
        found.append(PolePairSplit((a, b), with_a, score))
    return found


def best_split(found: list[PolePairSplit]) -> PolePairSplit | None:
    """Return the best split, the first of equals; None if there is none."""
    return found[first_best([split.score for split in found])] if found else None
