"""The commands that study methods: on your data, over many data sets, and as the papers did."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from aslant.cli.cluster import units_on
from aslant.cli.commands import app
from aslant.cli.notes import INTERRUPTED, note
from aslant.cli.options import (
    AgainOption,
    CacheOption,
    CategoricalOption,
    ContendersOption,
    DaskOption,
    DataArgument,
    DatasetsOption,
    DecimalOption,
    DropOption,
    EncodingOption,
    FormatOption,
    MethodsOption,
    NaOption,
    OutOption,
    ProcessesOption,
    SeedOption,
    SepOption,
    TargetOption,
    Task,
    TaskOption,
)
from aslant.cli.output import check_output, write_result
from aslant.evaluation.text_tables import Format, print_records


@app.command()
def compare(
    data: DataArgument = None,
    target: TargetOption = None,
    methods: ContendersOption = None,
    budget: Annotated[
        float | None,
        typer.Option(metavar="SECONDS", min=1.0, help="The time to take at most; else 480."),
    ] = None,
    categorical: CategoricalOption = None,
    drop: DropOption = None,
    sep: SepOption = None,
    encoding: EncodingOption = None,
    decimal: DecimalOption = None,
    na: NaOption = None,
    scoring: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="One of scikit-learn's scorers, such as roc_auc; or rmse."
        ),
    ] = None,
    task: TaskOption = None,
    plot: Annotated[
        Path | None,
        typer.Option(help="Also draw accuracy, or R2, against leaves: a PNG, SVG or PDF."),
    ] = None,
    jobs: ProcessesOption = -1,
    seed: SeedOption = 0,
    out: OutOption = None,
    dask: DaskOption = None,
    form: FormatOption = Format.text,
) -> None:
    """Cross-validate all methods on the same folds and advise which one to use."""
    from aslant.cli import comparison, pictures, training

    for file in (out, plot):
        check_output(file, data)
    pictures.check_picture(plot)
    chosen = comparison.parse_methods(methods)
    reading = {"sep": sep, "encoding": encoding, "decimal": decimal, "na": na or ()}
    rows = training.read_rows(data, target, categorical or [], drop or [], reading, task)
    with units_on(dask):
        table = comparison.compare_rows(
            rows, chosen, budget=budget, jobs=jobs, seed=seed, scoring=scoring
        )
    if data is None:
        note(f"Note: no DATA was given; this is the built-in sample {training.SAMPLE!r}.")
    if rows.remark is not None:
        note(rows.remark)
    for remark in rows.notes:
        note(f"Note: {remark}.")
    if plot is not None:
        pictures.write_picture(table.plot(), plot)
    text = comparison.table_text(table, form)
    write_result(text, out, "table is")
    if out is not None or form is Format.csv:
        note(table.sentences()[0])
    if table.interrupted:
        note("Interrupted: this is what was finished until then.")
        raise typer.Exit(INTERRUPTED)


@app.command()
def curves(
    data: DataArgument = None,
    target: TargetOption = None,
    methods: ContendersOption = None,
    budget: Annotated[
        float, typer.Option(metavar="SECONDS", min=1.0, help="The time to take at most.")
    ] = 120.0,
    task: TaskOption = None,
    categorical: CategoricalOption = None,
    drop: DropOption = None,
    sep: SepOption = None,
    encoding: EncodingOption = None,
    decimal: DecimalOption = None,
    na: NaOption = None,
    plot: Annotated[Path | None, typer.Option(help="Also draw them: a PNG, SVG or PDF.")] = None,
    jobs: ProcessesOption = -1,
    seed: SeedOption = 0,
    dask: DaskOption = None,
    form: FormatOption = Format.text,
) -> None:
    """Show how the accuracy, or R2, of the methods grows with the rows to learn from."""
    from aslant.cli import comparison, pictures, training

    check_output(plot, data)
    pictures.check_picture(plot)
    chosen = comparison.parse_methods(methods)
    reading = {"sep": sep, "encoding": encoding, "decimal": decimal, "na": na or ()}
    rows = training.read_rows(data, target, categorical or [], drop or [], reading, task)
    with units_on(dask):
        found = comparison.curves_of(rows, chosen, budget=budget, jobs=jobs, seed=seed)
    if data is None:
        note(f"Note: no DATA was given; this is the built-in sample {training.SAMPLE!r}.")
    if rows.remark is not None:
        note(rows.remark)
    for remark in rows.notes:
        note(f"Note: {remark}.")
    if plot is not None:
        pictures.write_picture(found.plot(), plot)
    print_records(comparison.curve_records(found), form)


@app.command()
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
    jobs: ProcessesOption = -1,
    cache: CacheOption = None,
    out: OutOption = None,
    dask: DaskOption = None,
    form: FormatOption = Format.text,
) -> None:
    """Compute a paper's tables again: the published figures and ours, side by side."""
    from aslant.cli import reproduction
    from aslant.experiments import claims_text, find_paper, report_text

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
        findings = reproduction.judge_claims(found, effort)
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
        findings = reproduction.judge_by(found, reports)
        text += claims_text.claims_section(findings, form, quick=quick)
    write_result(text, out, "tables are")


@app.command()
def overview(
    datasets: DatasetsOption = None,
    methods: MethodsOption = None,
    runs: Annotated[int, typer.Option(metavar="N", help="5-fold cross-validations.")] = 10,
    task: Annotated[
        Task, typer.Option(help="Methods and data sets of classes or of numbers.")
    ] = Task.classification,
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
    """Rank all methods over all data sets of the papers, or of numbers, beside scikit-learn's."""
    from aslant.cli import overview as work
    from aslant.cli import pictures, reproduction
    from aslant.experiments import overview_text, report_text

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
