"""One method on one fold: its scores, and the time limit of a fit."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from aslant.comparison.peers import Peer
from aslant.comparison.problem import Problem
from aslant.comparison.splits import Division
from aslant.encoding.table import take_rows
from aslant.estimators import BaseTree

TOO_SLOW = "too slow"


class _OutOfTimeError(Exception):
    """The time allowed for a fit is over."""


@dataclass(frozen=True)
class FoldResult:
    """Scores of one model on the test rows.

    Attributes
    ----------
    accuracy, balanced_accuracy : float
        Shares of the test rows; balanced is the mean over the classes.
    log_loss : float
        Mean of -ln of the probability that the model gives to the true class; a probability of
        zero counts as the least one above it that a float can tell from 1, as in scikit-learn.
    r2, rmse : float
        Of a regressor, instead of the former: the coefficient of determination, and the root mean
        squared error.
    leaves, features_per_test : float
        Of the tree; NaN if the model is none of this package's.
    cpu_seconds : float
        Processor time of the fit.
    wall_seconds : float
        Time that passed for everything, for the budget.
    coefficients : float
        Coefficients of all tests together.
    score : float or None
        By the scorer that was asked for, None if by accuracy.
    """

    leaves: float
    features_per_test: float
    cpu_seconds: float
    wall_seconds: float
    accuracy: float = np.nan
    balanced_accuracy: float = np.nan
    log_loss: float = np.nan
    r2: float = np.nan
    rmse: float = np.nan
    coefficients: float = np.nan
    score: float | None = None

    @property
    def is_regression(self) -> bool:
        """Whether numbers were predicted, not classes."""
        return not np.isnan(self.r2)

    @property
    def merit(self) -> float:
        """The score that methods are ranked by."""
        if self.score is not None:
            return self.score
        return self.r2 if self.is_regression else self.accuracy


def fit_fold(
    clf: Any,
    problem: Problem,
    division: Division,
    stop_at: float,
    clock: Callable[[], float] = time.time,
    scorer: Callable[..., float] | None = None,
) -> FoldResult | str:
    """Fit on the one part and test on the other.

    Parameters
    ----------
    clf : classifier or regressor
        The method; it is fitted here. One that is not of this package gets the rows as they were
        given, and cannot be stopped.
    problem : Problem
        The rows.
    division : Division
        Which rows to fit on and to test on.
    stop_at : float
        When to give up, as `clock` counts.
    clock : callable
        Tells the time in seconds; the same in every process.
    scorer : callable, optional
        ``scorer(clf, X, y)``, as scikit-learn's `get_scorer` returns it.

    Returns
    -------
    FoldResult or str
        `TOO_SLOW`, or the message of a failure, where there is no result.
    """

    def watch(rows_done: int, n_rows: int) -> None:
        if clock() > stop_at:
            raise _OutOfTimeError

    began = clock()
    if began > stop_at:
        return TOO_SLOW
    try:
        ours = isinstance(clf, BaseTree)
        if ours:
            clf.set_params(verbose=watch)
        encoded = ours or isinstance(clf, Peer)
        if encoded and problem.categorical:
            clf.set_params(categorical_features=problem.categorical)
        rows = problem.X if encoded else problem.original
        cpu_began = time.process_time()
        with warnings.catch_warnings():  # a line of each fold would bury the result
            warnings.simplefilter("ignore")
            clf.fit(take_rows(rows, division.train), problem.y[division.train])
            cpu_seconds = time.process_time() - cpu_began
            X, truth = take_rows(rows, division.test), problem.y[division.test]
            if problem.task == "regression":
                measured = _regression_scores(clf, X, truth)
            else:
                measured = _measure(clf, X, truth, problem.n_classes)
            score = None if scorer is None else float(scorer(clf, X, truth))
        return FoldResult(
            **measured, cpu_seconds=cpu_seconds, wall_seconds=clock() - began, score=score
        )
    except _OutOfTimeError:
        return TOO_SLOW
    except Exception as error:  # one method must not end the comparison of the others
        return " ".join(str(error).split()) or type(error).__name__


def _measure(clf: Any, X: Any, truth: npt.NDArray[np.intp], n_classes: int) -> dict[str, float]:
    hit = clf.predict(X) == truth
    rows = np.bincount(truth, minlength=n_classes)
    hits = np.bincount(truth[hit], minlength=n_classes)
    tested = rows > 0
    return {
        "accuracy": float(hit.mean()),
        "balanced_accuracy": float((hits[tested] / rows[tested]).mean()),
        "log_loss": _log_loss(clf, X, truth, n_classes),
        **_size(clf),
    }


def _regression_scores(clf: Any, X: Any, truth: npt.NDArray[np.float64]) -> dict[str, float]:
    predicted = clf.predict(X)
    spread = float(np.ptp(truth)) or 1.0  # in units of which squares are numbers
    error = float(np.mean(((truth - predicted) / spread) ** 2))
    variance = float(np.var(truth / spread))
    return {
        "r2": 1.0 - error / variance if variance > 0.0 else float(error == 0.0),
        "rmse": spread * float(np.sqrt(error)),
        **_size(clf),
    }


def _size(clf: Any) -> dict[str, float]:
    """Return leaves, features per test and coefficients; NaN for models of other packages."""
    if not isinstance(clf, BaseTree):
        unknown = dict.fromkeys(("leaves", "features_per_test", "coefficients"), np.nan)
        return unknown | ({"leaves": clf.n_leaves()} if isinstance(clf, Peer) else {})
    trees = getattr(clf, "trees_", None) or [
        member.tree_ for member in getattr(clf, "estimators_", [clf])
    ]
    slopes = sum(np.count_nonzero(_slopes_of_leaves(tree)) for tree in trees)
    return {
        "leaves": float(clf.get_n_leaves()),
        "features_per_test": float(np.mean([tree.features_per_test for tree in trees])),
        "coefficients": float(sum(len(tree.coef_value) for tree in trees) + slopes),
    }


def _slopes_of_leaves(tree: Any) -> npt.NDArray[np.float64]:
    """Return the coefficients of linear leaves."""
    slopes = getattr(tree, "leaf_coef", np.zeros((tree.n_nodes, 0)))
    return np.asarray(slopes[tree.is_leaf])


def _log_loss(clf: Any, X: Any, truth: npt.NDArray[np.intp], n_classes: int) -> float:
    """Return the log loss of `predict_proba`; NaN without it."""
    if not hasattr(clf, "predict_proba"):
        return np.nan
    share = np.zeros((len(truth), n_classes))
    share[:, clf.classes_] = clf.predict_proba(X)
    least = np.finfo(share.dtype).eps
    return -float(np.log(share[np.arange(len(truth)), truth].clip(least, 1.0)).mean())
