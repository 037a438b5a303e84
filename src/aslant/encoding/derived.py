"""Features that are made from a column: where it is missing, parts of dates, shares of classes."""

from __future__ import annotations

from dataclasses import dataclass

MISSING, SHARE = "is missing", "share of"


@dataclass(frozen=True)
class Derived:
    """A feature made from a column: where it is missing, a part of a date, the share of a class.

    Attributes
    ----------
    source : int
        The column.
    what : str
        `MISSING`, `SHARE`, or the name of the part.
    class_code : int
        Of a share: the class.
    """

    source: int
    what: str
    class_code: int = -1

    def name(self, column: str, class_names: list[str]) -> str:
        """Return the name of the feature, if the column is called so."""
        if self.what == SHARE:
            return share_name(column, class_names[self.class_code])
        return f"{column} {MISSING}" if self.what == MISSING else f"{column} ({self.what})"


def share_name(column: str, class_name: str) -> str:
    """Return the name of the share of a class."""
    return f"{column} ({SHARE} {class_name})"
