"""Training rows after validation, and ways to divide them.

Rows are put in a random order that depends on their *content* and a seed, not on their position,
and are dealt out in that order like cards. So holding rows out does not depend on how the data
happens to be sorted, copies of a row are shared out evenly, and a row of weight 2 is dealt as the
row twice. Weights that are not whole numbers count no copies: such rows are dealt as they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
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
        end = self._dealt_before(seed) + self.weight
        if self._counts_copies():
            begin = end - self.weight
            out = np.floor(end * fraction + 1e-9) - np.floor(begin * fraction + 1e-9)
        else:
            out = np.where(end <= fraction * self.weight.sum() * (1.0 + 1e-12), self.weight, 0.0)
        return self._weighing(self.weight - out), self._weighing(out)

    def folds(self, n_folds: int, seed: int) -> Iterator[tuple[Sample, Sample]]:
        """Yield (the other folds, the fold) for each of some folds of nearly equal weight."""
        begin = self._dealt_before(seed)
        for fold in range(n_folds):
            if self._counts_copies():  # a fold gets every n_folds-th card
                first, last = (begin - fold) / n_folds, (begin - fold + self.weight) / n_folds
                part = np.ceil(last - 1e-9) - np.ceil(first - 1e-9)
            else:
                position = (begin + self.weight) / self.weight.sum() * n_folds - 1e-9
                mine = np.minimum(position.astype(np.intp), n_folds - 1) == fold
                part = np.where(mine, self.weight, 0.0)
            yield self._weighing(self.weight - part), self._weighing(part)

    @property
    def n_cases(self) -> float:
        """Number of rows, each counted as often as a whole weight says."""
        return float(self.weight.sum()) if self._counts_copies() else float(len(self))

    def _counts_copies(self) -> bool:
        return bool((self.weight == np.floor(self.weight)).all())

    def _weighing(self, weight: npt.NDArray[np.float64]) -> Sample:
        """Return the rows with other weights, without those that weigh nothing."""
        return replace(self, weight=weight).take(weight > 0.0)

    def _dealt_before(self, seed: int) -> npt.NDArray[np.float64]:
        """Weight that stands before each row in the random order."""
        order = np.argsort(self._content_key(seed), kind="stable")
        before = np.empty(len(self))
        before[order] = np.cumsum(self.weight[order]) - self.weight[order]
        return before

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
