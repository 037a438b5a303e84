"""Learning curves: accuracy, or R2, by the number of training rows."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from joblib import Parallel, delayed

from aslant.comparison.contender import Contender, make_contenders
from aslant.comparison.figures import label_log_axis
from aslant.comparison.fold import FoldResult, fit_fold
from aslant.comparison.problem import Problem, make_problem
from aslant.comparison.splits import Division, RandomDivisions
from aslant.inspection.plots.axes import import_pyplot
from aslant.inspection.plots.colors import class_colors
from aslant.utils.processes import ignoring_interrupts

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_DIVISIONS = 5
_TRAIN_SHARE = 0.7
_FEWEST_ROWS, _SIZES = 30, 6
# Markers distinguish curves of similar colors.
_MARKERS = "osD^v"


Curves = dict[str, dict[int, list[float]]]
"""Scores in all divisions, by method and number of training rows."""


@dataclass(frozen=True)
class LearningCurves:
    """Scores on the same test rows, by method and number of training rows.

    Attributes
    ----------
    scores : dict of str to dict of int to list of float
        For each method and each number of rows the accuracy, or R2, in every division. A
        curve ends where the time was over or the method failed.
    task : {"classification", "regression"}
        What the methods predict.
    """

    scores: Curves
    task: str = "classification"

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw mean and standard deviation over the divisions."""
        ax = ax or import_pyplot("LearningCurves.plot").subplots(figsize=(7, 4.5))[1]
        colors = class_colors(len(self.scores))
        factor, title = (1.0, "R2") if self.task == "regression" else (100.0, "accuracy, %")
        for number, (method, curve) in enumerate(self.scores.items()):
            ax.errorbar(
                list(curve),
                [factor * np.mean(values) for values in curve.values()],
                [factor * np.std(values, ddof=1) for values in curve.values()],
                marker=_MARKERS[number % len(_MARKERS)],
                color=colors[number],
                elinewidth=0.7,
                label=method,
            )
        label_log_axis(ax)
        ax.set_xlabel("training rows")
        ax.set_ylabel(title)
        ax.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
        return ax


def learning_curves(
    X: Any,
    y: Any,
    *,
    methods: Sequence[str] | None = None,
    budget: float | None = 120.0,
    random_state: int = 0,
    n_jobs: int | None = None,
    categorical_features: Any = "from_dtype",
    feature_names: Sequence[str] | None = None,
    task: str | None = None,
    verbose: Callable[[int, int], None] | None = None,
) -> LearningCurves:
    """Fit methods to more and more rows and test them on the same rows.

    In each of five divisions, 70 % of the rows are training rows; methods are fitted to the first
    30 of them, and so on in equal steps of the logarithm up to all. The cheapest fits come first.

    Parameters
    ----------
    X, y, methods, random_state, n_jobs, categorical_features, feature_names, task
        As for `aslant.compare`.
    budget : float or None, default=120
        Seconds after which curves end.
    verbose : callable, optional
        Gets the number of finished points of the curves, and of all points.

    Returns
    -------
    LearningCurves
        Scores by method and number of rows.
    """
    problem = make_problem(X, y, categorical_features, feature_names, task)
    stop_at = np.inf if budget is None else time.time() + budget
    divisions = [
        RandomDivisions(1, _TRAIN_SHARE).divide(problem.y, None, random_state + run)[0]
        for run in range(_DIVISIONS)
    ]
    most = len(divisions[0].train)
    sizes = np.unique(np.geomspace(min(_FEWEST_ROWS, most), most, _SIZES).round().astype(int))
    contenders = make_contenders(methods, task=problem.task)
    curves: Curves = {contender.name: {} for contender in contenders}
    pending = {contender.name: sizes.tolist() for contender in contenders}
    while pending:
        if verbose is not None:
            left = sum(map(len, pending.values()))
            verbose(len(contenders) * len(sizes) - left, len(contenders) * len(sizes))
        contender = min((c for c in contenders if c.name in pending), key=_next_cost(pending))
        size = pending[contender.name].pop(0)
        results = _results(contender, problem, divisions, size, stop_at, n_jobs)
        if results:
            curves[contender.name][size] = results
        if not results or not pending[contender.name]:
            del pending[contender.name]
    finished = {name: curve for name, curve in curves.items() if curve}
    return LearningCurves(finished, problem.task)


def _next_cost(pending: dict[str, list[int]]) -> Callable[[Contender], float]:
    """Return a function that gives the expected time of the next point of a curve.

    The cheapest point comes next, so that slow methods do not take the time of the others.
    """
    return lambda contender: contender.expected_seconds(pending[contender.name][0])


def _results(
    contender: Contender,
    problem: Problem,
    divisions: Sequence[Division],
    size: int,
    stop_at: float,
    n_jobs: int | None,
) -> list[float]:
    """Return the score in each division after learning from so many rows; none if one fails."""
    began = time.time()
    with ignoring_interrupts():
        outcomes = Parallel(n_jobs=n_jobs, return_as="generator")(
            delayed(fit_fold)(
                contender.make(seed), problem, _first_rows(division, size, seed), stop_at
            )
            for seed, division in enumerate(divisions)
        )
    with closing(outcomes):
        found = [outcome for outcome in outcomes if isinstance(outcome, FoldResult)]
    contender.learn(size, time.time() - began)
    return [result.merit for result in found] if len(found) == len(divisions) else []


def _first_rows(division: Division, size: int, seed: int) -> Division:
    """Return the division with so many training rows; larger ones hold the smaller ones."""
    shuffled = np.random.default_rng(seed).permutation(division.train)
    return Division(np.sort(shuffled[:size]), division.test)
