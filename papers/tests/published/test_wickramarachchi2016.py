"""The published figures of the HHCART paper, with its protocol: ten 5-fold cross-validations.

Wickramarachchi, Robertson, Reale, Price and Brown, Computational Statistics and Data Analysis 96,
2016, table 2, on the sets under a thousand rows. `pytest -m slow -s` prints the table.
"""

from __future__ import annotations

import pytest
from aslant_papers.protocol import TableColumn, TableMethod
from aslant_papers.wickramarachchi2016 import PAPER
from published.figures import assert_agrees, needs_data, places

SMALL = ("BS", "BH", "BC", "BUPA", "GLS", "HRT", "PIND", "WINE", "SUR")


@needs_data
@pytest.mark.slow
@places(PAPER, 2, ("HHCART(A)", "HHCART(D)", "OC1", "OC1-AP", "OC1-LC"), SMALL)
def test_table_2(method: TableMethod, column: TableColumn) -> None:
    assert_agrees(PAPER, 2, method, column)
