"""What estimators of several trees have in common: where rows end up in each of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array, hstack

from aslant.estimators import TreeClassifier

Encoded = npt.NDArray[np.floating[Any]]


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


def share_fit(whole: TreeClassifier, member: TreeClassifier) -> None:
    """Give a member what fitting learned about the features and the classes."""
    features = ("encoder_", "n_features_in_", "feature_names_in_", "column_spread_")
    for name in (*features, "classes_", "n_classes_", "n_samples_fit_"):
        if hasattr(whole, name):
            setattr(member, name, getattr(whole, name))
