"""Pole pairs.

G. E. Hinton and M. Revow, *Using Pairs of Data-Points to Define Splits for Decision Trees*,
Advances in Neural Information Processing Systems 8, 1996. A random third ("small") or two thirds
("large") of the rows are for training. The paper has one such division of each data set, which is
noise; it stands beside the mean of twenty of ours, whose standard deviation says how far one
division may be from it, and beside our first. All trees are grown until they are pure and pruned by
ten subsidiary trees matched on their numbers of leaves.

Table 3 of our copy has lost its order. The block for large training sets can be put together again:
the three p-values of a data set stand together, and only one order of them fits the errors of table
2, since a p-value and the difference of two errors determine how many rows either method alone has
wrong (`papers/tests/test_hinton1996.py` does the sum). The block for small training sets has
too many unreadable digits. P-values are the lower tail alone, whatever the paper calls them, and
ours are those of the first division.

The experiment "variants" is section 6: poles of any class, and inputs that are not scaled.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from aslant.comparison.splits import RandomDivisions
from aslant_papers.protocol import (
    Comparison,
    Data,
    Paper,
    PaperTable,
    TableColumn,
    TableMethod,
    published,
    spec,
)
from aslant_papers.records import RunRecord
from aslant_papers.statistics import mcnemar

SMALL = RandomDivisions(runs=20, train_share=1 / 3)
LARGE = RandomDivisions(runs=20, train_share=2 / 3)
SUBSIDIARY_TREES = spec("CostComplexity", cv=10, leaf_matching=True)

COLUMNS = (
    TableColumn("IR", Data("iris")),
    TableColumn("TR", Data("new_thyroid")),
    TableColumn("LV", Data("bupa")),
    TableColumn("DB", Data("pima_diabetes")),
    TableColumn("BC", Data("breast_cancer_wisconsin_683")),
    TableColumn("GL", Data("glass_float")),
    TableColumn("VW", Data("vowel")),
    TableColumn("WN", Data("wine")),
    TableColumn("VH", Data("vehicle")),
    TableColumn("WV", Data("waveform", rows=2100)),
    TableColumn("IS", Data("ionosphere")),
    TableColumn("SN", Data("sonar")),
)
ESTIMATORS = {
    "cart": spec("CARTClassifier", pruning=SUBSIDIARY_TREES),
    "linear": spec(
        "CARTLCClassifier",
        criterion="gini",
        search=spec("CARTLC", normalize=True),
        pruning=SUBSIDIARY_TREES,
    ),
    "pole": published("PolePairClassifier"),
}
METHODS = tuple(
    TableMethod(f"{name} ({size})", estimator, plan=plan)
    for size, plan in (("small", SMALL), ("large", LARGE))
    for name, estimator in ESTIMATORS.items()
)


VARIANTS = {
    "opposite poles scaled": ESTIMATORS["pole"],
    "any poles scaled": published("PolePairClassifier", pairs="all"),
    "opposite poles raw": published("PolePairClassifier", scale="raw"),
    "any poles raw": published("PolePairClassifier", pairs="all", scale="raw"),
    "opposite poles all thresholds": published("PolePairClassifier", thresholds="all"),
    "cart": ESTIMATORS["cart"],
}


def split_bits(kind: str, n_rows: int, n_features: int) -> float:
    """Return about how many bits say which split was chosen, inputs being known (section 2).

    Parameters
    ----------
    kind : {"axis", "pole", "pole, all thresholds", "general"}
        From which hyperplanes it was chosen.
    n_rows, n_features : int
        Of the node.
    """
    row = float(np.log2(n_rows))
    bits = {
        "axis": row + float(np.log2(n_features)),
        "pole": 2.0 * row,
        "pole, all thresholds": 3.0 * row,
        "general": n_features * row,
    }
    return bits[kind]


def single_tail(groups: Sequence[Sequence[RunRecord]]) -> float:
    """Return the p-value that the paper prints, of the first division."""
    first, second = (runs[0].hits for runs in groups)
    b, c = int(np.sum(first & ~second)), int(np.sum(second & ~first))
    return mcnemar(b, c, single_tail=True).p_value


COMPARISONS = tuple(
    Comparison(f"{a} and {b} ({size})", (f"{a} ({size})", f"{b} ({size})"), single_tail)
    for size in ("small", "large")
    for a, b in (("cart", "linear"), ("cart", "pole"), ("linear", "pole"))
)

PAPER = Paper(
    name="hinton1996",
    citation="Hinton and Revow, Using Pairs of Data-Points to Define Splits for Trees, 1996",
    tables=(
        PaperTable(
            number=2,
            title="Errors relative to a single leaf",
            plan=SMALL,
            columns=COLUMNS,
            methods=METHODS,
            measures=("relative_error", "relative_error_once"),
            remark="Published: one division; ours: the mean of twenty (fewer with --quick).",
            published_runs=1,
        ),
        PaperTable(
            number=3,
            title="McNemar's test, the lower tail alone, on one division",
            plan=SMALL,
            columns=COLUMNS,
            methods=METHODS,
            measures=("p_value",),
            comparisons=COMPARISONS,
            remark=(
                "Published: the block for large training sets, put together again; that for small "
                "ones is too damaged in our copy."
            ),
        ),
    ),
    experiments=(
        PaperTable(
            number="variants",
            title="Poles of any class, inputs that are not scaled, all thresholds",
            plan=SMALL,
            # Waveform takes as long as all others together.
            columns=tuple(column for column in COLUMNS if column.label != "WV"),
            methods=tuple(
                TableMethod(f"{name} ({size})", estimator, plan=plan)
                for size, plan in (("small", SMALL), ("large", LARGE))
                for name, estimator in VARIANTS.items()
            ),
            measures=("relative_error", "tests"),
        ),
    ),
)
