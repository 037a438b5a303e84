"""Dates as numbers: days since 1970 began in UTC, and parts of dates.

Texts are read as dates only where that is safe: the year first, or a day beyond twelve that tells
day from month. Prediction uses the format found in training. Offsets from UTC are applied; a date
without one counts as UTC.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

DATE_PARTS = ("year", "month", "day", "weekday", "hour")
"""What `date_parts` may name; weekday 0 is Monday."""

_EPOCH = dt.datetime(1970, 1, 1)
_DAY = dt.timedelta(days=1)
_TEXT = re.compile(
    r"(?P<a>\d{1,4})(?P<sep>[-/.])(?P<b>\d{1,2})(?P=sep)(?P<c>\d{1,4})"
    r"(?:[ T](?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2})(?P<fraction>\.\d*)?)?"
    r"(?: ?(?:Z|(?P<sign>[+-])(?P<zone_hour>\d{2}):?(?P<zone_minute>\d{2})))?)?"
)
#: For each order of the numbers a, b and c of a text: the one that is year, month and day.
ORDERS = {"year first": "abc", "day first": "cba", "month first": "cab"}
UNCLEAR = "unclear"
"""The format of dates whose day and month are ambiguous."""


def date_format(texts: Iterable[str]) -> str | None:
    """Return how texts are dates: an order of the numbers, `UNCLEAR`, or None if they are none."""
    found = []
    for text in texts:
        match = _TEXT.fullmatch(text.strip())
        if match is None:
            return None
        found.append(match)
    able = [order for order in ORDERS if all(_day(match, order) is not None for match in found)]
    if not able:
        return None
    return able[0] if len(able) == 1 else UNCLEAR


def _day(match: re.Match[str], order: str) -> dt.date | None:
    """Return the day that a text names when read in an order; years have four digits."""
    year, month, day = (match[group] for group in ORDERS[order])
    if len(year) != 4 or len(day) > 2:
        return None
    try:
        return dt.date(int(year), int(month), int(day))
    except ValueError:
        return None


def moment(value: Any, format_: str | None) -> np.datetime64 | None:
    """Return a value of a date column in UTC; None if it is no date."""
    if isinstance(value, str):
        value = _read(value.strip(), format_ or "year first")
    if hasattr(value, "to_timestamp"):  # a period of pandas
        value = value.to_timestamp()
    if isinstance(value, dt.datetime) and value.tzinfo is not None:
        value = value.astimezone(dt.UTC).replace(tzinfo=None)
    return np.datetime64(value, "us") if isinstance(value, dt.date | np.datetime64) else None  # type: ignore[call-overload]


def _read(text: str, format_: str | None) -> dt.datetime | None:
    match = _TEXT.fullmatch(text)
    day = None if match is None or format_ not in ORDERS else _day(match, format_)
    if match is None or day is None:
        return None
    hour, minute, second = (int(match[part] or 0) for part in ("hour", "minute", "second"))
    micros = int((match["fraction"] or ".")[1:7].ljust(6, "0"))
    try:
        found = dt.datetime(day.year, day.month, day.day, hour, minute, second, micros)
        if match["sign"] is not None:
            offset = dt.timedelta(hours=int(match["zone_hour"]), minutes=int(match["zone_minute"]))
            found = found - offset if match["sign"] == "+" else found + offset
    except (ValueError, OverflowError):
        return None
    return found


def date_of(number: float, *, with_time: bool) -> str:
    """Return the date at so many days since 1970 began, as text."""
    try:
        found = _EPOCH + number * _DAY
    except OverflowError:
        return f"{number:g} days"
    return found.isoformat(" ", "minutes") if with_time else found.date().isoformat()


def duration(value: Any) -> np.timedelta64 | None:
    """Return a value of a duration column; None if it is no duration."""
    return np.timedelta64(value, "us") if isinstance(value, dt.timedelta | np.timedelta64) else None


def part(number: npt.NDArray[np.floating[Any]], name: str) -> npt.NDArray[np.float64]:
    """Return a part of dates that are given in days since 1970 began, NaN for no date."""
    known = np.isfinite(number)
    day = np.floor(np.where(known, number, 0.0)).astype("datetime64[D]")
    month = day.astype("datetime64[M]")
    if name == "year":
        found = day.astype("datetime64[Y]").astype(np.int64) + 1970
    elif name == "month":
        found = month.astype(np.int64) % 12 + 1
    elif name == "day":
        found = (day - month).astype(np.int64) + 1
    elif name == "weekday":
        found = (day.astype(np.int64) + 3) % 7  # 1970 began on a Thursday
    else:
        # Days are rounded, so a full hour may lie slightly below itself.
        found = np.floor((np.where(known, number, 0.0) % 1.0) * 24.0 + 1e-6)
    return np.where(known, found, np.nan)
