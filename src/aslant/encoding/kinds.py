"""The kind of a column: decided here and nowhere else.

The type of a column decides if it is specific. In a column of objects the values decide: texts are
dates if all of them are, else categories, unless they look like something that no tree can use:
sentences, identifiers, numbers that were not read as numbers. These are refused by name, unless
the caller declared the column a category.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from decimal import Decimal
from numbers import Real
from typing import Any, Literal

import numpy as np

from aslant.encoding.dates import UNCLEAR, date_format
from aslant.encoding.table import RawColumn, family_of, present, values

# "unused": a column that the estimator never reads, whatever it holds.
Kind = Literal["number", "boolean", "date", "duration", "ordered", "category", "unused"]

FEW_LEVELS = 20
"""A category of at most this many levels is never refused as text or identifier."""

# Distinct values per row from which on a column is an identifier.
_SHARE_OF_AN_IDENTIFIER = 0.75
# Mean words per text, and distinct texts per row, from which on a column is free text.
_WORDS_OF_A_TEXT, _SHARE_OF_A_TEXT = 3, 0.2
_NUMBER = re.compile(r"[-+]?(\d+|\d{1,3}(,\d{3})+)([.,]\d+)?([eE][-+]?\d+)? ?%?")
ADVICE = "leave the column out, or name it in categorical_features to use it as a category"
"""What to do with a column that is refused, in the terms of the estimators."""


def kind_of(name: str, column: RawColumn, advice: str = ADVICE) -> tuple[Kind, str | None]:
    """Return the kind of a column that was not declared, and the format of dates in texts.

    Parameters
    ----------
    name : str
        Name of the column.
    column : series or ndarray
        The column.
    advice : str
        What to do with a column that is refused, for the error message.

    Raises
    ------
    ValueError
        If the column holds identifiers, free text, ambiguous dates, or numbers beside words.
    TypeError
        If it holds values that are neither text nor numbers nor dates.
    """
    found = kind_without_levels(column)
    if found is not None:
        return found
    if family_of(column) == "category":
        return "category", None
    known = present(values(column))
    odd = {type(value).__name__ for value in known if not isinstance(value, _LEVEL)}
    if odd:
        raise TypeError(
            f"Feature {name!r} holds a value of type {min(odd)}, but an argument must be a string, "
            "a date or a number."
        )
    levels = _texts(known)
    if date_format(levels) == UNCLEAR and len(levels) > 1:
        raise ValueError(
            f"Feature {name!r} holds dates such as {levels[0]!r} of which day and month cannot be "
            f"told apart; write them as year-month-day, or {advice}."
        )
    _check_levels(name, levels, len(known), advice)
    return "category", None


def kind_without_levels(column: RawColumn) -> tuple[Kind, str | None] | None:
    """Return the kind of a column that can be read as numbers or dates, None if it cannot."""
    family = family_of(column)
    if family == "category":
        return None
    if family != "objects":
        return family, None
    known = present(values(column))
    types = set(map(type, known))
    if types and all(issubclass(one, str) for one in types):
        format_ = date_format(_texts(known))
        return None if format_ in (None, UNCLEAR) else ("date", format_)
    for kind, allowed in _BY_TYPE.items():
        if types and all(issubclass(one, allowed) for one in types):
            return kind, None
    periods = types and all(hasattr(one, "to_timestamp") for one in types)  # of pandas
    return ("date", None) if periods else None


# A timedelta64 is also an integer to NumPy, so durations come before numbers.
_BY_TYPE: dict[Kind, tuple[type, ...]] = {
    "boolean": (bool, np.bool_),
    "date": (dt.date, np.datetime64),
    "duration": (dt.timedelta, np.timedelta64),
    "number": (Real, Decimal, np.bool_),
}

_LEVEL = (str, *(one for allowed in _BY_TYPE.values() for one in allowed))


def _texts(known: Sequence[Any]) -> list[str]:
    """Return the distinct values as texts, in the order in which they come."""
    return list(dict.fromkeys(map(str, known)))


def _check_levels(name: str, levels: list[str], n_values: int, advice: str) -> None:
    """Validate that texts are levels of a category: no identifiers, sentences or numbers."""
    if len(levels) <= FEW_LEVELS:
        return
    not_numbers = [text for text in levels if _NUMBER.fullmatch(text.strip()) is None]
    shown = levels[0] if len(levels[0]) <= 40 else levels[0][:37] + "..."
    if not_numbers and len(not_numbers) < 0.5 * len(levels):
        words = ", ".join(map(repr, not_numbers[:3])) + (", ..." if len(not_numbers) > 3 else "")
        raise ValueError(
            f"Feature {name!r} holds {len(levels) - len(not_numbers)} different numbers beside "
            f"{words}: make these missing values and the others numbers, or {advice}."
        )
    if not not_numbers and any(mark in text for text in levels for mark in ".,%"):
        raise ValueError(
            f"Feature {name!r} holds numbers written as text, such as {shown!r}: make numbers of "
            f"them, or {advice}."
        )
    n_words = np.mean([len(text.split()) for text in levels])
    if n_words >= _WORDS_OF_A_TEXT and len(levels) >= _SHARE_OF_A_TEXT * n_values:
        raise ValueError(
            f"Feature {name!r} holds free text, such as {shown!r}; trees need numbers or "
            f"categories: {advice}."
        )
    if len(levels) >= _SHARE_OF_AN_IDENTIFIER * n_values:
        raise ValueError(
            f"Feature {name!r} looks like an identifier: {len(levels)} different values in "
            f"{n_values} rows, such as {shown!r}; {advice}."
        )
