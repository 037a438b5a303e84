"""Training rows after validation, and ways to divide them.

Rows are put in a random order that depends on their *content* and a seed, not on their position.
So holding rows out neither depends on how the data happens to be sorted nor separates copies of the
same row, and a row of weight 2 behaves like the row twice.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True)
class Sample:
    """Encoded rows with class codes and weights.

    Attributes
    ----------
    X : ndarray of shape (n_rows, n_features)
        Numbers, level codes for categories, NaN for missing values.
    y : ndarray of shape (n_rows,)
        Class codes 0, ..., n_classes - 1.
    weight : ndarray of shape (n_rows,)
        Positive weights.
    n_classes : int
        Number of classes of the problem.
    for_pruning : ndarray of shape (n_rows,), optional
        Mask of the rows that the caller chose to be held out; else `hold_out` chooses.
    """

    X: npt.NDArray[np.floating[Any]]
    y: npt.NDArray[np.int32]
    weight: npt.NDArray[np.float64]
    n_classes: int
    for_pruning: npt.NDArray[np.bool_] | None = None

    def __len__(self) -> int:
        return len(self.y)

    def take(self, rows: npt.NDArray[Any]) -> Sample:
        """Return some of the rows: indices or a mask."""
        chosen = None if self.for_pruning is None else self.for_pruning[rows]
        return Sample(self.X[rows], self.y[rows], self.weight[rows], self.n_classes, chosen)

    def hold_out(self, fraction: float, seed: int) -> tuple[Sample, Sample]:
        """Divide into (kept, held out), the latter at most this fraction of the weight.

        Rows that the caller chose to be held out are taken as they are, whatever the fraction.
        """
        if self.for_pruning is not None:
            return self.take(~self.for_pruning), self.take(self.for_pruning)
        position = self._position(seed)
        out = position <= fraction * (1.0 + 1e-12)
        return self.take(~out), self.take(out)

    def folds(self, n_folds: int, seed: int) -> npt.NDArray[np.intp]:
        """Return the fold, 0 to n_folds - 1, of each row; folds have nearly equal weight."""
        position = self._position(seed)
        return np.minimum((position * n_folds - 1e-9).astype(np.intp), n_folds - 1)

    def _position(self, seed: int) -> npt.NDArray[np.float64]:
        """Share of the weight that stands at or before each row in the random order."""
        key = self._content_key(seed)
        _, group = np.unique(key, return_inverse=True)
        mass = np.bincount(group, weights=self.weight)
        return (np.cumsum(mass) / mass.sum())[group]

    def _content_key(self, seed: int) -> npt.NDArray[np.uint64]:
        """64 scrambled bits per row, equal for equal rows."""
        key = _scramble(self.y.astype(np.uint64) + np.uint64(seed % 2**64))
        for column in self.X.T:
            value = column.astype(np.float64) + 0.0  # -0.0 equals 0.0
            value[np.isnan(value)] = np.nan  # all missing values have the same bits
            key = _scramble(key ^ _scramble(value.view(np.uint64)))
        return key


def _scramble(z: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """SplitMix64's mixing of 64 bits (Steele, Lea and Flood 2014)."""
    with np.errstate(over="ignore"):
        z = z + np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))
