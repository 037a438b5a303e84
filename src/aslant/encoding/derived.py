"""Derived features: missing indicators, parts of dates, target encodings of further classes."""

from __future__ import annotations

from dataclasses import dataclass

MISSING, SHARE = "is missing", "share of"


@dataclass(frozen=True)
class Derived:
    """A feature derived from a column: missing indicator, part of a date, or target encoding.

    Attributes
    ----------
    source : int
        The column.
    what : str
        `MISSING`, `SHARE` (target encoding: the share of a class in the level), or a part of dates.
    class_code : int
        Of a target encoding: the class.
    """

    source: int
    what: str
    class_code: int = -1

    def name(self, column: str, class_names: list[str]) -> str:
        """Return the name of the feature, given the name of its column."""
        if self.what == SHARE:
            return share_name(column, class_names[self.class_code])
        return f"{column} {MISSING}" if self.what == MISSING else f"{column} ({self.what})"


def share_name(column: str, class_name: str) -> str:
    """Return the name of the target encoding of a column for a class."""
    return f"{column} ({SHARE} {class_name})"
