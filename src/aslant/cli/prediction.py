"""What ``aslant predict`` does: fit the columns of a file to the features of a model."""

from __future__ import annotations

import json
import warnings
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from aslant.datasets.csv_file import MISSING
from aslant.datasets.table import Table, read_table
from aslant.estimators import BaseTreeClassifier
from aslant.evaluation.text_tables import csv_text


def read_features(model: BaseTreeClassifier, data: Path) -> tuple[npt.NDArray[Any], list[str]]:
    """Return the rows of a CSV file as the model's features, and remarks for the user.

    Columns go by name if the model knows the names of its features, else by place. Whether a
    column holds numbers or categories is the model's to say, not the file's.
    """
    table = read_table(data, MISSING)
    columns = _matched_columns(model, table)
    remarks = []
    surplus = [name for name in table.columns if name not in columns]
    if surplus:
        remarks.append(f"Note: the model does not use {_listed(surplus)} of {table.origin}.")
    categories = model.encoder_.categories
    X = np.empty((len(table.lines), len(columns)), dtype=object if categories else np.float64)
    for j, name in enumerate(columns):
        if j not in categories:
            X[:, j] = _numbers(table, name)
            continue
        X[:, j], unseen = _levels(table, name, categories[j])
        if unseen:
            remarks.append(
                f"Note: {len(unseen)} of the values in the column {name!r} were not there when "
                f"the model was fitted ({min(unseen)!r}); they count as missing."
            )
    return X, remarks


def _matched_columns(model: BaseTreeClassifier, table: Table) -> list[str]:
    """Return the column of the file for each feature of the model."""
    present = list(table.columns)
    if not hasattr(model, "feature_names_in_"):
        if len(present) != model.n_features_in_:
            raise ValueError(
                f"{table.origin} has {len(present)} columns, and the model, which knows no names, "
                f"needs exactly its {model.n_features_in_} features."
            )
        return present
    wanted = model.encoder_.feature_names
    lacking = [name for name in wanted if name not in table.columns]
    if lacking:
        raise ValueError(f"{table.origin} lacks {_listed(lacking)}{_hint(lacking[0], present)}.")
    return wanted


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(map(repr, names[:5])) + (", ..." if len(names) > 5 else "")
    return f"the column {shown}" if len(names) == 1 else f"the columns {shown}"


def _hint(name: str, present: list[str]) -> str:
    near = get_close_matches(name, present, n=1)
    return f", which the model needs (there is {near[0]!r})" if near else ", which the model needs"


def _numbers(table: Table, name: str) -> npt.NDArray[np.float64]:
    numbers = table.numbers(name)
    if numbers is None:
        raise ValueError(
            f"{table.origin}: the column {name!r} must hold numbers, as it did when the model was "
            f"fitted, but it holds {_first_text(table, name)!r}."
        )
    return numbers


def _first_text(table: Table, name: str) -> str:
    """Return the first cell of a column that is not a number."""
    for cell in table.columns[name]:
        alone = Table(table.origin, {name: [cell]}, [0], table.missing)
        if alone.numbers(name) is None:
            return cell
    raise AssertionError("every cell is a number")


def _levels(table: Table, name: str, levels: Sequence[Any]) -> tuple[list[Any], set[str]]:
    """Return the cells of a column as the model's own levels, and the cells that are none."""
    level_of = {text: level for level in levels for text in _spellings(level)}
    cells = table.categories(name)
    unseen = {cell for cell in cells if isinstance(cell, str) and cell not in level_of}
    return [level_of.get(cell, np.nan) for cell in cells], unseen


def _spellings(level: Any) -> list[str]:
    """Return how a file may write a level, which may be a number: 3.0 also as 3."""
    if isinstance(level, float) and level.is_integer():
        return [str(level), str(int(level))]
    return [str(level)]


def predictions_text(
    model: BaseTreeClassifier, X: npt.NDArray[Any], *, probabilities: bool, as_json: bool
) -> str:
    """Return a prediction for each row as the text of a CSV or JSON file."""
    with warnings.catch_warnings():
        # Arrays carry no names; the columns have been matched by name already.
        warnings.filterwarnings("ignore", message="X does not have valid feature names")
        labels = model.predict(X).tolist()
        shares = model.predict_proba(X).tolist() if probabilities else [[] for _ in labels]
    classes = [str(label) for label in model.classes_.tolist()]
    if as_json:
        return _json_text(labels, shares, classes)
    header = ["prediction", *(f"probability_{label}" for label in classes if probabilities)]
    return csv_text([header, *([label, *row] for label, row in zip(labels, shares, strict=True))])


def _json_text(labels: list[Any], shares: list[list[float]], classes: list[str]) -> str:
    records = []
    for label, row in zip(labels, shares, strict=True):
        record = {"prediction": label}
        if row:
            record["probability"] = dict(zip(classes, row, strict=True))
        records.append(json.dumps(record, ensure_ascii=False))
    return "[\n" + ",\n".join(records) + "\n]\n"
