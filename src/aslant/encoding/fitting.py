"""Looking at the columns of a table for the first time."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import issparse
from sklearn.base import BaseEstimator
from sklearn.utils import get_tags
from sklearn.utils.validation import validate_data

from aslant.encoding import table
from aslant.encoding.columns import Column, Options, fit_column
from aslant.encoding.kinds import Kind, kind_of, kind_without_levels

Matrix = npt.NDArray[np.floating[Any]]


def fit_columns(
    X: Any, names: list[str] | None, declared: list[int], options: Options, *, by_type: bool
) -> list[Column]:
    """Return what there is to know of each column of a table.

    Parameters
    ----------
    X : data frame or ndarray
        The table.
    names : list of str or None
        Names of its columns.
    declared : list of int
        Columns that the caller declared to be categories.
    options : Options
        How columns become numbers.
    by_type : bool
        Whether other columns may be categories too, by their type or their values.
    """
    columns = []
    for j, family in enumerate(table.families(X)):
        name = names[j] if names else f"x{j}"
        if j in declared:
            columns.append(fit_column(name, "category", table.values(X, j), None, options))
            continue
        column = table.plain_values(X, j, family)
        order = table.ordered_levels(X, j)
        found: tuple[Kind, str | None] | None = ("ordered", None) if order else None
        if found is None and by_type:
            found = kind_of(name, family, column)
        elif found is None:  # the caller named all categories that there are
            found = kind_without_levels(family, column)
        kind, date_format = found or ("number", None)
        columns.append(fit_column(name, kind, column, order, options, date_format))
    return columns


def numeric_columns(X: Any, encoded: Matrix, names: list[str] | None) -> list[Column]:
    """Return the columns of a matrix of numbers."""
    if issparse(encoded):
        missing = np.bincount(
            encoded.indices[np.isnan(encoded.data)],  # type: ignore[attr-defined]
            minlength=encoded.shape[1],
        )
        share = missing / encoded.shape[0]
        return [Column(f"x{j}", "number", float(share[j])) for j in range(encoded.shape[1])]
    families = table.families(X) if table.is_frame(X) else ["number"] * encoded.shape[1]
    with np.errstate(all="ignore"):
        complete = np.isfinite(encoded.sum())  # one pass in the order of memory
    return [
        Column(
            names[j] if names else f"x{j}",
            "boolean" if family == "boolean" else "number",
            0.0 if complete else float(np.isnan(encoded[:, j]).mean()),
        )
        for j, family in enumerate(families)
    ]


def needs_no_change(estimator: BaseEstimator, X: Any) -> bool:
    """Whether scikit-learn's validation would find nothing to say or to convert.

    It costs more than the prediction of a few rows.
    """
    if type(X) is not np.ndarray or X.dtype not in (np.float64, np.float32) or X.ndim != 2:
        return False
    fitted_on = getattr(estimator, "n_features_in_", None)
    if X.shape[1] != fitted_on or X.shape[0] == 0 or hasattr(estimator, "feature_names_in_"):
        return False
    with np.errstate(all="ignore"):
        return X.flags.aligned and bool(np.isfinite(X.sum()))


def _sparse_matrix(estimator: BaseEstimator, X: Any, *, reset: bool) -> Any:
    """Return X as compressed sparse rows with ascending columns, if the estimator can read that."""
    if not get_tags(estimator).input_tags.sparse:
        raise TypeError(
            f"Sparse data was passed for X, but {type(estimator).__name__} with these parameters "
            "needs dense data. Use X.toarray(), or an estimator that reads sparse data: axis-"
            "parallel trees, C4.5, OC1 or a forest."
        )
    X = validate_data(
        estimator,
        X,
        reset=reset,
        accept_sparse="csr",
        dtype=[np.float64, np.float32],
        ensure_all_finite="allow-nan",
    )
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    return X


def numeric_matrix(estimator: BaseEstimator, X: Any, *, reset: bool) -> Matrix:
    """Return X as a matrix of floats, validated as scikit-learn does it."""
    if not reset and needs_no_change(estimator, X):
        return X
    if issparse(X):
        return _sparse_matrix(estimator, X, reset=reset)
    if table.is_frame(X):
        table.n_rows(X)  # refuses none: old polars cannot even convert a frame of nothing
    with np.errstate(invalid="ignore"):  # sums of huge values, while looking for infinite ones
        X = validate_data(
            estimator, X, reset=reset, dtype=[np.float64, np.float32], ensure_all_finite="allow-nan"
        )
    return np.require(X, requirements="A")
