"""What the trees to try first share, for classification and regression."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, ClassVar, Literal, Self

import numpy as np

from aslant.encoding.data_warning import DataWarning
from aslant.encoding.sample import Sample
from aslant.estimators.auto.candidates import Candidate
from aslant.estimators.auto.choosing import Choice, choose
from aslant.estimators.auto.competitors import Competitor, LinearLeaf
from aslant.estimators.auto.effort import EFFORTS, Effort
from aslant.estimators.auto.fitting import Fitting
from aslant.estimators.auto.leaf import MOST_ROWS_TO_FIT, at_most
from aslant.estimators.auto.scoring import Scoring
from aslant.estimators.auto.starts import Fold
from aslant.estimators.auto.work import Report, Work
from aslant.estimators.constraints import shared_constraints
from aslant.estimators.single_tree import SingleTree
from aslant.growth import Constraints, StoppingRules, TreeSettings, with_impurities
from aslant.refine.gates import SoftGates
from aslant.refine.harden import most_digits, shortened
from aslant.refine.joint import Refined
from aslant.refine.regression import RegressionGates
from aslant.tree.tree import Tree
from aslant.utils.checks import check_choice, check_number
from aslant.utils.parameters import parameters

#: The criterion of starts that are classification trees.
CRITERION = "entropy"
#: Most leaves of a tree by default.
MOST_LEAVES = 32


@parameters
class AutoTree(SingleTree):
    """A tree whose method is chosen by cross-validation; not to be used itself.

    A subclass says what is grown (`_ways`), how it is fitted and evaluated (`_make_fitting`), and
    which parameter says whether predictions are soft.

    Parameters
    ----------
    max_features_per_test : int or None, default=None
        Most features in a test, and in the single linear leaf of a classifier; the linear leaves
        of regression trees are not limited.
    sparsity : float or None, default=0.1
        The tree with the fewest coefficients, those of linear leaves included, is taken whose
        cross-validated loss is within so many standard errors of the lowest: more is sparser. None
        takes the lowest loss and tries no sparse tests.
    scoring : str, callable or None, default=None
        What candidates are compared by: a name of scikit-learn's scorers, such as ``"roc_auc"`` or
        ``"neg_log_loss"``, or a function of a fitted estimator, rows and targets. By default the
        sum of 0/1 error and log-loss, each in its standard deviation, or squared error.
    effort : {"low", "medium", "high"}, default="medium"
        How many penalties and folds are tried, and on how many rows.
    max_leaf_nodes : int, None or "auto", default="auto"
        Most leaves: 32 or, if that is more, twice the number of classes. None sets no limit.
    min_samples_leaf : int or float, default=1
        Fewest rows of a leaf; a float is a fraction of all rows.
    monotonic_cst : array-like of int or dict, default=None
        For each feature 1 if predictions must not fall as it grows, -1 if they must not rise, 0 if
        there is no constraint; a dict is by column name. For regression, and for the probability of
        the second of two classes; regression trees then have no linear leaves below a test.
    interaction_cst : {'pairwise', 'no_interactions'} or sequence of groups, default=None
        Groups of features, by number or name, that may appear together in one test and along one
        path; features that no group names are a group of their own. Tests then keep the features
        that they were grown with. A single linear leaf, whose features do not interact, may read
        all.
    verbose : int or callable, default=0
        Progress on the standard error stream, or ``verbose(done, n_rows)`` with the fraction of the
        work that is done, counted in rows.

    Attributes
    ----------
    candidates_ : list of dict
        What was compared: start, l2 and l1 of the fit, cross-validated error (or mean squared
        error) and log-loss, the loss that candidates are compared by and its standard error, the
        folds it was tried in, mean leaves and coefficients of the trees of the folds, seconds.
    choice_ : str
        Why the winner was taken.
    n_hyperplanes_ : int
        Hyperplanes considered while growing the starts.
    """

    max_features_per_test: int | None = None
    sparsity: float | None = 0.1
    scoring: str | Callable[[Any, Any, Any], float] | None = None
    effort: Literal["low", "medium", "high"] = "medium"
    max_leaf_nodes: int | Literal["auto"] | None = "auto"
    min_samples_leaf: float = 1
    monotonic_cst: Any = None
    interaction_cst: Any = None

    _progress_unit = "rows"
    _soft_parameter: ClassVar[str]

    # ------------------------------------------------------------------ what subclasses say

    @abstractmethod
    def _ways(self, effort: Effort, common: dict[str, Any]) -> dict[str, TreeSettings]:
        """Return the ways to grow a start, by name, from the settings that all have in common."""

    @abstractmethod
    def _make_fitting(
        self, effort: Effort, sample: Sample, work: Work, constraints: Constraints
    ) -> Fitting:
        """Return how starts are fitted and evaluated."""

    @abstractmethod
    def _single_leaves(self, fitting: Fitting, folds: Sequence[Fold]) -> list[Competitor]:
        """Return the competitors without a test; the first is constant."""

    @abstractmethod
    def _scored_target(self, sample: Sample) -> tuple[Any, Any]:
        """Return the targets of all rows as a scorer reads them, and the classes."""

    @abstractmethod
    def _made_soft(
        self, refined: Refined, sample: Sample, exponent: float
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
        scoring = None
        if self.scoring is not None:
            scoring = Scoring(self.scoring, X, *self._scored_target(sample))
        return self._fit_with(effort, sample, scoring, self._draw_seed())

    def _checked(self) -> Effort:
        """Check the parameters that are not shared; return the effort."""
        check_choice("effort", self.effort, tuple(EFFORTS))
        check_choice(self._soft_parameter, getattr(self, self._soft_parameter), ("soft", "leaf"))
        if isinstance(self.max_leaf_nodes, str):
            check_choice("max_leaf_nodes", self.max_leaf_nodes, ("auto",))
        elif self.max_leaf_nodes is not None:
            check_number("max_leaf_nodes", self.max_leaf_nodes, 2, 2**30, integer=True)
        if self.max_features_per_test is not None:
            check_number(
                "max_features_per_test", self.max_features_per_test, 1, 2**30, integer=True
            )
        StoppingRules(min_samples_leaf=self.min_samples_leaf).check()
        if self.sparsity is not None:
            check_number("sparsity", self.sparsity, 0.0)
        return EFFORTS[self.effort]

    def _fit_with(self, effort: Effort, sample: Sample, scoring: Scoring | None, seed: int) -> Self:
        work = Work(self._n_threads(), self._report(len(sample)))
        chosen_on = at_most(sample, effort.most_rows, seed)
        constraints = shared_constraints(self, sample)
        fitting = self._make_fitting(effort, chosen_on, work, constraints)
        finishing = _finishing_share(len(chosen_on), len(sample))
        common = {
            "fill_with_training_mean": self.missing == "training_mean",
            "stopping": StoppingRules(min_samples_leaf=self._least_rows(sample)),
            "progress": work.check,
            "constraints": constraints,
        }
        choice = choose(
            chosen_on,
            partial(self._single_leaves, fitting),
            self._ways(effort, common),
            fitting,
            scoring,
            work,
            sparsity=self.sparsity,
            max_leaf_nodes=self._most_leaves(sample),
            seed=seed,
            share=1.0 - finishing,
        )
        self.candidates_ = [candidate.record() for candidate in choice.candidates]
        work.run([lambda: self._finish(choice, chosen_on, sample)], finishing)
        if is_constant(self.tree_) and len(np.unique(sample.y, axis=0)) > 1:
            warnings.warn(
                f"{type(self).__name__} predicts the same for all rows. {self.choice_}",
                DataWarning,
                stacklevel=4,
            )
        return self

    def _finish(self, choice: Choice, chosen_on: Sample, sample: Sample) -> None:
        """Fit the winner on all rows and keep it."""
        some = at_most(sample, MOST_ROWS_TO_FIT, 0)
        for winner in choice.ranking:
            refined = _fitted_on_all(winner, chosen_on, some, sample)
            if not is_constant(refined.tree):
                break
        exponent = winner.evaluation.exponent
        self.choice_ = choice.reason(winner)
        self._set_tree(with_impurities(refined.tree, CRITERION), choice.n_hyperplanes)
        self.gates_: SoftGates | RegressionGates | None = None
        if getattr(self, self._soft_parameter) == "soft" and refined.steepness.any():
            self.gates_ = self._made_soft(refined, some, exponent)

    def _most_leaves(self, sample: Sample) -> int | None:
        """Return the most leaves that a tree may have."""
        if self.max_leaf_nodes == "auto":
            return max(MOST_LEAVES, 2 * sample.n_classes)
        return None if self.max_leaf_nodes is None else int(self.max_leaf_nodes)

    def _least_rows(self, sample: Sample) -> int:
        """Return the fewest rows that a leaf may have."""
        return StoppingRules(min_samples_leaf=self.min_samples_leaf).min_leaf(len(sample))

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


def _finishing_share(n_chosen_on: int, n_rows: int) -> float:
    """Return the share of the work that follows the choice, for the progress.

    The choice passes some thousand times over its rows; the fit of the winner some ten times over
    at most `MOST_ROWS_TO_FIT`, counting and rounding a few times over all.
    """
    after = 10.0 * min(n_rows, MOST_ROWS_TO_FIT) + 15.0 * n_rows
    return max(0.1, after / (after + 1000.0 * n_chosen_on))


def _fitted_on_all(
    candidate: Candidate, chosen_on: Sample, some: Sample, sample: Sample
) -> Refined:
    """Return a candidate, chosen on a sample of rows, fitted on more of them and counted on all."""
    competitor, recipe = candidate.competitor, candidate.recipe
    if isinstance(competitor, LinearLeaf):
        return competitor.sharpened(recipe, some, sample, candidate.evaluation.exponent)
    refined = competitor.fit(recipe, chosen_on)
    if chosen_on is not sample:
        refined = competitor.carry_on(refined, recipe, some, sample)
    if refined.tree.n_leaves == 1:
        return refined
    return Refined(shortened(refined.tree, sample, refined.steepness), refined.steepness)


def is_constant(tree: Tree) -> bool:
    """Whether a tree predicts the same for all rows."""
    return tree.n_leaves == 1 and not getattr(tree, "leaf_coef", np.zeros(0)).any()
