"""A user's own CSV file, with the types of its columns guessed from the cells."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable
from itertools import pairwise
from pathlib import Path

from sklearn.utils import Bunch

from aslant.datasets.bundle import Features, bundle
from aslant.datasets.errors import DatasetError, did_you_mean
from aslant.datasets.table import FloatArray, ObjectArray, Table, read_table

MISSING = frozenset({"", "NA", "NaN", "nan", "?", "null"})
"""The cells that `read_csv` takes for a missing value."""


def read_csv(
    path: str | os.PathLike[str],
    target: str | None = None,
    categorical: Iterable[str] | None = None,
) -> Bunch:
    """Read a comma-separated file with a header row.

    A column is numeric if every cell that is not missing is a number, else categorical.
    Missing are the cells in `MISSING`: an empty cell, ``NA``, ``NaN``, ``nan``, ``?`` and
    ``null``. Blanks around a cell do not count; blank lines are skipped. The file is UTF-8,
    and may be compressed with gzip. pandas is not needed.

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

    Returns
    -------
    Bunch
        With `data`, `target`, `feature_names`, `categorical`, `split` (always None), `name`
        and `DESCR`, as `load` returns them.

    Raises
    ------
    DatasetError
        If the file cannot be read, is not a proper table, or does not have the named columns.
    """
    table = read_table(path, MISSING)
    if target is not None and _looks_like_data(table):
        raise DatasetError(
            f"{table.origin}: the file seems to have no header: its first line, "
            f"{_listed(list(table.columns))}, reads like a row; put the names of the columns there"
        )
    names = [name for name in table.columns if name != target]
    if target is not None and target not in table.columns:
        raise DatasetError(
            f"{table.origin}: there is no target column {target!r}"
            f"{did_you_mean(target, names)} (columns: {_listed(names)})"
        )
    if not names:
        raise DatasetError(f"{table.origin}: there is no column beside the target {target!r}")
    return bundle(
        name=Path(path).name.removesuffix(".gz").removesuffix(".csv"),
        features=_features(table, names, _checked(categorical, names, table.origin)),
        target=None if target is None else table.labels(target),
        split=None,
        description=f"{len(table.lines)} rows read from {table.origin}.",
    )


def _looks_like_data(table: Table) -> bool:
    """Return whether the names of the columns are values of the columns.

    Of columns with numbers every name must be a number, and of the others one must be found again
    in its column, or all where there are no numbers. Names that count up (0, 1, 2, ...) are names.
    """
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


def _features(table: Table, names: list[str], categorical: Collection[str]) -> Features:
    """Return each feature as numbers where all its cells are, else as categories."""
    features: dict[str, FloatArray | ObjectArray] = {}
    for name in names:
        numbers = None if name in categorical else table.numbers(name)
        features[name] = table.categories(name) if numbers is None else numbers
    return features


def _listed(names: list[str], limit: int = 10) -> str:
    """Return the first names of a list, for a message."""
    return ", ".join(names[:limit]) + (", ..." if len(names) > limit else "")
