"""Where missing values go at a test, as far as the tests above leave it open."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from aslant.inspection.names import Names
from aslant.tree.split import HyperplaneSplit, LinearMachineSplit
from aslant.tree.tree import Tree

Test = HyperplaneSplit | LinearMachineSplit


class MissingValues:
    """The tests of a tree that meet missing values.

    Parameters
    ----------
    tree : Tree
        The tree.
    names : Names
        Names of the features; its `gaps` are those with missing values.
    """

    def __init__(self, tree: Tree, names: Names) -> None:
        self.tree = tree
        self.names = names

    def gaps(self, node: int, split: Test) -> list[int]:
        """Return the features of a test that may be missing at a node."""
        read = features_of(self.tree, split) & self.names.gaps
        return [feature for feature in sorted(read) if self._may_be_missing(node, feature)]

    def _may_be_missing(self, node: int, feature: int) -> bool:
        """Whether no test above, of this feature or its missing indicator alone, excludes that."""
        for split, child in self._tests_above(node):
            read = features_of(self.tree, split)
            if read == {feature} and missing_child(split) != child:
                return False
            if read <= self._flags_of(feature) and read and _flagged(split) != child:
                return False
        return True

    def _flags_of(self, feature: int) -> set[int]:
        """Return the missing indicator of a feature, if it has one."""
        source = self.names.source
        return {j for j in self.names.flags if source[j] == source[feature]}

    def _tests_above(self, node: int) -> Iterator[tuple[Test, int]]:
        """Yield the tests on the path to a node, from below, and the child taken at each."""
        while node > 0:
            parent = int(self.tree.parent[node])
            split = self.tree.split(parent)
            assert split is not None  # a parent is no leaf
            yield split, int(np.flatnonzero(self.tree.children[parent] == node)[0])
            node = parent

    def question(self, node: int, split: HyperplaneSplit) -> tuple[str] | None:
        """``lab is missing``: the tests above leave nothing else to one of the branches."""
        columns = np.flatnonzero(split.coef)
        if len(columns) != 1 or self.tree.column_level[columns[0]] >= 0:
            return None
        feature, coef = int(self.tree.column_feature[columns[0]]), float(split.coef[columns[0]])
        if feature not in self.gaps(node, split):
            return None
        low, high = self._range_above(node, int(columns[0]))
        child, bound = missing_child(split), split.threshold / coef
        is_empty = high <= bound if (child == 0) == (coef < 0.0) else bound <= low
        if not is_empty:
            return None
        return (f"{self.names.features[feature]} is {'' if child == 0 else 'not '}missing",)

    def _range_above(self, node: int, column: int) -> tuple[float, float]:
        """Return the bounds of a column by the tests of it alone above; the lower one is open."""
        low, high = -np.inf, np.inf
        for split, child in self._tests_above(node):
            if not isinstance(split, HyperplaneSplit):
                continue
            if np.flatnonzero(split.coef).tolist() != [column]:
                continue
            bound = split.threshold / float(split.coef[column])
            if (child == 0) == (split.coef[column] > 0.0):
                high = min(high, bound)
            else:
                low = max(low, bound)
        return low, high


def features_of(tree: Tree, split: Test) -> set[int]:
    """Return the features that a test reads."""
    weights = split.coef[np.newaxis] if isinstance(split, HyperplaneSplit) else split.weights
    columns = np.flatnonzero(np.any(weights != 0.0, axis=0))
    return set(tree.column_feature[columns].tolist())


def missing_child(split: Test) -> int:
    """Return the child of a row in which all values that a test reads are missing."""
    assert split.fill is not None  # every test of a tree has one
    if isinstance(split, HyperplaneSplit):
        return int(split.coef @ split.fill > split.threshold)
    return int(np.argmax(split.weights @ split.fill + split.bias))


def _flagged(split: Test) -> int:
    """Return the child of a row whose missing indicator, which is all that a test reads, is 1."""
    if isinstance(split, HyperplaneSplit):
        return int(split.coef.sum() > split.threshold)
    return int(np.argmax(split.weights.sum(axis=1) + split.bias))
