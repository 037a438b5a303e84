"""Options that several commands have."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from aslant.utils.text_tables import Format

DataArgument = Annotated[
    Path | None,
    typer.Argument(
        metavar="DATA",
        help="CSV with a header (also gzip), Parquet or Feather; without it a built-in sample.",
    ),
]
ModelArgument = Annotated[
    Path, typer.Argument(metavar="MODEL", help="A file that `aslant fit` wrote.")
]
TargetOption = Annotated[
    str | None, typer.Option(metavar="COLUMN", help="The column to predict: classes or numbers.")
]


class Task(StrEnum):
    """What is predicted."""

    classification = "classification"
    regression = "regression"


TaskOption = Annotated[
    Task | None,
    typer.Option(help="Predict classes or numbers; else the target column says which."),
]
CategoricalOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="COLUMN", help="A column of categories that look like numbers. May be repeated."
    ),
]
SepOption = Annotated[
    str | None,
    typer.Option(metavar="CHARACTER", help="What separates the columns; else it is found out."),
]
EncodingOption = Annotated[
    str | None, typer.Option(metavar="NAME", help="The encoding of the text; else UTF-8.")
]
DecimalOption = Annotated[
    str | None,
    typer.Option(metavar="MARK", help="What stands before a fraction, . or ,; else found out."),
]
NaOption = Annotated[
    list[str] | None,
    typer.Option(metavar="WORD", help="A further word for a missing value. May be repeated."),
]
DropOption = Annotated[
    list[str] | None,
    typer.Option(metavar="COLUMN", help="A column that is no feature. May be repeated."),
]
ContendersOption = Annotated[
    str | None, typer.Option(metavar="A,B", help="Only these methods, and CART; else all.")
]
ProcessesOption = Annotated[int, typer.Option(help="Processes; -1 is one per core.")]
DaskOption = Annotated[
    str | None,
    typer.Option(
        metavar="[ADDRESS]",
        help="Work on a Dask cluster: the one at tcp://..., or one that is started here.",
    ),
]
SeedOption = Annotated[int, typer.Option(help="Seed of everything random.")]
OutOption = Annotated[Path | None, typer.Option(help="The file to write; else the output.")]
FormatOption = Annotated[Format, typer.Option("--format", help="How the result is written.")]
