"""A user's own file, with the types of its columns inferred from the cells."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable
from itertools import pairwise
from pathlib import Path

from sklearn.utils import Bunch

from aslant.datasets.bundle import Features, bundle
from aslant.datasets.errors import DatasetError, did_you_mean
from aslant.datasets.frame_file import FrameTable
from aslant.datasets.table import FloatArray, ObjectArray
from aslant.datasets.user_file import MISSING, FileFormat, UserTable, read_user_table

__all__ = ["MISSING", "read_csv"]


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
    """Read a file with a header row: CSV, plain or compressed with gzip, Parquet or Feather.

    A column is numeric if every cell that is not missing is a number, else categorical. Missing
    are the cells in `MISSING`: an empty cell, ``NA``, ``n/a``, ``NaN``, ``?``, ``null`` and the
    like. In columns with more than ten different numbers so are words such as ``-`` and
    ``unknown``, and thousands may be separated (``1,015.5``). Blanks around a cell do not count;
    blank lines are skipped. pandas is not needed but for Parquet and Feather, for which polars
    will do.

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
        Encoding of the text; else UTF-8, or UTF-16 if the file begins with its mark.
    decimal : {".", ","}, optional
        The decimal mark; else a comma if columns are not separated by commas and numbers can only
        be read so.
    na : iterable of str, optional
        Further cells that are missing values.

    Returns
    -------
    Bunch
        With `data`, `target`, `feature_names`, `categorical`, `split` (always None), `name`
        and `DESCR`, as `load` returns them, `target_values`, the target as floats if every label
        is a number, else None, and `notes`: sentences about what was detected.

    Raises
    ------
    FileNotFoundError
        If the file does not exist.
    DatasetError
        If the file cannot be read, is not a proper table, or does not have the named columns.
    """
    reading = FileFormat(sep, encoding, decimal, [na] if isinstance(na, str) else tuple(na))
    table = read_user_table(path, reading)
    if target is not None and _looks_like_data(table):
        raise DatasetError(
            f"{table.origin}: the file seems to have no header: its first line, "
            f"{_listed(list(table.columns))}, reads like a row; put the names of the columns there"
        )
    if target is not None and target in drop:
        raise DatasetError(f"{table.origin}: the target column {target!r} cannot be left out")
    dropped = _dropped(table, [drop] if isinstance(drop, str) else list(drop))
    names = [name for name in table.columns if name != target and name not in dropped]
    if target is not None and target not in table.columns:
        raise DatasetError(
            f"{table.origin}: there is no target column {target!r}"
            f"{did_you_mean(target, names)} (columns: {_listed(names)})"
        )
    if not names:
        raise DatasetError(f"{table.origin}: there is no column beside the target {target!r}")
    features = _features(table, names, _checked(categorical, names, table.origin))
    found = bundle(
        name=Path(path).name.removesuffix(".gz").removesuffix(".csv"),
        features=features,
        target=None if target is None else table.labels(target),
        split=None,
        description=f"{len(table.lines)} rows read from {table.origin}.",
    )
    found.target_values = None if target is None else table.numbers(target)
    numeric = [name for name in names if features[name].dtype != object]
    found.notes = [*table.notes, *table.taken_as_numbers(numeric)]
    return found


def _dropped(table: UserTable | FrameTable, names: list[str]) -> set[str]:
    """Return the columns to leave out, all of which must be there."""
    for name in names:
        if name not in table.columns:
            raise DatasetError(
                f"{table.origin}: there is no column {name!r} to leave out"
                f"{did_you_mean(name, list(table.columns))}"
            )
    return set(names)


def _looks_like_data(table: UserTable | FrameTable) -> bool:
    """Return whether the names of the columns are values of the columns.

    Of columns with numbers every name must be a number, and of the others one must be found again
    in its column, or all where there are no numbers. Names that count up (0, 1, 2, ...) are names.
    """
    if isinstance(table, FrameTable):
        return False
    numeric = [name for name in table.columns if table.numbers(name) is not None]
    found = [name in cells for name, cells in table.columns.items() if name not in numeric]
    if not numeric:
        return all(found)
    try:
        values = [float(name) for name in numeric]
    except ValueError:
        return False
    counting = len(values) > 1 and all(after == before + 1 for before, after in pairwise(values))
    return not counting and (any(found) or not found)


def _checked(categorical: Iterable[str] | None, names: list[str], origin: str) -> set[str]:
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


def _features(
    table: UserTable | FrameTable, names: list[str], categorical: Collection[str]
) -> Features:
    """Return each feature as numbers where all its cells are, else as categories."""
    features: dict[str, FloatArray | ObjectArray] = {}
    for name in names:
        numbers = None if name in categorical else table.numbers(name)
        features[name] = table.categories(name) if numbers is None else numbers
    return features


def _listed(names: list[str], limit: int = 10) -> str:
    """Return the first names of a list, for a message."""
    return ", ".join(names[:limit]) + (", ..." if len(names) > limit else "")
