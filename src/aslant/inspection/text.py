"""A tree as indented text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from aslant.inspection.formula import NodeTest, Style
from aslant.inspection.reading import Reading, RegressionReading, reading_of
from aslant.utils.checks import check_flag, check_number

_LEAST_ROOM = 60  # for a formula, however deep
_BRANCH_MARK = len("|-- branch 10:  -> ")


def export_text(
    estimator: Any,
    *,
    X: Any = None,
    digits: int | None = None,
    max_terms: int | None = None,
    width: int | None = 100,
    drop: float = 0.0,
    max_depth: int | None = None,
    show_weights: bool = False,
    class_names: Sequence[Any] | None = None,
    feature_names: Sequence[Any] | None = None,
) -> str:
    """Return a fitted tree as text, one line per node.

    The terms of a test are sorted by their contribution: coefficient times the standard deviation
    of the feature, among the rows of `X` at the node, or over all training rows without `X`.

    Parameters
    ----------
    estimator : fitted tree classifier or regressor
        A tree of this package, or a pipeline of scalers that ends in one: coefficients are then in
        the units of the pipeline's input.
    X : array-like or data frame, optional
        Rows, preferably the training rows. Without `digits`, every test gets as few digits, at
        least two, as keep each of these rows on its side.
    digits : int or None, default=None
        Significant digits of coefficients and thresholds; None is 3 without `X`, or all digits if
        the estimator rounded its tests itself, as `AutoTreeClassifier` does.
    max_terms : int or None, default=None
        The largest number of terms of a test; the others are counted: ``+ 24 smaller``.
    width : int or None, default=100
        The largest number of characters in a line; smaller terms are counted until a test, or the
        formula of a leaf, fits.
        Deep in a tree, formulas still get 60 characters; a single term is never cut.
    drop : float, default=0.0
        Leave out terms that contribute less than this fraction of the largest one in the test.
    max_depth : int or None, default=None
        Show nodes down to this depth.
    show_weights : bool, default=False
        Whether leaves list the weight of every class.
    class_names, feature_names : sequence of str, optional
        Names to print in place of the estimator's own.

    Returns
    -------
    str
        The text, each line ended by a newline.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from aslant import CARTClassifier, export_text
    >>> X, y = load_iris(return_X_y=True)
    >>> print(export_text(CARTClassifier(max_depth=2).fit(X, y)), end="")
    x2 <= 2.45
    |-- yes -> class: 0 (50 of 50)
    `-- no -> x3 <= 1.75
        |-- yes -> class: 1 (49 of 54)
        `-- no -> class: 2 (45 of 46)
    """
    check_flag("show_weights", show_weights)
    if width is not None:
        check_number("width", width, 20, integer=True)
    style = Style(digits, drop, max_terms, max_depth, class_names, feature_names)
    reading = reading_of(estimator, "export_text", style, X)
    if show_weights and isinstance(reading, RegressionReading):
        raise ValueError(
            f"show_weights needs a classifier, got {type(estimator).__name__}, which has no "
            "classes."
        )
    lines = []
    # Each entry: a node, the beginning of its line, the beginning of the lines below it.
    waiting = [(0, "", "")]
    while waiting:
        node, beginning, margin = waiting.pop()
        room = None if width is None else max(width - len(beginning), _LEAST_ROOM)
        # The formulas of a linear machine are written after its branches.
        test = reading.test(node, room)
        if test is not None and test.values and room is not None:
            test = reading.test(node, max(_LEAST_ROOM, room - _BRANCH_MARK))
        if test is None:
            first, *others = _outcome(reading, node, show_weights, room)
            lines.append(beginning + first)
            lines += [margin + " " * (len(beginning) - len(margin)) + text for text in others]
            continue
        lines.append(beginning + _question(test))
        children = reading.children(node)
        for k, child in reversed(list(enumerate(children))):
            is_last = k == len(children) - 1
            branch = f"{margin}{'`-- ' if is_last else '|-- '}{_branch(test, k)} -> "
            waiting.append((child, branch, margin + ("    " if is_last else "|   ")))
    lines += [f"({remark})" for remark in reading.remarks()]
    return "\n".join(lines) + "\n"


def _outcome(reading: Reading, node: int, show_weights: bool, room: int | None) -> list[str]:
    """Return the prediction of a leaf: a line for each output of a linear one."""
    rows = f" ({reading.outcome(node)[-1]})"
    if show_weights:
        rows += f" weights: {reading.weights(node)}"
    if reading.hides_below(node):
        rows += f" ... {reading.hidden(node)}"
    *outputs, _ = reading.outcome(node, None if room is None else room - len(rows))
    return [*outputs[:-1], outputs[-1] + rows]


def _question(test: NodeTest) -> str:
    question = " ".join(test.pieces)
    return question if _is_yes_no(test) or test.values else f"branch by {question}"


def _branch(test: NodeTest, k: int) -> str:
    """Return ``yes``, ``color = red``, or ``branch 0: 0.3*a - 1.2*b``."""
    if test.values:
        return f"{test.answers[k]}: {' '.join(test.values[k])}"
    return test.answers[k] if _is_yes_no(test) else f"{test.question[0]} {test.answers[k]}"


def _is_yes_no(test: NodeTest) -> bool:
    return test.answers == ("yes", "no")
