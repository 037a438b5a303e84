"""Target encoding of categories of very many levels.

Each level becomes the share of each class among its rows, shrunk towards the share among all rows,
the more the fewer rows the level has::

    share(level, k) = (n(level, k) + m * share(k)) / (n(level) + m)

The empirical Bayes parameter m is the ratio of the variance within levels to the variance between
them, over all classes together; uninformative levels all get the same value. As in scikit-learn's
TargetEncoder, training rows are encoded out of fold, from the other four fifths of the rows, and
prediction uses the encoding of all training rows.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]

FOLDS = 5


def class_shares(code: Array, y: npt.NDArray[Any], weight: Array, shape: tuple[int, int]) -> Array:
    """Return the share of each class (a column) in each level (a row).

    Parameters
    ----------
    code : ndarray
        Levels of the rows; NaN is missing.
    y : ndarray
        Class codes.
    weight : ndarray
        Weights of the rows.
    shape : tuple
        Levels and classes. The result has one more row, for unseen levels.
    """
    return shares_of(level_counts(code, y, weight, shape))


def level_counts(code: Array, y: npt.NDArray[Any], weight: Array, shape: tuple[int, int]) -> Array:
    """Return the weight of each class (a column) in each level (a row)."""
    n_levels, n_classes = shape
    known = code >= 0
    cell = code[known].astype(np.intp) * n_classes + y[known]
    filled = np.bincount(cell, weight[known], n_levels * n_classes).astype(np.float64)
    return filled.reshape(shape)


def shares_of(counts: Array) -> Array:
    """Return the smoothed share of each class in each level, and last that in an unseen level."""
    n_levels, n_classes = counts.shape
    counts = np.vstack([counts, np.zeros(n_classes)])
    total = counts.sum()
    overall = counts.sum(axis=0) / total if total > 0.0 else np.full(n_classes, 1.0 / n_classes)
    smooth = _smoothing(counts, overall)
    if not np.isfinite(smooth):
        return np.tile(overall, (n_levels + 1, 1))
    # Without variance within levels an unseen level still gets the overall shares.
    smooth = max(smooth, 1e-9)
    return (counts + smooth * overall) / (counts.sum(axis=1, keepdims=True) + smooth)


def _smoothing(counts: Array, overall: Array) -> float:
    """Return m, the variance within levels divided by the variance between them."""
    n = counts.sum(axis=1)
    present = n > 0.0
    n, counts = n[present], counts[present]
    total, n_levels = n.sum(), len(n)
    if n_levels < 2 or total <= n_levels:
        return np.inf
    share = counts / n[:, np.newaxis]
    within = (n[:, np.newaxis] * share * (1.0 - share)).sum() / (total - n_levels)
    between = (n[:, np.newaxis] * (share - overall) ** 2).sum() / (n_levels - 1)
    typical = (total - (n**2).sum() / total) / (n_levels - 1)
    if not typical > 0.0:  # one level has all the weight up to rounding
        return np.inf
    variance = (between - within) / typical
    return float(within / variance) if variance > 0.0 else np.inf


def out_of_fold_shares(
    code: Array,
    y: npt.NDArray[Any],
    weight: Array,
    shape: tuple[int, int],
    fold: npt.NDArray[np.intp],
) -> Array:
    """Return the encoding of each row, learned from the rows of the other folds.

    A missing level has NaN.
    """
    found = np.full((len(code), shape[1]), np.nan)
    for number in range(FOLDS):
        here = fold == number
        shares = class_shares(code[~here], y[~here], weight[~here], shape)
        found[here] = looked_up(shares, code[here])
    return found


def looked_up(shares: Array, code: Array) -> Array:
    """Return the encoding of level codes: NaN for a missing one, the last row for an unseen one."""
    found = np.full((len(code), shares.shape[1]), np.nan)
    known = ~np.isnan(code)
    found[known] = shares[code[known].astype(np.intp)]  # -1 is the last row
    return found


def folds_by_number(number: npt.NDArray[np.int64]) -> npt.NDArray[np.intp]:
    """Return a fold for each row by its number, for rows in several places."""
    with np.errstate(over="ignore"):
        key = (number.astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    return ((key >> np.uint64(33)) % np.uint64(FOLDS)).astype(np.intp)


def deal_into_folds(encoded: npt.NDArray[Any], y: npt.NDArray[Any]) -> npt.NDArray[np.intp]:
    """Return a fold for each row, in turn in the order of the classes and of hashes of the rows.

    So the folds depend neither on the row order nor on a seed, and are stratified by class.
    """
    key = np.zeros(len(y), dtype=np.uint64)
    with np.errstate(over="ignore"):
        for column in encoded.T:
            value = column.astype(np.float64) + 0.0  # -0.0 equals 0.0
            value[np.isnan(value)] = np.nan  # all missing values have the same bits
            key = (key ^ value.view(np.uint64)) * np.uint64(0x9E3779B97F4A7C15)
            key ^= key >> np.uint64(29)
    fold = np.empty(len(y), dtype=np.intp)
    fold[np.lexsort((key, y))] = np.arange(len(y)) % FOLDS
    return fold
