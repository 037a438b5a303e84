"""The picture that belongs to an oblique test: rows along ``coef . x``, and the threshold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from aslant.inspection.formula import NodeTest, wrapped
from aslant.inspection.plots.boundary import class_codes
from aslant.inspection.plots.drawing import class_colours, import_pyplot
from aslant.inspection.plots.projection import KnownRows
from aslant.inspection.reading import Reading, Style
from aslant.inspection.rounding import number
from aslant.tree.split import HyperplaneSplit
from aslant.utils.checks import check_number

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_THRESHOLD_COLOUR = "#222222"
_LABEL_WIDTH = 60  # characters


def plot_test(
    clf: Any,
    node: int,
    X: Any,
    y: Any,
    *,
    ax: Axes | None = None,
    bins: int = 40,
    max_terms: int | None = 3,
    digits: int | None = None,
) -> Axes:
    """Draw how the rows at a node are divided by its test.

    A hyperplane over numbers shows the histogram of the rows along ``coef . x``, stacked by class,
    with the threshold. A test of a category, and a linear machine, show the classes that take each
    branch.

    Parameters
    ----------
    clf : fitted tree classifier
        A tree estimator of this package.
    node : int
        Number of the node; ``plot_tree(clf, node_ids=True)`` shows them, 0 is the root.
    X : array-like or data frame of shape (n_samples, n_features)
        Rows; those that reach the node are drawn.
    y : array-like of shape (n_samples,)
        Their classes.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.
    bins : int, default=40
        Bars of the histogram.
    max_terms : int or None, default=3
        Most terms of the test to write; the others are counted. None writes all.
    digits : int or None, default=None
        Significant digits of the numbers, as for `plot_tree`.

    Returns
    -------
    matplotlib Axes
        The axes drawn on.
    """
    reading = Reading(clf, "plot_test", Style(digits=digits, max_terms=max_terms))
    check_number("node", node, 0, reading.tree.n_nodes - 1, whole=True)
    check_number("bins", bins, 1, 10_000, whole=True)
    test = reading.test(node)
    if test is None:
        raise ValueError(f"plot_test needs a node with a test, but node {node} is a leaf.")
    rows = KnownRows(reading.tree, clf._encoded(X, dense=True))
    codes = class_codes(clf, y, len(rows.encoded))[rows.at[node]]
    if len(codes) == 0:
        raise ValueError(f"plot_test needs rows that reach node {node}, got none in X.")
    if ax is None:
        _, ax = import_pyplot("plot_test").subplots()
    split = reading.tree.split(node)
    is_sum = isinstance(split, HyperplaneSplit) and not test.question[-1].endswith("}")
    if isinstance(split, HyperplaneSplit) and is_sum:
        _draw_histogram(ax, reading, rows, node, split, test, codes, bins)
    else:
        _draw_branches(ax, reading, rows.child(node), test, codes)
    ax.set_ylabel("rows")
    title = f"node {node}: {len(codes)} of {len(rows.encoded)} rows"
    ax.set_title(title, fontsize="medium", parse_math=False)
    legend = ax.legend(framealpha=0.9)
    for text in legend.get_texts():
        text.set_parse_math(False)
    return ax


def _draw_histogram(
    ax: Axes,
    reading: Reading,
    rows: KnownRows,
    node: int,
    split: HyperplaneSplit,
    test: NodeTest,
    codes: npt.NDArray[np.intp],
    bins: int,
) -> None:
    scale = reading.tests.scale(split, node)
    columns = np.flatnonzero(split.coef)
    assert split.fill is not None  # as every test of a tree has
    sums = rows.values(node, columns, split.fill[columns]) @ (scale * split.coef[columns])
    threshold = scale * split.threshold
    low, high = min(sums.min(), threshold), max(sums.max(), threshold)
    # The threshold is the edge of a bar, so that no bar stands on both sides.
    width = (high - low) / bins or 1.0
    first = threshold - np.ceil((threshold - low) / width) * width
    edges = first + width * np.arange(np.ceil((high - first) / width) + 2)
    counts = [np.histogram(sums[codes == k], edges)[0] for k in range(len(reading.classes))]
    _stack(ax, reading, edges[:-1] + width / 2, counts, width)
    ax.margins(y=0.12)  # room for the answers
    ax.axvline(threshold, color=_THRESHOLD_COLOUR, linewidth=1.5)
    below, above = ("yes", "no") if test.question[-1].startswith("<=") else ("no", "yes")
    for text, place, side in ((f"{below} ←", -1, "right"), (f"→ {above}", 1, "left")):
        ax.annotate(
            text,
            (threshold, 1.0),
            xycoords=("data", "axes fraction"),
            xytext=(6 * place, -4),
            textcoords="offset points",
            ha=side,
            va="top",
        )
    ax.set_xlabel(_sum_text(test), parse_math=False)


def _sum_text(test: NodeTest) -> str:
    threshold = f"(threshold {test.question[-1].split(' ')[-1]})"
    return "\n".join(wrapped([*test.question[:-1], threshold], _LABEL_WIDTH))


def _draw_branches(
    ax: Axes,
    reading: Reading,
    child: npt.NDArray[np.intp],
    test: NodeTest,
    codes: npt.NDArray[np.intp],
) -> None:
    places = np.arange(len(test.answers))
    counts = [
        np.bincount(child[codes == k], minlength=len(places)) for k in range(len(reading.classes))
    ]
    _stack(ax, reading, places, counts, 0.8)
    ax.set_xticks(places, [_short(answer) for answer in test.answers])
    ax.set_xlabel(_short(" ".join(test.question), 90), parse_math=False)
    for tick in ax.get_xticklabels():
        tick.set_parse_math(False)


def _short(text: str, width: int = 24) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"


def _stack(
    ax: Axes,
    reading: Reading,
    places: npt.NDArray[Any],
    counts: list[npt.NDArray[Any]],
    width: float,
) -> None:
    bottom = np.zeros(len(places))
    for k, colour in enumerate(class_colours(len(reading.classes))):
        if counts[k].any():
            label = f"{reading.classes[k]} ({number(float(counts[k].sum()), 6)})"
            ax.bar(places, counts[k], width, bottom=bottom, color=[colour], label=label)
        bottom += counts[k]
