"""A tree as indented text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from aslant.export.formula import NodeTest
from aslant.export.reading import Reading, Style
from aslant.search.base import check_flag


def export_text(
    clf: Any,
    *,
    precision: int = 3,
    drop: float = 0.0,
    max_depth: int | None = None,
    show_weights: bool = False,
    class_names: Sequence[Any] | None = None,
    feature_names: Sequence[Any] | None = None,
) -> str:
    """Return a fitted tree as text, one line per node.

    Parameters
    ----------
    clf : fitted tree classifier
        A tree estimator of this package, or a pipeline of scalers that ends in one: coefficients
        are then in the units of the pipeline's input.
    precision : int, default=3
        Significant digits of coefficients and thresholds.
    drop : float, default=0.0
        Leave out terms whose coefficient is below this share of the largest in the same test; the
        formula then ends in ``+ ...``. Coefficients are in the units of the features, so this
        compares what it should only if the features have similar spreads.
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
    style = Style(precision, drop, max_depth, class_names, feature_names)
    reading = Reading(clf, "export_text", style)
    lines = []
    # Each entry: a node, what its line begins with, what the lines below it begin with.
    waiting = [(0, "", "")]
    while waiting:
        node, beginning, margin = waiting.pop()
        test = reading.test(node)
        if test is None:
            lines.append(beginning + _outcome(reading, node, show_weights))
            continue
        lines.append(beginning + _question(test))
        children = reading.children(node)
        for k, child in reversed(list(enumerate(children))):
            is_last = k == len(children) - 1
            branch = f"{margin}{'`-- ' if is_last else '|-- '}{_branch(test, k)} -> "
            waiting.append((child, branch, margin + ("    " if is_last else "|   ")))
    return "\n".join(lines) + "\n"


def _outcome(reading: Reading, node: int, show_weights: bool) -> str:
    outcome = f"class: {reading.majority_name(node)} ({reading.majority_count(node)})"
    if show_weights:
        outcome += f" weights: {reading.weights(node)}"
    if reading.hides_below(node):
        outcome += f" ... {reading.hidden(node)}"
    return outcome


def _question(test: NodeTest) -> str:
    question = " ".join(test.question)
    return question if _is_yes_no(test) or test.values else f"branch by {question}"


def _branch(test: NodeTest, k: int) -> str:
    """Return ``yes``, ``colour = red``, or ``branch 0: 0.3*a - 1.2*b``."""
    if test.values:
        return f"{test.answers[k]}: {' '.join(test.values[k])}"
    return test.answers[k] if _is_yes_no(test) else f"{test.question[0]} {test.answers[k]}"


def _is_yes_no(test: NodeTest) -> bool:
    return test.answers == ("yes", "no")
