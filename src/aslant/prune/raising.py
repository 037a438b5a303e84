"""A tree whose branches can be cut off, or raised into the place of a node above them.

The rows are kept in the order of the leaves they reach. Nodes are numbered in preorder, so the rows
of any node stand together, and they still do after a branch was raised: its nodes are numbered
within those of the node it replaces.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from aslant.encoding.sample import Sample
from aslant.tree.tree import Tree


class Newcomers(NamedTuple):
    """Rows that a branch would gain, and the leaves of it that they would come to."""

    places: npt.NDArray[np.intp]
    """Where the rows are among all rows."""
    leaf: npt.NDArray[np.int32]
    """The leaf of each row."""
    leaves: npt.NDArray[np.int32]
    """The leaves that gain rows."""
    gain: npt.NDArray[np.float64]
    """The class weights that each of these gains."""
    n_rows: npt.NDArray[np.intp]
    """The number of rows that each of these gains."""


class RaisableTree:
    """A working copy of a tree with the rows it was grown on; nodes keep their numbers.

    Attributes
    ----------
    value : ndarray of shape (n_nodes, n_classes)
        Class weights at each node, counted again where a branch was raised.
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

    def newcomers(self, node: int, branch: int) -> Newcomers:
        """Return what a branch would gain if it stood in the place of the node above it.

        The rows of the branch itself stay where they are; only those of its siblings come new. Over
        a whole tree these are few, as every row is in the lesser part of a node only so often.
        """
        whole, own = self._span(node), self._span(branch)
        places = np.r_[whole.start : own.start, own.stop : whole.stop]
        rows = self._rows[places]
        leaf = self._route(rows, branch)
        leaves, position = np.unique(leaf, return_inverse=True)
        n_classes = self._sample.n_classes
        cell = position * n_classes + self._sample.y[rows]
        gain = np.bincount(cell, self._sample.weight[rows], minlength=len(leaves) * n_classes)
        return Newcomers(
            places,
            leaf,
            leaves,
            gain.astype(np.float64).reshape(len(leaves), n_classes),
            np.bincount(position, minlength=len(leaves)),
        )

    def raise_branch(self, node: int, branch: int, newcomers: Newcomers) -> list[int]:
        """Put a branch in the place of a node above it, with the rows it gains.

        Returns
        -------
        list of int
            The nodes that gained rows, in preorder.
        """
        span = self._span(node)
        self._leaf[newcomers.places] = newcomers.leaf
        order = np.argsort(self._leaf[span], kind="stable")
        self._rows[span], self._leaf[span] = self._rows[span][order], self._leaf[span][order]
        self._replace(node, branch)
        changed = set()
        for leaf, gain, n_rows in zip(
            newcomers.leaves.tolist(), newcomers.gain, newcomers.n_rows.tolist(), strict=True
        ):
            for above in self._path_up(leaf, branch):
                self.value[above] += gain
                self.n_node_samples[above] += n_rows
                changed.add(above)
        return sorted(changed)

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

    def _path_up(self, node: int, top: int) -> Iterator[int]:
        """Yield the present nodes from a node up to one above it."""
        parent = self._tree.parent
        while node != top:
            if node not in self._instead:  # else its branch stands in its place
                yield node
            node = int(parent[node])
        yield top

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
