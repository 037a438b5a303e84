"""Monotonic constraints as a law of the fitted tree.

A prediction is monotone in a column if, all others equal, it never falls (or never rises) as the
column grows. Two conditions on a tree are sufficient, and both are easy to see in it:

Tests
    All constrained coefficients of a test point to the same child: a row whose column moves in its
    direction never leaves this *upper* child.
Leaves
    At each test that reads a constrained column, no leaf below the other child has a higher value
    than a leaf below the upper child.

Then the prediction is monotone everywhere, with hard tests and with soft gates
(``src/core/tree/ordered_values.hpp``), whatever stands in for a missing value of another column.
Growth keeps the first condition; `ordered` establishes the second: the values of the leaves become
those nearest in squared error, or likelihood, that have the order (isotonic regression). Every step
that counts a tree again calls it.
"""

from __future__ import annotations

from typing import TypeVar, cast

import numpy as np
import numpy.typing as npt

from aslant import _core
from aslant.tree.regression_tree import RegressionTree
from aslant.tree.tree import Tree

Vector = npt.NDArray[np.float64]
AnyTree = TypeVar("AnyTree", bound=Tree)


def test_orders(tree: Tree) -> npt.NDArray[np.int32]:
    """Return the upper child of each test: 1 or -1 for child 1 or child 0, 0 if it has none.

    Raises
    ------
    ValueError
        If the constrained coefficients of a test point to different children.
    """
    order = np.zeros(tree.n_nodes, dtype=np.int32)
    if not tree.column_sign.any():
        return order
    node_of_row = np.repeat(np.arange(tree.n_nodes), np.diff(tree.row_start))
    node = np.repeat(node_of_row, np.diff(tree.coef_start))
    points_to = np.sign(tree.coef_value) * tree.column_sign[tree.coef_column]
    highest, lowest = np.zeros(tree.n_nodes), np.zeros(tree.n_nodes)
    np.maximum.at(highest, node, points_to)
    np.minimum.at(lowest, node, points_to)
    several = np.diff(tree.row_start) > 1
    broken = ((highest > 0) & (lowest < 0)) | (several & ((highest > 0) | (lowest < 0)))
    if broken.any():
        raise ValueError(
            f"the test of node {int(np.flatnonzero(broken)[0])} breaks the monotonic constraints "
            "of the tree"
        )
    order[:] = highest + lowest
    return order


def ordered(tree: AnyTree) -> AnyTree:
    """Return the tree with leaf values that keep its monotonic constraints.

    Class counts of a leaf become its weight times the new shares.
    """
    order = test_orders(tree)
    if not order.any():
        return tree
    weight = tree.weighted_n_node_samples
    regression = isinstance(tree, RegressionTree)
    old = tree.value[:, 0] if regression else tree.value[:, 1] / weight
    new = _ordered_values(tree, order, old, weight)
    moved = np.where(tree.is_leaf, new != old, np.abs(new - old) > 1e-12 * np.abs(old).max())
    if not moved[tree.is_leaf].any():
        return tree
    if isinstance(tree, RegressionTree):
        error = np.where(moved, tree.error + (new - old) ** 2, tree.error)
        value = np.where(moved, new, old)
        return cast(AnyTree, tree.rebuilt(value=value[:, np.newaxis], error=error))
    counts = np.column_stack([1.0 - new, new]) * weight[:, np.newaxis]
    return tree.rebuilt(value=np.where(moved[:, np.newaxis], counts, tree.value))


def merged(tree: AnyTree) -> AnyTree:
    """Return a constrained tree in which subtrees of equal leaves are one leaf."""
    if not tree.column_sign.any():
        return tree
    weight = tree.weighted_n_node_samples
    value = tree.value[:, 0] if isinstance(tree, RegressionTree) else tree.value[:, 1] / weight
    low, high = value.copy(), value.copy()
    low[~tree.is_leaf], high[~tree.is_leaf] = np.inf, -np.inf
    for depth in range(tree.max_depth, 0, -1):
        nodes = np.flatnonzero(tree.depth == depth)
        np.minimum.at(low, tree.parent[nodes], low[nodes])
        np.maximum.at(high, tree.parent[nodes], high[nodes])
    equal = (high - low <= 1e-12 * np.abs(value).max()) & ~tree.is_leaf
    if not equal.any():
        return tree
    if isinstance(tree, RegressionTree):  # no mean of equal numbers is rounded
        tree = tree.rebuilt(value=np.where(equal, low, value)[:, np.newaxis])
    return tree.pruned(np.flatnonzero(equal))


def ordered_probabilities(tree: Tree, probability: Vector, weight: Vector | None = None) -> Vector:
    """Return class probabilities of nodes whose leaves keep the constraints of the tree.

    Parameters
    ----------
    tree : Tree
        The tree.
    probability : ndarray of shape (n_nodes, n_classes)
        Class probabilities; constrained trees have two classes.
    weight : ndarray of shape (n_nodes,), optional
        Weights of the leaves; by default those of their training rows.
    """
    order = test_orders(tree)
    if not order.any():
        return probability
    if weight is None:
        weight = tree.weighted_n_node_samples
    second = _ordered_values(tree, order, probability[:, 1], weight)
    found = probability.copy()
    moved = tree.is_leaf & (second != probability[:, 1])
    found[moved] = np.column_stack([1.0 - second[moved], second[moved]])
    return found


def _ordered_values(
    tree: Tree, order: npt.NDArray[np.int32], value: Vector, weight: Vector
) -> Vector:
    return _core.ordered_values(tree.children, order, value, weight)
