"""The joint fit of a regression tree, and what its gates predict.

Targets are counted from their means in units of their deviations while the tree is fitted. Each
leaf has a Gaussian about its mean or linear function, all of one width, which is fitted too; the
mathematics is in ``src/core/refine/number_leaves.cpp``. When the gates are hard again the leaves
are fitted to their own rows, as in every regression tree (`aslant.tree.linear_leaves`); a function
reads only those columns that the L1 penalty has left in it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from aslant import _core
from aslant.encoding.sample import Sample
from aslant.refine.gates import core_gates
from aslant.refine.soft import Mask, SoftModel
from aslant.tree.linear_function import columns_of
from aslant.tree.linear_leaves import with_linear_leaves
from aslant.tree.regression_tree import RegressionTree
from aslant.tree.tree import Tree

Vector = npt.NDArray[np.float64]

# The width of the Gaussians begins at no less than this share of the deviation of the targets.
_LEAST_WIDTH = 0.01


class RegressionModel(SoftModel):
    """The likelihood of the numbers of a sample under a tree whose tests are gates.

    Its parameters are w and b of every gate, then those of the function of every leaf and output,
    then the logarithm of the width. Leaves that predict means keep w at zero.
    """

    tree: RegressionTree

    def _target(self) -> Vector:
        y = np.reshape(self.sample.y, (len(self.sample), -1))
        weight = self.sample.weight
        self.center = np.average(y, axis=0, weights=weight)
        spread = np.sqrt(np.average((y - self.center) ** 2, axis=0, weights=weight))
        self.unit = np.where(spread > 0.0, spread, 1.0)
        return np.ascontiguousarray((y - self.center) / self.unit)

    def _fills(self) -> Vector:
        leaves = np.flatnonzero(self.tree.is_leaf)
        fills = np.full((len(leaves), self.tree.n_columns), np.nan)
        if self.tree.is_linear:
            fills = self.tree.leaf_center[leaves]
        return np.concatenate([super()._fills(), np.repeat(fills, self.tree.n_outputs, axis=0)])

    def _affordable(self, w: Vector, l2: float) -> Vector:
        """Return 1: a density has no upper bound, so any gate may gain more than its penalty."""
        return np.ones(len(w))

    def _start_of_leaves(self) -> Vector:
        """Return the functions of the leaves in the coordinates of the core, and the width."""
        tree, columns = self.tree, self.columns
        leaves = np.repeat(np.flatnonzero(tree.is_leaf), tree.n_outputs)
        planes = np.zeros((len(leaves), self.n_columns + 1))
        unit = np.tile(self.unit, len(leaves) // tree.n_outputs)
        planes[:, -1] = ((tree.value[tree.is_leaf] - self.center) / self.unit).ravel()
        if tree.is_linear:
            here = slice(len(self.inner), None)
            coef = tree.leaf_coef[tree.is_leaf].reshape(planes[:, :-1].shape) / unit[:, np.newaxis]
            middle = columns.fills_to_input(self._core.mean[here]) - tree.leaf_center[leaves]
            with np.errstate(over="ignore", invalid="ignore"):  # values near the largest number
                planes[:, -1] += (coef * middle).sum(axis=1)
                planes[:, :-1] = coef * columns.unit * columns.deviation * self._core.scale[here]
            planes = np.nan_to_num(planes, posinf=0.0, neginf=0.0)
        error = self.tree.predict(self.sample.X) - np.reshape(self.sample.y, (-1, tree.n_outputs))
        squares = np.average((error / self.unit) ** 2, axis=0, weights=self.sample.weight).mean()
        width = max(float(np.sqrt(squares)), _LEAST_WIDTH)
        return np.append(planes.ravel(), np.log(width))

    def _units_of_penalty(self, start: Vector) -> Vector:
        """Slopes along the functions of leaves grow with the precision of the targets."""
        units = super()._units_of_penalty(start)
        units[len(self.inner) :] /= np.exp(start[-1])
        return units

    def _fixed(self, fixed: Mask | None) -> Mask:
        if self.tree.is_linear:
            return super()._fixed(fixed)
        stays = np.zeros(self._core.n_parameters, dtype=bool) if fixed is None else fixed.copy()
        self.weights(stays)[len(self.inner) :] = True
        return stays

    def with_leaves(
        self,
        tree: Tree,
        nodes: npt.NDArray[np.intp],
        parameters: Vector,
        sample: Sample,
        leaves_only: bool,
    ) -> Tree:
        """Return the hard tree with the functions of its leaves, fitted to the rows of a sample."""
        if not self.tree.is_linear:
            return tree
        leaves = np.flatnonzero(self.tree.is_leaf)
        read = self.weights(parameters)[len(self.inner) :] != 0.0
        allowed = np.ones((self.tree.n_nodes, self.n_columns), dtype=bool)
        allowed[leaves] = read.reshape(len(leaves), -1, self.n_columns).any(axis=1)
        return with_linear_leaves(
            cast(RegressionTree, tree),
            sample,
            False,
            allowed=allowed[nodes],
            leaves_only=leaves_only,
        )


@dataclass(frozen=True, eq=False)
class RegressionGates:
    """What a regression tree needs for soft predictions, besides its tests and leaves.

    A row goes to child 1 with probability ``1 / (1 + exp(-steepness * (coef @ x - threshold)))``.
    Its prediction is the mean of what all leaves predict for it, weighted by the probability of
    reaching them.

    Attributes
    ----------
    tree : RegressionTree
        The tree.
    steepness : ndarray of shape (n_nodes,)
        How sharply each test divides; 0 at leaves.
    """

    tree: RegressionTree
    steepness: Vector

    @cached_property
    def _core(self) -> _core.SoftPrediction:
        return core_gates(self.tree, self.steepness, np.zeros((self.tree.n_nodes, 1)), 1.0)

    def check(self) -> None:
        """Raise ValueError unless the parts belong together."""
        _ = self._core

    def state(self) -> dict[str, Any]:
        """Return what to keep besides the tree."""
        return {"steepness": self.steepness}

    def predict(self, X: npt.NDArray[np.floating[Any]], *, n_threads: int = 1) -> Vector:
        """Return the predictions for encoded rows, shape (n_rows, n_outputs)."""
        tree = self.tree
        reach = self._core.reach(X, n_threads)
        leaves = np.flatnonzero(tree.is_leaf)
        if not tree.is_linear:
            return np.asarray(reach @ tree.value[leaves])
        columns = columns_of(tree, X)
        total = np.zeros((len(X), tree.n_outputs))
        for number, leaf in enumerate(leaves.tolist()):
            total += reach[:, number, np.newaxis] * tree.predict_at(leaf, columns)
        return total

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.tree, self.steepness)
