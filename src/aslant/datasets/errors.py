"""What can go wrong with data, said in one sentence.

Every problem with a data set or a CSV file is a `DatasetError`, so that a program (the command
line first of all) can catch one class and print one line.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class DatasetError(ValueError):
    """A data set or a data file that cannot be used as asked."""


def did_you_mean(word: str, allowed: Iterable[str]) -> str:
    """Return ``"; did you mean 'x'?"`` for the nearest allowed word, or an empty string."""
    nearest = get_close_matches(word, list(allowed), n=1, cutoff=0.5)
    return f"; did you mean {nearest[0]!r}?" if nearest else ""
