"""The classification tree with linear leaves: each is a multinomial logistic regression."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from aslant.tree.linear_function import columns_of, linear_function
from aslant.tree.tree import Tree

Vector = npt.NDArray[np.float64]


class LogitTree(Tree):
    """An immutable tree whose leaves predict class probabilities that depend on the row.

    Everything about its tests and counts is as in `aslant.tree.Tree`. The class probabilities of a
    row are the softmax of the logits of its leaf,
    ``clip(leaf_value + leaf_coef @ (x - leaf_center), leaf_low, leaf_high)``, one for each class.
    With two classes the first logit is 0, so that the second is the log-odds of the second class.

    Attributes
    ----------
    leaf_value : ndarray of shape (n_nodes, n_classes)
        The logits where all columns are at `leaf_center`.
    leaf_coef : ndarray of shape (n_nodes, n_classes, n_columns)
        The slopes of the logits.
    leaf_center : ndarray of shape (n_nodes, n_columns)
        The mean of every column at the node, which also replaces missing values.
    leaf_low, leaf_high : ndarray of shape (n_nodes, n_classes)
        The range of the logits of the training rows: logits do not extrapolate.
    """

    _added: ClassVar[dict[str, type[np.generic]]] = {
        "leaf_value": np.float64,
        "leaf_coef": np.float64,
        "leaf_center": np.float64,
        "leaf_low": np.float64,
        "leaf_high": np.float64,
    }

    leaf_value: Vector
    leaf_coef: Vector
    leaf_center: Vector
    leaf_low: Vector
    leaf_high: Vector

    def _check_counts(self) -> None:
        super()._check_counts()
        shapes = {
            "leaf_value": (self.n_nodes, self.n_classes),
            "leaf_coef": (self.n_nodes, self.n_classes, self.n_columns),
            "leaf_center": (self.n_nodes, self.n_columns),
            "leaf_low": (self.n_nodes, self.n_classes),
            "leaf_high": (self.n_nodes, self.n_classes),
        }
        for name, shape in shapes.items():
            if getattr(self, name).shape != shape:
                raise ValueError(f"not a valid tree: {name} must have the shape {shape}")
            if not np.isfinite(getattr(self, name)).all():
                raise ValueError(f"not a valid tree: {name} must be finite")

    @property
    def is_linear(self) -> bool:
        """Whether leaves predict linear functions of the columns: always."""
        return True

    def logits(self, X: npt.NDArray[np.floating[Any]], *, n_threads: int = 1) -> Vector:
        """Return the logits of encoded rows, shape (n_rows, n_classes)."""
        leaf = self.apply(X, n_threads=n_threads)
        columns = columns_of(self, X)
        found = np.empty((len(leaf), self.n_classes))
        for node in np.unique(leaf).tolist():
            rows = leaf == node
            found[rows] = linear_function(self, node, columns[rows])
        return found

    def probabilities(self, X: npt.NDArray[np.floating[Any]], *, n_threads: int = 1) -> Vector:
        """Return the class probabilities of encoded rows."""
        logits = self.logits(X, n_threads=n_threads)
        relative = np.exp(logits - logits.max(axis=1, keepdims=True))
        return np.asarray(relative / relative.sum(axis=1, keepdims=True))
