"""How much of a tree fits on a page, and a tree below the parameters in a notebook."""

from __future__ import annotations

import io
from html import escape
from typing import Any

from aslant.inspection.formula import Style
from aslant.inspection.plots.axes import import_pyplot
from aslant.inspection.plots.colors import class_colors
from aslant.inspection.plots.tree_drawing import Drawing, Paint
from aslant.inspection.reading import reading_of
from aslant.inspection.resolve import resolve_tree
from aslant.inspection.text import export_text

#: Width and height in inches of a picture that any program opens.
PAGE = (40.0, 25.0)
_NOTEBOOK_PAGE = (18.0, 12.0)


def readable_depth(
    estimator: Any,
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
    estimator : fitted tree classifier or regressor
        As for `plot_tree`.
    page : tuple of two floats, default=(40, 25)
        Width and height in inches.
    style : str, default='bars'
        How nodes are drawn, as for `plot_tree`.
    max_terms : int or None, default=4
        The largest number of terms of a test; the others are counted.
    digits : int or None, default=None
        Significant digits of coefficients and thresholds; None is 3.
    drop : float, default=0.0
        Leave out terms that contribute less than this fraction of the largest one in the test.
    fontsize : float, default=9.0
        Size of the text in points.
    """
    deepest = resolve_tree(estimator, "readable_depth").tree_.max_depth
    plt = import_pyplot("readable_depth")
    figure = plt.figure()
    try:
        for depth in range(deepest + 1):
            figure.clear()
            reading = reading_of(estimator, "readable_depth", Style(digits, drop, max_terms, depth))
            colors = class_colors(reading.n_colors)
            paint = Paint(style == "bars", True, False, fontsize, colors)
            needed = Drawing(figure.add_axes((0.0, 0.0, 1.0, 1.0)), reading, paint).size
            if needed.width > page[0] or needed.height > page[1]:
                return max(0, depth - 1)
    finally:
        plt.close(figure)
    return deepest


def notebook_html(estimator: Any) -> str:
    """Return a fitted tree for a notebook: a picture, or text without matplotlib.

    The result is empty for an estimator that is not fitted or holds several trees.
    """
    if hasattr(estimator, "estimators_") or not hasattr(estimator, "tree_"):
        return ""
    try:
        return _svg(estimator)
    except ImportError:
        return f"<pre>{escape(export_text(estimator, max_terms=4, max_depth=3))}</pre>"


def _svg(estimator: Any) -> str:
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    depth = readable_depth(estimator, page=_NOTEBOOK_PAGE)
    reading = reading_of(estimator, "plot_tree", Style(max_terms=4, max_depth=depth))
    figure = Figure()
    FigureCanvasSVG(figure)
    ax = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    drawing = Drawing(ax, reading, Paint(True, True, False, 9.0, class_colors(reading.n_colors)))
    figure.set_size_inches(drawing.figure_size())
    drawing.fit_to_axes()
    drawing.place()
    content = io.StringIO()
    figure.savefig(content, format="svg")
    svg = content.getvalue()
    return f'<div style="overflow-x: auto">{svg[svg.index("<svg") :]}</div>'
