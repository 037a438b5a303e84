"""The cells of a CSV file, and how they become numbers, categories and labels.

Every data set that is not generated passes through here: a user's file, a file of the data
folder, a copy from OpenML. A `Table` holds text by column; three methods turn a column into
what a learner wants. Reading takes the standard library only.
"""

from __future__ import annotations

import csv
import gzip
import hashlib
import io
import os
import re
import zlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from aslant.datasets.errors import DatasetError, DatasetNotFoundError

FloatArray: TypeAlias = npt.NDArray[np.float64]
ObjectArray: TypeAlias = npt.NDArray[np.object_]

GZIP_MAGIC = b"\x1f\x8b"

# Only the usual spelling of an integer: "007" or "+1" read as integers could merge two labels,
# and eighteen digits always fit int64.
INTEGER = re.compile(r"0|-?[1-9][0-9]{0,17}")


@dataclass(frozen=True)
class Table:
    """Text cells by column, stripped of surrounding blanks.

    Attributes
    ----------
    origin : str
        Where the cells come from, for messages.
    columns : mapping of str to sequence of str
        The cells of each column, in the order of the file.
    lines : sequence of int
        The line of the file on which each row ends, for messages.
    missing : collection of str
        The cells that are missing values.
    notes : sequence of str
        What was detected in the file, for the user.
    """

    origin: str
    columns: Mapping[str, Sequence[str]]
    lines: Sequence[int]
    missing: Collection[str]
    notes: Sequence[str] = ()

    def numbers(self, column: str) -> FloatArray | None:
        """Return a column as floats (NaN = missing), or None if a cell is not a number."""
        cells = self.columns[column]
        try:
            values = np.array([np.nan if cell in self.missing else float(cell) for cell in cells])
        except ValueError:
            return None
        # float() also accepts digit groups such as 1_000, which are no numbers in a CSV file.
        if any("_" in cell for cell in cells if cell not in self.missing):
            return None
        infinite = np.flatnonzero(np.isinf(values))
        if infinite.size:
            row = int(infinite[0])
            raise DatasetError(
                f"{self.origin}: line {self.lines[row]} holds the infinite value {cells[row]!r} in "
                f"the numeric column {column!r}; only finite numbers and missing values are allowed"
            )
        return values

    def categories(self, column: str) -> ObjectArray:
        """Return a column as text, with NaN for missing cells."""
        cells = self.columns[column]
        return np.array([np.nan if c in self.missing else c for c in cells], dtype=object)

    def labels(self, column: str) -> npt.NDArray[np.int64] | npt.NDArray[np.str_]:
        """Return class labels: integers if every cell is one, else text; none may be missing."""
        cells = self.columns[column]
        for row, cell in enumerate(cells):
            if cell in self.missing:
                raise DatasetError(
                    f"{self.origin}: line {self.lines[row]} has no value in the target column "
                    f"{column!r}; every row needs a class label"
                )
        if all(INTEGER.fullmatch(cell) for cell in cells):
            return np.array([int(cell) for cell in cells], dtype=np.int64)
        return np.array(cells, dtype=np.str_)


def read_table(
    path: str | os.PathLike[str], missing: Collection[str], sha256: str | None = None
) -> Table:
    """Read a CSV file, plain or compressed with gzip, into a `Table`.

    Parameters
    ----------
    path : path-like
        The file: UTF-8, comma-separated, with a header row.
    missing : collection of str
        The cells that are missing values.
    sha256 : str, optional
        The checksum the file must have once decompressed.
    """
    origin = os.fspath(path)
    content = read_bytes(Path(path))
    if sha256 is not None and hashlib.sha256(content).hexdigest() != sha256.lower():
        raise DatasetError(
            f"{origin}: the checksum (sha256 of the uncompressed file) is not the one its "
            "index.json gives, so the file has been changed or damaged"
        )
    return parse(origin, decode(origin, content), missing)


def read_bytes(path: Path) -> bytes:
    """Return the bytes of a file, decompressed if they are gzip's."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise DatasetNotFoundError(f"{path}: there is no such file") from None
    except IsADirectoryError:
        raise DatasetError(f"{path}: this is a folder, not a CSV file") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise DatasetError(f"{path}: the file cannot be read ({reason})") from None
    if not content.startswith(GZIP_MAGIC):
        return content
    try:
        return gzip.decompress(content)
    except (OSError, EOFError, zlib.error):
        raise DatasetError(f"{path}: the gzip file is damaged or cut short") from None


def decode(origin: str, content: bytes, encoding: str = "utf-8-sig") -> str:
    """Return the text of a file; a byte-order mark is not part of it."""
    try:
        text = content.decode(encoding)
    except LookupError:
        raise DatasetError(f"{origin}: there is no encoding {encoding!r}") from None
    except UnicodeError as error:
        name = "UTF-8" if encoding == "utf-8-sig" else encoding
        place = f" (byte {error.start} cannot be decoded)" if hasattr(error, "start") else ""
        raise DatasetError(
            f"{origin}: the file is not {name} text{place}; its encoding must be named, such as "
            "latin-1 or cp1252"
        ) from None
    if "\0" in text:
        raise DatasetError(f"{origin}: the file is binary (it holds zero bytes), not CSV text")
    if not text.strip():
        raise DatasetError(f"{origin}: the file is empty")
    return text


def parse(origin: str, text: str, missing: Collection[str], sep: str = ",") -> Table:
    """Cut the text into rows and turn them into columns."""
    reader = csv.reader(
        io.StringIO(text, newline=""), delimiter=sep, skipinitialspace=True, strict=True
    )
    found = list(tables_of(origin, reader, missing))
    if not found:
        raise DatasetError(f"{origin}: the file has a header but no rows")
    return found[0]


def tables_of(
    origin: str, reader: Any, missing: Collection[str], rows_at_a_time: int | None = None
) -> Iterator[Table]:
    """Yield the rows below the header, all at once or in blocks."""
    rows: list[list[str]] = []
    lines: list[int] = []
    header: list[str] | None = None

    def table() -> Table:
        cells = ([cell.strip() for cell in column] for column in zip(*rows, strict=True))
        return Table(origin, dict(zip(header or [], cells, strict=True)), lines, missing)

    try:
        for row in reader:
            if not row:  # a blank line
                continue
            if header is None:
                header = _check_header(origin, [name.strip() for name in row])
            elif len(row) != len(header):
                count = "1 cell" if len(row) == 1 else f"{len(row)} cells"
                raise DatasetError(
                    f"{origin}: line {reader.line_num} has {count}, "
                    f"but the header has {len(header)}"
                )
            else:
                rows.append(row)
                lines.append(reader.line_num)
            if len(rows) == rows_at_a_time:
                yield table()
                rows, lines = [], []
    except csv.Error as error:
        raise DatasetError(f"{origin}: line {reader.line_num} is not valid CSV ({error})") from None
    if rows:
        yield table()


def _check_header(origin: str, header: list[str]) -> list[str]:
    """Return the header if its names are present and distinct."""
    if len(header) == 1 and (";" in header[0] or "\t" in header[0]):
        found = "semicolons" if ";" in header[0] else "tabs"
        raise DatasetError(
            f"{origin}: columns seem to be separated by {found}, but not every line has as many "
            "cells as the header"
        )
    for position, name in enumerate(header):
        if not name:
            raise DatasetError(
                f"{origin}: column {position + 1} has no name in the header; "
                "name it, or remove it if it only numbers the rows"
            )
        if name in header[:position]:
            hint = "; is there a header?" if INTEGER.fullmatch(name) else ""
            raise DatasetError(f"{origin}: two columns have the same name {name!r}{hint}")
    return header
