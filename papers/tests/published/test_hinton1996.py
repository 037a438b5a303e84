"""The published figures of the pole-pair paper: one random division, beside the mean of twenty."""

from __future__ import annotations

import numpy as np
import pytest
from aslant_papers.cells import Cell, compute
from aslant_papers.hinton1996 import PAPER
from aslant_papers.protocol import TableColumn, TableMethod
from aslant_papers.published import published_figures
from aslant_papers.records import MEASURES
from published.figures import needs_data

TABLE = PAPER.table(2)
# Of pole pairs: a single division of GL (163 rows, small) and the small ones of WV are outside.
PLACES = [
    (method, column)
    for method in TABLE.methods
    for column in TABLE.columns
    if method.label.startswith("pole")
    and column.label in ("IR", "LV", "BC", "VW", "WN", "IS", "SN", "DB")
]


@needs_data
@pytest.mark.slow
@pytest.mark.parametrize(
    ("method", "column"), PLACES, ids=[f"{m.label} on {c.label}" for m, c in PLACES]
)
def test_a_published_division_is_one_of_ours(method: TableMethod, column: TableColumn) -> None:
    """It lies within two deviations of our single divisions, on either side."""
    plan = TABLE.plan_of(column, method)
    values = [
        MEASURES["relative_error"].of(
            compute(Cell(column.data, "", plan, run, method.estimator)), None
        )
        for run in range(plan.runs)
    ]
    figure = published_figures(PAPER.name)[2, method.row, column.label, "relative_error"]
    print(
        f"\n{column.label} {method.label}: {np.mean(values):.1f}, published {figure.value}", end=""
    )
    assert abs(np.mean(values) - figure.value) <= 2.0 * np.std(values, ddof=1)
