"""What ``aslant reproduce`` does: choose tables, compute their cells, write both figures."""

from __future__ import annotations

import json
import platform
import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from difflib import get_close_matches
from pathlib import Path

from aslant.cli.notes import note
from aslant.cli.progress import WorkBar
from aslant.cli.tables import Format, csv_text, markdown_text, rich_text
from aslant.experiments import PAPERS, find_paper
from aslant.experiments.journal import Journal, default_folder
from aslant.experiments.layout import Shortening, lay_out
from aslant.experiments.protocol import Column, Paper, Table
from aslant.experiments.records import MEASURES
from aslant.experiments.report import NOT_AVAILABLE, SYMBOLS, Entry, Report, make_report
from aslant.experiments.runner import run_cells

LEGEND = (
    "The published figure {place} ours: = within one sd, ~ within two, + better, - worse, "
    "! different where neither is better, n/a not available."
)


def list_papers() -> list[dict[str, str]]:
    """Return a line for each table of each paper."""
    return [
        {
            "paper": paper.name,
            "table": str(table.number),
            "shows": table.title,
            "datasets": ", ".join(dict.fromkeys(map(_dataset_label, table.columns))),
        }
        for paper in map(find_paper, PAPERS)
        for table in paper.tables
    ]


def _dataset_label(column: Column) -> str:
    """Return the paper's name of a data set, also where the column is one of its classes."""
    return column.label if column.class_index is None else column.label.split()[0]


def choose_tables(
    paper: Paper, number: int | None, datasets: str | None, methods: str | None
) -> list[Table]:
    """Return the tables that were asked for, with the columns and methods asked for."""
    tables = list(paper.tables) if number is None else [paper.table(number)]
    if datasets is not None:
        columns = [column for table in tables for column in table.columns]
        known = {name for column in columns for name in _names(column)}
        wanted = _chosen("data set", datasets, known)
        tables = [
            replace(table, columns=tuple(c for c in table.columns if _is_wanted(c, wanted)))
            for table in tables
        ]
        tables = [table for table in tables if table.columns]
    if methods is not None:
        wanted = _chosen("method", methods, {m.label for t in tables for m in t.methods})
        tables = [_with_methods(table, wanted) for table in tables]
        tables = [table for table in tables if table.methods]
    return tables


def _with_methods(table: Table, wanted: set[str]) -> Table:
    methods = tuple(m for m in table.methods if _plain_name(m.label) in wanted)
    labels = {method.label for method in methods}
    tests = tuple(c for c in table.comparisons if labels.issuperset(c.methods))
    if table.comparisons and not tests:
        methods = ()
    return replace(table, methods=methods, comparisons=tests)


def _plain_name(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.lower())


def _chosen(what: str, text: str, known: Iterable[str]) -> set[str]:
    """Return the plain names in a list with commas, each of which must be known."""
    by_plain_name = {_plain_name(name): name for name in sorted(known)}
    wanted = {_plain_name(part): part.strip() for part in text.split(",") if part.strip()}
    if not wanted:
        raise ValueError(f"no {what} was named, got {text!r}.")
    for plain, given in wanted.items():
        if plain not in by_plain_name:
            near = get_close_matches(plain, by_plain_name, n=3, cutoff=0.4)
            hint = ", ".join(by_plain_name[name] for name in near or by_plain_name)
            nearest = "nearest" if near else "there are"
            raise ValueError(f"there is no {what} {given!r} in these tables; {nearest}: {hint}.")
    return set(wanted)


def _names(column: Column) -> tuple[str, str]:
    """Return the paper's name of a data set and ours."""
    return _dataset_label(column), column.data.name


def _is_wanted(column: Column, wanted: set[str]) -> bool:
    return any(_plain_name(name) in wanted for name in _names(column))


# ---------------------------------------------------------------------- computing


@dataclass(frozen=True)
class Effort:
    """How the work is done: see the options of the command."""

    quick: bool
    again: bool
    jobs: int
    cache: Path | None


def compute(paper: Paper, table: Table, effort: Effort) -> Report:
    """Return the report of one table, computing what the cache does not have."""
    if effort.jobs == 0:
        raise ValueError("--jobs must be a number of processes or, from all cores down, -1, -2, ..")
    journal = Journal(effort.cache or default_folder())
    short = Shortening() if effort.quick else None
    layout = lay_out(table, short)
    cells = [cell for runs in layout.cells.values() for cell in runs]
    bar = WorkBar(f"{paper.name}, table {table.number}")
    try:
        with bar:
            results = run_cells(
                cells,
                journal,
                jobs=effort.jobs,
                budget=None if short is None else short.budget,
                again=effort.again,
                report=bar,
            )
    except KeyboardInterrupt:
        note(f"{bar.done} of {bar.total} runs are kept; the same command goes on from there.")
        raise
    return make_report(paper.name, layout, results)


# ---------------------------------------------------------------------- writing


def write_reports(paper: Paper, reports: Sequence[Report], form: Format, command: str) -> str:
    """Return tables as text in the format asked for."""
    if form is Format.csv:
        rows = [list(asdict(entry).values()) for report in reports for entry in report.entries]
        cells = [["" if value is None else value for value in row] for row in rows]
        return csv_text([list(Entry.__dataclass_fields__), *cells])
    if form is Format.json:
        return json.dumps(_document(paper, reports, command), indent=2, ensure_ascii=False) + "\n"
    parts = [_heading(paper, command, form)]
    for report in reports:
        parts += [_title(report, form), *_grids(report, form), _remarks(report, form)]
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
                "summary": report.summary(),
                "cells": [asdict(entry) for entry in report.entries],
                "not_available": report.layout.absent,
                "not_reproduced": dict(report.layout.table.not_reproduced),
                "shortened": report.layout.remarks,
            }
            for report in reports
        ],
    }


def _heading(paper: Paper, command: str, form: Format) -> str:
    made = produced_by(command)
    versions = ", ".join(f"{name} {made[name]}" for name in list(made)[2:])
    if form is Format.md:
        return f"# {paper.citation}\n\n`{command}`, {made['date']}, {versions}.\n\n" + (
            LEGEND.format(place="/") + "\n"
        )
    return f"{paper.citation}\n{LEGEND.format(place='above')}\n"


def _title(report: Report, form: Format) -> str:
    table = report.layout.table
    return f"{'## ' if form is Format.md else ''}Table {table.number}. {table.title}\n"


def _grids(report: Report, form: Format) -> list[str]:
    """Return a table for each measure."""
    texts = []
    for measure in dict.fromkeys(entry.measure for entry in report.entries):
        entries = [entry for entry in report.entries if entry.measure == measure]
        header, rows = _grid(entries, " / " if form is Format.md else "\n")
        title = MEASURES[measure].title if measure in MEASURES else "p-value"
        if form is Format.md:
            texts.append(f"### {title}\n\n{markdown_text(header, rows)}")
        else:
            texts.append(title + "\n" + rich_text(header, rows, lines=True))
    return texts


def _grid(entries: Sequence[Entry], between: str) -> tuple[list[str], list[list[str]]]:
    """Return header and rows; the longer list, of methods or of data sets, goes downwards."""
    down = list(dict.fromkeys(entry.method for entry in entries))
    across = list(dict.fromkeys(entry.dataset for entry in entries))
    texts = {(entry.method, entry.dataset): _cell_text(entry, between) for entry in entries}
    if len(across) > len(down):
        down, across = across, down
        texts = {(dataset, method): text for (method, dataset), text in texts.items()}
    return ["", *across], [[name, *(texts.get((name, a), "") for a in across)] for name in down]


def _cell_text(entry: Entry, between: str) -> str:
    measure = MEASURES.get(entry.measure)
    digits = 3 if measure is None else measure.digits
    published = _with_spread(entry.published, entry.published_sd, digits)
    if entry.ours is None:
        return f"{published}{between}{'n/a' if entry.note == NOT_AVAILABLE else 'skipped'}"
    ours = _with_spread(entry.ours, entry.ours_sd, digits)
    return f"{published}{between}{ours} {SYMBOLS.get(entry.mark, '')}".rstrip()


def _with_spread(value: float | None, sd: float | None, digits: int) -> str:
    if value is None:
        return "not printed"
    return f"{value:.{digits}f}" + ("" if sd is None else f" ± {sd:.{digits}f}")


def _remarks(report: Report, form: Format) -> str:
    layout, table = report.layout, report.layout.table
    lines = [*report.summary(), table.remark]
    lines += [f"not available: {name} ({why})" for name, why in layout.absent.items()]
    lines += [f"not reproduced: {name} ({why})" for name, why in table.not_reproduced.items()]
    lines += [f"shortened: {remark}" for remark in layout.remarks]
    skipped = {
        (entry.dataset, entry.method, entry.note)
        for entry in report.entries
        if entry.note not in ("", NOT_AVAILABLE)
    }
    lines += [f"skipped: {method} on {data}, {why}" for data, method, why in sorted(skipped)]
    bullet = "- " if form is Format.md else ""
    return "".join(f"{bullet}{line}\n" for line in lines if line)


def command_line() -> str:
    """Return the command as it was typed, for the record."""
    return " ".join(["aslant", *sys.argv[1:]])
