"""A file read in blocks of rows, so that it never needs to be in memory."""

from __future__ import annotations

import csv
import gzip
import io
import zlib
from collections.abc import Iterator
from pathlib import Path

from aslant.datasets.errors import DatasetError
from aslant.datasets.frame_file import FRAME_SUFFIXES, FrameTable, parquet_blocks
from aslant.datasets.table import GZIP_MAGIC, tables_of
from aslant.datasets.user_file import (
    MISSING,
    Reading,
    UserTable,
    as_written,
    encoding_of,
    read_user_table,
    separator_of,
)

ROWS_AT_A_TIME = 100_000
# Text files up to this size, in bytes, are read whole; a compressed one may be ten times as large.
WHOLE_FILE = 64 << 20
_LOOKED_AT = 1 << 20


def read_blocks(path: Path, reading: Reading | None = None) -> Iterator[UserTable | FrameTable]:
    """Yield the rows of a file, some at a time, as tables with the same columns.

    How a large text file is written (separator, decimal mark) is found out from its beginning.
    """
    if path.suffix.lower() in FRAME_SUFFIXES:
        yield from parquet_blocks(path, ROWS_AT_A_TIME)
    elif not path.is_file() or _size(path) <= WHOLE_FILE:
        yield read_user_table(path, reading)
    else:
        yield from _text_blocks(path, reading or Reading())


def _is_packed(path: Path) -> bool:
    with open(path, "rb") as file:
        return file.read(len(GZIP_MAGIC)) == GZIP_MAGIC


def _size(path: Path) -> int:
    return path.stat().st_size * (10 if _is_packed(path) else 1)


def _text_blocks(path: Path, reading: Reading) -> Iterator[UserTable]:
    origin = str(path)
    with gzip.open(path, "rb") if _is_packed(path) else open(path, "rb") as binary:
        encoding = reading.encoding or encoding_of(binary.read(4))
        binary.seek(0)
        try:
            beginning = io.TextIOWrapper(binary, encoding, newline="").read(_LOOKED_AT)
        except (LookupError, UnicodeError) as error:
            raise _unreadable(origin, encoding, error) from None
        sep = reading.sep or separator_of(beginning[: beginning.rfind("\n") + 1])
    with (
        gzip.open(path, "rt", encoding=encoding, newline="")
        if _is_packed(path)
        else open(path, encoding=encoding, newline="") as lines
    ):
        reader = csv.reader(lines, delimiter=sep, skipinitialspace=True, strict=True)
        first: UserTable | None = None
        try:
            for table in tables_of(origin, reader, MISSING | set(reading.na), ROWS_AT_A_TIME):
                if first is None:  # how numbers are written, the first block says
                    first = as_written(table, reading, encoding, sep)
                    yield first
                else:
                    yield UserTable(
                        origin,
                        table.columns,
                        table.lines,
                        first.missing,
                        (),
                        first.decimal,
                        first.groups,
                    )
        except UnicodeError as error:
            raise _unreadable(origin, encoding, error) from None
        except (EOFError, zlib.error, gzip.BadGzipFile):
            raise DatasetError(f"{origin}: the gzip file is damaged or cut short") from None
    if first is None:
        raise DatasetError(f"{origin}: the file has a header but no rows")


def _unreadable(origin: str, encoding: str, error: Exception) -> DatasetError:
    if isinstance(error, LookupError) and not isinstance(error, UnicodeError):
        return DatasetError(f"{origin}: there is no encoding {encoding!r}")
    name = "UTF-8" if encoding == "utf-8-sig" else encoding
    return DatasetError(
        f"{origin}: the file is not {name} text; its encoding must be named, such as latin-1 or "
        "cp1252"
    )
