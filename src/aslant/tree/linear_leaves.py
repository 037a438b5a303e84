"""Linear functions for the nodes of a tree: ridge regression, its strength by leave-one-out.

Idea
    At every node the targets are regressed on the node's columns, counted from their means and in
    units of their standard deviations. The ridge penalty is the one of least leave-one-out error
    among powers of ten and infinity, which is the mean; so a function is never worse than the mean
    by that measure. For a given penalty the leave-one-out error has a closed form (D. M. Allen, The
    relationship between variable selection and data augmentation, 1974): the residual of a row over
    one minus its own share in its fit. One eigendecomposition serves all penalties (G. H. Golub, M.
    Heath and G. Wahba, Generalized cross-validation, 1979).

    Every node gets a function, not only leaves: pruning compares a node as a leaf with the leaves
    below it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from aslant.tree.linear_function import columns_of
from aslant.tree.regression_tree import RegressionTree

if TYPE_CHECKING:
    from aslant.encoding.sample import Sample

Vector = npt.NDArray[np.float64]

# Penalties per unit of weight, for columns of variance 1.
_STRENGTHS = 10.0 ** np.arange(-7.0, 3.5, 0.5)
# A column that varies less than this share of its size varies by rounding only.
_LEAST_SPREAD = 1e-12
# Steeper than this, a slope in the units of the targets would be no number any more.
_LARGEST_SLOPE = 1e307


def with_linear_leaves(
    tree: RegressionTree,
    sample: Sample,
    extrapolate: bool,
    exponent: int = 0,
    allowed: npt.NDArray[np.bool_] | None = None,
    leaves_only: bool = False,
) -> RegressionTree:
    """Return the tree with a linear function at every node, or at its leaves only.

    Parameters
    ----------
    tree : RegressionTree
        A tree of means.
    sample : Sample
        The rows it was grown on.
    extrapolate : bool
        Whether predictions may leave the range of the targets that the node has seen.
    exponent : int, default=0
        The targets of the sample are the real ones divided by this power of two.
    allowed : ndarray of bool of shape (n_nodes, n_columns), optional
        The columns that the function of each node may read; by default all.
    leaves_only : bool, default=False
        Whether inner nodes get no function: enough to predict, not to prune.
    """
    n_nodes, n_outputs, n_columns = tree.n_nodes, tree.n_outputs, tree.n_columns
    y = np.reshape(sample.y, (len(sample), -1))
    columns = columns_of(tree, sample.X)
    coef = np.zeros((n_nodes, n_outputs, n_columns))
    center = np.zeros((n_nodes, n_columns))
    error = tree.error.copy()
    steepest = np.ldexp(_LARGEST_SLOPE, -max(0, exponent))
    low = np.full((n_nodes, n_outputs), -np.inf)
    high = np.full((n_nodes, n_outputs), np.inf)
    for node, rows in tree.rows_by_node(sample.X):
        if leaves_only and not tree.is_leaf[node]:
            continue
        weight = sample.weight[rows]
        center[node], spread = _mean_and_spread(columns[rows], weight)
        if allowed is not None:
            spread = np.where(allowed[node], spread, 0.0)
        if len(rows) > 1:
            steep = np.zeros(n_columns, dtype=bool)
            while True:  # columns that vary too little for their slopes have none
                spread[steep] = 0.0
                distance = _standardized(columns[rows], center[node], spread)
                slopes, error[node] = ridge(distance, y[rows] - tree.value[node], weight)
                varies = spread > 0.0
                steep = varies & (np.abs(slopes).max(axis=1) / steepest > spread)
                if not steep.any():
                    break
            coef[node, :, varies] = slopes[varies] / spread[varies, np.newaxis]
        else:  # one row says nothing of its own error: take that of the node above
            error[node] = error[tree.parent[node]] if node > 0 else 0.0
        if not extrapolate:
            low[node], high[node] = y[rows].min(axis=0), y[rows].max(axis=0)
    arrays = tree.arrays() | {
        "leaf_coef": coef,
        "leaf_center": center,
        "leaf_low": low,
        "leaf_high": high,
        "error": error,
    }
    return RegressionTree(n_features=tree.n_features, **arrays)


def ridge(distance: Vector, target: Vector, weight: Vector) -> tuple[Vector, float]:
    """Return the slopes of least leave-one-out error, and that error.

    Parameters
    ----------
    distance : ndarray of shape (n_rows, n_columns)
        Columns of weighted mean 0 and variance 1; a column of zeros gets the slope 0.
    target : ndarray of shape (n_rows, n_outputs)
        Targets of weighted mean 0.
    weight : ndarray of shape (n_rows,)
        Positive weights.

    Returns
    -------
    slopes : ndarray of shape (n_columns, n_outputs)
        All zero where the mean is best.
    error : float
        Weighted mean of the squared leave-one-out errors, summed over the outputs.
    """
    total, root = weight.sum(), np.sqrt(weight)[:, np.newaxis]
    share_of_mean = weight / total  # what a row has in its own fit by the mean
    scaled = target * root
    best = float(_left_out(scaled[:, :, np.newaxis], share_of_mean[:, np.newaxis], total)[0])
    rotated, variance, axes = _principal(distance * root)
    shrunk = 1.0 / (variance[:, np.newaxis] + _STRENGTHS * total)  # a column for each strength
    share = share_of_mean[:, np.newaxis] + rotated**2 @ shrunk
    fitted = (rotated.T @ scaled)[:, :, np.newaxis] * shrunk[:, np.newaxis]
    predicted = rotated @ fitted.reshape(len(fitted), -1)
    residual = scaled[:, :, np.newaxis] - predicted.reshape(len(rotated), *fitted.shape[1:])
    errors = _left_out(residual, share, total)
    # Of equal errors the strongest penalty, and the mean before all.
    chosen = int(np.flatnonzero(errors <= errors.min() * (1.0 + 1e-9))[-1])
    if not errors[chosen] < best * (1.0 - 1e-9):
        return np.zeros((distance.shape[1], target.shape[1])), best
    return axes @ fitted[:, :, chosen], float(errors[chosen])


def _principal(rows: Vector) -> tuple[Vector, Vector, Vector]:
    """Return the rows in the directions of their principal axes, their squares, and the axes."""
    n_rows, n_columns = rows.shape
    if n_rows > n_columns:
        variance, axes = np.linalg.eigh(rows.T @ rows)
        return rows @ axes, np.maximum(variance, 0.0), axes
    left, size, axes = np.linalg.svd(rows, full_matrices=False)
    return left * size, size**2, axes.T


def _left_out(residual: Vector, share: Vector, total: float) -> Vector:
    """Weighted mean squared errors of rows that are left out, one for each column of shares.

    Infinite where a row decides its own fit. Residuals have the shape (rows, outputs, columns).
    """
    rest = 1.0 - share
    decides = (rest < 1e-10).any(axis=0)
    left_out = residual / np.where(decides, 1.0, rest)[:, np.newaxis]
    return np.where(decides, np.inf, (left_out**2).sum(axis=(0, 1)) / total)


def _mean_and_spread(columns: Vector, weight: Vector) -> tuple[Vector, Vector]:
    """Return weighted mean and standard deviation of each column's present values.

    A deviation of 0 means that there is nothing to fit: no value, or no two different ones.
    """
    present = ~np.isnan(columns)
    # By the largest value, so that nothing overflows.
    size = np.max(np.abs(columns), axis=0, where=present, initial=0.0)
    unit = np.where(size > 0.0, size, 1.0)
    values = np.where(present, columns, 0.0) / unit
    heft = weight[:, np.newaxis] * present
    total = heft.sum(axis=0)
    safe = np.where(total > 0.0, total, 1.0)
    mean = (heft * values).sum(axis=0) / safe
    spread = np.sqrt((heft * np.where(present, values - mean, 0.0) ** 2).sum(axis=0) / safe)
    return mean * unit, np.where(spread > _LEAST_SPREAD, spread * unit, 0.0)


def _standardized(columns: Vector, center: Vector, spread: Vector) -> Vector:
    """Return the columns in units of their deviations; missing values and constants are 0."""
    unit = np.where(spread > 0.0, spread, 1.0)
    scaled = columns / unit - center / unit
    return np.where(np.isnan(scaled) | (spread == 0.0), 0.0, scaled)
