"""The message that states a tree and the classes of its rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from sklearn.base import is_regressor
from sklearn.utils.validation import check_is_fitted

from aslant.encoding import check_labels
from aslant.encoding.sample import Sample
from aslant.encoding.weights import row_weights
from aslant.mml.code import MessageCode, choice_bits, leaf_bits, node_bits, root_bits
from aslant.mml.node_test import NodeTestCoder
from aslant.search.registry import SEARCHES
from aslant.tree.logit_tree import LogitTree
from aslant.tree.tree import Tree


@dataclass(frozen=True)
class MessageLength:
    """The length of a message, in bits, by its parts.

    Attributes
    ----------
    structure : float
        Which nodes are leaves.
    attributes : float
        Which features the tests read, and how they group the levels of categories.
    direction : float
        The directions of the cuts.
    position : float
        The places of the cuts along their directions.
    leaves : float
        The classes of the rows, given the tree; with a chosen alpha, also the choice.
    alpha : float
        Prior count of every class in the code of the leaves.
    """

    structure: float
    attributes: float
    direction: float
    position: float
    leaves: float
    alpha: float = 1.0

    @property
    def tree(self) -> float:
        """Bits that state the tree."""
        return self.structure + self.attributes + self.direction + self.position

    @property
    def total(self) -> float:
        """Bits of the whole message."""
        return self.tree + self.leaves

    def parts(self) -> dict[str, float]:
        """Return the parts by name, and the total."""
        names = [part.name for part in fields(self) if part.name != "alpha"]
        return {**{name: getattr(self, name) for name in names}, "total": self.total}


@dataclass(frozen=True)
class NodeBits:
    """What the message spends at every node of a tree.

    Attributes
    ----------
    parts : ndarray of shape (n_nodes, 3)
        Attributes, direction and position of the node's test; zeros at leaves.
    as_leaf, as_test : ndarray of shape (n_nodes,)
        Structure, if the node is a leaf and if it is tested.
    counts : ndarray of shape (n_nodes, n_classes)
        Class weights of the rows.
    tested, leaf : ndarray of shape (n_nodes,)
        Whether the message states the node as a test, and as a leaf. A test that sends all rows one
        way tells nothing about them: it is neither, and the child they go to stands in its place. A
        node that no row reaches is a leaf, and what hangs below it is neither.
    """

    parts: npt.NDArray[np.float64]
    as_leaf: npt.NDArray[np.float64]
    as_test: npt.NDArray[np.float64]
    counts: npt.NDArray[np.float64]
    tested: npt.NDArray[np.bool_]
    leaf: npt.NDArray[np.bool_]


def node_message(tree: Tree, sample: Sample, code: MessageCode) -> NodeBits:
    """Return what the message about these rows spends at every node."""
    n = tree.n_nodes
    bits = NodeBits(
        parts=np.zeros((n, 3)),
        as_leaf=np.zeros(n),
        as_test=np.zeros(n),
        counts=np.zeros((n, tree.n_classes)),
        tested=np.zeros(n, dtype=bool),
        leaf=np.zeros(n, dtype=bool),
    )
    coder = NodeTestCoder(tree, sample.X, code)
    n_root = coder.n_varying(np.arange(len(sample)))
    for node, rows, child, n_siblings in _stated_nodes(tree, sample):
        for is_leaf, structure in ((True, bits.as_leaf), (False, bits.as_test)):
            structure[node] = (
                node_bits(is_leaf, n_siblings) if n_siblings else root_bits(is_leaf, n_root)
            )
        bits.leaf[node] = child is None
        bits.tested[node] = child is not None
        bits.counts[node] = np.bincount(sample.y[rows], sample.weight[rows], tree.n_classes)
        if child is not None:
            test = coder.bits(node, rows, child)
            bits.parts[node] = test.attributes, test.direction, test.position
    return bits


def _stated_nodes(
    tree: Tree, sample: Sample
) -> Iterator[tuple[int, npt.NDArray[np.intp], npt.NDArray[np.intp] | None, int]]:
    """Yield each node with its rows, the children they go to and its parent's outcomes (0: root).

    In preorder; the nodes that `NodeBits` calls neither tested nor leaf are left out.
    """
    leaf = tree.apply(sample.X)
    pending = [(0, np.arange(len(sample)), 0)]
    while pending:
        node, rows, n_siblings = pending.pop()
        children = tree.children[node][tree.children[node] >= 0]
        # Nodes below child c are numbered from c on, up to the next child.
        child = np.searchsorted(children, leaf[rows], side="right") - 1
        reached = np.unique(child)
        if len(children) == 0 or len(reached) == 0:
            yield node, rows, None, n_siblings
        elif len(reached) == 1:
            pending.append((int(children[reached[0]]), rows, n_siblings))
        else:
            yield node, rows, child, n_siblings
            for c in reversed(range(len(children))):
                pending.append((int(children[c]), rows[child == c], len(children)))


def tree_message(tree: Tree, sample: Sample, code: MessageCode) -> MessageLength:
    """Return the length of the message about a tree and these rows."""
    code.check()
    bits = node_message(tree, sample, code)
    structure = bits.as_leaf[bits.leaf].sum() + bits.as_test[bits.tested].sum()
    attributes, direction, position = bits.parts.sum(axis=0).tolist()
    by_alpha = [
        (float(leaf_bits(bits.counts[bits.leaf], alpha).sum()), alpha) for alpha in code.alphas()
    ]
    leaves, alpha = min(by_alpha)
    leaves += choice_bits(len(by_alpha))
    return MessageLength(float(structure), attributes, direction, position, leaves, alpha)


def message_length(
    clf: Any,
    X: Any,
    y: Any,
    sample_weight: Any = None,
    *,
    alpha: float | Literal["tree"] | None = None,
    direction: Literal["cap", "paper", "paper_all"] | None = None,
    position: Literal["gap", "pair", "none"] | None = None,
    max_features_per_test: int | None = None,
    min_features_per_test: int | None = None,
    attributes: Literal["subset", "none"] | None = None,
) -> MessageLength:
    """Return the length, in bits, of the message about a tree and the classes of some rows.

    Parameters
    ----------
    clf : fitted estimator
        A classifier of this package that holds one tree, grown by any method.
    X : array-like or data frame of shape (n_samples, n_features)
        The rows, known to the receiver; usually those the tree was grown on.
    y : array-like of shape (n_samples,)
        Their classes, which the message tells.
    sample_weight : array-like of shape (n_samples,), optional
        How many times each row counts.
    alpha, direction, position, max_features_per_test, min_features_per_test, attributes : optional
        See `MessageCode`. What is not given is the estimator's own if it has such a parameter, else
        the default: 1, ``"cap"``, ``"gap"``, tests of any number of features, ``"subset"``.

    Returns
    -------
    MessageLength
        The parts and their total.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from aslant import CARTClassifier
    >>> from aslant.mml import message_length
    >>> X, y = load_iris(return_X_y=True)
    >>> full, small = CARTClassifier(), CARTClassifier(max_depth=2)
    >>> round(message_length(full.fit(X, y), X, y).total)
    114
    >>> round(message_length(small.fit(X, y), X, y).total)
    80
    """
    check_is_fitted(clf)
    tree = getattr(clf, "tree_", None)
    if hasattr(clf, "estimators_") or is_regressor(clf) or not isinstance(tree, Tree):
        raise TypeError(
            "message_length needs a fitted classifier of aslant that holds one tree, got "
            f"{type(clf).__name__}."
        )
    if isinstance(tree, LogitTree):
        raise TypeError(
            "message_length needs a tree whose leaves predict class frequencies, got a linear leaf."
        )
    own = _own_code(clf)
    given: dict[str, Any] = {
        "alpha": alpha,
        "direction": direction,
        "position": position,
        "max_features_per_test": max_features_per_test,
        "min_features_per_test": min_features_per_test,
        "attributes": attributes,
    }
    code = replace(own, **{name: value for name, value in given.items() if value is not None})
    return tree_message(clf.tree_, _sample_of(clf, X, y, sample_weight), code)


def _own_code(clf: Any) -> MessageCode:
    """Return the code that an estimator, or its search, was told to use; the default if none."""
    search = getattr(clf, "search", None)
    if isinstance(search, str):
        search = SEARCHES[search]()
    for holder in (clf, search):
        if all(hasattr(holder, part.name) for part in fields(MessageCode)):
            return MessageCode(
                **{part.name: getattr(holder, part.name) for part in fields(MessageCode)}
            )
    return MessageCode()


def _sample_of(clf: Any, X: Any, y: Any, sample_weight: Any) -> Sample:
    """Return the rows as the estimator was fitted on such rows: encoded, weighted by class too."""
    encoded = clf.encoder_.transform(clf, X)
    labels = check_labels(y, len(encoded))
    codes = np.searchsorted(clf.classes_, labels).clip(max=len(clf.classes_) - 1)
    unknown = labels[clf.classes_[codes] != labels].tolist()
    if unknown:
        raise ValueError(
            f"y must hold only classes that the tree was fitted with, got {unknown[0]!r}."
        )
    weight = row_weights(sample_weight, clf.class_weight, labels)
    sample = Sample(encoded, codes.astype(np.int32), weight, len(clf.classes_))
    return sample if (weight > 0).all() else sample.take(weight > 0)
