"""Reports of ``aslant reproduce`` as text: for the eye, as Markdown, CSV or JSON."""

from __future__ import annotations

import json
import platform
import shlex
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from datetime import UTC, datetime

from aslant.utils.text_tables import Format, csv_text, markdown_text, rich_text
from aslant_papers.counting import summarise
from aslant_papers.protocol import Paper
from aslant_papers.records import MEASURES
from aslant_papers.report import (
    MEAN_RANK,
    NOT_AVAILABLE,
    SYMBOLS,
    Report,
    ReportEntry,
)

# Title and digits of what is computed from the runs of several methods.
_DERIVED = {"p_value": ("p-value", 3), MEAN_RANK: ("mean rank", 1)}

LEGEND = (
    "The published figure {place} ours: = within one sd, ~ within two, + better, - worse, "
    "! different where neither is better, n/a not available."
)
NOT_COUNTED = " Rows marked * have our own settings and are not counted."


def write_reports(paper: Paper, reports: Sequence[Report], form: Format, command: str) -> str:
    """Return tables as text in the format asked for."""
    if form is Format.csv:
        rows = [list(asdict(entry).values()) for report in reports for entry in report.entries]
        cells = [["" if value is None else value for value in row] for row in rows]
        return csv_text([list(ReportEntry.__dataclass_fields__), *cells])
    if form is Format.json:
        return json.dumps(_document(paper, reports, command), indent=2, ensure_ascii=False) + "\n"
    parts = [heading(paper, command, form), _legend(reports, form)]
    for report in reports:
        parts += [_title(report, form), *_grids(report, form), _remarks(report)]
    if len(reports) > 1:
        entries = [entry for report in reports for entry in report.entries]
        parts.append(_list(f"all {len(reports)} tables, {line}" for line in summarise(entries)))
    return "\n".join(parts)


def produced_by(command: str) -> dict[str, str]:
    """Return when, by what and with which versions tables were made."""
    import numpy
    import scipy
    import sklearn

    import aslant

    return {
        "command": command,
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "aslant": aslant.__version__,
        "python": platform.python_version(),
        "numpy": numpy.__version__,
        "scipy": scipy.__version__,
        "scikit-learn": sklearn.__version__,
    }


def _document(paper: Paper, reports: Sequence[Report], command: str) -> dict[str, object]:
    return {
        "paper": paper.name,
        "citation": paper.citation,
        "produced_by": produced_by(command),
        "tables": [
            {
                "number": report.layout.table.number,
                "title": report.layout.table.title,
                "summary": summarise(report.entries),
                "cells": [asdict(entry) for entry in report.entries],
                "not_available": report.layout.absent,
                "not_reproduced": dict(report.layout.table.not_reproduced),
                "shortened": report.layout.remarks,
                "incomplete_cells": dict(report.incomplete),
            }
            for report in reports
        ],
    }


def heading(paper: Paper, command: str, form: Format) -> str:
    """Return the citation and, in Markdown, what made the tables."""
    made = produced_by(command)
    versions = ", ".join(f"{name} {made[name]}" for name in list(made)[2:])
    if form is Format.md:
        return f"# {paper.citation}\n\n`{command}`, {made['date']}, {versions}.\n"
    return f"{paper.citation}\n"


def _legend(reports: Sequence[Report], form: Format) -> str:
    text = LEGEND.format(place="/" if form is Format.md else "above")
    if any(not entry.counted for report in reports for entry in report.entries):
        text += NOT_COUNTED
    return text + "\n"


def _title(report: Report, form: Format) -> str:
    table = report.layout.table
    kind = "Table" if isinstance(table.number, int) else "Experiment"
    return f"{'## ' if form is Format.md else ''}{kind} {table.number}. {table.title}\n"


def _grids(report: Report, form: Format) -> list[str]:
    """Return a table for each measure."""
    texts = []
    for measure in dict.fromkeys(entry.measure for entry in report.entries):
        entries = [entry for entry in report.entries if entry.measure == measure]
        header, rows = _grid(entries, " / " if form is Format.md else "\n")
        title = _DERIVED[measure][0] if measure in _DERIVED else MEASURES[measure].title
        if form is Format.md:
            texts.append(f"### {title}\n\n{markdown_text(header, rows)}")
        else:
            texts.append(title + "\n" + rich_text(header, rows, lines=True))
    return texts


def _grid(entries: Sequence[ReportEntry], between: str) -> tuple[list[str], list[list[str]]]:
    """Return header and rows; the longer list, of methods or of data sets, goes downwards."""
    down = list(dict.fromkeys(map(_row_name, entries)))
    across = list(dict.fromkeys(entry.dataset for entry in entries))
    texts = {(_row_name(entry), entry.dataset): _cell_text(entry, between) for entry in entries}
    if len(across) > len(down):
        down, across = across, down
        texts = {(dataset, method): text for (method, dataset), text in texts.items()}
    return ["", *across], [[name, *(texts.get((name, a), "") for a in across)] for name in down]


def _row_name(entry: ReportEntry) -> str:
    return entry.method if entry.counted else f"{entry.method} *"


def _cell_text(entry: ReportEntry, between: str) -> str:
    is_derived = entry.measure in _DERIVED
    digits = _DERIVED[entry.measure][1] if is_derived else MEASURES[entry.measure].digits
    published = _with_spread(entry.published, entry.published_sd, digits) + between
    if entry.published is None and not is_derived:
        published = ""  # an experiment without a table
    if entry.ours is None:
        return published + ("n/a" if entry.note == NOT_AVAILABLE else "skipped")
    ours = _with_spread(entry.ours, entry.ours_sd, digits)
    return f"{published}{ours} {SYMBOLS.get(entry.mark, '')}".rstrip()


def _with_spread(value: float | None, sd: float | None, digits: int) -> str:
    if value is None:
        return "not printed"
    return f"{value:.{digits}f}" + ("" if sd is None else f" ± {sd:.{digits}f}")


def _remarks(report: Report) -> str:
    layout, table = report.layout, report.layout.table
    lines = [*summarise(report.entries), table.remark]
    lines += [f"not available: {name} ({why})" for name, why in layout.absent.items()]
    lines += [f"not reproduced: {name} ({why})" for name, why in table.not_reproduced.items()]
    lines += [f"shortened: {remark}" for remark in layout.remarks]
    why = "; ".join(report.reasons) or "not computed"
    for runs, cells in report.incomplete.items():
        lines.append(f"only {runs} runs ({why}): {', '.join(cells)}")
    skipped = {
        (entry.dataset, entry.method, entry.note)
        for entry in report.entries
        if entry.note not in ("", NOT_AVAILABLE)
    }
    lines += [f"skipped: {method} on {data}, {why}" for data, method, why in sorted(skipped)]
    return _list(line for line in lines if line)


def _list(lines: Iterable[str]) -> str:
    return "".join(f"- {line}\n" for line in lines)


def command_line() -> str:
    """Return the command as it was typed, for the record."""
    return shlex.join(["aslant", *sys.argv[1:]])
