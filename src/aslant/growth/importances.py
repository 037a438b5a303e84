"""Impurity summed up: the risk of nodes, and the importance of features."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import issparse

from aslant.encoding.sample import Matrix
from aslant.tree.tree import Tree


def impurity_risk(tree: Tree) -> npt.NDArray[np.float64]:
    """Impurity of each node weighted by its share of the rows, scikit-learn's R(t)."""
    weight = tree.weighted_n_node_samples
    return tree.impurity * weight / weight[0]


def importances(tree: Tree, spread: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Normalised total decrease of impurity by feature."""
    risk = impurity_risk(tree)
    decrease = risk.copy()
    np.subtract.at(decrease, tree.parent[1:], risk[1:])
    decrease[tree.is_leaf] = 0.0

    # Every coefficient has a share in the decrease of its node.
    node_of_row = np.repeat(np.arange(tree.n_nodes), np.diff(tree.row_start))
    node = np.repeat(node_of_row, np.diff(tree.coef_start))
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        size = np.abs(tree.coef_value) * spread[tree.coef_column]
        share = size / np.bincount(node, size, tree.n_nodes)[node]
    equal = 1.0 / np.bincount(node, minlength=tree.n_nodes)[node]
    share = np.where(np.isfinite(share), share, equal)  # where sizes overflow or all vanish
    feature = tree.column_feature[tree.coef_column]
    gain = np.maximum(decrease, 0.0)[node] * share
    importance = np.bincount(feature, gain, tree.n_features).astype(np.float64)
    total = importance.sum()
    return importance / total if total > 0.0 else importance


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
    for j, (feature, level) in enumerate(zip(column_feature, column_level, strict=True)):
        column = X[:, feature].astype(np.float64, copy=False)
        column = column[~np.isnan(column)]
        with np.errstate(over="ignore", invalid="ignore"):
            if len(column):
                spread[j] = np.std(column if level < 0 else column == level)
    return spread
