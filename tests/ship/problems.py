"""Models of every kind and 10,000 rows for each, with missing values and unknown levels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from aslant import (
    C45Classifier,
    CARTClassifier,
    KDTClassifier,
    LMDTClassifier,
    MMLTreeClassifier,
    OC1Classifier,
    QUESTClassifier,
)
from aslant.search import OC1

N_ROWS = 10_000
ODD = "a 'q\" \\ */ </script>"


@dataclass(frozen=True)
class Problem:
    """A fitted model, and rows to predict."""

    model: Any
    rows: Any

    def records(self) -> list[list[Any]]:
        """Return the rows as plain Python values, None where missing."""
        if isinstance(self.rows, pd.DataFrame):
            plain = self.rows.astype(object).where(self.rows.notna(), None).to_numpy()
        else:
            plain = self.rows.astype(object)
        return [[None if v is None or v != v else v for v in row] for row in plain.tolist()]


def numbers(n: int, seed: int, missing: float = 0.1) -> np.ndarray:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 6)) * [1.0, 10.0, 0.01, 1e3, 1.0, 1.0] + [0, 5, 0, 1e4, 0, 0]
    X[:, 5] = np.round(X[:, 5])
    X[rng.random(X.shape) < missing] = np.nan
    return X


def classes_of(X: np.ndarray, n_classes: int, seed: int = 0) -> np.ndarray:
    Z = np.nan_to_num((X - np.nanmean(X, axis=0)) / np.nanstd(X, axis=0))
    noise = np.random.default_rng(seed).normal(scale=0.4, size=len(X))
    slope = Z[:, 0] + 0.7 * Z[:, 1] - 0.5 * Z[:, 3] + noise
    cuts = np.quantile(slope, np.linspace(0, 1, n_classes + 1)[1:-1])
    return np.digitize(slope, cuts)


def mixed(n: int, seed: int, levels: list[Any]) -> tuple[pd.DataFrame, np.ndarray]:
    rng = np.random.default_rng(seed)
    X = numbers(n, seed)
    frame = pd.DataFrame(X[:, :4], columns=["age", "b m-i", "3", ODD])
    frame["colour"] = pd.Series(rng.choice(levels, n), dtype=object)
    frame["size"] = pd.Series(rng.choice([1, 2, 5], n), dtype=object)
    frame.loc[rng.random(n) < 0.1, "colour"] = None
    y = classes_of(X, 3)
    y = np.where(frame["colour"] == levels[0], (y + 1) % 3, y)
    return frame, np.array(["low", ODD, "high"])[y]


LEVELS = ["red", "grün", ODD, "blue"]


def of_numbers(model: Any, n_classes: int = 2) -> Problem:
    X = numbers(400, 1)
    return Problem(model.fit(X, classes_of(X, n_classes)), numbers(N_ROWS, 2, missing=0.05))


def of_frames(model: Any) -> Problem:
    X, y = mixed(400, 3, LEVELS)
    rows, _ = mixed(N_ROWS, 4, [*LEVELS, "never seen"])
    return Problem(model.fit(X, y), rows)


MODELS: dict[str, Callable[[], Problem]] = {
    "one leaf": lambda: of_numbers(CARTClassifier(min_samples_leaf=400)),
    "axis-parallel": lambda: of_numbers(CARTClassifier(), 3),
    "oblique": lambda: of_numbers(OC1Classifier(random_state=0, restarts=3, pruning=None), 3),
    "weighted": lambda: of_numbers(QUESTClassifier(class_weight={0: 1.5, 1: 0.3}, pruning=None), 2),
    "linear machines": lambda: of_numbers(LMDTClassifier(random_state=0, pruning=None), 4),
    "categories": lambda: of_frames(OC1Classifier(random_state=0, restarts=2, pruning=None)),
    "branch per level": lambda: of_frames(C45Classifier()),
    "machines and categories": lambda: of_frames(LMDTClassifier(random_state=0)),
    "votes": lambda: of_frames(KDTClassifier(OC1(restarts=2), n_estimators=4, random_state=0)),
    "soft votes": lambda: of_numbers(
        KDTClassifier(OC1(restarts=2), n_estimators=3, random_state=0, voting="soft", max_depth=4),
        3,
    ),
    "average": lambda: of_numbers(
        MMLTreeClassifier(n_estimators=3, combine="average", random_state=0, restarts=2), 3
    ),
    "laplace": lambda: of_frames(MMLTreeClassifier(random_state=0, restarts=2)),
}


@cache
def problem(name: str) -> Problem:
    return MODELS[name]()
