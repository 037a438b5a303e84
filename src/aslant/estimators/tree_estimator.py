"""Estimators whose trees are grown, pruned and refined as their parameters say."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from typing import Any, Literal, Self

from aslant import _core
from aslant.encoding.sample import Sample
from aslant.estimators.constraints import ConstraintParameters, check_combination
from aslant.growth import TreeSettings
from aslant.prune import Pruner
from aslant.prune.registry import PRUNERS
from aslant.refine import JointFit
from aslant.search import SplitSearch
from aslant.search.base import Criterion
from aslant.utils.checks import check_choice
from aslant.utils.parameters import parameters


@parameters
class TreeEstimator(ConstraintParameters):
    """An estimator that grows and prunes trees with one search; not to be used itself.

    A subclass says which search to run (`_make_search`).

    Parameters
    ----------
    pruning : str, Pruner or None, default=None
        ``"cost_complexity"``, ``"reduced_error"``, ``"pessimistic"``, ``"error_based"``,
        ``"multivariate"`` or ``"mml"``: a pruner of `aslant.prune` with its own defaults; or such
        an object, with parameters of its choice. None prunes nothing.
    ccp_alpha : float, default=0.0
        Minimal cost-complexity pruning after growth (and after `pruning`), as in scikit-learn.
    search_rows : int or None, default=None
        A node with more rows than this is searched on a random sample of so many, and the test is
        finished on all rows by the search's own rules. Faster on large data, and another tree. None
        searches all rows.
    search_finish : {'threshold', 'coefficients'}, default='threshold'
        With `search_rows`: the threshold of a test is the best for all rows; or its coefficients
        too are moved, one after the other, to their best values on all rows.

    Attributes
    ----------
    feature_importances_ : ndarray of shape (n_features_in_,)
        Fraction of each feature in the total decrease of impurity. A test's decrease is divided
        among its features by the size of their coefficients times their standard deviations.
    n_hyperplanes_ : int
        Hyperplanes considered while growing.
    """

    pruning: str | Pruner | None = None
    ccp_alpha: float = 0.0
    search_rows: int | None = None
    search_finish: Literal["threshold", "coefficients"] = "threshold"

    # ------------------------------------------------------------------ what subclasses say

    @abstractmethod
    def _make_search(self) -> SplitSearch:
        """Return the search that looks for the split of a node."""

    def _make_test_search(self) -> SplitSearch | None:
        """Return the search with which a pruner learns a test again; None is that of growth."""
        return None

    @abstractmethod
    def _criterion_of(self, search: SplitSearch) -> Criterion:
        """Return the splitting criterion, which must suit the search."""

    def _make_refinement(self) -> JointFit | None:
        """Return what fits the pruned tree as a whole, if anything does."""
        return None

    @abstractmethod
    def _grow(self, sample: Sample, settings: TreeSettings, seed: int) -> None:
        """Grow what the estimator is made of, and set it."""

    # ------------------------------------------------------------------ fitting

    def fit(self, X: Any, y: Any, sample_weight: Any = None, prune_rows: Any = None) -> Self:
        """Grow, prune and refine.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            Training rows; NaN is a missing value.
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
            What to predict: class labels of any type, or numbers.
        sample_weight : array-like of shape (n_samples,), optional
            Weights, not negative.
        prune_rows : array-like of bool of shape (n_samples,), optional
            Validation rows for pruning; the tree is grown on the others. Without it a pruner that
            needs such rows chooses its fraction of them itself.

        Returns
        -------
        self
            The fitted estimator.
        """
        sample = self._prepare(X, y, sample_weight, prune_rows)
        settings = replace(self._tree_settings(), constraints=self._constraints(sample))
        settings.check()
        check_combination(settings.constraints, settings)
        pruner = settings.pruner
        if sample.for_pruning is not None and (pruner is None or pruner.held_out == 0.0):
            raise ValueError(
                "prune_rows needs a pruning that uses validation rows, such as "
                f"'reduced_error', got pruning={self.pruning!r}."
            )
        self._grow(sample, settings, self._draw_seed())
        return self

    def _tree_settings(self) -> TreeSettings:
        """Return how a tree is grown, from the parameters."""
        search = self._make_search()
        return TreeSettings(
            search=search,
            criterion=self._criterion_of(search),
            stopping=self._stopping_rules(),
            fill_with_training_mean=self.missing == "training_mean",
            search_rows=self.search_rows,
            search_finish=self.search_finish,
            pruner=self._make_pruner(),
            test_search=self._make_test_search(),
            refinement=self._make_refinement(),
            ccp_alpha=self.ccp_alpha,
            n_threads=self._n_threads(),
            progress=self._progress(),
        )

    def _make_pruner(self) -> Pruner | None:
        if self.pruning is None or isinstance(self.pruning, Pruner):
            return self.pruning
        if not isinstance(self.pruning, str):
            raise TypeError(
                "pruning must be None, a name or an object from aslant.prune, got "
                f"{self.pruning!r}."
            )
        check_choice("pruning", self.pruning, tuple(PRUNERS))
        return PRUNERS[self.pruning]()

    def _reads_sparse(self) -> bool:
        try:
            if self.search_rows is not None or self._make_refinement() is not None:
                return False
            return _core.reads_sparse(self._make_search().core())
        except (AttributeError, TypeError, ValueError):  # fit reports what is wrong
            return False
