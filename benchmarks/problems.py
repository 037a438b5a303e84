"""The data of the comparisons: named data sets in folds, and made ones of any size.

Labels are coded 0, 1, ... because some of the peers accept no others. LS10, POL, RCB and waveform
are drawn again and need no files; the others need the folder that ASLANT_DATA names.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from aslant_papers.datasets import load_dataset
from sklearn.datasets import make_classification
from sklearn.model_selection import StratifiedKFold

from aslant.datasets import make_ls10, make_pol, make_rcb, make_waveform

Rows: TypeAlias = tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]
Split: TypeAlias = tuple[Rows, Rows]

HELD_OUT = 10_000


def make_rotated_pol() -> Rows:
    """Return POL turned by 30 degrees about the middle of the square."""
    X, y = make_pol(random_state=0)
    cosine, sine = np.cos(np.pi / 6), np.sin(np.pi / 6)
    return (X - 0.5) @ np.array([[cosine, sine], [-sine, cosine]]) + 0.5, y


GENERATED: dict[str, Callable[[], Rows]] = {
    "LS10": lambda: make_ls10(random_state=0),
    "POL": lambda: make_pol(random_state=0),
    "POL at 30°": make_rotated_pol,
    "RCB": lambda: make_rcb(random_state=0),
    "waveform": lambda: make_waveform(random_state=0),
}
FROM_FILES = {"Pima": "pima_diabetes", "BC": "breast_cancer_wisconsin_683", "Letter": "letter"}


def names() -> list[str]:
    """Return the data sets that are here."""
    return [*GENERATED, *(FROM_FILES if os.environ.get("ASLANT_DATA") else ())]


def rows_of(name: str) -> Rows:
    """Return a data set, its classes coded 0, 1, ..."""
    if name in GENERATED:
        X, y = GENERATED[name]()
    else:
        bunch = load_dataset(FROM_FILES[name])
        X, y = bunch.data, bunch.target
    return X, np.unique(y, return_inverse=True)[1]


def folds(name: str, n_folds: int = 5) -> Iterator[Split]:
    """Yield the five divisions of a data set into training and held-out rows, or the first ones."""
    X, y = rows_of(name)
    divisions = StratifiedKFold(5, shuffle=True, random_state=0).split(X, y)
    for (train, test), _ in zip(divisions, range(n_folds), strict=False):
        yield (X[train], y[train]), (X[test], y[test])


def made(n: int, d: int) -> Split:
    """Return n rows of two classes in d features, half of them informative, and held-out rows."""
    X, y = make_classification(n + HELD_OUT, d, n_informative=d // 2, random_state=0)
    return (X[:n], y[:n]), (X[n:], y[n:])
