"""`plot_path`: the path of one row through a tree."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING, Any

import numpy as np

from aslant.inspection.decision_path import PathStep, explain
from aslant.inspection.plots.axes import import_pyplot, label_bars
from aslant.inspection.resolve import resolve_tree
from aslant.inspection.tables import one_row
from aslant.utils.checks import check_number

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_TITLE_WIDTH = 66  # characters
_ADDS, _SUBTRACTS, _START = "#3182bd", "#e6550d", "#999999"


def plot_path(estimator: Any, x: Any, *, max_terms: int = 6, digits: int = 3) -> Figure:
    """Draw the path of one row through a tree: a panel for each test, and for a linear leaf.

    A panel starts at the mean of the node's rows and adds the part of each feature, the largest
    first, until it reaches the row's own sum; the threshold is the line at 0. The sum of a linear
    leaf is its output.

    Parameters
    ----------
    estimator : fitted tree classifier or regressor
        A tree of this package, or a pipeline of scalers that ends in one.
    x : array-like or data frame
        One row: its values, or a table with one row.
    max_terms : int, default=6
        The largest number of parts in a panel; the others are summed.
    digits : int, default=3
        Significant digits of values.

    Returns
    -------
    matplotlib Figure
        A new figure.
    """
    tree = resolve_tree(estimator, "plot_path")
    check_number("max_terms", max_terms, 1, integer=True)
    check_number("digits", digits, 1, 17, integer=True)
    explanation = explain(tree, one_row(x, "plot_path"))
    steps = explanation.steps[0]
    plt = import_pyplot("plot_path")
    sizes = [min(len(step.parts), max_terms + 1) + 2 for step in steps] or [1]
    figure, axes = plt.subplots(
        len(sizes),
        figsize=(8.0, 0.7 + 0.24 * sum(sizes) + 0.8 * len(sizes)),
        squeeze=False,
        height_ratios=sizes,
        layout="constrained",
    )
    for ax, step in zip(axes[:, 0], steps, strict=False):
        _draw_step(ax, step, max_terms, digits)
    if not steps:
        axes[0, 0].set_axis_off()
    figure.suptitle(explanation.prediction_text(0, digits), parse_math=False)
    return figure


def _draw_step(ax: Axes, step: PathStep, max_terms: int, digits: int) -> None:
    entries = [("mean of the node", step.at_mean), *step.entries(max_terms, digits)]
    labels, parts = zip(*entries, strict=True)
    ends = np.cumsum(parts)
    colors = [_START, *(_ADDS if part >= 0.0 else _SUBTRACTS for part in parts[1:])]
    places = np.arange(len(parts))
    ax.barh(places, parts, left=ends - parts, color=colors, height=0.7)
    for place, end in zip(places[:-1], ends[:-1], strict=True):
        ax.plot([end, end], [place - 0.35, place + 1.35], color="#888888", linewidth=0.6)
    ax.axvline(0.0, color="#222222", linewidth=1.2)
    label_bars(ax, labels)
    title = "\n".join(wrap(f"{step.question}: {step.answer}", _TITLE_WIDTH))
    ax.set_title(title, fontsize="medium", loc="left", parse_math=False)
