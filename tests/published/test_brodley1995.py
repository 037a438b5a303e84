"""The published figures of linear machine decision trees.

Murthy, Kasif and Salzberg, Journal of Artificial Intelligence Research 2, 1994, table 2, give
LMDT's on their artificial data, with their protocol: ten 5-fold cross-validations, no pruning.
`pytest -m slow -s` prints them beside ours.
"""

from __future__ import annotations

import pytest
from published.test_murthy1994 import Figure, artificial, report

from aslant import LMDTClassifier


@pytest.mark.slow
@pytest.mark.parametrize("pruning", [None, "reduced_error"])
def test_lmdt_on_ls10(pruning: str | None) -> None:
    """One machine separates the classes; the published tree has 2.2 leaves."""
    ours = artificial("LS10", LMDTClassifier(pruning=pruning))
    report(f"LS10 LMDT, {pruning}", ours, Figure(99.7, 0.2, 2.2))
    assert ours.accuracy >= 99.5
    assert ours.leaves <= 3.0
