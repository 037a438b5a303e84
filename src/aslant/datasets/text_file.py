"""Text files as tables of cells: compression, encoding, separator, header, whole records.

polars reads rectangular CSV quickly, but fills short lines silently and refuses quotes within a
cell. So each chunk of a file is surveyed first, with NumPy: if all records are as wide as the
header and quoted by the book, polars reads the chunk as it is; else Python's csv module reads the
rest of the file, and reports what is wrong with its line.
"""

from __future__ import annotations

import codecs
import csv
import gzip
import io
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from aslant.datasets.errors import DatasetError, DatasetNotFoundError

CHUNK = 24 << 20
"""Bytes of text that are read at a time."""

_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
_MARKS = {codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
UTF8, WINDOWS = "utf-8", "cp1252"
SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
_LINES_LOOKED_AT, _LOOKED_AT = 200, 1 << 20
_ROWS_AT_A_TIME = 100_000


@dataclass(frozen=True)
class TextFile:
    """A text file with a header.

    Attributes
    ----------
    path : Path
        The file.
    encoding, sep : str
        How it is read.
    names : list of str
        The names of the columns.
    """

    path: Path
    encoding: str
    sep: str
    names: list[str]

    @classmethod
    def open(cls, path: Path, encoding: str | None, sep: str | None) -> TextFile:
        """Look at the beginning of a file: encoding, separator, header."""
        with _errors(path, encoding):
            beginning = next(_raw_chunks(path, _LOOKED_AT), b"")
            encoding = encoding or _encoding_of(path, beginning)
            text = next(_decoded(iter([beginning]), encoding, last=False), "")
        if not text.strip():
            raise DatasetError(f"{path}: the file is empty")
        lines = text[: text.rfind("\n") + 1] or text
        sep = sep or _separator_of(lines)
        try:
            header = next(row for row in _reader(iter(_split(lines)), sep) if row)
        except (StopIteration, csv.Error):
            raise DatasetError(f"{path}: line 1 is not valid CSV") from None
        return cls(path, encoding, sep, _checked_header(path, [name.strip() for name in header]))

    def frames(self) -> Iterator[pl.DataFrame]:
        """Yield the rows as frames of text, None where a cell is empty."""
        with _errors(self.path, self.encoding):
            for records in self._records():
                yield self._frame(records)

    def pieces(self) -> list[tuple[int, int]]:
        """Return first byte and size of pieces that `piece` can read; none if there are none.

        Only plain text has pieces, in UTF-8, and only if all of its records are regular.
        """
        with open(self.path, "rb") as file:
            packed = file.read(4).startswith((_GZIP, _ZSTD))
        if packed or self.encoding != UTF8:
            return []
        found, first, rest, at_header = [], 0, b"", True
        for chunk in _raw_chunks(self.path, CHUNK):
            buffer = rest + chunk
            if at_header:
                text = buffer.removeprefix(codecs.BOM_UTF8).lstrip(b"\r\n")
                first, buffer = len(buffer) - len(text), text
            end = _last_record(buffer)
            records, rest = buffer[:end], buffer[end:]
            if not records:
                continue
            if not _is_regular(records, self.sep, len(self.names)):
                return []
            start = _last_record(records, first=True) if at_header else 0
            at_header = False
            if end > start:
                found.append((first + start, end - start))
            first += end
        return [] if rest else found

    def piece(self, first: int, size: int) -> pl.DataFrame:
        """Return the rows of a piece."""
        with _errors(self.path, self.encoding), open(self.path, "rb") as file:
            file.seek(first)
            return self._frame(file.read(size))

    def _frame(self, records: bytes) -> pl.DataFrame:
        return pl.read_csv(
            records,
            has_header=False,
            separator=self.sep,
            schema=dict.fromkeys(self.names, pl.String),
        )

    # ------------------------------------------------------------------ records

    def _records(self) -> Iterator[bytes]:
        """Yield whole records below the header, as bytes that polars can read."""
        rest, at_header, n_lines = b"", True, 0
        chunks = self._chunks()
        for chunk in chunks:
            buffer = rest + chunk
            end = _last_record(buffer)
            records, rest = buffer[:end], buffer[end:]
            if not records:
                continue
            if not _is_regular(records, self.sep, len(self.names)):
                rest = records + rest
                break
            n_lines += records.count(b"\n")
            if at_header:
                records, at_header = records[_last_record(records, first=True) :], False
            if records:
                yield records
        # What is irregular, and a last line without an end, which is as rare.
        yield from self._slowly(rest, chunks, at_header, n_lines)

    def _slowly(
        self, rest: bytes, chunks: Iterator[bytes], at_header: bool, n_lines: int
    ) -> Iterator[bytes]:
        """Yield records rewritten by Python's csv module; it names the line of what is wrong."""
        reader = _reader(_lines(rest, chunks), self.sep)
        rows: list[list[str]] = []
        try:
            for row in reader:
                if not row:  # a blank line
                    continue
                if at_header:
                    at_header = False
                    continue
                if len(row) != len(self.names):
                    count = "1 cell" if len(row) == 1 else f"{len(row)} cells"
                    raise DatasetError(
                        f"{self.path}: line {n_lines + reader.line_num} has {count}, but the "
                        f"header has {len(self.names)}"
                    )
                rows.append(row)
                if len(rows) == _ROWS_AT_A_TIME:
                    yield _written(rows, self.sep)
                    rows = []
        except csv.Error as error:
            line = n_lines + reader.line_num
            raise DatasetError(f"{self.path}: line {line} is not valid CSV ({error})") from None
        if rows:
            yield _written(rows, self.sep)

    def _chunks(self) -> Iterator[bytes]:
        """Yield the text as UTF-8, without a mark and blank lines at its beginning."""
        raw = _raw_chunks(self.path, CHUNK)
        if self.encoding == UTF8:
            found = raw
        else:
            found = (text.encode() for text in _decoded(raw, self.encoding))
        first = True
        for chunk in found:
            yield chunk.removeprefix(codecs.BOM_UTF8).lstrip(b"\r\n") if first else chunk
            first = False


# ---------------------------------------------------------------------- bytes


def _raw_chunks(path: Path, size: int) -> Iterator[bytes]:
    """Yield the bytes of a file, decompressed."""
    with open(path, "rb") as file:
        magic = file.read(4)
    if magic == _ZSTD:
        yield from _lines_by_polars(path)
        return
    with gzip.open(path) if magic.startswith(_GZIP) else open(path, "rb") as file:
        while chunk := file.read(size):
            yield chunk


def _lines_by_polars(path: Path) -> Iterator[bytes]:
    """Yield the lines of a file that polars decompresses, Zstandard's."""
    lines = pl.scan_csv(
        path,
        has_header=False,
        separator="\x01",
        quote_char=None,
        schema={"line": pl.String},
        empty_string_is_null=False,
    )
    for batch in lines.collect_batches(chunk_size=_ROWS_AT_A_TIME):
        yield ("\n".join(batch["line"]) + "\n").encode()


def _encoding_of(path: Path, beginning: bytes) -> str:
    """Return UTF-16 by its mark, UTF-8 if the bytes can be that, else that of Windows."""
    for mark, name in _MARKS.items():
        if beginning.startswith(mark):
            return name
    if b"\0" in beginning:
        raise DatasetError(f"{path}: the file is binary (it holds zero bytes), not CSV text")
    for name in (UTF8, WINDOWS):
        try:
            codecs.getincrementaldecoder(name)().decode(beginning)
        except UnicodeDecodeError:
            continue
        return name
    raise _not_text(path, UTF8)


def _decoded(chunks: Iterator[bytes], encoding: str, *, last: bool = True) -> Iterator[str]:
    decoder = codecs.getincrementaldecoder(encoding)()
    for chunk in chunks:
        yield decoder.decode(chunk).removeprefix("\ufeff")
    if last:
        yield decoder.decode(b"", final=True)


class _errors:  # noqa: N801 - used as a function
    """Turns what goes wrong in reading a file into a sentence."""

    def __init__(self, path: Path, encoding: str | None) -> None:
        self._path, self._encoding = path, encoding

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        path = self._path
        if kind is None or isinstance(error, DatasetError) or not issubclass(kind, Exception):
            return
        raise _sentence(path, error, self._encoding) from None


def _sentence(path: Path, error: Exception, encoding: str | None) -> DatasetError:
    if isinstance(error, FileNotFoundError):
        return DatasetNotFoundError(f"{path}: there is no such file")
    if isinstance(error, IsADirectoryError):
        return DatasetError(f"{path}: this is a folder, not a CSV file")
    if isinstance(error, EOFError | zlib.error | gzip.BadGzipFile):
        return DatasetError(f"{path}: the gzip file is damaged or cut short")
    if isinstance(error, LookupError):
        return DatasetError(f"{path}: there is no encoding {encoding!r}")
    if isinstance(error, UnicodeError) or "invalid utf-8" in str(error):
        return _not_text(path, encoding or UTF8)
    reason = getattr(error, "strerror", None) or " ".join(str(error).split())[:200]
    return DatasetError(f"{path}: the file cannot be read ({reason or type(error).__name__})")


def _not_text(path: Path, encoding: str) -> DatasetError:
    name = "UTF-8" if encoding == UTF8 else encoding
    return DatasetError(
        f"{path}: the file is not {name} text; its encoding must be named, such as latin-1 or "
        "cp1252"
    )


# ---------------------------------------------------------------------- records


def _last_record(buffer: bytes, *, first: bool = False) -> int:
    """Return where the last record ends (or the first one): at a line end outside of quotes."""
    if b'"' not in buffer:
        return (buffer.find(b"\n") if first else buffer.rfind(b"\n")) + 1
    codes = np.frombuffer(buffer, dtype=np.uint8)
    inside = np.bitwise_xor.accumulate((codes == ord('"')).view(np.uint8))
    ends = np.flatnonzero((codes == ord("\n")) & (inside == 0))
    return int(ends[0 if first else -1]) + 1 if len(ends) else 0


def _is_regular(records: bytes, sep: str, width: int) -> bool:
    """Whether all records have as many cells as the header, and quotes enclose whole cells."""
    codes = np.frombuffer(records, dtype=np.uint8)
    if len(sep.encode()) != 1:
        return False
    is_sep, is_end = codes == ord(sep), codes == ord("\n")
    if b'"' in records:
        is_quote = codes == ord('"')
        inside = np.bitwise_xor.accumulate(is_quote.view(np.uint8)).view(bool)
        if not _quotes_enclose_cells(codes, is_quote, inside, ord(sep)):
            return False
        is_sep, is_end = is_sep & ~inside, is_end & ~inside
    ends = np.flatnonzero(is_end)
    if width == 1:  # a blank line would be a missing value
        return not is_sep.any() and b"\n\n" not in records and b"\n\r\n" not in records
    cells = np.diff(np.searchsorted(np.flatnonzero(is_sep), ends), prepend=0)
    return bool((cells == width - 1).all())


def _quotes_enclose_cells(codes: Any, is_quote: Any, inside: Any, sep: int) -> bool:
    """Whether quotes open at the beginning of a cell, and close at its end."""
    places = np.flatnonzero(is_quote)
    opens = inside[places]
    before = np.concatenate([[ord("\n")], codes])[places]
    after = np.concatenate([codes, [ord("\n")]])[places + 1]
    edges = (sep, ord("\n"), ord("\r"), ord('"'))
    return bool(np.isin(before[opens], edges).all() and np.isin(after[~opens], edges).all())


def _reader(lines: Iterator[str], sep: str) -> Any:
    return csv.reader(lines, delimiter=sep, skipinitialspace=True, strict=True)


def _lines(rest: bytes, chunks: Iterator[bytes]) -> Iterator[str]:
    """Yield the lines of the rest of a text."""
    decoder = codecs.getincrementaldecoder(UTF8)()
    text = decoder.decode(rest)
    for chunk in chunks:
        *lines, text = _split(text + decoder.decode(chunk)) or [""]
        yield from lines
    yield from _split(text + decoder.decode(b"", final=True))


def _split(text: str) -> list[str]:
    """Split at line ends only, not at the other characters of `str.splitlines`."""
    return list(io.StringIO(text, newline=""))


def _written(rows: list[list[str]], sep: str) -> bytes:
    text = io.StringIO(newline="")
    # A single empty cell would be a blank line, so all cells are quoted.
    csv.writer(text, delimiter=sep, lineterminator="\n", quoting=csv.QUOTE_ALL).writerows(rows)
    return text.getvalue().encode()


# ---------------------------------------------------------------------- the beginning


def _separator_of(text: str) -> str:
    """Return the separator that gives all first lines the same number of cells; else a comma."""
    found = {}
    lines = _split(text)
    for sep in SEPARATORS:
        try:
            widths = {
                len(row) for row in islice(_reader(iter(lines), sep), _LINES_LOOKED_AT) if row
            }
        except csv.Error:
            continue
        if len(widths) == 1 and max(widths) > 1:
            found[sep] = max(widths)
    # The first of equally good ones, which is the comma.
    return max(found, key=lambda sep: found[sep], default=",")


def _checked_header(path: Path, header: list[str]) -> list[str]:
    """Return the header if its names are present and distinct."""
    if len(header) == 1 and (";" in header[0] or "\t" in header[0]):
        found = "semicolons" if ";" in header[0] else "tabs"
        raise DatasetError(
            f"{path}: columns seem to be separated by {found}, but not every line has as many "
            "cells as the header"
        )
    for position, name in enumerate(header):
        if not name:
            raise DatasetError(
                f"{path}: column {position + 1} has no name in the header; "
                "name it, or remove it if it only numbers the rows"
            )
        if name in header[:position]:
            hint = "; is there a header?" if name.lstrip("-").isdigit() else ""
            raise DatasetError(f"{path}: two columns have the same name {name!r}{hint}")
    return header
