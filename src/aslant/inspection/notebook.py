"""How much of a tree fits on a page, and a tree below the parameters in a notebook."""

from __future__ import annotations

import io
from html import escape
from typing import Any

from aslant.inspection.fitted import single_tree
from aslant.inspection.plots.drawing import class_colours, import_pyplot
from aslant.inspection.plots.tree_drawing import Drawing, Paint
from aslant.inspection.reading import Style, reading_of
from aslant.inspection.text import export_text
from aslant.tree.tree import Tree

#: Inches, wide and high: a picture that any program opens, with letters of the usual size.
PAGE = (40.0, 25.0)
_NOTEBOOK_PAGE = (18.0, 12.0)


def readable_depth(
    clf: Any,
    *,
    page: tuple[float, float] = PAGE,
    style: str = "bars",
    max_terms: int | None = 4,
    digits: int | None = None,
    drop: float = 0.0,
    fontsize: float = 9.0,
) -> int:
    """Return the greatest `max_depth` at which `plot_tree` needs no more than a page.

    Parameters
    ----------
    clf : fitted tree estimator
        A tree of this package.
    page : tuple of two floats, default=(40, 25)
        Width and height in inches.
    style : str, default='bars'
        How nodes are drawn, as for `plot_tree`.
    max_terms : int or None, default=4
        Most terms of a test to write; the others are counted.
    digits : int or None, default=None
        Significant digits of coefficients and thresholds; None is 3.
    drop : float, default=0.0
        Terms that contribute less than this share of the largest are left out.
    fontsize : float, default=9.0
        Size of the text in points.
    """
    deepest = single_tree(clf, "readable_depth").tree_.max_depth
    plt = import_pyplot("readable_depth")
    figure = plt.figure()
    try:
        for depth in range(deepest + 1):
            figure.clear()
            reading = reading_of(clf, "readable_depth", Style(digits, drop, max_terms, depth))
            colours = class_colours(reading.n_colours)
            paint = Paint(style == "bars", True, False, fontsize, colours)
            needed = Drawing(figure.add_axes((0.0, 0.0, 1.0, 1.0)), reading, paint).layout.size
            if needed.width > page[0] or needed.height > page[1]:
                return max(0, depth - 1)
    finally:
        plt.close(figure)
    return deepest


def notebook_html(clf: Any) -> str:
    """Return a fitted tree for a notebook: a picture, or text where matplotlib is not installed.

    Nothing is returned for an estimator that is not fitted or holds several trees.
    """
    if hasattr(clf, "estimators_") or not isinstance(getattr(clf, "tree_", None), Tree):
        return ""
    try:
        return _svg(clf)
    except ImportError:
        return f"<pre>{escape(export_text(clf, max_terms=4, max_depth=3))}</pre>"


def _svg(clf: Any) -> str:
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    from aslant.inspection.plots.plot import plot_tree

    depth = readable_depth(clf, page=_NOTEBOOK_PAGE)
    reading = reading_of(clf, "plot_tree", Style(max_terms=4, max_depth=depth))
    figure = Figure()
    FigureCanvasSVG(figure)
    ax = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    paint = Paint(True, True, False, 9.0, class_colours(reading.n_colours))
    figure.set_size_inches(Drawing(ax, reading, paint).figure_size())
    ax.clear()
    plot_tree(clf, ax=ax, max_depth=depth)
    content = io.StringIO()
    figure.savefig(content, format="svg")
    svg = content.getvalue()
    return f'<div style="overflow-x: auto">{svg[svg.index("<svg") :]}</div>'
