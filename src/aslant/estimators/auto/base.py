"""What the trees to try first share, whether they predict classes or numbers."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar, Literal, Self

import numpy as np

from aslant.encoding.sample import Sample
from aslant.estimators.auto.candidates import Fitting
from aslant.estimators.auto.choosing import FINISHING, Choice, choose
from aslant.estimators.auto.effort import EFFORTS, Effort
from aslant.estimators.auto.finishing import at_most, carried_on
from aslant.estimators.auto.work import Report, Work
from aslant.estimators.single_tree import SingleTree
from aslant.growth import TreeSettings, with_impurities
from aslant.refine.gates import SoftGates
from aslant.refine.harden import most_digits, shortened
from aslant.refine.joint import Refined
from aslant.refine.regression import RegressionGates
from aslant.tree.tree import Tree
from aslant.utils.checks import check_choice, check_number
from aslant.utils.parameters import parameters

#: The criterion of starts that are classification trees.
CRITERION = "entropy"


@parameters
class AutoTree(SingleTree):
    """A tree whose method is chosen by cross-validation; not to be used itself.

    A subclass says what is grown (`_ways`), how it is fitted and evaluated (`_make_fitting`), and
    which parameter says whether predictions are soft.

    Parameters
    ----------
    max_features_per_test : int or None, default=None
        Most features in a test; functions of leaves are not limited.
    sparsity : float or None, default=0.5
        The tree with the fewest coefficients, those of linear leaves included, is taken whose
        cross-validated error is within so many standard errors of the lowest: more is sparser. None
        takes the lowest error and tries no sparse tests.
    effort : {"low", "medium", "high"}, default="medium"
        How many strengths and folds are tried, and on how many rows.
    max_leaf_nodes : int or None, default=None
        Most leaves.
    verbose : int or callable, default=0
        Progress on the standard error stream, or ``verbose(done, n_rows)`` with the fraction of the
        work that is done, counted in rows.

    Attributes
    ----------
    candidates_ : list of dict
        What was compared: start, l2 and l1 of the fit, cross-validated error (or mean squared
        error) and its standard error, the folds it was tried in, mean leaves and coefficients of
        the trees of the folds, seconds.
    choice_ : str
        Why the winner was taken, in a sentence.
    n_hyperplanes_ : int
        Hyperplanes considered while growing the starts.
    """

    max_features_per_test: int | None = None
    sparsity: float | None = 0.5
    effort: Literal["low", "medium", "high"] = "medium"
    max_leaf_nodes: int | None = None

    _progress_unit = "rows"
    _soft_parameter: ClassVar[str]

    # ------------------------------------------------------------------ what subclasses say

    @abstractmethod
    def _ways(self, effort: Effort, common: dict[str, Any]) -> dict[str, TreeSettings]:
        """Return the ways to grow a start, by name, from the settings that all have in common."""

    @abstractmethod
    def _make_fitting(self, effort: Effort, sample: Sample, work: Work) -> Fitting:
        """Return how starts are fitted and evaluated."""

    @abstractmethod
    def _leaf_of(self, sample: Sample) -> Tree:
        """Return the tree without a test."""

    @abstractmethod
    def _made_soft(
        self, refined: Refined, sample: Sample, choice: Choice, fitting: Fitting
    ) -> SoftGates | RegressionGates:
        """Return what soft predictions need besides the tree."""

    # ------------------------------------------------------------------ fitting

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Choose, grow and fit a tree.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            Training rows; NaN is a missing value.
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
            What to predict: class labels of any type, or numbers, one for each row or several.
        sample_weight : array-like of shape (n_samples,), optional
            Weights, not negative: numbers of cases if they are integers, else only their
            ratios count.

        Returns
        -------
        self
            The fitted estimator.
        """
        effort = self._checked()
        sample = self._prepare(X, y, sample_weight)
        return self._fit_with(effort, sample, self._draw_seed())

    def _checked(self) -> Effort:
        """Check the parameters that are not shared; return the effort."""
        check_choice("effort", self.effort, tuple(EFFORTS))
        check_choice(self._soft_parameter, getattr(self, self._soft_parameter), ("soft", "leaf"))
        for name, least in (("max_leaf_nodes", 2), ("max_features_per_test", 1)):
            if getattr(self, name) is not None:
                check_number(name, getattr(self, name), least, 2**30, integer=True)
        if self.sparsity is not None:
            check_number("sparsity", self.sparsity, 0.0)
        return EFFORTS[self.effort]

    def _fit_with(self, effort: Effort, sample: Sample, seed: int) -> Self:
        work = Work(self._n_threads(), self._report(len(sample)))
        chosen_on = at_most(sample, effort.most_rows, seed)
        fitting = self._make_fitting(effort, chosen_on, work)
        common = {
            "fill_with_training_mean": self.missing == "training_mean",
            "progress": work.check,
        }
        choice = choose(
            chosen_on,
            self._leaf_of(sample),
            self._ways(effort, common),
            fitting,
            work,
            sparsity=self.sparsity,
            max_leaf_nodes=self.max_leaf_nodes,
            seed=seed,
        )
        self.candidates_ = [candidate.record() for candidate in choice.candidates]
        self.choice_ = choice.reason
        work.run([lambda: self._finish(choice, fitting, chosen_on, sample)], FINISHING)
        return self

    def _finish(self, choice: Choice, fitting: Fitting, chosen_on: Sample, sample: Sample) -> None:
        """Fit the winner on all rows and keep it."""
        winner = choice.winner
        if winner.recipe is None:
            made = fitting.single_leaves(self._leaf_of(sample))[winner.start.name]
            refined = Refined(made(sample), np.zeros(1))
        else:
            refined = fitting.fit(winner.start.tree, chosen_on, winner.recipe)
            if chosen_on is not sample and refined.tree.n_leaves > 1:
                refined = carried_on(refined, sample, winner.recipe, fitting)
            refined = Refined(shortened(refined.tree, sample), refined.steepness)
        self._set_tree(with_impurities(refined.tree, CRITERION), choice.n_hyperplanes)
        self.gates_: SoftGates | RegressionGates | None = None
        if getattr(self, self._soft_parameter) == "soft":
            self.gates_ = self._made_soft(refined, sample, choice, fitting)

    def _report(self, n_rows: int) -> Report | None:
        """Return what is called with the fraction of the work that is done."""
        progress = self._progress()
        if progress is None:
            return None
        return lambda done: progress(round(done * n_rows), n_rows)

    # ------------------------------------------------------------------ what was fitted

    @property
    def is_soft_(self) -> bool:
        """Whether predictions are soft; no fit is needed to give that up."""
        return self.gates_ is not None and getattr(self, self._soft_parameter) == "soft"

    @property
    def digits_(self) -> int:
        """Most significant digits of a coefficient or threshold of the tree."""
        return most_digits(np.concatenate([self.tree_.coef_value, self.tree_.offset]))

    def _trees_to_state(self) -> dict[str, Any]:
        return {
            **super()._trees_to_state(),
            "gates": None if self.gates_ is None else self.gates_.state(),
            "candidates": self.candidates_,
            "choice": self.choice_,
        }

    def _trees_from_state(self, state: dict[str, Any]) -> None:
        super()._trees_from_state(state)
        self.candidates_ = [dict(record) for record in state["candidates"]]
        self.choice_ = str(state["choice"])
        self.gates_ = None
        if state["gates"] is not None:
            self.gates_ = self._gates_from(state["gates"])
            self.gates_.check()

    @abstractmethod
    def _gates_from(self, state: dict[str, Any]) -> SoftGates | RegressionGates:
        """Return the gates of the fitted tree from what their `state` returned."""
