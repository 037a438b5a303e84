"""Constructor parameters as annotated attributes, documented once.

A subclass inherits its parents' parameters and their documentation instead of repeating them; a
published system takes those of its search from the search (`_documented_in`).
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from dataclasses import MISSING, dataclass, field, fields
from typing import Any, TypeVar, dataclass_transform

from sklearn.base import BaseEstimator

_Class = TypeVar("_Class")

# Sections of a docstring in numpydoc's order; the first two are put together from several classes.
_SECTIONS = ("Parameters", "Attributes", "See Also", "Notes", "References", "Examples")
_HEADING = re.compile(r"^(\w[\w ]*)\n-{3,}\n", flags=re.MULTILINE)


class FreshDefault:
    """A default that is made fresh for every object, so that no two share it.

    In a signature it shows what it makes, and equals it.
    """

    def __init__(self, make: Callable[[], BaseEstimator]) -> None:
        self._make = make

    def __call__(self) -> BaseEstimator:
        """Return a new default."""
        return self._make()

    def __eq__(self, other: object) -> bool:
        made = self._make()
        if not isinstance(other, BaseEstimator):
            return NotImplemented
        return type(other) is type(made) and bool(other.get_params() == made.get_params())

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(self._make())


def fresh(make: Callable[[], Any]) -> Any:
    """Return the default of a parameter whose value is made fresh for every object."""
    return field(default_factory=FreshDefault(make))


@dataclass_transform(kw_only_default=True, field_specifiers=(field, fresh))
def parameters(cls: type[_Class]) -> type[_Class]:
    """Make the annotated attributes of a class its constructor's parameters, keyword-only.

    scikit-learn reads parameters off the constructor; this writes the constructor, and a subclass
    inherits its parents' parameters instead of repeating them. In the signature the class's own
    parameters come first. The docstring gets those that the class does not document itself from its
    parents, or from the classes in its attribute ``_documented_in``.
    """
    made = dataclass(kw_only=True, eq=False, repr=False)(cls)
    made.__init__.__signature__ = _signature(made)  # type: ignore[attr-defined]
    return documented(made)


def documented(cls: type[_Class]) -> type[_Class]:
    """Complete the docstring of a class, which may have a constructor of its own, from its parents.

    Parameters of its constructor and attributes that it does not document itself are taken over.
    """
    if cls.__doc__ is not None:  # it is None if Python was told to drop docstrings
        cls._own_doc = cls.__dict__["__doc__"]  # type: ignore[attr-defined]
        cls.__doc__ = _documented(cls)
    return cls


def _signature(cls: type[Any]) -> inspect.Signature:
    """Return the signature of the constructor: positional first, then own, then inherited.

    What comes from a mixin, such as the parameters of a search, is the class's own.
    """
    written = inspect.signature(cls.__init__)
    mixins = [one for one in cls.__mro__[1:] if not issubclass(one, BaseEstimator)]
    own = [name for one in (*mixins, cls) for name in inspect.get_annotations(one)]
    made_anew = {
        one.name: one.default_factory for one in fields(cls) if one.default_factory is not MISSING
    }
    found = [
        parameter.replace(default=made_anew.get(name, parameter.default))
        for name, parameter in written.parameters.items()
    ]
    this, *others = found
    place = {name: number for number, name in enumerate(own)}
    keyword = inspect.Parameter.KEYWORD_ONLY
    others.sort(key=lambda one: (one.kind == keyword, place.get(one.name, len(own))))
    return written.replace(parameters=[this, *others])


# ---------------------------------------------------------------------- docstrings


def _documented(cls: type[Any]) -> str:
    """Return the docstring of a class with its parents' parameters and attributes."""
    head, sections = _sections(cls._own_doc)
    sources = [*cls.__mro__, *getattr(cls, "_documented_in", ())]
    known = list(inspect.signature(cls).parameters)
    for title in ("Parameters", "Attributes"):
        entries: dict[str, str] = {}
        for source in sources:
            own = source.__dict__.get("_own_doc") or source.__dict__.get("__doc__") or ""
            for name, text in _entries(_sections(own)[1].get(title, "")).items():
                entries.setdefault(name, text)
        names = known if title == "Parameters" else list(entries)
        sections[title] = "".join(entries[name] for name in names if name in entries)
    parts = [head.rstrip() + "\n"]
    for title in _SECTIONS:
        if sections.get(title):
            parts.append(f"{title}\n{'-' * len(title)}\n{sections[title].rstrip()}\n")
    return "\n".join(parts)


def _sections(doc: str) -> tuple[str, dict[str, str]]:
    """Return the beginning of a docstring, and its sections by title."""
    pieces = _HEADING.split(inspect.cleandoc(doc) + "\n")
    return pieces[0], dict(zip(pieces[1::2], pieces[2::2], strict=True))


def _entries(section: str) -> dict[str, str]:
    """Return the entries of a section by name; one entry may be for several names."""
    found = {}
    for text in re.split(r"^(?=\S)", section, flags=re.MULTILINE):
        heading = text.split("\n", 1)[0].split(" : ")[0]
        if text.strip():
            for name in heading.split(", "):
                found[name.strip()] = text.replace(heading, name.strip(), 1).rstrip() + "\n"
    return found
