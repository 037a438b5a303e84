"""Reduced-error pruning.

J. R. Quinlan, *Simplifying Decision Trees*, International Journal of Man-Machine Studies
27:221-234, 1987; the pruning of C. E. Brodley and P. E. Utgoff, *Multivariate Decision Trees*,
Machine Learning 19:45-77, 1995.

Idea
    From the bottom up, make a node a leaf if that misclassifies no more of the held-out rows than
    what is left of its branch. The result is the smallest of the prunings with the fewest errors.
    In regression trees, errors are squared errors.

Where the papers are silent
    *Nodes that no held-out row reaches* become leaves. *No held-out rows at all* leave the tree as
    it is.

Where we differ
    Brodley and Utgoff prune only if the errors fall (``ties="keep"``); pruning ties as well gives
    trees nearer to the sizes they report.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from aslant.prune.base import (
    TOLERANCE,
    Grown,
    Pruner,
    check_fraction,
    collapsed,
    losses,
    require_held_out,
    unit_of_loss,
)
from aslant.tree.tree import Tree
from aslant.utils.checks import check_choice, check_flag


class ReducedError(Pruner):
    """Bottom-up pruning by errors on held-out rows.

    Parameters
    ----------
    validation : float, default=1/3
        Fraction of the rows held out as validation rows.
    ties : {"prune", "keep"}, default="prune"
        What to do with a branch that is as good as a leaf.
    keep_root : bool, default=False
        Whether the root always stays a test.
    """

    prunes_regression = True

    def __init__(
        self,
        *,
        validation: float = 1 / 3,
        ties: Literal["prune", "keep"] = "prune",
        keep_root: bool = False,
    ) -> None:
        self.validation = validation
        self.ties = ties
        self.keep_root = keep_root

    @property
    def held_out(self) -> float:
        """Share of the training rows to keep out of growing."""
        return self.validation

    def check(self) -> None:
        """Validate the parameters."""
        check_fraction("validation", self.validation)
        check_choice("ties", self.ties, ("prune", "keep"))
        check_flag("keep_root", self.keep_root)

    def prune(self, grown: Grown) -> Tree:
        """Return the pruned tree: see `Pruner.prune`."""
        self.check()
        tree = grown.tree
        validation = require_held_out(self, grown)
        if validation.weight.sum() == 0.0:
            return tree
        lost = losses(tree, validation)
        reached = (lost.weight > 0.0).tolist()
        errors = lost.total.tolist()  # as a leaf, then as the best pruning
        rounding = TOLERANCE * float(validation.weight.sum()) * unit_of_loss(tree)
        margin = rounding if self.ties == "prune" else -rounding
        leaves: set[int] = set(np.flatnonzero(tree.is_leaf).tolist())
        for node in np.flatnonzero(~tree.is_leaf)[::-1].tolist():
            children = [child for child in tree.children[node].tolist() if child >= 0]
            branch = sum(errors[child] for child in children)
            stays = node == 0 and self.keep_root
            if not stays and (errors[node] <= branch + margin or not reached[node]):
                leaves.add(node)
                continue
            errors[node] = branch
            if leaves.issuperset(children):
                tree, errors[node] = self._refined(tree, node, branch, grown)
        return collapsed(tree, np.array(sorted(leaves), dtype=np.intp))

    def _refined(self, tree: Tree, node: int, errors: float, grown: Grown) -> tuple[Tree, float]:
        """Return the tree with a better last test at the node, and its errors: here, the same."""
        return tree, errors
