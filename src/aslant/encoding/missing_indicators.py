"""Whether it tells anything about the class that a value is missing."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.stats import chi2

# Probability that holes at random are taken for telling ones, over all columns together.
_LEVEL = 0.01


def telling(
    holes: npt.NDArray[np.bool_], y: npt.NDArray[Any], weight: npt.NDArray[np.float64]
) -> npt.NDArray[np.bool_]:
    """Return for each column whether its holes are shared out among the classes unequally.

    Pearson's chi-squared test of holes by classes, with Bonferroni's correction for the number of
    columns. Rows of whole weight count as so many rows; other weights are brought to the number of
    rows first.

    Parameters
    ----------
    holes : ndarray of shape (n_rows, n_columns)
        Where values are missing.
    y : ndarray of shape (n_rows,)
        Class codes.
    weight : ndarray of shape (n_rows,)
        Weights of the rows.
    """
    if holes.shape[1] == 0:
        return np.zeros(0, dtype=bool)
    if not (weight == np.floor(weight)).all():
        weight = weight * (len(weight) / weight.sum())
    rows = np.bincount(y, weight).astype(np.float64)
    missing = [np.bincount(y[column], weight[column], len(rows)) for column in holes.T]
    return telling_counts(np.array(missing), rows)


def telling_counts(
    missing: npt.NDArray[np.float64], rows: npt.NDArray[np.float64]
) -> npt.NDArray[np.bool_]:
    """Return the same from sums.

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
