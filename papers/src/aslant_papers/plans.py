"""Plans that only papers use: all rows, and divisions that come with a data set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from aslant.comparison.splits import Division, Plan


@dataclass(frozen=True)
class AllRows(Plan):
    """All rows to train on and to test on: for facts about the tree itself, such as its size."""

    def divide(
        self, y: npt.NDArray[Any], split: npt.NDArray[np.str_] | None, run: int
    ) -> list[Division]:
        """Return the same rows twice: see `Plan.divide`."""
        rows = np.arange(len(y))
        return [Division(rows, rows)]


@dataclass(frozen=True)
class FixedTest(Plan):
    """The training and test rows that the data set comes with; runs differ in the seed alone."""

    def divide(
        self, y: npt.NDArray[Any], split: npt.NDArray[np.str_] | None, run: int
    ) -> list[Division]:
        """Return the given division: see `Plan.divide`."""
        if split is None:
            raise ValueError("this copy of the data set does not say which rows are for testing")
        return [Division(np.flatnonzero(split == "train"), np.flatnonzero(split == "test"))]
