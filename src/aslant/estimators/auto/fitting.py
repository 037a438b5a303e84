"""What all candidates of a choice have in common, and what they predict."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeVar, cast

import numpy as np
import numpy.typing as npt

from aslant.encoding.sample import Sample
from aslant.estimators.auto.effort import Effort
from aslant.estimators.auto.evaluation import Evaluation, class_evaluations, regression_evaluations
from aslant.growth import Constraints
from aslant.refine.gates import SoftGates
from aslant.refine.joint import JointFit, Refined, SoftFit
from aslant.refine.regression import RegressionGates, RegressionModel
from aslant.refine.soft import SoftModel, StandardRows
from aslant.tree.logit_tree import LogitTree
from aslant.tree.regression_tree import RegressionTree
from aslant.tree.smoothing import node_probabilities
from aslant.tree.tree import Tree

Vector = npt.NDArray[np.float64]
Matrix = npt.NDArray[np.floating[Any]]
K = TypeVar("K", bound=Hashable)

#: Standard errors by which a candidate must be worse on some folds to be left out of the others.
CLEARLY = 1.5


@dataclass(frozen=True)
class Fitting:
    """The settings of all fits, and what a fitted tree predicts.

    Attributes
    ----------
    effort : Effort
        Which L2 and L1 penalties are tried.
    sparse : bool
        Whether L1 penalties are tried at all.
    max_features_per_test : int or None
        Most features in a test.
    min_samples_leaf : int
        Fewest rows of a leaf.
    fill_with_training_mean : bool
        Whether a missing value is the mean of all rows, else that of the node.
    progress : callable
        Called now and then; may raise.
    soft : bool
        Whether predictions will be soft.
    leaves : tuple of str
        What leaves may predict: "constant" or "mean", "linear".
    constraints : Constraints
        What tests may read.
    """

    effort: Effort
    sparse: bool
    max_features_per_test: int | None
    min_samples_leaf: int
    fill_with_training_mean: bool
    progress: Callable[[], None]
    soft: bool
    leaves: tuple[str, ...]
    constraints: Constraints = field(default_factory=Constraints)
    _rows: dict[int, tuple[Sample, StandardRows]] = field(default_factory=dict, repr=False)

    #: Standard errors by which the best fit of a start must be worse for it to be given up.
    patience: ClassVar[float] = CLEARLY

    # ------------------------------------------------------------------ fits

    def rows(self, tree: Tree, sample: Sample) -> StandardRows:
        """Return the rows of a sample on one scale: the same for all trees, so they are kept."""
        known = self._rows.get(id(sample))
        if known is None:
            known = self._rows[id(sample)] = sample, StandardRows.of(tree, sample)
        return known[1]

    @abstractmethod
    def model(self, tree: Tree, sample: Sample) -> SoftModel:
        """Return a tree as a smooth function on the rows of a sample."""

    def joint(self, l2: float) -> JointFit:
        """Return the joint fit with an L2 penalty."""
        return JointFit(
            l2=l2,
            max_features_per_test=self.max_features_per_test,
            max_iter=self.effort.max_iter,
        )

    def hard(self, fit: SoftFit, *, leaves_only: bool = False) -> Refined:
        """Return the tree of a soft fit."""
        return fit.hard(leaves_only=leaves_only, min_samples_leaf=self.min_samples_leaf)

    # ------------------------------------------------------------------ predictions

    def se_rules(self, linear_leaves: bool) -> tuple[float | None, ...]:
        """Return how starts are pruned: see `aslant.estimators.auto.starts.grow_starts`.

        With linear leaves the smallest tree is a start, too: growth puts thresholds where means
        differ most, which may be far from where two lines meet. From two leaves the fit finds that
        place; from many, pieces of a line remain.
        """
        return (*self.effort.se_rules, None) if linear_leaves else self.effort.se_rules

    @abstractmethod
    def outputs(self, refined: Refined, sample: Sample, X: Matrix) -> Vector:
        """Return what the estimator of a tree that was fitted to a sample predicts for rows."""

    @abstractmethod
    def n_coefficients(self, tree: Tree) -> int:
        """Return the coefficients of the tests and of the functions of the leaves."""

    @abstractmethod
    def evaluations(
        self, outputs: Mapping[K, tuple[Vector, bool]], y: npt.NDArray[Any], weight: Vector
    ) -> dict[K, Evaluation]:
        """Return what each row loses by several predictions for the same rows.

        Each comes with whether an exponent may sharpen its probabilities.
        """

    @abstractmethod
    def in_words(self, evaluation: Evaluation) -> str:
        """Return an evaluation as the choice states it."""


@dataclass(frozen=True)
class ClassFitting(Fitting):
    """Fits of classification trees."""

    def model(self, tree: Tree, sample: Sample) -> SoftModel:
        """Return a tree as a smooth function on the rows of a sample."""
        rows, fill = self.rows(tree, sample), self.fill_with_training_mean
        return SoftModel(tree, sample, fill_with_training_mean=fill, rows=rows)

    def outputs(self, refined: Refined, sample: Sample, X: Matrix) -> Vector:
        """Return the class probabilities of rows."""
        tree, steepness = refined
        if isinstance(tree, LogitTree):
            return tree.probabilities(X)
        if self.soft and steepness.any():
            return SoftGates.fitted(tree, steepness, sample).probabilities(X)
        return class_probabilities(tree)[tree.apply(X)]

    def n_coefficients(self, tree: Tree) -> int:
        """Return the coefficients of the tests and of the logits of the leaves."""
        slopes = tree.leaf_coef[tree.is_leaf] if isinstance(tree, LogitTree) else np.zeros(0)
        return len(tree.coef_value) + int(np.count_nonzero(slopes))

    def evaluations(
        self, outputs: Mapping[K, tuple[Vector, bool]], y: npt.NDArray[Any], weight: Vector
    ) -> dict[K, Evaluation]:
        """Return 0/1 errors and log-losses, added in their standard deviations."""
        return class_evaluations(outputs, y, weight)

    def in_words(self, evaluation: Evaluation) -> str:
        """Return error and log-loss."""
        return f"error {100 * evaluation.error:.1f} %, log-loss {evaluation.log_loss:.3g}"


@dataclass(frozen=True)
class RegressionFitting(Fitting):
    """Fits of regression trees.

    Attributes
    ----------
    variance : float
        Of the targets, summed over the outputs; errors are stated as fractions of it.
    """

    variance: float = 1.0

    # Squared errors of few rows depend on single ones, and an L1 penalty may find what no L2
    # penalty does.
    patience: ClassVar[float] = 2.0 * CLEARLY

    def model(self, tree: Tree, sample: Sample) -> SoftModel:
        """Return a tree as a smooth function on the rows of a sample."""
        rows, fill = self.rows(tree, sample), self.fill_with_training_mean
        return RegressionModel(tree, sample, fill_with_training_mean=fill, rows=rows)

    def outputs(self, refined: Refined, sample: Sample, X: Matrix) -> Vector:
        """Return the predictions for rows, shape (n_rows, n_outputs)."""
        tree = cast(RegressionTree, refined.tree)
        if self.soft and refined.steepness.any():
            return RegressionGates(tree, refined.steepness).predict(X)
        return tree.predict(X)

    def n_coefficients(self, tree: Tree) -> int:
        """Return the coefficients of the tests and of the functions of the leaves."""
        slopes = cast(RegressionTree, tree).leaf_coef[tree.is_leaf]
        return len(tree.coef_value) + int(np.count_nonzero(slopes))

    def evaluations(
        self, outputs: Mapping[K, tuple[Vector, bool]], y: npt.NDArray[Any], weight: Vector
    ) -> dict[K, Evaluation]:
        """Return squared errors."""
        return regression_evaluations(outputs, y, weight)

    def in_words(self, evaluation: Evaluation) -> str:
        """Return the mean squared error as a fraction of the variance."""
        return f"mean squared error {evaluation.error / self.variance:.3g} of the variance"


def class_probabilities(tree: Tree) -> Vector:
    """Return the class probabilities of every node: smoothed, but the base rate of a single leaf.

    A small leaf should not predict probability 1; all rows together need no prior.
    """
    return node_probabilities(tree, smoothing=0.0 if tree.n_leaves == 1 else 4.0)
