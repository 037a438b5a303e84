"""A tree of gates with Gaussian leaves, row by row and node by node, from the formulas.

The gates are those of `oracles.soft_tree`. Leaf l predicts output k by a_lk.x' + m_lk, x' being the
coordinates of the leaf, with Gaussian errors of one width s for all leaves. The objective is -sum
log(sum over leaves of P(leaf | x) prod_k exp(-(y_k - mean_lk)^2 / (2 s^2)) / s) + l2/2 sum of
all |w|^2 and |a|^2 + 0.0005 sum of all b^2 and m^2 + K log s + 0.1^2 / (2 s^2). Constant factors of
the densities are left out.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from oracles.criterion import Vector
from oracles.soft_tree import filled_at


def reached(
    node: int, row: int, planes: dict[int, Vector], scaled: dict[int, Vector], children: NDArray
) -> dict[int, float]:
    """Return the probability of each leaf below a node for a row that is there."""
    if children[node, 0] < 0:
        return {node: 1.0}
    plane = planes[node][0]
    gate = 1.0 / (1.0 + np.exp(-(plane[:-1] @ scaled[node][row] + plane[-1])))
    found = {}
    for child, share in zip(children[node].tolist(), (1.0 - gate, gate), strict=True):
        for leaf, chance in reached(child, row, planes, scaled, children).items():
            found[leaf] = share * chance
    return found


def objective(
    parameters: Vector,
    l2: float,
    Z: Vector,
    y: Vector,
    weight: Vector,
    leaf: NDArray[np.int32],
    children: NDArray[np.int32],
    n_classes: int = 0,
) -> float:
    """Return what the joint fit minimises; no branch is skipped."""
    n_outputs, d = y.shape[1], Z.shape[1]
    inner = [node for node in range(len(children)) if children[node, 0] >= 0]
    leaves = [node for node in range(len(children)) if children[node, 0] < 0]
    owners = inner + [node for node in leaves for _ in range(n_outputs)]
    planes: dict[int, list[Vector]] = {}
    for number, node in enumerate(owners):
        own = parameters[number * (d + 1) : (number + 1) * (d + 1)]
        planes.setdefault(node, []).append(own)
    width = float(np.exp(parameters[-1]))
    assert len(parameters) == len(owners) * (d + 1) + 1
    scaled = {}
    for node in range(len(children)):
        complete, mean, scale = filled_at(node, Z, weight, leaf, children)
        scaled[node] = (complete - mean) / scale
    loss = 0.0
    for row in range(len(Z)):
        density = 0.0
        for node, chance in reached(0, row, planes, scaled, children).items():
            for k in range(n_outputs):
                plane = planes[node][k]
                error = y[row, k] - (plane[:-1] @ scaled[node][row] + plane[-1])
                chance *= np.exp(-(error**2) / (2.0 * width**2)) / width
            density += chance
        loss -= weight[row] * np.log(density)
    for plane in (plane for own in planes.values() for plane in own):
        loss += 0.5 * l2 * float(plane[:-1] @ plane[:-1]) + 0.0005 * float(plane[-1] ** 2)
    return loss + n_outputs * float(parameters[-1]) + 0.1**2 / (2.0 * width**2)
