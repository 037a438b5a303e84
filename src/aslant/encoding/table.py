"""Data frames and object arrays as columns of Python values, and what their types say."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from scipy.sparse import issparse

Family = Literal["number", "boolean", "date", "duration", "category", "objects"]

# Beginnings of the names of column types, in lower case. What is not listed is tried as numbers.
_FAMILIES: dict[Family, tuple[str, ...]] = {
    "boolean": ("bool",),
    "category": ("category", "categorical", "enum", "dictionary"),
    "objects": ("object", "str", "string", "utf8", "large_string"),
    "date": ("date", "timestamp", "period"),
    "duration": ("timedelta", "duration"),
}


def is_frame(X: Any) -> bool:
    """Whether X is a data frame."""
    return hasattr(X, "columns") and hasattr(X, "dtypes")


def column_names(X: Any) -> list[str] | None:
    """Names of the columns of a data frame, None if it is none or not all of them are texts."""
    names = list(X.columns) if is_frame(X) else []
    return names if names and all(isinstance(name, str) for name in names) else None


def is_missing(value: Any) -> bool:
    """Whether a value is None, or does not equal itself as NaN, NaT and pandas' NA do not."""
    if value is None:
        return True
    same = value == value
    return not (isinstance(same, bool | np.bool_) and bool(same))


def present(column: Iterable[Any]) -> list[Any]:
    """Return the values that are not missing; text never is, and is most of what comes here."""
    return [value for value in column if type(value) is str or not is_missing(value)]


def as_table(X: Any) -> Any:
    """Return X as a data frame, or as a matrix in which numbers beside text stay numbers."""
    if is_frame(X):
        return X
    if issparse(X):
        raise TypeError("Sparse data was passed for X, but dense data is required.")
    matrix = X if isinstance(X, np.ndarray) else np.array(X, dtype=object)
    if matrix.ndim != 2:
        raise ValueError(f"Expected 2D array, got {matrix.ndim}D array instead.")
    return matrix


def families(X: Any) -> list[Family]:
    """Return what the types of the columns say of them; of an object matrix they say nothing."""
    if is_frame(X):
        return [_family(str(dtype)) for dtype in X.dtypes]
    if X.dtype.kind == "U":  # where numbers had no chance to be numbers
        return ["number" if _all_numbers(column) else "objects" for column in X.T]
    by_kind: dict[str, Family] = {"O": "objects", "M": "date", "m": "duration"}
    return [by_kind.get(X.dtype.kind, "number")] * X.shape[1]


def _all_numbers(texts: npt.NDArray[np.str_]) -> bool:
    try:
        texts.astype(np.float64)
    except ValueError:
        return False
    return True


def _family(dtype: str) -> Family:
    name = dtype.lower()
    found = (family for family, begin in _FAMILIES.items() if name.startswith(begin))
    return next(found, "number")


def holds_objects(X: Any) -> bool:
    """Whether X has columns that are not all numbers by their type."""
    if type(X) is not np.ndarray and is_frame(X):
        return any(family not in ("number", "boolean") for family in families(X))
    if issparse(X):
        return False
    try:
        matrix = X if isinstance(X, np.ndarray) else np.asarray(X)
    except ValueError:  # rows of different lengths, which have their own message
        return False
    return matrix.ndim == 2 and matrix.size > 0 and matrix.dtype.kind in "OUMm"


def holds_dates(X: Any) -> bool:
    """Whether X is a data frame with columns of dates or durations."""
    return is_frame(X) and any(family in ("date", "duration") for family in families(X))


def n_rows(X: Any) -> int:
    """Return the number of rows, which must not be zero."""
    rows = X.shape[0] if hasattr(X, "shape") else len(X)
    if rows == 0:
        raise ValueError("Found array with 0 sample(s) while a minimum of 1 is required.")
    return int(rows)


def values(X: Any, j: int) -> Sequence[Any]:
    """Values of one column, missing ones as None or NaN."""
    if hasattr(X, "iloc"):  # pandas
        column = X.iloc[:, j]
        return column.astype(object).where(column.notna(), None).tolist()
    if hasattr(X, "to_series"):  # polars
        return X.to_series(j).to_list()
    column = np.asarray(X)[:, j]
    if column.dtype.kind == "M":  # finer units would become integers
        column = column.astype("datetime64[us]")
    elif column.dtype.kind == "m":
        column = column.astype("timedelta64[us]")
    return column.tolist()


def plain_values(X: Any, j: int, family: Family) -> Sequence[Any] | npt.NDArray[np.float64]:
    """Values of one column; numbers as an array where that takes no look at each."""
    if family not in ("number", "boolean"):
        return values(X, j)
    try:
        if hasattr(X, "iloc"):
            return np.asarray(X.iloc[:, j].to_numpy(np.float64, na_value=np.nan))
        if hasattr(X, "to_series"):
            return np.asarray(X.to_series(j).cast(float).to_numpy())
        return np.asarray(X[:, j]).astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        return values(X, j)


def ordered_levels(X: Any, j: int) -> list[Any] | None:
    """Levels of an ordered categorical in their order, None if the column is none."""
    dtype = X.dtypes.iloc[j] if hasattr(X, "iloc") else None
    if not getattr(dtype, "ordered", False):
        return None
    return dtype.categories.tolist()  # type: ignore[union-attr]


def numbers(column: Any, name: str) -> npt.NDArray[np.float64]:
    """Return values as floats, NaN where they are missing."""
    try:
        array = (
            column
            if isinstance(column, np.ndarray)
            else np.array([np.nan if v is None else v for v in column], dtype=np.float64)
        )
    except (TypeError, ValueError, OverflowError):
        array = np.array([_number(value, name) for value in column])
    if np.isinf(array).any():
        raise ValueError(f"Feature {name!r} contains infinity or a value too large for float64.")
    return array


def _number(value: Any, name: str) -> float:
    try:
        return np.nan if is_missing(value) else float(value)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(
            f"Feature {name!r} holds {value!r}, which is not a number; name the feature in "
            "categorical_features to use it as a category."
        ) from None
