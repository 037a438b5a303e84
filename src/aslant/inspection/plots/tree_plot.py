"""`plot_tree`: a tree as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from aslant.inspection.formula import Style
from aslant.inspection.plots.axes import import_pyplot
from aslant.inspection.plots.colors import Color, class_colors
from aslant.inspection.plots.tree_drawing import Drawing, Paint
from aslant.inspection.reading import Reading, reading_of
from aslant.utils.checks import check_choice, check_flag, check_number

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes


def plot_tree(
    estimator: Any,
    *,
    ax: Axes | None = None,
    style: str = "bars",
    max_terms: int | None = 4,
    digits: int | None = None,
    drop: float = 0.0,
    max_depth: int | None = None,
    class_names: Sequence[Any] | None = None,
    feature_names: Sequence[Any] | None = None,
    colors: Sequence[Any] | None = None,
    filled: bool = True,
    node_ids: bool = False,
    fontsize: float = 9.0,
) -> list[Artist]:
    """Draw a fitted tree.

    Boxes have the color of the majority class, stronger where it is purer; in a regression tree,
    one color is stronger for greater values. Boxes never overlap: a new figure is as large as the
    tree needs, and in given axes the text shrinks to fit.

    Parameters
    ----------
    estimator : fitted tree classifier or regressor
        A tree of this package, or a pipeline of scalers that ends in one.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.
    style : {"bars", "formula"}, default="bars"
        ``"bars"``: the terms of a test one below the other, each on a bar as long as its
        contribution (coefficient times standard deviation), blue if it is added and red if it is
        subtracted; below the counts of a leaf, a strip of its class frequencies. ``"formula"``: the
        test as a formula, and counts.
    max_terms : int or None, default=4
        The largest number of terms of a test; the others are counted: ``+ 24 smaller``.
    digits : int or None, default=None
        Significant digits of coefficients and thresholds; None is 3.
    drop : float, default=0.0
        Leave out terms that contribute less than this fraction of the largest one in the test.
    max_depth : int or None, default=None
        Show nodes down to this depth.
    class_names, feature_names : sequence of str, optional
        Names to print in place of the estimator's own.
    colors : sequence of colors, optional
        A matplotlib color for every class.
    filled : bool, default=True
        Whether boxes have the color of the majority class.
    node_ids : bool, default=False
        Whether boxes begin with the number of the node, which `plot_test` takes.
    fontsize : float, default=9.0
        Size of the text in points, where there is room.

    Returns
    -------
    list of matplotlib artists
        The boxes in the order of the nodes, then the edges and their labels.
    """
    check_number("fontsize", fontsize, 1.0, 200.0)
    check_choice("style", style, ("bars", "formula"))
    check_flag("filled", filled)
    check_flag("node_ids", node_ids)
    words = Style(digits, drop, max_terms, max_depth, class_names, feature_names)
    reading = reading_of(estimator, "plot_tree", words)
    plt = import_pyplot("plot_tree")
    paint = Paint(style == "bars", filled, node_ids, fontsize, _colors(reading, colors))
    if ax is None:
        figure = plt.figure()
        drawing = Drawing(figure.add_axes((0.0, 0.0, 1.0, 1.0)), reading, paint)
        figure.set_size_inches(drawing.figure_size())
    else:
        drawing = Drawing(ax, reading, paint)
    drawing.fit_to_axes()
    return drawing.place()


def _colors(reading: Reading, given: Sequence[Any] | None) -> list[Color]:
    if given is None:
        return class_colors(reading.n_colors)
    from matplotlib.colors import to_rgb

    if len(given) != reading.n_colors:
        raise ValueError(f"colors must hold {reading.n_colors} colors, got {len(given)}.")
    return [to_rgb(color) for color in given]
