"""`plot_boundary`: the regions of a classifier over two features, and its hyperplanes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from sklearn.base import is_regressor
from sklearn.utils.validation import check_is_fitted

from aslant.inspection.plots.axes import add_legend, import_pyplot
from aslant.inspection.plots.boundary_section import Line, Section
from aslant.inspection.plots.colors import class_colors, tinted
from aslant.inspection.resolve import resolve_tree
from aslant.inspection.targets import target_of
from aslant.tree.split import HyperplaneSplit
from aslant.tree.tree import Tree
from aslant.utils.checks import check_number

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Points = npt.NDArray[np.float64]


def plot_boundary(
    estimator: Any,
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
    With more than two features, two are drawn and the others are fixed: the picture is a section,
    and rows are projected onto it.

    Parameters
    ----------
    estimator : fitted classifier
        Any classifier that reads two numeric features or more.
    X : array-like or data frame of shape (n_samples, n_features)
        Rows to draw; rows with a missing value in one of the two features are left out.
    y : array-like of shape (n_samples,)
        Their classes.
    features : sequence of two names or numbers, optional
        The features to draw; required if there are more than two.
    at : int, optional
        Number of the row of X that fixes the other features; by default they have the median of
        numbers and the most frequent value of anything else.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.
    resolution : int, default=300
        Points in each direction at which the classifier predicts the region.

    Returns
    -------
    matplotlib Axes
        The axes drawn on.
    """
    check_is_fitted(estimator)
    if is_regressor(estimator):
        raise TypeError(
            f"plot_boundary draws the regions of classes, and {type(estimator).__name__} has none."
        )
    check_number("resolution", resolution, 2, 10_000, integer=True)
    tree = _single_tree(estimator)
    section = Section(estimator if tree is None else tree, X, features, at)
    codes = target_of(estimator, y, len(section.points), "plot_boundary")
    low, high = _corners(section.points)
    if ax is None:
        _, ax = import_pyplot("plot_boundary").subplots()
    _draw_regions(ax, estimator, section, low, high, resolution)
    if tree is not None:
        for node, segment in hyperplane_segments(tree.tree_, low, high, section.cut(tree)):
            width = max(0.8, 2.2 - 0.35 * tree.tree_.depth[node])
            ax.plot(*segment.T, color="#222222", linewidth=width, solid_capstyle="round", zorder=1)
    _draw_rows(ax, estimator.classes_, section.points, codes)
    ax.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]))
    ax.set_xlabel(section.names[0], parse_math=False)
    ax.set_ylabel(section.names[1], parse_math=False)
    return ax


def _single_tree(estimator: Any) -> Any:
    """Return the one tree of an estimator, None if it is not a single tree of this package."""
    try:
        return resolve_tree(estimator, "plot_boundary")
    except TypeError:
        return None


def _corners(points: Points) -> tuple[Points, Points]:
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
    ax: Axes, estimator: Any, section: Section, low: Points, high: Points, resolution: int
) -> None:
    middle = (np.arange(resolution) + 0.5) / resolution  # of the cells of the picture
    x, y = (low[j] + middle * (high[j] - low[j]) for j in (0, 1))
    grid = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    predicted = estimator.predict(section.rows(grid))
    codes = target_of(estimator, predicted, len(grid), "plot_boundary")
    colors = [tinted(color, 0.35) for color in class_colors(len(estimator.classes_))]
    ax.imshow(
        np.array(colors)[codes.reshape(resolution, resolution)],
        extent=(low[0], high[0], low[1], high[1]),
        origin="lower",
        aspect="auto",
        interpolation="nearest",
        zorder=0,
    )


def _draw_rows(
    ax: Axes, classes: npt.NDArray[Any], points: Points, codes: npt.NDArray[np.intp]
) -> None:
    for k, color in enumerate(class_colors(len(classes))):
        own = points[codes == k]
        ax.scatter(
            own[:, 0],
            own[:, 1],
            s=20,
            color=[color],
            edgecolor="white",
            linewidth=0.5,
            zorder=2,
            label=str(classes[k]),
        )
    add_legend(ax)


# ---------------------------------------------------------------------- geometry


def hyperplane_segments(
    tree: Tree, low: Points, high: Points, section: Callable[[HyperplaneSplit], Line] | None = None
) -> list[tuple[int, Points]]:
    """Return, for each hyperplane, the part of it that lies in the region of its node.

    The region of a node is a convex polygon: the picture, cut by the hyperplanes above the node.
    Nothing is returned below a linear machine. `section` maps a hyperplane to its line in the
    picture, a normal vector and a threshold; without it, the tree has two features.
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
            fraction = side[i] / (side[i] - side[after])
            crossing = here + fraction * (region[after] - here)
            for part in (inside, outside, crossings):
                part.append(crossing)
    return _polygon(inside), _polygon(outside), _polygon(crossings)


def _polygon(points: list[Points]) -> Points:
    return np.array(points, dtype=np.float64).reshape(-1, 2)
