"""Errors of data sets and data files: one sentence each."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class DatasetError(ValueError):
    """A data set or a data file that cannot be used as asked."""


class DatasetNotFoundError(DatasetError, FileNotFoundError):
    """A data file that does not exist."""


def did_you_mean(word: str, allowed: Iterable[str]) -> str:
    """Return ``"; did you mean 'x'?"`` for the nearest allowed word, or an empty string."""
    nearest = get_close_matches(word, list(allowed), n=1, cutoff=0.5)
    return f"; did you mean {nearest[0]!r}?" if nearest else ""
