"""The commands that compare methods on your data."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from aslant.cli.cluster import units_on
from aslant.cli.commands import app
from aslant.cli.notes import INTERRUPTED, note
from aslant.cli.options import (
    ContendersOption,
    DaskOption,
    FormatOption,
    OutOption,
    ProcessesOption,
    ReadingOptions,
    SeedOption,
    TrainingOptions,
    grouped,
)
from aslant.cli.output import check_output, write_result
from aslant.utils.text_tables import Format, print_records


@app.command()
@grouped
def compare(
    source: TrainingOptions,
    reading: ReadingOptions,
    methods: ContendersOption = None,
    budget: Annotated[
        float | None,
        typer.Option(metavar="SECONDS", min=1.0, help="The time limit; else 480."),
    ] = None,
    scoring: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="A scorer of scikit-learn, such as roc_auc; or rmse."),
    ] = None,
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
        check_output(file, source.data)
    pictures.check_picture(plot)
    chosen = comparison.parse_methods(methods)
    rows = training.read_rows(source, reading)
    with units_on(dask):
        table = comparison.compare_rows(
            rows, chosen, budget=budget, jobs=jobs, seed=seed, scoring=scoring
        )
    for remark in rows.notes:
        note(remark)
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
@grouped
def curves(
    source: TrainingOptions,
    reading: ReadingOptions,
    methods: ContendersOption = None,
    budget: Annotated[
        float, typer.Option(metavar="SECONDS", min=1.0, help="The time limit.")
    ] = 120.0,
    plot: Annotated[Path | None, typer.Option(help="Also draw them: a PNG, SVG or PDF.")] = None,
    jobs: ProcessesOption = -1,
    seed: SeedOption = 0,
    dask: DaskOption = None,
    form: FormatOption = Format.text,
) -> None:
    """Show the accuracy, or R2, of the methods by the number of training rows."""
    from aslant.cli import comparison, pictures, training

    check_output(plot, source.data)
    pictures.check_picture(plot)
    chosen = comparison.parse_methods(methods)
    rows = training.read_rows(source, reading)
    with units_on(dask):
        found = comparison.curves_of(rows, chosen, budget=budget, jobs=jobs, seed=seed)
    for remark in rows.notes:
        note(remark)
    if plot is not None:
        pictures.write_picture(found.plot(), plot)
    print_records(comparison.curve_records(found), form)
