"""Files read in blocks of rows, so that memory does not grow with the file."""

from __future__ import annotations

import csv
import gzip
import zlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from aslant.datasets.errors import DatasetError
from aslant.datasets.frame_file import FRAME_SUFFIXES, FrameTable, parquet_blocks
from aslant.datasets.table import GZIP_MAGIC, tables_of
from aslant.datasets.user_file import (
    MISSING,
    FileFormat,
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


def read_blocks(path: Path, reading: FileFormat | None = None) -> Iterator[UserTable | FrameTable]:
    """Yield the rows of a file, some at a time, as tables with the same columns.

    Separator and decimal mark of a large text file are detected from its beginning.
    """
    if path.suffix.lower() in FRAME_SUFFIXES:
        yield from parquet_blocks(path, ROWS_AT_A_TIME)
    elif not path.is_file() or _size(path) <= WHOLE_FILE:
        yield read_user_table(path, reading)
    else:
        yield from _text_blocks(path, reading or FileFormat())


def _is_packed(path: Path) -> bool:
    with open(path, "rb") as file:
        return file.read(len(GZIP_MAGIC)) == GZIP_MAGIC


def _size(path: Path) -> int:
    return path.stat().st_size * (10 if _is_packed(path) else 1)


def _text_blocks(path: Path, reading: FileFormat) -> Iterator[UserTable]:
    origin = str(path)
    encoding = reading.encoding
    first: UserTable | None = None
    try:
        if encoding is None:
            with _opened(path, "rb") as binary:
                encoding = encoding_of(binary.read(4))
        with _opened(path, "rt", encoding=encoding, newline="") as text:
            beginning = text.read(_LOOKED_AT)
        sep = reading.sep or separator_of(beginning[: beginning.rfind("\n") + 1])
        with _opened(path, "rt", encoding=encoding, newline="") as text:
            reader = csv.reader(text, delimiter=sep, skipinitialspace=True, strict=True)
            for table in tables_of(origin, reader, MISSING | set(reading.na), ROWS_AT_A_TIME):
                block = as_written(table, reading, encoding, sep)
                if first is not None:  # the first block decides the number format
                    block = replace(block, notes=(), decimal=first.decimal, groups=first.groups)
                first = first or block
                yield block
    except LookupError:
        raise DatasetError(f"{origin}: there is no encoding {encoding!r}") from None
    except UnicodeError:
        raise _not_text(origin, str(encoding)) from None
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise DatasetError(f"{origin}: the gzip file is damaged or cut short") from None
    if first is None:
        raise DatasetError(f"{origin}: the file has a header but no rows")


def _opened(path: Path, mode: str, **how: Any) -> Any:
    return gzip.open(path, mode, **how) if _is_packed(path) else open(path, mode, **how)


def _not_text(origin: str, encoding: str) -> DatasetError:
    name = "UTF-8" if encoding == "utf-8-sig" else encoding
    return DatasetError(
        f"{origin}: the file is not {name} text; its encoding must be named, such as latin-1 or "
        "cp1252"
    )
