"""Estimators of several trees: where rows end up in each of them, and the trees one by one."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array, hstack
from sklearn.utils.validation import check_is_fitted

from aslant.estimators import BaseTreeClassifier, TreeClassifier
from aslant.utils.checks import check_number
from aslant.utils.parameters import parameters

Encoded = npt.NDArray[np.floating[Any]]


@parameters
class EnsembleClassifier(BaseTreeClassifier):
    """What estimators of several trees share; not to be used itself.

    It has a length, and its trees come by number or one after the other.

    Attributes
    ----------
    estimators_ : list of TreeClassifier
        The fitted trees.
    """

    def __len__(self) -> int:
        check_is_fitted(self)
        return len(self.estimators_)

    def __getitem__(self, number: Any) -> Any:
        check_is_fitted(self)
        return self.estimators_[number]

    def __iter__(self) -> Iterator[TreeClassifier]:
        check_is_fitted(self)
        return iter(self.estimators_)

    def apply(self, X: Any) -> npt.NDArray[np.int64]:
        """Return the leaf that each row reaches in each tree, shape (n_samples, n_estimators)."""
        encoded = self._encoded(X)
        return leaves_in(self.estimators_, encoded)

    def decision_path(self, X: Any) -> tuple[csr_array, npt.NDArray[np.intp]]:
        """Return the nodes each row passes in all trees, and where each tree's columns begin."""
        encoded = self._encoded(X)
        return paths_in(self.estimators_, encoded)

    def get_depth(self) -> int:
        """Return the depth of the deepest tree."""
        check_is_fitted(self)
        return max(member.get_depth() for member in self.estimators_)

    def get_n_leaves(self) -> int:
        """Return the number of leaves of all trees together."""
        check_is_fitted(self)
        return sum(member.get_n_leaves() for member in self.estimators_)


def number_of_trees(estimator: Any) -> int:
    """Return ``n_estimators``, or ``n_trees`` if that is given by its old name."""
    name = "n_estimators" if estimator.n_trees is None else "n_trees"
    check_number(name, getattr(estimator, name), 1, 10**6, whole=True)
    if name == "n_trees":
        warnings.warn(
            "n_trees is called n_estimators now; the old name will go in aslant 0.2.",
            FutureWarning,
            stacklevel=3,
        )
    return int(getattr(estimator, name))


def leaves_in(members: Sequence[TreeClassifier], encoded: Encoded) -> npt.NDArray[np.int64]:
    """Return the leaf that each row reaches in each tree, shape (n_samples, n_trees)."""
    return np.stack([member._leaves(encoded) for member in members], axis=1).astype(np.int64)


def paths_in(
    members: Sequence[TreeClassifier], encoded: Encoded
) -> tuple[csr_array, npt.NDArray[np.intp]]:
    """Return the nodes each row passes in all trees, and where each tree's columns begin."""
    paths = [member.tree_.decision_path(encoded) for member in members]
    widths = [path.shape[1] for path in paths]
    return csr_array(hstack(paths)), np.concatenate([[0], np.cumsum(widths)])


def share_fit(whole: BaseTreeClassifier, member: BaseTreeClassifier) -> None:
    """Give a member what fitting learned about the features and the classes."""
    features = ("encoder_", "n_features_in_", "feature_names_in_", "column_spread_")
    for name in (*features, "classes_", "n_classes_", "n_samples_fit_"):
        if hasattr(whole, name):
            setattr(member, name, getattr(whole, name))
