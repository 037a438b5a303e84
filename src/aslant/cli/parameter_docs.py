"""What the parameters of a method mean, from the docstrings."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import aslant.search
from aslant.estimators import ObliqueDecisionTreeClassifier
from aslant.methods import Method

_SECTION = re.compile(r"^Parameters\n-+\n(.*?)(?=\n\S[^\n]*\n-+\n|\Z)", re.DOTALL | re.MULTILINE)
_ENTRY = re.compile(r"^(\w+(?:, \w+)*)(?: : (.*))?$")
_DEFAULT = re.compile(r",? default=.*$| \(default.*\)$|, optional$")
_MENTIONED = re.compile(r"`aslant\.search\.(\w+)`")
# A description that only points elsewhere; the place it points to is looked through as well.
_POINTER = re.compile(r"^(Parameters of |As (for|in) |See )")


class Entry(NamedTuple):
    """A parameter as a docstring describes it."""

    values: str
    meaning: str


def describe_parameters(method: Method, names: list[str]) -> dict[str, Entry]:
    """Return what the docstrings say of these parameters; empty texts where they are silent."""
    found: dict[str, Entry] = {}
    for cls in _places(method):
        for name, entry in parse(inspect.getdoc(cls) or "").items():
            known = found.get(name)
            if known is None or (_POINTER.match(known.meaning) and entry.meaning):
                found[name] = entry
    return {name: found.get(name, Entry("", "")) for name in names}


def _places(method: Method) -> Iterator[type[Any]]:
    """Yield the classes whose docstrings may know a parameter, the most special first."""
    yield from (cls for cls in method.estimator.__mro__ if cls.__module__.startswith("aslant"))
    for name in _MENTIONED.findall(inspect.getdoc(method.estimator) or ""):
        yield getattr(aslant.search, name)
    yield ObliqueDecisionTreeClassifier


def parse(docstring: str) -> dict[str, Entry]:
    """Return the parameters of a docstring in NumPy's format; what is odd is passed over."""
    match = _SECTION.search(docstring)
    entries: dict[str, Entry] = {}
    names: list[str] = []
    values, lines = "", []
    for line in [*(match[1].splitlines() if match else []), "end :"]:
        if line.startswith(" ") or not line.strip():
            lines.append(line.strip())
            continue
        for name in names:
            entries[name] = Entry(_DEFAULT.sub("", values).strip(), " ".join(filter(None, lines)))
        head = _ENTRY.match(line.rstrip())
        names = head[1].split(", ") if head else []
        values, lines = (head[2] or "") if head else "", []
    return entries
