"""Constructor parameters as annotated attributes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeVar, dataclass_transform

_Class = TypeVar("_Class")


@dataclass_transform(kw_only_default=True, field_specifiers=(field,))
def parameters(cls: type[_Class]) -> type[_Class]:
    """Make the annotated attributes of a class its constructor's parameters, keyword-only.

    scikit-learn reads parameters off the constructor; this writes the constructor, and a subclass
    inherits its parents' parameters instead of repeating them.
    """
    return dataclass(kw_only=True, eq=False, repr=False)(cls)
