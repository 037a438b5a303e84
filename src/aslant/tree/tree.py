"""The grown tree: immutable flat arrays.

Nodes are numbered in depth-first preorder, so the root is node 0 and every child comes after its
parent. The linear tests are the rows of one compressed matrix over the *encoded columns*: a numeric
feature is one column, a categorical feature with m levels is m indicator columns. So one dot
product is all that prediction ever does, for numbers, categories and missing values alike.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from aslant import _core
from aslant.tree.split import HyperplaneSplit, LinearMachineSplit, Split

# Stored arrays and their types; everything else is derived from them.
_STORED: dict[str, type[np.generic]] = {
    "children": np.int32,
    "value": np.float64,
    "n_node_samples": np.int64,
    "impurity": np.float64,
    "row_start": np.int32,
    "coef_start": np.int64,
    "coef_column": np.int32,
    "coef_value": np.float64,
    "coef_fill": np.float64,
    "offset": np.float64,
    "column_feature": np.int32,
    "column_level": np.int32,
    "column_sign": np.int8,
}


class EncodedColumn(NamedTuple):
    """What a column of a test reads: a number, or 1 where a category has a certain level."""

    feature: int
    """Number of the feature."""
    level: int | None
    """Code of the level, None if the column is the number itself."""


class Tree:
    """An immutable k-ary decision tree over linear tests.

    Attributes
    ----------
    children : ndarray of shape (n_nodes, max_children)
        Node numbers of the children, -1 where there is none.
    value : ndarray of shape (n_nodes, n_classes)
        Weighted class counts of the training rows at each node.
    n_node_samples : ndarray of shape (n_nodes,)
        Training rows at each node.
    impurity : ndarray of shape (n_nodes,)
        Impurity of each node under the criterion of growth.
    row_start : ndarray of shape (n_nodes + 1,)
        Coefficient rows of node i are ``row_start[i]:row_start[i + 1]``: none for a leaf, one for
        a hyperplane, k for a linear machine with k children.
    coef_start, coef_column, coef_value, coef_fill : ndarray
        The compressed coefficient rows over the encoded columns; ``coef_fill`` stands in for a
        missing value.
    offset : ndarray of shape (n_rows,)
        Threshold of a hyperplane, bias of a row of a linear machine.
    column_feature, column_level : ndarray of shape (n_columns,)
        The input feature each encoded column reads, and the level whose indicator it is (-1: the
        number itself).
    column_sign : ndarray of shape (n_columns,)
        Monotonic constraint of each column: 1 if predictions do not fall as it grows, -1 if they do
        not rise, 0 if there is none (`aslant.tree.monotone`).
    """

    children: npt.NDArray[np.int32]
    value: npt.NDArray[np.float64]
    n_node_samples: npt.NDArray[np.int64]
    impurity: npt.NDArray[np.float64]
    row_start: npt.NDArray[np.int32]
    coef_start: npt.NDArray[np.int64]
    coef_column: npt.NDArray[np.int32]
    coef_value: npt.NDArray[np.float64]
    coef_fill: npt.NDArray[np.float64]
    offset: npt.NDArray[np.float64]
    column_feature: npt.NDArray[np.int32]
    column_level: npt.NDArray[np.int32]
    column_sign: npt.NDArray[np.int8]

    # Arrays that a subclass stores as well, with their types: one entry, or more, a node.
    _added: ClassVar[dict[str, type[np.generic]]] = {}

    def __init__(self, *, n_features: int, **arrays: npt.ArrayLike) -> None:
        stored = {**_STORED, **self._added}
        arrays.setdefault("column_sign", np.zeros(np.shape(arrays.get("column_feature", ()))))
        if set(arrays) != set(stored):
            odd = sorted(set(arrays) ^ set(stored))
            raise ValueError(f"not a valid tree: arrays missing or unknown: {', '.join(odd)}")
        self.n_features = int(n_features)
        if not 0 <= self.n_features < 2**31:
            raise ValueError("not a valid tree: n_features must be a number of 31 bits")
        for name, dtype in stored.items():
            array = np.array(arrays[name], dtype=dtype, order="C")
            array.flags.writeable = False
            setattr(self, name, array)
        self._core  # noqa: B018  (checks the structure)
        self._check_counts()
        self._check_signs()

    @classmethod
    def adopt(cls, *, n_features: int, **arrays: npt.NDArray[Any]) -> Self:
        """Return the tree of arrays that nobody else writes to, which are not copied."""
        tree = cls.__new__(cls)
        tree.n_features = n_features
        arrays.setdefault("column_sign", np.zeros(arrays["column_feature"].shape, np.int8))
        for name, array in arrays.items():
            array.flags.writeable = False
            setattr(tree, name, array)
        return tree

    def structure(self) -> dict[str, npt.NDArray[Any]]:
        """Return the arrays that say where a row goes, by name."""
        return {name: getattr(self, name) for name in _STORED if name not in _NOT_STRUCTURE}

    @cached_property
    def _core(self) -> _core.Tree:
        """The tree as prediction reads it; making it checks the structure."""
        return _core.Tree(n_features=self.n_features, **self.structure())

    def _check_counts(self) -> None:
        n_nodes = len(self.children)
        if self.value.ndim != 2 or self.value.shape[1] < 1 or len(self.value) != n_nodes:
            raise ValueError("not a valid tree: value must be a matrix with one row per node")
        if self.n_node_samples.shape != (n_nodes,) or self.impurity.shape != (n_nodes,):
            raise ValueError("not a valid tree: n_node_samples and impurity need one entry a node")
        if not np.isfinite(self.value).all() or (self.value < 0).any():
            raise ValueError("not a valid tree: class counts must be finite and not negative")

    def _check_signs(self) -> None:
        if self.column_sign.shape != self.column_feature.shape:
            raise ValueError("not a valid tree: column_sign needs one entry a column")
        if (np.abs(self.column_sign.astype(int)) > 1).any():
            raise ValueError("not a valid tree: column_sign must hold -1, 0 or 1")

    # ------------------------------------------------------------------ size and shape

    @property
    def n_nodes(self) -> int:
        """Number of nodes, leaves included."""
        return len(self.children)

    @property
    def n_classes(self) -> int:
        """Number of classes."""
        return int(self.value.shape[1])

    @property
    def n_columns(self) -> int:
        """Number of encoded columns."""
        return len(self.column_feature)

    @cached_property
    def is_leaf(self) -> npt.NDArray[np.bool_]:
        """Whether each node is a leaf."""
        return self.children[:, 0] < 0

    @property
    def is_linear(self) -> bool:
        """Whether leaves predict linear functions of the columns."""
        return False

    @property
    def n_leaves(self) -> int:
        """Number of leaves."""
        return int(self.is_leaf.sum())

    @cached_property
    def parent(self) -> npt.NDArray[np.int32]:
        """Parent of each node, -1 for the root."""
        parent = np.full(self.n_nodes, -1, dtype=np.int32)
        for child in self.children.T:
            nodes = np.flatnonzero(child >= 0)
            parent[child[nodes]] = nodes
        return parent

    @cached_property
    def depth(self) -> npt.NDArray[np.int32]:
        """Depth of each node, 0 for the root."""
        depth = np.zeros(self.n_nodes, dtype=np.int32)
        parent = self.parent.tolist()
        for node in range(1, self.n_nodes):
            depth[node] = depth[parent[node]] + 1
        return depth

    @property
    def max_depth(self) -> int:
        """Depth of the deepest leaf."""
        return int(self.depth.max())

    @cached_property
    def subtree_end(self) -> npt.NDArray[np.int32]:
        """One past the last node below each node: nodes i to subtree_end[i] - 1 are its subtree."""
        end = list(range(1, self.n_nodes + 1))
        parent = self.parent.tolist()
        for node in range(self.n_nodes - 1, 0, -1):
            end[parent[node]] = max(end[parent[node]], end[node])
        return np.array(end, dtype=np.int32)

    # ------------------------------------------------------------------ scikit-learn's names

    @property
    def node_count(self) -> int:
        """Number of nodes."""
        return self.n_nodes

    @property
    def weighted_n_node_samples(self) -> npt.NDArray[np.float64]:
        """Weight of the training rows at each node."""
        return self.value.sum(axis=1)

    @property
    def children_left(self) -> npt.NDArray[np.int32]:
        """Child 0 of each node, -1 for a leaf."""
        return self.children[:, 0]

    @property
    def children_right(self) -> npt.NDArray[np.int32]:
        """Child 1 of each node, -1 for a leaf."""
        return self.children[:, 1]

    # ------------------------------------------------------------------ tests

    @cached_property
    def _test_size(self) -> npt.NDArray[np.int32]:
        """Coefficient rows of each node."""
        return np.diff(self.row_start)

    @property
    def threshold(self) -> npt.NDArray[np.float64]:
        """Threshold of each hyperplane; NaN at leaves and linear machines."""
        threshold = np.full(self.n_nodes, np.nan)
        planes = self._test_size == 1
        threshold[planes] = self.offset[self.row_start[:-1][planes]]
        return threshold

    @property
    def coef(self) -> csr_array:
        """Hyperplane coefficients by feature, a sparse matrix of shape (n_nodes, n_features).

        Leaves have empty rows. A category has a coefficient for each of its levels, so a tree whose
        tests read categories has no such matrix, but `column_coef`.
        """
        coef = self.column_coef
        if (self.column_level[coef.indices] >= 0).any():
            raise ValueError(
                "this tree tests categories, which have a coefficient for every level: use "
                "tree_.column_coef, whose columns are tree_.columns"
            )
        feature = self.column_feature[coef.indices]
        return csr_array((coef.data, feature, coef.indptr), shape=(self.n_nodes, self.n_features))

    @cached_property
    def column_coef(self) -> csr_array:
        """Hyperplane coefficients by column, a sparse matrix of shape (n_nodes, n_columns).

        What the columns are, `columns` says. A tree with linear machines has no such matrix: see
        `split`.
        """
        if (self._test_size > 1).any():
            raise ValueError(
                "this tree has linear machines, which have several coefficient rows a node: "
                "use tree_.split(node)"
            )
        indptr = self.coef_start[self.row_start]
        return csr_array(
            (self.coef_value, self.coef_column, indptr), shape=(self.n_nodes, self.n_columns)
        )

    @property
    def columns(self) -> list[EncodedColumn]:
        """What the columns of the tests read: a feature, or whether a category has a level."""
        pairs = zip(self.column_feature.tolist(), self.column_level.tolist(), strict=True)
        return [EncodedColumn(feature, None if level < 0 else level) for feature, level in pairs]

    @property
    def feature(self) -> npt.NDArray[np.intp]:
        """Feature that each node tests, -2 at leaves: scikit-learn's name.

        With `threshold` it says all about a tree whose tests are ``x[feature] <= threshold``. Other
        trees do not have this attribute.
        """
        single = np.diff(self.coef_start) == 1
        if (
            (self._test_size > 1).any()
            or not single.all()
            or (self.coef_value != 1.0).any()
            or (self.column_level[self.coef_column] >= 0).any()
        ):
            raise AttributeError(
                "feature: only a tree whose tests are all x <= threshold, of one number each, has "
                "it; see coef and split(node)"
            )
        feature = np.full(self.n_nodes, -2, dtype=np.intp)
        feature[self._test_size == 1] = self.column_feature[self.coef_column]
        return feature

    def split(self, node: int) -> Split | None:
        """Return the test of a node, None for a leaf."""
        rows = range(self.row_start[node], self.row_start[node + 1])
        if not rows:
            return None
        weights = np.zeros((len(rows), self.n_columns))
        fill = np.zeros(self.n_columns)
        for vector, row in zip(weights, rows, strict=True):
            entries = slice(self.coef_start[row], self.coef_start[row + 1])
            vector[self.coef_column[entries]] = self.coef_value[entries]
            fill[self.coef_column[entries]] = self.coef_fill[entries]
        if len(rows) == 1:
            return HyperplaneSplit(weights[0], float(self.offset[rows[0]]), fill)
        return LinearMachineSplit(weights, self.offset[rows.start : rows.stop].copy(), fill)

    @property
    def features_in_test(self) -> npt.NDArray[np.intp]:
        """Number of features that the test of each node reads, 0 for a leaf."""
        counts = np.zeros(self.n_nodes, dtype=np.intp)
        for node in np.flatnonzero(~self.is_leaf):
            first, last = self.row_start[node], self.row_start[node + 1]
            columns = self.coef_column[self.coef_start[first] : self.coef_start[last]]
            counts[node] = len(np.unique(self.column_feature[columns]))
        return counts

    @property
    def features_per_test(self) -> float:
        """Mean number of features read by a test; 0 for a single leaf."""
        counts = self.features_in_test[~self.is_leaf]
        return float(counts.mean()) if len(counts) else 0.0

    # ------------------------------------------------------------------ prediction

    def apply(
        self, X: npt.NDArray[np.floating[Any]], *, start: int = 0, n_threads: int = 1
    ) -> npt.NDArray[np.int32]:
        """Return the leaf that each row reaches, beginning at node ``start``."""
        return self._core.apply(X, start, n_threads)

    def decision_path(self, X: npt.NDArray[np.floating[Any]]) -> csr_array:
        """Return the nodes each row passes, as an indicator matrix (n_rows, n_nodes)."""
        leaf = self.apply(X)
        ancestry = {node: self._path_to(node) for node in np.unique(leaf).tolist()}
        lengths = self.depth[leaf] + 1
        indptr = np.concatenate([[0], np.cumsum(lengths)])
        indices = np.concatenate([*(ancestry[node] for node in leaf.tolist()), _NO_NODES])
        data = np.ones(len(indices), dtype=np.int64)
        return csr_array((data, indices.astype(np.int64), indptr), shape=(len(leaf), self.n_nodes))

    def _path_to(self, node: int) -> npt.NDArray[np.int32]:
        """Nodes from the root to the given one."""
        path = []
        while node >= 0:
            path.append(node)
            node = int(self.parent[node])
        return np.array(path[::-1], dtype=np.int32)

    # ------------------------------------------------------------------ other trees

    def pruned(self, leaves: npt.ArrayLike) -> Self:
        """Return the tree in which the given nodes are leaves."""
        becomes_leaf = np.zeros(self.n_nodes, dtype=bool)
        becomes_leaf[np.asarray(leaves, dtype=np.intp)] = True
        ends, kept = becomes_leaf.tolist(), [True]
        for above in self.parent[1:].tolist():
            kept.append(kept[above] and not ends[above])
        return self.rearranged(np.flatnonzero(kept), becomes_leaf)

    def rearranged(
        self,
        nodes: npt.NDArray[np.intp],
        is_leaf: npt.NDArray[np.bool_],
        replaced_by: dict[int, int] | None = None,
        **changed: npt.NDArray[Any],
    ) -> Self:
        """Return the tree made of some of the nodes.

        Parameters
        ----------
        nodes : ndarray
            Nodes to keep, in preorder of the new tree; the first is its root.
        is_leaf : ndarray of shape (n_nodes,)
            Nodes that lose their test.
        replaced_by : dict, optional
            Where a child is another node than it was: {old child: the node now in its place}.
        **changed : ndarray
            Arrays such as ``value`` to use in place of this tree's, indexed by its old nodes.
        """
        new_number = np.full(self.n_nodes, -1, dtype=np.int32)
        new_number[nodes] = np.arange(len(nodes))
        if replaced_by:
            new_number[list(replaced_by)] = new_number[list(replaced_by.values())]
        tested = ~is_leaf[nodes]
        old = self.children[nodes]
        children = np.where(tested[:, np.newaxis] & (old >= 0), new_number[old], -1)
        n_rows = np.where(tested, self._test_size[nodes], 0)
        rows = _ranges(self.row_start[nodes], n_rows)
        lengths = np.diff(self.coef_start)[rows]
        flat = _ranges(self.coef_start[rows], lengths)
        counts = {
            name: np.asarray(changed.get(name, getattr(self, name)))[nodes]
            for name in ("value", "n_node_samples", "impurity", *self._added)
        }
        return self.rebuilt(
            children=children,
            row_start=np.concatenate([[0], np.cumsum(n_rows)]),
            coef_start=np.concatenate([[0], np.cumsum(lengths)]),
            coef_column=self.coef_column[flat],
            coef_value=self.coef_value[flat],
            coef_fill=self.coef_fill[flat],
            offset=self.offset[rows],
            **counts,
        )

    def rebuilt(self, **changed: npt.NDArray[Any]) -> Self:
        """Return the tree with other arrays, new ones that are known to be valid."""
        stored = {**_STORED, **self._added}
        arrays = {
            name: np.ascontiguousarray(changed[name], dtype=dtype)
            for name, dtype in stored.items()
            if name in changed
        }
        return self.adopt(n_features=self.n_features, **{**self.arrays(), **arrays})

    def with_test(self, node: int, split: Split) -> Self:
        """Return the tree in which a node has another test with as many branches.

        Counts stay as they are: they are those of the rows that the old test sent down.
        """
        weights = np.atleast_2d(split.coef if isinstance(split, HyperplaneSplit) else split.weights)
        offset = split.threshold if isinstance(split, HyperplaneSplit) else split.bias
        first, last = self.row_start[node], self.row_start[node + 1]
        if len(weights) != last - first:
            raise ValueError(
                f"the test of node {node} has {last - first} vectors, got one with {len(weights)}"
            )
        fill = np.zeros(self.n_columns) if split.fill is None else split.fill
        columns = [np.flatnonzero(row) for row in weights]
        begin, end = self.coef_start[first], self.coef_start[last]
        lengths = np.diff(self.coef_start)
        lengths[first:last] = [len(used) for used in columns]
        arrays = self.arrays()
        for name, new in {
            "coef_column": np.concatenate(columns),
            "coef_value": np.concatenate([w[c] for w, c in zip(weights, columns, strict=True)]),
            "coef_fill": np.concatenate([fill[used] for used in columns]),
        }.items():
            arrays[name] = np.concatenate([arrays[name][:begin], new, arrays[name][end:]])
        arrays["coef_start"] = np.concatenate([[0], np.cumsum(lengths)])
        arrays["offset"] = self.offset.copy()
        arrays["offset"][first:last] = offset
        return type(self)(n_features=self.n_features, **arrays)

    # ------------------------------------------------------------------ keeping

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return the stored arrays by name; with ``n_features`` they rebuild the tree."""
        found = {name: getattr(self, name) for name in (*_STORED, *self._added)}
        if not self.column_sign.any():
            del found["column_sign"]
        return found

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), self.n_features, self.arrays())

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        mine, theirs = self.arrays(), other.arrays()
        return (
            self.n_features == other.n_features
            and mine.keys() == theirs.keys()
            and all(np.array_equal(mine[name], theirs[name]) for name in mine)
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Tree({self.n_nodes} nodes, {self.n_leaves} leaves, depth {self.max_depth})"


_NO_NODES = np.zeros(0, dtype=np.int32)
_NOT_STRUCTURE = {"value", "n_node_samples", "impurity", "column_sign"}


def _rebuild(cls: type[Tree], n_features: int, arrays: dict[str, npt.NDArray[Any]]) -> Tree:
    return cls(n_features=n_features, **arrays)


def _ranges(
    start: npt.NDArray[np.integer[Any]], length: npt.NDArray[np.integer[Any]]
) -> npt.NDArray[np.intp]:
    """Return the numbers from each start on, as many as its length, one range after the other."""
    before = np.cumsum(length) - length
    return np.repeat(start - before, length).astype(np.intp) + np.arange(length.sum())
