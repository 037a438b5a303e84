"""Options that several commands have, alone and in groups.

A command takes a group of options as one parameter: `grouped` replaces a parameter whose type is a
subclass of `OptionGroup` by an option for each of its fields.
"""

from __future__ import annotations

import csv
import inspect
import io
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

from aslant.utils.text_tables import Format

if TYPE_CHECKING:
    from aslant.datasets.data_file import FileFormat

ModelArgument = Annotated[
    Path, typer.Argument(metavar="MODEL", help="A file that `aslant fit` wrote.")
]
TargetOption = Annotated[
    str | None,
    typer.Option(metavar="COLUMN", help="The target column: classes, or numbers for regression."),
]


class Task(StrEnum):
    """What is predicted."""

    classification = "classification"
    regression = "regression"


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
MonotoneOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="A:+1,B:-1",
        help="Predictions must not fall (+1) or rise (-1) as the column grows. May be repeated.",
    ),
]
ConstraintsOption = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="JSON with interaction_cst, feature_costs, forced_root or allowed_features.",
    ),
]
SeedOption = Annotated[int, typer.Option(help="Random seed.")]
OutOption = Annotated[
    Path | None, typer.Option(help="The file to write; else the standard output.")
]
FormatOption = Annotated[Format, typer.Option("--format", help="Format of the result.")]


# ---------------------------------------------------------------------- groups of options


class OptionGroup:
    """Options that commands share; a field is an option."""


@dataclass(frozen=True)
class ReadingOptions(OptionGroup):
    """How the files of DATA are read."""

    sep: Annotated[
        str | None,
        typer.Option(metavar="CHARACTER", help="The column separator; else it is detected."),
    ] = None
    encoding: Annotated[
        str | None, typer.Option(metavar="NAME", help="The text encoding; else UTF-8.")
    ] = None
    decimal: Annotated[
        str | None,
        typer.Option(metavar="MARK", help="The decimal mark, . or ,; else it is detected."),
    ] = None
    na: Annotated[
        list[str] | None,
        typer.Option(metavar="WORD", help="A further word for a missing value. May be repeated."),
    ] = None

    @property
    def file_format(self) -> FileFormat:
        """How a file is to be read."""
        from aslant.datasets.data_file import FileFormat

        return FileFormat(self.sep, self.encoding, self.decimal, self.na or ())


@dataclass(frozen=True)
class TrainingOptions(OptionGroup):
    """A table to learn from: the file, the target, the features."""

    data: Annotated[
        Path | None,
        typer.Argument(
            metavar="DATA",
            help="CSV with a header (also gzip, zstd), Parquet or Feather; else a built-in sample.",
        ),
    ] = None
    target: TargetOption = None
    task: Annotated[
        Task | None,
        typer.Option(help="Classification or regression; else the target column decides."),
    ] = None
    categorical: Annotated[
        list[str] | None,
        typer.Option(metavar="A,B", help="Categorical columns that look numeric. May be repeated."),
    ] = None
    drop: Annotated[
        list[str] | None,
        typer.Option(metavar="A,B", help="Columns to leave out. May be repeated."),
    ] = None


def names_in(texts: list[str] | None) -> list[str]:
    """Return the names in texts such as ``a,b``; a name with a comma is quoted as in CSV."""
    return [name.strip() for row in csv.reader(texts or [], skipinitialspace=True) for name in row]


def as_names(names: Iterable[str]) -> str:
    """Return names as `names_in` reads them."""
    text = io.StringIO()
    csv.writer(text, lineterminator="").writerow(names)
    return text.getvalue()


def grouped(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command whose groups of options are single options."""
    hints = get_type_hints(command, include_extras=True)
    groups: dict[str, type[Any]] = {}
    options: list[inspect.Parameter] = []
    for name, parameter in inspect.signature(command).parameters.items():
        kind = hints[name]
        if not (isinstance(kind, type) and issubclass(kind, OptionGroup)):
            options.append(parameter.replace(annotation=kind))
            continue
        groups[name] = kind
        types = get_type_hints(kind, include_extras=True)
        for field in fields(kind):  # type: ignore[arg-type]
            options.append(
                inspect.Parameter(
                    field.name, parameter.KEYWORD_ONLY, default=field.default,
                    annotation=types[field.name],
                )
            )  # fmt: skip

    def run(**given: Any) -> None:
        made = {
            name: kind(**{field.name: given.pop(field.name) for field in fields(kind)})
            for name, kind in groups.items()
        }
        command(**given, **made)

    run.__name__, run.__doc__ = command.__name__, command.__doc__
    # typer reads the signature and the annotations.
    parameters = [option.replace(kind=inspect.Parameter.KEYWORD_ONLY) for option in options]
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {option.name: option.annotation for option in options}
    return run
