"""Rows in a tree: the nodes that they pass, and their values in the columns of a test."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from aslant.tree.linear_function import linear_leaves_of
from aslant.tree.split import HyperplaneSplit
from aslant.tree.tree import Tree

Rows = npt.NDArray[np.floating[Any]]
Array = npt.NDArray[np.float64]


def column_values(tree: Tree, rows: Rows, columns: npt.NDArray[Any], fill: Array) -> Array:
    """Return the values of encoded columns, with `fill` (one a column) where they are missing."""
    raw = np.asarray(rows[:, tree.column_feature[columns]], dtype=np.float64)
    level = tree.column_level[columns]
    values = np.where(level >= 0, raw == level, raw)
    return np.where(np.isnan(raw), fill, values)


class KnownRows:
    """Encoded rows, by the nodes that they pass.

    Attributes
    ----------
    at : list of ndarray
        The numbers of the rows that pass each node.
    """

    def __init__(self, tree: Tree, encoded: Rows) -> None:
        self.tree = tree
        self.encoded = encoded
        path = tree.decision_path(encoded).tocsc()
        self.at = [path.indices[path.indptr[i] : path.indptr[i + 1]] for i in range(tree.n_nodes)]

    def values(self, node: int, columns: npt.NDArray[Any], fill: Array) -> Array:
        """Return the values of columns for the rows at a node."""
        return column_values(self.tree, self.encoded[self.at[node]], columns, fill)

    def projection(self, node: int, split: HyperplaneSplit) -> Array:
        """Return ``coef . x`` for the rows at a node."""
        columns = np.flatnonzero(split.coef)
        assert split.fill is not None  # every test of a tree has one
        return self.values(node, columns, split.fill[columns]) @ split.coef[columns]

    def child(self, node: int) -> npt.NDArray[np.intp]:
        """Return which child each row at a node goes to."""
        taken = np.zeros(len(self.encoded), dtype=np.intp)
        for k, child in enumerate(self.tree.children[node]):
            if child >= 0:
                taken[self.at[child]] = k
        return taken[self.at[node]]


def features_read(trees: list[Tree]) -> npt.NDArray[np.intp]:
    """Return the features that some test or some linear leaf reads."""
    features = []
    for tree in trees:
        features.append(tree.column_feature[tree.coef_column])
        linear = linear_leaves_of(tree)
        if linear is not None:
            read = np.any(linear.leaf_coef[tree.is_leaf] != 0.0, axis=(0, 1))
            features.append(tree.column_feature[read])
    return np.unique(np.concatenate(features)).astype(np.intp)
