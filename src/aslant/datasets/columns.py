"""Columns of text as numbers, dates and words for missing values, decided here for all files.

A column is numeric if every cell is a number or a word for a missing value. Whole columns are read
by polars; only distinct cells that are no plain numbers are looked at one by one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

import polars as pl

from aslant.encoding.dates import ORDERS, UNCLEAR
from aslant.encoding.written import (
    CURRENCY,
    DATE,
    DECIMAL_COMMA,
    SURELY_GROUPED,
    WORDS_FOR_MISSING,
    DecimalMark,
    number_pattern,
)

MANY_NUMBERS = 10
"""Words beside at most this many different numbers may be levels of a category."""


@dataclass(frozen=True)
class NumberFormat:
    """How the numbers of a file are written.

    Attributes
    ----------
    decimal : {".", ","}
        The decimal mark.
    groups : bool
        Whether thousands may be separated.
    """

    decimal: DecimalMark = "."
    groups: bool = True


@dataclass(frozen=True)
class WrittenNumbers:
    """A numeric column, and how it was read.

    Attributes
    ----------
    values : polars Series
        The numbers; None is missing.
    words : dict
        Counts of words for missing values.
    formatted : int
        Cells with separated thousands, a currency, percent or parentheses.
    example : str
        One of these cells.
    """

    values: pl.Series
    words: dict[str, int] = field(default_factory=dict)
    formatted: int = 0
    example: str = ""


def number_format(columns: Iterable[pl.Series], sep: str, decimal: str | None) -> NumberFormat:
    """Return how the numbers of a file are written, given the decimal mark or not.

    A comma is the decimal mark if columns are not separated by commas, some number can only be
    read so, and none has a decimal point.
    """
    if decimal is not None:
        return NumberFormat("," if decimal == "," else ".")
    if sep == ",":
        return NumberFormat(".")
    columns = list(columns)
    if any(_some(column, DECIMAL_COMMA) for column in columns) and not any(
        map(_has_fractions, columns)
    ):
        return NumberFormat(",")
    # 1,015 in a file without commas between its columns could be either.
    return NumberFormat(".", any(_some(column, SURELY_GROUPED) for column in columns))


def _some(cells: pl.Series, pattern: str) -> bool:
    return bool(cells.str.contains(pattern).any())


def _has_fractions(cells: pl.Series) -> bool:
    """Whether a column is made of numbers with a decimal point."""
    found = read_numbers(cells, NumberFormat(".", groups=False), any_words=True)
    if found is None or not _some(cells, r"\."):
        return False
    return bool((found.values != found.values.round()).any())


def read_numbers(
    cells: pl.Series, how: NumberFormat, *, any_words: bool = False
) -> WrittenNumbers | None:
    """Return a column of text as numbers, None if it holds anything else.

    Parameters
    ----------
    cells : polars Series
        The cells, stripped; None is missing.
    how : NumberFormat
        How the numbers of the file are written.
    any_words : bool
        Whether words for missing values are allowed beside few different numbers.
    """
    texts = cells
    if how.decimal == ",":  # 1.015 is a thousand and fifteen
        pointed = cells.str.contains(".", literal=True)
        texts = pl.select(
            pl.when(pointed).then(None).otherwise(cells.str.replace(",", ".", literal=True))
        ).to_series()
    plain = texts.cast(pl.Float64, strict=False).fill_nan(None)
    others = cells.filter(plain.is_null() & cells.is_not_null())
    if others.is_empty():
        return WrittenNumbers(plain)
    if not (_are_written(others.head(1), how) | _are_words(others.head(1))).all():
        return None  # soon, for texts
    distinct = others.unique(maintain_order=True)
    written = distinct.filter(~_are_words(distinct))
    if not _are_written(written, how).all() or not _one_unit(written, plain):
        return None
    words = others.filter(_are_words(others))
    few = plain.n_unique() + len(written) - plain.has_nulls() <= MANY_NUMBERS
    if len(words) and few and not any_words:
        return None
    if len(written):
        values = cells.replace_strict(written, _values(written, how), default=None)
        plain = plain.fill_null(values)
    return WrittenNumbers(
        plain,
        dict(words.value_counts(sort=True).iter_rows()),
        len(others) - len(words),
        "" if written.is_empty() else written[0],
    )


def _are_words(cells: pl.Series) -> pl.Series:
    return cells.str.to_lowercase().is_in(list(WORDS_FOR_MISSING))


def _are_written(cells: pl.Series, how: NumberFormat) -> pl.Series:
    return cells.str.contains(number_pattern(how.decimal, groups=how.groups))


def _one_unit(written: pl.Series, plain: pl.Series) -> bool:
    """Whether cells have one currency at most, and percent in all cells or none."""
    units = written.str.extract(f"({CURRENCY}|%)").unique()
    known = units.drop_nulls()
    bare = units.has_nulls() or plain.is_not_null().any()
    return len(known) <= 1 and not ("%" in known and bare)


def _values(written: pl.Series, how: NumberFormat) -> pl.Series:
    """Return the values of written numbers."""
    thousands = "," if how.decimal == "." else "."
    bare = written.str.replace_all(rf"{CURRENCY}|[%()' \x{{a0}}\x{{202f}}’]", "")
    bare = bare.str.replace_all(thousands, "", literal=True)
    size = bare.str.replace(how.decimal, ".", literal=True).cast(pl.Float64, strict=False)
    return pl.select(
        pl.when(written.str.contains("(", literal=True)).then(-size).otherwise(size)
    ).to_series()


class WrittenDates(NamedTuple):
    """A column of dates: which of the numbers comes first, and if that is known, dates in UTC."""

    order: str
    days: pl.Series | None


def read_dates(cells: pl.Series, order: str | None = None) -> WrittenDates | None:
    """Return a column of text as dates, None if it holds anything else.

    Parameters
    ----------
    cells : polars Series
        The cells, stripped; None is missing.
    order : str, optional
        Which of the numbers comes first, if that is known; else the cells decide. If they do not,
        the order is `UNCLEAR` and there are no dates.
    """
    if not cells.drop_nulls().head(1).str.contains(DATE).any():
        return None  # soon, for other texts
    distinct = cells.drop_nulls().unique()
    found = _read_distinct_dates(distinct, order)
    if found is None or found.days is None:
        return found
    return WrittenDates(found.order, cells.replace_strict(distinct, found.days, default=None))


def _read_distinct_dates(cells: pl.Series, order: str | None) -> WrittenDates | None:
    if not cells.str.contains(DATE).all():
        return None
    parts = cells.str.extract_groups(DATE).struct.unnest()
    parts.columns = ["a", "mark", "b", "other", "c", "hour", "minute", "second", "part", "zone"]
    if not (parts["mark"] == parts["other"]).all():
        return None
    time = parts.select(_time()).to_series()
    if time.null_count() > cells.null_count():
        return None
    orders = [order] if order is not None else list(ORDERS)
    able = {name: days for name in orders if (days := _days(parts, cells, name)) is not None}
    if not able:
        return None
    if len(able) > 1:
        return WrittenDates(UNCLEAR, None)
    ((found, days),) = able.items()
    return WrittenDates(found, days.cast(pl.Datetime("us")) + time)


def _days(parts: pl.DataFrame, cells: pl.Series, order: str) -> pl.Series | None:
    """Return the days if all texts are days in an order; years have four digits."""
    year, month, day = list(ORDERS[order])
    if not (parts[year].str.len_chars() == 4).all() or (parts[day].str.len_chars() > 2).any():
        return None
    if (parts[month].str.len_chars() > 2).any():
        return None
    text = pl.concat_str(
        pl.col(year), pl.col(month).str.zfill(2), pl.col(day).str.zfill(2), separator="-"
    )
    days = parts.select(text.str.to_date("%Y-%m-%d", strict=False)).to_series()
    return None if days.null_count() > cells.null_count() else days


def _time() -> pl.Expr:
    """Return the time of day less the offset from UTC; None if there is no such time."""
    hour, minute, second = (
        pl.col(name).fill_null("0").cast(pl.Int64) for name in ("hour", "minute", "second")
    )
    digits = pl.col("part").fill_null(".").str.slice(1, 6).str.pad_end(6, "0")
    zone = pl.col("zone").fill_null("Z").replace("Z", "+0000").str.replace(":", "", literal=True)
    sign = pl.when(zone.str.starts_with("-")).then(-1).otherwise(1)
    offset = zone.str.slice(1, 2).cast(pl.Int64) * 60 + zone.str.slice(3, 2).cast(pl.Int64)
    valid = (hour < 24) & (minute < 60) & (second < 60)
    moment = pl.duration(
        hours=hour,
        minutes=minute - sign * offset,
        seconds=second,
        microseconds=digits.cast(pl.Int64),
        time_unit="us",
    )
    return pl.when(valid & pl.col("a").is_not_null()).then(moment)
