"""A fitted tree as text, picture and graph show it: tests, outcomes, shares of the classes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from aslant.export.fitted import names_of, single_tree
from aslant.export.formula import NodeTest, NodeTestReader, count
from aslant.search.base import check_number

# Lines in a box, in characters: as short as they can be for so many lines.
_LINE_WIDTHS = (28, 36, 44, 52)
_MOST_LINES = 5

_SOFT = (
    "soft probabilities: near a test both branches count, and the most probable class is predicted"
)


@dataclass(frozen=True)
class Style:
    """How much of a tree to show, and in which words."""

    precision: int | None = None
    drop: float = 0.0
    max_depth: int | None = None
    class_names: Sequence[Any] | None = None
    feature_names: Sequence[Any] | None = None

    def __post_init__(self) -> None:
        if self.precision is not None:
            check_number("precision", self.precision, 1, 17, whole=True)
        check_number("drop", self.drop, 0.0, 1.0)
        if self.max_depth is not None:
            check_number("max_depth", self.max_depth, 0, whole=True)


class Reading:
    """A tree in words; nodes below ``max_depth`` are not shown.

    Without a precision numbers get as many digits as the estimator says its tests have, else
    ``digits``.
    """

    def __init__(self, clf: Any, caller: str, style: Style, digits: int = 3) -> None:
        fitted = single_tree(clf, caller)
        names = names_of(fitted, style.feature_names, style.class_names)
        self.tree = fitted.tree_
        self.style = style
        self.classes = names.classes
        precision = style.precision
        if precision is None:
            precision = int(getattr(fitted, "precision_", digits))
        self._precision = precision
        self._tests = NodeTestReader(self.tree, names, precision, style.drop)
        #: What a reader must know besides the tree: "" if nothing.
        self.note = _SOFT if getattr(fitted, "gates_", None) is not None else ""

    def test(self, node: int) -> NodeTest | None:
        """Return the test of a node, None if it is a leaf or its children are not shown."""
        return None if self.hides_below(node) else self._tests.read(node)

    def box_lines(self, node: int) -> list[str]:
        """Return what stands in the box of a node; long formulas get wider lines."""
        test = self.test(node)
        if test is not None:
            choices = [test.lines(width) for width in _LINE_WIDTHS]
            return next((lines for lines in choices if len(lines) <= _MOST_LINES), choices[-1])
        lines = [f"class: {self.majority_name(node)}", self.majority_count(node)]
        return [*lines, f"... {self.hidden(node)}"] if self.hides_below(node) else lines

    def children(self, node: int) -> list[int]:
        """Return the children that are shown."""
        if self.hides_below(node):
            return []
        return [child for child in self.tree.children[node].tolist() if child >= 0]

    def hides_below(self, node: int) -> bool:
        """Whether the node has children that are too deep to be shown."""
        limit = self.style.max_depth
        return limit is not None and self.tree.depth[node] >= limit and not self.tree.is_leaf[node]

    def hidden(self, node: int) -> str:
        """Return what is left out below a node: ``3 more leaves``."""
        leaves = int(self.tree.is_leaf[node : self.tree.subtree_end[node]].sum())
        return f"{leaves} more leaves"

    def majority(self, node: int) -> int:
        """Return the class predicted at a node: the heaviest, the first one on ties."""
        return int(self.tree.value[node].argmax())

    def majority_name(self, node: int) -> str:
        """Return the name of the class predicted at a node."""
        return self.classes[self.majority(node)]

    def majority_count(self, node: int) -> str:
        """Return ``47 of 50``: the weight of the majority class among all."""
        value = self.tree.value[node]
        return f"{self._count(value.max())} of {self._count(value.sum())}"

    def weights(self, node: int) -> str:
        """Return ``setosa 0, versicolor 47, virginica 3``."""
        value = self.tree.value[node]
        pairs = zip(self.classes, value, strict=True)
        return ", ".join(f"{name} {self._count(weight)}" for name, weight in pairs)

    def purity(self, node: int) -> float:
        """Return 0 if all classes are equally heavy, 1 if there is only one."""
        value = self.tree.value[node]
        total = float(value.sum())
        if len(value) == 1 or total == 0.0:
            return 1.0
        return (float(value.max()) / total - 1.0 / len(value)) / (1.0 - 1.0 / len(value))

    def _count(self, weight: float) -> str:
        return count(float(weight), self._precision)
