"""Pruning by message length.

C. S. Wallace and J. D. Patrick, *Coding Decision Trees*, Machine Learning 11:7-22, 1993; P. J. Tan
and D. L. Dowe, *MML Inference of Oblique Decision Trees*, 2004.

Idea
    Of all trees that collapsing nodes can make of the grown one, the one whose message is shortest:
    see `aslant.mml`. The bits of a message add up over the nodes, so one pass from the bottom up
    finds it. No rows are held out.

Where the papers are silent
    They stop growing instead, and so miss a split that pays only through those below it. A branch
    as long as the leaf becomes a leaf.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt

from aslant.mml.code import MessageCode, leaf_bits
from aslant.mml.message import NodeBits, node_message
from aslant.prune.base import Grown, Pruner, collapsed
from aslant.tree.tree import Tree

# Lengths that differ by less, in bits, are equal but for rounding.
_ROUNDING = 1e-9


class MessageLengthPruning(Pruner):
    """The pruning whose message is shortest.

    Parameters
    ----------
    alpha : float or 'tree', default=1.0
        Prior count of every class in the code of a leaf; ``"tree"`` chooses the best of
        `aslant.mml.code.ALPHAS` for the whole tree, which costs log2(6) bits.
    direction : {'cap', 'paper', 'paper_all'}, default='cap'
        What a direction costs: the exact share of the sphere; the formula of the paper, in the
        dimensions of the test; or that formula in the dimensions of all features, as the paper's
        text has it.
    position : {'gap', 'pair', 'none'}, default='gap'
        What a cut costs along its direction: one of the gaps, a pair of points, or nothing.
    max_features_per_test : int or None, default=None
        Most features in a test, as the message has it; None is all of them.
    min_features_per_test : int, default=1
        The fewest, unless fewer vary at a node.
    attributes : {'subset', 'none'}, default='subset'
        What the choice of a test's features costs: which of those that vary, or nothing.
    """

    def __init__(
        self,
        *,
        alpha: float | Literal["tree"] = 1.0,
        direction: Literal["cap", "paper", "paper_all"] = "cap",
        position: Literal["gap", "pair", "none"] = "gap",
        max_features_per_test: int | None = None,
        min_features_per_test: int = 1,
        attributes: Literal["subset", "none"] = "subset",
    ) -> None:
        self.alpha = alpha
        self.direction = direction
        self.position = position
        self.max_features_per_test = max_features_per_test
        self.min_features_per_test = min_features_per_test
        self.attributes = attributes

    def _code(self) -> MessageCode:
        return MessageCode(**self.get_params())

    def check(self) -> None:
        """Validate the parameters."""
        self._code().check()

    def prune(self, grown: Grown) -> Tree:
        """Return the pruned tree: see `Pruner.prune`."""
        self.check()
        code = self._code()
        bits = node_message(grown.tree, grown.training, code)
        prunings = [_shortest(grown.tree, bits, alpha) for alpha in code.alphas()]
        _, leaves = min(prunings, key=lambda pruning: pruning[0])
        return collapsed(grown.tree, np.array(leaves, dtype=np.intp))


def _shortest(tree: Tree, bits: NodeBits, alpha: float) -> tuple[float, list[int]]:
    """Return the bits of the shortest message, and the nodes that become leaves for it."""
    as_leaf = (bits.as_leaf + leaf_bits(bits.counts, alpha)).tolist()
    as_test = (bits.as_test + bits.parts.sum(axis=1)).tolist()
    shortest: npt.NDArray[np.float64] = np.zeros(tree.n_nodes)
    leaves = []
    for node in range(tree.n_nodes - 1, -1, -1):  # children come after their parents
        children = [child for child in tree.children[node].tolist() if child >= 0]
        below = float(shortest[children].sum())
        if bits.tested[node] and as_test[node] + below < as_leaf[node] - _ROUNDING:
            shortest[node] = as_test[node] + below
        elif bits.tested[node] or bits.leaf[node]:
            shortest[node] = as_leaf[node]
            leaves.append(node)
        else:  # the message says nothing of it, only of the child in its place
            shortest[node] = below
    return float(shortest[0]), leaves
