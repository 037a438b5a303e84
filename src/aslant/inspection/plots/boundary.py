"""The regions of a classifier over two features, and the hyperplanes that bound them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from sklearn.base import is_regressor
from sklearn.utils.validation import check_is_fitted

from aslant.inspection.plots.boundary_section import Line, Section
from aslant.inspection.plots.drawing import class_colours, import_pyplot, tinted
from aslant.tree.split import HyperplaneSplit
from aslant.tree.tree import Tree
from aslant.utils.checks import check_number

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Points = npt.NDArray[np.float64]


def plot_boundary(
    clf: Any,
    X: Any,
    y: Any,
    *,
    features: Sequence[Any] | None = None,
    at: int | None = None,
    ax: Axes | None = None,
    resolution: int = 300,
) -> Axes:
    """Draw the regions of the classes, the hyperplanes of the tree and the rows.

    Each hyperplane is drawn exactly, as the segment inside the region of its node, thicker nearer
    the root. Linear machines, and classifiers that are not a single tree, show their regions only.
    Of more than two features, two are drawn, and the others have the values of one row: the picture
    is a section, and rows are drawn where they would be seen from above it.

    Parameters
    ----------
    clf : fitted classifier
        Any classifier; the two features drawn are numbers.
    X : array-like or data frame of shape (n_samples, n_features)
        Rows to draw; those without a value for one of the two features are left out.
    y : array-like of shape (n_samples,)
        Their classes.
    features : sequence of two names or numbers, optional
        The features to draw; needed where there are more than two.
    at : int, optional
        Number of the row of X whose values the other features have; by default they have the
        median of numbers and the most frequent value of anything else.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.
    resolution : int, default=300
        Points in each direction at which the classifier is asked for the region.

    Returns
    -------
    matplotlib Axes
        The axes drawn on.
    """
    check_is_fitted(clf)
    if is_regressor(clf):
        raise TypeError(
            f"plot_boundary draws the regions of classes, and {type(clf).__name__} has none."
        )
    check_number("resolution", resolution, 2, 10_000, whole=True)
    section = Section(clf, X, features, at)
    codes = class_codes(clf, y, len(section.points))
    low, high = _frame(section.points)
    if ax is None:
        _, ax = import_pyplot("plot_boundary").subplots()
    _draw_regions(ax, clf, section, low, high, resolution)
    _draw_hyperplanes(ax, clf, section, low, high)
    _draw_rows(ax, clf.classes_, section.points, codes)
    ax.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]))
    ax.set_xlabel(section.names[0], parse_math=False)
    ax.set_ylabel(section.names[1], parse_math=False)
    return ax


# ---------------------------------------------------------------------- checks


def class_codes(clf: Any, y: Any, n_rows: int) -> npt.NDArray[np.intp]:
    """Return the place of each label among the classes, one for each row."""
    labels = np.asarray(y).ravel().tolist()
    if len(labels) != n_rows:
        raise ValueError(f"X has {n_rows} rows and y has {len(labels)}; they must be as many.")
    code = {label: k for k, label in enumerate(clf.classes_.tolist())}
    for label in labels:
        if label not in code:
            raise ValueError(f"y holds the class {label!r}, which the classifier does not know.")
    return np.array([code[label] for label in labels], dtype=np.intp)


def _frame(points: Points) -> tuple[Points, Points]:
    """Return the lower left and the upper right corner of the picture."""
    complete = points[np.isfinite(points).all(axis=1)]
    if len(complete) == 0:
        raise ValueError("plot_boundary needs at least one row of X without missing values.")
    low, high = complete.min(axis=0), complete.max(axis=0)
    margin = 0.06 * (high - low)
    margin[margin == 0.0] = 0.5  # all rows at one value
    return low - margin, high + margin


# ---------------------------------------------------------------------- drawing


def _draw_regions(
    ax: Axes, clf: Any, section: Section, low: Points, high: Points, resolution: int
) -> None:
    share = (np.arange(resolution) + 0.5) / resolution  # the middles of the picture's cells
    x, y = (low[j] + share * (high[j] - low[j]) for j in (0, 1))
    grid = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    predicted = clf.predict(section.rows(grid))
    codes = class_codes(clf, predicted, len(grid)).reshape(resolution, resolution)
    colours = np.array([tinted(colour, 0.35) for colour in class_colours(len(clf.classes_))])
    ax.imshow(
        colours[codes],
        extent=(low[0], high[0], low[1], high[1]),
        origin="lower",
        aspect="auto",
        interpolation="nearest",
        zorder=0,
    )


def _draw_hyperplanes(ax: Axes, clf: Any, section: Section, low: Points, high: Points) -> None:
    tree = getattr(clf, "tree_", None)
    if not isinstance(tree, Tree) or hasattr(clf, "estimators_"):
        return
    for node, segment in hyperplane_segments(tree, low, high, section.cut(clf)):
        width = max(0.8, 2.2 - 0.35 * tree.depth[node])
        ax.plot(*segment.T, color="#222222", linewidth=width, solid_capstyle="round", zorder=1)


def _draw_rows(
    ax: Axes, classes: npt.NDArray[Any], points: Points, codes: npt.NDArray[np.intp]
) -> None:
    for k, colour in enumerate(class_colours(len(classes))):
        own = points[codes == k]
        ax.scatter(
            own[:, 0],
            own[:, 1],
            s=20,
            color=[colour],
            edgecolor="white",
            linewidth=0.5,
            zorder=2,
            label=str(classes[k]),
        )
    legend = ax.legend(loc="best", framealpha=0.9)
    for text in legend.get_texts():
        text.set_parse_math(False)


# ---------------------------------------------------------------------- geometry


def hyperplane_segments(
    tree: Tree, low: Points, high: Points, section: Callable[[HyperplaneSplit], Line] | None = None
) -> list[tuple[int, Points]]:
    """Return, for each hyperplane, the part of it that lies in the region of its node.

    The region of a node is a convex polygon: the picture, cut by the hyperplanes above the node.
    Below a linear machine nothing is returned. A section says which line a hyperplane is in the
    picture: normal vector and threshold; without it, the tree has two features.
    """
    picture = np.array([[low[0], low[1]], [high[0], low[1]], [high[0], high[1]], [low[0], high[1]]])
    segments = []
    waiting = [(0, picture)]
    while waiting:
        node, region = waiting.pop()
        split = tree.split(node)
        if not isinstance(split, HyperplaneSplit) or len(region) < 3:
            continue
        line = (split.coef, split.threshold) if section is None else section(split)
        inside, outside, crossings = cut(region, *line)
        if len(crossings) == 2:
            segments.append((node, crossings))
        waiting += [(int(tree.children[node, 1]), outside), (int(tree.children[node, 0]), inside)]
    return segments


def cut(region: Points, normal: Points, threshold: float) -> tuple[Points, Points, Points]:
    """Cut a convex polygon with a line.

    Returns
    -------
    inside, outside : ndarray of shape (n, 2)
        The parts where ``point @ normal`` is at most, and at least, the threshold.
    crossings : ndarray of shape (n, 2)
        The points of the outline that lie on the line.
    """
    side = region @ normal - threshold
    inside, outside, crossings = [], [], []
    for i, here in enumerate(region):
        after = (i + 1) % len(region)
        if side[i] <= 0.0:
            inside.append(here)
        if side[i] >= 0.0:
            outside.append(here)
        if side[i] == 0.0:
            crossings.append(here)
        elif np.sign(side[i]) == -np.sign(side[after]):
            share = side[i] / (side[i] - side[after])
            crossing = here + share * (region[after] - here)
            for part in (inside, outside, crossings):
                part.append(crossing)
    return _polygon(inside), _polygon(outside), _polygon(crossings)


def _polygon(points: list[Points]) -> Points:
    return np.array(points, dtype=np.float64).reshape(-1, 2)
