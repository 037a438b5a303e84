"""Gain ratio among the tests of at least average gain.

J. R. Quinlan, *Induction of Decision Trees*, Machine Learning 1:81-106, 1986.

Idea
    The gain ratio alone prefers tests that cut off a few rows. Quinlan compares it only among
    tests whose gain is at least average: one threshold for each number, and the tests of other
    searches. Brodley and Utgoff's univariate tests, alone and beside multivariate ones, are these.

Where the paper is silent
    It has no numbers. The threshold of a number is the one of highest gain, as in C4.5
    (`aslant.search.C45`), which has a least size of a child and branches of categories besides.

Where we differ
    Every level of a category is a column of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from aslant import _core
from aslant.search.base import SplitSearch, check_search


class AverageGain(SplitSearch):
    """Best gain ratio among the tests of at least average gain.

    Parameters
    ----------
    searches : sequence of SplitSearch, default=()
        Searches whose tests compete with the thresholds of single columns.
    """

    default_criterion: ClassVar[str] = "gain_ratio"
    criteria: ClassVar[Sequence[str]] = ("gain_ratio",)

    def __init__(self, searches: Sequence[SplitSearch] = ()) -> None:
        self.searches = searches

    def core(self) -> _core.Search:
        """Return the compiled search."""
        if not isinstance(self.searches, list | tuple):
            raise TypeError(f"searches must be a list of searches, got {self.searches!r}.")
        for search in self.searches:
            check_search("each of searches", search)
        rivals = [search.core_of_standardized() for search in self.searches]
        tests = _core.search("AverageGain", searches=rivals)
        # Standardised, a category is columns for all tests alike.
        return _core.search("Standardize", search=tests)
