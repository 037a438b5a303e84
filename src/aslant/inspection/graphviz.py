"""A tree in the DOT language of Graphviz.

Write the text to a file and run ``dot -Tsvg tree.dot -o tree.svg``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from aslant.inspection.formula import Style
from aslant.inspection.plots.colors import class_colors, hex_code, tinted
from aslant.inspection.reading import reading_of


def export_graphviz(
    estimator: Any,
    *,
    digits: int | None = None,
    max_terms: int | None = 4,
    drop: float = 0.0,
    max_depth: int | None = None,
    class_names: Sequence[Any] | None = None,
    feature_names: Sequence[Any] | None = None,
) -> str:
    """Return a fitted tree as DOT source.

    Nodes have the numbers of ``tree_``. Boxes have the color of the majority class, stronger where
    it is purer; in a regression tree, one color is stronger for greater values.

    Parameters
    ----------
    estimator : fitted tree classifier or regressor
        As for `export_text`.
    digits : int or None, default=None
        Significant digits of coefficients and thresholds; None is 3.
    max_terms : int or None, default=4
        The largest number of terms of a test; the others are counted.
    drop : float, default=0.0
        Leave out terms that contribute less than this fraction of the largest one in the test.
    max_depth : int or None, default=None
        Show nodes down to this depth.
    class_names, feature_names : sequence of str, optional
        Names to print in place of the estimator's own.

    Returns
    -------
    str
        The DOT source.
    """
    style = Style(digits, drop, max_terms, max_depth, class_names, feature_names)
    reading = reading_of(estimator, "export_graphviz", style)
    colors = class_colors(reading.n_colors)
    lines = [
        "digraph tree {",
        '    node [shape=box, style="filled,rounded", fontname="Helvetica"];',
        '    edge [fontname="Helvetica"];',
    ]
    if reading.remarks():
        lines.append(f"    label={_quoted(' '.join(reading.remarks()))}; labelloc=b;")
    waiting = [0]
    while waiting:
        node = waiting.pop()
        fill = hex_code(tinted(colors[reading.color(node)], reading.purity(node)))
        label = _quoted("\n".join(reading.box_lines(node)))
        lines.append(f'    {node} [label={label}, fillcolor="{fill}"];')
        test, children = reading.test(node), reading.children(node)
        for k, child in enumerate(children):
            assert test is not None
            lines.append(f"    {node} -> {child} [label={_quoted(test.answers[k])}];")
        waiting.extend(reversed(children))
    return "\n".join([*lines, "}"]) + "\n"


def _quoted(text: str) -> str:
    """Return a DOT string with backslashes, quotes and entities escaped."""
    text = text.replace("\\", "\\\\").replace('"', '\\"').replace("&", "&amp;")
    return '"' + text.replace("\n", "\\n") + '"'
