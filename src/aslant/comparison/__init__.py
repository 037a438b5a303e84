"""Compare methods on your own data: which one to use, and whether oblique splits help.

`compare` cross-validates every method on the same folds within a budget of seconds and returns a
table with one sentence of advice; ``aslant compare`` is the same for a CSV file.
"""

from __future__ import annotations

import difflib
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from sklearn.metrics import get_scorer, get_scorer_names

from aslant.comparison.constraint_costs import ConstraintCosts, constraint_costs
from aslant.comparison.contender import make_contenders
from aslant.comparison.contest import Allowance, Contest, Report
from aslant.comparison.curves import LearningCurves, learning_curves
from aslant.comparison.figures import plot_accuracy_and_leaves
from aslant.comparison.problem import make_problem
from aslant.comparison.table import ComparisonTable, make_table
from aslant.comparison.verdict import FTest
from aslant.encoding import DataWarning
from aslant.utils.checks import check_number
from aslant.utils.progress import Bar

__all__ = [
    "ComparisonTable",
    "ConstraintCosts",
    "FTest",
    "LearningCurves",
    "compare",
    "constraint_costs",
    "learning_curves",
    "plot_accuracy_and_leaves",
]

DEFAULT_BUDGET = 480.0
"""Seconds: everything, with reading and start, ends within ten minutes."""


def compare(
    X: Any,
    y: Any,
    *,
    methods: Sequence[str] | None = None,
    budget: float | None = DEFAULT_BUDGET,
    random_state: int = 0,
    n_jobs: int | None = None,
    categorical_features: Any = "from_dtype",
    feature_names: Sequence[str] | None = None,
    task: str | None = None,
    repeats: int = 10,
    scoring: str | Callable[..., float] | None = None,
    estimators: Mapping[str, Any] | None = None,
    verbose: bool | Callable[[int, int, str], None] | None = None,
) -> ComparisonTable:
    """Cross-validate the methods at their defaults on the same folds.

    Parameters
    ----------
    X : array-like or data frame of shape (n_samples, n_features)
        Features; NaN is a missing value.
    y : array-like of shape (n_samples,)
        Class labels of any type, or regression targets.
    methods : sequence of str, optional
        Names of `aslant.estimators.methods.METHODS`, and ``cart_pruned``; for regression those of
        `aslant.estimators.methods.REGRESSION_METHODS`, ``cart_pruned``, ``cart_linear`` and
        ``least_squares_linear`` (leaves that are linear), and scikit-learn's ``sklearn_tree``,
        ``sklearn_forest`` and ``ridge``. All by default. CART, whose time is the unit, always takes
        part.
    budget : float or None, default=480
        Seconds. Large data are sampled, and methods that are too slow left out, both stated in the
        result. None is no limit.
    random_state : int, default=0
        Seed of the folds, of the sample and of the methods. The budget also depends on the speed
        of the machine: only where it does not bind are results the same everywhere.
    n_jobs : int or None, default=None
        Processes; -1 is one a core.
    categorical_features : "from_dtype", None, mask, indices or names, default="from_dtype"
        Which features are categories, as for the estimators.
    feature_names : sequence of str, optional
        Names for messages, where X has none.
    task : {"classification", "regression"} or None, default=None
        None is regression if y holds many different numbers, which the result states, else
        classification.
    repeats : int, default=10
        The largest number of 5-fold cross-validations within the budget.
    scoring : str, callable or None, default=None
        The score that methods are ranked by: a name of scikit-learn's scorers, such as
        ``"balanced_accuracy"``, ``"roc_auc"`` or ``"neg_log_loss"``, or ``scorer(clf, X, y)`` where
        higher is better. Labels are codes then: 0, 1, ... in the order of the sorted classes. None
        is accuracy or, for regression, R2; ``"rmse"`` is the negative root mean squared error.
    estimators : dict of str to estimator, optional
        Your own classifiers or regressors, by name, that also take part. They get the rows as
        given, sampled like the others, and are no part of the F test and the advice.
    verbose : bool, callable or None, default=None
        None shows a bar in terminals and notebooks and nothing elsewhere; True also writes lines
        where there can be no bar; a callable gets the number of finished fits, the number of
        planned fits, and a description of the current one.

    Returns
    -------
    ComparisonTable
        Rows, F test, advice. After Ctrl-C: what was finished, and `interrupted` is True.

    Raises
    ------
    ValueError
        If the target has one value, or holds a quantity and classification is asked for, or if a
        feature holds free text or identifiers.
    KeyboardInterrupt
        If Ctrl-C comes before any method was finished.
    """
    if budget is not None:
        check_number("budget", budget, 0.0)
    check_number("repeats", repeats, 1, integer=True)
    check_number("random_state", random_state, 0, 2**32 - 1, integer=True)
    if n_jobs is not None:
        check_number("n_jobs", n_jobs, -np.inf, integer=True)
        if n_jobs == 0:
            raise ValueError("n_jobs must be None, a number of processes or -1, got 0.")
    problem = make_problem(X, y, categorical_features, feature_names, task)
    scorer, scoring_name = _scorer(scoring, problem.task)
    contenders = make_contenders(methods, estimators, problem.task)
    if problem.remarks:
        listed = "; ".join(problem.remarks)
        warnings.warn(f"The data deserves a look: {listed}.", DataWarning, stacklevel=2)
    allowance = Allowance(
        np.inf if budget is None else budget, repeats, n_jobs, random_state, scorer
    )
    with _report(verbose) as report:
        contest = Contest(problem, contenders, allowance, report)
        interrupted = _run(contest)
    return make_table(
        contest.problem, contest.contenders, interrupted=interrupted, scoring=scoring_name
    )


def _run(contest: Contest) -> bool:
    """Do the work; return whether it was interrupted with something finished."""
    try:
        contest.run()
    except KeyboardInterrupt:
        if not any(contender.folds for contender in contest.contenders):
            raise
        return True
    return False


def _scorer(
    scoring: str | Callable[..., float] | None, task: str
) -> tuple[Callable[..., float] | None, str | None]:
    """Return the scorer and its name; both None for accuracy or R2."""
    if scoring is None or scoring == ("r2" if task == "regression" else "accuracy"):
        return None, None
    if scoring == "rmse":
        scoring = "neg_root_mean_squared_error"
    if callable(scoring):
        return scoring, getattr(scoring, "__name__", "score")
    if scoring not in get_scorer_names():
        near = difflib.get_close_matches(str(scoring), get_scorer_names(), n=1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        raise ValueError(
            f"scoring must be a name of scikit-learn's scorers or a function, got {scoring!r}."
            f"{hint}"
        )
    return get_scorer(scoring), scoring


@contextmanager
def _report(verbose: bool | Callable[[int, int, str], None] | None) -> Iterator[Report | None]:
    """Yield what the work reports to."""
    if callable(verbose) or (verbose is not None and not verbose):
        yield verbose if callable(verbose) else None
        return
    with Bar("Comparing", "fits", lines=bool(verbose)) as bar:
        yield bar
