"""One method on one fold: what is measured, and how a fit that takes too long is ended."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from aslant.comparison.problem import Problem
from aslant.evaluation.log_loss import laplace_log_loss
from aslant.evaluation.splits import Division

TOO_SLOW = "too slow"


class _OutOfTimeError(Exception):
    """The time allowed for a fit is over."""


@dataclass(frozen=True)
class FoldResult:
    """What one tree, or one vote of several, did on the rows it had not seen.

    Attributes
    ----------
    accuracy, balanced_accuracy : float
        Shares of the test rows; balanced is the mean over the classes.
    log_loss : float
        Mean of -ln of the probability of the true class, by Laplace's estimate in the leaf.
    leaves, features_per_test : float
        Of the tree.
    cpu_seconds : float
        Processor time of the fit.
    wall_seconds : float
        Time that passed for everything, for the budget.
    """

    accuracy: float
    balanced_accuracy: float
    log_loss: float
    leaves: float
    features_per_test: float
    cpu_seconds: float
    wall_seconds: float


def fit_fold(
    clf: Any,
    problem: Problem,
    division: Division,
    stop_at: float,
    clock: Callable[[], float] = time.time,
) -> FoldResult | str:
    """Fit on the one part and test on the other.

    Parameters
    ----------
    clf : BaseTreeClassifier
        The method; it is fitted here.
    problem : Problem
        The rows.
    division : Division
        Which rows to fit on and to test on.
    stop_at : float
        When to give up, as `clock` counts.
    clock : callable
        Tells the time in seconds; the same in every process.

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
        clf.set_params(verbose=watch)
        if problem.categorical:
            clf.set_params(categorical_features=problem.categorical)
        cpu_began = time.process_time()
        with warnings.catch_warnings():  # a line of each fold would bury the result
            warnings.simplefilter("ignore")
            clf.fit(problem.X[division.train], problem.y[division.train])
        cpu_seconds = time.process_time() - cpu_began
        return _measure(clf, problem, division.test, cpu_seconds, lambda: clock() - began)
    except _OutOfTimeError:
        return TOO_SLOW
    except Exception as error:  # one method must not end the comparison of the others
        return " ".join(str(error).split()) or type(error).__name__


def _measure(
    clf: Any,
    problem: Problem,
    test: npt.NDArray[np.intp],
    cpu_seconds: float,
    elapsed: Callable[[], float],
) -> FoldResult:
    X, truth = problem.X[test], problem.y[test]
    hit = clf.predict(X) == truth
    rows = np.bincount(truth, minlength=problem.n_classes)
    hits = np.bincount(truth[hit], minlength=problem.n_classes)
    tested = rows > 0
    trees = [member.tree_ for member in getattr(clf, "estimators_", [clf])]
    return FoldResult(
        accuracy=float(hit.mean()),
        balanced_accuracy=float((hits[tested] / rows[tested]).mean()),
        log_loss=float(laplace_log_loss(clf, X, truth, problem.n_classes).mean()),
        leaves=float(clf.get_n_leaves()),
        features_per_test=float(np.mean([tree.features_per_test for tree in trees])),
        cpu_seconds=cpu_seconds,
        wall_seconds=elapsed(),
    )
