"""Informative missingness: whether missing values depend on the class."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.stats import chi2

# Family-wise error rate: values missing at random are taken for informative in 1 % of the tables.
_LEVEL = 0.01


def informative(
    missing: npt.NDArray[np.bool_], y: npt.NDArray[Any], weight: npt.NDArray[np.float64]
) -> npt.NDArray[np.bool_]:
    """Return for each column whether its missing values depend on the class.

    Pearson's chi-squared test of missingness by class, with Bonferroni's correction for the number
    of columns. Integer weights are frequencies; other weights are scaled to sum to the number of
    rows.

    Parameters
    ----------
    missing : ndarray of shape (n_rows, n_columns)
        Where values are missing.
    y : ndarray of shape (n_rows,)
        Class codes.
    weight : ndarray of shape (n_rows,)
        Weights of the rows.
    """
    if missing.shape[1] == 0:
        return np.zeros(0, dtype=bool)
    if not (weight == np.floor(weight)).all():
        weight = weight * (len(weight) / weight.sum())
    rows = np.bincount(y, weight).astype(np.float64)
    counts = [np.bincount(y[column], weight[column], len(rows)) for column in missing.T]
    return informative_counts(np.array(counts), rows)


def informative_counts(
    missing: npt.NDArray[np.float64], rows: npt.NDArray[np.float64]
) -> npt.NDArray[np.bool_]:
    """Return the same from sums of weights.

    Parameters
    ----------
    missing : ndarray of shape (n_columns, n_classes)
        Weight of the rows of each class in which a column is missing.
    rows : ndarray of shape (n_classes,)
        Weight of the rows of each class.
    """
    missing, rows = missing[:, rows > 0.0], rows[rows > 0.0]
    if len(rows) < 2:
        return np.zeros(len(missing), dtype=bool)
    p_values = []
    for of_column in missing:
        share = of_column.sum() / rows.sum()
        if share in (0.0, 1.0):
            p_values.append(1.0)
            continue
        statistic = ((of_column - share * rows) ** 2 / (share * (1.0 - share) * rows)).sum()
        p_values.append(float(chi2.sf(statistic, len(rows) - 1)))
    return np.array(p_values) < _LEVEL / len(missing)
