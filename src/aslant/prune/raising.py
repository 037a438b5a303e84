"""A tree whose branches can be cut off, or raised into the place of a node above them.

The rows are kept in the order of the leaves they reach. Nodes are numbered in preorder, so the rows
of any node stand together, and they still do after a branch was raised: its nodes are numbered
within those of the node it replaces.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from aslant.sample import Sample
from aslant.tree import Tree


class RaisableTree:
    """A working copy of a tree with the rows it was grown on; nodes keep their numbers.

    Attributes
    ----------
    value : ndarray of shape (n_nodes, n_classes)
        Class weights at each node, counted anew where a branch was raised.
    n_node_samples : ndarray of shape (n_nodes,)
        Rows at each node, likewise.
    is_leaf : ndarray of shape (n_nodes,)
        Whether each node is now a leaf.
    """

    def __init__(self, tree: Tree, sample: Sample) -> None:
        self.value = tree.value.copy()
        self.n_node_samples = tree.n_node_samples.copy()
        self.is_leaf = tree.is_leaf.copy()
        self._tree = tree
        self._sample = sample
        leaf = tree.apply(sample.X)
        self._rows = np.argsort(leaf, kind="stable")
        self._leaf = leaf[self._rows]
        # Nodes in whose place others stand now.
        self._instead: dict[int, int] = {}
        # Where a row is now that the grown tree leads to a certain leaf: where it starts again, if
        # it went off into a branch that another replaced; else the leaf that swallowed that one.
        self._swallowed_by = np.arange(tree.n_nodes, dtype=np.int32)
        self._restart = np.full(tree.n_nodes, -1, dtype=np.int32)

    def children(self, node: int) -> list[int]:
        """Return the present children of a node that is not a leaf."""
        return [self._standing(c) for c in self._tree.children[node].tolist() if c >= 0]

    def collapse(self, node: int) -> None:
        """Make a node a leaf."""
        below = slice(node, self._tree.subtree_end[node])
        self.is_leaf[node] = True
        self._swallowed_by[below] = node
        self._restart[below] = -1  # whichever way they would go from here, the rows stay

    def leaf_counts(self, node: int, branch: int) -> npt.NDArray[np.float64]:
        """Class weights at the leaves of a branch if it stood in the place of a node above it."""
        rows = self._rows[self._span(node)]
        leaf, position = np.unique(self._route(rows, branch), return_inverse=True)
        n_classes = self._sample.n_classes
        cell = position * n_classes + self._sample.y[rows]
        counts = np.bincount(cell, self._sample.weight[rows], minlength=len(leaf) * n_classes)
        return counts.astype(np.float64).reshape(len(leaf), n_classes)

    def raise_branch(self, node: int, branch: int) -> list[int]:
        """Put a branch in the place of a node above it, and count its rows anew.

        Returns
        -------
        list of int
            The nodes of the raised branch, in preorder.
        """
        span = self._span(node)
        rows = self._rows[span]
        leaf = self._route(rows, branch)
        order = np.argsort(leaf, kind="stable")
        self._rows[span], self._leaf[span] = rows[order], leaf[order]
        self._replace(node, branch)
        nodes = self._nodes_from(branch)
        for below in nodes:
            rows = self._rows[self._span(below)]
            self.n_node_samples[below] = len(rows)
            self.value[below] = np.bincount(
                self._sample.y[rows], self._sample.weight[rows], minlength=self._sample.n_classes
            )
        return nodes

    def finished(self) -> Tree:
        """Return the tree as it is now; the very tree it was made from if nothing changed."""
        if not self._instead and np.array_equal(self.is_leaf, self._tree.is_leaf):
            return self._tree
        return self._tree.rearranged(
            np.array(self._nodes_from(self._standing(0)), dtype=np.intp),
            self.is_leaf,
            replaced_by={node: self._standing(node) for node in self._instead},
            value=self.value,
            n_node_samples=self.n_node_samples,
        )

    def _replace(self, node: int, branch: int) -> None:
        """Lead the rows that come to a node to one of its branches."""
        end = self._tree.subtree_end
        self._instead[node] = branch
        # Rows that take this branch anyway are on the right way; the others join them.
        self._restart[node:branch] = branch
        self._restart[end[branch] : end[node]] = branch

    def _standing(self, node: int) -> int:
        """Return the node that now stands in the place of a node."""
        while node in self._instead:
            node = self._instead[node]
        return node

    def _span(self, node: int) -> slice:
        """Where the rows of a node are."""
        ends = np.array([node, self._tree.subtree_end[node]], dtype=self._leaf.dtype)
        first, last = self._leaf.searchsorted(ends)
        return slice(int(first), int(last))

    def _nodes_from(self, top: int) -> list[int]:
        """Present nodes of the branch at a node, in preorder."""
        nodes, pending = [], [top]
        while pending:
            node = pending.pop()
            nodes.append(node)
            if not self.is_leaf[node]:
                pending.extend(reversed(self.children(node)))
        return nodes

    def _route(self, rows: npt.NDArray[np.intp], top: int) -> npt.NDArray[np.int32]:
        """Return the leaf, among the present ones, that each row reaches from a node."""
        X = self._sample.X[rows]
        leaf = self._tree.apply(X, start=top)
        astray = np.flatnonzero(self._restart[leaf] >= 0)
        while len(astray):
            restart = self._restart[leaf[astray]]
            for node in np.unique(restart).tolist():
                which = astray[restart == node]
                leaf[which] = self._tree.apply(X[which], start=node)
            astray = astray[self._restart[leaf[astray]] >= 0]
        return self._swallowed_by[leaf]
