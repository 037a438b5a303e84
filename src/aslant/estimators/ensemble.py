"""Estimators of several trees, each of which can be had as an estimator of its own."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array, hstack
from sklearn.utils.validation import check_is_fitted

from aslant.encoding.sample import Matrix
from aslant.estimators.base import BaseTree
from aslant.estimators.single_tree import SingleTree
from aslant.tree.tree import Tree
from aslant.utils.parameters import parameters

_Member = TypeVar("_Member", bound=SingleTree)

# What fitting learned of the features and the target: the same for an ensemble and its trees.
_SHARED = (
    "encoder_",
    "n_features_in_",
    "feature_names_in_",
    "column_spread_",
    "n_samples_fit_",
    "classes_",
    "n_classes_",
    "n_outputs_",
)


@parameters
class TreeEnsemble(BaseTree):
    """What estimators of several trees share; not to be used itself.

    It has a length, and its trees come by number or one after the other.

    Attributes
    ----------
    trees_ : list of Tree
        The trees as flat arrays.
    estimators_ : list
        The trees as estimators of their own.
    """

    @abstractmethod
    def _member(self, number: int) -> SingleTree:
        """Return one tree as an estimator of its own."""

    def _set_trees(self, trees: list[Tree]) -> None:
        """Replace the trees, and forget what was made of others."""
        self.trees_: list[Tree] = trees
        self._made: dict[str, Any] = {}  # what is made of the trees when it is asked for

    @property
    def estimators_(self) -> list[Any]:
        """The trees as estimators of their own, made when they are first asked for."""
        if "trees_" not in vars(self):
            raise AttributeError(f"this {type(self).__name__} is not fitted yet")
        if "members" not in self._made:
            self._made["members"] = [self._member(i) for i in range(len(self.trees_))]
        members: list[Any] = self._made["members"]
        return members

    def __getstate__(self) -> dict[str, Any]:
        state: dict[str, Any] = super().__getstate__()
        return {**state, "_made": {}} if "_made" in state else state

    def __len__(self) -> int:
        check_is_fitted(self)
        return len(self.trees_)

    def __getitem__(self, number: Any) -> Any:
        check_is_fitted(self)
        return self.estimators_[number]

    def __iter__(self) -> Iterator[Any]:
        check_is_fitted(self)
        return iter(self.estimators_)

    def _leaves(self, encoded: Matrix) -> npt.NDArray[np.int32]:
        """Return the leaf that each row reaches in each tree, shape (n_samples, n_trees)."""
        n_threads = self._n_threads()
        return np.stack([tree.apply(encoded, n_threads=n_threads) for tree in self.trees_], axis=1)

    def apply(self, X: Any) -> npt.NDArray[np.int64]:
        """Return the leaf that each row reaches in each tree, shape (n_samples, n_estimators)."""
        return self._leaves(self._encoded(X)).astype(np.int64)

    def decision_path(self, X: Any) -> tuple[csr_array, npt.NDArray[np.intp]]:
        """Return the nodes each row passes in all trees, and where each tree's columns begin."""
        encoded = self._encoded(X)
        paths = [tree.decision_path(encoded) for tree in self.trees_]
        return csr_array(hstack(paths)), np.cumsum([0, *(path.shape[1] for path in paths)])

    def get_depth(self) -> int:
        """Return the depth of the deepest tree."""
        check_is_fitted(self)
        return max(tree.max_depth for tree in self.trees_)

    def get_n_leaves(self) -> int:
        """Return the number of leaves of all trees together."""
        check_is_fitted(self)
        return sum(tree.n_leaves for tree in self.trees_)


def as_estimator(
    kind: type[_Member],
    settings: dict[str, Any],
    ensemble: BaseTree,
    tree: Tree,
    importances: npt.NDArray[np.float64] | None = None,
) -> _Member:
    """Return one tree of an ensemble as a fitted estimator, which reads the same features.

    Parameters
    ----------
    kind : type
        Class of the estimator.
    settings : dict
        Its parameters.
    ensemble : BaseTree
        The fitted estimator that the tree is from.
    tree : Tree
        The tree.
    importances : ndarray, optional
        Importances of its features, if they are known.
    """
    member = kind(**settings)
    learned = vars(ensemble)
    for name in _SHARED:
        if name in learned:
            setattr(member, name, learned[name])
    member._set_tree(tree, 0, importances)
    return member
