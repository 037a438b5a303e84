"""The critical-difference diagram of mean ranks, with matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from aslant.inspection.plots.axes import import_pyplot
from aslant_papers.statistics import mean_ranks, nemenyi_critical_difference

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_critical_difference(
    scores: npt.ArrayLike, methods: Sequence[str], *, ax: Axes | None = None, alpha: float = 0.05
) -> Axes:
    """Draw Demsar's diagram: mean ranks over data sets, with bars that join indistinct methods.

    Parameters
    ----------
    scores : array-like of shape (data sets, methods)
        Higher is better.
    methods : sequence of str
        Names of the columns.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.
    alpha : float, default=0.05
        The level of the test.
    """
    values = np.asarray(scores, dtype=float)
    if values.ndim != 2 or values.shape[1] != len(methods) or min(values.shape) < 2:
        raise ValueError(
            "scores must have a row for each data set and a column for each method, two at least "
            f"of both, got shape {values.shape} for {len(methods)} methods."
        )
    ranks = mean_ranks(values)
    order = np.argsort(ranks, kind="stable")
    critical = nemenyi_critical_difference(len(methods), len(values), alpha)
    height = 0.3 * len(methods) + 1.0
    if ax is None:
        ax = import_pyplot("plot_critical_difference").subplots(figsize=(7, height))[1]
    for line, method in enumerate(order):
        ax.plot([ranks[method], len(methods)], [line, line], color="0.8", linewidth=0.8, zorder=0)
        ax.plot(ranks[method], line, "o", color="C0")
        ax.annotate(
            f"{methods[method]}  {ranks[method]:.2f}", (len(methods) + 0.1, line), va="center"
        )
    for first, last in indistinct_groups(ranks[order].tolist(), critical):
        x = float(ranks[order[first]]) - 0.02 * len(methods)  # beside the point
        ax.plot([x, x], [first - 0.2, last + 0.2], color="black", linewidth=2.5)
    ax.set_xlim(0.8, len(methods) + 0.1)
    ax.set_ylim(len(methods) - 0.5, -0.8)
    ax.set_yticks([])
    ax.set_xlabel(f"mean rank over {len(values)} data sets; critical difference {critical:.2f}")
    for side in ("left", "right", "top"):
        ax.spines[side].set_visible(False)
    return ax


def indistinct_groups(ranks: Sequence[float], critical: float) -> list[tuple[int, int]]:
    """Return the longest runs, first and last, of sorted ranks that lie within the difference."""
    groups: list[tuple[int, int]] = []
    for first, rank in enumerate(ranks):
        last = max(i for i, other in enumerate(ranks) if other - rank < critical)
        if last > first and (not groups or last > groups[-1][1]):
            groups.append((first, last))
    return groups
