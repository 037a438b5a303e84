"""Files of rows: CSV text (also gzip and Zstandard), Parquet, Feather, all read by polars."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from aslant.datasets.columns import (
    MANY_NUMBERS,
    NumberFormat,
    WrittenNumbers,
    number_format,
    read_dates,
    read_numbers,
)
from aslant.datasets.errors import DatasetError, DatasetNotFoundError
from aslant.datasets.text_file import SEPARATORS, UTF8, WINDOWS, TextFile
from aslant.encoding.dates import ORDERS
from aslant.encoding.written import MISSING

_PARQUET, _FEATHER = (".parquet", ".pq"), (".feather", ".arrow", ".ipc")
ROWS_AT_A_TIME = 100_000
# Only the usual spelling of an integer: "007" or "+1" read as integers could merge two labels,
# and eighteen digits always fit int64.
_INTEGER = r"^(?:0|-?[1-9][0-9]{0,17})$"


@dataclass(frozen=True)
class FileFormat:
    """How a file is read; None is detected.

    Attributes
    ----------
    sep : str or None
        The column separator.
    encoding : str or None
        The encoding of the text; if None, UTF-8, UTF-16 with a mark, or that of Windows.
    decimal : {".", ","} or None
        The decimal mark.
    na : collection of str
        Further cells that are missing values.
    """

    sep: str | None = None
    encoding: str | None = None
    decimal: str | None = None
    na: Collection[str] = field(default=())

    def __post_init__(self) -> None:
        if self.sep is not None and len(self.sep) != 1:
            raise DatasetError(f"the separator must be one character, got {self.sep!r}")
        if self.decimal not in (None, ".", ","):
            raise DatasetError(f"the decimal mark must be '.' or ',', got {self.decimal!r}")


@dataclass(frozen=True)
class DataTable:
    """Rows of a file; the columns of a text file are text until they are read as something else.

    Attributes
    ----------
    origin : str
        The file, for messages.
    frame : polars DataFrame
        The rows; None is missing.
    is_text : bool
        Whether columns have no types of their own.
    how : NumberFormat
        How numbers are written.
    notes : list of str
        What was detected in the file, for the user.
    first_row : int
        Number of the first row in the file, below the header.
    """

    origin: str
    frame: pl.DataFrame
    is_text: bool
    how: NumberFormat = field(default_factory=NumberFormat)
    notes: list[str] = field(default_factory=list)
    first_row: int = 1

    def __len__(self) -> int:
        return self.frame.height

    @property
    def names(self) -> list[str]:
        """The names of the columns."""
        return self.frame.columns

    def typed(self, names: list[str], as_text: Collection[str] = ()) -> TypedColumns:
        """Return columns with types: numbers, dates, else text."""
        columns, notes, dates = [], [], {}
        for name in names:
            column = self.frame[name]
            if self.is_text and name not in as_text:
                numbers = read_numbers(column, self.how)
                found = None if numbers is not None else read_dates(column)
                if numbers is not None:
                    column = self._finite(name, numbers.values)
                    notes += _remarks(name, numbers)
                elif found is not None and found.days is not None:
                    column, dates[name] = found.days, found.order
            elif isinstance(column.dtype, pl.Decimal):
                column = column.cast(pl.Float64)
            columns.append(column.alias(name))
        return TypedColumns(pl.DataFrame(columns), notes, dates)

    def numbers(self, name: str, *, any_words: bool = False) -> pl.Series | None:
        """Return a column as floats (None = missing), or None if a value is not a number."""
        column = self.frame[name]
        if column.dtype.is_numeric() or column.dtype == pl.Boolean:
            return self._finite(name, column.cast(pl.Float64).fill_nan(None))
        if not self.is_text:
            return None
        found = read_numbers(column, self.how, any_words=any_words)
        return None if found is None else self._finite(name, found.values)

    def dates(self, name: str, order: str | None) -> pl.Series | None:
        """Return a column of text as dates in UTC, None if a cell is no date in this order."""
        found = read_dates(self.frame[name], order)
        return None if found is None else found.days

    def labels(self, name: str) -> npt.NDArray[Any]:
        """Return class labels: integers if every cell is one, else text; none may be missing."""
        column = self.frame[name]
        if column.dtype.is_float():
            column = column.fill_nan(None)
        if column.null_count():
            row = self.first_row + int(column.is_null().arg_max() or 0)
            raise DatasetError(
                f"{self.origin}: row {row} has no value in the target column {name!r}; every row "
                "needs a class label"
            )
        if column.dtype.is_temporal():
            column = column.cast(pl.String)
        elif self.is_text and column.str.contains(_INTEGER).all():
            return column.cast(pl.Int64).to_numpy()
        found = column.to_numpy()
        return found.astype(np.str_) if found.dtype == object else found

    def _finite(self, name: str, numbers: pl.Series) -> pl.Series:
        if numbers.is_infinite().any():
            row = int(numbers.is_infinite().arg_max() or 0)
            raise DatasetError(
                f"{self.origin}: row {self.first_row + row} holds the infinite value "
                f"{self.frame[name][row]!r} in the numeric column {name!r}; only finite numbers "
                "and missing values are allowed"
            )
        return numbers


@dataclass(frozen=True)
class TypedColumns:
    """Columns with types.

    Attributes
    ----------
    frame : polars DataFrame
        The columns.
    notes : list of str
        What was read as numbers although it is not written as one.
    dates : dict
        For each column of dates in text, which of the numbers comes first.
    """

    frame: pl.DataFrame
    notes: list[str]
    dates: dict[str, str]


def _remarks(name: str, found: WrittenNumbers) -> list[str]:
    notes = []
    if found.words:
        first = list(found.words.items())[:3]
        listed = ", ".join(f"{word!r} ({n} cells)" for word, n in first)
        notes.append(f"column {name!r} holds numbers: {listed} count as missing")
    if found.formatted:
        like = f"{found.formatted} cells are written like {found.example!r}"
        notes.append(f"column {name!r} holds numbers: {like}")
    return notes


# ---------------------------------------------------------------------- pieces


@dataclass(frozen=True)
class Piece:
    """A part of a text file that can be read by itself; all of it if the size is None."""

    path: Path
    reading: FileFormat
    first: int = 0
    size: int | None = None

    def read(self, how: NumberFormat | None = None) -> DataTable:
        """Return the rows, with the format of numbers that is known from elsewhere."""
        if self.size is None:
            table = read_file(self.path, self.reading)
        else:
            file = TextFile.open(self.path, self.reading.encoding, self.reading.sep)
            frame = _without_missing(file.piece(self.first, self.size), self.reading)
            found = _TextTable(str(self.path), frame, is_text=True, sep=file.sep)
            table = _with_format(found, self.reading, found)
        return table if how is None else replace(table, how=how)


def pieces_of(path: Path, reading: FileFormat) -> list[Piece]:
    """Return the pieces of a text file."""
    file = TextFile.open(path, reading.encoding, reading.sep)
    known = replace(reading, sep=file.sep, encoding=file.encoding)
    return [Piece(path, known, *place) for place in file.pieces()] or [Piece(path, known)]


@dataclass
class ColumnSurvey:
    """What a column of text may be, as far as its pieces were seen."""

    numeric: bool = True
    integers: bool = True
    words: bool = False
    numbers: set[float] = field(default_factory=set)
    orders: set[str] = field(default_factory=lambda: set(ORDERS))

    def add(self, cells: pl.Series, how: NumberFormat) -> None:
        """Look at the cells of another piece."""
        known = cells.drop_nulls()
        self.integers = self.integers and bool(known.str.contains(_INTEGER).all())
        found = read_numbers(cells, how, any_words=True) if self.numeric else None
        self.numeric = found is not None
        if found is not None:
            self.words = self.words or bool(found.words)
            if len(self.numbers) <= MANY_NUMBERS:
                self.numbers |= set(found.values.drop_nulls().unique().head(MANY_NUMBERS + 1))
        if len(known):
            self.orders = {one for one in self.orders if read_dates(cells, one) is not None}

    @property
    def kind(self) -> str:
        """``number``, ``text``, or the order of dates."""
        if self.numeric and not (self.words and len(self.numbers) <= MANY_NUMBERS):
            return "number"
        return next(iter(self.orders)) if len(self.orders) == 1 else "text"


# ---------------------------------------------------------------------- reading


def read_file(path: str | os.PathLike[str], reading: FileFormat | None = None) -> DataTable:
    """Return all rows of a file."""
    return read_files([path], reading)


def read_files(
    paths: Iterable[str | os.PathLike[str]], reading: FileFormat | None = None
) -> DataTable:
    """Return all rows of files with the same columns, in this order."""
    reading = reading or FileFormat()
    parts = [part for path in paths for part in _parts(Path(path), reading)]
    first = parts[0]
    frame = pl.concat([part.frame for part in parts], how="vertical", rechunk=True)
    return _with_format(replace(first, frame=frame), reading, first)


def read_batches(
    path: str | os.PathLike[str], reading: FileFormat | None = None
) -> Iterator[DataTable]:
    """Yield the rows of a file, some at a time; the first ones decide how numbers are written."""
    reading = reading or FileFormat()
    how: NumberFormat | None = None
    first_row = 1
    for part in _parts(Path(path), reading):
        if how is None:
            part = _with_format(part, reading, part)
            how = part.how
        yield replace(part, how=how, first_row=first_row)
        first_row += len(part)


def _with_format(table: DataTable, reading: FileFormat, first: DataTable) -> DataTable:
    """Return a table with the format of its numbers, and a note on it."""
    if not table.is_text:
        return table
    how = number_format(table.frame.iter_columns(), _sep_of(first), reading.decimal)
    notes = list(first.notes)
    if how.decimal == "," and reading.decimal is None:
        notes.append("numbers have a decimal comma")
    return replace(table, how=how, notes=notes)


@dataclass(frozen=True)
class _TextTable(DataTable):
    sep: str = ","


def _sep_of(table: DataTable) -> str:
    return table.sep if isinstance(table, _TextTable) else ","


def _parts(path: Path, reading: FileFormat) -> Iterator[DataTable]:
    """Yield the rows of a file as they come."""
    suffix = path.suffix.lower()
    parts = _typed_parts(path) if suffix in (*_PARQUET, *_FEATHER) else _text_parts(path, reading)
    empty = True
    for part in parts:
        if len(part):
            empty = False
            yield part
    if empty:
        raise DatasetError(f"{path}: the file has a header but no rows")


def _text_parts(path: Path, reading: FileFormat) -> Iterator[DataTable]:
    file = TextFile.open(path, reading.encoding, reading.sep)
    notes = []
    if reading.encoding is None and file.encoding == WINDOWS:
        notes.append("the text is not UTF-8 and was read as cp1252; --encoding names another")
    elif reading.encoding is None and file.encoding != UTF8:
        notes.append("the text is UTF-16")
    if file.sep != "," and reading.sep is None:
        notes.append(f"columns are separated by {SEPARATORS[file.sep]}")
    for frame in file.frames():
        frame = _without_missing(frame, reading)
        yield _TextTable(str(path), frame, is_text=True, notes=notes, sep=file.sep)


def _without_missing(frame: pl.DataFrame, reading: FileFormat) -> pl.DataFrame:
    """Return stripped cells, None where they are missing values."""
    cells = pl.all().str.strip_chars()
    missing = list(MISSING | set(reading.na))
    return frame.with_columns(pl.when(~cells.is_in(missing)).then(cells))


def _typed_parts(path: Path) -> Iterator[DataTable]:
    if not path.is_file():
        if path.is_dir():
            raise DatasetError(f"{path}: this is a folder, not a file")
        raise DatasetNotFoundError(f"{path}: there is no such file")
    try:
        scan = pl.scan_parquet if path.suffix.lower() in _PARQUET else pl.scan_ipc
        for frame in scan(path).collect_batches(chunk_size=ROWS_AT_A_TIME):
            yield DataTable(str(path), frame, is_text=False)
    except (pl.exceptions.PolarsError, OSError, ValueError) as error:
        reason = " ".join(str(error).split())[:200] or type(error).__name__
        raise DatasetError(f"{path}: the file cannot be read ({reason})") from None
