"""`TreeEditor`: changes of a fitted tree by a person, each with a reason, kept in a log."""

from __future__ import annotations

import copy
import datetime as dt
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import is_regressor

from aslant.encoding.weights import row_weights
from aslant.growth import with_impurities
from aslant.tree.monotone import ordered
from aslant.tree.regression_tree import RegressionTree
from aslant.tree.tree import Tree
from aslant.utils.checks import check_number

Vector = npt.NDArray[np.float64]


class TreeEditor:
    """Edits a copy of a fitted tree; made by the method `edit` of the estimators.

    Nodes have the numbers of ``tree_``, which change when a subtree is snipped. Every edit returns
    the editor, so edits can be chained.

    Parameters
    ----------
    estimator : fitted estimator
        A fitted estimator of one tree; it stays as it is.
    X, y, sample_weight : array-like, optional
        The training rows, which `drop_term` counts again.

    Attributes
    ----------
    model : fitted estimator
        The edited copy; its ``edits_`` is the log.
    """

    def __init__(
        self, estimator: Any, X: Any = None, y: Any = None, sample_weight: Any = None
    ) -> None:
        if getattr(estimator, "is_soft_", False):
            raise ValueError(
                "edit needs a tree whose leaves decide: make a soft one hard with "
                f"set_params({getattr(estimator, '_soft_parameter', 'probabilities')}='leaf')."
            )
        self.model: Any = copy.copy(estimator)
        if hasattr(self.model, "gates_"):
            self.model.gates_ = None
        self.model.edits_ = list(getattr(estimator, "edits_", []))
        self.model.observed_counts_ = dict(getattr(estimator, "observed_counts_", {}))
        self._rows = None if X is None else _rows_of(estimator, X, y, sample_weight)

    # ------------------------------------------------------------------ edits

    def snip(self, node: int, *, reason: str) -> TreeEditor:
        """Make a node a leaf: everything below it goes.

        Two leaves of the same node are merged in this way.
        """
        self._check_node(node, leaf=False)
        tree = self.model.tree_
        n_leaves = int(tree.is_leaf[node : tree.subtree_end[node]].sum())
        last, gone = int(tree.subtree_end[node]), int(tree.subtree_end[node]) - node - 1
        self.model.observed_counts_ = {
            leaf if leaf < node else leaf - gone: counts
            for leaf, counts in self.model.observed_counts_.items()
            if leaf < node or leaf >= last
        }
        return self._set(tree.pruned([node]), "snip", node, f"{n_leaves} leaves become one", reason)

    def relabel(self, leaf: int, value: Any, *, reason: str) -> TreeEditor:
        """Make a leaf predict another class, or another value.

        The weight of the new class and that of the majority change places, so probabilities follow;
        texts and the page still show what the rows of the leaf are. A linear leaf becomes a
        constant one.
        """
        self._check_node(leaf, leaf=True)
        tree = self.model.tree_
        if isinstance(tree, RegressionTree):
            return self._set_value(leaf, value, reason)
        self._check_constant("relabel")
        labels = self.model.classes_.tolist()
        if value not in labels:
            raise ValueError(f"value must be one of the classes {labels}, got {value!r}.")
        new, old = labels.index(value), int(tree.value[leaf].argmax())
        self._keep_counts([leaf])
        counts = tree.value.copy()
        counts[leaf, [old, new]] = counts[leaf, [new, old]]
        what = f"{labels[old]} becomes {value}, where the classes weigh {_counts(tree, leaf)}"
        return self._set(_with(tree, value=counts), "relabel", leaf, what, reason)

    def merge(self, leaves: Any, *, reason: str) -> TreeEditor:
        """Make several leaves predict the same: what all their rows together do."""
        for leaf in leaves:
            self._check_node(leaf, leaf=True)
        self._check_constant("merge")
        tree, own = self.model.tree_, np.array(leaves, dtype=np.intp)
        if len(set(leaves)) < 2:
            raise ValueError(f"merge needs at least two leaves, got {list(leaves)}.")
        value, weight = tree.value.copy(), tree.weighted_n_node_samples[own]
        if isinstance(tree, RegressionTree):
            value[own] = np.average(value[own], axis=0, weights=weight)
        else:
            self._keep_counts(own.tolist())
            pooled = value[own].sum(axis=0)
            value[own] = pooled / pooled.sum() * weight[:, np.newaxis]
        what = f"with {', '.join(map(str, own[1:].tolist()))}"
        return self._set(_with(tree, value=value), "merge", int(own[0]), what, reason)

    def drop_term(self, node: int, feature: str, *, reason: str) -> TreeEditor:
        """Drop a feature from a test, which counts as the mean of the node from now on.

        The rows that the editor was given are sent down again, and all nodes are counted again.
        """
        self._check_node(node, leaf=False)
        self._check_constant("drop_term")
        if self.model.observed_counts_:
            raise ValueError(
                "drop_term counts all leaves again: use it before relabel and merge, which have "
                f"changed the leaves {sorted(self.model.observed_counts_)}."
            )
        if self._rows is None:
            raise ValueError("drop_term counts rows again: give them to edit(X, y).")
        names = list(self.model.encoder_.feature_names)
        if feature not in names:
            raise ValueError(f"feature must be one of {names}, got {feature!r}.")
        changed = _without_feature(self.model.tree_, node, names.index(feature))
        if changed is None:
            raise ValueError(
                f"drop_term needs a feature of the test that is not its only one, got {feature!r} "
                f"at node {node}."
            )
        counted = _counted(self.model, changed, *self._rows)
        return self._set(counted, "drop_term", node, f"without {feature}", reason)

    # ------------------------------------------------------------------ checks and the log

    def _check_node(self, node: int, *, leaf: bool) -> None:
        tree = self.model.tree_
        check_number("node", node, 0, tree.n_nodes - 1, integer=True)
        if bool(tree.is_leaf[node]) != leaf:
            wanted, got = ("a leaf", "a test") if leaf else ("a node with a test", "a leaf")
            raise ValueError(f"this edit needs {wanted}, and node {node} is {got}.")

    def _check_constant(self, action: str) -> None:
        if self.model.tree_.is_linear:
            raise ValueError(f"{action} needs a tree with constant leaves, got linear ones.")

    def _keep_counts(self, leaves: list[int]) -> None:
        """Keep the weights of the classes in leaves that will predict something else."""
        known = self.model.observed_counts_
        for leaf in leaves:
            known = {leaf: self.model.tree_.value[leaf].tolist(), **known}
        self.model.observed_counts_ = known

    def _set_value(self, leaf: int, value: Any, reason: str) -> TreeEditor:
        tree = self.model.tree_
        numbers = np.broadcast_to(np.asarray(value, dtype=np.float64), tree.value[leaf].shape)
        if not np.isfinite(numbers).all():
            raise ValueError(f"value must be finite, got {value!r}.")
        changed = {name: getattr(tree, name).copy() for name in ("value", "leaf_coef")}
        what = f"{_listed(tree.value[leaf])} becomes {_listed(numbers)}"
        changed["value"][leaf] = numbers
        changed["leaf_coef"][leaf] = 0.0
        if tree.is_linear:
            changed |= {name: getattr(tree, name).copy() for name in ("leaf_low", "leaf_high")}
            changed["leaf_low"][leaf], changed["leaf_high"][leaf] = -np.inf, np.inf
        return self._set(_with(tree, **changed), "relabel", leaf, what, reason)

    def _set(self, tree: Tree, action: str, node: int, what: str, reason: Any) -> TreeEditor:
        if not isinstance(reason, str) or not reason.strip():
            raise ValueError(f"reason must be a text that is not empty, got {reason!r}.")
        lawful = ordered(tree)
        if lawful is not tree and action in ("relabel", "merge"):
            raise ValueError(
                f"{action} at node {node} would break the monotonic constraints of the tree."
            )
        edits, observed = [*self.model.edits_], self.model.observed_counts_
        self.model._set_tree(lawful, self.model.n_hyperplanes_)
        self.model.observed_counts_ = observed
        today = dt.datetime.now(dt.UTC).date().isoformat()
        entry = {"action": action, "node": int(node), "what": what, "reason": reason, "date": today}
        self.model.edits_ = [*edits, entry]
        return self


def _rows_of(
    estimator: Any, X: Any, y: Any, sample_weight: Any
) -> tuple[npt.NDArray[Any], npt.NDArray[Any], Vector]:
    """Return encoded rows, targets or class codes, and weights."""
    if y is None:
        raise ValueError("edit needs the targets y of the rows X, got X alone.")
    encoded = estimator._encoded(X, dense=True)
    target = np.asarray(y)
    weight = row_weights(sample_weight, getattr(estimator, "class_weight", None), target)
    if not is_regressor(estimator):
        unknown = set(target.tolist()) - set(estimator.classes_.tolist())
        if unknown:
            raise ValueError(f"y must hold classes of the model, got {sorted(map(str, unknown))}.")
        target = np.searchsorted(estimator.classes_, target)
    return encoded, target, weight


def _with(tree: Tree, **changed: npt.NDArray[Any]) -> Tree:
    return tree.rearranged(np.arange(tree.n_nodes), tree.is_leaf, None, **changed)


def _without_feature(tree: Tree, node: int, feature: int) -> Tree | None:
    """Return the tree whose test lacks a feature; None if it is not there, or the only one."""
    rows = range(tree.row_start[node], tree.row_start[node + 1])
    kept = np.ones(len(tree.coef_value), dtype=bool)
    offset = tree.offset.copy()
    for row in rows:
        entries = np.arange(tree.coef_start[row], tree.coef_start[row + 1])
        own = entries[tree.column_feature[tree.coef_column[entries]] == feature]
        at_mean = float(tree.coef_value[own] @ tree.coef_fill[own])
        # A threshold is on the other side of its test than the bias of a linear machine.
        offset[row] += at_mean if len(rows) > 1 else -at_mean
        kept[own] = False
    first, last = tree.coef_start[rows[0]], tree.coef_start[rows[-1] + 1]
    if kept.all() or not kept[first:last].any():
        return None
    lengths = np.add.reduceat(np.append(kept, False).astype(np.int64), tree.coef_start[:-1])
    lengths[np.diff(tree.coef_start) == 0] = 0
    arrays = tree.arrays() | {
        "coef_start": np.concatenate([[0], np.cumsum(lengths)]),
        "offset": offset,
        **{name: getattr(tree, name)[kept] for name in ("coef_column", "coef_value", "coef_fill")},
    }
    return type(tree)(n_features=tree.n_features, **arrays)


def _counted(
    model: Any, tree: Tree, encoded: npt.NDArray[Any], target: npt.NDArray[Any], weight: Vector
) -> Tree:
    """Return the tree with the counts of rows that reach all of its leaves."""
    path = tree.decision_path(encoded)
    counts = np.asarray(path.sum(axis=0)).ravel().astype(np.int64)
    if (counts == 0).any():
        empty = int(np.flatnonzero(counts == 0)[0])
        raise ValueError(f"this edit leaves node {empty} without rows: snip a node above it first.")
    if isinstance(tree, RegressionTree):
        return tree.counted_on(encoded, target.astype(np.float64), weight)
    ones = np.zeros((len(target), tree.n_classes))
    ones[np.arange(len(target)), target] = weight
    counted = _with(tree, value=np.asarray(path.T @ ones), n_node_samples=counts)
    return with_impurities(counted, getattr(model, "criterion", "gini"))


def _counts(tree: Tree, leaf: int) -> str:
    return ", ".join(f"{weight:g}" for weight in tree.value[leaf].tolist())


def _listed(values: Vector) -> str:
    return ", ".join(f"{value:g}" for value in np.ravel(values).tolist())
