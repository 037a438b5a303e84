"""The commands of the papers: reproduce, overview, datasets.

`add_commands` is the entry point through which they join the command line ``aslant``. What a
command needs is imported when it runs, so that ``aslant --help`` does not wait for it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from aslant.cli.cluster import units_on
from aslant.cli.options import DaskOption, FormatOption, OutOption, ProcessesOption, Task
from aslant.cli.output import check_output, write_result
from aslant.utils.text_tables import Format, print_records

MethodsOption = Annotated[
    str | None, typer.Option(metavar="A,B", help="Only these methods; else all.")
]
DatasetsOption = Annotated[
    str | None, typer.Option(metavar="A,B", help="Only these data sets; else all.")
]
AgainOption = Annotated[
    bool, typer.Option("--again", help="Compute again what is already in the cache.")
]
CacheOption = Annotated[
    Path | None, typer.Option(help="The folder of finished runs; else the platform's own.")
]


def add_commands(app: typer.Typer) -> None:
    """Add the commands to the program."""
    for command in (reproduce, overview, datasets):
        app.command()(command)


def reproduce(
    paper: Annotated[
        str | None, typer.Argument(metavar="PAPER", help="A paper; without it they are listed.")
    ] = None,
    table: Annotated[
        str | None,
        typer.Option(
            metavar="N",
            help="One table or experiment; without it all of the paper, and its claims.",
        ),
    ] = None,
    claims: Annotated[
        bool,
        typer.Option("--claims", help="What the paper concludes, and whether it is confirmed."),
    ] = False,
    datasets: DatasetsOption = None,
    methods: MethodsOption = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="A rough version, within two minutes a table.")
    ] = False,
    again: AgainOption = False,
    kept: Annotated[
        bool, typer.Option("--kept", help="Compute nothing: show what was finished before.")
    ] = False,
    into: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="Write the summary of all papers between its markers."),
    ] = None,
    jobs: ProcessesOption = -1,
    cache: CacheOption = None,
    out: OutOption = None,
    dask: DaskOption = None,
    form: FormatOption = Format.text,
) -> None:
    """Compute a paper's tables again: the published figures and ours, side by side."""
    from aslant_papers import claims_text, find_paper, report_text
    from aslant_papers.cli import reproduction

    if into:
        if claims or (paper, table, datasets, methods, out) != (None, None, None, None, None):
            raise ValueError("--into is about all papers: give no PAPER, no part of one, no --out.")
        effort = reproduction.make_effort(
            quick=quick, again=again, kept=kept, jobs=jobs, cache=cache
        )
        with units_on(dask):
            reproduction.write_summaries(into, effort)
        return
    if paper is None:
        if claims or (table, datasets, methods, out) != (None, None, None, None):
            raise ValueError("a PAPER must be named; aslant reproduce alone lists them.")
        print_records(reproduction.list_papers(), form)
        return
    check_output(out)
    found = find_paper(paper)
    effort = reproduction.make_effort(quick=quick, again=again, kept=kept, jobs=jobs, cache=cache)
    if claims:
        if (table, datasets, methods) != (None, None, None):
            raise ValueError(
                "--claims takes no --table, --datasets or --methods: a claim has its own."
            )
        findings = reproduction.check_claims(found, effort)
        text = claims_text.write_claims(
            found, findings, form, report_text.command_line(), quick=quick
        )
        write_result(text, out, "claims are")
        return
    tables = reproduction.choose_tables(found, table, datasets, methods)
    with units_on(dask):
        reports = [reproduction.compute(found, one, effort) for one in tables]
    text = report_text.write_reports(found, reports, form, report_text.command_line())
    is_whole = (table, datasets, methods) == (None, None, None)
    if is_whole and form in (Format.text, Format.md):
        findings = reproduction.findings_of(found, reports)
        text += claims_text.claims_section(findings, form, quick=quick)
    write_result(text, out, "tables are")


def overview(
    datasets: DatasetsOption = None,
    methods: MethodsOption = None,
    runs: Annotated[int, typer.Option(metavar="N", help="5-fold cross-validations.")] = 10,
    task: Annotated[Task, typer.Option(help="Classification or regression.")] = Task.classification,
    again: AgainOption = False,
    plot: Annotated[
        Path | None,
        typer.Option(help="Also draw the critical-difference diagram: a PNG, SVG or PDF."),
    ] = None,
    jobs: ProcessesOption = -1,
    cache: CacheOption = None,
    out: OutOption = None,
    dask: DaskOption = None,
    form: FormatOption = Format.text,
) -> None:
    """Rank all methods over all data sets, beside models of scikit-learn."""
    from aslant.cli import pictures
    from aslant_papers import overview_text, report_text
    from aslant_papers.cli import overview as work
    from aslant_papers.cli import reproduction

    for file in (out, plot):
        check_output(file)
    pictures.check_picture(plot)
    effort = reproduction.make_effort(quick=False, again=again, jobs=jobs, cache=cache)
    with units_on(dask):
        found = work.compute(task, datasets, methods, runs, effort)
    if plot is not None:
        pictures.write_picture(found.plot(), plot)
    text = overview_text.overview_text(found, form, report_text.command_line())
    write_result(text, out, "overview is")


def datasets(form: FormatOption = Format.text) -> None:
    """List the data sets that `aslant_papers.datasets.load_dataset` knows."""
    from dataclasses import asdict

    from aslant_papers.datasets import available

    print_records([asdict(info) for info in available()], form)
