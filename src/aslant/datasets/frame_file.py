"""Parquet and Feather files, whose columns have types of their own. Needs polars or pandas."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from aslant.datasets.errors import DatasetError, DatasetNotFoundError
from aslant.datasets.table import FloatArray, ObjectArray

_PARQUET, _FEATHER = (".parquet", ".pq"), (".feather", ".arrow", ".ipc")
FRAME_SUFFIXES = (*_PARQUET, *_FEATHER)
_NUMBERS = (bool, int, float, np.number)


@dataclass(frozen=True)
class FrameTable:
    """Columns of values; the same methods as a table of text cells."""

    origin: str
    columns: Mapping[str, Sequence[Any]]
    lines: Sequence[int]
    missing: Collection[str] = ()
    notes: Sequence[str] = ()

    def numbers(self, column: str, *, any_words: bool = False) -> FloatArray | None:
        """Return a column as floats (NaN = missing), or None if a value is not a number."""
        values = self.columns[column]
        if not all(value is None or isinstance(value, _NUMBERS) for value in values):
            return None
        numbers = np.array([np.nan if value is None else value for value in values], dtype=float)
        if np.isinf(numbers).any():
            raise DatasetError(
                f"{self.origin}: the numeric column {column!r} holds an infinite value; only "
                "finite numbers and missing values are allowed"
            )
        return numbers

    def categories(self, column: str) -> ObjectArray:
        """Return a column as it is, with NaN for missing values."""
        found = np.empty(len(self.columns[column]), dtype=object)
        for row, value in enumerate(self.columns[column]):
            found[row] = np.nan if value is None else value
        return found

    def labels(self, column: str) -> npt.NDArray[Any]:
        """Return class labels; none may be missing."""
        values = self.columns[column]
        for row, value in enumerate(values):
            if value is None or value != value:
                raise DatasetError(
                    f"{self.origin}: row {row + 1} has no value in the target column {column!r}; "
                    "every row needs a class label"
                )
        return np.array([str(v) if isinstance(v, dt.date) else v for v in values])

    def taken_as_numbers(self, columns: Collection[str]) -> list[str]:
        """Return no notes: the types decide."""
        return []


def read_frame(path: Path) -> FrameTable:
    """Read a Parquet or Feather file with polars, or with pandas."""
    if not path.is_file():
        if path.is_dir():
            raise DatasetError(f"{path}: this is a folder, not a file")
        raise DatasetNotFoundError(f"{path}: there is no such file")
    try:
        columns = _columns(path)
    except ImportError:
        raise DatasetError(
            f"{path}: reading this kind of file needs polars, or pandas with pyarrow: "
            "pip install aslant[frames]"
        ) from None
    except Exception as error:  # each library has its own errors for a damaged file
        reason = " ".join(str(error).split()) or type(error).__name__
        raise DatasetError(f"{path}: the file cannot be read ({reason})") from None
    n_rows = len(next(iter(columns.values()), []))
    if n_rows == 0:
        raise DatasetError(f"{path}: the file has no rows")
    return FrameTable(str(path), columns, range(1, n_rows + 1))


def parquet_blocks(path: Path, rows_at_a_time: int) -> Iterator[FrameTable]:
    """Yield the rows of a Parquet file, some at a time."""
    try:
        from pyarrow.parquet import ParquetFile
    except ImportError:  # polars reads it whole
        yield read_frame(path)
        return
    if path.suffix.lower() not in _PARQUET or not path.is_file():
        yield read_frame(path)
        return
    first = 1
    try:
        for batch in ParquetFile(path).iter_batches(rows_at_a_time):
            if batch.num_rows > 0:
                lines = range(first, first + batch.num_rows)
                yield FrameTable(str(path), batch.to_pydict(), lines)
                first += batch.num_rows
    except (OSError, ValueError) as error:  # pyarrow's own errors are of these
        reason = " ".join(str(error).split()) or type(error).__name__
        raise DatasetError(f"{path}: the file cannot be read ({reason})") from None
    if first == 1:
        raise DatasetError(f"{path}: the file has no rows")


def _columns(path: Path) -> dict[str, list[Any]]:
    parquet = path.suffix.lower() in _PARQUET
    try:
        import polars
    except ImportError:
        import pandas

        read = pandas.read_parquet if parquet else pandas.read_feather
        frame = read(path)
        return {
            str(name): column.astype(object).where(column.notna(), None).tolist()
            for name, column in frame.items()
        }
    table = polars.read_parquet(path) if parquet else polars.read_ipc(path)
    return {column.name: column.to_list() for column in table}
