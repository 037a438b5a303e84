"""The columns of a table: data frames through narwhals, and matrices of anything.

A data frame of pandas, polars, pyarrow or any other library that narwhals knows becomes an
`InputTable` of narwhals series; an array or a list of rows becomes one of NumPy columns. Nothing
else in aslant asks which library a table comes from.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from numbers import Real
from typing import Any, Literal

import narwhals as nw
import numpy as np
import numpy.typing as npt
from scipy.sparse import issparse

Family = Literal["number", "boolean", "date", "duration", "category", "objects"]
"""Kinds of column types; values of "objects" may be anything."""

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]
RawColumn = Any
"""A column of an `InputTable`: a narwhals series, or a NumPy vector."""

_MICROSECONDS_PER_DAY = 86_400e6


@dataclass(frozen=True)
class InputTable:
    """Rows and columns as the caller has them.

    Attributes
    ----------
    columns : list
        The columns.
    names : list of str or None
        Their names; None if the table has none, or not all of them are texts.
    n_rows : int
        Number of rows.
    """

    columns: list[RawColumn]
    names: list[str] | None
    n_rows: int

    def name(self, j: int) -> str:
        """Return the name of a column, x0, x1, ... if it has none."""
        return self.names[j] if self.names else f"x{j}"

    @property
    def families(self) -> list[Family]:
        """The family of each column's type."""
        return [family_of(column) for column in self.columns]

    def check_not_empty(self) -> None:
        """Validate that there are rows, and columns."""
        if self.n_rows == 0:
            raise ValueError("Found array with 0 sample(s) while a minimum of 1 is required.")
        if not self.columns:
            raise ValueError("Found array with 0 feature(s) while a minimum of 1 is required.")

    def take(self, rows: npt.NDArray[np.intp] | None) -> InputTable:
        """Return some of the rows; None for all."""
        if rows is None:
            return self
        return InputTable([column[rows] for column in self.columns], self.names, len(rows))

    def floats(self) -> npt.NDArray[np.floating[Any]]:
        """Return columns of numbers as one matrix."""
        single = all(getattr(c, "dtype", None) == nw.Float32 for c in self.columns)
        dtype = np.float32 if single else np.float64
        matrix = np.empty((self.n_rows, len(self.columns)), dtype=dtype, order="F")
        for j, column in enumerate(self.columns):
            matrix[:, j] = floats(column)
        return matrix


# ---------------------------------------------------------------------- reading tables


def is_frame(X: Any) -> bool:
    """Whether X is a data frame of a library that narwhals knows.

    Raises
    ------
    TypeError
        If the frame is lazy: a fit reads the rows several times, in one order.
    """
    if isinstance(X, np.ndarray | list | tuple) or issparse(X):
        return False
    if nw.dependencies.is_into_dataframe(X):
        return True
    lazy = nw.from_native(X, pass_through=True)
    if isinstance(lazy, nw.LazyFrame):
        library = lazy.implementation.name.lower()
        way = "X.compute(), or aslant.dask" if library == "dask" else "X.collect()"
        raise TypeError(f"X is a lazy frame of {library}, expected its rows: use {way}.")
    return False


def read_table(X: Any) -> InputTable:
    """Return the columns of a data frame, an array or a list of rows."""
    if is_frame(X):
        return _read_frame(X)
    if issparse(X):
        raise TypeError("Sparse data was passed for X, but dense data is required.")
    matrix = X if isinstance(X, np.ndarray) else np.array(X, dtype=object)
    if matrix.ndim != 2:
        raise ValueError(f"Expected 2D array, got {matrix.ndim}D array instead.")
    if matrix.dtype.kind == "T":  # NumPy's strings of variable width
        matrix = matrix.astype(object)
    return InputTable(list(matrix.T), None, len(matrix))


def _read_frame(X: Any) -> InputTable:
    if nw.dependencies.is_pandas_dataframe(X):  # by position: names may repeat
        columns = [nw.from_native(X.iloc[:, j], series_only=True) for j in range(X.shape[1])]
        labels = list(X.columns)
    else:
        frame = nw.from_native(X, eager_only=True)
        columns, labels = list(frame.iter_columns()), frame.columns
    names = labels if labels and all(isinstance(label, str) for label in labels) else None
    return InputTable(columns, names, len(X))


def take_rows(X: Any, rows: npt.NDArray[np.intp]) -> Any:
    """Return some rows of a data frame, an array or a list of rows, as what it is."""
    if not is_frame(X):
        return np.asarray(X)[rows]
    if nw.dependencies.is_pandas_dataframe(X):
        return X.iloc[rows]
    return nw.from_native(X, eager_only=True)[rows].to_native()


def is_float_frame(X: Any) -> bool:
    """Whether X is a frame of pandas whose values are one matrix of floats already."""
    return nw.dependencies.is_pandas_dataframe(X) and set(X.dtypes) in (
        {np.dtype(np.float64)},
        {np.dtype(np.float32)},
    )


def needs_columns(X: Any, *, by_type: bool) -> bool:
    """Whether X must be read column by column: not all of it are numbers.

    Parameters
    ----------
    X : data frame, array, sparse matrix or list of rows
        The table.
    by_type : bool
        Whether columns of text may be categories; else scikit-learn converts or refuses them.
    """
    if is_frame(X):
        found = set(read_table(X).families) - {"number", "boolean"}
        return bool(found if by_type else found & {"date", "duration"})
    if issparse(X):
        return False
    try:
        matrix = X if isinstance(X, np.ndarray) else np.asarray(X)
    except ValueError:  # rows of different lengths, which have their own message
        return False
    kinds = "OUTMm" if by_type else "Mm"
    return matrix.ndim == 2 and matrix.size > 0 and matrix.dtype.kind in kinds


# ---------------------------------------------------------------------- one column


def family_of(column: RawColumn) -> Family:
    """Return the family of the type of a column."""
    if isinstance(column, np.ndarray):
        if column.dtype.kind == "U":  # numbers beside text became text
            return "number" if _all_numbers(column) else "objects"
        by_kind: dict[str, Family] = {"b": "boolean", "M": "date", "m": "duration"}
        return by_kind.get(column.dtype.kind, "number" if column.dtype.kind in "iuf" else "objects")
    dtype = column.dtype
    if dtype.is_numeric():
        return "number"
    by_type: dict[Any, Family] = {
        nw.Boolean: "boolean",
        nw.Categorical: "category",
        nw.Enum: "category",
        nw.Date: "date",
        nw.Datetime: "date",
        nw.Duration: "duration",
    }
    return by_type.get(type(dtype), "objects")


def _all_numbers(texts: npt.NDArray[np.str_]) -> bool:
    try:
        texts.astype(np.float64)
    except ValueError:
        return False
    return True


def values(column: RawColumn) -> list[Any]:
    """Return the values of a column as Python's, missing ones as None or NaN."""
    if isinstance(column, np.ndarray) and column.dtype.kind in "Mm":  # finer ones become integers
        column = column.astype(f"{column.dtype.kind}8[us]")
    found: list[Any] = column.tolist() if isinstance(column, np.ndarray) else column.to_list()
    return found


def missing_count(column: RawColumn) -> int:
    """Return how many values of a column of dates, durations or numbers are missing."""
    if isinstance(column, np.ndarray):
        if column.dtype.kind in "Mm":
            return int(np.isnat(column).sum())
        return int(np.isnan(column).sum()) if column.dtype.kind == "f" else 0
    missing = column.is_null() | column.is_nan() if column.dtype.is_float() else column.is_null()
    return int(missing.sum())


def text_counts(column: RawColumn) -> dict[str, int] | None:
    """Return how often each text occurs in a column of text, the first row's first.

    None if the column may hold anything but text: then its values must be looked at.
    """
    if isinstance(column, np.ndarray) or column.dtype != nw.String:
        return None
    known = column.drop_nulls().alias("text")
    counts = known.value_counts(name="count")
    found = dict(zip(counts["text"].to_list(), counts["count"].to_list(), strict=True))
    return {text: found[text] for text in [*known.head(1).to_list(), *found]}


def codes_of(column: RawColumn, code: dict[Any, int]) -> Floats | None:
    """Return the codes of a column of text: NaN where it is missing, -1 for texts without a code.

    None if the column's library does not look texts up as a whole.
    """
    if isinstance(column, np.ndarray) or column.dtype != nw.String:
        return None
    native = column.to_native()
    if not nw.dependencies.is_polars_series(native):
        return None
    known = {text: float(number) for text, number in code.items() if isinstance(text, str)}
    if not known:
        found = np.full(len(column), -1.0)
    else:
        found = native.replace_strict(known, default=-1.0).to_numpy().astype(np.float64)
    found[native.is_null().to_numpy()] = np.nan
    return found


def floats(column: RawColumn) -> Floats:
    """Return a column of the family number or boolean as floats, NaN where it is missing."""
    if isinstance(column, np.ndarray):
        return column.astype(np.float64)
    return np.asarray(column.cast(nw.Float64).to_numpy(), dtype=np.float64)


def days(column: RawColumn) -> Floats:
    """Return a column of the family date as days since 1970 began, or of durations as days."""
    if isinstance(column, np.ndarray):
        return days_of(column)
    if isinstance(column.dtype, nw.Duration):  # narwhals' total_microseconds rounds in pandas
        return days_of(np.asarray(column.to_numpy()).astype("m8[us]"))
    if isinstance(column.dtype, nw.Date):
        micros = column.cast(nw.Datetime("us")).dt.timestamp("us")
    else:
        micros = column.dt.timestamp("us")
    return floats(micros) / _MICROSECONDS_PER_DAY


def days_of(moments: Array) -> Floats:
    """Return datetime64 or timedelta64 values as days, NaN for NaT."""
    micros = moments.astype(f"{moments.dtype.kind}8[us]")
    return np.where(np.isnat(micros), np.nan, micros.astype(np.int64) / _MICROSECONDS_PER_DAY)


def ordered_levels(column: RawColumn) -> list[Any] | None:
    """Return the levels of an ordered categorical or an Enum in their order, else None."""
    if isinstance(column, np.ndarray) or not isinstance(column.dtype, nw.Enum):
        return None
    return list(column.dtype.categories)


# ---------------------------------------------------------------------- values


def is_missing(value: Any) -> bool:
    """Whether a value is None, or does not equal itself as NaN, NaT and pandas' NA do not."""
    if value is None:
        return True
    same = value == value
    return not (isinstance(same, bool | np.bool_) and bool(same))


def present(column: Iterable[Any]) -> list[Any]:
    """Return the values that are not missing; text never is, and is most of what comes here."""
    return [value for value in column if type(value) is str or not is_missing(value)]


_NUMBERS = (Real, Decimal, np.bool_)


def parsed_floats(column: Sequence[Any]) -> Floats:
    """Return numbers among objects, NaN for missing ones.

    Raises
    ------
    NotANumber
        If a value is no real number, and no text that is one.
    """
    types = set(map(type, column)) - {type(None)}
    if np.timedelta64 not in types and all(issubclass(one, _NUMBERS) for one in types):
        try:
            return np.array([np.nan if v is None else v for v in column], dtype=np.float64)
        except OverflowError:
            pass
    return np.array([_parsed(value) for value in column], dtype=np.float64)


class NotANumber(ValueError):  # noqa: N818 - names the value that is not one
    """A value that is no real number."""

    def __init__(self, value: Any) -> None:
        super().__init__(f"{value!r} is not a number")
        self.value = value


def _parsed(value: Any) -> float:
    if is_missing(value):
        return np.nan
    if isinstance(value, np.timedelta64) or not isinstance(value, (str, *_NUMBERS)):
        raise NotANumber(value)
    try:
        return float(value)
    except (ValueError, OverflowError):
        raise NotANumber(value) from None
