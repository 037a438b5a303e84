"""All methods at their defaults on all real data sets of the papers.

This is not an experiment of a paper: there is nothing published to compare with. Ten stratified
5-fold cross-validations; each method stands beside scikit-learn's decision tree on the same folds.
Data sets that hold (almost) the rows of another one are left out, because they would count twice,
and so are the artificial ones, which were made to show off oblique tests. Of data sets with more
than 1000 rows a random sample of 1000 is used, always the same, because the slowest methods take
hours on all of them. That favours trees that learn from few rows.

Three systems take part with ``refine="joint"``, too, and scikit-learn's pruned tree, logistic
regression, forest of 200 trees and gradient boosting stand beside.

For regression the sets are those of `aslant_papers.datasets.regression`, R2 takes the place of
accuracy, and scikit-learn's forest and ridge regression stand beside its tree.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from aslant.comparison.splits import Folds
from aslant.estimators.methods import METHODS, REGRESSION_METHODS
from aslant_papers.datasets.catalogue import RECORDED
from aslant_papers.datasets.regression import REGRESSION_SETS
from aslant_papers.layout import TableLayout
from aslant_papers.protocol import Data, Paper, PaperTable, TableColumn, TableMethod, spec
from aslant_papers.records import MEASURES, RunRecord
from aslant_papers.runner import Results
from aslant_papers.statistics import (
    Significance,
    corrected_paired_t,
    friedman,
    mean_ranks,
    nemenyi_critical_difference,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FloatArray = npt.NDArray[np.float64]
Runs = dict[str, list[list[RunRecord]]]
"""The runs of each method on each data set."""

REFERENCE = "scikit-learn"
"""The method that the others are compared with."""

REFINED = ("oc1", "quest", "hhcart")
"""Systems that also take part with ``refine="joint"``."""

COPIES = {
    "australian_credit": "credit_approval",
    "breast_cancer_wisconsin_683": "breast_cancer_wisconsin",
    "german_credit_numeric": "german_credit",
    "glass_float": "glass",
    "heart_statlog": "cleveland_heart",
}
"""Data sets that are left out, and the one that has the same rows, or more."""

TABLE = PaperTable(
    number=1,
    title="All methods at their defaults on all data sets",
    plan=Folds(runs=10, folds=5, stratified=True),
    columns=tuple(
        TableColumn(entry.name, Data(entry.name)) for entry in RECORDED if entry.name not in COPIES
    ),
    methods=(
        *(TableMethod(name, spec(known.estimator.__name__)) for name, known in METHODS.items()),
        *(
            TableMethod(f"{name}_refined", spec(METHODS[name].estimator.__name__, refine="joint"))
            for name in REFINED
        ),
        TableMethod("sklearn_tree_pruned", spec("PrunedCART")),
        TableMethod("logistic_regression", spec("Logistic")),
        TableMethod("sklearn_forest", spec("ClassForest")),
        TableMethod("sklearn_boosting", spec("Boosting")),
        TableMethod(REFERENCE, spec("ScikitLearnCART")),
    ),
    measures=("accuracy", "leaves", "cpu_seconds"),
    most_rows=1000,
)

NUMBER_TABLE = PaperTable(
    number=1,
    title="All methods at their defaults on all data sets with a number to predict",
    plan=Folds(runs=10, folds=5),
    columns=tuple(TableColumn(name, Data(name, numbers=True)) for name in REGRESSION_SETS),
    methods=(
        *(
            TableMethod(name, spec(known.estimator.__name__))
            for name, known in REGRESSION_METHODS.items()
        ),
        TableMethod("scikit-learn's forest", spec("ScikitLearnForest")),
        TableMethod("ridge", spec("Ridge")),
        TableMethod(REFERENCE, spec("ScikitLearnTree")),
    ),
    measures=("r2", "leaves", "cpu_seconds"),
    most_rows=1000,
)

# Overviews have the form of papers, so the same code selects and computes them.
OVERVIEW = Paper("overview", "All methods on all data sets", (TABLE,))
OVERVIEWS = {
    "classification": OVERVIEW,
    "regression": Paper("overview", "All methods on all data sets of numbers", (NUMBER_TABLE,)),
}

_SIGNIFICANT = 0.05


def with_runs(table: PaperTable, runs: int) -> PaperTable:
    """Return the table with so many cross-validations; the first ones are always the same."""
    if runs < 1:
        raise ValueError(f"--runs must be 1 or more, got {runs}.")
    return replace(table, plan=replace(table.plan, runs=runs))


@dataclass(frozen=True)
class Duel:
    """On how many data sets a method is better and worse than the reference.

    Attributes
    ----------
    better, worse : int
        By the mean accuracy.
    clearly_better, clearly_worse : int
        Where the corrected paired t test has p < 0.05.
    """

    better: int
    worse: int
    clearly_better: int
    clearly_worse: int


@dataclass(frozen=True)
class Overview:
    """The figures of all methods on all data sets, of which each has all its runs.

    Attributes
    ----------
    layout : Layout
        What was computed, and what is not available.
    datasets, methods : list of str
        Names of the rows and columns of the following arrays.
    merit, leaves, time : ndarray of shape (data sets, methods)
        Means over the runs: accuracy in %, or R2 of numbers; time is a multiple of the reference's.
    duels : list of Duel
        Each method against the reference.
    unfinished : dict of str to str
        Data sets that are left out because a method has no result there, with the reason.
    """

    layout: TableLayout
    datasets: list[str]
    methods: list[str]
    merit: FloatArray
    leaves: FloatArray
    time: FloatArray
    duels: list[Duel]
    unfinished: dict[str, str]

    @property
    def measure(self) -> str:
        """What `merit` is: "accuracy" or "r2"."""
        return self.layout.table.measures[0]

    @property
    def ranks(self) -> dict[str, FloatArray]:
        """Mean ranks of the methods; 1 is the most accurate, the smallest, the fastest."""
        return {
            self.measure: mean_ranks(self.merit),
            "leaves": mean_ranks(-self.leaves),
            "time": mean_ranks(-self.time),
        }

    @property
    def friedman(self) -> Significance:
        """Whether all methods rank alike by accuracy, or R2."""
        return friedman(self.merit)

    @property
    def critical_difference(self) -> float:
        """The critical difference of mean ranks of Nemenyi's test."""
        return nemenyi_critical_difference(len(self.methods), len(self.datasets))

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the mean ranks of accuracy, or R2: see `plot_critical_difference`."""
        from aslant_papers.figures import plot_critical_difference

        return plot_critical_difference(self.merit, self.methods, ax=ax)


def make_overview(layout: TableLayout, results: Results) -> Overview:
    """Put the results of all methods together."""
    methods = [method.label for method in layout.table.methods if method.label not in layout.absent]
    runs: Runs = {}
    unfinished = {}
    for column in layout.table.columns:
        if column.label in layout.absent:
            continue
        cells = [layout.cells[column.label, method] for method in methods]
        missing = [cell.key for row in cells for cell in row if cell.key not in results.records]
        if missing:
            unfinished[column.label] = results.failures.get(missing[0], "not computed")
        else:
            runs[column.label] = [[results.records[cell.key] for cell in row] for row in cells]
    if not runs:
        raise ValueError(
            f"no data set could be computed: {[*unfinished.values(), 'none found'][0]}."
        )
    merit, seconds = _means(runs, layout.table.measures[0]), _means(runs, "cpu_seconds")
    reference = methods.index(REFERENCE)
    return Overview(
        layout=layout,
        datasets=list(runs),
        methods=methods,
        merit=merit,
        leaves=_means(runs, "leaves"),
        time=seconds / seconds[:, [reference]],
        duels=_duels(layout, runs, merit, reference),
        unfinished=unfinished,
    )


def _means(runs: Runs, measure: str) -> FloatArray:
    """Return the mean over the runs, by data set and method."""
    of = MEASURES[measure].of
    return np.array(
        [
            [np.mean([of(run, None) for run in group]) for group in groups]
            for groups in runs.values()
        ]
    )


def _duels(layout: TableLayout, runs: Runs, merit: FloatArray, reference: int) -> list[Duel]:
    """Return each method against the reference."""
    test_share = 1.0 / layout.table.plan.fits
    ahead = np.sign(merit - merit[:, [reference]])
    clear = np.zeros(ahead.shape, dtype=bool)
    for row, (name, groups) in enumerate(runs.items()):
        folds = _fold_merits(layout, name, groups)
        for method, own in enumerate(folds):
            test = corrected_paired_t(own - folds[reference], test_share)
            clear[row, method] = test.p_value < _SIGNIFICANT
    counts = [(ahead == sign).sum(axis=0) for sign in (1, -1)]
    counts += [((ahead == sign) & clear).sum(axis=0) for sign in (1, -1)]
    return [Duel(*map(int, row)) for row in np.transpose(counts)]


def _fold_merits(layout: TableLayout, name: str, groups: list[list[RunRecord]]) -> FloatArray:
    """Return the accuracy, or R2, of each method in each fold of each run of a data set."""
    if layout.table.measures[0] == "r2":
        return np.array([[score for run in group for score in run.r2] for group in groups])
    cells = layout.cells[name, REFERENCE]
    rows = cells[0].rows()
    sizes = [
        [len(part.test) for part in cell.plan.divide(rows.y, rows.split, cell.run)]
        for cell in cells
    ]
    return np.array(
        [
            [
                fold.mean()
                for run, parts in zip(group, sizes, strict=True)
                for fold in np.split(run.hits, np.cumsum(parts)[:-1])
            ]
            for group in groups
        ]
    )
