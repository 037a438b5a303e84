"""Commands about methods in general: over many data sets, or over ever more rows."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from aslant.cli.commands import FormatOption, app, check_output
from aslant.cli.notes import note
from aslant.cli.tables import Format, print_records

JobsOption = Annotated[int, typer.Option(help="Processes; -1 is one per core.")]


@app.command()
def curves(
    data: Annotated[
        Path | None,
        typer.Argument(
            metavar="DATA.csv", help="A CSV file with a header; without it a built-in sample."
        ),
    ] = None,
    target: Annotated[
        str | None, typer.Option(metavar="COLUMN", help="The column with the classes.")
    ] = None,
    methods: Annotated[
        str | None, typer.Option(metavar="A,B", help="Only these methods, and CART; else all.")
    ] = None,
    budget: Annotated[
        float, typer.Option(metavar="SECONDS", min=1.0, help="The time to take at most.")
    ] = 120.0,
    categorical: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN", help="A column of categories that look like numbers. May be repeated."
        ),
    ] = None,
    drop: Annotated[
        list[str] | None,
        typer.Option(metavar="COLUMN", help="A column that is no feature. May be repeated."),
    ] = None,
    plot: Annotated[Path | None, typer.Option(help="Also draw them: a PNG, SVG or PDF.")] = None,
    jobs: JobsOption = -1,
    seed: Annotated[int, typer.Option(help="Seed of everything random.")] = 0,
    form: FormatOption = Format.text,
) -> None:
    """Show how the accuracy of the methods grows with the rows to learn from."""
    from aslant.cli import comparison, pictures, training

    check_output(plot, data)
    pictures.check_picture(plot)
    chosen = comparison.parse_methods(methods)
    rows = training.read_rows(data, target, categorical or [])
    rows = comparison.without(rows, drop or [])
    found = comparison.curves_of(rows, chosen, budget=budget, jobs=jobs, seed=seed)
    if data is None:
        note(f"Note: no DATA was given; this is the built-in sample {training.SAMPLE!r}.")
    if plot is not None:
        pictures.write_picture(found.plot(), plot)
    print_records(comparison.curve_records(found), form)


@app.command()
def overview(
    datasets: Annotated[
        str | None, typer.Option(metavar="A,B", help="Only these data sets; else all.")
    ] = None,
    methods: Annotated[
        str | None, typer.Option(metavar="A,B", help="Only these methods; else all.")
    ] = None,
    runs: Annotated[int, typer.Option(metavar="N", help="5-fold cross-validations.")] = 10,
    again: Annotated[
        bool, typer.Option("--again", help="Compute anew what is already in the cache.")
    ] = False,
    plot: Annotated[
        Path | None,
        typer.Option(help="Also draw the critical-difference diagram: a PNG, SVG or PDF."),
    ] = None,
    jobs: JobsOption = -1,
    cache: Annotated[
        Path | None, typer.Option(help="The folder of finished runs; else the platform's own.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="The file to write; else the output.")] = None,
    form: FormatOption = Format.text,
) -> None:
    """Rank all methods over all data sets of the papers, beside scikit-learn's tree."""
    from aslant.cli import overview as work
    from aslant.cli import pictures, report_text, reproduction
    from aslant.export.atomic_file import write_atomically

    for file in (out, plot):
        check_output(file)
    pictures.check_picture(plot)
    effort = reproduction.make_effort(quick=False, again=again, jobs=jobs, cache=cache)
    found = work.compute(datasets, methods, runs, effort)
    if plot is not None:
        pictures.write_picture(found.plot(), plot)
    text = work.overview_text(found, form, report_text.command_line())
    if out is None:
        sys.stdout.write(text)
    else:
        write_atomically(out, text.encode("utf-8"))
        note(f"The overview is in {out}.")
