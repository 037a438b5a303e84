"""Prediction intervals from the residuals of leaves."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from aslant.tree.tree import Tree

Vector = npt.NDArray[np.float64]


def leaf_intervals(
    tree: Tree,
    leaves: npt.NDArray[Any],
    residuals: Vector,
    weight: Vector,
    coverage: float,
    min_samples: int,
) -> npt.NDArray[np.float64]:
    """Return the quantiles of the residuals at each node, of shape (n_nodes, 2).

    A node with fewer than `min_samples` rows has those of the nearest node above it that has as
    many; the root has all rows.
    """
    order = np.argsort(leaves, kind="stable")
    # The leaves below a node are those from its own number up to the end of its subtree.
    ends = np.stack([np.arange(tree.n_nodes), tree.subtree_end], axis=1)
    spans = np.searchsorted(leaves[order], ends)
    bounds = np.zeros((tree.n_nodes, 2))
    tails = ((1.0 - coverage) / 2.0, (1.0 + coverage) / 2.0)
    for node in range(tree.n_nodes):  # parents come before their children
        inside = order[slice(*spans[node])]
        if node > 0 and len(inside) < min_samples:
            bounds[node] = bounds[tree.parent[node]]
        else:
            bounds[node] = [_quantile(residuals[inside], weight[inside], q) for q in tails]
    return bounds


def _quantile(values: Vector, weight: Vector, q: float) -> float:
    """Return the least value up to which the weights make up the fraction q."""
    order = np.argsort(values, kind="stable")
    total = np.cumsum(weight[order])
    place = np.searchsorted(total, q * total[-1] * (1.0 - 1e-12))
    return float(values[order][min(int(place), len(values) - 1)])
