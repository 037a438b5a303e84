"""Levels of categories: their order, their codes, and merging of rare ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from aslant.encoding.table import is_missing


def counted_levels(column: Iterable[Any], name: str) -> Counter[Any]:
    """Return how often each level occurs."""
    try:
        counts = Counter(column)
    except TypeError:
        raise _not_levels(name) from None
    for value in [value for value in counts if is_missing(value)]:
        del counts[value]
    _check_finite(counts, name)
    return counts


def in_order(levels: Iterable[Any]) -> list[Any]:
    """Return levels sorted; those of several types by type, then as text."""
    present = list(levels)
    try:
        return sorted(present)
    except TypeError:  # numbers and text together
        return sorted(present, key=lambda level: (type(level).__name__, str(level)))


def codes(column: Any, code: dict[Any, int], name: str) -> npt.NDArray[np.float64]:
    """Return the codes of the values: NaN for missing ones, -1 for levels that have no code."""
    try:
        found = np.fromiter(map(_Codes(code).__getitem__, column), np.float64, len(column))
    except TypeError:
        raise _not_levels(name) from None
    for row in np.flatnonzero(found < 0).tolist():
        if is_missing(column[row]):
            found[row] = np.nan
        else:
            _check_finite([column[row]], name)
    return found


class _Codes(dict[Any, int]):
    """Codes with a default of -1, looked up without calling a Python function for known levels."""

    def __missing__(self, level: Any) -> int:
        return -1


def _check_finite(levels: Iterable[Any], name: str) -> None:
    """Validate that no level is infinite."""
    if any(isinstance(level, float | np.floating) and np.isinf(level) for level in levels):
        raise ValueError(f"Feature {name!r} contains infinity, which cannot be a level.")


def _not_levels(name: str) -> ValueError:
    return ValueError(f"Feature {name!r} holds values that cannot be levels of a category.")


def merge_rare(counts: Counter[Any], least: float, most: int | None) -> tuple[list[Any], list[Any]]:
    """Return the levels that stay, and those to be merged into one.

    Parameters
    ----------
    counts : Counter
        Rows of each level.
    least : float
        Levels with fewer rows than this are merged.
    most : int or None
        The largest number of levels, the merged one included; the most frequent stay.
    """
    order = in_order(counts)
    rare = {level for level in order if counts[level] < least}
    if len(rare) == 1:  # merging one level alone would only rename it
        rare = set()
    if most is not None and len(order) - len(rare) + bool(rare) > most:
        frequent = sorted(order, key=lambda level: -counts[level])  # stable: first ones on ties
        rare |= set(frequent[most - 1 :])
    return [level for level in order if level not in rare], [v for v in order if v in rare]


def name_of_merged(levels: Sequence[Any]) -> str:
    """Return an unused name for the merged level: other, or (other)."""
    name = "other"
    while name in levels:
        name = f"({name})"
    return name
