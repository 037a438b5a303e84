"""The model zoo: one small estimator of every kind, one small table of every kind, and their fits.

``estimator("oc1")`` is a new estimator, ``table("polars")`` is data, ``fitted("oc1", "polars")`` is
the fit of one to the other, made once per process. A test that changes a model takes a clone.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.base import is_regressor

import aslant
from aslant.search import OC1, SADT, SplitSearch

N_ROWS = 66


class RandomDirections(SplitSearch):
    """A search written in Python: the best of a few random directions."""

    def __init__(self, n: int = 3) -> None:
        self.n = n

    def find(self, node: Any, rng: Any) -> Any:
        return node.best_along(rng.normal(size=(self.n, node.X.shape[1])))


# ---------------------------------------------------------------------- estimators

# Parameters with which every public estimator is fitted in milliseconds.
QUICK: dict[str, dict[str, Any]] = {
    "SADTClassifier": {"patience": 200},
    "KDTClassifier": {"search": SADT(patience=50), "n_estimators": 3},
    "MMLTreeClassifier": {"restarts": 2, "rounds": 1},
    "OC1Classifier": {"restarts": 3},
    "PolePairClassifier": {"exact_rows": 50},
    "OC1Regressor": {"restarts": 3},
    "AutoTreeClassifier": {"effort": "low"},
    "AutoTreeRegressor": {"effort": "low"},
    "ObliqueDecisionTreeClassifier": {"search": OC1(restarts=2)},
    "ObliqueDecisionTreeRegressor": {"search": OC1(restarts=2)},
}
SMALL: dict[str, Any] = {"max_depth": 3, "random_state": 0}
FEW_ROUNDS: dict[str, Any] = {"max_iter": 3, "min_samples_leaf": 5, "oblique_min_rows": 20}
ESTIMATORS: dict[str, Callable[[], Any]] = {
    "auto": lambda: aslant.AutoTreeClassifier(effort="low", leaf="constant", random_state=0),
    "auto, linear leaf": lambda: aslant.AutoTreeClassifier(
        effort="low", leaf="linear", random_state=0
    ),
    "auto regressor": lambda: aslant.AutoTreeRegressor(effort="low", random_state=0),
    "cart": lambda: aslant.CARTClassifier(**SMALL),
    "oc1": lambda: aslant.OC1Classifier(restarts=2, **SMALL),
    "hhcart": lambda: aslant.HHCARTClassifier(**SMALL),
    "lmdt": lambda: aslant.LMDTClassifier(**SMALL),
    "mml": lambda: aslant.MMLTreeClassifier(
        restarts=2, rounds=1, max_features_per_test=1, n_estimators=2, combine="average", **SMALL
    ),
    "kdt": lambda: aslant.KDTClassifier(
        OC1(restarts=1), n_estimators=2, voting="soft", smoothing=0.0, **SMALL
    ),
    "c45": lambda: aslant.C45Classifier(**SMALL),
    "python search": lambda: aslant.ObliqueDecisionTreeClassifier(RandomDirections(), **SMALL),
    "python search, constrained, on samples": lambda: aslant.ObliqueDecisionTreeClassifier(
        RandomDirections(), max_features_per_test=2, search_rows=20, **SMALL
    ),
    "linear leaves": lambda: aslant.LeastSquaresTreeRegressor(leaf="linear", **SMALL),
    "cart regressor": lambda: aslant.CARTRegressor(**SMALL),
    "forest": lambda: aslant.ObliqueRandomForestClassifier(3, **SMALL),
    "regression forest": lambda: aslant.ObliqueRandomForestRegressor(3, **SMALL),
    "calibrated forest": lambda: aslant.ObliqueRandomForestClassifier(5, calibrate=True, **SMALL),
    "extra trees": lambda: aslant.ObliqueExtraTreesClassifier(3, **SMALL),
    "boosting": lambda: aslant.ObliqueGradientBoostingClassifier(**FEW_ROUNDS, **SMALL),
    "regression boosting": lambda: aslant.ObliqueGradientBoostingRegressor(**FEW_ROUNDS, **SMALL),
}
SEVERAL_TREES = (
    "mml",
    "kdt",
    "forest",
    "regression forest",
    "calibrated forest",
    "extra trees",
    "boosting",
    "regression boosting",
)


def estimator(name: str, **changed: Any) -> Any:
    """Return a new estimator, with some parameters changed."""
    return ESTIMATORS[name]().set_params(**changed)


# ---------------------------------------------------------------------- tables


@dataclass(frozen=True)
class Table:
    """Data to fit: the features, a class and a regression target for every row, weights."""

    X: Any
    classes: np.ndarray
    target: np.ndarray
    weight: np.ndarray | None = None

    def y(self, model: Any) -> np.ndarray:
        return self.target if is_regressor(model) else self.classes

    @property
    def rows(self) -> list[list[Any]]:
        """The features as plain Python values, None where missing."""
        X = self.X.toarray() if sp.issparse(self.X) else self.X
        rows: Iterable[Any]
        if isinstance(X, pd.DataFrame):
            rows = zip(*(X.iloc[:, j].astype(object) for j in range(X.shape[1])), strict=True)
        elif hasattr(X, "iter_rows"):  # polars
            rows = X.iter_rows()
        elif hasattr(X, "to_pylist"):  # pyarrow
            rows = zip(*(column.to_pylist() for column in X.columns), strict=True)
        else:
            rows = X if isinstance(X, list) else X.tolist()
        return [[_plain(value) for value in row] for row in rows]

    def take(self, rows: slice) -> Any:
        """Return some rows of the features, in the same kind of table."""
        return self.X.iloc[rows] if isinstance(self.X, pd.DataFrame) else self.X[rows]


def _plain(value: Any) -> Any:
    if value is None or pd.isna(value):
        return None
    if isinstance(value, pd.Timestamp):
        return value.to_pydatetime()
    if isinstance(value, pd.Timedelta):
        return value.to_pytimedelta()
    return value.item() if isinstance(value, np.generic) else value


RNG = np.random.default_rng(0)
A, B, C = RNG.normal(size=(3, N_ROWS))
NUMBERS = Table(
    np.column_stack([A, B, C]), np.digitize(A + 0.7 * B, [-0.5, 0.6]), A + 2.0 * B + 0.1 * C
)
FRAME = pd.DataFrame({"a": A, "b": B, "c": C})
COLOR = np.array(["red", "green", "blue"])[np.digitize(A, [-0.4, 0.4])].astype(object)
COLOR[::11] = None
SIZE = np.array(["S", "M", "L"])[np.digitize(B, [-0.5, 0.5])]
DAYS = [dt.datetime(2021, 3, 1) + dt.timedelta(days=int(100 * b), hours=6) for b in B]
FLAG: list[bool | None] = [None if i % 7 == 0 else bool(c > 0) for i, c in enumerate(C)]
COUNT: list[int | None] = [None if i % 5 == 0 else int(3 * b) for i, b in enumerate(B)]


def _missing() -> np.ndarray:
    X = NUMBERS.X.copy()
    X[::7, 0] = np.nan
    X[3::11, 2] = np.nan
    return X


def _mixed() -> dict[str, list[Any]]:
    columns = {"a": A, "color": COLOR, "size": SIZE}
    plain = {name: list(values.tolist()) for name, values in columns.items()}
    return {**plain, "day": DAYS, "flag": FLAG, "count": COUNT}


def _polars(columns: dict[str, Any], **enums: list[str]) -> Any:
    """Return a frame of polars, whose import crashes under the thread sanitizer."""
    import polars as pl

    frame = pl.DataFrame(columns)
    return frame.with_columns(pl.col(name).cast(pl.Enum(enums[name])) for name in enums)


def _named(*names: str) -> pd.DataFrame:
    return pd.DataFrame(NUMBERS.X, columns=list(names))


def _weighted(weight: np.ndarray) -> Table:
    return replace(NUMBERS, weight=weight)


def _one_row() -> Table:
    return Table(NUMBERS.X[:1], NUMBERS.classes[:1], NUMBERS.target[:1])


INPUTS: dict[str, Callable[[], Any]] = {
    "float32": lambda: NUMBERS.X.astype(np.float32),
    "Fortran order": lambda: np.asfortranarray(NUMBERS.X),
    "CSR": lambda: sp.csr_array(np.where(np.abs(NUMBERS.X) < 0.5, 0.0, NUMBERS.X)),
    "missing values": _missing,
    "one column": lambda: NUMBERS.X[:, :1],
    "constant columns": lambda: np.column_stack([A, np.ones((N_ROWS, 2))]),
    "all constant": lambda: np.ones((N_ROWS, 2)),
    "pandas": lambda: FRAME.set_index(np.arange(N_ROWS)[::-1] * 3 % 7),
    "pandas categories": lambda: FRAME[["a"]].assign(
        color=pd.Categorical(COLOR, ["red", "green", "blue", "unused"]),
        size=pd.Categorical(SIZE, ["S", "M", "L"], ordered=True),
        code=pd.Categorical(np.digitize(B, [-1.0, 0.0, 1.0])),
    ),
    "pandas strings": lambda: FRAME.assign(
        color=COLOR, size=pd.array(SIZE.tolist(), dtype="string")
    ),
    "pandas dates": lambda: FRAME[["a"]].assign(
        day=pd.Series(DAYS).where(pd.Series(A < 1.0)),
        zoned=pd.Series(DAYS).dt.tz_localize("UTC"),
        wait=pd.to_timedelta(A, unit="D"),
    ),
    "pandas booleans": lambda: FRAME[["a"]].assign(plain=B > 0, nullable=pd.array(FLAG, "boolean")),
    "pandas nullable": lambda: FRAME[["a"]].assign(
        count=pd.array(COUNT, "Int64"), color=pd.array(COLOR, "string")
    ),
    "polars": lambda: _polars(_mixed(), size=["S", "M", "L"]),
    "pyarrow": lambda: pytest.importorskip("pyarrow").table(_mixed()),
    "many levels": lambda: FRAME[["a"]].assign(place=[f"L{i % 33}" for i in range(N_ROWS)]),
    "names a_2, a, A": lambda: _named("a_2", "a", "A"),
    "names a 2, a, a!": lambda: _named("a 2", "a", "a!"),
    "names label, probabilities": lambda: (
        FRAME[["a", "b"]]
        .rename(columns={"a": "label", "b": "probabilities"})
        .assign(prediction=COLOR)
    ),
    "lists": lambda: [list(row) for row in zip(*_mixed().values(), strict=True)],
    "objects": lambda: np.array(list(zip(*_mixed().values(), strict=True)), dtype=object),
    "two levels": lambda: FRAME[["a", "b"]].assign(
        insured=[None if i % 9 == 0 else "Yes" if c > 0 else "No" for i, c in enumerate(C)]
    ),
    "informative missingness": lambda: FRAME.assign(c=np.where(NUMBERS.classes == 2, np.nan, C)),
    "polars many levels": lambda: _polars({"a": A, "place": [f"L{i % 33}" for i in range(N_ROWS)]}),
}
TABLES: dict[str, Callable[[], Table]] = {
    "numbers": lambda: NUMBERS,
    **{name: lambda make=make: replace(NUMBERS, X=make()) for name, make in INPUTS.items()},  # type: ignore[misc]
    "one row": _one_row,
    "one class": lambda: replace(
        NUMBERS, classes=np.zeros(N_ROWS, dtype=int), target=np.ones(N_ROWS)
    ),
    "text labels": lambda: replace(
        NUMBERS, classes=np.array(["it's", 'a "b" \\', "ü\n"])[NUMBERS.classes]
    ),
    "boolean labels": lambda: replace(NUMBERS, classes=NUMBERS.classes > 0),
    "weights of two values": lambda: _weighted(np.where(A > 0, 1.0, 2.5)),
    "weights that sum to one": lambda: _weighted(np.full(N_ROWS, 1.0 / N_ROWS)),
    "some weights zero": lambda: _weighted(np.arange(N_ROWS) % 3.0),
    "tiny weights": lambda: _weighted(np.full(N_ROWS, 1e-20)),
}


@cache
def table(name: str) -> Table:
    return TABLES[name]()


@cache
def fitted(name: str, data: str = "numbers") -> Any:
    """Return the fit of an estimator to a table, made once per process."""
    model, given = estimator(name), table(data)
    return fit(model, given)


def fit(model: Any, given: Table) -> Any:
    """Return the model fitted to a table, with its weights."""
    weights = {} if given.weight is None else {"sample_weight": given.weight}
    return model.fit(given.X, given.y(model), **weights)


def answers(model: Any, X: Any) -> np.ndarray:
    """Return the probabilities of a classifier, the predictions of a regressor."""
    return np.asarray(model.predict(X) if is_regressor(model) else model.predict_proba(X))


# ---------------------------------------------------------------------- random models

# Parameters that change what a model reads or predicts; a value of each that an estimator has.
CHOICES: dict[str, list[Any]] = {
    "max_depth": [1, 2, 4, 6],
    "missing": ["auto", "node_mean", "indicator"],
    "date_parts": [(), ("month", "weekday"), ("year", "day", "hour")],
    "max_levels": [3, 30],
    "min_frequency": [None, 5],
    "smoothing": [0.0, "laplace"],
    "class_weight": [None, "balanced"],
    "leaf": ["linear", "constant", "mean"],
    "extrapolate": [True, False],
    "criterion": ["gini", "entropy"],
    "loss": ["squared_error", "poisson", "log_loss"],
}


@cache
def random_model(seed: int) -> tuple[Any, Table, Table]:
    """Return a fitted model, its data, and rows that it has not seen; all drawn by the seed."""
    rng = np.random.default_rng(seed)
    name = list(ESTIMATORS)[seed % len(ESTIMATORS)]
    kinds = [str(kind) for kind in rng.permutation(list(RANDOM_COLUMNS))[: rng.integers(1, 5)]]
    given = random_table(rng, kinds, 130)
    model = estimator(name)
    for parameter, values in CHOICES.items():
        if parameter not in model.get_params() or rng.random() < 0.4:
            continue
        before = model.get_params()[parameter]
        model.set_params(**{parameter: values[rng.integers(len(values))]})
        try:
            fit(estimator(name, **{parameter: model.get_params()[parameter]}), given)
        except (TypeError, ValueError):  # not a value of this estimator
            model.set_params(**{parameter: before})
    return fit(model, given), given, random_table(rng, kinds, 25, new=True)


def random_table(rng: np.random.Generator, kinds: list[str], n: int, new: bool = False) -> Table:
    """Return columns of some kinds beside two of numbers; new ones have levels that are unknown."""
    signal = rng.normal(size=(n, 2))
    X = pd.DataFrame({"a": signal[:, 0], "b - c": 100.0 * signal[:, 1]})
    total = signal.sum(axis=1)
    for kind in kinds:
        X[kind] = RANDOM_COLUMNS[kind](rng, n, new)
    for name in X:
        if rng.random() < 0.5 and X[name].dtype.kind != "b":
            X[name] = X[name].mask(rng.random(n) < (0.3 if total.max() > 2.5 or new else 0.1))
    if "color" in X:
        total = total + (X["color"] == "red").to_numpy(dtype=float, na_value=0.0)
    labels = np.array(["low", "mid dle", "it's"])[np.digitize(total, [-0.5, 0.8])]
    return Table(X, labels, np.exp(total))


def _levels(rng: np.random.Generator, names: list[Any], n: int) -> Any:
    return pd.Series(np.array(names, dtype=object)[rng.integers(0, len(names), n)], dtype=object)


RANDOM_COLUMNS: dict[str, Callable[[np.random.Generator, int, bool], Any]] = {
    "color": lambda rng, n, new: _levels(rng, ["red", "green", "blue"] + ["new"] * new, n),
    "two": lambda rng, n, new: _levels(rng, ["Yes", "No"], n),
    "size": lambda rng, n, new: pd.Series(
        pd.Categorical(_levels(rng, ["S", "M", "L"], n), ["S", "M", "L"], ordered=True)
    ),
    "place": lambda rng, n, new: _levels(rng, [f"P{k}" for k in range(40 + 5 * new)], n),
    "flag": lambda rng, n, new: pd.Series(rng.random(n) < 0.4),
    "day": lambda rng, n, new: pd.Series(
        pd.Timestamp("2021-03-01") + pd.to_timedelta(rng.integers(0, 900, n), unit="D")
    ),
    "wait": lambda rng, n, new: pd.Series(pd.to_timedelta(rng.integers(0, 90, n), unit="h")),
    "count": lambda rng, n, new: pd.Series(rng.integers(-3, 9, n)),
}
