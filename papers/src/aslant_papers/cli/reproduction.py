"""What ``aslant reproduce`` does: choose tables and compute their cells."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path

from aslant.cli.notes import note
from aslant.cli.output import check_output, write_result
from aslant.utils.progress import Bar
from aslant_papers import PAPERS, find_paper
from aslant_papers.claims import Finding, check_all, find_claims
from aslant_papers.datasets.catalogue import ALIASES
from aslant_papers.journal import Journal, default_folder
from aslant_papers.layout import Shortening, TableLayout, lay_out
from aslant_papers.protocol import Paper, PaperTable, TableColumn
from aslant_papers.report import Report, make_report
from aslant_papers.runner import Results, run_cells
from aslant_papers.summary import Record, write_into


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
        for table in (*paper.tables, *paper.experiments)
    ]


def _dataset_label(column: TableColumn) -> str:
    """Return the paper's name of a data set, also where the column is one of its classes."""
    return column.label if column.class_index is None else column.label.split()[0]


def choose_tables(
    paper: Paper, number: str | None, datasets: str | None, methods: str | None
) -> list[PaperTable]:
    """Return the tables that were asked for, with the columns and methods asked for."""
    everything = [*paper.tables, *paper.experiments]
    tables = everything if number is None else [paper.table(number)]
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
    if not tables:
        raise ValueError(f"no table of {paper.name} compares only these methods: name more.")
    return tables


def _with_methods(table: PaperTable, wanted: set[str]) -> PaperTable:
    methods = tuple(m for m in table.methods if _plain_name(m.label) in wanted)
    labels = {method.label for method in methods}
    tests = tuple(c for c in table.comparisons if labels.issuperset(c.methods))
    if table.comparisons and not tests:
        methods = ()
    return replace(table, methods=methods, comparisons=tests)


def _plain_name(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.lower())


def _chosen(what: str, text: str, known: Iterable[str]) -> set[str]:
    """Return the plain names in a comma-separated list, each of which must be known."""
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


def _names(column: TableColumn) -> tuple[str, ...]:
    """Return the paper's name of a data set and ours."""
    aliases = (alias for alias, name in ALIASES.items() if name == column.data.name)
    return _dataset_label(column), column.data.name, *aliases


def _is_wanted(column: TableColumn, wanted: set[str]) -> bool:
    return any(_plain_name(name) in wanted for name in _names(column))


# ---------------------------------------------------------------------- computing


@dataclass(frozen=True)
class RunOptions:
    """How the work is done: see the options of the command."""

    quick: bool
    again: bool
    kept: bool
    jobs: int
    journal: Journal


def make_effort(
    *, quick: bool, again: bool, jobs: int, cache: Path | None, kept: bool = False
) -> RunOptions:
    """Take the options of the command; without a folder the cache is the platform's own."""
    if jobs == 0:
        raise ValueError("--jobs must be a number of processes, or -1 for one per core, got 0.")
    if again and kept:
        raise ValueError("--again computes everything and --kept nothing: give one of them.")
    return RunOptions(quick, again, kept, jobs, Journal(cache or default_folder()))


def compute(paper: Paper, table: PaperTable, effort: RunOptions) -> Report:
    """Return the report of one table, computing what the journal does not have."""
    short = Shortening() if effort.quick else None
    layout = lay_out(table, short)
    budget = None if short is None else short.budget
    kind = "table" if isinstance(table.number, int) else "experiment"
    results = run_layout(f"{paper.name}, {kind} {table.number}", layout, effort, budget)
    return make_report(paper.name, layout, results)


def check_claims(paper: Paper, effort: RunOptions) -> list[Finding]:
    """Return the findings on each claim of a paper, computing what the journal lacks."""
    claims = find_claims(paper.name)
    needed = dict.fromkeys(str(number) for claim in claims for number in claim.needs)
    return findings_of(paper, [compute(paper, paper.table(number), effort) for number in needed])


def findings_of(paper: Paper, reports: Sequence[Report]) -> list[Finding]:
    """Return the findings of these tables and experiments on each claim of a paper."""
    return check_all(find_claims(paper.name), reports)


def write_summaries(files: Sequence[Path], effort: RunOptions) -> None:
    """Write the summary of all papers into documents, between their markers."""
    documents = {file: _document(file) for file in files}
    records = []
    for paper in map(find_paper, PAPERS):
        reports = [compute(paper, one, effort) for one in (*paper.tables, *paper.experiments)]
        records.append(Record(paper, reports, findings_of(paper, reports)))
    for file, text in documents.items():
        write_result(write_into(text, records, file), file, "summary is")


def _document(file: Path) -> str:
    check_output(file)
    if not file.is_file():
        raise ValueError(f"Cannot write into {str(file)!r}: there is no such file.")
    text = file.read_text(encoding="utf-8")
    write_into(text, (), file)  # refuses a document without markers before any work
    return text


def run_layout(
    label: str, layout: TableLayout, effort: RunOptions, budget: float | None = None
) -> Results:
    """Return the results of all cells, showing a bar meanwhile."""
    cells = [cell for runs in layout.cells.values() for cell in runs]
    if effort.kept:
        finished = effort.journal.read()
        cells = [cell for cell in cells if cell.key in finished]
    bar = Bar(label)
    try:
        with bar:
            return run_cells(
                cells,
                effort.journal,
                jobs=effort.jobs,
                budget=budget,
                again=effort.again,
                report=bar,
            )
    except KeyboardInterrupt:
        note(f"{bar.done} of {bar.total} runs are kept; the same command goes on from there.")
        raise
