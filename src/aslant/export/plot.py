"""A tree as a picture, with matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from aslant.export.drawing import Colour, class_colours, import_pyplot, tinted
from aslant.export.layout import Layout, Size, tidy_layout
from aslant.export.reading import Reading, Style
from aslant.search.base import check_number

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.text import Text

_PADDING = 0.45  # between text and box, in multiples of the font size
_BOX_GAP = 0.16  # between neighbours, in inches
_ROW_GAP = 0.55  # between rows, in inches: room for the answers
_MARGIN = 0.15  # around the tree, in inches
_LARGEST_FIGURE = 100.0  # inches; a larger tree gets smaller letters instead
_EDGE_COLOUR = "#555555"


def plot_tree(
    clf: Any,
    *,
    ax: Axes | None = None,
    precision: int | None = None,
    drop: float = 0.0,
    max_depth: int | None = None,
    class_names: Sequence[Any] | None = None,
    feature_names: Sequence[Any] | None = None,
    fontsize: float = 9.0,
) -> list[Artist]:
    """Draw a fitted tree.

    Boxes have the colour of the majority class, stronger where it is purer. They never overlap: a
    new figure is made as large as the tree needs, and in given axes the letters shrink to fit.

    Parameters
    ----------
    clf : fitted tree classifier
        A tree estimator of this package.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.
    precision : int or None, default=None
        Significant digits of coefficients and thresholds; None is 2, or all where the tests of the
        estimator have few digits themselves.
    drop : float, default=0.0
        Leave out terms whose coefficient is below this share of the largest in the same test.
    max_depth : int or None, default=None
        Show nodes down to this depth.
    class_names, feature_names : sequence of str, optional
        Names to print in place of the estimator's own.
    fontsize : float, default=9.0
        Size of the letters in points, where there is room.

    Returns
    -------
    list of matplotlib artists
        The boxes in the order of the nodes, then the edges and their labels.
    """
    check_number("fontsize", fontsize, 1.0, 200.0)
    style = Style(precision, drop, max_depth, class_names, feature_names)
    reading = Reading(clf, "plot_tree", style, digits=2)
    plt = import_pyplot("plot_tree")
    if ax is None:
        figure = plt.figure()
        drawing = _Drawing(figure.add_axes((0.0, 0.0, 1.0, 1.0)), reading, fontsize)
        figure.set_size_inches(drawing.figure_size())
    else:
        drawing = _Drawing(ax, reading, fontsize)
    drawing.fit_to_axes()
    return drawing.place()


@dataclass(frozen=True)
class _DrawnNode:
    box: Text
    answer: Text | None  # on the edge from the parent
    depth: int
    children: list[int]


class _Drawing:
    """First writes all texts to measure them, then lays the tree out and moves them in place."""

    def __init__(self, ax: Axes, reading: Reading, fontsize: float) -> None:
        self.ax = ax
        self.note = reading.note
        self.foot = 2.4 * fontsize / 72.0 if self.note else 0.0  # room for it, in inches
        ax.set_axis_off()
        self.reading = reading
        self.fontsize = fontsize
        self.colours = class_colours(len(reading.classes))
        self.nodes: dict[int, _DrawnNode] = {}
        waiting = [(0, "")]
        while waiting:
            node, answer = waiting.pop()
            children = reading.children(node)
            self.nodes[node] = _DrawnNode(
                self._write_box(node),
                self._write_answer(answer) if answer else None,
                int(reading.tree.depth[node]),
                children,
            )
            test = reading.test(node)
            answers = () if test is None else test.answers
            waiting.extend(reversed(list(zip(children, answers, strict=True))))
        self.layout = self._lay_out()

    # ------------------------------------------------------------------ writing

    def _write_box(self, node: int) -> Text:
        colour = self.colours[self.reading.majority(node)]
        shape = "square" if self.reading.children(node) else "round"
        return self._write(
            "\n".join(self.reading.box_lines(node)),
            va="top",
            linespacing=1.3,
            bbox={
                "boxstyle": f"{shape},pad={_PADDING}",
                "facecolor": tinted(colour, self.reading.purity(node)),
                "edgecolor": _darker(colour),
                "linewidth": 0.8,
            },
        )

    def _write_answer(self, answer: str) -> Text:
        return self._write(
            answer,
            va="center",
            color=_EDGE_COLOUR,
            bbox={"boxstyle": "square,pad=0.15", "facecolor": "white", "edgecolor": "none"},
        )

    def _write(self, text: str, **properties: Any) -> Text:
        # A dollar sign in a name is a dollar sign, not the beginning of a formula in TeX.
        return self.ax.text(
            0.0, 0.0, text, ha="center", fontsize=self.fontsize, parse_math=False, **properties
        )

    # ------------------------------------------------------------------ measuring, in inches

    def _lay_out(self) -> Layout:
        boxes = {}
        for node, drawn in self.nodes.items():
            inner = self._measure(drawn.box)
            padding = 2 * self._padding()
            width, height = inner.width + padding, inner.height + padding
            if drawn.answer is not None:
                width = max(width, self._measure(drawn.answer).width)
            boxes[node] = Size(width + _BOX_GAP, height)
        children = {node: drawn.children for node, drawn in self.nodes.items()}
        depth = {node: drawn.depth for node, drawn in self.nodes.items()}
        return tidy_layout(children, depth, boxes, _ROW_GAP)

    def _padding(self) -> float:
        return _PADDING * self.fontsize / 72

    def _measure(self, text: Text) -> Size:
        extent, dpi = text.get_window_extent(), self.ax.figure.dpi
        return Size(extent.width / dpi, extent.height / dpi)

    def figure_size(self) -> tuple[float, float]:
        """Return width and height of a figure that the tree fills."""
        needed = self.layout.size
        return (
            min(needed.width + 2 * _MARGIN, _LARGEST_FIGURE),
            min(needed.height + 2 * _MARGIN + self.foot, _LARGEST_FIGURE),
        )

    def fit_to_axes(self) -> None:
        """Let data coordinates be inches of the layout, and shrink the letters if need be."""
        needed = self.layout.size
        self.ax.set_xlim(-_MARGIN, needed.width + _MARGIN)
        self.ax.set_ylim(-_MARGIN - self.foot, needed.height + _MARGIN)
        available, dpi = self.ax.get_window_extent(), self.ax.figure.dpi
        scale = min(
            1.0,
            available.width / dpi / (needed.width + 2 * _MARGIN),
            available.height / dpi / (needed.height + 2 * _MARGIN + self.foot),
        )
        if self.note:
            size = 0.7 * self.fontsize * scale
            self.ax.text(0.0, -self.foot, self.note.replace(", ", ",\n"), fontsize=size)
        for drawn in self.nodes.values():
            for text in (drawn.box, drawn.answer):
                if text is not None:
                    text.set_fontsize(self.fontsize * scale)

    # ------------------------------------------------------------------ placing

    def place(self) -> list[Artist]:
        """Move all texts in place and draw the edges; return all artists."""
        layout = self.layout
        edges: list[Artist] = []
        for node, drawn in self.nodes.items():
            drawn.box.set_position((layout.centre[node], layout.top[node] - self._padding()))
            drawn.box.set_zorder(3)
            for child in drawn.children:
                edges.append(self._edge(node, child))
                answer = self.nodes[child].answer
                assert answer is not None  # every child is reached by an answer
                answer.set_position(
                    (layout.centre[child], layout.top[child] + 0.36 * layout.row_gap)
                )
                answer.set_zorder(2)
                edges.append(answer)
        return [*(drawn.box for drawn in self.nodes.values()), *edges]

    def _edge(self, node: int, child: int) -> Artist:
        """Draw down from the parent, across, and down to the child."""
        layout = self.layout
        bend = layout.top[child] + 0.75 * layout.row_gap
        x = [layout.centre[node], layout.centre[node], layout.centre[child], layout.centre[child]]
        # The ends lie behind the boxes.
        behind = self._padding()
        y = [layout.top[node] - behind, bend, bend, layout.top[child] - behind]
        return self.ax.plot(x, y, color=_EDGE_COLOUR, linewidth=0.9, zorder=1)[0]


def _darker(colour: Colour) -> Colour:
    red, green, blue = (0.6 * part for part in colour)
    return red, green, blue
