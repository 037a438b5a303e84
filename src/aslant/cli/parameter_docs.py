"""Descriptions of parameters, from the docstrings."""

from __future__ import annotations

import inspect
import re
from typing import Any, NamedTuple

from aslant.estimators.methods import Method

_SECTION = re.compile(r"^Parameters\n-+\n(.*?)(?=\n\S[^\n]*\n-+\n|\Z)", re.DOTALL | re.MULTILINE)
_ENTRY = re.compile(r"^(\w+(?:, \w+)*)(?: : (.*))?$")
_DEFAULT = re.compile(r",? default=.*$| \(default.*\)$|, optional$")


class ParameterEntry(NamedTuple):
    """A parameter as a docstring describes it."""

    values: str
    meaning: str


def describe_parameters(method: Method, names: list[str]) -> dict[str, ParameterEntry]:
    """Return the docstring entries of parameters; empty texts where there are none."""
    estimator = method.estimator()
    return {name: _entry(estimator, name) for name in names}


def _entry(owner: Any, name: str) -> ParameterEntry:
    """Return the entry of a parameter, ``pruning__cv`` being that of a parameter's value."""
    outer, _, inner = name.partition("__")
    if inner:
        return _entry(getattr(owner, outer), inner)
    return parse(inspect.getdoc(type(owner)) or "").get(outer, ParameterEntry("", ""))


def parse(docstring: str) -> dict[str, ParameterEntry]:
    """Return the parameters of a docstring in NumPy's format; other lines are skipped."""
    match = _SECTION.search(docstring)
    entries: dict[str, ParameterEntry] = {}
    names: list[str] = []
    values, lines = "", []
    for line in [*(match[1].splitlines() if match else []), "end :"]:
        if line.startswith(" ") or not line.strip():
            lines.append(line.strip())
            continue
        for name in names:
            allowed = _DEFAULT.sub("", values).strip()
            entries[name] = ParameterEntry(allowed, " ".join(filter(None, lines)))
        head = _ENTRY.match(line.rstrip())
        names = head[1].split(", ") if head else []
        values, lines = (head[2] or "") if head else "", []
    return entries
