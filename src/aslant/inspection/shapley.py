"""Shapley values of predictions, with features replaced by those of background rows.

The value of a coalition of features is the mean output for rows that have these features from the
row to be explained and the others from a background row. The Shapley value of a feature is the mean
of what it adds over all orders of the features. Only features that some test reads add anything;
with d of them there are 2^d coalitions, and all are evaluated if that is affordable.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils import check_random_state

from aslant.inspection.resolve import encoded_rows, outputs, resolve, trees_of
from aslant.inspection.rows import features_read
from aslant.utils.checks import check_number

Array = npt.NDArray[np.float64]

_ROWS_AT_ONCE = 2**17


@dataclass(frozen=True)
class ShapleyValues:
    """Shapley values of rows.

    Attributes
    ----------
    values : ndarray of shape (n_rows, n_features, n_classes) or (n_rows, n_features, n_outputs)
        What each feature adds to the probability of each class, or to each output of a regressor.
        Over the features they sum to the row's output minus `base_values`.
    base_values : ndarray of shape (n_classes,) or (n_outputs,)
        Mean output of the background.
    is_exact : bool
        Whether all coalitions were evaluated; else orders were sampled.
    standard_error : ndarray like `values`
        Zero if values are exact, else their standard error over the sampled orders.
    """

    values: Array
    base_values: Array
    is_exact: bool
    standard_error: Array


def shapley_values(
    estimator: Any,
    X: Any,
    background: Any,
    *,
    max_evaluations: int = 2**22,
    random_state: Any = 0,
) -> ShapleyValues:
    """Return interventional Shapley values of ``predict_proba``, for a regressor of ``predict``.

    Parameters
    ----------
    estimator : fitted classifier or regressor
        A tree, forest or other ensemble of this package, or a pipeline of scalers that ends in one.
    X : array-like or data frame of shape (n_samples, n_features)
        Rows to explain.
    background : array-like or data frame of shape (n_background, n_features)
        Rows that replace absent features; a hundred training rows are usual.
    max_evaluations : int, default=2**22
        The largest number of predictions for one row. Values are exact if 2^d times the number of
        background rows is no larger, where d is the number of features that the model reads; else
        orders of the features are sampled, in pairs of an order and its reverse.
    random_state : int, RandomState or None, default=0
        Seed of the orders.

    Returns
    -------
    ShapleyValues
        The values, and whether they are exact.
    """
    check_number("max_evaluations", max_evaluations, 1, integer=True)
    resolved = resolve(estimator, "shapley_values")
    rows, others = encoded_rows(resolved, X), encoded_rows(resolved, background)
    used = features_read(trees_of(resolved))
    game = _Game(resolved, others, used)
    is_exact = 2 ** len(used) * len(others) <= max_evaluations
    base = outputs(resolved, others).mean(axis=0)
    shape = (len(rows), rows.shape[1], len(base))
    values, errors = np.zeros(shape), np.zeros(shape)
    if not is_exact:
        n_pairs = max_evaluations // (2 * (len(used) + 1) * len(others))
        orders = _orders(len(used), max(2, n_pairs), random_state)
    for i, row in enumerate(rows):
        if is_exact:
            values[i, used] = _exact(game, row)
        else:
            values[i, used], errors[i, used] = _sampled(game, row, orders)
    return ShapleyValues(values, base, is_exact, errors)


class _Game:
    """The values of coalitions of features."""

    def __init__(self, model: Any, background: Array, used: npt.NDArray[np.intp]) -> None:
        self.model = model
        self.background = background
        self.used = used

    def value(self, row: Array, coalitions: npt.NDArray[np.bool_]) -> Array:
        """Return the mean outputs for each coalition, one a row."""
        n_background = len(self.background)
        at_once = max(1, _ROWS_AT_ONCE // n_background)
        values = []
        for first in range(0, len(coalitions), at_once):
            chosen = coalitions[first : first + at_once]
            mixed = np.tile(self.background, (len(chosen), 1, 1))
            mixed[:, :, self.used] = np.where(
                chosen[:, np.newaxis], row[self.used], mixed[:, :, self.used]
            )
            predicted = outputs(self.model, mixed.reshape(-1, mixed.shape[2]))
            values.append(predicted.reshape(len(chosen), n_background, -1).mean(axis=1))
        return np.concatenate(values)


def _exact(game: _Game, row: Array) -> Array:
    """Return the Shapley values of the features in use, from all coalitions."""
    d = len(game.used)
    codes = np.arange(2**d)
    members = (codes[:, np.newaxis] >> np.arange(d) & 1).astype(bool)
    value = game.value(row, members)
    size = members.sum(axis=1)
    weight = np.array([1.0 / (d * comb(d - 1, k)) for k in range(d)])
    values = np.zeros((d, value.shape[1]))
    for j in range(d):
        without = codes[~members[:, j]]
        added = value[without | (1 << j)] - value[without]
        values[j] = weight[size[without]] @ added
    return values


def _orders(d: int, n_pairs: int, random_state: Any) -> npt.NDArray[np.intp]:
    """Return pairs of an order and its reverse, shape (n_pairs, 2, d)."""
    rng = check_random_state(random_state)
    orders = np.array([rng.permutation(d) for _ in range(n_pairs)])
    return np.stack([orders, orders[:, ::-1]], axis=1)


def _sampled(game: _Game, row: Array, orders: npt.NDArray[np.intp]) -> tuple[Array, Array]:
    """Return the mean of what features add over sampled orders, and its standard error."""
    n_pairs, _, d = orders.shape
    of_pairs = []
    for pair in orders:
        gains = []
        for order in pair:
            place = np.argsort(order)
            sets = np.arange(d + 1)[:, np.newaxis] > place  # the first 0, 1, ..., d features
            gains.append(np.diff(game.value(row, sets), axis=0)[place])
        of_pairs.append(np.mean(gains, axis=0))
    sample = np.array(of_pairs)
    return sample.mean(axis=0), sample.std(axis=0, ddof=1) / np.sqrt(n_pairs)
