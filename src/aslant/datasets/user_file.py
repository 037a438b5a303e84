"""A user's own file: separator, encoding and number format are detected where that is safe."""

from __future__ import annotations

import codecs
import csv
import os
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

import numpy as np

from aslant.datasets.errors import DatasetError
from aslant.datasets.frame_file import FRAME_SUFFIXES, FrameTable, read_frame
from aslant.datasets.table import FloatArray, Table, decode, parse, read_bytes
from aslant.datasets.written_numbers import (
    WrittenNumbers,
    groups_thousands,
    read_numbers,
    uses_decimal_comma,
)

MISSING = frozenset(
    {"", "NA", "N/A", "n/a", "NaN", "nan", "NAN", "?", "null", "NULL", "Null", "#N/A", "<NA>"}
)
"""The cells that are missing values in any column."""

_SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
_LINES_LOOKED_AT = 200
# UTF-16 is recognised by its byte-order mark.
_MARKS = {codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}


@dataclass(frozen=True)
class FileFormat:
    """How a file is read; None is detected.

    Attributes
    ----------
    sep : str or None
        The column separator.
    encoding : str or None
        The encoding of the text: UTF-8, or UTF-16 with a mark, if None.
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
class UserTable(Table):
    """A table with formatted numbers: separated thousands, decimal comma, words for missing.

    Attributes
    ----------
    decimal : str
        The decimal mark.
    groups : bool
        Whether thousands may be separated.
    """

    decimal: str = "."
    groups: bool = True

    def numbers(self, column: str, *, any_words: bool = False) -> FloatArray | None:
        """Return a column as floats (NaN = missing), or None if a cell is not a number."""
        if self.decimal == ".":
            plain = super().numbers(column)
            if plain is not None:
                return plain
        found = self._read(column, any_words=any_words)
        return None if found is None else found.values

    def _read(self, column: str, *, any_words: bool) -> WrittenNumbers | None:
        return read_numbers(
            self.columns[column],
            self.missing,
            self.decimal,
            any_words=any_words,
            groups=self.groups,
        )

    def taken_as_numbers(self, columns: Iterable[str]) -> list[str]:
        """Return notes on words for missing values and separated thousands in numeric columns."""
        notes = []
        for name in columns:
            found = self._read(name, any_words=False)
            if found is not None and found.words:
                words = ", ".join(f"{word!r} ({n} cells)" for word, n in found.words.most_common(3))
                notes.append(f"column {name!r} holds numbers: {words} count as missing")
            if found is not None and found.grouped:
                notes.append(
                    f"column {name!r} holds numbers: {found.grouped} cells with separated thousands"
                )
        return notes


def read_user_table(
    path: str | os.PathLike[str], reading: FileFormat | None = None
) -> UserTable | FrameTable:
    """Read a CSV file, plain or compressed with gzip, or a Parquet or Feather file."""
    reading = reading or FileFormat()
    origin = os.fspath(path)
    if Path(path).suffix.lower() in FRAME_SUFFIXES:
        return read_frame(Path(path))
    content = read_bytes(Path(path))
    encoding = reading.encoding or encoding_of(content)
    text = decode(origin, content, encoding)
    sep = reading.sep or separator_of(text)
    table = parse(origin, text, MISSING | frozenset(reading.na), sep)
    return as_written(table, reading, encoding, sep)


def encoding_of(content: bytes) -> str:
    """Return the encoding of a text by the mark at its beginning."""
    return next((_MARKS[mark] for mark in _MARKS if content.startswith(mark)), "utf-8-sig")


def as_written(table: Table, reading: FileFormat, encoding: str, sep: str) -> UserTable:
    """Return a table with the number format detected from its cells, and notes on it."""
    notes = []
    if reading.encoding is None and encoding != "utf-8-sig":
        notes.append("the text is UTF-16")
    if sep != "," and reading.sep is None:
        notes.append(f"columns are separated by {_SEPARATORS[sep]}")
    decimal = reading.decimal or _decimal_mark(table.columns.values(), sep)
    if decimal == "," and reading.decimal is None:
        notes.append("numbers have a decimal comma")
    # 1,015 in a file without commas between its columns could be either.
    clear = sep == "," or decimal == "," or reading.decimal is not None
    groups = clear or any(groups_thousands(column) for column in table.columns.values())
    return UserTable(
        table.origin, table.columns, table.lines, table.missing, notes, decimal, groups
    )


def separator_of(text: str) -> str:
    """Return the separator that gives all first lines the same number of cells; else a comma."""
    found = {}
    for sep in _SEPARATORS:
        try:
            reader = csv.reader(
                iter(text.splitlines(keepends=True)),
                delimiter=sep,
                skipinitialspace=True,
                strict=True,
            )
            widths = {len(row) for row in islice(reader, _LINES_LOOKED_AT) if row}
        except csv.Error:
            continue
        if len(widths) == 1 and max(widths) > 1:
            found[sep] = max(widths)
    # The first of equally good ones, which is the comma.
    return max(found, key=lambda sep: found[sep], default=",")


def _decimal_mark(columns: Collection[Sequence[str]], sep: str) -> str:
    """Return a comma where some numbers can only be read so, and none has a decimal point."""
    if sep == ",":
        return "."
    commas = [column for column in columns if uses_decimal_comma(column)]
    points = any(_has_fractions(column) for column in columns)
    return "," if commas and not points else "."


def _has_fractions(cells: Sequence[str]) -> bool:
    """Whether a column is made of numbers with a decimal point."""
    found = read_numbers(cells, MISSING, ".", any_words=True, groups=False)
    if found is None or not any("." in cell for cell in cells):
        return False
    values = found.values[~np.isnan(found.values)]
    return bool((values != np.round(values)).any())
