"""The published figures of the HHCART paper, with its protocol: ten 5-fold cross-validations.

Wickramarachchi, Robertson, Reale, Price and Brown, Computational Statistics and Data Analysis 96,
2016, table 2, on the sets under a thousand rows. `pytest -m slow -s` prints the table.
"""

from __future__ import annotations

import pytest
from published.test_murthy1994 import needs_data, ours

from aslant.experiments.protocol import Column, TableMethod
from aslant.experiments.published import published_figures
from aslant.experiments.wickramarachchi2016 import PAPER

SMALL = ("BS", "BH", "BC", "BUPA", "GLS", "HRT", "PIND", "WINE")


@needs_data
@pytest.mark.slow
@pytest.mark.parametrize(
    ("method", "column"),
    [
        pytest.param(method, column, id=f"{method.label} on {column.label}")
        for method in PAPER.table(2).methods
        for column in PAPER.table(2).columns
        if method.label.startswith("HHCART") and column.label in SMALL
    ],
)
def test_table_2(method: TableMethod, column: Column) -> None:
    """Accuracy within two published deviations or better, leaves within 30 % or fewer."""
    figures = published_figures(PAPER.name)
    accuracy = figures[2, method.row, column.label, "accuracy"]
    leaves = figures[2, method.row, column.label, "leaves"]
    found = ours(column.data, method.estimator)
    print(f"\n{column.label} {method.label}: ours {found}", end="")
    print(f" published {accuracy.value} ± {accuracy.sd} / {leaves.value}", end="")
    assert found.accuracy >= accuracy.value - 2.0 * (accuracy.sd or 0.0)
    assert found.leaves <= 1.3 * leaves.value
