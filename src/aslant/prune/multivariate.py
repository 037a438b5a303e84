"""Multivariate tree pruning: features are pruned from the last tests, too.

C. E. Brodley and P. E. Utgoff, *Multivariate Decision Trees*, Machine Learning 19:45-77, 1995,
section 5 (MTP).

Idea
    Reduced-error pruning; but where a node stays a test and all its children are leaves, features
    are taken out of the test as long as that raises no errors on the held-out rows. The test is
    learned anew from the training rows of the node each time. Tests higher up are left alone: their
    branches were grown for the rows they send down.

Where the paper is silent
    *Which feature goes first*: the one whose loss leaves the fewest errors on the held-out rows.
    *A linear machine that loses a branch* together with a feature is not considered.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from aslant.prune.base import TOLERANCE, Grown, Mask, require_held_out
from aslant.prune.reduced_error import ReducedError
from aslant.sample import Sample
from aslant.tree import Tree


class MultivariateTreePruning(ReducedError):  # noqa: N818 - a pruner, not an exception
    """Bottom-up pruning of branches, and of features from tests whose children are leaves.

    Parameters
    ----------
    validation : float, default=1/3
        Share of the rows held out to judge by.
    ties : {"prune", "keep"}, default="prune"
        What to do with a branch that is as good as a leaf.
    """

    prunes_numbers = False

    def _refined(self, tree: Tree, node: int, errors: float, grown: Grown) -> tuple[Tree, float]:
        """Return the tree with the test of fewest errors, and of fewest features among these."""
        judges = require_held_out(self, grown)
        margin = TOLERANCE * float(judges.weight.sum())
        rows = _passing(tree, node, grown.training)
        judging = judges.take(_passing(tree, node, judges))
        columns = _columns_of_test(tree, node)
        while columns.sum() > 1:
            candidates = [
                _tried(tree, node, columns & (np.arange(len(columns)) != column), grown, rows)
                for column in np.flatnonzero(columns)
            ]
            trees = [candidate for candidate in candidates if candidate is not None]
            if not trees:
                break
            counts = [_errors_below(candidate, node, judging) for candidate in trees]
            fewest = int(np.argmin(counts))
            if counts[fewest] > errors + margin:
                break
            tree, errors = trees[fewest], counts[fewest]
            columns = _columns_of_test(tree, node)
        return tree, errors


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


def _tried(tree: Tree, node: int, columns: Mask, grown: Grown, passing: Mask) -> Tree | None:
    """Return the tree with the node's test learned from some columns, if there is such a test."""
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
    if (size[children] == 0).any():
        return None
    value[children], n_node_samples[children] = counted[children], size[children]
    everything = np.arange(tree.n_nodes)
    return other.rearranged(everything, other.is_leaf, value=value, n_node_samples=n_node_samples)


def _children(tree: Tree, node: int) -> npt.NDArray[np.int32]:
    children = tree.children[node]
    return children[children >= 0]


def _child_reached(tree: Tree, node: int, sample: Sample) -> npt.NDArray[np.int32]:
    """Child to which the node's test sends each row; the child's own branch is to be pruned."""
    children = _children(tree, node)
    leaf = tree.apply(sample.X, start=node)
    return children[np.searchsorted(children, leaf, side="right") - 1]


def _errors_below(tree: Tree, node: int, judges: Sample) -> float:
    """Weight of the rows passing a node that its children, as leaves, misclassify."""
    label = tree.value.argmax(axis=1)[_child_reached(tree, node, judges)]
    return float(judges.weight[label != judges.y].sum())
