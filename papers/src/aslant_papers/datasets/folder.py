"""A folder of CSV files, named by the environment variable ``ASLANT_DATA``.

Its ``index.json`` holds ``{"datasets": [...]}``, one object per data set:

==================  ==============================================================
``name``, ``file``  what `load` calls it; the CSV file, plain or compressed by gzip
``columns``         the features, in order: ``{"name": ..., "type": "numeric"}`` or
                    ``"categorical"``
``target``          the column of class labels (``"class"`` if not given)
``meta_columns``    further columns of the file, never features (optional); one
                    called ``split`` says "train" or "test" for each row
``rows``,           its shape
``n_classes``,
``missing_values``
``sha256``          the checksum of the uncompressed CSV file (optional)
``papers``,         who uses it; where it comes from (optional)
``source``
==================  ==============================================================

An empty cell is a missing value. Types are declared, not guessed: several categorical columns
of the papers' data hold integer codes.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils import Bunch

from aslant.datasets.errors import DatasetError
from aslant_papers.datasets.bundle import bundle
from aslant_papers.datasets.table import FloatArray, ObjectArray, Table, read_table

VARIABLE = "ASLANT_DATA"
INDEX = "index.json"
REQUIRED = ("name", "file", "columns", "rows", "n_classes", "missing_values")
TYPES = ("numeric", "categorical")
MISSING = frozenset({""})
SPLIT = "split"


@dataclass(frozen=True)
class Folder:
    """A data folder and its index, by name of data set."""

    path: Path
    index: Mapping[str, Mapping[str, Any]]

    @classmethod
    def from_environment(cls) -> Folder | None:
        """Open the folder that ``ASLANT_DATA`` names; None if the variable is not set."""
        place = os.environ.get(VARIABLE)
        return cls.open(Path(place).expanduser()) if place else None

    @classmethod
    def open(cls, path: Path) -> Folder:
        """Read and check the index of a folder."""
        try:
            content = json.loads((path / INDEX).read_text(encoding="utf-8"))
        except OSError as error:
            raise DatasetError(
                f"{VARIABLE} must name a folder with an {INDEX}, "
                f"but {path / INDEX} cannot be read ({error.strerror})"
            ) from None
        except ValueError as error:
            raise DatasetError(f"{path / INDEX} is not valid JSON ({error})") from None
        entries = content.get("datasets") if isinstance(content, dict) else None
        if not isinstance(entries, list):
            raise DatasetError(f"{path / INDEX} must hold an object with a list 'datasets'")
        for position, entry in enumerate(entries):
            _check_entry(entry, f"{path / INDEX}: data set {position + 1}")
        return cls(path, {entry["name"]: entry for entry in entries})

    def load(self, name: str) -> Bunch:
        """Return one of the folder's data sets."""
        entry = self.index[name]
        table = read_table(self.path / entry["file"], MISSING, entry.get("sha256"))
        target = entry.get("target", "class")
        meta = entry.get("meta_columns", [])
        wanted = [*(column["name"] for column in entry["columns"]), *meta, target]
        for column in wanted:
            if column not in table.columns:
                raise DatasetError(f"{table.origin}: column {column!r} of {INDEX} is not there")
        return bundle(
            name=name,
            features={
                column["name"]: _feature(table, column["name"], column["type"])
                for column in entry["columns"]
            },
            target=table.labels(target),
            split=_split(table) if SPLIT in meta else None,
            description=_description(name, entry),
        )


def _check_entry(entry: Any, place: str) -> None:
    """Validate an entry of the index."""
    if not isinstance(entry, dict):
        raise DatasetError(f"{place} must be an object, got {entry!r}")
    for key in REQUIRED:
        if key not in entry:
            raise DatasetError(f"{place} ({entry.get('name', 'no name')}) has no {key!r}")
    for key in ("name", "file"):
        if not isinstance(entry[key], str):
            raise DatasetError(f"{place}: {key!r} must be text, got {entry[key]!r}")
    columns = entry["columns"]
    if not isinstance(columns, list) or not columns:
        raise DatasetError(f"{place} ({entry['name']}) must list at least one column")
    for column in columns:
        if not isinstance(column, dict) or "name" not in column or column.get("type") not in TYPES:
            raise DatasetError(
                f"{place} ({entry['name']}): a column needs a 'name' and a 'type' that is one of "
                f"{', '.join(TYPES)}, got {column!r}"
            )


def _feature(table: Table, name: str, kind: str) -> FloatArray | ObjectArray:
    """Return a feature with its declared type."""
    if kind == "categorical":
        return table.categories(name)
    numbers = table.numbers(name)
    if numbers is None:
        raise DatasetError(f"{table.origin}: column {name!r} is declared numeric but holds text")
    return numbers


def _split(table: Table) -> npt.NDArray[np.str_]:
    """Return the division of the rows into "train" and "test"."""
    marks = table.columns[SPLIT]
    for line, mark in zip(table.lines, marks, strict=True):
        if mark not in ("train", "test"):
            raise DatasetError(
                f"{table.origin}: line {line} has {mark!r} in the column {SPLIT!r}; "
                "only 'train' and 'test' are allowed"
            )
    return np.array(marks, dtype=np.str_)


def _description(name: str, entry: Mapping[str, Any]) -> str:
    """Return one sentence about a data set and its source."""
    source = f" ({entry['source']})" if "source" in entry else ""
    return (
        f"{name}: {entry['rows']} rows, {len(entry['columns'])} features, "
        f"{entry['n_classes']} classes; from {entry['file']}{source}."
    )
