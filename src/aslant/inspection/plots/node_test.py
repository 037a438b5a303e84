"""`plot_test`: the rows at a node along ``coef . x``, and the threshold of its test."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from sklearn.base import is_regressor

from aslant.inspection.formula import NodeTest, Style, wrapped
from aslant.inspection.plots.axes import add_legend, import_pyplot, plain_ticks
from aslant.inspection.plots.colors import class_colors
from aslant.inspection.reading import Reading, reading_of
from aslant.inspection.resolve import encoded_rows
from aslant.inspection.rounding import number
from aslant.inspection.rows import Array, KnownRows
from aslant.inspection.targets import target_of
from aslant.tree.split import HyperplaneSplit
from aslant.utils.checks import check_number

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_THRESHOLD_COLOR = "#222222"
_LABEL_WIDTH = 60  # characters


def plot_test(
    estimator: Any,
    node: int,
    X: Any,
    y: Any,
    *,
    ax: Axes | None = None,
    bins: int = 40,
    max_terms: int | None = 3,
    digits: int | None = None,
) -> Axes:
    """Draw how the test of a node divides its rows.

    A hyperplane over numbers shows the rows along ``coef . x``, with the threshold: of a classifier
    a histogram stacked by class, of a regressor the target of each row. A test of a category, and a
    linear machine, show the rows that take each branch.

    Parameters
    ----------
    estimator : fitted tree classifier or regressor
        A tree of this package, or a pipeline of scalers that ends in one.
    node : int
        Number of the node; ``plot_tree(estimator, node_ids=True)`` shows them, 0 is the root.
    X : array-like or data frame of shape (n_samples, n_features)
        Rows; those that reach the node are drawn.
    y : array-like of shape (n_samples,) or (n_samples, n_outputs)
        Their targets; of several outputs the first one is drawn.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.
    bins : int, default=40
        Bars of the histogram.
    max_terms : int or None, default=3
        The largest number of terms of the test; the others are counted. None writes all.
    digits : int or None, default=None
        Significant digits of the numbers, as for `plot_tree`.

    Returns
    -------
    matplotlib Axes
        The axes drawn on.
    """
    reading = reading_of(estimator, "plot_test", Style(digits=digits, max_terms=max_terms))
    check_number("node", node, 0, reading.tree.n_nodes - 1, integer=True)
    check_number("bins", bins, 1, 10_000, integer=True)
    test = reading.test(node)
    if test is None:
        raise ValueError(f"plot_test needs a node with a test, but node {node} is a leaf.")
    rows = KnownRows(reading.tree, encoded_rows(reading.fitted, X))
    target = target_of(reading.fitted, y, len(rows.encoded), "plot_test")[rows.at[node]]
    if len(target) == 0:
        raise ValueError(f"plot_test needs rows that reach node {node}, got none in X.")
    if ax is None:
        _, ax = import_pyplot("plot_test").subplots()
    split = reading.tests.split(node)
    is_sum = not test.question[-1].endswith(("}", "missing"))
    if isinstance(split, HyperplaneSplit) and is_sum:
        scale = reading.tests.scale(split, node)
        sums, threshold = scale * rows.projection(node, split), scale * split.threshold
        _draw_sums(ax, reading, sums, threshold, target, bins)
        _draw_threshold(ax, threshold, test)
    else:
        _draw_branches(ax, reading, rows.child(node), test, target)
    ax.set_ylabel("target" if is_regressor(reading.fitted) else "rows")
    title = f"node {node}: {len(target)} of {len(rows.encoded)} rows"
    ax.set_title(title, fontsize="medium", parse_math=False)
    if not is_regressor(reading.fitted):
        add_legend(ax)
    return ax


def _draw_sums(
    ax: Axes, reading: Reading, sums: Array, threshold: float, target: npt.NDArray[Any], bins: int
) -> None:
    """Draw the rows along the sum of a hyperplane."""
    ax.margins(y=0.12)  # room for the answers
    if target.ndim == 2:
        ax.scatter(sums, target[:, 0], s=12, color=class_colors(1), edgecolor="none", alpha=0.6)
        return
    low, high = min(sums.min(), threshold), max(sums.max(), threshold)
    # The threshold is the edge of a bar, so no bar has rows of both sides.
    width = (high - low) / bins or 1.0
    first = threshold - np.ceil((threshold - low) / width) * width
    edges = first + width * np.arange(np.ceil((high - first) / width) + 2)
    counts = [np.histogram(sums[target == k], edges)[0] for k in range(len(reading.classes))]
    _stack(ax, reading, edges[:-1] + width / 2, counts, width)


def _draw_threshold(ax: Axes, threshold: float, test: NodeTest) -> None:
    ax.axvline(threshold, color=_THRESHOLD_COLOR, linewidth=1.5)
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
    value = f"(threshold {test.question[-1].split(' ')[-1]})"
    note = test.pieces[len(test.question) :]
    label = wrapped([*test.question[:-1], value, *note], _LABEL_WIDTH)
    ax.set_xlabel("\n".join(label), parse_math=False)


def _draw_branches(
    ax: Axes,
    reading: Reading,
    child: npt.NDArray[np.intp],
    test: NodeTest,
    target: npt.NDArray[Any],
) -> None:
    """Draw the rows that take each branch."""
    places = np.arange(len(test.answers))
    if target.ndim == 2:
        ax.boxplot([target[child == k, 0] for k in places], positions=places)
    else:
        codes = range(len(reading.classes))
        counts = [np.bincount(child[target == k], minlength=len(places)) for k in codes]
        _stack(ax, reading, places, counts, 0.8)
    ax.set_xticks(places, [_short(answer) for answer in test.answers])
    ax.set_xlabel(_short(" ".join(test.pieces), 90), parse_math=False)
    plain_ticks(ax.get_xticklabels())


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
    for k, color in enumerate(class_colors(len(reading.classes))):
        if counts[k].any():
            label = f"{reading.classes[k]} ({number(float(counts[k].sum()), 6)})"
            ax.bar(places, counts[k], width, bottom=bottom, color=[color], label=label)
        bottom += counts[k]
