"""A user's own file, with the types of its columns inferred from the cells."""

from __future__ import annotations

import os
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

import numpy as np
import polars as pl
from sklearn.utils import Bunch

from aslant.datasets.data_file import DataTable, FileFormat, read_file
from aslant.datasets.errors import DatasetError, did_you_mean

__all__ = ["read_csv"]


def read_csv(
    path: str | os.PathLike[str],
    target: str | None = None,
    *,
    categorical: Iterable[str] | None = None,
    drop: Iterable[str] = (),
    sep: str | None = None,
    encoding: str | None = None,
    decimal: str | None = None,
    na: Iterable[str] = (),
) -> Bunch:
    """Read a file: CSV with a header, also compressed (gzip, Zstandard), Parquet or Feather.

    Needs polars. A column of a CSV file is numeric if every cell that is not missing is a number,
    a date if every cell is a date that can be read in one way only, else categorical. Missing are
    an empty cell, ``NA``, ``n/a``, ``NaN``, ``?``, ``null`` and the like. In columns with more than
    ten different numbers so are words such as ``-`` and ``unknown``. Numbers may have separated
    thousands (``1,015.5``), a currency (``€21``, ``21 EUR``), percent, and parentheses if they
    are negative. Blanks around a cell do not count; blank lines are skipped.

    Parameters
    ----------
    path : path-like
        The file.
    target : str, optional
        The column with the class labels. Labels are integers if every one is written as a
        plain integer (``3``, ``-1``), else text exactly as in the file: ``1.0`` and ``01``
        stay text. Without it every column is a feature and the bunch's `target` is None.
    categorical : iterable of str, optional
        Feature columns that are categorical although their cells look like numbers.
    drop : iterable of str, optional
        Columns that are no features.
    sep : str, optional
        The column separator; else a comma, semicolon, tab or bar, whichever gives all lines the
        same number of cells.
    encoding : str, optional
        Encoding of the text; else UTF-8, UTF-16 if the file begins with its mark, or cp1252 if it
        is neither.
    decimal : {".", ","}, optional
        The decimal mark; else a comma if columns are not separated by commas and numbers can only
        be read so.
    na : iterable of str, optional
        Further cells that are missing values.

    Returns
    -------
    Bunch
        With `data`, a float matrix if all features are numbers, else a data frame of polars;
        `frame`, always the data frame; `target`, `feature_names`, `categorical`, `name` and
        `DESCR`; `target_values`, the target as floats if every label is a number, else None;
        `date_formats`, how dates in text are written; and `notes`: sentences about what was
        detected.

    Raises
    ------
    FileNotFoundError
        If the file does not exist.
    DatasetError
        If the file cannot be read, is not a proper table, or does not have the named columns.
    """
    reading = FileFormat(sep, encoding, decimal, [na] if isinstance(na, str) else tuple(na))
    table = read_file(path, reading)
    if target is not None and _looks_like_data(table):
        raise DatasetError(
            f"{table.origin}: the file seems to have no header: its first line, "
            f"{_listed(table.names)}, reads like a row; put the names of the columns there"
        )
    left_out = [drop] if isinstance(drop, str) else list(drop)
    names = feature_columns(table, target, left_out)
    declared = _declared(categorical, names, table.origin)
    columns = table.typed(names, declared)
    values = None if target is None else table.numbers(target)
    is_number = np.array([dtype.is_numeric() for dtype in columns.frame.dtypes])
    frame = columns.frame
    return Bunch(
        data=frame.cast(pl.Float64).to_numpy() if is_number.all() else frame,
        frame=frame,
        target=None if target is None else table.labels(target),
        target_values=None if values is None else values.to_numpy(),
        feature_names=names,
        categorical=~is_number,
        name=Path(path).name.removesuffix(".gz").removesuffix(".zst").removesuffix(".csv"),
        date_formats=columns.dates,
        notes=[*table.notes, *columns.notes],
        DESCR=f"{len(table)} rows read from {table.origin}.",
    )


def feature_columns(table: DataTable, target: str | None, drop: list[str]) -> list[str]:
    """Return the features: all columns but the target and those to leave out."""
    if target is not None and target in drop:
        raise DatasetError(f"{table.origin}: the target column {target!r} cannot be left out")
    for name in drop:
        if name not in table.names:
            raise DatasetError(
                f"{table.origin}: there is no column {name!r} to leave out"
                f"{did_you_mean(name, table.names)}"
            )
    names = [name for name in table.names if name != target and name not in drop]
    if target is not None and target not in table.names:
        raise DatasetError(
            f"{table.origin}: there is no target column {target!r}"
            f"{did_you_mean(target, names)} (columns: {_listed(names)})"
        )
    if not names:
        raise DatasetError(f"{table.origin}: there is no column beside the target {target!r}")
    return names


def _looks_like_data(table: DataTable) -> bool:
    """Return whether the names of the columns are values of the columns.

    Of columns with numbers every name must be a number, and of the others one must be found again
    in its column, or all where there are no numbers. Names that count up (0, 1, 2, ...) are names.
    """
    if not table.is_text or not any(map(_is_number, table.names)):
        return table.is_text and all((table.frame[name] == name).any() for name in table.names)
    numeric = [name for name in table.names if table.numbers(name) is not None]
    found = [(table.frame[name] == name).any() for name in table.names if name not in numeric]
    if not numeric:
        return all(found)
    if not all(map(_is_number, numeric)):
        return False
    values = [float(name) for name in numeric]
    counting = len(values) > 1 and all(after == before + 1 for before, after in pairwise(values))
    return not counting and (any(found) or not found)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _declared(categorical: Iterable[str] | None, names: list[str], origin: str) -> set[str]:
    """Return the columns declared categorical, all of which must be features."""
    if isinstance(categorical, str):
        categorical = [categorical]  # one name is meant, not its letters
    declared = set(categorical or ())
    for name in sorted(declared.difference(names)):
        raise DatasetError(
            f"{origin}: {name!r} was declared categorical but is not a feature column"
            f"{did_you_mean(name, names)}"
        )
    return declared


def _listed(names: list[str], limit: int = 10) -> str:
    """Return the first names of a list, for a message."""
    return ", ".join(names[:limit]) + (", ..." if len(names) > limit else "")
