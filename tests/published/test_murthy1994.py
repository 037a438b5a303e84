"""The published figures of the OC1 paper, computed as ``aslant reproduce murthy1994`` does it.

`pytest -m slow -s` prints them. Runs are computed anew: what a journal keeps would prove nothing.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

import numpy as np
import pytest

from aslant.experiments.cells import Cell, compute
from aslant.experiments.murthy1994 import PAPER, TEN_TIMES_FIVE, unpruned_oc1
from aslant.experiments.protocol import Column, Data, Spec, TableMethod, spec
from aslant.experiments.published import published_figures
from aslant.experiments.records import MEASURES

needs_data = pytest.mark.skipif(
    not os.environ.get("ASLANT_DATA"), reason="needs the papers' data sets: set ASLANT_DATA"
)


@dataclass(frozen=True)
class Figure:
    accuracy: float
    deviation: float
    leaves: float

    def __str__(self) -> str:
        return f"{self.accuracy:.1f} ± {self.deviation:.1f} / {self.leaves:.1f}"


def ours(data: Data, estimator: Spec, runs: int = 10) -> Figure:
    """Return our figures of ten (or fewer) 5-fold cross-validations."""
    records = [compute(Cell(data, "", TEN_TIMES_FIVE, run, estimator)) for run in range(runs)]
    accuracy = [MEASURES["accuracy"].of(record, None) for record in records]
    leaves = [MEASURES["leaves"].of(record, None) for record in records]
    return Figure(np.mean(accuracy), np.std(accuracy, ddof=1), np.mean(leaves))


def published(table: int, method: TableMethod, column: Column) -> Figure:
    figures = published_figures(PAPER.name)
    accuracy = figures[table, method.row, column.label, "accuracy"]
    leaves = figures[table, method.row, column.label, "leaves"]
    return Figure(accuracy.value, accuracy.sd or 0.0, leaves.value)


def compared(table: int, method: TableMethod, column: Column) -> tuple[Figure, Figure]:
    """Return our figure and the published one; the accuracy must not be below it.

    Not by more than two published deviations and one of ours: the published deviation is over
    partitions of one program's runs; ours adds the choice of seeds.
    """
    found, printed = ours(column.data, method.estimator), published(table, method, column)
    print(f"\n{column.label:9s} {method.label:22s} ours {found!s:22s} published {printed}", end="")
    assert found.accuracy >= printed.accuracy - 2.0 * printed.deviation - found.deviation
    return found, printed


def places(table: int, methods: tuple[str, ...], columns: tuple[str, ...]) -> pytest.MarkDecorator:
    """Run a test on these methods and data sets of a table."""
    wanted = PAPER.table(table)
    return pytest.mark.parametrize(
        ("method", "column"),
        [
            pytest.param(method, column, id=f"{method.label} on {column.label}")
            for method in wanted.methods
            for column in wanted.columns
            if method.label.startswith(methods) and column.label in columns
        ],
    )


# The published rows of RCB cannot be had with the original program either.
@pytest.mark.slow
@places(2, ("OC1",), ("LS10", "POL"))
def test_table_2(method: TableMethod, column: Column) -> None:
    """As the paper has it, and with our origin of the features, which is better."""
    found, printed = compared(2, method, column)
    assert found.leaves <= 1.25 * printed.leaves


@pytest.mark.slow
@places(2, ("SADT",), ("LS10", "POL"))
def test_table_2_sadt(method: TableMethod, column: Column) -> None:
    found, printed = compared(2, method, column)
    assert found.leaves <= 1.5 * printed.leaves  # the published deviations are 2.1 and 5.7 leaves


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "accuracy", "leaves", "origin"),
    [
        ("pol", 99.4, 5.05, "original"),
        ("rcb", 99.1, 8.2, "original"),
        ("ls10", 98.5, 7.0, "original"),
        ("pol", 99.4, 5.05, "median"),
        ("rcb", 99.1, 8.2, "median"),
        ("ls10", 99.3, 2.5, "median"),
    ],
)
def test_exact_sweep_reaches_the_true_partition(
    name: str, accuracy: float, leaves: float, origin: str
) -> None:
    """With 20 restarts and 20 jumps the exact sweep finds trees of (nearly) minimal size."""
    found = ours(Data(name, redrawn=True), unpruned_oc1(20, 20, origin))
    print(f"\n{name} OC1 20:20, {origin}: {found}", end="")
    assert found.accuracy >= accuracy
    assert found.leaves <= leaves


@needs_data
@pytest.mark.slow
@places(1, ("OC1", "CART-LC", "C4.5"), ("Cancer", "Iris", "Housing", "Diabetes"))
def test_table_1(method: TableMethod, column: Column) -> None:
    compared(1, method, column)


# Numeric sets under 1000 rows that had no part in choosing the default origin.
OTHER_SETS = (
    "bupa",
    "glass",
    "glass_float",
    "wine",
    "balance_scale",
    "ionosphere",
    "sonar",
    "vowel",
)


@needs_data
@pytest.mark.slow
def test_origin_on_other_data() -> None:
    """The default origin was kept after seeing the figures above; these sets had no part in it."""
    gains = []
    for name in OTHER_SETS:
        median = ours(Data(name), spec("OC1Classifier"), runs=3)
        original = ours(Data(name), spec("OC1Classifier", origin="original"), runs=3)
        print(f"\n{name:32s} median {median!s:22s} original {original}", end="")
        gains.append(median.accuracy - original.accuracy)
    print(f"\nmean gain in accuracy {np.mean(gains):.1f}, better on {np.sum(np.array(gains) > 0)}")
    assert np.mean(gains) > -1.0
