"""Models of every kind and 10,000 rows for each, with missing values and unknown levels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from linear_leaf import with_linear_leaf

from aslant import (
    AutoTreeClassifier,
    AutoTreeRegressor,
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    KDTClassifier,
    LMDTClassifier,
    MMLTreeClassifier,
    ObliqueDecisionTreeRegressor,
    ObliqueRandomForestClassifier,
    ObliqueRandomForestRegressor,
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
    exact: bool = True  # to the last bit, or within rounding

    def records(self, *, days: bool = True) -> list[list[Any]]:
        """Return the rows as plain Python values, None where missing; dates as days or as text."""
        rows = self.rows
        if not isinstance(rows, pd.DataFrame):
            return [[None if v != v else v for v in row] for row in rows.tolist()]
        if days:
            rows = in_days(rows)
        plain = rows.astype(object).where(rows.notna(), None).to_numpy()
        return [[None if v is None or v != v else v for v in row] for row in plain.tolist()]


def in_days(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the frame with dates as days since 1970 began, and durations as days."""
    start, day = pd.Timestamp("1970-01-01"), pd.Timedelta(days=1)
    found = {}
    for name in frame:
        if name in DATES:
            moments = pd.to_datetime(frame[name], dayfirst=name == "paid")
            found[name] = (moments - start) / day
        elif frame[name].dtype.kind == "m":
            found[name] = frame[name] / day
    return frame.assign(**found)


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
    frame["color"] = pd.Series(rng.choice(levels, n), dtype=object)
    frame["size"] = pd.Series(rng.choice([1, 2, 5], n), dtype=object)
    frame.loc[rng.random(n) < 0.1, "color"] = None
    y = classes_of(X, 3)
    y = np.where(frame["color"] == levels[0], (y + 1) % 3, y)
    return frame, np.array(["low", ODD, "high"])[y]


DATES = ("admitted", "paid")
KINDS = [0.5, 0.3, 0.192, 0.004, 0.002, 0.002]  # the last three are rare


def untidy(n: int, seed: int, cities: int = 60) -> tuple[pd.DataFrame, np.ndarray]:
    """Dates, a duration, an order, informative missing values, rare and many levels."""
    rng = np.random.default_rng(seed)
    days = rng.integers(-3000, 20000, n) + np.where(rng.random(n) < 0.5, 0.5, 0.0)
    admitted = pd.Timestamp("1970-01-01") + pd.to_timedelta(days, unit="D")
    paid = admitted + pd.to_timedelta(rng.integers(0, 400, n), unit="D")
    city = np.minimum(rng.geometric(0.05, n), cities)
    frame = pd.DataFrame(
        {
            "admitted": admitted,
            "paid": paid.strftime("%d.%m.%Y"),
            "stay": pd.to_timedelta(rng.exponential(3.0, n), unit="D"),
            "grade": pd.Categorical(
                rng.choice(["low", "fair", "good"], n), ["low", "fair", "good"], ordered=True
            ),
            "city": pd.Series([f"c{k}" for k in city], dtype=object),
            "kind": pd.Series(
                rng.choice(list("abcdef"), n, p=[0.5, 0.3, 0.192, 0.004, 0.002, 0.002])
            ),
            "age": rng.normal(50.0, 10.0, n),
        }
    )
    score = city / 20 + admitted.month / 6 - (frame["kind"] == "b") + rng.normal(scale=0.5, size=n)
    y = np.digitize(score, np.quantile(score, [0.3, 0.6]))
    frame.loc[(rng.random(n) < 0.4) & (y == 2), "age"] = np.nan
    for name in ("admitted", "paid", "grade", "city", "kind"):
        frame.loc[rng.random(n) < 0.03, name] = None
    return frame, np.array(["x", "y", "z"])[y]


LEVELS = ["red", "grün", ODD, "blue"]


def of_numbers(model: Any, n_classes: int = 2) -> Problem:
    X = numbers(400, 1)
    return Problem(model.fit(X, classes_of(X, n_classes)), numbers(N_ROWS, 2, missing=0.05))


def of_frames(model: Any) -> Problem:
    X, y = mixed(400, 3, LEVELS)
    rows, _ = mixed(N_ROWS, 4, [*LEVELS, "never seen"])
    return Problem(model.fit(X, y), rows)


def of_untidy(model: Any) -> Problem:
    rows, _ = untidy(N_ROWS, 6, cities=70)
    return Problem(model.fit(*untidy(1500, 5)), rows)


def of_targets(model: Any, n_outputs: int = 1, exact: bool = True) -> Problem:
    X, _ = mixed(400, 3, LEVELS)
    Z = np.nan_to_num(numbers(400, 3))
    y = Z[:, :n_outputs] + np.abs(Z[:, [1]]) + 3.0 * (X["color"] == "red").to_numpy()[:, None]
    rows, _ = mixed(N_ROWS, 4, [*LEVELS, "never seen"])
    return Problem(model.fit(X, y[:, 0] if n_outputs == 1 else y), rows, exact)


N_NUMBERS = numbers(N_ROWS, 2, missing=0.05)


def of_logits(X: Any, y: np.ndarray, rows: Any) -> Problem:
    """A single linear leaf of classes."""
    fitted = AutoTreeClassifier(random_state=0, effort="low", leaf="constant").fit(X, y)
    return Problem(with_linear_leaf(fitted, X, y), rows, exact=False)


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
    "soft": lambda: replace(
        of_numbers(AutoTreeClassifier(random_state=0, effort="low", leaf="constant"), 3),
        exact=False,
    ),
    "soft with categories": lambda: replace(
        of_frames(AutoTreeClassifier(random_state=0, effort="low", leaf="constant")), exact=False
    ),
    "one soft leaf": lambda: Problem(
        AutoTreeClassifier(random_state=0, effort="low", leaf="constant").fit(
            np.zeros((60, 6)), np.arange(60) % 3 == 0
        ),
        numbers(N_ROWS, 2),
        exact=False,
    ),
    "log-odds": lambda: of_logits(numbers(400, 1), classes_of(numbers(400, 1), 2), N_NUMBERS),
    "logits": lambda: of_logits(*mixed(400, 3, LEVELS), mixed(N_ROWS, 4, [*LEVELS, "new"])[0]),
    "forest": lambda: of_frames(
        ObliqueRandomForestClassifier(n_estimators=4, max_depth=4, random_state=0)
    ),
    "derived features": lambda: of_untidy(
        CARTClassifier(
            date_parts=["year", "month", "day", "weekday", "hour"],
            min_frequency=0.01,
            max_levels=6,
            max_depth=9,
            missing="indicator",
        )
    ),
    "numbers": lambda: of_targets(CARTRegressor(max_depth=5)),
    "forest of numbers": lambda: of_targets(
        ObliqueRandomForestRegressor(n_estimators=4, max_depth=4, random_state=0), 2, exact=False
    ),
    "soft numbers": lambda: of_targets(
        AutoTreeRegressor(random_state=0, effort="low", leaf="mean"), exact=False
    ),
    "soft linear leaves": lambda: of_targets(
        AutoTreeRegressor(random_state=0, effort="low", leaf="linear"), 2, exact=False
    ),
    "one soft linear leaf": lambda: Problem(
        AutoTreeRegressor(random_state=0, effort="low").fit(
            numbers(60, 1, missing=0.0), numbers(60, 1, missing=0.0)[:, 1]
        ),
        numbers(N_ROWS, 2),
        exact=False,
    ),
    "linear leaves": lambda: of_targets(
        ObliqueDecisionTreeRegressor("least_squares", max_depth=3, leaf="linear"), 2, exact=False
    ),
    "extrapolated": lambda: of_targets(
        ObliqueDecisionTreeRegressor("least_squares", max_depth=2, leaf="linear", extrapolate=True),
        exact=False,
    ),
}


@cache
def problem(name: str) -> Problem:
    return MODELS[name]()


@cache
def few(name: str, n: int) -> Problem:
    """Return a problem with its first rows only."""
    made = problem(name)
    return replace(made, rows=made.rows[:n])
