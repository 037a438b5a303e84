"""Training rows after validation, and ways to divide them.

A `Sample` is a list of row numbers over the data of the whole fit: dividing it copies no data.

Rows are put in a random order that depends on their *content* and a seed, not on their position,
and are assigned to parts in that order. So the division does not depend on the row order, and
copies of a row are spread evenly.

A row is held out or kept as one, whatever its weight. So a row of weight 2 counts as two rows in
growing and in validation, but not in dividing. Dividing its copies would put the same row on both
sides, and pruning would then be validated on rows that growing has seen.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import issparse

from aslant import _core
from aslant.encoding.weights import are_units

Matrix = npt.NDArray[np.floating[Any]]
Columns = tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]


class Sample:
    """Some rows of the encoded training data, with targets and weights.

    Parameters
    ----------
    X : ndarray of shape (n_all, n_features)
        Data of the whole fit: numbers, level codes for categories, NaN for missing values.
    y : ndarray of shape (n_all,) or (n_all, n_outputs)
        Class codes 0, ..., n_classes - 1, or regression targets.
    weight : ndarray of shape (n_all,)
        Weights, not negative.
    n_classes : int
        Number of classes of the problem; 0 for regression.
    for_pruning : ndarray of shape (n_all,), optional
        Mask of the rows that the caller chose to be held out; else `hold_out` chooses.
    columns : pair of ndarray, optional
        Feature and level of every encoded column, as ``FeatureEncoder.columns`` returns them; by
        default every feature is one column.
    rows : ndarray of int, optional
        Indices of the rows of the sample, repeated or not; by default all.
    core : dict, optional
        Cache of core objects, shared by samples of the same data.

    Attributes
    ----------
    shared_X, shared_y, shared_weight : ndarray
        The data of the whole fit, as given; all samples made from this one share them.
    """

    def __init__(
        self,
        X: Matrix,
        y: npt.NDArray[Any],
        weight: npt.NDArray[np.float64],
        n_classes: int,
        for_pruning: npt.NDArray[np.bool_] | None = None,
        columns: Columns | None = None,
        rows: npt.NDArray[np.intp] | None = None,
        core: dict[str, Any] | None = None,
    ) -> None:
        self.shared_X = X
        self.shared_y = y
        self.shared_weight = weight
        self.n_classes = n_classes
        if columns is None:
            n_features = X.shape[1]
            columns = np.arange(n_features, dtype=np.int32), np.full(n_features, -1, np.int32)
        self.columns = columns
        self._chosen = for_pruning
        self._rows = rows
        self._core = {} if core is None else core

    def __len__(self) -> int:
        return len(self.shared_y if self._rows is None else self._rows)

    # ------------------------------------------------------------------ what the rows hold

    @property
    def rows(self) -> npt.NDArray[np.intp]:
        """Indices of the rows."""
        return np.arange(len(self), dtype=np.intp) if self._rows is None else self._rows

    @cached_property
    def X(self) -> Matrix:  # noqa: N802 - scikit-learn's name
        """Values of the rows, shape (n_rows, n_features)."""
        return self._of_rows(self.shared_X)

    @cached_property
    def y(self) -> npt.NDArray[Any]:
        """Class codes, or regression targets, of the rows."""
        return self._of_rows(self.shared_y)

    @cached_property
    def weight(self) -> npt.NDArray[np.float64]:
        """Weights of the rows."""
        return self._of_rows(self.shared_weight)

    @property
    def for_pruning(self) -> npt.NDArray[np.bool_] | None:
        """Mask of the rows that the caller chose to be held out, if any were chosen."""
        return None if self._chosen is None else self._of_rows(self._chosen)

    def _of_rows(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return values if self._rows is None else values[self._rows]

    # ------------------------------------------------------------------ dividing

    def take(self, rows: npt.NDArray[Any]) -> Sample:
        """Return some of the rows of this sample: positions or a mask."""
        return self.of_all(self.rows[rows])

    def of_all(self, rows: npt.NDArray[np.intp]) -> Sample:
        """Return some of the rows of the whole fit, by their numbers."""
        return Sample(
            self.shared_X,
            self.shared_y,
            self.shared_weight,
            self.n_classes,
            self._chosen,
            self.columns,
            rows,
            self._core,
        )

    def compact(self) -> Sample:
        """Return the same rows as a data set of their own."""
        if self._rows is None:
            return self
        return Sample(self.X, self.y, self.weight, self.n_classes, self.for_pruning, self.columns)

    def with_target(self, y: npt.NDArray[Any]) -> Sample:
        """Return the same rows with other targets for the data of the whole fit."""
        kept = {name: made for name, made in self._core.items() if name == "features"}
        return Sample(
            self.shared_X,
            y,
            self.shared_weight,
            self.n_classes,
            self._chosen,
            self.columns,
            self._rows,
            kept,
        )

    def core_features(self) -> _core.Features:
        """Return the features of the whole fit as the core reads them, surveyed once."""
        if "features" not in self._core:
            self._core["features"] = _core.Features(self.shared_X, *self.columns)
        return self._core["features"]

    def core_target(self) -> _core.Target:
        """Return the targets and weights of the whole fit as the core reads them."""
        if "target" not in self._core:
            weight = None if are_units(self.shared_weight) else self.shared_weight
            self._core["target"] = _core.Target(self.shared_y, self.n_classes, weight)
        return self._core["target"]

    def n_weighing(self) -> int:
        """Return the number of rows of positive weight."""
        return int(np.count_nonzero(self.weight))

    @property
    def core_rows(self) -> npt.NDArray[np.intp] | None:
        """Indices of the rows for the core: None for all."""
        return self._rows

    def hold_out(self, fraction: float, seed: int) -> tuple[Sample, Sample]:
        """Divide into (kept, held out), the latter at most this fraction of the rows.

        Rows that the caller chose to be held out are taken as they are, whatever the fraction.
        """
        out = self.for_pruning
        if out is None:
            place = self._random_places(seed)
            # Spread the rows that are held out evenly over the order.
            due = np.floor(np.arange(len(self) + 1) * fraction + 1e-9)
            out = (np.diff(due) > 0.0)[place]
        return self.take(~out), self.take(out)

    def folds(self, n_folds: int, seed: int) -> Iterator[tuple[Sample, Sample]]:
        """Yield (the other folds, the fold) for each of some folds of nearly as many rows."""
        fold_of_row = self._random_places(seed) % n_folds
        for fold in range(n_folds):
            yield self.take(fold_of_row != fold), self.take(fold_of_row == fold)

    def _random_places(self, seed: int) -> npt.NDArray[np.intp]:
        """Return the position of each row in the random order."""
        order = np.lexsort((self.weight, self._content_key(seed)))
        place = np.empty(len(self), dtype=np.intp)
        place[order] = np.arange(len(self))
        return place

    def _content_key(self, seed: int) -> npt.NDArray[np.uint64]:
        """64 scrambled bits per row, equal for equal rows."""
        columns = [_sparse_content(self.X)] if issparse(self.X) else list(self.X.T)
        key = np.full(len(self), seed % 2**64, dtype=np.uint64)
        if self.n_classes > 0:
            key = _scramble(self.y.astype(np.uint64) + key)
        else:
            columns += list(np.reshape(self.y, (len(self), -1)).T)
        for column in columns:
            value = column.astype(np.float64) + 0.0  # -0.0 equals 0.0
            value[np.isnan(value)] = np.nan  # all missing values have the same bits
            key = _scramble(key ^ _scramble(value.view(np.uint64)))
        return key


def _sparse_content(X: Any) -> npt.NDArray[np.float64]:
    """Return a number for each row of a sparse matrix, equal for equal rows."""
    value = X.data.astype(np.float64) + 0.0
    value[np.isnan(value)] = np.nan
    key = _scramble(_scramble(value.view(np.uint64)) + X.indices.astype(np.uint64))
    key[value == 0.0] = 0  # stored or not, zeros are the same
    with np.errstate(over="ignore"):
        sums = np.concatenate([[np.uint64(0)], np.cumsum(key, dtype=np.uint64)])
        return (sums[X.indptr[1:]] - sums[X.indptr[:-1]]).astype(np.float64)


def _scramble(z: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """SplitMix64's mixing of 64 bits (Steele, Lea and Flood 2014)."""
    with np.errstate(over="ignore"):
        z = z + np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))
