"""What kind of column it is: decided here and nowhere else.

Types decide where there are any. A column of objects is judged by its values; texts are dates
where every one is, and categories otherwise, unless they look like something that no tree can use:
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
from aslant.encoding.table import Family, present

# "unused": a column that the estimator never reads, whatever it holds.
Kind = Literal["number", "boolean", "date", "duration", "ordered", "category", "unused"]

FEW_LEVELS = 20
"""A category of no more levels than this is never taken for text or an identifier."""

# Levels as a share of the rows: from here on nearly every value is its own.
_SHARE_OF_AN_IDENTIFIER = 0.75
# Texts of so many words, and so many different ones for the rows, are sentences.
_WORDS_OF_A_TEXT, _SHARE_OF_A_TEXT = 3, 0.2
_NUMBER = re.compile(r"[-+]?(\d+|\d{1,3}(,\d{3})+)([.,]\d+)?([eE][-+]?\d+)? ?%?")
_WAY_OUT = (
    "leave the column out, or name it in categorical_features to use it as a category all the same"
)


def kind_of(name: str, family: Family, column: Any) -> tuple[Kind, str | None]:
    """Return the kind of a column that was not declared, and the format of dates in texts.

    Raises
    ------
    ValueError
        If it is a column of identifiers, free text or unclear dates, or numbers beside words.
    TypeError
        If it holds things that are neither text nor numbers nor dates.
    """
    found = kind_without_levels(family, column)
    if found is not None:
        return found
    if family == "category":
        return "category", None
    odd = {type(v).__name__ for v in present(column) if not isinstance(v, _LEVEL)}
    if odd:
        raise TypeError(
            f"Feature {name!r} holds a value of type {min(odd)}, but an argument must be a string, "
            "a date or a number."
        )
    levels = _texts(column)
    if date_format(levels) == UNCLEAR and len(levels) > 1:
        raise ValueError(
            f"Feature {name!r} holds dates such as {levels[0]!r} of which day and month cannot be "
            f"told apart; write them as year-month-day, or {_WAY_OUT}."
        )
    _refuse_unusable(name, levels, len(present(column)))
    return "category", None


def kind_without_levels(family: Family, column: Any) -> tuple[Kind, str | None] | None:
    """Return the kind of a column that can be read as numbers or dates, None if it cannot."""
    if family == "category":
        return None
    if family != "objects":
        return family, None
    types = set(map(type, present(column)))
    if types == {str}:
        format_ = date_format(_texts(column))
        return None if format_ in (None, UNCLEAR) else ("date", format_)
    for kind, allowed in _BY_TYPE.items():
        if types and all(issubclass(one, allowed) for one in types):
            return kind, None
    return None


_BY_TYPE: dict[Kind, tuple[type, ...]] = {
    "boolean": (bool, np.bool_),
    "number": (Real, Decimal, np.number, np.bool_),
    "date": (dt.date, np.datetime64),
    "duration": (dt.timedelta, np.timedelta64),
}

_LEVEL = (str, *(one for allowed in _BY_TYPE.values() for one in allowed))


def _texts(column: Sequence[Any]) -> list[str]:
    """Return the distinct values as texts, in the order in which they come."""
    return list(dict.fromkeys(map(str, present(column))))


def _refuse_unusable(name: str, levels: list[str], n_values: int) -> None:
    if len(levels) <= FEW_LEVELS:
        return
    not_numbers = [text for text in levels if _NUMBER.fullmatch(text.strip()) is None]
    shown = levels[0] if len(levels[0]) <= 40 else levels[0][:37] + "..."
    if not_numbers and len(not_numbers) < 0.5 * len(levels):
        words = ", ".join(map(repr, not_numbers[:3])) + (", ..." if len(not_numbers) > 3 else "")
        raise ValueError(
            f"Feature {name!r} holds {len(levels) - len(not_numbers)} different numbers beside "
            f"{words}: make these missing values and the others numbers, or {_WAY_OUT}."
        )
    if not not_numbers and any(mark in text for text in levels for mark in ".,%"):
        raise ValueError(
            f"Feature {name!r} holds numbers written as text, such as {shown!r}: make numbers of "
            f"them, or {_WAY_OUT}."
        )
    n_words = np.mean([len(text.split()) for text in levels])
    if n_words >= _WORDS_OF_A_TEXT and len(levels) >= _SHARE_OF_A_TEXT * n_values:
        raise ValueError(
            f"Feature {name!r} holds free text, such as {shown!r}; trees need numbers or "
            f"categories: {_WAY_OUT}."
        )
    if len(levels) >= _SHARE_OF_AN_IDENTIFIER * n_values:
        raise ValueError(
            f"Feature {name!r} looks like an identifier: {len(levels)} different values in "
            f"{n_values} rows, such as {shown!r}; {_WAY_OUT}."
        )
