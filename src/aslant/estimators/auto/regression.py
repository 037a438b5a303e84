"""How regression starts are fitted and evaluated."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, cast

import numpy as np

from aslant.encoding.sample import Sample
from aslant.estimators.auto.candidates import CLEARLY, SINGLE_LEAF, Fitting, FoldFit, Vector
from aslant.refine.joint import Refined, SoftFit
from aslant.refine.regression import RegressionGates, RegressionModel
from aslant.refine.soft import SoftModel
from aslant.tree.linear_leaves import with_linear_leaves
from aslant.tree.regression_tree import RegressionTree
from aslant.tree.tree import Tree


@dataclass(frozen=True)
class RegressionFitting(Fitting):
    """What all fits to numbers have in common.

    Attributes
    ----------
    leaves : tuple of {'mean', 'linear'}
        What leaves may predict.
    variance : float
        Of the targets, summed over the outputs; errors are told as shares of it.
    """

    leaves: tuple[str, ...] = ("mean", "linear")
    variance: float = 1.0

    # Squared errors of few rows depend on single ones, and an L1 penalty may find what no L2
    # penalty does.
    patience: ClassVar[float] = 2.0 * CLEARLY

    @property
    def se_rules(self) -> tuple[float | None, ...]:
        """How starts are pruned; the smallest tree is a start, too.

        Growth puts thresholds where means differ most, which may be far from where two lines meet.
        From two leaves the fit finds that place; from many, pieces of a line remain.
        """
        return (*self.effort.se_rules, None)

    def model(self, tree: Tree, sample: Sample) -> SoftModel:
        """Return a tree as a smooth function on the rows of a sample."""
        fill = self.fill_with_training_mean
        rows = self.rows(tree, sample)
        return RegressionModel(tree, sample, fill_with_training_mean=fill, rows=rows)

    def losses(self, fit: SoftFit, validation: Sample, Z: Vector) -> tuple[Vector, int, int]:
        """Return the squared errors of the rows by the hard tree of a fit, soft or not."""
        refined = fit.hard(leaves_only=True)
        tree = cast(RegressionTree, refined.tree)
        return self._squares(refined, validation), tree.n_leaves, n_coefficients(tree)

    def _squares(self, refined: Refined, validation: Sample) -> Vector:
        tree = cast(RegressionTree, refined.tree)
        if self.soft:
            predicted = RegressionGates(tree, refined.steepness).predict(validation.X)
        else:
            predicted = tree.predict(validation.X)
        error = predicted - np.reshape(validation.y, predicted.shape)
        return np.asarray((error**2).sum(axis=1))

    def unfitted(self, tree: Tree, validation: Sample) -> FoldFit:
        """Return the losses of a single leaf."""
        squares = self._squares(Refined(tree, np.zeros(1)), validation)
        return FoldFit(tree, None, squares, 1, n_coefficients(cast(RegressionTree, tree)), 0.0)

    def single_leaves(self, leaf: Tree) -> dict[str, Callable[[Sample], Tree]]:
        """Return the mean and, if leaves may be linear, the linear function of all rows."""

        def mean(rows: Sample) -> RegressionTree:
            return cast(RegressionTree, leaf).counted_on(rows.X, rows.y, rows.weight)

        found: dict[str, Callable[[Sample], Tree]] = {SINGLE_LEAF: mean}
        if "linear" in self.leaves:
            name = f"{SINGLE_LEAF} with a linear function"
            found[name] = lambda rows: with_linear_leaves(mean(rows), rows, False)
        return found

    def error_in_words(self, error: float) -> str:
        """Return a mean squared error as the choice states it."""
        return f"{error / self.variance:.3g} of the variance"


def n_coefficients(tree: RegressionTree) -> int:
    """Return the coefficients of the tests and of the functions of the leaves."""
    return len(tree.coef_value) + int(np.count_nonzero(tree.leaf_coef[tree.is_leaf]))
