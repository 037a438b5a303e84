"""Pole pairs: hyperplanes halfway between two rows.

G. E. Hinton and M. Revow, *Using Pairs of Data-Points to Define Splits for Decision Trees*,
Advances in Neural Information Processing Systems 8, 1996.

Idea
    Two rows of different classes, the poles, define one hyperplane: the perpendicular bisector of
    the line between them. A row goes with the nearer pole. All pairs at the node compete, and the
    best by the criterion wins. There are few candidates, so many splits can be made before they
    overfit, and nothing gets caught in a local optimum.

Where the paper is silent
    *Ties*: a row equally far from both poles goes with the pole that comes first when rows are
    ordered by their values, column by column. Of pairs with the same score, the one that comes
    first in that order is taken. *Equal rows* cannot be poles of each other. *The best threshold*
    along a line (``thresholds="all"``) is the middle of the gap it falls into. *Categories* count
    in the distance by their indicator columns, scaled like all others; *missing values* stand at
    the mean of the node.

Where we differ
    In training sets of more than ``exact_rows`` different rows the poles of a node are a random
    sample, as the work grows with the cube of their number: see ``poles``.
"""

from __future__ import annotations

from typing import Literal

from aslant import _core
from aslant.search.base import SplitSearch
from aslant.utils.checks import check_choice, check_number
from aslant.utils.parameters import parameters

MOST_POLES = 2**14  # the core's limit: every pair of them is compared


@parameters
class PolePair(SplitSearch):
    """Perpendicular bisectors of pairs of rows.

    Parameters
    ----------
    pairs : {"opposite", "all"}, default="opposite"
        Pairs of rows of different classes, as published, or all pairs.
    thresholds : {"midpoint", "all"}, default="midpoint"
        The hyperplane halfway between the poles, or the best one on the line through them.
    scale : {"training", "raw", "node"}, default="training"
        Units in which distances are measured: the standard deviations of the columns over all
        training rows, as published; the columns as they are; or the deviations over the rows at
        the node.
    exact_rows : int, default=2000
        Training sets of up to this many different rows are searched exactly: every node tries all
        pairs of its rows. At most 16384.
    poles : int, default=50
        In larger training sets a node of up to this many different rows is still searched exactly;
        one of n draws ``poles * (n / poles) ** (1/3)`` of them at random, and their pairs are
        scored on twice as many. The eight best are then scored on all rows at the node, with
        ``thresholds="all"`` at their best threshold. This is an extension of the method.
    """

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
        check_number("exact_rows", self.exact_rows, 0, MOST_POLES, integer=True)
        check_number("poles", self.poles, 2, MOST_POLES, integer=True)
        return _core.search(
            "PolePair",
            same_class=self.pairs == "all",
            all_thresholds=self.thresholds == "all",
            scale=self.scale,
            exact_rows=int(self.exact_rows),
            poles=int(self.poles),
        )
