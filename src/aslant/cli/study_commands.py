"""The commands that compare methods on your data."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from aslant.cli.cluster import units_on
from aslant.cli.commands import app
from aslant.cli.notes import INTERRUPTED, note
from aslant.cli.options import (
    CategoricalOption,
    ContendersOption,
    DaskOption,
    DataArgument,
    DecimalOption,
    DropOption,
    EncodingOption,
    FormatOption,
    NaOption,
    OutOption,
    ProcessesOption,
    SeedOption,
    SepOption,
    TargetOption,
    TaskOption,
)
from aslant.cli.output import check_output, write_result
from aslant.utils.text_tables import Format, print_records


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
