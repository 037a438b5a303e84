"""What ``aslant predict`` does: match the columns of a file with the features of a model."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from aslant.datasets.blocks import read_blocks
from aslant.datasets.frame_file import FrameTable
from aslant.datasets.user_file import FileFormat, UserTable
from aslant.encoding import Column
from aslant.estimators import BaseTree
from aslant.utils.text_tables import csv_text

FileTable = UserTable | FrameTable


def read_features(
    model: BaseTree, data: Path, reading: FileFormat | None = None
) -> tuple[npt.NDArray[Any], list[str]]:
    """Return the rows of a file as the model's features, and remarks for the user."""
    features = Features(model)
    blocks = [features.of(table) for table in read_blocks(data, reading)]
    return np.concatenate(blocks), features.remarks


class Features:
    """The columns of a file as the features of a model.

    Columns are matched by name if the model has feature names, else by position. The model decides
    whether a column holds numbers or categories.

    Parameters
    ----------
    model : BaseTree
        The model.
    """

    def __init__(self, model: BaseTree) -> None:
        self._model = model
        self._notes: list[str] | None = None
        self._unseen: dict[str, tuple[Column, set[str]]] = {}

    @property
    def remarks(self) -> list[str]:
        """Notes on the rows so far."""
        return (self._notes or []) + [
            f"Note: {len(unseen)} of the values in the column {name!r} were not there when "
            f"the model was fitted ({min(unseen)!r}); they count as {_unseen(column)}."
            for name, (column, unseen) in self._unseen.items()
        ]

    def of(self, table: FileTable) -> npt.NDArray[Any]:
        """Return the rows of a table, one column a feature."""
        columns = _matched_columns(self._model, table)
        if self._notes is None:
            self._notes = [f"Note: {found}." for found in table.notes]
            surplus = [name for name in table.columns if name not in columns]
            if surplus:
                unused = f"Note: the model does not use {_listed(surplus)} of {table.origin}."
                self._notes.append(unused)
        known = self._model.encoder_.columns_
        numeric = all(column.kind in ("number", "boolean") for column in known)
        X = np.empty((len(table.lines), len(columns)), dtype=np.float64 if numeric else object)
        for j, (name, column) in enumerate(zip(columns, known, strict=True)):
            if column.kind in ("number", "boolean"):
                X[:, j] = _numbers(table, name)
            elif column.kind in ("date", "duration"):
                X[:, j] = table.categories(name)
            else:
                X[:, j], unseen = _levels(table, name, column)
                if unseen:
                    self._unseen.setdefault(name, (column, set()))[1].update(unseen)
        return X


class Predictions:
    """The predictions of a model for the rows of a file, block by block.

    Parameters
    ----------
    model : BaseTree
        The model.
    data : Path
        The file.
    reading : FileFormat or None
        How it is read.
    probabilities : bool
        Whether to write class probabilities.
    as_json : bool
        Whether to write JSON, else CSV.
    """

    def __init__(
        self,
        model: BaseTree,
        data: Path,
        reading: FileFormat | None = None,
        *,
        probabilities: bool = False,
        as_json: bool = False,
    ) -> None:
        self._model: Any = model
        self._features = Features(model)
        self._data, self._reading, self._as_json = data, reading, as_json
        self._classes = [str(label) for label in getattr(model, "classes_", np.zeros(0)).tolist()]
        if probabilities and not self._classes:
            raise ValueError(f"--proba needs a classifier, got {type(model).__name__}.")
        self._probabilities = probabilities

    @property
    def remarks(self) -> list[str]:
        """Notes on the rows so far."""
        return self._features.remarks

    def __iter__(self) -> Iterator[str]:
        """Yield pieces of the text of a CSV or JSON file."""
        first = True
        for table in read_blocks(self._data, self._reading):
            yield self._text(self._features.of(table), first=first)
            first = False
        if self._as_json:
            yield "\n]\n"

    def _text(self, X: npt.NDArray[Any], *, first: bool) -> str:
        with warnings.catch_warnings():
            # Arrays carry no names; the columns have been matched by name already.
            warnings.filterwarnings("ignore", message="X does not have valid feature names")
            labels = self._model.predict(X).tolist()
            shares: list[list[float]] = [[] for _ in labels]
            if self._probabilities:
                shares = self._model.predict_proba(X).tolist()
        if self._as_json:
            return ("[\n" if first else ",\n") + _json_text(labels, shares, self._classes)
        names = [f"probability_{label}" for label in self._classes if self._probabilities]
        header = [["prediction", *names]] if first else []
        rows = ([label, *row] for label, row in zip(labels, shares, strict=True))
        return csv_text([*header, *rows])


def _unseen(column: Column) -> str:
    """Return what an unseen level counts as."""
    if column.merged:
        return repr(column.levels[-1])
    return "an average level" if column.encoding == "target" else "missing"


def _matched_columns(model: BaseTree, table: FileTable) -> list[str]:
    """Return the column of the file for each feature of the model."""
    present = list(table.columns)
    if not hasattr(model, "feature_names_in_"):
        if len(present) != model.n_features_in_:
            raise ValueError(
                f"{table.origin} has {len(present)} columns, and the model, which has no feature "
                f"names, needs exactly its {model.n_features_in_} features."
            )
        return present
    wanted = model.encoder_.input_names
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


def _numbers(table: FileTable, name: str) -> npt.NDArray[np.float64]:
    numbers = table.numbers(name, any_words=True)
    if numbers is None:
        raise ValueError(
            f"{table.origin}: the column {name!r} must hold numbers, as it did when the model was "
            f"fitted, but it holds {_first_text(table, name)!r}."
        )
    return numbers


def _first_text(table: FileTable, name: str) -> Any:
    """Return the first cell of a column that is not a number."""
    for cell in table.columns[name]:
        if replace(table, columns={name: [cell]}).numbers(name, any_words=True) is None:
            return cell
    raise AssertionError("every cell is a number")


def _levels(table: FileTable, name: str, column: Column) -> tuple[list[Any], set[str]]:
    """Return the cells of a column as the model's own levels, and the cells that are none."""
    own = [*(column.levels[:-1] if column.merged else column.levels), *column.merged]
    level_of = {text: level for level in own for text in _spellings(level)}
    cells = table.categories(name)
    texts = [None if cell != cell else str(cell) for cell in cells]
    unseen = {text for text in texts if text is not None and text not in level_of}
    # The model decides what an unseen level counts as.
    return [
        cell if text is None else level_of.get(text, cell)
        for cell, text in zip(cells, texts, strict=True)
    ], unseen


def _spellings(level: Any) -> list[str]:
    """Return the texts of a level in a file; 3.0 may be written as 3."""
    if isinstance(level, float) and level.is_integer():
        return [str(level), str(int(level))]
    return [str(level)]


def _json_text(labels: list[Any], shares: list[list[float]], classes: list[str]) -> str:
    records = []
    for label, row in zip(labels, shares, strict=True):
        record = {"prediction": label}
        if row:
            record["probability"] = dict(zip(classes, row, strict=True))
        records.append(json.dumps(record, ensure_ascii=False))
    return ",\n".join(records)
