"""A tree as a smooth function of all its tests and leaves, on the rows it is fitted to.

The mathematics is in ``src/core/refine/soft_tree.hpp``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from aslant import _core
from aslant.encoding.sample import Sample
from aslant.refine.columns import StandardColumns
from aslant.tree.monotone import test_orders
from aslant.tree.regression_tree import RegressionTree
from aslant.tree.tree import Tree

Vector = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]

# The hard tests are made as steep as this: mean of |w.x' + b| over the rows of a node.
_START_DISTANCE = 4.0
# The length of w then, if the test reads one feature and that is normal: mean of |x'| 0.8.
_ORDINARY_LENGTH = _START_DISTANCE * np.sqrt(np.pi / 2.0)
# A plane at which all rows lie, up to rounding, has no distance to speak of.
_LEAST_DISTANCE = 1e-100
# Absolute coefficients below this share of their root mean square all have the same penalty.
_LEAST_RELATIVE_SIZE = 0.1
_NO_PENALTY = np.zeros(0)
_NOTHING_FIXED = np.zeros(0, dtype=bool)
_NO_SIGNS = np.zeros(0, dtype=np.int32)


@dataclass(frozen=True)
class Planes:
    """Tests in the units of the input, one row for each inner node.

    ``coef @ x > threshold`` leads to child 1, with probability 1 / (1 + exp(-steepness * (coef @ x
    - threshold))) where tests are gates. ``fill`` stands in for missing values.
    """

    coef: Vector
    threshold: Vector
    steepness: Vector
    fill: Vector


@dataclass(frozen=True)
class StandardRows:
    """Rows on one scale, and the scale."""

    columns: StandardColumns
    Z: Vector
    has_missing: bool

    @classmethod
    def of(cls, tree: Tree, sample: Sample) -> StandardRows:
        """Standardise the columns that a tree may read."""
        columns = StandardColumns.of(tree, sample)
        Z = columns.transform(sample.X)
        return cls(columns, Z, bool(np.isnan(Z).any()))


class SoftModel:
    """The likelihood of a sample under a tree whose tests are gates.

    Parameters
    ----------
    tree : Tree
        A tree of hyperplanes; its tests give the coordinates of the nodes and the start.
    sample : Sample
        The rows. Weights are numbers of cases.
    fill_with_training_mean : bool
        Whether a missing value is the mean over all rows, else that of the node.
    rows : StandardRows, optional
        The rows of the sample on one scale, if they are known already.
    """

    #: Whether the logits of leaves are linear functions.
    _linear_leaves: ClassVar[bool] = False

    def __init__(
        self,
        tree: Tree,
        sample: Sample,
        *,
        fill_with_training_mean: bool,
        rows: StandardRows | None = None,
    ) -> None:
        check_hyperplanes(tree)
        self.tree = tree
        self.sample = sample
        self.fill_with_training_mean = fill_with_training_mean
        self._rows = rows or StandardRows.of(tree, sample)
        self.columns = self._rows.columns
        self.has_missing = self._rows.has_missing
        self.inner = np.flatnonzero(~tree.is_leaf)
        self._core = _core.SoftTree(
            Z=self._rows.Z,
            y=self._target(),
            weight=sample.weight,
            leaf=tree.apply(sample.X),
            children=tree.children[:, :2],
            fill=self.columns.fills_from_input(self._fills()),
            n_classes=sample.n_classes,
            linear_leaves=self._linear_leaves,
            fill_with_zero=fill_with_training_mean,
        )
        self.n_columns = tree.n_columns
        self.n_gate_parameters = len(self.inner) * (self.n_columns + 1)
        self.n_planes = len(self._core.node_weight)

    def _target(self) -> npt.NDArray[Any]:
        """Return what the rows are to predict, as the core reads it."""
        return self.sample.y

    def _fills(self) -> Vector:
        """Return what stands in for missing values, per plane and column; NaN if unknown."""
        return self._by_column(self.tree.coef_fill, np.nan)

    def _by_column(self, values: Vector, elsewhere: float) -> Vector:
        """Return a number for each coefficient of the tests as a row for each inner node."""
        tree = self.tree
        dense = np.full((len(self.inner), tree.n_columns), elsewhere)
        test = np.repeat(np.arange(len(self.inner)), np.diff(tree.coef_start))
        dense[test, tree.coef_column] = values
        return dense

    def on(self, tree: Tree) -> Self:
        """Return the likelihood of the same rows under another tree."""
        return type(self)(
            tree,
            self.sample,
            fill_with_training_mean=self.fill_with_training_mean,
            rows=self._rows,
        )

    # ------------------------------------------------------------------ parameters

    def start(self, steepness: Vector | None = None, *, l2: float = 0.0) -> Vector:
        """Return the parameters of the hard tree.

        Without steepness it is moderate everywhere, and less where the penalty `l2` on half of the
        squared w would be more than any gain. Else the first steps of a fit do nothing but pay
        for it: where features nearly repeat each other, w can be a hundred times as long as
        another one that divides the rows in the same way, and all tests are lost before it is.
        """
        if steepness is None:
            gates = self._moderate.copy()
            gates *= self._affordable(gates[:, :-1], l2)[:, np.newaxis]
        else:
            gates = self._in_coordinates(*self._hard_planes(), steepness[self.inner])
        return np.concatenate([gates.ravel(), self._start_of_leaves()])

    @cached_property
    def _moderate(self) -> Vector:
        """The gates of the hard tests, moderately steep."""
        v, c = _near_one(*self._hard_planes())
        distance = self._core.mean_distance(np.column_stack([v, c]).ravel())
        distance = np.where(distance > _LEAST_DISTANCE, distance, _START_DISTANCE)
        return self._in_coordinates(v, c, _START_DISTANCE / distance)

    def _hard_planes(self) -> tuple[Vector, Vector]:
        """Return v and c of the hard tests, on the scale of the columns."""
        coef = self._by_column(self.tree.coef_value, 0.0)
        return self.columns.planes_from_input(coef, self.tree.offset)

    def _in_coordinates(self, v: Vector, c: Vector, factor: Vector) -> Vector:
        """Return w and b of multiples of planes, in the coordinates of their nodes."""
        v, c = v * factor[:, np.newaxis], c * factor
        scale, mean = self._core.scale[: len(v)], self._core.mean[: len(v)]
        return np.column_stack([v * scale, c + (v * mean).sum(axis=1)])

    def _affordable(self, w: Vector, l2: float) -> Vector:
        """Return factors, at most 1, with which no gate costs more than it can gain.

        That is the logarithm of the number of classes for each row of the node: what it costs to
        know nothing of a row, where certainty costs nothing. But no w is called too long that is
        no longer than that of a moderate test of one normal feature.
        """
        gain = self._core.node_weight[: len(self.inner)] * np.log(self.tree.n_classes)
        most = np.sqrt(np.maximum(gain, 0.5 * l2 * _ORDINARY_LENGTH**2))
        length = np.linalg.norm(w, axis=1) * np.sqrt(0.5 * l2)
        factor = np.ones(len(w))
        np.divide(most, length, out=factor, where=length > most)
        return factor

    def _start_of_leaves(self) -> Vector:
        """Return the parameters of the leaves: logits of their smoothed counts."""
        counts = self.tree.value[self.tree.is_leaf]
        n_classes = self.tree.n_classes
        smoothed = (counts + 1.0 / n_classes) / (counts.sum(axis=1, keepdims=True) + 1.0)
        return np.log(smoothed).ravel()

    def gates(self, parameters: Vector) -> Vector:
        """Return the view of the parameters that holds w and b, a row for each inner node."""
        return parameters[: self.n_gate_parameters].reshape(len(self.inner), self.n_columns + 1)

    def weights(self, parameters: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return the view that holds the w of every plane, gates first, (n_planes, n_columns)."""
        return self._planes_of(parameters)[:, : self.n_columns]

    def _planes_of(self, parameters: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return the view that holds w and b of every plane."""
        size = self.n_planes * (self.n_columns + 1)
        return parameters[:size].reshape(self.n_planes, self.n_columns + 1)

    def planes(self, parameters: Vector) -> Planes:
        """Return the tests in the units of the input."""
        gates, here = self.gates(parameters), slice(len(self.inner))
        v = gates[:, :-1] / self._core.scale[here]
        c = gates[:, -1] - (v * self._core.mean[here]).sum(axis=1)
        coef, threshold, steepness = self.columns.planes_to_input(v, c)
        return Planes(
            coef, threshold, steepness, self.columns.fills_to_input(self._core.fill[here])
        )

    def with_leaves(
        self,
        tree: Tree,
        nodes: npt.NDArray[np.intp],
        parameters: Vector,
        sample: Sample,
        leaves_only: bool,
    ) -> Tree:
        """Return the hard tree of some parameters with what its leaves say; of classes, as it is.

        Parameters
        ----------
        tree : Tree
            The hard tree.
        nodes : ndarray
            For each of its nodes the node of this model's tree that it was.
        parameters : ndarray
            The parameters that were fitted.
        sample : Sample
            The rows that the tree was counted on.
        leaves_only : bool
            Whether inner nodes need not say anything.
        """
        return tree

    # ------------------------------------------------------------------ fitting

    def minimise(
        self,
        start: Vector,
        *,
        l2: float,
        l1: float = 0.0,
        relative: Vector | float = 1.0,
        fixed: Mask | None = None,
        max_iter: int,
        tol: float = 1e-5,
        progress: Callable[[], None] | None = None,
    ) -> Vector:
        """Return the parameters that fit best, going downhill from a start.

        Parameters
        ----------
        start : ndarray
            The parameters to begin with.
        l2 : float
            Price of half of the squared w.
        l1 : float, default=0.0
            Price of the absolute w at a node, times the square root of the rows there.
        relative : ndarray of shape (n_planes, n_columns) or float, default=1.0
            What this penalty is multiplied by for every w.
        fixed : ndarray of bool, optional
            Parameters that stay as they are.
        max_iter : int
            Most steps.
        tol : float, default=1e-5
            Steps that decrease less than this share of the objective are the last.
        progress : callable, optional
            Called now and then; what it raises ends the fit.
        """
        penalty = _NO_PENALTY
        if l1 > 0.0:
            penalty = np.zeros(len(start))
            units = self._units_of_penalty(start)[:, np.newaxis]
            self.weights(penalty)[...] = l1 * relative * units
        parameters, _, _ = self._core.minimise(
            start,
            l2=l2,
            l1=penalty,
            sign=self._signs,
            fixed=self._fixed(fixed),
            max_iterations=max_iter,
            tolerance=tol,
            progress=progress,
        )
        return parameters

    def relative_penalties(self, parameters: Vector) -> Vector:
        """Return penalties of the w of every plane that are lower for large ones (adaptive lasso).

        They fall with the root of the absolute w, counted in its root mean square over the plane:
        what matters is shrunk less, so that what does not can be dropped under a smaller penalty.
        """
        w = np.abs(self.weights(parameters))
        with np.errstate(over="ignore"):
            size = np.sqrt((w**2).mean(axis=1, keepdims=True))
        size = np.where(np.isfinite(size), size, w.max(axis=1, keepdims=True))
        size[size == 0.0] = 1.0
        return np.asarray(1.0 / np.sqrt(np.maximum(w / size, _LEAST_RELATIVE_SIZE)))

    def _units_of_penalty(self, start: Vector) -> Vector:
        """Return what the L1 penalty of each plane is multiplied by."""
        return np.sqrt(self._core.node_weight)

    @cached_property
    def _signs(self) -> npt.NDArray[np.int32]:
        """The sign that each parameter must have: that of w is bound by monotonic constraints.

        The upper child of a test that reads no constrained column is that of higher mean.
        """
        if not self.tree.column_sign.any():
            return _NO_SIGNS
        signs = np.zeros(self._core.n_parameters, dtype=np.int32)
        self.weights(signs)[: len(self.inner)] = np.outer(self._upper(), self.tree.column_sign)
        return signs

    def _upper(self) -> npt.NDArray[np.int32]:
        """Return 1 or -1 for each test whose upper child is child 1 or child 0."""
        tree, known = self.tree, test_orders(self.tree)[self.inner]
        weight = tree.weighted_n_node_samples
        mean = tree.value[:, -1] / (1.0 if isinstance(tree, RegressionTree) else weight)
        rises = mean[tree.children[self.inner, 1]] >= mean[tree.children[self.inner, 0]]
        return np.where(known != 0, known, np.where(rises, 1, -1)).astype(np.int32)

    def _fixed(self, fixed: Mask | None) -> Mask:
        """Return the parameters that stay as they are."""
        return _NOTHING_FIXED if fixed is None else fixed

    def unread(self, parameters: Vector) -> Mask:
        """Return which parameters are the w of columns that a test does not read."""
        removed = self.weights(parameters) == 0.0
        removed[len(self.inner) :] = False  # linear leaves read what they like
        return self.without(removed)

    def without(self, columns: Mask) -> Mask:
        """Return which parameters are the w of these columns, shape (n_planes, n_columns)."""
        fixed = np.zeros(self._core.n_parameters, dtype=bool)
        self.weights(fixed)[...] = columns
        return fixed


def check_hyperplanes(tree: Tree) -> None:
    """Validate that every test of a tree is a hyperplane."""
    if (np.diff(tree.row_start) > 1).any():
        raise ValueError(
            "The joint fit needs tests that are hyperplanes, which it makes into gates; this tree "
            "has linear machines, with a row of coefficients for each branch."
        )


def _near_one(v: Vector, c: Vector) -> tuple[Vector, Vector]:
    """Return multiples of planes, by powers of two, whose largest number is near 1."""
    largest = np.maximum(np.abs(v).max(axis=1, initial=0.0), np.abs(c))
    power = -np.frexp(largest)[1]
    return np.ldexp(v, power[:, np.newaxis]), np.ldexp(c, power)
