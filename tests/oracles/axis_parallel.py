"""The best test on a single feature: a threshold on a number, or a set of levels of a category.

A category of a two-class problem is searched over every subset of its levels. With more classes the
subsets are the single levels and the contiguous runs from the low end of the first CRIMCOORD (the
first axis of a correspondence analysis of levels by classes): all subsets would be too many.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from oracles.criterion import Vector
from oracles.line_search import candidates, first_best, split_score

Codes = NDArray[np.int32]


def best_numeric_split(
    X: Vector, y: Codes, n_classes: int, criterion: str, weight: Vector | None = None
) -> tuple[int, float, float] | None:
    """Return (column, threshold, score); ties go to the first column and the lowest threshold."""
    downhill = np.full(len(X), -1.0)  # raising the threshold lowers every row: u - threshold
    found = [
        (column, candidate.alpha, candidate.score)
        for column in range(X.shape[1])
        for candidate in candidates(X[:, column], downhill, y, n_classes, criterion, weight)
    ]
    return found[first_best([score for *_, score in found])] if found else None


def contingency(codes: Codes, y: Codes, n_classes: int, weight: Vector) -> Vector:
    """Return the weight of every (level, class) pair, one row for each level up to the highest."""
    table = np.zeros((codes.max() + 1, n_classes))
    np.add.at(table, (codes, y), weight)
    return table


def first_crimcoord(table: Vector) -> Vector:
    """Return the score of each level on the first correspondence-analysis axis.

    A level without rows has none (NaN). The sign is fixed so that the most frequent class has the
    smaller mean score.
    """
    level_share = table.sum(axis=1) / table.sum()
    class_share = table.sum(axis=0) / table.sum()
    levels, classes = level_share > 0.0, class_share > 0.0
    observed = table[np.ix_(levels, classes)] / table.sum()
    expected = np.outer(level_share[levels], class_share[classes])
    axes, _, _ = np.linalg.svd((observed - expected) / np.sqrt(expected))
    scores = np.full(len(table), np.nan)
    scores[levels] = axes[:, 0] / np.sqrt(level_share[levels])
    frequent = np.argmax(class_share[classes])
    return -scores if observed[:, frequent] @ scores[levels] > 0.0 else scores


def all_subsets(levels: list[int]) -> list[frozenset[int]]:
    """Return every way to part the levels in two, as the part that holds the first level."""
    first, others = levels[0], levels[1:]
    return [
        frozenset((first, *chosen))
        for size in range(len(others))
        for chosen in combinations(others, size)
    ]


def ordered_subsets(levels: list[int], table: Vector) -> list[frozenset[int]]:
    """Return the single levels, then the runs from the low end of the first CRIMCOORD."""
    coordinate = first_crimcoord(table)
    ranked = sorted(levels, key=lambda level: (coordinate[level], level))
    singles = [frozenset((level,)) for level in levels]
    return singles + [frozenset(ranked[:size]) for size in range(2, len(ranked))]


def best_of_subsets(
    subsets: Iterable[frozenset[int]],
    codes: Codes,
    y: Codes,
    n_classes: int,
    criterion: str,
    weight: Vector,
) -> tuple[frozenset[int], float]:
    """Return the first best of the given sets of levels, and its score."""
    tried = list(subsets)
    scores = [
        split_score(y, weight, np.isin(codes, sorted(subset)), n_classes, criterion)
        for subset in tried
    ]
    best = first_best(scores)
    return tried[best], scores[best]


def best_subset_split(
    codes: Codes, y: Codes, n_classes: int, criterion: str, weight: Vector | None = None
) -> tuple[frozenset[int], float] | None:
    """Return (levels of child 0, score), or None where fewer than two levels occur."""
    weights = np.ones(len(codes)) if weight is None else weight
    levels = [int(level) for level in np.unique(codes)]
    if len(levels) < 2:
        return None
    if n_classes == 2:
        subsets = all_subsets(levels)
    else:
        subsets = ordered_subsets(levels, contingency(codes, y, n_classes, weights))
    return best_of_subsets(subsets, codes, y, n_classes, criterion, weights)
