"""The commands that make models and show them.

What a command needs is imported when it runs, so that ``aslant --help`` does not wait for it.
"""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from aslant.cli.constraints import read_constraints
from aslant.cli.notes import note
from aslant.cli.options import (
    ConstraintsOption,
    DaskOption,
    FormatOption,
    ModelArgument,
    MonotoneOption,
    OutOption,
    ReadingOptions,
    SeedOption,
    TargetOption,
    Task,
    TrainingOptions,
    grouped,
)
from aslant.cli.output import check_output
from aslant.utils.text_tables import Format, print_record, print_records

app = typer.Typer(
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Oblique decision trees: every classical system, faithful to its paper.",
)


class PredictionFormat(StrEnum):
    """Format of predictions."""

    csv = "csv"
    json = "json"


class TreeFormat(StrEnum):
    """Format of a tree."""

    text = "text"
    dot = "dot"
    json = "json"


def _print_version(asked: bool) -> None:
    if asked:
        from aslant import __version__

        print(f"aslant {__version__}")
        raise typer.Exit


@app.callback()
def _aslant(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Take the options that stand before a command."""


@app.command()
@grouped
def fit(
    source: TrainingOptions,
    reading: ReadingOptions,
    method: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="A name that `aslant methods` lists; else auto (with --dask hhcart, for "
            "regression least_squares).",
        ),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="The model file to write.")] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=VALUE",
            help="A parameter of the method; `aslant methods NAME` lists them. May be repeated.",
        ),
    ] = None,
    prune: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="A pruning method, or none; else the method's default."),
    ] = None,
    monotone: MonotoneOption = None,
    constraints: ConstraintsOption = None,
    cv: Annotated[
        int | None, typer.Option(min=2, help="Cross-validate with this number of folds.")
    ] = None,
    seed: SeedOption = 0,
    jobs: Annotated[int | None, typer.Option(help="Threads; -1 is one per core.")] = None,
    dask: DaskOption = None,
    form: FormatOption = Format.text,
) -> None:
    """Fit a model to a table and keep it in a file."""
    from aslant.cli import training

    check_output(out, source.data)
    parameters = {
        **training.parse_settings(settings or []),
        **read_constraints(monotone, constraints),
        "random_state": seed,
        "n_jobs": jobs,
    }
    if dask is not None:
        from aslant.cli import cluster

        if cv is not None:
            raise ValueError("--cv fits on one machine: it cannot be used with --dask.")
        fitted = cluster.fit_files(dask, source, reading, method, parameters, prune)
    else:
        fitted = training.fit_file(source, reading, method, parameters, prune, cv)
    if out is not None:
        from aslant.model_file import save

        save(fitted.model, out)
    # Notes come last: where something is wrong, the error is the only line.
    kept = "The model was not kept; --out FILE keeps it." if out is None else f"Saved to {out}."
    for line in (*fitted.notes, kept):
        note(line)
    print_record(fitted.result, form)


@app.command()
@grouped
def predict(
    model: ModelArgument,
    data: Annotated[
        Path, typer.Argument(metavar="DATA", help="A file of rows with the model's features.")
    ],
    reading: ReadingOptions,
    out: OutOption = None,
    proba: Annotated[bool, typer.Option("--proba", help="Also the class probabilities.")] = False,
    form: Annotated[
        PredictionFormat, typer.Option("--format", help="Format of the predictions.")
    ] = PredictionFormat.csv,
) -> None:
    """Predict the target of every row of a file."""
    from aslant.cli import prediction
    from aslant.model_file import load
    from aslant.utils.atomic_file import write_atomically

    check_output(out, model, data)
    clf = load(model)
    found = prediction.Predictions(
        clf,
        data,
        reading.file_format,
        probabilities=proba,
        as_json=form is PredictionFormat.json,
    )
    if out is None:
        for text in found:
            sys.stdout.write(text)
    else:
        write_atomically(out, (text.encode("utf-8") for text in found))
    for remark in found.remarks:
        note(remark)
    if out is not None:
        note(f"Predictions are in {out}.")


@app.command()
def show(
    model: ModelArgument,
    form: Annotated[
        TreeFormat, typer.Option("--format", help="Format of the tree.")
    ] = TreeFormat.text,
    digits: Annotated[int | None, typer.Option(help="Significant digits of numbers.")] = None,
    max_terms: Annotated[int | None, typer.Option(help="Terms of a split to show at most.")] = None,
    drop: Annotated[
        float | None,
        typer.Option(help="Leave out terms below this fraction of the largest."),
    ] = None,
    max_depth: Annotated[
        int | None,
        typer.Option(help="Show nodes down to this depth; else all, in a picture as many as fit."),
    ] = None,
    picture: Annotated[Path | None, typer.Option(help="Also draw it: a PNG, SVG or PDF.")] = None,
    tree: Annotated[
        int | None, typer.Option(min=1, help="Show only this tree of a model with several.")
    ] = None,
) -> None:
    """Show the tree of a model as text, Graphviz source, JSON or a picture."""
    from aslant.cli import showing
    from aslant.model_file import load

    style: dict[str, Any] = {"digits": digits, "max_terms": max_terms, "drop": drop}
    style = {name: value for name, value in style.items() if value is not None}
    style |= {} if max_depth is None else {"max_depth": max_depth}
    if form is TreeFormat.json and picture is None and style:
        wrong = next(iter(style)).replace("_", "-")
        raise ValueError(f"--format json writes the exact tree: it takes no --{wrong}.")
    check_output(picture, model)
    clf = load(model)
    members = showing.chosen_trees(clf, tree)
    if picture is not None:
        for remark in showing.write_picture(members, picture, style):
            note(remark)
    sys.stdout.write(showing.trees_text(clf, members, form.value, style))


@app.command()
def export(
    model: ModelArgument,
    to: Annotated[
        str,
        typer.Option(
            metavar="LANGUAGE",
            help="python, c (a header goes beside FILE.c), javascript, sql, excel, rules, "
            "markdown, onnx, pmml.",
        ),
    ],
    out: OutOption = None,
    name: Annotated[
        str | None,
        typer.Option(
            help="Name of the functions in C (else model), of the table in SQL (else data)."
        ),
    ] = None,
    keep: Annotated[
        list[str] | None,
        typer.Option(metavar="COLUMN", help="A column that the SQL query keeps, such as a key."),
    ] = None,
    dialect: Annotated[
        str | None,
        typer.Option(
            help="Database of the SQL query: sqlite, duckdb, postgres, mysql, bigquery, snowflake "
            "or spark."
        ),
    ] = None,
    reasons: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Also name the N features that contribute most; not in rules.",
        ),
    ] = None,
) -> None:
    """Write a model as code that predicts without aslant, as rules, or as ONNX."""
    from aslant.cli import exporting
    from aslant.model_file import load

    check_output(out, model)
    exporting.check_language(to, out)
    exporting.write_export(
        load(model), to, out, name=name, keep=keep or [], dialect=dialect, reasons=reasons
    )


@app.command()
@grouped
def report(
    model: ModelArgument,
    reading: ReadingOptions,
    data: Annotated[
        Path | None, typer.Argument(metavar="[DATA]", help="A file of rows, best unseen ones.")
    ] = None,
    out: Annotated[Path, typer.Option(help="The page to write.")] = Path("report.html"),
    target: TargetOption = None,
    title: Annotated[str | None, typer.Option(help="Heading of the page.")] = None,
    tree: Annotated[
        int | None, typer.Option(min=1, help="Show this tree of a model with several.")
    ] = None,
    max_rows: Annotated[
        int, typer.Option(min=0, help="The number of rows of DATA that the page may hold.")
    ] = 0,
    card: Annotated[
        Path | None, typer.Option(help="A JSON file of the model card: purpose, author, limits...")
    ] = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace a file that is no report, too.")
    ] = False,
) -> None:
    """Write a page about a model: the tree, what-if, quality, rules, how it was made."""
    from aslant.cli import reporting
    from aslant.model_file import load

    check_output(out, model, data)
    options = {"tree": tree, "title": title, "max_rows": max_rows, "overwrite": overwrite}
    options["card"] = reporting.read_card(card)
    found = reporting.write_report(load(model), data, target, reading.file_format, out, options)
    for remark in found:
        note(remark)


@app.command()
def methods(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="List the parameters of this one.")
    ] = None,
    task: Annotated[
        Task | None, typer.Option(help="With NAME: those of the classifier or the regressor.")
    ] = None,
    form: FormatOption = Format.text,
) -> None:
    """List the methods and what they predict, or the parameters of one."""
    from aslant.cli.training import settable
    from aslant.estimators.methods import find_method, method_table

    if name is not None:
        from aslant.cli.parameter_docs import describe_parameters

        method = find_method(name, task)
        parameters = settable(method)
        entries = describe_parameters(method, list(parameters))
        records = [
            {"parameter": key, "default": value, **entries[key]._asdict()}
            for key, value in parameters.items()
        ]
        print_records(records, form)
        return
    print_records(method_table(), form)
