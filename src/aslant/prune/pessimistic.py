"""Pessimistic pruning.

J. R. Quinlan, *Simplifying Decision Trees*, International Journal of Man-Machine Studies
27:221-234, 1987.

Idea
    Training errors flatter a tree, so charge half an error for every leaf, the continuity
    correction of the binomial distribution. From the top down, make a node a leaf if its errors so
    corrected are within one standard error of those of its branch. No rows need be held out.

Where the paper is silent
    *Weights* count as rows: a row of weight 2 is the row twice. *More corrected errors than rows*
    have a standard error of 0.
"""

from __future__ import annotations

import numpy as np

from aslant.prune.base import TOLERANCE, Grown, Pruner, collapsed, sum_over_leaves, training_errors
from aslant.tree.tree import Tree
from aslant.utils.checks import check_number


class Pessimistic(Pruner):
    """Top-down pruning by training errors with half an error more for every leaf.

    Parameters
    ----------
    se_rule : float, default=1.0
        Standard errors by which a leaf may be worse than the branch.
    """

    def __init__(self, *, se_rule: float = 1.0) -> None:
        self.se_rule = se_rule

    def check(self) -> None:
        """Validate the parameters."""
        check_number("se_rule", self.se_rule, 0.0, 100.0)

    def prune(self, grown: Grown) -> Tree:
        """Return the pruned tree: see `Pruner.prune`."""
        self.check()
        tree = grown.tree
        weight = tree.value.sum(axis=1)
        as_leaf = training_errors(tree) + 0.5
        branch = sum_over_leaves(tree, as_leaf)
        share = np.divide(branch, weight, out=np.ones_like(branch), where=weight > 0.0)
        standard_error = np.sqrt(branch * np.maximum(1.0 - share, 0.0))
        rounding = TOLERANCE * weight[0]
        # What hangs below a node that becomes a leaf goes with it, so all can be evaluated at once.
        becomes_leaf = as_leaf <= branch + self.se_rule * standard_error + rounding
        return collapsed(tree, np.flatnonzero(becomes_leaf))
