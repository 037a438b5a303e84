"""A tree of gates row by row and node by node, from the formulas of the joint fit.

With u an inner node and x' = (x - mean_u) / sqrt(var_u + 0.01), mean and variance over the rows
that reach u in the hard tree, a row goes to child 1 with probability 1 / (1 + exp(-(w.x' + b))).
The objective is -sum log(0.98 P(y|x) + 0.02/K) + l2/2 sum |w|^2 + 0.0005 sum b^2 - 0.1/K sum
over leaves and classes of log pi.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from oracles.criterion import Vector


@dataclass
class Gates:
    """The parameters of every node: w and b of an inner node, pi of a leaf."""

    w: dict[int, Vector]
    b: dict[int, float]
    pi: dict[int, Vector]


def unpacked(parameters: Vector, children: NDArray[np.int32], d: int, n_classes: int) -> Gates:
    """Read the parameters: w and b of the inner nodes, then the logits of the leaves."""
    gates = Gates({}, {}, {})
    place = 0
    for node, (first, _) in enumerate(children):
        if first >= 0:
            gates.w[node] = parameters[place : place + d]
            gates.b[node] = float(parameters[place + d])
            place += d + 1
    for node, (first, _) in enumerate(children):
        if first < 0:
            logits = parameters[place : place + n_classes]
            gates.pi[node] = np.exp(logits) / np.exp(logits).sum()
            place += n_classes
    assert place == len(parameters)
    return gates


def below(node: int, children: NDArray[np.int32]) -> set[int]:
    """Return a node and everything under it."""
    if children[node, 0] < 0:
        return {node}
    return {node} | below(children[node, 0], children) | below(children[node, 1], children)


def filled_at(
    node: int, Z: Vector, weight: Vector, leaf: NDArray[np.int32], children: NDArray[np.int32]
) -> tuple[Vector, Vector, Vector]:
    """Return all rows with missing values filled for a node, and mean and scale of its own rows."""
    here = np.isin(leaf, list(below(node, children)))
    own, own_weight = Z[here], weight[here]
    fill = np.zeros(Z.shape[1])
    for j in range(Z.shape[1]):
        present = ~np.isnan(own[:, j])
        if present.any():
            fill[j] = np.average(own[present, j], weights=own_weight[present])
    complete = np.where(np.isnan(Z), fill, Z)
    mean = np.average(complete[here], axis=0, weights=own_weight)
    variance = np.average((complete[here] - mean) ** 2, axis=0, weights=own_weight)
    return complete, mean, np.sqrt(variance + 0.01)


def class_probability(
    row: int,
    node: int,
    scaled: dict[int, Vector],
    children: NDArray[np.int32],
    gates: Gates,
) -> Vector:
    """Return P(. | x) of a row that is at a node."""
    if children[node, 0] < 0:
        return gates.pi[node]
    gate = 1.0 / (1.0 + np.exp(-(gates.w[node] @ scaled[node][row] + gates.b[node])))
    first, second = (
        class_probability(row, int(child), scaled, children, gates) for child in children[node]
    )
    return (1.0 - gate) * first + gate * second


def objective(
    parameters: Vector,
    l2: float,
    Z: Vector,
    y: NDArray[np.int32],
    weight: Vector,
    leaf: NDArray[np.int32],
    children: NDArray[np.int32],
    n_classes: int,
) -> float:
    """Return what the joint fit minimises; no branch is skipped."""
    gates = unpacked(parameters, children, Z.shape[1], n_classes)
    scaled = {}
    for node in gates.w:
        complete, mean, scale = filled_at(node, Z, weight, leaf, children)
        scaled[node] = (complete - mean) / scale
    loss = 0.0
    for row in range(len(Z)):
        p = class_probability(row, 0, scaled, children, gates)[y[row]]
        loss -= weight[row] * np.log(0.98 * p + 0.02 / n_classes)
    loss += 0.5 * l2 * sum(float(w @ w) for w in gates.w.values())
    loss += 0.0005 * sum(b * b for b in gates.b.values())
    return loss - 0.1 / n_classes * sum(float(np.log(pi).sum()) for pi in gates.pi.values())
