"""What a fit learns of the columns of a table, and tables of numbers as matrices."""

from __future__ import annotations

from typing import Any

import narwhals as nw
import numpy as np
import numpy.typing as npt
import sklearn
from scipy.sparse import issparse
from sklearn.base import BaseEstimator
from sklearn.utils import check_array, get_tags
from sklearn.utils.fixes import parse_version
from sklearn.utils.validation import validate_data

from aslant.encoding.columns import Column, Options, fit_column
from aslant.encoding.kinds import Kind, all_kinds, kind_of, kind_without_levels
from aslant.encoding.table import InputTable, is_float_frame, is_frame, ordered_levels, read_table

Matrix = npt.NDArray[np.floating[Any]]


def fit_columns(
    table: InputTable, declared: list[int], options: Options, *, by_type: bool
) -> list[Column]:
    """Learn the kind and the levels of each column of a table.

    Parameters
    ----------
    table : InputTable
        The training rows.
    declared : list of int
        Columns that the caller declared to be categories.
    options : Options
        How columns become numbers.
    by_type : bool
        Whether other columns may be categories too, by their type or their values.
    """

    def decide(j: int) -> tuple[Kind, str | None]:
        column = table.columns[j]
        if j in declared:
            return "category", None
        if ordered_levels(column):
            return "ordered", None
        if by_type:
            return kind_of(table.name(j), column)
        return kind_without_levels(column) or ("number", None)  # the caller named all categories

    names = [table.name(j) for j in range(len(table.columns))]
    return [
        fit_column(name, kind, column, options, date_format)
        for name, column, (kind, date_format) in zip(
            names, table.columns, all_kinds(names, decide), strict=True
        )
    ]


def numeric_columns(X: Any, encoded: Matrix) -> list[Column]:
    """Return the columns of a table of numbers, given its matrix."""
    if issparse(encoded):
        missing = np.bincount(
            encoded.indices[np.isnan(encoded.data)],  # type: ignore[attr-defined]
            minlength=encoded.shape[1],
        )
        share = missing / encoded.shape[0]
        return [Column(f"x{j}", "number", float(share[j])) for j in range(encoded.shape[1])]
    table = read_table(X) if is_frame(X) else InputTable(list(encoded.T), None, len(encoded))
    with np.errstate(all="ignore"):
        complete = np.isfinite(encoded.sum())  # one pass in the order of memory
    return [
        Column(
            table.name(j),
            "boolean" if family == "boolean" else "number",
            0.0 if complete else float(np.isnan(encoded[:, j]).mean()),
        )
        for j, family in enumerate(table.families)
    ]


def needs_no_change(estimator: BaseEstimator, X: Any) -> bool:
    """Whether X is valid as it is: validation costs more than the prediction of a few rows."""
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
    with np.errstate(invalid="ignore"):  # sums of huge values, while looking for infinite ones
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


class _Named:
    """The names and the shape of a frame, in the form that scikit-learn before 1.9 reads.

    It reads the names of frames other than pandas' by a protocol that polars 2 no longer has.
    """

    def __init__(self, X: Any) -> None:
        self.shape = X.shape
        self._names = [str(name) for name in nw.from_native(X).columns]

    def __dataframe__(self) -> _Named:
        return self

    def column_names(self) -> list[str]:
        """Return the names."""
        return self._names


_ALL_FRAMES = parse_version(sklearn.__version__) >= parse_version("1.9")


def _is_read(X: Any) -> bool:
    """Whether scikit-learn reads the names of the columns of X, if it has any."""
    return _ALL_FRAMES or not is_frame(X) or nw.dependencies.is_pandas_dataframe(X)


def check_columns(estimator: BaseEstimator, X: Any, *, reset: bool) -> None:
    """Validate number and names of the columns of a table, or learn them."""
    named = X if _is_read(X) else _Named(X)
    validate_data(estimator, named, reset=reset, skip_check_array=True)


def numeric_matrix(estimator: BaseEstimator, X: Any, *, reset: bool) -> Matrix:
    """Return X as a matrix of floats, validated by scikit-learn's rules."""
    if issparse(X):
        return _sparse_matrix(estimator, X, reset=reset)
    rules: dict[str, Any] = {
        "dtype": [np.float64, np.float32],
        "ensure_all_finite": "allow-nan",
    }
    with np.errstate(invalid="ignore"):  # sums of huge values, while looking for infinite ones
        if not is_frame(X) or (is_float_frame(X) and _is_read(X)):
            X = validate_data(estimator, X, reset=reset, **rules)
        else:
            check_columns(estimator, X, reset=reset)
            table = read_table(X)
            table.check_not_empty()
            X = check_array(table.floats(), estimator=estimator, input_name="X", **rules)
    return np.require(X, requirements="A")
