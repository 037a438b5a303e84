"""The regression tree: leaves predict means, or linear functions of the columns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from aslant.tree.linear_function import columns_of, linear_function
from aslant.tree.tree import Tree

Vector = npt.NDArray[np.float64]
Matrix = npt.NDArray[np.floating[Any]]

# An extrapolated prediction may be off by any number; this is as bad as one can be whose square,
# and the square of that, are numbers. Targets are of size 1 while trees are grown and pruned.
_WORST = 1e75


class RegressionTree(Tree):
    """An immutable tree that predicts one number or several.

    Everything about its tests is as in `aslant.tree.Tree`.

    Attributes
    ----------
    value : ndarray of shape (n_nodes, n_outputs)
        Weighted mean of the targets of the training rows at each node.
    node_weight : ndarray of shape (n_nodes,)
        Weight of the training rows at each node.
    error : ndarray of shape (n_nodes,)
        Mean squared error that each node would make as a leaf, summed over the outputs: on its own
        training rows, each left out of the fit if leaves are linear.
    leaf_coef : ndarray of shape (n_nodes, n_outputs, n_columns)
        With linear leaves, the slopes of each node's function
        ``value + leaf_coef @ (x - leaf_center)``; else no columns.
    leaf_center : ndarray of shape (n_nodes, n_columns)
        With linear leaves, the mean of every column at the node, which also stands in for a missing
        value; else no columns.
    leaf_low, leaf_high : ndarray of shape (n_nodes, n_outputs)
        With linear leaves, the bounds that predictions are kept within; else no columns.
    """

    _added: ClassVar[dict[str, type[np.generic]]] = {
        "node_weight": np.float64,
        "error": np.float64,
        "leaf_coef": np.float64,
        "leaf_center": np.float64,
        "leaf_low": np.float64,
        "leaf_high": np.float64,
    }

    node_weight: Vector
    error: Vector
    leaf_coef: Vector
    leaf_center: Vector
    leaf_low: Vector
    leaf_high: Vector

    @classmethod
    def from_statistics(cls, arrays: dict[str, Any]) -> RegressionTree:
        """Return the tree with means in its leaves that the core has grown.

        Its ``value`` holds the weight of each node and the weighted sums of its targets. The errors
        of the tree are its impurities, which are right where growth went by squared error.
        """
        statistics = arrays.pop("value")
        value = statistics[:, 1:] / statistics[:, :1]
        return cls.adopt(
            **arrays,
            value=value,
            node_weight=statistics[:, 0].copy(),
            error=arrays["impurity"].copy(),
            **without_linear_leaves(*value.shape),
        )

    def with_errors_on(self, X: Matrix, y: Vector, weight: Vector) -> RegressionTree:
        """Return the tree with the squared errors that its nodes make on their training rows."""
        error = self.losses(X, y, weight)[:, 1] / self.node_weight
        return RegressionTree.adopt(n_features=self.n_features, **self.arrays() | {"error": error})

    def counted_on(self, X: Matrix, y: Vector, weight: Vector) -> RegressionTree:
        """Return the tree with the means and errors of rows that reach all of its leaves.

        Its leaves predict means, whatever they predicted before.
        """
        y = np.reshape(y, (X.shape[0], -1))
        total, sums = np.zeros(self.n_nodes), np.zeros((self.n_nodes, y.shape[1]))
        here, node = np.arange(len(y)), self.apply(X)
        count = np.zeros(self.n_nodes, dtype=np.int64)
        while len(node):  # from the leaves to the root
            count += np.bincount(node, minlength=self.n_nodes)
            total += np.bincount(node, weight[here], self.n_nodes)
            for q in range(y.shape[1]):
                sums[:, q] += np.bincount(node, weight[here] * y[here, q], self.n_nodes)
            here, node = here[node > 0], self.parent[node[node > 0]]
        value = sums / total[:, np.newaxis]
        arrays = self.arrays() | without_linear_leaves(*value.shape)
        arrays |= {"value": value, "node_weight": total, "n_node_samples": count}
        means = RegressionTree(n_features=self.n_features, **arrays).with_errors_on(X, y, weight)
        arrays["impurity"] = arrays["error"] = means.error
        return RegressionTree(n_features=self.n_features, **arrays)

    def _check_counts(self) -> None:
        n_nodes, n_outputs = len(self.children), self.n_outputs
        if self.value.ndim != 2 or n_outputs < 1 or len(self.value) != n_nodes:
            raise ValueError("not a valid tree: value must be a matrix with one row per node")
        slopes = self.n_columns if self.is_linear else 0
        shapes = {
            "n_node_samples": (n_nodes,),
            "impurity": (n_nodes,),
            "node_weight": (n_nodes,),
            "error": (n_nodes,),
            "leaf_coef": (n_nodes, n_outputs, slopes),
            "leaf_center": (n_nodes, slopes),
            "leaf_low": (n_nodes, n_outputs if self.is_linear else 0),
            "leaf_high": (n_nodes, n_outputs if self.is_linear else 0),
        }
        for name, shape in shapes.items():
            if getattr(self, name).shape != shape:
                raise ValueError(f"not a valid tree: {name} must have the shape {shape}")
        for name in ("value", "node_weight", "leaf_coef", "leaf_center"):
            if not np.isfinite(getattr(self, name)).all():
                raise ValueError(f"not a valid tree: {name} must be finite")
        if not (self.node_weight > 0.0).all():
            raise ValueError("not a valid tree: node_weight must be positive")

    # ------------------------------------------------------------------ what it holds

    @property
    def n_outputs(self) -> int:
        """How many numbers the tree predicts."""
        return int(self.value.shape[-1])

    @property
    def is_linear(self) -> bool:
        """Whether leaves predict linear functions, not means."""
        return self.leaf_coef.shape[-1] > 0

    @property
    def leaf_value(self) -> Vector:
        """What linear leaves predict where all columns are at `leaf_center`: the means."""
        return self.value

    @property
    def weighted_n_node_samples(self) -> Vector:
        """Weight of the training rows at each node."""
        return self.node_weight

    # ------------------------------------------------------------------ predicting

    def predict(self, X: Matrix, *, n_threads: int = 1) -> Vector:
        """Return what the leaf of each row predicts, shape (n_rows, n_outputs)."""
        leaf = self.apply(X, n_threads=n_threads)
        predicted = self.value[leaf]
        if self.is_linear:
            columns = columns_of(self, X)
            for node, rows in _grouped(leaf):
                predicted[rows] = self.predict_at(node, columns[rows])
        return predicted

    def predict_at(self, node: int, columns: Vector) -> Vector:
        """Return what a node predicts, as a leaf, for rows given by their encoded columns."""
        if not self.is_linear:
            return np.repeat(self.value[node][np.newaxis], len(columns), axis=0)
        return linear_function(self, node, columns)

    def losses(self, X: Matrix, y: Vector, weight: Vector) -> Vector:
        """Return, for every node, what rows that pass it would lose if it were a leaf.

        Returns
        -------
        ndarray of shape (n_nodes, 3)
            Weight of the rows, weighted sum of their squared errors, and of the squares of these.
        """
        y = np.reshape(y, (X.shape[0], -1))
        total = np.zeros((self.n_nodes, 3))
        if not self.is_linear:
            rows, node = np.arange(len(y)), self.apply(X)
            while len(node):  # from the leaves to the root
                error = ((y[rows] - self.value[node]) ** 2).sum(axis=1)
                for k, loss in enumerate((np.ones(len(rows)), error, error**2)):
                    total[:, k] += np.bincount(node, weight[rows] * loss, self.n_nodes)
                rows, node = rows[node > 0], self.parent[node[node > 0]]
            return total
        columns = columns_of(self, X)
        for number, rows in self.rows_by_node(X):
            missed = y[rows] - self.predict_at(number, columns[rows])
            error = (np.clip(missed, -_WORST, _WORST) ** 2).sum(axis=1)
            w = weight[rows]
            total[number] = w.sum(), w @ error, w @ error**2
        return total

    def rows_by_node(self, X: Matrix) -> Iterator[tuple[int, npt.NDArray[np.intp]]]:
        """Yield every node with the rows that pass it."""
        # Nodes are in preorder: in the order of their leaves the rows of a subtree lie together.
        leaf = self.apply(X)
        order = np.argsort(leaf, kind="stable")
        begin = np.searchsorted(leaf[order], np.arange(self.n_nodes))
        end = np.searchsorted(leaf[order], self.subtree_end)
        for node in range(self.n_nodes):
            yield node, order[begin[node] : end[node]]

    # ------------------------------------------------------------------ other trees

    def in_units(self, exponent: int, power: int) -> RegressionTree:
        """Return the tree for targets that are 2**exponent times as large.

        Impurities grow with the given power of the targets, 2 for squares; where they leave the
        range of floating point numbers they become infinite. A slope that does becomes none.
        """
        arrays = self.arrays()
        with np.errstate(over="ignore"):
            for name in ("value", "leaf_coef", "leaf_low", "leaf_high"):
                arrays[name] = np.ldexp(arrays[name], exponent)
            arrays["leaf_coef"][np.isinf(arrays["leaf_coef"])] = 0.0
            arrays["impurity"] = np.ldexp(arrays["impurity"], power * exponent)
            arrays["error"] = np.ldexp(arrays["error"], 2 * exponent)
        return RegressionTree.adopt(n_features=self.n_features, **arrays)


def without_linear_leaves(n_nodes: int, n_outputs: int) -> dict[str, Any]:
    """Return the arrays of linear leaves of a tree that has none."""
    none = np.zeros((n_nodes, 0))
    return {
        "leaf_coef": np.zeros((n_nodes, n_outputs, 0)),
        "leaf_center": none,
        "leaf_low": none.copy(),
        "leaf_high": none.copy(),
    }


def _grouped(leaf: npt.NDArray[np.int32]) -> Iterator[tuple[int, npt.NDArray[np.intp]]]:
    """Yield every leaf that is reached with its rows."""
    order = np.argsort(leaf, kind="stable")
    nodes, begin = np.unique(leaf[order], return_index=True)
    yield from zip(nodes.tolist(), np.split(order, begin[1:]), strict=True)
