"""Copies kept by others: in scikit-learn itself, and on OpenML.

These stand in where no data folder has the set. scikit-learn's iris differs from the papers'
file in two rows; its wine is the same. A copy from OpenML is turned into the papers' version as
the catalogue says and refused if it then has another shape. OpenML's copies carry no division
into training and test rows.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from http.client import HTTPException

import numpy as np
import sklearn.datasets
from sklearn.utils import Bunch

from aslant_papers.datasets.bundle import bundle
from aslant_papers.datasets.catalogue import Entry, OpenMLCopy
from aslant_papers.datasets.errors import DatasetUnavailableError
from aslant_papers.datasets.table import FloatArray, ObjectArray, Table

IN_SCIKIT_LEARN = ("iris", "wine")

# The labels' place beside the features: a name that no feature can have.
_TARGET = "\0target"


def load_from_scikit_learn(name: str) -> Bunch:
    """Return iris or wine with the names and labels of the papers' files."""
    if name == "iris":
        copy = sklearn.datasets.load_iris()
        target = np.array([f"Iris-{label}" for label in copy.target_names])[copy.target]
    else:
        copy = sklearn.datasets.load_wine()
        target = copy.target.astype(np.int64) + 1
    names = [name.removesuffix(" (cm)").replace(" ", "_") for name in copy.feature_names]
    rows, features = copy.data.shape
    return bundle(
        name=name,
        features=dict(zip(names, copy.data.T, strict=True)),
        target=target,
        split=None,
        description=(
            f"{name}: {rows} rows, {features} features, {len(copy.target_names)} classes; "
            "from scikit-learn's own copy."
        ),
    )


def load_from_openml(entry: Entry, copy: OpenMLCopy) -> Bunch:
    """Return OpenML's copy of a data set, downloaded once and then cached by scikit-learn."""
    fetched = _fetch(entry.name, copy.identifier)
    origin = f"OpenML's copy of {entry.name!r} (data set {copy.identifier})"
    columns = {
        name: _cells(fetched.data[:, position], fetched.categories.get(name))
        for position, name in enumerate(fetched.feature_names)
        if name.startswith(copy.feature_prefix)
    }
    labels = [_label(str(label), copy) for label in fetched.target]
    table = _kept_rows(origin, columns, labels, copy.complete_rows_only)
    target = table.labels(_TARGET)
    found = (len(target), len(columns), len(np.unique(target)))
    if found != (entry.rows, entry.features, entry.classes):
        raise DatasetUnavailableError(
            f"{origin} has {found[0]} rows, {found[1]} features and {found[2]} classes, "
            f"but the papers' has {entry.rows}, {entry.features} and {entry.classes}"
        )
    return bundle(
        name=entry.name,
        features=_typed(table, list(columns), entry.categorical),
        target=target,
        split=None,
        description=(
            f"{entry.name}: {found[0]} rows, {found[1]} features, {found[2]} classes; "
            f"from OpenML, data set {copy.identifier}."
        ),
    )


def _fetch(name: str, identifier: int) -> Bunch:
    """Ask scikit-learn for a data set of OpenML; any failure is one sentence.

    Of scikit-learn's two parsers this is the one that needs no pandas and keeps labels such as
    "1" as text.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about retries and other versions of the data
            return sklearn.datasets.fetch_openml(
                data_id=identifier, as_frame=False, parser="liac-arff", n_retries=1
            )
    except (OSError, HTTPException, ValueError) as error:
        raise DatasetUnavailableError(
            f"OpenML's copy (data set {identifier}) of {name!r} is not available ({error})"
        ) from None


def _cells(values: FloatArray, levels: Sequence[str] | None) -> list[str]:
    """Return a feature as text: numbers, or the levels whose positions the numbers are."""
    if levels is None:
        return ["" if np.isnan(value) else str(float(value)) for value in values]
    return ["" if np.isnan(value) else str(levels[int(value)]) for value in values]


def _label(cell: str, copy: OpenMLCopy) -> str:
    """Return the papers' label for OpenML's, or an empty cell for a row to leave out."""
    if copy.cut is not None:
        try:
            return "1" if float(cell) < copy.cut else "2"
        except ValueError:
            return ""
    return cell if copy.labels is None else copy.labels.get(cell, "")


def _kept_rows(
    origin: str, columns: Mapping[str, list[str]], labels: list[str], complete_only: bool
) -> Table:
    """Return the rows that have a label and, if asked, no missing value."""
    kept = [
        row
        for row, label in enumerate(labels)
        if label and not (complete_only and any(not cells[row] for cells in columns.values()))
    ]
    everything = {**columns, _TARGET: labels}
    return Table(
        origin=origin,
        columns={name: [cells[row] for row in kept] for name, cells in everything.items()},
        lines=[row + 1 for row in kept],
        missing=frozenset({""}),
    )


def _typed(
    table: Table, names: list[str], categorical: tuple[int, ...]
) -> dict[str, FloatArray | ObjectArray]:
    """Return the features with the papers' types, whatever OpenML declares."""
    features: dict[str, FloatArray | ObjectArray] = {}
    for position, name in enumerate(names):
        if position in categorical:
            features[name] = table.categories(name)
            continue
        numbers = table.numbers(name)
        if numbers is None:
            raise DatasetUnavailableError(
                f"in {table.origin} the feature {name!r} holds text where the papers' has numbers"
            )
        features[name] = numbers
    return features
