"""Multivariate tree pruning: features are pruned from the last tests, too.

C. E. Brodley and P. E. Utgoff, *Multivariate Decision Trees*, Machine Learning 19:45-77, 1995,
section 5 (MTP).

Idea
    Reduced-error pruning; but where a node stays a test and all its children are leaves, features
    are taken out of the test as long as that raises no errors on the held-out rows. Which one goes
    is decided as in sequential backward elimination: the one whose loss leaves the best merit under
    the tree's criterion. The test is learned again from the training rows of the node each time;
    the one of fewest errors stays, the original if none has fewer. Tests higher up are left alone:
    their branches were grown for the rows they send down.

Where the paper is silent
    *A linear machine that loses a branch* together with a feature is not considered.

Where we differ
    ``eliminates="errors"`` takes out the feature whose loss leaves the fewest errors on the
    held-out rows, and prefers fewer features among tests with as many errors.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt

from aslant.encoding.sample import Sample
from aslant.prune.base import TOLERANCE, Grown, Mask, require_held_out
from aslant.prune.reduced_error import ReducedError
from aslant.tree.tree import Tree
from aslant.utils.checks import check_choice


class MultivariateTreePruning(ReducedError):  # noqa: N818 - a pruner, not an exception
    """Bottom-up pruning of branches, and of features from tests whose children are leaves.

    Parameters
    ----------
    validation : float, default=1/3
        Fraction of the rows held out as validation rows.
    ties : {"prune", "keep"}, default="prune"
        What to do with a branch that is as good as a leaf.
    keep_root : bool, default=False
        Whether the root always stays a test.
    eliminates : {"merit", "errors"}, default="merit"
        Which feature goes: the one whose loss leaves the test of best merit, as published, or that
        of fewest errors on the held-out rows. By merit a smaller test replaces the original only if
        it has fewer errors, by errors also if it has as many.
    """

    prunes_regression = False

    def __init__(
        self,
        *,
        validation: float = 1 / 3,
        ties: Literal["prune", "keep"] = "prune",
        keep_root: bool = False,
        eliminates: Literal["merit", "errors"] = "merit",
    ) -> None:
        super().__init__(validation=validation, ties=ties, keep_root=keep_root)
        self.eliminates = eliminates

    def check(self) -> None:
        """Validate the parameters."""
        super().check()
        check_choice("eliminates", self.eliminates, ("merit", "errors"))

    def _refined(self, tree: Tree, node: int, errors: float, grown: Grown) -> tuple[Tree, float]:
        """Return the tree with the test of fewest errors."""
        validation = require_held_out(self, grown)
        margin = TOLERANCE * float(validation.weight.sum())
        needed = -margin if self.eliminates == "merit" else margin  # how much better it must be
        rows = _passing(tree, node, grown.training)
        below = validation.take(_passing(tree, node, validation))
        best, fewest, columns = tree, errors, _columns_of_test(tree, node)
        while columns.sum() > 1:
            smaller = self._one_less(tree, node, columns, grown, rows, below)
            if smaller is None or smaller[1] > errors + margin:
                break
            tree, errors = smaller
            columns = _columns_of_test(tree, node)
            if errors <= fewest + needed:
                best, fewest = tree, errors
        return best, fewest

    def _one_less(
        self,
        tree: Tree,
        node: int,
        columns: Mask,
        grown: Grown,
        rows: Mask,
        below: Sample,
    ) -> tuple[Tree, float] | None:
        """Return the tree whose test at the node lacks one of the columns, and its errors."""
        found = [
            _tried(tree, node, columns & (np.arange(len(columns)) != column), grown, rows)
            for column in np.flatnonzero(columns)
        ]
        tried = [one for one in found if one is not None]
        if not tried:
            return None
        if self.eliminates == "merit":
            best = tried[int(np.argmax([merit for _, merit in tried]))][0]
            return best, _errors_below(best, node, below)
        counts = [_errors_below(candidate, node, below) for candidate, _ in tried]
        fewest = int(np.argmin(counts))
        return tried[fewest][0], counts[fewest]


# What the class weights of a branch that no row takes are to those of its node.
_VANISHING = 2.0**-30


def _columns_of_test(tree: Tree, node: int) -> Mask:
    """Mask of the columns that the test of a node reads."""
    first, last = tree.coef_start[tree.row_start[[node, node + 1]]]
    used = np.zeros(tree.n_columns, dtype=bool)
    used[tree.coef_column[first:last]] = True
    return used


def _passing(tree: Tree, node: int, sample: Sample) -> Mask:
    """Mask of the rows of a sample that pass a node."""
    leaf = tree.apply(sample.X)
    return (leaf >= node) & (leaf < tree.subtree_end[node])


def _tried(
    tree: Tree, node: int, columns: Mask, grown: Grown, passing: Mask
) -> tuple[Tree, float] | None:
    """Return the tree with the node's test learned from some columns, and the test's merit."""
    split = grown.find(passing, columns)
    n_vectors = tree.row_start[node + 1] - tree.row_start[node]
    if split is None or len(np.atleast_1d(getattr(split, "bias", 0.0))) != n_vectors:
        return None
    rows = grown.training.take(passing)
    other = tree.with_test(node, split)
    child = _child_reached(other, node, rows)
    cells = child.astype(np.intp) * tree.n_classes + rows.y
    counted = np.bincount(cells, rows.weight, minlength=tree.value.size).reshape(tree.value.shape)
    size = np.bincount(child, minlength=tree.n_nodes)
    value, n_node_samples = other.value.copy(), other.n_node_samples.copy()
    children = _children(tree, node)
    empty = children[size[children] == 0]
    # Where a machine keeps the branches that no row takes, they predict what the node does.
    if len(empty) and not (tree.n_node_samples[children] == 0).any():
        return None
    value[children], n_node_samples[children] = counted[children], size[children]
    value[empty] = _VANISHING * value[node]
    everything = np.arange(tree.n_nodes)
    other = other.rearranged(everything, other.is_leaf, value=value, n_node_samples=n_node_samples)
    return other, float(split.score or 0.0)


def _children(tree: Tree, node: int) -> npt.NDArray[np.int32]:
    children = tree.children[node]
    return children[children >= 0]


def _child_reached(tree: Tree, node: int, sample: Sample) -> npt.NDArray[np.int32]:
    """Child to which the node's test sends each row; the child's own branch is to be pruned."""
    children = _children(tree, node)
    leaf = tree.apply(sample.X, start=node)
    return children[np.searchsorted(children, leaf, side="right") - 1]


def _errors_below(tree: Tree, node: int, validation: Sample) -> float:
    """Weight of the rows passing a node that its children, as leaves, misclassify."""
    label = tree.value.argmax(axis=1)[_child_reached(tree, node, validation)]
    return float(validation.weight[label != validation.y].sum())
