"""A cell: one run of one method on one data set, and its inputs."""

from __future__ import annotations

import hashlib
import os
import re
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.metrics import r2_score

import aslant
from aslant.comparison.splits import Division, Plan
from aslant.encoding import DataWarning
from aslant_papers.datasets import load_dataset
from aslant_papers.datasets.folder import VARIABLE
from aslant_papers.datasets.regression import load_regression_dataset
from aslant_papers.log_loss import laplace_log_loss
from aslant_papers.protocol import Data, Spec
from aslant_papers.records import RunRecord, pack_bits


class OutOfTimeError(Exception):
    """The time allowed for a cell is over."""


@dataclass(frozen=True)
class LoadedData:
    """A data set in memory.

    Attributes
    ----------
    X : ndarray
        Floats, or objects if there are categories.
    y : ndarray of int or float
        Class codes 0, 1, ... in the order of the labels; or numbers.
    n_classes : int
        How many classes there are; a sample may not have rows of all. 0 if y holds numbers.
    split : ndarray of str or None
        "train" or "test" for each row, where the data set comes divided.
    categorical : list of int
        Positions of the categorical features.
    """

    X: npt.NDArray[Any]
    y: npt.NDArray[Any]
    n_classes: int
    split: npt.NDArray[np.str_] | None
    categorical: list[int]

    def sampled(self, most_rows: int) -> LoadedData:
        """Return a random sample of at most `n` rows, always the same."""
        if len(self.y) <= most_rows:
            return self
        return self.taken(np.sort(np.random.default_rng(0).permutation(len(self.y))[:most_rows]))

    def taken(self, chosen: npt.NDArray[np.intp]) -> LoadedData:
        """Return these rows alone."""
        split = None if self.split is None else self.split[chosen]
        return replace(self, X=self.X[chosen], y=self.y[chosen], split=split)

    def fingerprint(self) -> str:
        """Return a few digits that change when the data change."""
        y = self.y.astype(np.int64) if self.n_classes else self.y
        digest = hashlib.sha256(y.tobytes())
        if self.X.dtype == object:
            digest.update("\n".join(map(str, self.X.ravel().tolist())).encode())
        else:
            digest.update(np.ascontiguousarray(self.X).tobytes())
        return digest.hexdigest()[:12]


def load_rows(data: Data, run: int = 0) -> LoadedData:
    """Return a data set; `run` is the seed of data that are generated for every run."""
    return _remembered_rows(data, run if data.redrawn else 0, os.environ.get(VARIABLE))


@lru_cache(maxsize=8)
def _remembered_rows(data: Data, seed: int, folder: str | None) -> LoadedData:
    """Return a data set; from another folder it may be another one."""
    if data.numbers:
        bunch = load_regression_dataset(data.name)
        return LoadedData(bunch.data, bunch.target, 0, None, [])
    bunch = load_dataset(data.name, random_state=seed)
    categorical = [] if data.as_numbers else np.flatnonzero(bunch.categorical).tolist()
    X = np.asarray(bunch.data, dtype=object)
    X = _coded(X) if data.as_numbers else X if categorical else X.astype(np.float64)
    labels, y = np.unique(bunch.target, return_inverse=True)
    rows = LoadedData(X, y, len(labels), bunch.split, categorical)
    if data.complete_rows:
        rows = rows.taken(np.flatnonzero(~(X != X).any(axis=1)))  # NaN alone differs from itself
    return rows if data.rows is None else rows.sampled(data.rows)


def _coded(X: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """Return categories as numbers: their own, or their places in the order of the levels."""
    return np.column_stack([_codes(X[:, column]) for column in range(X.shape[1])])


def _codes(column: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """Return the numbers of one column; levels such as ``3-5`` go by the numbers in them."""
    try:
        return column.astype(np.float64)
    except ValueError:
        present = [value for value in column if value == value]  # NaN alone differs from itself
    levels = sorted(set(present), key=lambda level: (_numbers_in(level), level))
    code = {level: float(place) for place, level in enumerate(levels)}
    return np.array([code.get(value, np.nan) for value in column])


def _numbers_in(level: str) -> list[int]:
    return [int(digits) for digits in re.findall(r"\d+", level)]


@dataclass(frozen=True)
class Cell:
    """One run of one method on one data set; the fields are all that determines the result.

    Attributes
    ----------
    data : Data
        The data set.
    fingerprint : str
        That of the rows, so that other rows of the same name have results of their own.
    plan : Plan
        How the rows are divided.
    run : int
        Which run of the plan, from 0.
    estimator : Spec
        The method.
    prune_set : bool
        Whether the method prunes by the plan's pruning rows.
    most_rows : int, optional
        Larger data sets are sampled.
    """

    data: Data
    fingerprint: str
    plan: Plan
    run: int
    estimator: Spec
    prune_set: bool = False
    most_rows: int | None = None

    def __str__(self) -> str:
        # How many runs there are in all does not change any of them.
        plan = replace(self.plan, runs=1)
        sampled = "" if self.most_rows is None else f", at most {self.most_rows} rows"
        return (
            f"aslant {aslant.__version__}: {self.estimator}, prune_set={self.prune_set}, on "
            f"{self.data} [{self.fingerprint}]{sampled}, {plan}, run {self.run}"
        )

    @property
    def key(self) -> str:
        """The name of the result in the journal."""
        return hashlib.sha256(str(self).encode()).hexdigest()[:24]

    def rows(self) -> LoadedData:
        """Return the rows of this run."""
        rows = load_rows(self.data, self.run)
        return rows if self.most_rows is None else rows.sampled(self.most_rows)


@dataclass(frozen=True)
class _Fit:
    """One fitted tree or ensemble, and its predictions of the test rows."""

    trees: list[Any]
    truth: npt.NDArray[Any]
    predicted: npt.NDArray[Any]
    hyperplanes: int
    seconds: float
    log_loss: float = 0.0
    baseline_errors: int = 0


def compute(cell: Cell, stop_at: float | None = None) -> RunRecord:
    """Fit and test all trees of a cell.

    Parameters
    ----------
    cell : Cell
        What to do.
    stop_at : float, optional
        The time, as `time.time` counts it, after which it is not worth going on.

    Raises
    ------
    OutOfTimeError
        If that time has come.
    """
    rows = cell.rows()
    n_classes = rows.n_classes
    divisions = cell.plan.divide(rows.y, rows.split, cell.run)
    with warnings.catch_warnings():  # a line of each fold would bury the result
        warnings.simplefilter("ignore", DataWarning)
        fits = [
            _fit(cell, rows, division, 100 * cell.run + number, stop_at)
            for number, division in enumerate(divisions)
        ]
    features = [np.concatenate([t.features_in_test for t in fit.trees]) for fit in fits]
    leaves = [sum(tree.n_leaves for tree in fit.trees) for fit in fits]
    nodes = [sum(tree.n_nodes for tree in fit.trees) for fit in fits]
    return RunRecord(
        **(_of_classes(fits, n_classes) if n_classes else _of_numbers(fits)),
        leaves=leaves,
        nodes=nodes,
        tests=[total - ends for total, ends in zip(nodes, leaves, strict=True)],
        size=[int(counts.sum()) for counts in features],
        multivariate_tests=[int((counts > 1).sum()) for counts in features],
        hyperplanes=[fit.hyperplanes for fit in fits],
        seconds=[fit.seconds for fit in fits],
    )


def _of_classes(fits: list[_Fit], n_classes: int) -> dict[str, Any]:
    """Return the record of a classifier's predictions."""
    truth = np.concatenate([fit.truth for fit in fits])
    predicted = np.concatenate([fit.predicted for fit in fits])
    confusion = np.bincount(truth * n_classes + predicted, minlength=n_classes**2)
    return {
        "confusion": confusion.reshape(n_classes, n_classes).tolist(),
        "correct": pack_bits(truth == predicted),
        "log_loss": sum(fit.log_loss for fit in fits),
        "baseline_errors": sum(fit.baseline_errors for fit in fits),
    }


def _of_numbers(fits: list[_Fit]) -> dict[str, Any]:
    """Return the record of a regressor's predictions."""
    nothing: dict[str, Any] = {"confusion": [], "correct": "", "log_loss": 0.0}
    scores = [float(r2_score(fit.truth, fit.predicted)) for fit in fits]
    return {**nothing, "baseline_errors": 0, "r2": scores}


def _fit(
    cell: Cell, rows: LoadedData, division: Division, seed: int, stop_at: float | None
) -> _Fit:
    settings: dict[str, Any] = {"random_state": seed}
    train, prune_rows = division.train, {}
    if rows.categorical:
        settings["categorical_features"] = rows.categorical
    if stop_at is not None:
        settings["verbose"] = _watch(stop_at)
    if cell.prune_set and division.prune is None:
        settings["pruning"] = None
    elif cell.prune_set:
        train = np.concatenate([division.train, division.prune])
        prune_rows = {"prune_rows": np.arange(len(train)) >= len(division.train)}
    clf = cell.estimator.make().set_params(**settings)
    began = time.process_time()
    clf.fit(rows.X[train], rows.y[train], **prune_rows)
    seconds = time.process_time() - began
    X, truth = rows.X[division.test], rows.y[division.test]
    fitted = _Fit(
        trees=_trees(clf),
        truth=truth,
        predicted=clf.predict(X),
        hyperplanes=getattr(clf, "n_hyperplanes_", 0),  # boosting does not count them
        seconds=seconds,
    )
    if not rows.n_classes:
        return fitted
    majority = np.bincount(rows.y[train]).argmax()
    return replace(
        fitted,
        log_loss=float(laplace_log_loss(clf, X, truth, rows.n_classes).sum()),
        baseline_errors=int((truth != majority).sum()),
    )


def _trees(clf: Any) -> list[Any]:
    """Return the trees that an estimator predicts with."""
    members = getattr(clf, "estimators_", [clf])
    return getattr(clf, "trees_", None) or [member.tree_ for member in members]


def _watch(stop_at: float) -> Callable[[int, int], None]:
    """Return a progress callback that stops a fit at the time limit."""

    def check(rows_done: int, n_rows: int) -> None:
        if time.time() > stop_at:
            raise OutOfTimeError

    return check
