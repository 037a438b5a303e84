"""The exact line search by brute force: try every step, assign every row, score from scratch.

A row sits at ``V + alpha * R`` and belongs to child 0 while that is at most 0, so it changes side
once, at its breakpoint ``-V / R``. Between two neighbouring breakpoints nothing changes, so one
step from each gap is enough. Which side a row is on follows from the order of the breakpoints and
the sign of R, never from evaluating ``V + alpha * R`` in rounded arithmetic.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from oracles.criterion import Vector, score, squared_error

Mask = NDArray[np.bool_]

FARTHEST_BREAKPOINT = 1e300  # a row that would cross beyond this is taken never to move
ROUNDING = 1e-12  # scores closer than this are equal; only rounding tells them apart


@dataclass(frozen=True)
class Candidate:
    """A step along the line, the rows it sends to child 0, and what that split is worth."""

    alpha: float
    in_child_0: Mask
    score: float


def breakpoints(V: Vector, R: Vector) -> Vector:
    """Return the step at which each row changes side; NaN for a row that never does."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore", under="ignore"):
        crossing = -V / R
    moves = (R != 0.0) & (np.abs(crossing) < FARTHEST_BREAKPOINT)
    return np.where(moves, crossing, np.nan)


def step_between(lower: float, upper: float, only_enter_child_0: bool) -> float | None:
    """Return a step that separates two breakpoints, or None where no float lies between them.

    When rows only ever enter child 0, the lower breakpoint itself separates: a row standing on the
    boundary belongs to child 0, which is where crossing took it.
    """
    middle = lower + (upper - lower) / 2.0
    if lower < middle < upper:
        return middle
    return lower if only_enter_child_0 and lower < upper else None


def steps(
    V: Vector, R: Vector, tie_tolerance: float = 0.0, unsigned_sweep: bool = False
) -> Iterator[tuple[float, Mask]]:
    """Yield every step worth trying, lowest first, with the rows it sends to child 0."""
    crossing = breakpoints(V, R)
    moving = ~np.isnan(crossing)
    order = [row for row in np.argsort(crossing, kind="stable") if moving[row]]
    starts_in_child_0 = moving if unsigned_sweep else moving & (R > 0.0)
    stays_in_child_0 = ~moving & (V <= 0.0)
    only_enter_child_0 = not starts_in_child_0.any()

    crossed = np.zeros(len(V), dtype=bool)
    for row, following in pairwise(order):
        crossed[row] = True
        gap = crossing[following] - crossing[row]
        if gap == 0.0 or gap * min(abs(R[row]), abs(R[following])) <= tie_tolerance:
            continue
        alpha = step_between(crossing[row], crossing[following], only_enter_child_0)
        if alpha is None:
            continue
        yield float(alpha), np.where(moving, crossed ^ starts_in_child_0, stays_in_child_0)


def split_score(
    y: NDArray[np.generic], weight: Vector, in_child_0: Mask, n_classes: int, criterion: str
) -> float:
    """Return the score of the split that sends the given rows to child 0."""
    if criterion == "squared_error":
        return squared_error(y.astype(np.float64), weight, in_child_0)
    child_0, child_1 = (
        np.bincount(y[side], weights=weight[side], minlength=n_classes)
        for side in (in_child_0, ~in_child_0)
    )
    return score(child_0, child_1, criterion)


def candidates(
    V: Vector,
    R: Vector,
    y: NDArray[np.generic],
    n_classes: int,
    criterion: str,
    weight: Vector | None = None,
    min_rows: int = 1,
    min_weight: float = 0.0,
    tie_tolerance: float = 0.0,
    unsigned_sweep: bool = False,
) -> list[Candidate]:
    """Return every admissible step with its score, lowest step first."""
    weights = np.ones(len(V)) if weight is None else weight
    admissible = []
    for alpha, in_child_0 in steps(V, R, tie_tolerance, unsigned_sweep):
        children = (in_child_0, ~in_child_0)
        if min(side.sum() for side in children) < max(1, min_rows):
            continue
        if min(weights[side].sum() for side in children) < min_weight:
            continue
        value = split_score(y, weights, in_child_0, n_classes, criterion)
        admissible.append(Candidate(alpha, in_child_0, value))
    return admissible


def first_best(scores: list[float]) -> int:
    """Return the position of the first score that no other exceeds by more than rounding."""
    best = max(scores)
    margin = ROUNDING * max(1.0, abs(best))
    return next(i for i, value in enumerate(scores) if value >= best - margin)


def line_search(
    V: Vector,
    R: Vector,
    y: NDArray[np.generic],
    n_classes: int,
    criterion: str,
    weight: Vector | None = None,
    min_rows: int = 1,
    min_weight: float = 0.0,
    tie_tolerance: float = 0.0,
    unsigned_sweep: bool = False,
) -> tuple[float, float] | None:
    """Return the best step and its score, the lowest on ties; None if no step is admissible."""
    found = candidates(
        V, R, y, n_classes, criterion, weight, min_rows, min_weight, tie_tolerance, unsigned_sweep
    )
    if not found:
        return None
    best = found[first_best([candidate.score for candidate in found])]
    return best.alpha, best.score
