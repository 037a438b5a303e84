"""A fitted tree in the words that text, pictures and graphs share: tests and outcomes of nodes.

The outcome of a regression leaf is ``value: 3.2``. Where leaves are linear, it is a formula: of the
value, of the log-odds of the second of two classes, or of the logit of every class.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from aslant.estimators.constraint_lines import constraint_lines
from aslant.inspection.formula import NodeTest, NodeTestReader, Style, wrapped
from aslant.inspection.names import names_of
from aslant.inspection.resolve import encoded_rows, resolve_tree
from aslant.inspection.rounding import count, number
from aslant.inspection.rows import KnownRows
from aslant.tree.linear_function import linear_leaves_of
from aslant.tree.logit_tree import LogitTree
from aslant.tree.regression_tree import RegressionTree

# Widths of the lines in a box, in characters; the first that needs few enough lines is taken.
_LINE_WIDTHS = (28, 36, 44, 52)
_MOST_LINES = 5
_BEFORE_TERM = re.compile(r" (?=[+-] |from )")  # where the formula of a leaf may be broken


class Reading:
    """A classification tree in words; nodes below ``max_depth`` are not shown.

    With rows `X`, numbers are rounded so that each row stays on its side of every test.
    """

    _soft_remark = (
        "Probabilities are soft: near a test both branches count, and the most probable class is "
        "predicted."
    )

    def __init__(self, estimator: Any, resolved: Any, style: Style, X: Any = None) -> None:
        self.fitted = resolved
        self.names = names_of(resolved, style.feature_names, style.class_names)
        self.tree = resolved.tree_
        self.style = style
        self.classes = self.names.classes
        rows = None if X is None else KnownRows(self.tree, encoded_rows(resolved, X))
        if rows is not None:
            self.names.gaps.update(np.flatnonzero(np.isnan(rows.encoded).any(axis=0)).tolist())
        # An estimator may have rounded its tests itself: then all their digits are shown, unless
        # the tests are rescaled to the input of a pipeline.
        is_rounded = X is None and resolved is estimator
        rounded = getattr(resolved, "digits_", None) if is_rounded else None
        spread = getattr(resolved, "column_spread_", None)
        wording = replace(style, digits=style.digits or rounded)
        self.tests = NodeTestReader(self.tree, self.names, wording, spread, rows)
        self.is_soft = bool(getattr(resolved, "is_soft_", False))
        self.is_weighted = not np.allclose(
            self.tree.weighted_n_node_samples, self.tree.n_node_samples
        )

    # ------------------------------------------------------------------ the shape of the tree

    def test(self, node: int, width: int | None = None) -> NodeTest | None:
        """Return the test of a node, None if it is a leaf or its children are not shown."""
        return None if self.hides_below(node) else self.tests.read(node, width)

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

    # ------------------------------------------------------------------ words

    def box_lines(self, node: int, *, term_per_line: bool = False) -> list[str]:
        """Return the text in the box of a node; long formulas get wider lines."""
        test = self.test(node)
        if test is not None and test.contributions and term_per_line:
            # One line for each term, so that bars fit; the note stands beside the threshold.
            *terms, last = test.question
            return [*terms, " ".join([last, *test.pieces[len(test.question) :]])]
        if test is not None:
            choices = [test.lines(width) for width in _LINE_WIDTHS]
            return next((lines for lines in choices if len(lines) <= _MOST_LINES), choices[-1])
        *outcomes, rows = self.outcome(node)
        broken = (_BEFORE_TERM.split(text) for text in outcomes)
        lines = [line for pieces in broken for line in wrapped(pieces, _LINE_WIDTHS[-1])]
        hidden = [f"... {self.hidden(node)}"] if self.hides_below(node) else []
        return [*lines, rows, *hidden]

    def outcome(self, node: int, width: int | None = None) -> list[str]:
        """Return the prediction of a node, and for how many rows, in lines.

        A width, in characters, leaves out smaller terms of formulas, as for tests.
        """
        return [f"class: {self.classes[self.majority(node)]}", self.majority_count(node)]

    def remarks(self) -> list[str]:
        """Return remarks on rows held out, on soft predictions, constraints and edits."""
        remarks = []
        fitted_on = getattr(self.fitted, "n_samples_fit_", None)
        held_out = 0 if fitted_on is None else int(fitted_on) - int(self.tree.n_node_samples[0])
        if held_out > 0:
            rows = "row was" if held_out == 1 else "rows were"
            remarks.append(f"{held_out} more {rows} held out for pruning.")
        if self.is_soft and self.tree.n_leaves > 1:
            remarks.append(self._soft_remark)
        return [*remarks, *constraint_lines(self.fitted), *self.edits()]

    def edits(self) -> list[str]:
        """Return what a person has changed in the tree, when and why."""
        return [
            f"Edited {one['date']}: {one['action']} at node {one['node']}, {one['what']}; "
            f"{one['reason']}"
            for one in getattr(self.fitted, "edits_", [])
        ]

    # ------------------------------------------------------------------ linear leaves

    def output_name(self, output: int) -> str:
        """Return what an output of a linear leaf is called: ``value``, ``log-odds of b``."""
        raise NotImplementedError

    def shown_outputs(self) -> range:
        """Return the outputs of a linear leaf that say something: 0 for the first of two logits."""
        linear = linear_leaves_of(self.tree)
        return range(0 if linear is None else linear.leaf_value.shape[1])

    def _formulas(self, node: int, width: int | None) -> list[str]:
        """Return a formula for every output: ``value: 12.3 + 0.8*age, from 10 to 30``."""
        tree = linear_leaves_of(self.tree)
        assert tree is not None
        lines = []
        for q in self.shown_outputs():
            coef = tree.leaf_coef[node, q]
            constant = float(tree.leaf_value[node, q] - coef @ tree.leaf_center[node])
            low, high = float(tree.leaf_low[node, q]), float(tree.leaf_high[node, q])
            has_bounds = low > -np.inf and coef.any()
            bounds = f", from {self._number(low)} to {self._number(high)}" if has_bounds else ""
            name = f"{self.output_name(q)}: "
            room = None if width is None else width - len(name) - len(bounds)
            formula = self.tests.linear(coef, constant, node, self.style.digits or 3, room)
            lines.append(f"{name}{' '.join(formula)}{bounds}")
        return lines

    def _rows(self, node: int) -> str:
        n_rows = int(self.tree.n_node_samples[node])
        return f"{n_rows} row" if n_rows == 1 else f"{n_rows} rows"

    def _number(self, value: float) -> str:
        return number(value, self.style.digits or 3)

    # ------------------------------------------------------------------ counts

    def counts(self, node: int) -> npt.NDArray[np.float64]:
        """Return the weight of each class among the rows of a node, also of a relabeled leaf."""
        observed = getattr(self.fitted, "observed_counts_", {})
        return np.asarray(observed.get(node, self.tree.value[node]), dtype=np.float64)

    def majority_count(self, node: int) -> str:
        """Return ``47 of 50``: rows of the predicted class among all, or their weights."""
        value = self.counts(node)
        counts = f"{self._count(value[self.majority(node)])} of {self._count(value.sum())}"
        return f"weight {counts}" if self.is_weighted else counts

    def weights(self, node: int) -> str:
        """Return ``setosa 0, versicolor 47, virginica 3``."""
        pairs = zip(self.classes, self.counts(node), strict=True)
        return ", ".join(f"{name} {self._count(weight)}" for name, weight in pairs)

    def _count(self, weight: float) -> str:
        return count(float(weight), self.style.digits or 3)

    # ------------------------------------------------------------------ colors

    @property
    def n_colors(self) -> int:
        """The number of colors that tell the outcomes apart."""
        return len(self.classes)

    def majority(self, node: int) -> int:
        """Return the class predicted at a node: the heaviest, the first one on ties."""
        return int(self.tree.value[node].argmax())

    def color(self, node: int) -> int:
        """Return the number of a node's color: that of the class it predicts."""
        return self.majority(node)

    def purity(self, node: int) -> float:
        """Return 0 if all classes are equally heavy, 1 if there is only one."""
        value = self.tree.value[node]
        total = float(value.sum())
        if len(value) == 1 or total == 0.0:
            return 1.0
        return (float(value.max()) / total - 1.0 / len(value)) / (1.0 - 1.0 / len(value))

    def strip(self, node: int) -> list[float]:
        """Return the lengths of the colored parts below the text of a leaf, which sum to 1."""
        value = self.counts(node)
        return (value / (float(value.sum()) or 1.0)).tolist()


class RegressionReading(Reading):
    """A regression tree in words."""

    tree: RegressionTree

    _soft_remark = "Predictions are soft: near a test the predictions of both branches count."

    def outcome(self, node: int, width: int | None = None) -> list[str]:
        """Return ``value: 3.2``, or the formula of a linear leaf with its bounds, and the rows."""
        if self.tree.is_leaf[node] and self.tree.leaf_coef[node].any():
            return [*self._formulas(node, width), self._rows(node)]
        values = ", ".join(self._number(value) for value in self.tree.value[node].tolist())
        return [f"value: {values}", self._rows(node)]

    def output_name(self, output: int) -> str:
        """Return ``value``, with a number if there are several."""
        return "value" if self.tree.n_outputs == 1 else f"value {output}"

    @property
    def n_colors(self) -> int:
        """One color, stronger for greater values."""
        return 1

    def color(self, node: int) -> int:
        """Return the number of the only color."""
        return 0

    def purity(self, node: int) -> float:
        """Return 0 at the node of the least mean of the first output, 1 at that of the greatest."""
        value = self.tree.value[:, 0]
        low, high = float(value.min()), float(value.max())
        return float((value[node] - low) / (high - low)) if high > low else 1.0

    def strip(self, node: int) -> list[float]:
        """Return one part, as long as the value of the first output is great."""
        return [self.purity(node)]


class LogitReading(Reading):
    """A classification tree with linear leaves in words."""

    def outcome(self, node: int, width: int | None = None) -> list[str]:
        """Return the formulas of a leaf and its rows; of an inner node, its majority."""
        if not self.tree.is_leaf[node]:
            return super().outcome(node)
        return [*self._formulas(node, width), self._rows(node)]

    def output_name(self, output: int) -> str:
        """Return ``log-odds of b`` with two classes, else ``logit of b``."""
        what = "log-odds" if len(self.classes) == 2 else "logit"
        return f"{what} of {self.classes[output]}"

    def shown_outputs(self) -> range:
        """Return the classes whose logits are not 0 by definition."""
        return range(1, 2) if len(self.classes) == 2 else super().shown_outputs()

    def remarks(self) -> list[str]:
        """Return how logits become probabilities, among the other remarks."""
        if len(self.classes) == 2:
            what = f"The probability of {self.classes[1]} is 1 / (1 + exp(-log-odds))."
        else:
            what = "The probability of a class is exp(its logit) over the sum of exp(all logits)."
        return [*super().remarks(), what]


def reading_of(estimator: Any, caller: str, style: Style, X: Any = None) -> Reading:
    """Return the fitted tree of an estimator in words, of a classifier or a regressor."""
    resolved = resolve_tree(estimator, caller)
    is_regression = isinstance(resolved.tree_, RegressionTree)
    if is_regression and style.class_names is not None:
        raise ValueError(
            f"class_names needs a classifier, got {type(estimator).__name__}, which has no classes."
        )
    if is_regression:
        return RegressionReading(estimator, resolved, style, X)
    kind = LogitReading if isinstance(resolved.tree_, LogitTree) else Reading
    return kind(estimator, resolved, style, X)
