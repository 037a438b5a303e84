"""Estimators of one tree: where rows end up, sizes, and the saved tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.utils import Bunch
from sklearn.utils.validation import check_is_fitted

from aslant.encoding.sample import Matrix
from aslant.estimators.base import BaseTree, integer
from aslant.growth.importances import impurity_risk
from aslant.prune.sequence import pruning_path
from aslant.tree.tree import Tree
from aslant.utils.parameters import parameters

if TYPE_CHECKING:
    from aslant.estimators.editing import TreeEditor


@parameters
class SingleTree(BaseTree):
    """What every estimator of one tree shares; not to be used itself.

    Attributes
    ----------
    tree_ : Tree
        The tree, as flat arrays: see `aslant.tree.Tree`.
    feature_importances_ : ndarray of shape (n_features_in_,)
        Fraction of each feature in the total decrease of impurity. A test's decrease is divided
        among its features by the size of their coefficients times their standard deviations, and
        so is the decrease by the function of a linear leaf.
    n_hyperplanes_ : int
        Hyperplanes considered while growing.
    """

    _tree_type: ClassVar[type[Tree]] = Tree

    def _set_tree(
        self,
        tree: Tree,
        n_hyperplanes: int,
        importances: npt.NDArray[np.float64] | None = None,
    ) -> None:
        self.tree_ = tree
        # Of the tree before.
        for name in ("edits_", "observed_counts_", "leaf_interval_", "interval_coverage_"):
            self.__dict__.pop(name, None)
        self.n_hyperplanes_ = n_hyperplanes
        self.feature_importances_ = (
            self._importances_of(tree) if importances is None else importances
        )

    # ------------------------------------------------------------------ predicting

    def _leaves(self, encoded: Matrix) -> npt.NDArray[np.int32]:
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

    def edit(self, X: Any = None, y: Any = None, sample_weight: Any = None) -> TreeEditor:
        """Return an editor of a copy of the tree, which logs every edit with its reason.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features), optional
            The training rows: `drop_term` counts them again.
        y : array-like of shape (n_samples,), optional
            Their targets.
        sample_weight : array-like of shape (n_samples,), optional
            Their weights.

        Returns
        -------
        TreeEditor
            With ``snip``, ``relabel``, ``merge`` and ``drop_term``; ``model`` is the edited copy,
            whose ``edits_`` says what was changed, where, why and when.
        """
        # Deferred: few trees are edited.
        from aslant.estimators.editing import TreeEditor

        check_is_fitted(self)
        return TreeEditor(self, X, y, sample_weight)

    # ------------------------------------------------------------------ saving

    def _trees_to_state(self) -> dict[str, Any]:
        edits: dict[str, Any] = {"edits": self.edits_} if hasattr(self, "edits_") else {}
        if observed := getattr(self, "observed_counts_", {}):
            edits["observed_counts"] = {
                "leaf": np.array(list(observed), dtype=np.int64),
                "counts": np.array(list(observed.values())),
            }
        return {
            **edits,
            "tree": {"n_features": self.tree_.n_features, **self.tree_.arrays()},
            "importances": self.feature_importances_,
            "n_hyperplanes": self.n_hyperplanes_,
        }

    def _tree_from(self, arrays: dict[str, Any]) -> Tree:
        """Return the tree of saved arrays."""
        return self._tree_type(**arrays)

    def _trees_from_state(self, state: dict[str, Any]) -> None:
        self.tree_ = self._tree_from(state["tree"])
        self.feature_importances_ = state["importances"]
        if "edits" in state:
            self.edits_: list[dict[str, Any]] = [dict(entry) for entry in state["edits"]]
        if "observed_counts" in state:
            leaf, counts = (np.asarray(state["observed_counts"][k]) for k in ("leaf", "counts"))
            if counts.shape != (len(leaf), self.tree_.value.shape[1]):
                raise ValueError("the observed counts are not one row for each leaf")
            self.observed_counts_ = dict(zip(leaf.tolist(), counts.tolist(), strict=True))
        self.n_hyperplanes_ = integer(state["n_hyperplanes"])
        if self.tree_.n_features != len(self.encoder_.source):
            raise ValueError("the tree has other features than the estimator")
