"""Results as tables: for the eye through rich, for programs as JSON, CSV or Markdown."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any

# Wide enough that no cell is cut when the output goes to a file or another program.
_WIDTH_OF_A_FILE = 240

Record = Mapping[str, Any]
"""Values by name; names are words joined by underscores."""


class Format(StrEnum):
    """How a table is written."""

    text = "text"
    json = "json"
    csv = "csv"
    md = "md"


def print_records(records: Sequence[Record], form: Format) -> None:
    """Write records as a table with a line each, or as a JSON list."""
    if form is Format.text:
        header = [_spoken(name) for name in records[0]]
        rows = [[_readable(v) for v in record.values()] for record in records]
        sys.stdout.write(rich_text(header, rows))
    else:
        sys.stdout.write(_plain(records, form, list(records)))


def print_record(record: Record, form: Format) -> None:
    """Write one record: for the eye a line per value, for programs one row, or a JSON object."""
    if form is Format.text:
        rows = [[_spoken(name), _readable(value)] for name, value in record.items()]
        sys.stdout.write(rich_text(None, rows))
    else:
        sys.stdout.write(_plain([record], form, record))


def _plain(records: Sequence[Record], form: Format, document: Any) -> str:
    if form is Format.json:
        return json.dumps(document, indent=2, ensure_ascii=False) + "\n"
    if form is Format.csv:
        rows = [[_exact(value) for value in record.values()] for record in records]
        return csv_text([list(records[0]), *rows])
    rows = [[_readable(value) for value in record.values()] for record in records]
    return markdown_text([_spoken(name) for name in records[0]], rows)


def csv_text(rows: Sequence[Sequence[Any]]) -> str:
    """Return rows, the header first, as the text of a CSV file."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def markdown_text(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table in Markdown."""
    lines = [header, ["---"] * len(header), *rows]
    return "".join(f"| {' | '.join(map(_markdown_cell, line))} |\n" for line in lines)


def _markdown_cell(text: str) -> str:
    return " ".join(text.replace("\\", "\\\\").replace("|", "\\|").split())


def rich_text(
    header: Sequence[str] | None, rows: Sequence[Sequence[str]], *, lines: bool = False
) -> str:
    """Return a table for the eye; with `lines` a line is drawn between the rows."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(
        box=SIMPLE_HEAD if header else None, show_header=header is not None, show_lines=lines
    )
    for column, name in enumerate(header or ["", ""]):
        numeric = header is not None and all(_is_number(row[column]) for row in rows)
        table.add_column(Text(name), justify="right" if numeric else "left")
    for row in rows:
        table.add_row(*map(Text, row))  # plain text: brackets in a name are not markup
    console = Console(width=None if sys.stdout.isatty() else _WIDTH_OF_A_FILE)
    with console.capture() as captured:  # rich would end the program itself if the pipe is closed
        console.print(table)
    return captured.get()


def _spoken(name: str) -> str:
    return name.replace("_", " ")


def _readable(value: Any) -> str:
    """Return a value for the eye."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4g}"
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def _exact(value: Any) -> Any:
    """Return a value for a cell of a CSV file."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return str(value).lower()
    return " ".join(map(str, value)) if isinstance(value, list | tuple) else value


def _is_number(text: str) -> bool:
    return text.replace(".", "", 1).isdigit()
