"""The published figures of linear machine decision trees.

Murthy, Kasif and Salzberg, Journal of Artificial Intelligence Research 2, 1994, table 2, give
LMDT's on their artificial data, with their protocol: ten 5-fold cross-validations, no pruning.
`pytest -m slow -s` prints them beside ours.
"""

from __future__ import annotations

import pytest
from published.figures import ours

from aslant.experiments.protocol import Data, spec


@pytest.mark.slow
@pytest.mark.parametrize("pruning", [None, "reduced_error"])
def test_lmdt_on_ls10(pruning: str | None) -> None:
    """One machine separates the classes."""
    found = ours(Data("ls10"), spec("LMDTClassifier", pruning=pruning))
    print(f"\nLS10 LMDT, {pruning}: ours {found} published 99.7 ± 0.2 / 2.2", end="")
    assert found.accuracy >= 99.5
    assert found.leaves <= 3.0
