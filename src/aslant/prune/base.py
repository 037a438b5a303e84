"""What a pruner is, and the losses that pruners compare.

A pruner turns a grown tree into a smaller one and leaves the grown one as it was. Some use the
training rows alone, some need validation rows that growth never saw: ``held_out`` says what share
of them. A node that becomes a leaf predicts the class with the most *training* weight there, ties
to the first class, whatever the held-out rows say; in regression trees, the mean of its training
rows.

What a row loses is 1 if it is misclassified and 0 if not; in regression trees, its squared
error.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator

from aslant.encoding.sample import Sample
from aslant.tree.regression_tree import RegressionTree
from aslant.tree.split import Split
from aslant.tree.tree import Tree
from aslant.utils.checks import check_number

Mask = npt.NDArray[np.bool_]

# Error weights that differ by less than this share of the whole are equal but for rounding.
TOLERANCE = 1e-12


@dataclass(frozen=True)
class Grown:
    """A grown tree, and what a pruner may use to evaluate and change it.

    Attributes
    ----------
    tree : Tree
        The grown tree; it stays as it is.
    training : Sample
        The rows it was grown on.
    held_out : Sample or None
        The rows kept out of growing; None if the pruner needs none.
    grow : callable
        Grows another tree, with the same settings, on any sample.
    find : callable
        Searches the test of one node, given masks of the training rows that pass it and of the
        columns it may use.
    seed : int
        Seed of anything random, such as the division into folds.
    """

    tree: Tree
    training: Sample
    held_out: Sample | None
    grow: Callable[[Sample], Tree]
    find: Callable[[Mask, Mask], Split | None]
    seed: int


class Pruner(BaseEstimator, ABC):
    """Base of all pruners; parameters are constructor arguments, as in scikit-learn."""

    #: Whether the pruner can prune regression trees.
    prunes_regression: ClassVar[bool] = False

    @property
    def held_out(self) -> float:
        """Share of the training rows to keep out of growing, 0 if none."""
        return 0.0

    @abstractmethod
    def check(self) -> None:
        """Validate the parameters."""

    @abstractmethod
    def prune(self, grown: Grown) -> Tree:
        """Return the pruned tree, or the grown one if there was nothing to prune."""


def check_fraction(name: str, value: Any) -> None:
    """Validate that value is a number strictly between 0 and 1."""
    check_number(name, value, 0.0, 1.0)
    if value in (0, 1):
        raise ValueError(f"{name} must be greater than 0 and less than 1, got {value!r}.")


def require_held_out(pruner: Pruner, grown: Grown) -> Sample:
    """Return the held-out rows of a pruner that cannot do without them."""
    if grown.held_out is None:
        raise ValueError(f"{type(pruner).__name__} needs held-out rows, got None.")
    return grown.held_out


def collapsed(tree: Tree, nodes: npt.NDArray[np.intp]) -> Tree:
    """Return the tree with the given nodes as leaves; the very tree if they are leaves already."""
    return tree if tree.is_leaf[nodes].all() else tree.pruned(nodes)


class Losses(NamedTuple):
    """What rows that pass each node would lose if it were a leaf."""

    weight: npt.NDArray[np.float64]
    """Weight of the rows."""
    total: npt.NDArray[np.float64]
    """Weighted sum of their losses."""
    squares: npt.NDArray[np.float64]
    """Weighted sum of the squares of their losses."""


def losses(tree: Tree, sample: Sample) -> Losses:
    """Return the losses of some rows at every node."""
    if isinstance(tree, RegressionTree):
        return Losses(*tree.losses(sample.X, sample.y, sample.weight).T)
    weights = class_weights(tree, sample)
    wrong = misclassified(tree, weights)
    return Losses(weights.sum(axis=1), wrong, wrong)


def unit_of_loss(tree: Tree) -> float:
    """Return what the loss of one row is measured against: losses much smaller are rounding."""
    return float(tree.error[0]) if isinstance(tree, RegressionTree) else 1.0


def training_errors(tree: Tree) -> npt.NDArray[np.float64]:
    """Training weight that each node would misclassify as a leaf, or its squared errors."""
    if isinstance(tree, RegressionTree):
        return tree.error * tree.node_weight
    return tree.value.sum(axis=1) - tree.value.max(axis=1)


def class_weights(tree: Tree, sample: Sample) -> npt.NDArray[np.float64]:
    """Class weights of a sample at every node, shape (n_nodes, n_classes)."""
    cell = tree.apply(sample.X).astype(np.intp) * tree.n_classes + sample.y
    counts = np.bincount(cell, sample.weight, minlength=tree.n_nodes * tree.n_classes)
    return sum_over_leaves(tree, counts.astype(np.float64).reshape(tree.value.shape))


def misclassified(tree: Tree, weights: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Weight that each node would misclassify as a leaf, from the class weights that reach it."""
    label = tree.value.argmax(axis=1)
    return weights.sum(axis=1) - weights[np.arange(tree.n_nodes), label]


def sum_over_leaves(tree: Tree, per_node: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Sum a quantity over the leaves below each node; what inner nodes hold does not count."""
    total = per_node.copy()
    total[~tree.is_leaf] = 0.0
    parent = tree.parent.tolist()
    for column in total.reshape(tree.n_nodes, -1).T:
        values = column.tolist()  # much faster to change one by one than an array
        for node in range(tree.n_nodes - 1, 0, -1):  # children come after their parents
            values[parent[node]] += values[node]
        column[:] = values
    return total
