"""What ``aslant predict`` does: match the columns of a file with the features of a model."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from aslant.datasets.data_file import DataTable, FileFormat, read_batches
from aslant.encoding import Column, DataWarning
from aslant.estimators import BaseTree


def read_features(
    model: BaseTree, data: Path, reading: FileFormat | None = None
) -> tuple[pl.DataFrame, list[str]]:
    """Return the rows of a file as the model's features, and remarks for the user."""
    features = Features(model)
    batches = [features.of(table) for table in read_batches(data, reading)]
    return pl.concat(batches), features.remarks


class Features:
    """The columns of a file as the features of a model.

    Columns are matched by name if the model has feature names, else by position. The model decides
    whether a column holds numbers, dates or categories.

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
            f"the model was fitted ({min(unseen)!r}); they count as {column.unseen_as}."
            for name, (column, unseen) in self._unseen.items()
        ]

    def of(self, table: DataTable) -> pl.DataFrame:
        """Return the rows of a table, one column a feature."""
        names = _matched_columns(self._model, table)
        if self._notes is None:
            self._notes = [f"Note: {found}." for found in table.notes]
            surplus = [name for name in table.names if name not in names]
            if surplus:
                unused = f"Note: the model does not use {_listed(surplus)} of {table.origin}."
                self._notes.append(unused)
        found = [
            self._feature(table, name, column).alias(column.name)
            for name, column in zip(names, self._model.encoder_.columns_, strict=True)
        ]
        return pl.DataFrame(found)

    def _feature(self, table: DataTable, name: str, column: Column) -> pl.Series:
        if column.kind == "unused":
            return pl.repeat(None, len(table), dtype=pl.Float64, eager=True)
        if column.kind in ("number", "boolean"):
            return _numbers(table, name)
        if column.kind in ("date", "duration"):
            return _dates(table, name, column)
        cells = table.frame[name]
        texts = cells if cells.dtype == pl.String else cells.cast(pl.String)
        own = [*(column.levels[:-1] if column.merged else column.levels), *column.merged]
        spelled = {text: level for level in own for text in _spellings(level)}
        unseen = set(texts.unique().drop_nulls()) - set(spelled)
        if unseen:
            self._unseen.setdefault(name, (column, set()))[1].update(unseen)
        if all(type(level) is str for level in own):
            return texts
        # The model decides what an unseen level counts as.
        levels = [spelled.get(text, text) for text in texts]
        return pl.Series(levels, dtype=pl.Object, strict=False)


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
        for table in read_batches(self._data, self._reading):
            yield self._text(self._features.of(table), first=first)
            first = False
        if self._as_json:
            yield "\n]\n"

    def _text(self, X: pl.DataFrame, *, first: bool) -> str:
        with warnings.catch_warnings():
            # The columns have been matched by name or position already, and unseen levels noted.
            warnings.filterwarnings("ignore", message="X (does not have|has) .*feature names")
            warnings.simplefilter("ignore", DataWarning)
            rows = X if hasattr(self._model, "feature_names_in_") else _nameless(X)
            labels = self._model.predict(rows)
            shares = self._model.predict_proba(rows) if self._probabilities else None
        if self._as_json:
            return ("[\n" if first else ",\n") + _json_text(labels, shares, self._classes)
        columns = {"prediction": pl.Series(map(str, labels) if labels.dtype == bool else labels)}
        if shares is not None:
            for label, share in zip(self._classes, shares.T, strict=True):
                columns[f"probability_{label}"] = pl.Series(share)
        return pl.DataFrame(columns).write_csv(include_header=first)


def _matched_columns(model: BaseTree, table: DataTable) -> list[str]:
    """Return the column of the file for each feature of the model."""
    present = table.names
    if not hasattr(model, "feature_names_in_"):
        if len(present) != model.n_features_in_:
            raise ValueError(
                f"{table.origin} has {len(present)} columns, and the model, which has no feature "
                f"names, needs exactly its {model.n_features_in_} features."
            )
        return present
    wanted = model.encoder_.input_names
    lacking = [name for name in wanted if name not in present]
    if lacking:
        raise ValueError(f"{table.origin} lacks {_listed(lacking)}{_hint(lacking[0], present)}.")
    return wanted


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(map(repr, names[:5])) + (", ..." if len(names) > 5 else "")
    return f"the column {shown}" if len(names) == 1 else f"the columns {shown}"


def _hint(name: str, present: list[str]) -> str:
    near = get_close_matches(name, present, n=1)
    return f", which the model needs (there is {near[0]!r})" if near else ", which the model needs"


def _numbers(table: DataTable, name: str) -> pl.Series:
    numbers = table.numbers(name, any_words=True)
    if numbers is None:
        raise _wrong_kind(table, name, "numbers", lambda part: part.numbers(name, any_words=True))
    return numbers


def _dates(table: DataTable, name: str, column: Column) -> pl.Series:
    cells = table.frame[name]
    if cells.dtype != pl.String or cells.null_count() == len(cells):
        return cells
    order = column.date_format or "year first"
    found = table.dates(name, order)
    if found is None:
        raise _wrong_kind(table, name, f"a {column.kind}", lambda part: part.dates(name, order))
    return found


def _wrong_kind(
    table: DataTable, name: str, what: str, read: Callable[[DataTable], pl.Series | None]
) -> ValueError:
    """Return the error that names the first cell of a column that cannot be read."""
    texts = table.frame.select(name).unique(maintain_order=True).drop_nulls()
    cell = next(
        (one[name][0] for one in texts.iter_slices(1) if read(replace(table, frame=one)) is None),
        texts[name][0],
    )
    return ValueError(
        f"{table.origin}: the column {name!r} must hold {what}, as it did when the model was "
        f"fitted, but it holds {cell!r}."
    )


def _nameless(X: pl.DataFrame) -> npt.NDArray[Any]:
    return X.to_numpy()


def _spellings(level: Any) -> list[str]:
    """Return the texts of a level in a file; 3.0 may be written as 3."""
    if isinstance(level, float) and level.is_integer():
        return [str(level), str(int(level))]
    return [str(level)]


def _json_text(labels: Any, shares: Any, classes: list[str]) -> str:
    records = []
    for row, label in enumerate(labels.tolist()):
        record = {"prediction": label}
        if shares is not None:
            record["probability"] = dict(zip(classes, shares[row].tolist(), strict=True))
        records.append(json.dumps(record, ensure_ascii=False))
    return ",\n".join(records)
