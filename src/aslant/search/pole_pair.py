"""Pole pairs: hyperplanes halfway between two rows.

G. E. Hinton and M. Revow, *Using Pairs of Data-Points to Define Splits for Decision Trees*,
Advances in Neural Information Processing Systems 8, 1996.
"""

from __future__ import annotations

from typing import Literal

from aslant import _core
from aslant.search.base import SplitSearch, check_choice, check_number, parameters

# Ranks of 16 bits, and a table of (rows)^2 of them, set the limit.
_MOST_POLES = 2**14


@parameters
class PolePair(SplitSearch):
    """Perpendicular bisectors of pairs of rows."""

    pairs: Literal["opposite", "all"] = "opposite"
    thresholds: Literal["midpoint", "all"] = "midpoint"
    scale: Literal["training", "raw", "node"] = "training"
    exact_rows: int = 2000
    poles: int = 50

    def core(self) -> _core.Search:
        """Return the compiled search."""
        check_choice("pairs", self.pairs, ("opposite", "all"))
        check_choice("thresholds", self.thresholds, ("midpoint", "all"))
        check_choice("scale", self.scale, ("training", "raw", "node"))
        check_number("exact_rows", self.exact_rows, 0, _MOST_POLES, whole=True)
        check_number("poles", self.poles, 2, _MOST_POLES, whole=True)
        return _core.PolePair(
            same_class=self.pairs == "all",
            all_thresholds=self.thresholds == "all",
            scale=self.scale,
            exact_rows=int(self.exact_rows),
            poles=int(self.poles),
        )
