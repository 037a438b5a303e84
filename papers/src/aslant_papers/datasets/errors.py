"""The error for a data set of which no copy is available."""

from __future__ import annotations

from aslant.datasets import DatasetError


class DatasetUnavailableError(DatasetError):
    """A data set of the papers of which no copy can be reached from here."""
