"""Estimators of one tree: grow, prune, refine, and where rows end up."""

from __future__ import annotations

from abc import abstractmethod
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.utils import Bunch
from sklearn.utils.validation import check_is_fitted

from aslant import _core
from aslant.encoding.sample import Sample
from aslant.estimators.base import MISSING, BaseTree
from aslant.estimators.growing import one_blas_thread, whole
from aslant.growth.importances import importances, impurity_risk
from aslant.prune import Grown, Pruner, prune_by_alpha, pruning_path
from aslant.prune.base import Mask
from aslant.search import SplitSearch
from aslant.search.base import Criterion
from aslant.tree.split import Split
from aslant.tree.tree import Tree
from aslant.utils.checks import check_choice, check_no_effect, check_number
from aslant.utils.parameters import parameters


@parameters
class SingleTree(BaseTree):
    """What every estimator of one tree shares; not to be used itself.

    A subclass says which search to run (`_make_search`).

    Attributes
    ----------
    tree_ : Tree
        The tree, as flat arrays: see `aslant.tree.Tree`.
    """

    _tree_type: ClassVar[type[Tree]] = Tree

    # ------------------------------------------------------------------ what subclasses say

    @abstractmethod
    def _make_search(self) -> SplitSearch:
        """Return the search that looks for the split of a node."""

    def _make_test_search(self) -> SplitSearch:
        """Return the search that learns a test anew from columns that were chosen already."""
        return self._make_search()

    def _reads_sparse(self) -> bool:
        if self.search_rows is not None or self._make_refinement() is not None:
            return False
        try:
            return _core.reads_sparse(self._make_search().core())
        except (AttributeError, TypeError, ValueError):  # fit reports what is wrong
            return False

    @abstractmethod
    def _criterion_of(self, search: SplitSearch) -> Criterion:
        """Return the splitting criterion, which must suit the search."""

    @abstractmethod
    def _with_impurity(self, tree: Tree) -> Tree:
        """Return the tree with impurities of its present counts: pruning may have changed them."""

    # ------------------------------------------------------------------ fitting

    def fit(self, X: Any, y: Any, sample_weight: Any = None, prune_rows: Any = None) -> Self:
        """Grow and prune a tree.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            Training rows; NaN is a missing value.
        y : array-like of shape (n_samples,)
            Class labels of any type.
        sample_weight : array-like of shape (n_samples,), optional
            Weights, not negative.
        prune_rows : array-like of bool of shape (n_samples,), optional
            The rows that pruning judges by; the tree is grown on the others. Without it a pruning
            that needs such rows chooses its share of them itself.

        Returns
        -------
        self
            The fitted estimator.
        """
        sample = self._prepare(X, y, sample_weight, prune_rows)
        return self._fit_sample(sample, self._draw_seed())

    def _fit_sample(self, sample: Sample, seed: int) -> Self:
        self.tree_ = self._build_tree(sample, seed)
        self.feature_importances_ = self._importances(self.tree_, self.column_spread_)
        return self

    def _importances(self, tree: Tree, spread: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Return the importance of each input feature, with that of what is derived from it."""
        source = self.encoder_.source
        own = importances(tree, spread)
        return np.bincount(source, own, self.n_features_in_).astype(np.float64)

    def _build_tree(self, sample: Sample, seed: int) -> Tree:
        """Grow on what pruning leaves, then prune, then refine on all rows."""
        pruner = self._checked_pruner(sample)
        refinement = self._make_refinement()
        if refinement is not None:
            refinement.check()
        check_number("ccp_alpha", self.ccp_alpha, 0.0)
        training, held_out = sample, None
        if pruner is not None and pruner.held_out > 0.0:
            training, held_out = sample.hold_out(pruner.held_out, seed)
            if len(training) == 0 or len(held_out) == 0:  # too few rows to spare any
                training, held_out, pruner = sample, None, None
        tree, self.n_hyperplanes_ = self._grow(training, seed)
        if pruner is not None:
            again = _GrowAgain(self, training, seed)
            grown = Grown(tree, training, held_out, again.tree, again.test, seed)
            tree = self._with_impurity(pruner.prune(grown))
        if refinement is not None:
            by_training_mean = self.missing == "training_mean"
            refined = refinement.refine(tree, sample, fill_with_training_mean=by_training_mean)
            tree = self._with_impurity(refined)
        if self.ccp_alpha > 0.0:
            tree = prune_by_alpha(tree, impurity_risk(tree), self.ccp_alpha)
        return tree

    def _checked_pruner(self, sample: Sample) -> Pruner | None:
        """Return the pruner, which must judge by held-out rows if the caller chose such rows."""
        pruner = self._make_pruner()
        if pruner is not None:
            pruner.check()
        if sample.for_pruning is not None and (pruner is None or pruner.held_out == 0.0):
            raise ValueError(
                "prune_rows needs a pruning that judges by held-out rows, such as "
                f"'reduced_error', got pruning={self.pruning!r}."
            )
        return pruner

    def _grow(self, sample: Sample, seed: int) -> tuple[Tree, int]:
        """Grow one tree; also returns the number of hyperplanes considered."""
        search = self._make_search()
        core_search = search.core()
        check_choice("search_finish", self.search_finish, ("threshold", "coefficients"))
        if self.search_rows is None:
            check_no_effect(self, "search_finish", "search_rows is given")
        else:
            check_number("search_rows", self.search_rows, 2, whole=True)
            core_search = _core.search(
                "OnSample",
                search=core_search,
                rows=max(2, min(int(self.search_rows), len(sample))),
                climbs=self.search_finish == "coefficients",
            )
        with one_blas_thread():
            growth = _core.grow(
                problem=self._problem(sample, search),
                search=core_search,
                seed=seed,
                n_threads=self._n_threads(),
                progress=self._progress(len(sample)),
                **self._stopping_rules(len(sample)),
            )
        return self._adopted(growth["tree"], sample), int(growth["hyperplanes"])

    def _adopted(self, arrays: dict[str, Any], sample: Sample) -> Tree:
        """Return the tree of the arrays that growing on a sample returned."""
        return self._tree_type.adopt(**arrays)

    def _problem(self, sample: Sample, search: SplitSearch) -> _core.Problem:
        """Return the rows as the core sees them."""
        check_choice("missing", self.missing, MISSING)
        return self._problem_of(
            sample.core_features(self.encoder_.columns()),
            sample.core_target(),
            sample.core_rows,
            self._criterion_of(search),
            sample.weight,
            fill_with_training_mean=self.missing == "training_mean",
        )

    # ------------------------------------------------------------------ predicting

    def _leaves(self, encoded: npt.NDArray[np.floating[Any]]) -> npt.NDArray[np.int32]:
        return self.tree_.apply(encoded, n_threads=self._n_threads())

    def apply(self, X: Any) -> npt.NDArray[np.int64]:
        """Return the leaf that each row reaches."""
        return self._leaves(self._encoded(X)).astype(np.int64)

    def decision_path(self, X: Any) -> csr_array:
        """Return the nodes that each row passes, as an indicator matrix."""
        encoded = self._encoded(X)
        return self.tree_.decision_path(encoded)

    def get_depth(self) -> int:
        """Return the depth of the deepest leaf."""
        check_is_fitted(self)
        return self.tree_.max_depth

    def get_n_leaves(self) -> int:
        """Return the number of leaves."""
        check_is_fitted(self)
        return self.tree_.n_leaves

    def cost_complexity_pruning_path(self, X: Any, y: Any, sample_weight: Any = None) -> Bunch:
        """Return the alphas and impurities of minimal cost-complexity pruning.

        As in scikit-learn: ``ccp_alphas`` are the values of `ccp_alpha` at which the tree changes,
        ``impurities`` the total leaf impurities of the trees in between. Fits a clone.
        """
        other = clone(self)
        if "ccp_alpha" in other.get_params(deep=False):
            other.set_params(ccp_alpha=0.0)
        other.fit(X, y, sample_weight)
        alphas, risks = pruning_path(other.tree_, impurity_risk(other.tree_))
        return Bunch(ccp_alphas=alphas, impurities=risks)

    # ------------------------------------------------------------------ keeping

    def _trees_to_state(self) -> dict[str, Any]:
        return {
            "tree": {"n_features": self.tree_.n_features, **self.tree_.arrays()},
            "importances": self.feature_importances_,
            "n_hyperplanes": self.n_hyperplanes_,
        }

    def _trees_from_state(self, state: dict[str, Any]) -> None:
        self.tree_ = self._tree_type(**state["tree"])
        self.feature_importances_ = state["importances"]
        self.n_hyperplanes_ = whole(state["n_hyperplanes"])
        if self.tree_.n_features != len(self.encoder_.source):
            raise ValueError("the tree has other features than the estimator")


class _GrowAgain:
    """What a pruner may ask for: another tree, or another test, with the settings of the fit."""

    def __init__(self, estimator: SingleTree, training: Sample, seed: int) -> None:
        self._estimator = estimator
        self._training = training
        self._seed = seed

    def tree(self, rows: Sample) -> Tree:
        """Return a tree grown on some rows."""
        return self._estimator._grow(rows, self._seed)[0]

    def test(self, rows: Mask, columns: Mask) -> Split | None:
        """Return a test for some of the training rows that reads only some columns."""
        search = self._estimator._make_test_search().core()
        return _core.find_test(
            self._problem, search, self._seed, self._training.rows[rows], columns
        )

    @cached_property
    def _problem(self) -> _core.Problem:
        return self._estimator._problem(self._training, self._estimator._make_test_search())
