"""Our figures beside the published ones, computed anew: what a journal keeps would prove nothing.

A row that bears a system's name is `as_published` and must agree on both sides: within two of the
paper's standard deviations, above as well as below, a size within two deviations or 30 %. Our own
deviation is not added. Where a figure cannot be had, the test says why and is left out.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

import numpy as np
import pytest
from aslant_papers.cells import Cell, compute
from aslant_papers.murthy1994 import TEN_TIMES_FIVE
from aslant_papers.protocol import Data, Paper, Spec, TableColumn, TableMethod
from aslant_papers.published import published_figures
from aslant_papers.records import MEASURES

needs_data = pytest.mark.skipif(
    not os.environ.get("ASLANT_DATA"), reason="needs the papers' data sets: set ASLANT_DATA"
)


@dataclass(frozen=True)
class Figure:
    accuracy: float
    deviation: float
    leaves: float
    leaves_deviation: float = 0.0

    def __str__(self) -> str:
        return f"{self.accuracy:.1f} ± {self.deviation:.1f} / {self.leaves:.1f}"


def ours(data: Data, estimator: Spec, runs: int = 10) -> Figure:
    """Return our figures of ten (or fewer) 5-fold cross-validations."""
    records = [compute(Cell(data, "", TEN_TIMES_FIVE, run, estimator)) for run in range(runs)]
    accuracy = [MEASURES["accuracy"].of(record, None) for record in records]
    leaves = [MEASURES["leaves"].of(record, None) for record in records]
    return Figure(np.mean(accuracy), np.std(accuracy, ddof=1), np.mean(leaves))


def printed(paper: Paper, table: int, method: TableMethod, column: TableColumn) -> Figure:
    figures = published_figures(paper.name)
    accuracy = figures[table, method.row, column.label, "accuracy"]
    leaves = figures[table, method.row, column.label, "leaves"]
    return Figure(accuracy.value, accuracy.sd or 0.0, leaves.value, leaves.sd or 0.0)


def assert_agrees(
    paper: Paper, table: int, method: TableMethod, column: TableColumn, *, sizes: bool = True
) -> None:
    """Check that our figure is the published one, neither worse nor better."""
    found, wanted = ours(column.data, method.estimator), printed(paper, table, method, column)
    print(f"\n{column.label:9s} {method.label:22s} ours {found!s:22s} published {wanted}", end="")
    assert abs(found.accuracy - wanted.accuracy) <= 2.0 * wanted.deviation
    if sizes:
        near = 1.0 / 1.3 <= found.leaves / wanted.leaves <= 1.3
        assert near or abs(found.leaves - wanted.leaves) <= 2.0 * wanted.leaves_deviation


def places(
    paper: Paper, table: int, methods: tuple[str, ...], columns: tuple[str, ...]
) -> pytest.MarkDecorator:
    """Run a test on these counted methods and these data sets of a table."""
    wanted = paper.table(table)
    return pytest.mark.parametrize(
        ("method", "column"),
        [
            pytest.param(method, column, id=f"{method.label} on {column.label}")
            for method in wanted.methods
            for column in wanted.columns
            if method.counted and method.label in methods and column.label in columns
        ],
    )
