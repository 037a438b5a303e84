"""Numbers in formulas: how they are written, and how many digits they need."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from aslant.inspection.rows import KnownRows
from aslant.tree.split import HyperplaneSplit, Split

Array = npt.NDArray[Any]

_FEWEST_DIGITS, _MOST_DIGITS = 2, 17


def fewest_digits(rows: KnownRows, node: int, split: Split) -> int:
    """Return the fewest digits at which every row at the node goes where it does."""
    is_plane = isinstance(split, HyperplaneSplit)
    weights = np.atleast_2d(split.coef if isinstance(split, HyperplaneSplit) else split.weights)
    offset = np.atleast_1d(split.threshold if isinstance(split, HyperplaneSplit) else split.bias)
    columns = np.flatnonzero(np.any(weights != 0.0, axis=0))
    if is_plane and len(columns) == 1 and rows.tree.column_level[columns[0]] < 0:
        # Such a test is written without its coefficient.
        coef = weights[0, columns[0]]
        offset, weights = np.sign(coef) * offset / coef, np.sign(weights)
    assert split.fill is not None  # as every test of a tree has
    values = rows.values(node, columns, split.fill[columns])
    child = rows.child(node)
    for digits in range(_FEWEST_DIGITS, _MOST_DIGITS):
        sums = values @ _read_back(weights[:, columns], digits).T
        ends = _read_back(offset, digits)
        goes = (sums[:, 0] > ends[0]) if is_plane else np.argmax(sums + ends, axis=1)
        if np.array_equal(goes, child):
            return digits
    return _MOST_DIGITS


def _read_back(values: Array, digits: int) -> Array:
    """Return the numbers that a reader of the formula sees."""
    seen = [float(number(float(value), digits)) for value in values.ravel()]
    return np.array(seen).reshape(values.shape)


def number(value: float, precision: int) -> str:
    """Return a number with so many significant digits.

    Below a million, digits before the point are never rounded away, nor is the half of a threshold
    between two integers: ``year <= 1987.5`` must not become ``year <= 1.99e+03``. With 17
    digits, which tell all numbers apart, the shortest text that reads back as the same number.
    """
    if value == 0.0:
        return "0"
    if abs(value) < 1e6:
        if 2.0 * value == round(2.0 * value):
            return f"{value:.7g}"
        precision = max(precision, len(str(int(abs(value)))))
    if precision >= _MOST_DIGITS:
        return repr(float(value)).removesuffix(".0")
    return f"{value:.{precision}g}"


def count(weight: float, precision: int) -> str:
    """Return a number of rows, or a weight: integers in full."""
    if weight == round(weight) and weight < 1e15:
        return f"{weight:.0f}"
    return number(weight, precision)
