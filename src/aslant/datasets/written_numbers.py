"""Formatted numbers: 1,015.50 and 1.015,50, and words for missing values.

A column is numeric only if every cell is a number or a word for a missing value.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

WORDS_FOR_MISSING = frozenset(
    {"-", "--", "---", ".", "..", "*", "na", "n.a.", "nil", "none", "missing", "unknown", "#n/a",
     "k.a.", "tbd"}
)  # fmt: skip
"""Words for a missing value in a numeric column, in lower case."""

# Words beside at most this many different numbers may be levels of a category.
_MANY_NUMBERS = 10
_PLAIN = {
    ".": re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?"),
    ",": re.compile(r"[-+]?(\d+,?\d*|,\d+)([eE][-+]?\d+)?"),
}
_GROUPED = {
    ".": re.compile(r"[-+]?\d{1,3}(,\d{3})+(\.\d*)?"),
    ",": re.compile(r"[-+]?\d{1,3}(\.\d{3})+(,\d*)?"),
}
_SURELY_GROUPED = re.compile(r"[-+]?\d{1,3}((,\d{3})+\.\d*|(,\d{3}){2,})")
# A comma that cannot separate thousands.
_DECIMAL_COMMA = re.compile(r"[-+]?\d+,(\d{1,2}|\d{4,})([eE][-+]?\d+)?|[-+]?\d{4,},\d+|0,\d+")


@dataclass(frozen=True)
class WrittenNumbers:
    """A numeric column, and how it was read.

    Attributes
    ----------
    values : ndarray
        The numbers; NaN is missing.
    words : Counter
        Counts of words for missing values.
    grouped : int
        Cells with separated thousands.
    """

    values: npt.NDArray[np.float64]
    words: Counter[str] = field(default_factory=Counter)
    grouped: int = 0


def read_numbers(
    cells: Sequence[str],
    missing: Collection[str],
    decimal: str,
    *,
    any_words: bool,
    groups: bool = True,
) -> WrittenNumbers | None:
    """Return a column as numbers, None if it holds anything else.

    Parameters
    ----------
    cells : sequence of str
        The cells, stripped.
    missing : collection of str
        Cells that are missing in any column.
    decimal : str
        The decimal mark, ``.`` or ``,``.
    any_words : bool
        Whether words for missing values are allowed beside few different numbers.
    groups : bool
        Whether thousands may be separated.
    """
    thousands = "," if decimal == "." else "."
    value_of: dict[str, float] = {}
    words: Counter[str] = Counter()
    grouped = 0
    for cell in cells:
        if cell in missing:
            value_of[cell] = np.nan
        elif _PLAIN[decimal].fullmatch(cell):
            value_of[cell] = float(cell.replace(decimal, "."))
        elif groups and _GROUPED[decimal].fullmatch(cell):
            value_of[cell] = float(cell.replace(thousands, "").replace(decimal, "."))
            grouped += 1
        elif cell.lower() in WORDS_FOR_MISSING:
            value_of[cell] = np.nan
            words[cell] += 1
        else:
            return None
    n_numbers = sum(not np.isnan(value) for value in value_of.values())
    if words and not any_words and n_numbers <= _MANY_NUMBERS:
        return None
    return WrittenNumbers(np.array([value_of[cell] for cell in cells]), words, grouped)


def groups_thousands(cells: Iterable[str]) -> bool:
    """Whether some cell separates thousands by commas and cannot be read in another way."""
    return any(_SURELY_GROUPED.fullmatch(cell) for cell in cells)


def uses_decimal_comma(cells: Iterable[str]) -> bool:
    """Whether some cell is a number with a decimal comma that cannot be anything else."""
    return any(_DECIMAL_COMMA.fullmatch(cell) for cell in cells)
