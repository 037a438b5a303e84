"""The kind of a column: decided here and nowhere else.

The type of a column decides if it is specific. In a column of objects the values decide: texts are
dates if all of them are, else categories, unless they look like something that no tree can use:
sentences, identifiers, numbers that were not read as numbers. These are refused by name, unless
the caller declared the column a category.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from numbers import Real
from typing import Any, Literal

import numpy as np

from aslant.encoding.dates import UNCLEAR, date_format
from aslant.encoding.table import RawColumn, family_of, present, text_counts, values
from aslant.encoding.written import number_pattern

# "unused": a column that the estimator never reads, whatever it holds.
Kind = Literal["number", "boolean", "date", "duration", "ordered", "category", "unused"]

FEW_LEVELS = 20
"""A category of at most this many levels is never refused as text or identifier."""

# Distinct values per row from which on a column is an identifier.
_SHARE_OF_AN_IDENTIFIER = 0.75
# Mean words per text, and distinct texts per row, from which on a column is free text.
_WORDS_OF_A_TEXT, _SHARE_OF_A_TEXT = 3, 0.2
_NUMBERS = [re.compile(number_pattern(".")), re.compile(number_pattern(","))]
ADVICE = "leave the column out, or name it in categorical_features to use it as a category"
"""What to do with a column that is refused, in the terms of the estimators."""
_ADVICE_FOR_SEVERAL = (
    "leave these columns out, or name them in categorical_features to use them as categories"
)


class ColumnsRefused(ValueError):  # noqa: N818 - says which columns, not which error
    """Columns that no tree can use as they are.

    Attributes
    ----------
    reasons : dict
        The columns, and what is wrong with each.
    """

    def __init__(self, reasons: dict[str, str], advice: str | None = None) -> None:
        self.reasons = reasons
        listed = "; ".join(f"feature {name!r} {reason}" for name, reason in reasons.items())
        usual = ADVICE if len(reasons) == 1 else _ADVICE_FOR_SEVERAL
        super().__init__(f"{listed[0].upper()}{listed[1:]}: {advice or usual}.")


def all_kinds(
    names: Iterable[str], decide: Callable[[int], tuple[Kind, str | None]]
) -> list[tuple[Kind, str | None]]:
    """Return what `decide` returns for each column, or refuse all that it refuses at once."""
    kinds: list[tuple[Kind, str | None]] = []
    reasons: dict[str, str] = {}
    for j, name in enumerate(names):
        try:
            kinds.append(decide(j))
        except ColumnsRefused as refused:
            reasons[name] = refused.reasons[name]
    if reasons:
        raise ColumnsRefused(reasons)
    return kinds


def kind_of(name: str, column: RawColumn) -> tuple[Kind, str | None]:
    """Return the kind of a column that was not declared, and the format of dates in texts.

    Parameters
    ----------
    name : str
        Name of the column.
    column : series or ndarray
        The column.

    Raises
    ------
    ColumnsRefused
        If the column holds identifiers, free text, ambiguous dates, or numbers beside words.
    TypeError
        If it holds values that are neither text nor numbers nor dates.
    """
    found = kind_without_levels(column)
    if found is not None:
        return found
    if family_of(column) == "category":
        return "category", None
    counts = text_counts(column)
    if counts is not None:
        levels, n_known = list(counts), sum(counts.values())
    else:
        known = present(values(column))
        odd = {type(value).__name__ for value in known if not isinstance(value, _LEVEL)}
        if odd:
            raise TypeError(
                f"Feature {name!r} holds a value of type {min(odd)}, but an argument must be a "
                "string, a date or a number."
            )
        levels, n_known = _texts(known), len(known)
    if date_format(levels) == UNCLEAR and len(levels) > 1:
        reason = (
            f"holds dates such as {levels[0]!r} of which day and month cannot be told apart (write "
            "them as year-month-day)"
        )
        raise ColumnsRefused({name: reason})
    reason = _not_levels(levels, n_known)
    if reason:
        raise ColumnsRefused({name: reason})
    return "category", None


def kind_without_levels(column: RawColumn) -> tuple[Kind, str | None] | None:
    """Return the kind of a column that can be read as numbers or dates, None if it cannot."""
    family = family_of(column)
    if family == "category":
        return None
    if family != "objects":
        return family, None
    counts = text_counts(column)
    known = present(values(column)) if counts is None else list(counts)
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


def _not_levels(levels: list[str], n_values: int) -> str:
    """Return why texts are no levels of a category, but identifiers, sentences or numbers."""
    if len(levels) <= FEW_LEVELS:
        return ""
    not_numbers = [text for text in levels if not _is_number(text)]
    shown = levels[0] if len(levels[0]) <= 40 else levels[0][:37] + "..."
    if not_numbers and len(not_numbers) < 0.5 * len(levels):
        words = ", ".join(map(repr, not_numbers[:3])) + (", ..." if len(not_numbers) > 3 else "")
        return (
            f"holds {len(levels) - len(not_numbers)} different numbers beside {words} (make these "
            "missing values and the others numbers)"
        )
    if not not_numbers and not all(text.lstrip("-").isdigit() for text in levels):
        return f"holds numbers written as text, such as {shown!r} (make numbers of them)"
    n_words = np.mean([len(text.split()) for text in levels])
    if n_words >= _WORDS_OF_A_TEXT and len(levels) >= _SHARE_OF_A_TEXT * n_values:
        return f"holds free text, such as {shown!r}"
    if len(levels) >= _SHARE_OF_AN_IDENTIFIER * n_values:
        return (
            f"looks like an identifier: {len(levels)} different values in {n_values} rows, such as "
            f"{shown!r}"
        )
    return ""


def _is_number(text: str) -> bool:
    return any(pattern.match(text.strip()) for pattern in _NUMBERS)
