"""What rows come to in the tests of a tree: values of columns, rows at nodes, digits needed."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from aslant.tree.tree import Tree

Rows = npt.NDArray[np.floating[Any]]
Array = npt.NDArray[np.float64]


def column_values(tree: Tree, rows: Rows, columns: npt.NDArray[Any], fill: Array) -> Array:
    """Return the values of encoded columns, with ``fill`` (one a column) where they are missing."""
    raw = np.asarray(rows[:, tree.column_feature[columns]], dtype=np.float64)
    level = tree.column_level[columns]
    values = np.where(level >= 0, raw == level, raw)
    return np.where(np.isnan(raw), fill, values)


def rows_at_nodes(tree: Tree, rows: Rows) -> list[npt.NDArray[np.intp]]:
    """Return the numbers of the rows that pass each node."""
    path = tree.decision_path(rows).tocsc()
    return [path.indices[path.indptr[i] : path.indptr[i + 1]] for i in range(tree.n_nodes)]


class KnownRows:
    """Rows, by the nodes that they pass."""

    def __init__(self, tree: Tree, encoded: Rows) -> None:
        self.tree = tree
        self.encoded = encoded
        self.at = rows_at_nodes(tree, encoded)

    def values(self, node: int, columns: npt.NDArray[Any], fill: Array) -> Array:
        """Return the values of columns for the rows at a node."""
        return column_values(self.tree, self.encoded[self.at[node]], columns, fill)

    def child(self, node: int) -> npt.NDArray[np.intp]:
        """Return which child each row at a node goes to."""
        taken = np.zeros(len(self.encoded), dtype=np.intp)
        for k, child in enumerate(self.tree.children[node]):
            if child >= 0:
                taken[self.at[child]] = k
        return taken[self.at[node]]
