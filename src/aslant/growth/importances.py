"""Impurity summed up: the risk of nodes, and the importance of features."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import issparse

from aslant.encoding.sample import Matrix
from aslant.tree.linear_function import linear_leaves_of
from aslant.tree.logit_tree import LogitTree
from aslant.tree.regression_tree import RegressionTree
from aslant.tree.tree import Tree

Vector = npt.NDArray[Any]

_TRACE = 1e-9


def impurity_risk(tree: Tree) -> npt.NDArray[np.float64]:
    """Impurity of each node weighted by its share of the rows, scikit-learn's R(t)."""
    weight = tree.weighted_n_node_samples
    return tree.impurity * weight / weight[0]


def importances(tree: Tree, spread: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Normalised total decrease of impurity by feature, by tests and by linear leaves."""
    risk = impurity_risk(tree)
    decrease = risk.copy()
    np.subtract.at(decrease, tree.parent[1:], risk[1:])
    decrease[tree.is_leaf] = _explained_by_leaves(tree, risk)[tree.is_leaf]

    # Every coefficient has a share in the decrease of its node.
    node_of_row = np.repeat(np.arange(tree.n_nodes), np.diff(tree.row_start))
    node = np.repeat(node_of_row, np.diff(tree.coef_start))
    leaf, leaf_column, slope = _leaf_coefficients(tree)
    node, column = np.append(node, leaf), np.append(tree.coef_column, leaf_column)
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        size = np.append(np.abs(tree.coef_value), slope) * spread[column]
        share = size / np.bincount(node, size, tree.n_nodes)[node]
    equal = 1.0 / np.bincount(node, minlength=tree.n_nodes)[node]
    share = np.where(np.isfinite(share), share, equal)  # where sizes overflow or all vanish
    feature = tree.column_feature[column]
    gain = np.maximum(decrease, 0.0)[node] * share
    importance = np.bincount(feature, gain, tree.n_features).astype(np.float64)
    total = importance.sum()
    return importance / total if total > 0.0 else importance


def _explained_by_leaves(tree: Tree, risk: Vector) -> Vector:
    """Return the decrease of impurity by the function of each node as a leaf; 0 if it is constant.

    Of a regression tree, the squared error of the mean minus that of the function. A classification
    tree does not store the log-loss of its functions: all impurity of the leaf counts as explained.
    """
    if isinstance(tree, LogitTree):
        return risk
    if not isinstance(tree, RegressionTree) or not tree.is_linear:
        return np.zeros(tree.n_nodes)
    weight = tree.weighted_n_node_samples / tree.weighted_n_node_samples[0]
    with np.errstate(invalid="ignore"):  # infinite squares
        explained = np.nan_to_num(risk - tree.error * weight, nan=0.0, posinf=0.0)
    # The error of a function leaves each row out, that of the mean does not and may be smaller. A
    # slope counts at least a trace, so every feature of a formula has an importance.
    return np.maximum(explained, _TRACE * np.abs(risk))


def _leaf_coefficients(tree: Tree) -> tuple[Vector, Vector, Vector]:
    """Return leaf, column and size of the slopes of linear leaves, summed over the outputs."""
    linear = linear_leaves_of(tree)
    if linear is None:
        none = np.zeros(0, dtype=np.intp)
        return none, none, np.zeros(0)
    size = np.abs(linear.leaf_coef).sum(axis=1) * tree.is_leaf[:, np.newaxis]
    leaf, column = np.nonzero(size)
    return leaf, column, size[leaf, column]


def mean_importances(
    each: Sequence[npt.NDArray[np.float64]], weights: npt.NDArray[np.float64] | None = None
) -> npt.NDArray[np.float64]:
    """Return the mean over several trees, as shares again: a tree without a test has none."""
    mean = np.average(each, axis=0, weights=weights)
    total = mean.sum()
    return np.asarray(mean / total if total > 0.0 else mean)


def _sparse_spread(X: Any) -> npt.NDArray[np.float64]:
    """Return the standard deviation of the columns of a sparse matrix, missing values left out."""
    known = ~np.isnan(X.data)
    column, value = X.indices[known], X.data[known].astype(np.float64)
    n_columns = X.shape[1]
    n = X.shape[0] - np.bincount(X.indices[~known], minlength=n_columns)
    n = np.maximum(n, 1)
    with np.errstate(over="ignore", invalid="ignore"):
        mean = np.bincount(column, value, n_columns) / n
        squares = np.bincount(column, (value - mean[column]) ** 2, n_columns)
        zeros = n - np.bincount(column, minlength=n_columns)
        return np.asarray(np.sqrt((squares + zeros * mean**2) / n))


def column_spread(
    X: Matrix, column_feature: npt.NDArray[np.int32], column_level: npt.NDArray[np.int32]
) -> npt.NDArray[np.float64]:
    """Return the standard deviation of every encoded column over the training rows."""
    if issparse(X):
        return _sparse_spread(X)
    spread = np.zeros(len(column_feature))
    for feature in np.unique(column_feature):
        columns = np.flatnonzero(column_feature == feature)
        level = column_level[columns]
        values = X[:, feature].astype(np.float64, copy=False)
        values = values[~np.isnan(values)]
        if not len(values):
            continue
        if level[0] >= 0:  # indicators
            share = np.bincount(values.astype(np.intp), minlength=level.max() + 1) / len(values)
            spread[columns] = np.sqrt(share * (1.0 - share))[level]
        else:
            with np.errstate(over="ignore", invalid="ignore"):
                spread[columns] = np.std(values)
    return spread
