"""Reads conditions as texts and rules print them, and applies them to rows, as a person would.

Knows nothing of how they were written: if a condition could be read in two ways, or said something
else than the tree does, the answers would differ.
"""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from aslant.inspection.names import Names, names_of
from aslant.inspection.resolve import encoded_rows, resolve

_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
_DATE = re.compile(r"\d{4}-\d\d-\d\d( \d\d:\d\d)?")
Row = Mapping[str, Any]
Fills = Mapping[str, float]


class UnsaidError(Exception):
    """The text does not say where this row goes."""


def readable_rows(model: Any, X: Any) -> list[dict[str, Any]]:
    """Return rows by the printed names of the features: numbers, levels, None where missing."""
    resolved = resolve(model, "tests")
    names = names_of(resolved)
    given = [one.name for one in resolved.encoder_.columns_]
    return [_readable(names, given, row) for row in encoded_rows(resolved, X)]


def _readable(names: Names, given: list[str], row: np.ndarray) -> dict[str, Any]:
    # A column that is target-encoded has only its missing values in a text.
    values: dict[str, Any] = {
        name: None if np.isnan(row[j]) else "known" for j, name in enumerate(given)
    }
    for j, (name, value) in enumerate(zip(names.features, row.tolist(), strict=True)):
        values[name] = None if np.isnan(value) else value
        if j in names.levels and values[name] is not None:
            values[name] = names.levels[j][int(value)]
        if j in names.ordered:  # after the numbers, so that a threshold may be a level
            values[f"order of {name}"] = names.ordered[j]
    return values


def holds(condition: str, row: Row, fills: Fills | None = None) -> bool:
    """Return whether a condition holds; without fills, a sum of a missing value is not said."""
    if match := re.fullmatch(r"(.*) is (not )?missing", condition):
        return (_get(row, match[1]) is None) == (match[2] is None)
    if match := re.fullmatch(r"(.*?) (not in|in) \{(.*)\}", condition):
        value = _get(row, match[1])
        if value is None:
            return _filled(match, fills)
        return (str(value) in _listed(match[3])) == (match[2] == "in")
    expression, relation, end = _relation(condition)
    is_level = end in row.get(f"order of {expression}", ())
    if (_DATE.fullmatch(end) or is_level) and _get(row, expression) is None:
        raise UnsaidError  # a date is rounded to the day or minute, its fill is not
    value, bound = linear(expression, row, fills), _bound(end, expression, row)
    return {"<=": value <= bound, ">=": value >= bound, "<": value < bound, ">": value > bound}[
        relation
    ]


def _relation(condition: str) -> tuple[str, str, str]:
    match = re.fullmatch(r"(.*) (<=|>=|<|>) (.+)", condition)
    assert match is not None, condition
    return match[1], match[2], match[3]


def _filled(match: re.Match[str], fills: Fills | None) -> bool:
    """Return whether a missing level is in a set: its indicators have the fills."""
    if fills is None:
        raise UnsaidError
    total = sum(fills[f"[{match[1]}={level}]"] for level in _listed(match[3]))
    if abs(total - 0.5) < 1e-12:  # the threshold is not printed
        raise UnsaidError
    return (total > 0.5) == (match[2] == "in")


def _listed(text: str) -> list[str]:
    """Return the members of a set; quoted ones may hold commas."""
    kept, quoted = _without_quotes(text)
    return [_restored(one, quoted) for one in kept.split(", ")]


def _bound(text: str, expression: str, row: Row) -> float:
    """Return a threshold: a number, an ordered level or a date."""
    levels: Sequence[str] = row.get(f"order of {expression}", ())
    if text in levels:
        return float(levels.index(text))
    if _DATE.fullmatch(text):
        moment = dt.datetime.fromisoformat(text) - dt.datetime(1970, 1, 1)
        return moment / dt.timedelta(days=1)
    return float(text)


def linear(text: str, row: Row, fills: Fills | None = None) -> float:
    """Return a sum of terms such as ``1.5*age``, ``[color=red]`` and ``- 2``."""
    kept, quoted = _without_quotes(text)
    total, sign = 0.0, 1.0
    for piece in re.split(r" ([+-]) (?![^\[]*\])", kept):
        if piece in "+-":
            sign = 1.0 if piece == "+" else -1.0
            continue
        if piece.startswith("-"):
            sign, piece = -sign, piece[1:]
        match = re.fullmatch(r"(?:([\d.e+-]+)\*)?(.*)", piece)
        assert match is not None
        size = float(match[1] or 1.0)
        total += sign * size * _value(_restored(match[2], quoted), row, fills)
    return total


def _value(name: str, row: Row, fills: Fills | None) -> float:
    if match := re.fullmatch(r"\[(.*) is missing\]", name):
        return float(_get(row, match[1]) is None)
    if match := re.fullmatch(r"\[(.*?)=(.*)\]", name):
        value = _get(row, match[1])
        return _fill(name, fills) if value is None else float(str(value) == match[2])
    try:
        value = _get(row, name)
    except KeyError:
        return float(name)  # a constant
    return _fill(name, fills) if value is None else float(value)


def _fill(name: str, fills: Fills | None) -> float:
    if fills is None:
        raise UnsaidError
    return fills[name]


def _get(row: Row, name: str) -> Any:
    """Return a value by the name as printed, or by the name that is quoted."""
    return row[json.loads(name)] if name not in row and name.startswith('"') else row[name]


def _without_quotes(text: str) -> tuple[str, list[str]]:
    quoted = _QUOTED.findall(text)
    return _QUOTED.sub("\0", text), quoted


def _restored(piece: str, quoted: list[str]) -> str:
    while "\0" in piece:
        piece = piece.replace("\0", quoted.pop(0), 1)
    return piece
