"""The encoded columns on one scale, so that a penalty means the same for every feature."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from aslant.encoding.sample import Sample
from aslant.tree.tree import Tree

Vector = npt.NDArray[np.float64]

# So many deviations from the mean is as far as a row can be: sums of such values stay numbers.
_FARTHEST = 1e150


@dataclass(frozen=True)
class StandardColumns:
    """Columns with mean 0 and deviation 1: ``z = (x / unit - mean) / deviation``.

    The unit, the largest absolute value, keeps every number in range, however large or small the
    values of a feature are. Missing values count neither for the mean nor for the deviation and
    stay missing. A column that is constant becomes 0.

    Attributes
    ----------
    feature, level : ndarray of shape (n_columns,)
        The feature each column reads, and the level whose indicator it is (-1: the number itself).
    unit, mean, deviation : ndarray of shape (n_columns,)
        What the columns are divided by, less and divided by again.
    """

    feature: npt.NDArray[np.int32]
    level: npt.NDArray[np.int32]
    unit: Vector
    mean: Vector
    deviation: Vector

    @classmethod
    def of(cls, tree: Tree, sample: Sample) -> Self:
        """Measure the columns that a tree may read on the rows of a sample."""
        feature, level = tree.column_feature, tree.column_level
        x = _encoded(sample.X, feature, level)
        missing = np.isnan(x)
        x[missing] = 0.0
        weight = np.where(missing, 0.0, sample.weight[:, np.newaxis])
        total = weight.sum(axis=0)
        total[total == 0.0] = 1.0  # a column without a value
        unit = np.abs(x).max(axis=0, initial=0.0)
        unit[unit == 0.0] = 1.0
        x /= unit
        mean = (weight * x).sum(axis=0) / total
        deviation = np.sqrt((weight * (x - mean) ** 2).sum(axis=0) / total)
        deviation[deviation <= 1e-12] = 1.0
        return cls(feature, level, unit, mean, deviation)

    def transform(self, X: npt.NDArray[np.floating[Any]]) -> npt.NDArray[np.float64]:
        """Return the standardised columns of encoded rows, NaN where missing."""
        Z = _encoded(X, self.feature, self.level)
        with np.errstate(over="ignore"):  # a row that was not measured may be anywhere
            Z /= self.unit
            Z -= self.mean
            Z /= self.deviation
        return np.clip(Z, -_FARTHEST, _FARTHEST, out=Z)

    def planes_from_input(self, coef: Vector, threshold: Vector) -> tuple[Vector, Vector]:
        """Return v and c with ``v @ z + c`` a multiple of ``coef @ x - threshold``, a row each."""
        with np.errstate(over="ignore", invalid="ignore"):
            v = coef * self.unit * self.deviation
            c = v @ (self.mean / self.deviation) - threshold
        beyond = ~np.isfinite(v).all(axis=1) | ~np.isfinite(c)
        if beyond.any():
            v[beyond], c[beyond] = self._small_planes(coef[beyond], threshold[beyond])
        return v, c

    def _small_planes(self, coef: Vector, threshold: Vector) -> tuple[Vector, Vector]:
        """Return the same for numbers beyond the range, divided by a power of two for each row."""
        digits, power = np.frexp(coef)
        unit_digits, unit_power = np.frexp(self.unit)
        power = power + unit_power
        largest = np.where(coef != 0.0, power, np.iinfo(np.int32).min).max(axis=1)
        largest = np.maximum(largest, -2000)  # a plane without coefficients
        v = np.ldexp(digits * unit_digits, power - largest[:, np.newaxis]) * self.deviation
        return v, v @ (self.mean / self.deviation) - np.ldexp(threshold, -largest)

    def planes_to_input(self, v: Vector, c: Vector) -> tuple[Vector, Vector, Vector]:
        """Return coefficients, thresholds and steepness of ``v @ z + c > 0`` in the input's units.

        The largest coefficient of a plane is 1 or -1, and ``v @ z + c`` is steepness times
        ``coef @ x - threshold``.
        """
        with np.errstate(divide="ignore", over="ignore", under="ignore", invalid="ignore"):
            raw = np.nan_to_num(v / self.deviation)
            size = np.log(np.abs(raw)) - np.log(self.unit)
            rows = np.arange(len(raw))
            leading = size.argmax(axis=1)
            unit = self.unit[leading]
            lead = np.abs(raw[rows, leading])
            lead[lead == 0.0] = 1.0  # a plane without coefficients
            coef = raw / lead[:, np.newaxis] * (unit[:, np.newaxis] / self.unit)
            threshold = (raw @ self.mean - c) / lead * unit
            steepness = lead / unit
        largest = np.finfo(np.float64).max
        coef[~np.isfinite(coef)] = 0.0
        return coef, np.clip(threshold, -largest, largest), np.clip(steepness, 0.0, largest)

    def fills_from_input(self, fill: Vector) -> Vector:
        """Return values in the units of the input as those of standardised columns."""
        return (fill / self.unit - self.mean) / self.deviation

    def fills_to_input(self, fill: Vector) -> Vector:
        """Return values of standardised columns in the units of the input."""
        return (fill * self.deviation + self.mean) * self.unit


def _encoded(
    X: npt.NDArray[np.floating[Any]], feature: npt.NDArray[np.int32], level: npt.NDArray[np.int32]
) -> Vector:
    """Return the columns of rows, indicators written out."""
    columns = X[:, feature].astype(np.float64)
    indicators = level >= 0
    if indicators.any():
        codes = columns[:, indicators]
        inside = (codes == level[indicators]).astype(np.float64)
        columns[:, indicators] = np.where(np.isnan(codes), np.nan, inside)
    return columns
