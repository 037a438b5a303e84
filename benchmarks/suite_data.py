"""The suite: 44 classification and 20 regression sets of PMLB, and their folds.

The sets are in the folder ``suite`` of the one that ASLANT_DATA names: ``<name>.csv.gz`` with the
target in the last column, and an ``index.json`` with name, task, rows and features of each. PMLB
(https://github.com/EpistasisLab/pmlb, and the package pmlb: ``pmlb.fetch_data(name)``) has them
all. Nothing says which columns are categories, so all contestants read numbers.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.model_selection import KFold, StratifiedKFold

N_FOLDS = 3
MOST_ROWS = 1_000
CLASSIFICATION, REGRESSION = "classification", "regression"
TASKS = (CLASSIFICATION, REGRESSION)

Fold = tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]


@dataclass(frozen=True)
class SuiteSet:
    """A set by name, with its task and how many values it has."""

    name: str
    task: str
    size: int

    def rows(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[Any]]:
        """Return features and target of at most `MOST_ROWS` rows, always the same ones.

        Classes are coded 0, 1, ...; one with fewer rows than there are folds is left out, since
        some contestants need every class in every training part.
        """
        table = whole_table(self.name)
        table = table[np.random.default_rng(0).permutation(len(table))[:MOST_ROWS]]
        X, y = table[:, :-1], table[:, -1]
        if self.task == REGRESSION:
            return X, y
        labels, counts = np.unique(y, return_counts=True)
        kept = np.isin(y, labels[counts >= N_FOLDS])
        return X[kept], np.unique(y[kept], return_inverse=True)[1]

    def folds(self, X: npt.NDArray[Any], y: npt.NDArray[Any], repeat: int) -> list[Fold]:
        """Return training and test rows of the folds of a repeat, the same for all contestants."""
        kind = KFold if self.task == REGRESSION else StratifiedKFold
        return list(kind(N_FOLDS, shuffle=True, random_state=repeat).split(X, y))


def folder() -> Path:
    """Return the folder of the suite, or say where its files come from."""
    found = Path(os.environ.get("ASLANT_DATA", "")) / "suite"
    if not (found / "index.json").exists():
        raise FileNotFoundError(
            "The folder named by ASLANT_DATA has no suite/index.json: the sets are those of PMLB, "
            "https://github.com/EpistasisLab/pmlb, or of its package pmlb."
        )
    return found


def whole_table(name: str) -> npt.NDArray[np.float64]:
    """Return all rows of a set, the target last."""
    return np.genfromtxt(folder() / f"{name}.csv.gz", delimiter=",", skip_header=1)


def index() -> list[dict[str, Any]]:
    """Return what the index says of each set: name, task, rows, features, classes."""
    return json.loads((folder() / "index.json").read_text())


def suite() -> list[SuiteSet]:
    """Return all sets, small ones first."""
    sets = [
        SuiteSet(
            one["name"],
            one["task"],
            min(one["rows"], MOST_ROWS) * one["features"] * (one.get("classes") or 1),
        )
        for one in index()
    ]
    return sorted(sets, key=lambda one: (one.size, one.name))
