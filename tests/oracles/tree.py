"""Find the leaf of a row by walking down the tree one split at a time."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from oracles.criterion import Vector


class FlatTree(Protocol):
    """The stored arrays that decide where a row goes."""

    @property
    def children(self) -> NDArray[np.int32]: ...
    @property
    def row_start(self) -> NDArray[np.int32]: ...
    @property
    def coef_start(self) -> NDArray[np.int64]: ...
    @property
    def coef_column(self) -> NDArray[np.int32]: ...
    @property
    def coef_value(self) -> Vector: ...
    @property
    def coef_fill(self) -> Vector: ...
    @property
    def offset(self) -> Vector: ...
    @property
    def column_feature(self) -> NDArray[np.int32]: ...
    @property
    def column_level(self) -> NDArray[np.int32]: ...


def encoded_value(tree: FlatTree, x: Vector, column: int, fill: float) -> float:
    """Return what a row shows in one encoded column: a number, a level's indicator, or the fill."""
    value = float(x[tree.column_feature[column]])
    if np.isnan(value):
        return fill
    level = tree.column_level[column]
    return value if level < 0 else float(value == level)


def projection(tree: FlatTree, x: Vector, row: int) -> float:
    """Return the weighted sum of a row's encoded columns under one row of coefficients."""
    total = 0.0
    for entry in range(tree.coef_start[row], tree.coef_start[row + 1]):
        column, fill = tree.coef_column[entry], float(tree.coef_fill[entry])
        total += float(tree.coef_value[entry]) * encoded_value(tree, x, column, fill)
    return total


def chosen_child(tree: FlatTree, x: Vector, node: int) -> int:
    """Return which child of a node a row goes to: 0 or 1 by a hyperplane, k by a linear machine."""
    first, last = int(tree.row_start[node]), int(tree.row_start[node + 1])
    if last - first == 1:
        return 0 if projection(tree, x, first) <= tree.offset[first] else 1
    values = [projection(tree, x, row) + float(tree.offset[row]) for row in range(first, last)]
    return values.index(max(values))


def apply(tree: FlatTree, X: Vector, start: int = 0) -> NDArray[np.int64]:
    """Return the leaf that each row reaches from the node ``start``."""
    leaves = []
    for x in X:
        node = start
        while tree.row_start[node + 1] > tree.row_start[node]:
            node = int(tree.children[node, chosen_child(tree, x, node)])
        leaves.append(node)
    return np.array(leaves, dtype=np.int64)
