"""The linear functions of leaves, which regression trees and logit trees share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from aslant.tree.logit_tree import LogitTree
    from aslant.tree.regression_tree import RegressionTree
    from aslant.tree.tree import Tree

Vector = npt.NDArray[np.float64]
Matrix = npt.NDArray[np.floating[Any]]


def columns_of(tree: Tree, X: Matrix) -> Vector:
    """Return the encoded columns of rows, NaN where a value is missing."""
    columns = X[:, tree.column_feature].astype(np.float64)
    is_level = tree.column_level >= 0
    if is_level.any():
        codes = columns[:, is_level]
        inside = (codes == tree.column_level[is_level]).astype(np.float64)
        columns[:, is_level] = np.where(np.isnan(codes), np.nan, inside)
    return columns


def linear_leaves_of(tree: Tree) -> RegressionTree | LogitTree | None:
    """Return the tree if its leaves are linear functions, else None."""
    return cast("RegressionTree | LogitTree", tree) if tree.is_linear else None


def linear_function(tree: RegressionTree | LogitTree, node: int, columns: Vector) -> Vector:
    """Return the outputs of a linear leaf for rows given by their encoded columns."""
    distance = deviations(columns, tree.leaf_center[node])
    change = _in_range_or_infinite(distance, tree.leaf_coef[node].T)
    return np.clip(tree.leaf_value[node] + change, tree.leaf_low[node], tree.leaf_high[node])


def deviations(columns: Vector, center: Vector) -> Vector:
    """Return the distances from the center; a missing value is at the center."""
    with np.errstate(over="ignore"):
        distance = columns - center
    return np.nan_to_num(distance, nan=0.0)


def _in_range_or_infinite(distance: Vector, coef: Vector) -> Vector:
    """Return ``distance @ coef``; a sum beyond the range of numbers is infinite, never NaN."""
    with np.errstate(over="ignore", invalid="ignore"):
        total = distance @ coef
        beyond = ~np.isfinite(total).all(axis=1)
        if beyond.any():  # the small terms that this loses do not count beside the large ones
            total[beyond] = np.ldexp(np.ldexp(distance[beyond], -520) @ np.ldexp(coef, -520), 1040)
    return total
