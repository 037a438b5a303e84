"""C4.5's choice of a test.

J. R. Quinlan, *C4.5: Programs for Machine Learning*, 1993; *Improved use of continuous attributes
in C4.5*, Journal of Artificial Intelligence Research 4, 1996.

Idea
    For a number, the threshold of highest information gain; for a category, one branch per level.
    Among the tests whose gain is at least the average, the one of highest gain ratio.

Where we differ
    A missing value follows the branch that the node's mean (the most frequent level) takes, where
    C4.5 sends a fraction of the row down every branch. Thresholds are midpoints, where C4.5 takes
    the largest training value below the midpoint. The least size of a child (a tenth of the mean
    class, between ``min_samples_branch`` and 25) counts the classes present at the node, where C4.5
    counts all. Categories of very many levels take part in the average gain, and levels that do not
    occur at the node get no branch: they follow the most frequent one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from aslant import _core
from aslant.search.base import SplitSearch
from aslant.utils.checks import check_flag, check_number
from aslant.utils.parameters import parameters


@parameters
class C45(SplitSearch):
    """Best gain ratio among the tests of at least average gain.

    Parameters
    ----------
    min_samples_branch : float, default=2
        At least two branches of a test must hold this many cases. Weights are numbers of cases.
    threshold_cost : bool, default=True
        Whether the gain of a threshold pays log2(thresholds tried) / rows for the choice, as from
        release 8 on (Quinlan 1996), or not, as in the book.
    """

    default_criterion: ClassVar[str] = "gain_ratio"
    criteria: ClassVar[Sequence[str]] = ("gain_ratio",)

    min_samples_branch: float = 2
    threshold_cost: bool = True

    def core(self) -> _core.Search:
        """Return the compiled search."""
        check_number("min_samples_branch", self.min_samples_branch, 0.0)
        check_flag("threshold_cost", self.threshold_cost)
        return _core.search(
            "C45",
            min_cases=float(self.min_samples_branch),
            threshold_cost=bool(self.threshold_cost),
        )
