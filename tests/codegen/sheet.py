"""Evaluates the formulas of a sheet: each becomes an expression of Python.

Knows the functions and operators that `export_code(model, "excel")` writes, with Excel's meaning.
`test_excel.py` compares it with the package formulas.
"""

from __future__ import annotations

import csv
import datetime as dt
import io
import math
import re
from collections.abc import Iterator
from types import CodeType
from typing import Any

_TOKEN = re.compile(
    r'"(?:[^"]|"")*"|[A-Z]+2(?::[A-Z]+2)?(?![\w(])|[<>]=|<>|TRUE|FALSE|[A-Z]+(?=\()|.', re.S
)
_EPOCH = dt.date(1899, 12, 30)


class Sheet:
    """The headings and the formulas of a model.

    Parameters
    ----------
    code : str
        What `export_code` returns.
    """

    def __init__(self, code: str) -> None:
        lines = list(csv.reader(io.StringIO(code), delimiter="\t", quoting=csv.QUOTE_NONE))
        self.headings, self.formulas = lines
        assert len(self.headings) == len(self.formulas) == len(set(self.headings))
        self.compiled: dict[int, CodeType] = {
            j: compile(_python(text[1:]), text[:200], "eval")
            for j, text in enumerate(self.formulas)
            if text
        }

    def answer(self, row: list[Any]) -> dict[str, Any]:
        """Return the value of every cell by heading; an empty cell is an empty text."""
        cells = ["" if value is None else value for value in row]
        known = {**FUNCTIONS, "cells": cells}
        for j, formula in self.compiled.items():
            assert j == len(cells)
            cells.append(eval(formula, known))
        return dict(zip(self.headings, cells, strict=True))


def _python(formula: str) -> str:
    tokens = iter(_TOKEN.findall(formula))
    (text,) = _arguments(tokens)
    return text


def _arguments(tokens: Iterator[str]) -> list[str]:
    """Return expressions up to the parenthesis that closes them, or to the end."""
    found = [""]
    for token in tokens:
        if token == ")":
            break
        if token == ",":
            found.append("")
        elif token == "{":
            found[-1] += f"[{_until_brace(tokens)}]"
        elif token == "(":
            found[-1] += f"({_arguments(tokens)[0]})"
        elif token in FUNCTIONS:
            found[-1] += token if token in ("TRUE", "FALSE") else _call(token, tokens)
        else:
            found[-1] += _translated(token)
    return found


def _call(name: str, tokens: Iterator[str]) -> str:
    assert next(tokens) == "("
    own = _arguments(tokens)
    if name == "IF":  # only the branch that is taken is evaluated
        return f"({own[1]} if {own[0]} else {own[2]})"
    return f"{name}({', '.join(own)})"


def _until_brace(tokens: Iterator[str]) -> str:
    listed = ""
    while (token := next(tokens)) != "}":
        listed += _translated(token)
    return listed


def _translated(token: str) -> str:
    if token.startswith('"'):
        return repr(token[1:-1].replace('""', '"'))
    if re.fullmatch(r"[A-Z]+2", token):
        return f"cells[{_column(token)}]"
    if match := re.fullmatch(r"([A-Z]+2):([A-Z]+2)", token):
        return f"cells[{_column(match[1])}:{_column(match[2]) + 1}]"
    return {"=": "==", "^": "**", "<>": "!="}.get(token, token)


def _column(cell: str) -> int:
    number = 0
    for letter in cell[:-1]:
        number = 26 * number + ord(letter) - ord("A") + 1
    return number - 1


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _day(value: Any) -> dt.date:
    return _EPOCH + dt.timedelta(days=math.floor(value))


FUNCTIONS: dict[str, Any] = {
    "IF": NotImplemented,
    "NOT": lambda condition: not condition,
    "ISNUMBER": _is_number,
    "EXACT": lambda one, other: str(one) == str(other),
    "CHOOSE": lambda place, *values: values[int(place) - 1],
    "INDEX": lambda values, place: values[int(place) - 1],
    "MATCH": lambda value, values, _: values.index(value) + 1,
    "MAX": lambda *values: max(_flat(values)),
    "MIN": lambda *values: min(_flat(values)),
    "SUM": lambda *values: math.fsum(_flat(values)),
    "SUMPRODUCT": lambda one, other: math.fsum(a * b for a, b in zip(one, other, strict=True)),
    "LARGE": lambda values, k: sorted(values, reverse=True)[k - 1],
    "ABS": abs,
    "EXP": math.exp,
    "INT": math.floor,
    "YEAR": lambda value: _day(value).year,
    "MONTH": lambda value: _day(value).month,
    "DAY": lambda value: _day(value).day,
    "WEEKDAY": lambda value, _: _day(value).isoweekday(),
    "TRUE": True,
    "FALSE": False,
}


def _flat(values: tuple[Any, ...]) -> list[Any]:
    return [one for value in values for one in (value if isinstance(value, list) else [value])]
