"""The published figures of the OC1 paper, computed as ``aslant reproduce murthy1994`` does it.

`pytest -m slow -s` prints them.
"""

from __future__ import annotations

import numpy as np
import origin
import pytest
from aslant_papers.murthy1994 import PAPER, our_unpruned_oc1
from aslant_papers.protocol import Data, TableColumn, TableMethod
from published.figures import assert_agrees, needs_data, ours, places


# Not 0:0 on POL, where the size is that of the original program, run again, and not the printed
# one; nor 20:0 on POL and LS10, which the original program does better than the paper says. The
# published rows of RCB cannot be had with the original program either.
@pytest.mark.slow
@pytest.mark.parametrize(
    ("method", "column"),
    [
        pytest.param(method, column, id=f"{method.label} on {column.label}")
        for column in PAPER.table(2).columns
        for method in PAPER.table(2).methods
        if (method.label, column.label)
        in {
            ("OC1 0:0", "LS10"),
            ("OC1 0:20", "LS10"),
            ("OC1 20:20", "LS10"),
            ("OC1 0:20", "POL"),
            ("OC1 20:20", "POL"),
            ("LMDT", "LS10"),
            ("LMDT", "POL"),
            ("SADT", "LS10"),
            ("SADT", "POL"),
        }
    ],
)
def test_table_2(method: TableMethod, column: TableColumn) -> None:
    assert_agrees(PAPER, 2, method, column)


@needs_data
@pytest.mark.slow
@places(
    PAPER,
    1,
    ("OC1", "CART-LC", "OC1-AP", "CART-AP", "C4.5"),
    ("Cancer", "Iris", "Housing", "Diabetes"),
)
def test_table_1(method: TableMethod, column: TableColumn) -> None:
    assert_agrees(PAPER, 1, method, column)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "accuracy", "leaves"), [("pol", 99.4, 5.05), ("rcb", 99.1, 8.2), ("ls10", 99.3, 2.5)]
)
def test_exact_sweep_reaches_the_true_partition(name: str, accuracy: float, leaves: float) -> None:
    """With 20 restarts and 20 jumps our defaults find trees of (nearly) minimal size."""
    found = ours(Data(name, redrawn=True), our_unpruned_oc1(20, 20))
    print(f"\n{name} our OC1 20:20: {found}", end="")
    assert found.accuracy >= accuracy
    assert found.leaves <= leaves


@needs_data
@pytest.mark.slow
def test_origin_on_other_data() -> None:
    """The default origin was kept after seeing the figures above; these sets had no part in it."""
    found = origin.measured(3)
    accuracy = {
        name: [np.mean(one["accuracy"]) for one in found if one["origin"] == name]
        for name in origin.ORIGINS
    }
    gains = np.subtract(accuracy["median"], accuracy["original"])
    print(f"\nmean gain in accuracy {gains.mean():.1f}, better on {np.sum(gains > 0)}")
    assert gains.mean() > -1.0
