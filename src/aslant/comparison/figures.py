"""Plots of comparisons, with matplotlib."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from sklearn.isotonic import isotonic_regression

from aslant.inspection.plots.axes import import_pyplot
from aslant.inspection.plots.colors import class_colors

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from aslant.comparison.table import ComparisonTable

# Height of a name beside a picture, as a fraction of the picture.
_LINE_HEIGHT = 0.05
_KINDS = ("axis-parallel", "oblique", "several trees", "scikit-learn's")


def plot_accuracy_and_leaves(table: ComparisonTable, ax: Axes | None = None) -> Axes:
    """Draw accuracy (or R2) of each method against the leaves of its trees, one sd either way.

    Parameters
    ----------
    table : ComparisonTable
        What `aslant.compare` returned.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.
    """
    ax = ax or import_pyplot("plot_accuracy_and_leaves").subplots(figsize=(7, 4.5))[1]
    is_regression = table.task == "regression"
    measure, factor = ("r2", 1.0) if is_regression else ("accuracy", 100.0)
    drawn = [row for row in table.rows if row.figures and row.figures["leaves"].mean >= 1.0]
    for kind, color in zip(_KINDS, class_colors(len(_KINDS)), strict=True):
        rows = [row for row in drawn if row.kind == kind]
        leaves = [row.figures["leaves"] for row in rows]
        merit = [row.figures[measure] for row in rows]
        if not rows:
            continue
        ax.errorbar(
            [figure.mean for figure in leaves],
            [factor * figure.mean for figure in merit],
            xerr=[[min(f.sd, f.mean - 1.0) for f in leaves], [f.sd for f in leaves]],
            yerr=[factor * figure.sd for figure in merit],
            fmt="o",
            color=color,
            elinewidth=0.7,
            label=kind,
        )
    label_log_axis(ax)
    ax.set_xlim(left=0.9)
    ax.set_xlabel("leaves")
    ax.set_ylabel("R2" if is_regression else "accuracy, %")
    ax.legend(loc="lower left")
    _name_points(
        ax,
        {
            row.method: (row.figures["leaves"].mean, factor * row.figures[measure].mean)
            for row in drawn
        },
    )
    return ax


def _name_points(ax: Axes, points: Mapping[str, tuple[float, float]]) -> None:
    """Write the names of points in a column on the right, where they do not hide each other."""
    low, high = ax.get_ylim()
    upwards = sorted(points, key=lambda name: points[name][1])
    shares = [(points[name][1] - low) / (high - low) for name in upwards]
    for name, height in zip(upwards, spread_out(shares, _LINE_HEIGHT), strict=True):
        ax.annotate(
            name,
            points[name],
            xytext=(1.03, height),
            textcoords="axes fraction",
            va="center",
            fontsize=9,
            arrowprops={"arrowstyle": "-", "color": "0.7", "linewidth": 0.6, "shrinkB": 4},
        )
    ax.set_ylim(low, high)


def spread_out(heights: Sequence[float], gap: float) -> npt.NDArray[np.float64]:
    """Return increasing heights moved apart to a gap, as little as possible in least squares."""
    steps = gap * np.arange(len(heights))
    return np.asarray(isotonic_regression(np.asarray(heights) - steps) + steps)


def label_log_axis(ax: Axes) -> None:
    """Make the horizontal axis logarithmic, with few and plain numbers; call it after plotting."""
    from matplotlib.ticker import LogLocator, NullFormatter

    ax.set_xscale("log")
    low, high = ax.get_xlim()
    powers_only = high > 3000.0 * low  # more numbers would overlap
    ax.xaxis.set_major_locator(LogLocator(subs=(1.0,) if powers_only else (1.0, 2.0, 5.0)))
    ax.xaxis.set_major_formatter("{x:g}")
    ax.xaxis.set_minor_formatter(NullFormatter())
