"""A fitted tree as text, picture and graph show it: tests, outcomes, shares of the classes.

Where numbers are predicted, outcomes are ``value: 3.2``, or a formula where leaves are linear.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from aslant.inspection.fitted import names_of, single_tree
from aslant.inspection.formula import NodeTest, NodeTestReader, Wording
from aslant.inspection.plots.projection import KnownRows
from aslant.inspection.rounding import count, number
from aslant.tree.regression_tree import RegressionTree
from aslant.utils.checks import check_number

# Lines in a box, in characters: as short as they can be for so many lines.
_LINE_WIDTHS = (28, 36, 44, 52)
_MOST_LINES = 5


@dataclass(frozen=True)
class Style:
    """How much of a tree to show, and in which words."""

    digits: int | None = None
    drop: float = 0.0
    max_terms: int | None = None
    max_depth: int | None = None
    class_names: Sequence[Any] | None = None
    feature_names: Sequence[Any] | None = None

    def __post_init__(self) -> None:
        if self.digits is not None:
            check_number("digits", self.digits, 1, 17, whole=True)
        check_number("drop", self.drop, 0.0, 1.0)
        if self.max_terms is not None:
            check_number("max_terms", self.max_terms, 1, whole=True)
        if self.max_depth is not None:
            check_number("max_depth", self.max_depth, 0, whole=True)


class Reading:
    """A tree in words; nodes below ``max_depth`` are not shown.

    With rows ``X``, numbers are rounded so that each of them stays on its side of every test.
    """

    _softness = (
        "Probabilities are soft: near a test both branches count, and the most probable class is "
        "predicted."
    )

    def __init__(self, clf: Any, caller: str, style: Style, X: Any = None) -> None:
        fitted = single_tree(clf, caller)
        self.names = names_of(fitted, style.feature_names, style.class_names)
        self.tree = fitted.tree_
        self.style = style
        self.classes = self.names.classes
        self.n_held_out = _rows_held_out(fitted)
        rows = None if X is None else KnownRows(self.tree, fitted._encoded(X, dense=True))
        # An estimator may have shortened its tests itself: then all their digits are shown, unless
        # they were brought back through scalers.
        shortened = None if X is not None or fitted is not clf else getattr(clf, "digits_", None)
        wording = Wording(style.digits or shortened, style.drop, style.max_terms)
        spread = getattr(fitted, "column_spread_", None)
        self.tests = NodeTestReader(self.tree, self.names, wording, spread, rows)
        self.is_soft = bool(getattr(fitted, "is_soft_", False))
        self.is_weighted = not np.allclose(
            self.tree.weighted_n_node_samples, self.tree.n_node_samples
        )

    def test(self, node: int, width: int | None = None) -> NodeTest | None:
        """Return the test of a node, None if it is a leaf or its children are not shown."""
        return None if self.hides_below(node) else self.tests.read(node, width)

    def box_lines(self, node: int, *, term_per_line: bool = False) -> list[str]:
        """Return what stands in the box of a node; long formulas get wider lines."""
        test = self.test(node)
        if test is not None and test.shares and term_per_line:
            return list(test.question)
        if test is not None:
            choices = [test.lines(width) for width in _LINE_WIDTHS]
            return next((lines for lines in choices if len(lines) <= _MOST_LINES), choices[-1])
        lines = self.outcome(node)
        return [*lines, f"... {self.hidden(node)}"] if self.hides_below(node) else lines

    def outcome(self, node: int) -> list[str]:
        """Return what a node predicts, and for how many rows, in lines."""
        return [f"class: {self.majority_name(node)}", self.majority_count(node)]

    @property
    def n_colours(self) -> int:
        """How many colours tell the outcomes apart."""
        return len(self.classes)

    def remarks(self) -> list[str]:
        """Return what a reader must know besides the tree.

        Counts do not add up to the training rows if some were held out; and with soft
        probabilities a row near a test is not only of the leaf that it reaches.
        """
        remarks = []
        if self.n_held_out:
            rows = "row was" if self.n_held_out == 1 else "rows were"
            remarks.append(f"{self.n_held_out} more {rows} held out for pruning.")
        if self.is_soft:
            remarks.append(self._softness)
        return remarks

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

    def colour(self, node: int) -> int:
        """Return the number of a node's colour: that of the class it predicts."""
        return self.majority(node)

    def majority(self, node: int) -> int:
        """Return the class predicted at a node: the heaviest, the first one on ties."""
        return int(self.tree.value[node].argmax())

    def majority_name(self, node: int) -> str:
        """Return the name of the class predicted at a node."""
        return self.classes[self.majority(node)]

    def majority_count(self, node: int) -> str:
        """Return ``47 of 50``: rows of the majority class among all, or their weights."""
        value = self.tree.value[node]
        counts = f"{self._count(value.max())} of {self._count(value.sum())}"
        return f"weight {counts}" if self.is_weighted else counts

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
        return count(float(weight), self.style.digits or 3)


class NumberReading(Reading):
    """A tree that predicts numbers, in words."""

    tree: RegressionTree

    _softness = "Predictions are soft: near a test what both branches predict counts."

    def outcome(self, node: int) -> list[str]:
        """Return ``value: 3.2``, or the formula of a linear leaf with its bounds, and the rows."""
        n_rows = int(self.tree.n_node_samples[node])
        rows = f"{n_rows} row" if n_rows == 1 else f"{n_rows} rows"
        if self.tree.is_leaf[node] and self.tree.leaf_coef[node].any():
            return [*self._formulas(node), rows]
        values = ", ".join(self._number(value) for value in self.tree.value[node].tolist())
        return [f"value: {values}", rows]

    def _formulas(self, node: int) -> list[str]:
        """Return a formula for every output: ``value: 0.8*age + 12.3, from 10 to 30``."""
        tree = self.tree
        lines = []
        for q, coef in enumerate(tree.leaf_coef[node]):
            constant = float(tree.value[node, q] - coef @ tree.leaf_center[node])
            name = "value" if tree.n_outputs == 1 else f"value {q}"
            formula = " ".join(self.tests.linear(coef, constant))
            low, high = float(tree.leaf_low[node, q]), float(tree.leaf_high[node, q])
            bounds = f", from {self._number(low)} to {self._number(high)}" if low > -np.inf else ""
            lines.append(f"{name}: {formula}{bounds}")
        return lines

    @property
    def n_colours(self) -> int:
        """One colour, stronger for greater values."""
        return 1

    def colour(self, node: int) -> int:
        """Return the number of the only colour."""
        return 0

    def purity(self, node: int) -> float:
        """Return 0 at the node of the least mean of the first output, 1 at that of the greatest."""
        value = self.tree.value[:, 0]
        low, high = float(value.min()), float(value.max())
        return float((value[node] - low) / (high - low)) if high > low else 1.0

    def _number(self, value: float) -> str:
        return number(value, self.style.digits or 3)


def reading_of(estimator: Any, caller: str, style: Style, X: Any = None) -> Reading:
    """Return a fitted tree in words, whether it predicts classes or numbers."""
    last = estimator.steps[-1][1] if hasattr(estimator, "steps") else estimator  # of a pipeline
    of_numbers = isinstance(getattr(last, "tree_", None), RegressionTree)
    if of_numbers and style.class_names is not None:
        raise ValueError(
            f"class_names names classes, and {type(estimator).__name__} predicts numbers."
        )
    return (NumberReading if of_numbers else Reading)(estimator, caller, style, X)


def _rows_held_out(clf: Any) -> int:
    """Return how many training rows are in no count, because pruning judged by them."""
    fitted_on = getattr(clf, "n_samples_fit_", None)
    return 0 if fitted_on is None else max(0, int(fitted_on) - int(clf.tree_.n_node_samples[0]))
