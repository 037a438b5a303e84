"""Slow, obviously correct twins of the pruners, and random trees to try them on.

A pruning is the set of nodes that are its leaves. The twins compute everything anew at every step
and walk rows down the tree one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray
from scipy.stats import beta
from sklearn.tree import DecisionTreeClassifier

from aslant import _core
from aslant.encoding.sample import Sample
from aslant.prune.base import Grown
from aslant.search import Split, ThresholdUnit
from aslant.tree.tree import Tree
from oracles.criterion import Vector
from oracles.tree import chosen_child

Leaves = frozenset[int]
Mask = NDArray[np.bool_]


def never(*_: object) -> NoReturn:
    """Stand in for growing and searching where a pruner must do neither."""
    raise AssertionError("this pruner has no reason to grow a tree or to search a test")


def fitted_by_least_squares(sample: Sample) -> Callable[[Mask, Mask], Split | None]:
    """Stand in for searching the test of one node: numbers only, two groups of classes."""
    problem = _core.Problem(
        features=_core.Features(
            X=sample.X,
            column_feature=np.arange(sample.X.shape[1], dtype=np.int32),
            column_level=np.full(sample.X.shape[1], -1, dtype=np.int32),
        ),
        target=_core.Target(sample.y, n_classes=sample.n_classes, weight=sample.weight),
        rows=None,
        criterion="gini",
        min_rows=1,
        min_weight=0.0,
        fill_with_training_mean=False,
    )
    search = ThresholdUnit().core()
    return lambda rows, columns: _core.find_test(problem, search, 0, np.flatnonzero(rows), columns)


def grown(
    tree: Tree,
    training: Sample,
    held_out: Sample | None = None,
    grow: Callable[[Sample], Tree] = never,
    seed: int = 0,
    *,
    find: Callable[[Mask, Mask], Split | None] = never,
) -> Grown:
    """Return what a pruner is given."""
    return Grown(tree, training, held_out, grow, find, seed)


# ---------------------------------------------------------------------- weakest links


def own_children(tree: Tree, node: int) -> list[int]:
    return [int(child) for child in tree.children[node] if child >= 0]


def leaves_below(tree: Tree, node: int, collapsed: set[int]) -> list[int]:
    """Return the leaves of a branch in which some nodes are leaves."""
    if node in collapsed or tree.is_leaf[node]:
        return [node]
    return [leaf for c in own_children(tree, node) for leaf in leaves_below(tree, c, collapsed)]


def weakest_links(tree: Tree, risk: Vector, keep_root: bool = False) -> list[tuple[float, Leaves]]:
    """Return (alpha, leaves) of every tree: all nodes of least g collapse, then all g anew."""
    collapsed: set[int] = set()
    alpha = 0.0
    sequence = [(0.0, frozenset(leaves_below(tree, 0, collapsed)))]
    while True:
        rate = {}
        for node in inner_nodes(tree, collapsed):
            leaves = leaves_below(tree, node, collapsed)
            rate[node] = (risk[node] - sum(risk[leaf] for leaf in leaves)) / (len(leaves) - 1)
        if keep_root:
            rate.pop(0, None)
        if not rate:
            return sequence
        alpha = max(alpha, min(rate.values()))
        scale = max(1e-9 * abs(alpha), 1e-12 * abs(risk[0]))
        collapsed |= {node for node, g in rate.items() if g <= alpha + scale}
        sequence.append((alpha, frozenset(leaves_below(tree, 0, collapsed))))


def inner_nodes(tree: Tree, collapsed: set[int]) -> Iterator[int]:
    """Nodes above the leaves of a pruning."""
    pending = [0]
    while pending:
        node = pending.pop()
        if node not in collapsed and not tree.is_leaf[node]:
            yield node
            pending.extend(own_children(tree, node))


def best_at(sequence: list[tuple[float, Leaves]], alpha: float) -> Leaves:
    """Return the last pruning of a sequence whose price is at most alpha."""
    return [leaves for price, leaves in sequence if price <= alpha * (1 + 1e-9)][-1]


# ---------------------------------------------------------------------- errors


def leaf_of(tree: Tree, x: Vector, leaves: Leaves) -> int:
    """Walk a row down to a leaf of a pruning."""
    node = 0
    while node not in leaves:
        node = int(tree.children[node, chosen_child(tree, x, node)])
    return node


def errors(tree: Tree, leaves: Leaves, sample: Sample) -> float:
    """Weight that a pruning misclassifies."""
    total = 0.0
    for x, y, weight in zip(sample.X, sample.y, sample.weight, strict=True):
        if tree.value[leaf_of(tree, x, leaves)].argmax() != y:
            total += weight
    return total


def all_prunings(tree: Tree, node: int = 0) -> list[Leaves]:
    """Return every pruning of a small branch."""
    prunings = [frozenset([node])]
    if not tree.is_leaf[node]:
        below = [all_prunings(tree, child) for child in own_children(tree, node)]
        prunings += [frozenset().union(*choice) for choice in product(*below)]
    return prunings


# ---------------------------------------------------------------------- pessimistic pruning


def pessimistic(tree: Tree, se_rule: float, node: int = 0) -> Leaves:
    """Return the leaves that pessimistic pruning leaves, judging from the top down."""
    leaves = leaves_below(tree, node, set())
    wrong = [tree.value[leaf].sum() - tree.value[leaf].max() for leaf in leaves]
    corrected = sum(wrong) + len(leaves) / 2
    n = tree.value[node].sum()
    se = (corrected * (n - corrected) / n) ** 0.5 if n > corrected else 0.0
    as_leaf = n - tree.value[node].max() + 0.5
    if tree.is_leaf[node] or as_leaf <= corrected + se_rule * se + 1e-9:
        return frozenset([node])
    below = [pessimistic(tree, se_rule, child) for child in own_children(tree, node)]
    return frozenset().union(*below)


# ---------------------------------------------------------------------- error-based pruning


def binomial_limit(n: int, wrong: int, confidence: float) -> float:
    """Return p with P(at most ``wrong`` of n) = confidence, each wrong with probability p."""
    return float(beta.isf(confidence, wrong + 1, n - wrong))


@dataclass
class Branch:
    """A node of a linked tree: where it came from, its rows, its branches."""

    node: int
    rows: list[int]
    children: list[Branch] = field(default_factory=list)

    def preorder(self) -> Iterator[Branch]:
        yield self
        for child in self.children:
            yield from child.preorder()


class ErrorBasedTwin:
    """C4.5's recursion on linked nodes, with ``limit(n, wrong)`` the errors expected of a leaf."""

    def __init__(
        self, tree: Tree, sample: Sample, limit: Callable[[float, float], float], raising: bool
    ) -> None:
        self.tree = tree
        self.sample = sample
        self.limit = limit
        self.raising = raising
        self.slot = cache(lambda row, node: chosen_child(tree, sample.X[row], node))

    def run(self) -> Branch:
        return self.pruned(self.copied(0, list(range(len(self.sample)))))

    def copied(self, node: int, rows: list[int]) -> Branch:
        own = own_children(self.tree, node)
        parts: list[list[int]] = [[] for _ in own]
        for row in rows if own else []:
            parts[self.slot(row, node)].append(row)
        return Branch(node, rows, [self.copied(c, p) for c, p in zip(own, parts, strict=True)])

    def counts(self, rows: list[int]) -> Vector:
        counts = np.zeros(self.sample.n_classes)
        for row in rows:
            counts[self.sample.y[row]] += self.sample.weight[row]
        return counts

    def as_leaf(self, branch: Branch) -> float:
        counts = self.counts(branch.rows)
        return self.limit(counts.sum(), counts.sum() - counts.max())

    def errors(self, branch: Branch) -> float:
        if not branch.children:
            return self.as_leaf(branch)
        return sum(self.errors(child) for child in branch.children)

    def with_rows(self, branch: Branch, rows: list[int]) -> Branch:
        """Return the same branch as other rows see it."""
        parts: list[list[int]] = [[] for _ in branch.children]
        for row in rows if parts else []:
            parts[self.slot(row, branch.node)].append(row)
        below = zip(branch.children, parts, strict=True)
        return Branch(branch.node, rows, [self.with_rows(c, part) for c, part in below])

    def pruned(self, branch: Branch) -> Branch:
        if not branch.children:
            return branch
        kept = Branch(branch.node, branch.rows, [self.pruned(c) for c in branch.children])
        largest = max(kept.children, key=lambda c: self.counts(c.rows).sum())
        raised = self.with_rows(largest, branch.rows)
        as_branch, as_leaf = self.errors(kept), self.as_leaf(kept)
        as_raised = self.errors(raised) if self.raising else np.inf
        if as_leaf <= as_branch + 0.1 and as_leaf <= as_raised + 0.1:
            return Branch(branch.node, branch.rows)
        return self.pruned(raised) if as_raised <= as_branch + 0.1 else kept


# ---------------------------------------------------------------------- problems


@dataclass(frozen=True)
class Problem:
    """A random tree, the rows its counts come from, and other rows like them."""

    tree: Tree
    training: Sample
    held_out: Sample


def random_problem(
    seed: int, *, depth: int = 4, n_rows: int = 40, n_classes: int = 3, weighted: bool = False
) -> Problem:
    """Return a random tree of both kinds of tests; rows mostly have the class of their leaf."""
    rng = np.random.default_rng(seed)
    X = rng.integers(-3, 4, (2 * n_rows, 3)).astype(float)
    shape = _random_tree(rng, X, depth, n_classes)
    typical = rng.integers(0, n_classes, shape.n_nodes)[shape.apply(X)]
    noise = rng.integers(0, n_classes, len(X))
    y = np.where(rng.random(len(X)) < 0.3, noise, typical).astype(np.int32)
    weight = rng.integers(1, 1025, len(X)) / 256 if weighted else np.ones(len(X))
    everything = Sample(X, y, weight, n_classes)
    training = everything.take(np.arange(n_rows))
    held_out = everything.take(np.arange(n_rows, len(X)))
    return Problem(with_counts(shape, training), training, held_out)


def with_counts(tree: Tree, sample: Sample) -> Tree:
    """Return the tree with the class counts of a sample."""
    value = np.zeros((tree.n_nodes, sample.n_classes))
    n_rows = np.zeros(tree.n_nodes, dtype=np.int64)
    for node, y, weight in zip(tree.apply(sample.X), sample.y, sample.weight, strict=True):
        while node >= 0:
            value[node, y] += weight
            n_rows[node] += 1
            node = tree.parent[node]
    arrays = tree.arrays() | {"value": value, "n_node_samples": n_rows}
    return Tree(n_features=tree.n_features, **arrays)


def _random_tree(rng: np.random.Generator, X: Vector, depth: int, n_classes: int) -> Tree:
    children: list[list[int]] = []
    tests: list[tuple[NDArray[np.int64], Vector]] = []

    def grow(levels: int) -> int:
        node = len(children)
        children.append([])
        if levels == 0 or rng.random() < 0.15:
            tests.append((np.zeros((0, 3), dtype=np.int64), np.zeros(0)))
            return node
        width = int(rng.choice([2, 2, 3]))
        n_vectors = width if width > 2 or rng.random() < 0.3 else 1
        vectors = rng.integers(-2, 3, (n_vectors, 3))
        point = X[rng.integers(len(X))]
        tests.append((vectors, (vectors @ point) * (1.0 if n_vectors == 1 else -1.0)))
        children[node] = [grow(levels - 1) for _ in range(width)]
        return node

    grow(depth)
    n_vectors = [len(vectors) for vectors, _ in tests]
    coef = np.concatenate([vectors for vectors, _ in tests]).astype(float)
    table = [own + [-1] * (3 - len(own)) for own in children]
    return Tree(
        n_features=3,
        children=table,
        value=np.zeros((len(children), n_classes)),
        n_node_samples=np.zeros(len(children)),
        impurity=np.linspace(1.0, 0.0, len(children)),
        row_start=np.cumsum([0, *n_vectors]),
        coef_start=3 * np.arange(len(coef) + 1),
        coef_column=np.tile([0, 1, 2], len(coef)),
        coef_value=coef.ravel(),
        coef_fill=np.zeros(coef.size),
        offset=np.concatenate([offset for _, offset in tests]),
        column_feature=[0, 1, 2],
        column_level=[-1, -1, -1],
    )


def from_scikit_learn(classifier: DecisionTreeClassifier, sample: Sample) -> Tree:
    """Return a fitted classifier as our tree, with the counts of the rows it was fitted to."""
    fitted = classifier.tree_
    leaf = fitted.children_left < 0
    inner = np.flatnonzero(~leaf)
    tree = Tree(
        n_features=fitted.n_features,
        children=np.stack([fitted.children_left, fitted.children_right], axis=1),
        value=np.zeros((fitted.node_count, sample.n_classes)),
        n_node_samples=fitted.n_node_samples,
        impurity=fitted.impurity,
        row_start=np.concatenate([[0], np.cumsum(~leaf)]),
        coef_start=np.arange(len(inner) + 1),
        coef_column=fitted.feature[inner],
        coef_value=np.ones(len(inner)),
        coef_fill=np.zeros(len(inner)),
        offset=fitted.threshold[inner],
        column_feature=np.arange(fitted.n_features),
        column_level=np.full(fitted.n_features, -1),
    )
    return with_counts(tree, sample)


def pruning_of(tree: Tree, smaller: Tree) -> Leaves:
    """Return which nodes are the leaves of a tree that came from another by collapsing nodes."""
    leaves = set()
    pending = [(0, 0)]
    while pending:
        old, new = pending.pop()
        if smaller.is_leaf[new]:
            leaves.add(old)
        else:
            before, after = own_children(tree, old), own_children(smaller, new)
            pending += zip(before, after, strict=True)
    return frozenset(leaves)
