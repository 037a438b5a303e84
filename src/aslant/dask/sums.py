"""Sums in twofold precision, as the core keeps them, added over partitions.

What rounding loses is summed as well, so that a sum does not depend on how the rows are divided.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]


def added(a: Array, b: Array) -> Array:
    """Add pairs (sum, rounding error), the last axis of both."""
    total = a[..., 0] + b[..., 0]
    part = total - a[..., 0]
    lost = a[..., 1] + ((a[..., 0] - (total - part)) + (b[..., 0] - part)) + b[..., 1]
    return np.stack([total, lost], axis=-1)


def exact_sum(values: Array) -> tuple[float, float]:
    """Return the sum of some values and its rounding error."""
    if (values == np.floor(values)).all() and np.abs(values).sum() < 2.0**53:  # exact
        return float(values.sum()), 0.0
    total = math.fsum(values.tolist())
    return total, math.fsum([*values.tolist(), -total])


def total_of(pairs: Iterable[tuple[float, float]]) -> float:
    """Return the sum of what `exact_sum` returned for parts of the values."""
    return math.fsum(number for pair in pairs for number in pair)


class FactsLayout:
    """The layout of a node's facts: see ``src/core/node/node_facts.hpp``.

    Parameters
    ----------
    width : int
        Statistics of a node: its classes, or 1 and its outputs.
    n_columns, n_features, n_outputs : int
        Columns that a test may read, features, numbers to predict.
    """

    def __init__(self, width: int, n_columns: int, n_features: int, n_outputs: int) -> None:
        self._pairs = 2 * (width + n_columns + n_features)
        self._n_features = n_features
        self._n_outputs = n_outputs

    def merged(self, a: Array, b: Array) -> Array:
        """Return the facts of the same nodes over both parts of their rows, one node a row."""
        begin, end = 1, 1 + self._pairs
        result = np.empty_like(a)
        result[:, 0] = a[:, 0] + b[:, 0]
        shape = (len(a), self._pairs // 2, 2)
        sums = added(a[:, begin:end].reshape(shape), b[:, begin:end].reshape(shape))
        result[:, begin:end] = sums.reshape(len(a), self._pairs)
        high = end + self._n_features + self._n_outputs
        low = end + self._n_features
        result[:, end:low] = np.maximum(a[:, end:low], b[:, end:low])
        result[:, low:high] = np.minimum(a[:, low:high], b[:, low:high])
        result[:, high:] = np.maximum(a[:, high:], b[:, high:])
        return result


def merged_bins(a: Array, b: Array, n_bins: int) -> Array:
    """Return the bins of a line over both parts of its rows (``src/core/line/line_bins.hpp``)."""
    result = np.empty_like(a)
    heads = 3 * n_bins
    x, y = a[:heads].reshape(n_bins, 3), b[:heads].reshape(n_bins, 3)
    joined = np.column_stack(
        [x[:, 0] + y[:, 0], np.minimum(x[:, 1], y[:, 1]), np.maximum(x[:, 2], y[:, 2])]
    )
    result[:heads] = joined.ravel()
    result[heads:] = added(a[heads:].reshape(-1, 2), b[heads:].reshape(-1, 2)).ravel()
    return result
