"""Soft probabilities: the tests of a tree as gates that a row passes with a probability."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from aslant import _core
from aslant.encoding.sample import Sample
from aslant.tree.monotone import ordered_probabilities
from aslant.tree.tree import Tree

Vector = npt.NDArray[np.float64]

_LEAF_ITERATIONS = 30


@dataclass(frozen=True, eq=False)
class SoftGates:
    """What a tree needs for soft probabilities, besides its tests.

    A row goes to child 1 with probability ``1 / (1 + exp(-steepness * (coef @ x - threshold)))``.
    Its class probabilities are the shares of all leaves, weighted by the probability of reaching
    them, raised to the exponent and made to sum to one.

    Attributes
    ----------
    tree : Tree
        The tree.
    steepness : ndarray of shape (n_nodes,)
        How sharply each test divides; 0 at leaves.
    share : ndarray of shape (n_nodes, n_classes)
        Class shares of the leaves; 0 at inner nodes.
    exponent : float
        Above 1 probabilities are more certain than the gates say, below 1 less.
    """

    tree: Tree
    steepness: Vector
    share: Vector
    exponent: float = 1.0

    @classmethod
    def fitted(cls, tree: Tree, steepness: Vector, sample: Sample) -> Self:
        """Fit the class probabilities of the leaves to a sample, the gates being given."""
        leaves = np.flatnonzero(tree.is_leaf)
        reach = core_gates(tree, steepness, np.zeros((tree.n_nodes, 1)), 1.0).reach(sample.X, 1)
        share = np.zeros(tree.value.shape)
        counts, n_classes = tree.value[leaves], tree.n_classes
        start = (counts + 1.0 / n_classes) / (counts.sum(axis=1, keepdims=True) + 1.0)
        share[leaves] = _core.leaf_shares(reach, sample.y, sample.weight, start, _LEAF_ITERATIONS)
        weight = np.zeros(tree.n_nodes)
        weight[leaves] = sample.weight @ reach
        return cls(tree, steepness, ordered_probabilities(tree, share, weight))

    @cached_property
    def _core(self) -> _core.SoftPrediction:
        return core_gates(self.tree, self.steepness, self.share, self.exponent)

    def probabilities(
        self, X: npt.NDArray[np.floating[Any]], *, n_threads: int = 1
    ) -> npt.NDArray[np.float64]:
        """Return the class probabilities of encoded rows."""
        return self._core.predict(X, n_threads)

    def check(self) -> None:
        """Raise ValueError unless the parts belong together."""
        if np.shape(self.share) != self.tree.value.shape:
            raise ValueError("the gates have other nodes or classes than the tree")
        _ = self._core  # which looks at everything else

    def state(self) -> dict[str, Any]:
        """Return what to keep besides the tree."""
        return {"steepness": self.steepness, "share": self.share, "exponent": self.exponent}

    def sharpened(self, exponent: float) -> SoftGates:
        """Return the same gates with another exponent."""
        return replace(self, exponent=exponent)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.tree, self.steepness, self.share, self.exponent)


def core_gates(
    tree: Tree, steepness: Vector, share: Vector, exponent: float
) -> _core.SoftPrediction:
    """Return the gates of a tree as the core reads them, which checks them."""
    return _core.SoftPrediction(
        children=tree.children[:, :2],
        coef_start=tree.coef_start[tree.row_start],
        coef_column=tree.coef_column,
        coef_value=tree.coef_value,
        coef_fill=tree.coef_fill,
        threshold=np.nan_to_num(tree.threshold),
        steepness=np.asarray(steepness, dtype=np.float64),  # a file may hold anything
        share=np.asarray(share, dtype=np.float64),
        column_feature=tree.column_feature,
        column_level=tree.column_level,
        exponent=exponent,
    )


def best_exponent(probability: Vector, y: npt.NDArray[np.int32], weight: Vector) -> float:
    """Return the exponent under which probabilities give the classes the greatest likelihood.

    The logarithm of the likelihood is concave in the exponent; its maximum between 1/10 and 10 is
    found by Newton's steps, halved where they leave the bounds that are known.
    """
    log_p = np.log(np.maximum(probability, 1e-300))
    own = log_p[np.arange(len(y)), y]
    low, high, exponent = 0.1, 10.0, 1.0
    for _ in range(40):
        relative = np.exp(exponent * (log_p - log_p.max(axis=1, keepdims=True)))
        relative /= relative.sum(axis=1, keepdims=True)
        expected = (relative * log_p).sum(axis=1)
        slope = float(weight @ (own - expected))
        curvature = float(weight @ ((relative * log_p**2).sum(axis=1) - expected**2))
        low, high = (exponent, high) if slope > 0.0 else (low, exponent)
        step = exponent + slope / curvature if curvature > 0.0 else np.inf
        last, exponent = exponent, step if low < step < high else float(np.sqrt(low * high))
        if abs(exponent - last) <= 1e-4 * last:
            break
    return float(f"{exponent:.3g}")
