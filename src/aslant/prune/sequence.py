"""Weakest-link pruning: the nested sequence of trees that cost-complexity pruning chooses from.

L. Breiman, J. Friedman, R. Olshen and C. Stone, *Classification and Regression Trees*, 1984, ch. 3.

A penalty alpha on every leaf makes a tree cost its risk plus alpha times its leaves. As alpha
rises, a branch keeps its leaves until

    g(t) = (risk of t as a leaf - risk of its branch) / (leaves of its branch - 1),

and then collapses. Breiman et al. collapse the nodes of least g, compute every g again, and repeat.
Here the alphas at which nodes collapse come from one walk from the leaves to the root instead.
Suppose the collapses below a node t are known, each with its alpha, the leaves it removes and the
risk it adds. At an infinite alpha nothing is left of t's branch but its children. Lower alpha:
as long as some collapse below t would come later than t's own, it never happens, so take it back
and compute g(t) again. What remains below t collapses first, then t does. Every collapse is taken
back at most once, and the smaller heap is always poured into the larger, so the whole takes
O(n log^2 n), however deep the tree.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from aslant import _core
from aslant.tree.tree import Tree

# Prices that differ by less than this share are equal but for rounding: collapse together.
TIE = 1e-12


@dataclass(frozen=True, eq=False, repr=False)
class PruningSequence:
    """Nested trees, from the full tree (number 0) to the smallest.

    A node is a leaf of the trees ``leaf_since`` to ``gone_since - 1``, so that any sum over the
    leaves of every tree costs one pass over the nodes: see `totals`.

    Attributes
    ----------
    tree : Tree
        The full tree.
    alphas : ndarray of shape (n_trees,)
        Price of a leaf from which on each tree is the best, ascending; the first is 0.
    leaf_since, gone_since : ndarray of shape (n_nodes,)
        First tree in which a node is a leaf, and first tree without it; ``n_trees`` is never.
    node_risk : ndarray of shape (n_nodes,)
        Risk of each node as a leaf.
    """

    tree: Tree
    alphas: npt.NDArray[np.float64]
    leaf_since: npt.NDArray[np.intp]
    gone_since: npt.NDArray[np.intp]
    node_risk: npt.NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.alphas)

    def __repr__(self) -> str:
        return (
            f"PruningSequence({len(self)} trees, {self.n_leaves[0]} to {self.n_leaves[-1]} leaves)"
        )

    def totals(self, per_node: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Return the sum of a quantity over the leaves of every tree of the sequence."""
        once = self.leaf_since < self.gone_since  # is a leaf of some tree
        gained = np.bincount(self.leaf_since[once], per_node[once], minlength=len(self) + 1)
        lost = np.bincount(self.gone_since[once], per_node[once], minlength=len(self) + 1)
        return np.cumsum(gained - lost)[: len(self)]

    @cached_property
    def n_leaves(self) -> npt.NDArray[np.intp]:
        """Leaves of every tree, strictly descending."""
        return self.totals(np.ones(self.tree.n_nodes)).astype(np.intp)

    @cached_property
    def risks(self) -> npt.NDArray[np.float64]:
        """Risk of every tree."""
        return self.totals(self.node_risk)

    def number_at(self, alpha: npt.ArrayLike) -> npt.NDArray[np.intp]:
        """Return the number of the best tree at each alpha; infinity is the smallest tree."""
        return np.searchsorted(self.alphas, alpha, side="right") - 1

    def leaves_at(self, number: int) -> npt.NDArray[np.intp]:
        """Return the leaves, as nodes of the full tree, of one tree of the sequence."""
        return np.flatnonzero((self.leaf_since <= number) & (number < self.gone_since))

    def tree_number(self, number: int) -> Tree:
        """Return one tree of the sequence."""
        return self.tree if number == 0 else self.tree.pruned(self.leaves_at(number))

    def tree_at(self, alpha: float) -> Tree:
        """Return the best tree at an alpha, the smallest one if several are as good."""
        return self.tree_number(int(self.number_at(alpha)))


def weakest_links(
    tree: Tree,
    node_risk: npt.NDArray[np.float64],
    *,
    together: bool = True,
    keep_root: bool = False,
) -> PruningSequence:
    """Return the sequence of trees that weakest-link pruning passes.

    Parameters
    ----------
    tree : Tree
        The full tree.
    node_risk : ndarray of shape (n_nodes,)
        Risk of each node as a leaf. Where collapsing a node would lower the risk, its alpha is 0.
    together : bool, default=True
        Nodes of equal alpha collapse in one step (Breiman et al.), or one by one (scikit-learn).
    keep_root : bool, default=False
        Whether the split of the root always stays.
    """
    alpha = _core.collapse_alphas(tree.children, node_risk, keep_root, TIE)
    closed = _core.least_above(tree.children, alpha, np.inf)
    # At equal alphas the collapse of the upper node is the one that shows.
    links = np.flatnonzero((alpha < closed) & ~tree.is_leaf)
    links = links[np.argsort(alpha[links], kind="stable")]
    alphas, leaf_since = [0.0], np.zeros(tree.n_nodes, dtype=np.intp)
    leaf_since[~tree.is_leaf] = tree.n_nodes
    for number, node in enumerate(links.tolist()):
        if number == 0 or not together or alpha[node] > alphas[-1] * (1.0 + TIE):
            alphas.append(float(alpha[node]))
        leaf_since[node] = len(alphas) - 1
    leaf_since = np.minimum(leaf_since, len(alphas))
    gone_since = _core.least_above(tree.children, leaf_since, len(alphas)).astype(np.intp)
    return PruningSequence(tree, np.array(alphas), leaf_since, gone_since, node_risk)


def pruning_path(
    tree: Tree, node_risk: npt.NDArray[np.float64]
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return the alphas and risks of minimal cost-complexity pruning, as scikit-learn lists them.

    There is one entry for the full tree, then one for every node that collapses.
    """
    sequence = weakest_links(tree, node_risk, together=False)
    return sequence.alphas, sequence.risks


def prune_by_alpha(tree: Tree, node_risk: npt.NDArray[np.float64], alpha: float) -> Tree:
    """Return the tree without links weaker than, or as weak as, alpha; all of it if alpha is 0.

    That 0 prunes nothing, even where a collapse would add no risk, is scikit-learn's rule.
    """
    return tree if alpha == 0.0 else weakest_links(tree, node_risk).tree_at(alpha)
