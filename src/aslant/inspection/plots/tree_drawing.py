"""The layout of the picture of a tree, and its drawing."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from aslant.inspection.plots.colors import Color, tinted
from aslant.inspection.plots.layout import Layout, Size, tidy_layout
from aslant.inspection.reading import Reading

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.text import Text

_PADDING = 0.45  # between text and box, in multiples of the font size
_BOX_GAP = 0.16  # between neighbours, in inches
_ROW_GAP = 0.55  # between rows, in inches: room for the answers
_MARGIN = 0.15  # around the tree, in inches
_LARGEST_FIGURE = 100.0  # inches; a larger tree gets smaller text
_REMARK, _REMARK_WIDTH = 0.7, 70  # font size, relative to that of boxes; characters
_EDGE_COLOR = "#555555"
_ADDED, _SUBTRACTED = "#9ecae1", "#fcae91"  # behind terms, light enough for black text


@dataclass(frozen=True)
class Paint:
    """The appearance of boxes."""

    bars: bool
    filled: bool
    node_ids: bool
    fontsize: float
    colors: list[Color]


@dataclass(frozen=True)
class _DrawnNode:
    box: Text
    answer: Text | None  # on the edge from the parent
    depth: int
    children: list[int]


class Drawing:
    """Writes all texts to measure them, lays the tree out, and moves the texts in place."""

    def __init__(self, ax: Axes, reading: Reading, paint: Paint) -> None:
        self.ax = ax
        ax.set_axis_off()
        self.reading = reading
        self.paint = paint
        self.fontsize = paint.fontsize
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
        self.remark = self._write_remark()
        self.layout = self._lay_out()
        self.size = self._size()

    # ------------------------------------------------------------------ writing

    def _write_box(self, node: int) -> Text:
        color = self.paint.colors[self.reading.color(node)]
        shape = "square" if self.reading.children(node) else "round"
        has_bars = bool(self._contributions(node))
        # Bars need a white background.
        is_filled = self.paint.filled and not has_bars
        fill = tinted(color, self.reading.purity(node)) if is_filled else "white"
        return self._write(
            "\n".join(self._lines(node)),
            va="top",
            linespacing=1.3,
            multialignment="left" if has_bars else "center",
            bbox={
                "boxstyle": f"{shape},pad={_PADDING}",
                "facecolor": fill,
                "edgecolor": _darker(color),
                "linewidth": 0.8,
            },
        )

    def _lines(self, node: int) -> list[str]:
        lines = self.reading.box_lines(node, term_per_line=self.paint.bars)
        if self.paint.node_ids:
            lines.insert(0, f"node {node}")
        if self.paint.bars and not self.reading.children(node):
            lines.append("")  # room for the strip
        return lines

    def _contributions(self, node: int) -> tuple[float, ...]:
        """Return the lengths of the bars of a test, with signs; none if it has no bars."""
        test = self.reading.test(node)
        return test.contributions if self.paint.bars and test is not None else ()

    def _write_answer(self, answer: str) -> Text:
        return self._write(
            answer,
            va="center",
            color=_EDGE_COLOR,
            bbox={"boxstyle": "square,pad=0.15", "facecolor": "white", "edgecolor": "none"},
        )

    def _write_remark(self) -> Text | None:
        """Write the remarks, smaller than the rest."""
        remarks = [line for text in self.reading.remarks() for line in wrap(text, _REMARK_WIDTH)]
        if not remarks:
            return None
        text = self._write("\n".join(remarks), va="top", color=_EDGE_COLOR)
        text.set_fontsize(_REMARK * self.fontsize)
        return text

    def _write(self, text: str, **properties: Any) -> Text:
        # A dollar sign in a name does not begin a TeX formula.
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

    def _size(self) -> Size:
        """Return the size of the tree with the remark below it."""
        tree = self.layout.size
        if self.remark is None:
            return tree
        remark = self._measure(self.remark)
        return Size(max(tree.width, remark.width), tree.height + _MARGIN + remark.height)

    def figure_size(self) -> tuple[float, float]:
        """Return width and height of a figure that the tree fills."""
        needed = self.size
        return (
            min(needed.width + 2 * _MARGIN, _LARGEST_FIGURE),
            min(needed.height + 2 * _MARGIN, _LARGEST_FIGURE),
        )

    def fit_to_axes(self) -> None:
        """Set data coordinates to inches of the layout, and shrink the text if needed."""
        needed, tree = self.size, self.layout.size
        beside, below = (needed.width - tree.width) / 2, needed.height - tree.height
        self.ax.set_xlim(-_MARGIN - beside, tree.width + beside + _MARGIN)
        self.ax.set_ylim(-_MARGIN - below, tree.height + _MARGIN)
        available, dpi = self.ax.get_window_extent(), self.ax.figure.dpi
        scale = min(
            1.0,
            available.width / dpi / (needed.width + 2 * _MARGIN),
            available.height / dpi / (needed.height + 2 * _MARGIN),
        )
        for drawn in self.nodes.values():
            for text in (drawn.box, drawn.answer):
                if text is not None:
                    text.set_fontsize(self.fontsize * scale)
        if self.remark is not None:
            self.remark.set_fontsize(_REMARK * self.fontsize * scale)

    # ------------------------------------------------------------------ placing

    def place(self) -> list[Artist]:
        """Move all texts in place and draw the edges; return all artists."""
        layout = self.layout
        edges: list[Artist] = []
        if self.remark is not None:
            self.remark.set_position((layout.size.width / 2, -_MARGIN))
        for node, drawn in self.nodes.items():
            drawn.box.set_position((layout.centre[node], layout.top[node] - self._padding()))
            drawn.box.set_zorder(3)
            if self.paint.bars:
                self._draw_bars(node, drawn.box)
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

    def _draw_bars(self, node: int, box: Text) -> None:
        """Draw the bars behind the terms of a test, or the strip of a leaf."""
        inner = box.get_window_extent().transformed(self.ax.transData.inverted())
        line = inner.height / len(box.get_text().split("\n"))
        bars = self._contributions(node)
        if bars:
            # Bars lie between the background of the box and its text, which is written again.
            box.set_color("none")
            for k, length in enumerate(bars, start=int(self.paint.node_ids)):
                bar = _ADDED if length > 0.0 else _SUBTRACTED
                corner = (inner.x0, inner.y1 - (k + 0.96) * line)
                width = max(abs(length), 0.01) * inner.width
                self._rectangle(corner, width, 0.88 * line, bar, 4)
            text = self._write(
                box.get_text(), va="top", linespacing=1.3, multialignment="left", zorder=5
            )
            # Left-aligned as the bars, whatever the resolution of the picture.
            place = (inner.x0, box.get_position()[1])
            text.set(position=place, ha="left", fontsize=box.get_fontsize())
        elif not self.reading.children(node):
            left = inner.x0
            for part, color in zip(self.reading.strip(node), self.paint.colors, strict=True):
                width = inner.width * part
                self._rectangle((left, inner.y0 + 0.15 * line), width, 0.5 * line, color, 4)
                left += width

    def _rectangle(
        self, corner: tuple[float, float], width: float, height: float, color: Any, order: float
    ) -> None:
        from matplotlib.patches import Rectangle

        patch = Rectangle(corner, width, height, facecolor=color, linewidth=0, zorder=order)
        self.ax.add_patch(patch)

    def _edge(self, node: int, child: int) -> Artist:
        """Draw down from the parent, across, and down to the child."""
        layout = self.layout
        bend = layout.top[child] + 0.75 * layout.row_gap
        x = [layout.centre[node], layout.centre[node], layout.centre[child], layout.centre[child]]
        # The ends lie behind the boxes.
        behind = self._padding()
        y = [layout.top[node] - behind, bend, bend, layout.top[child] - behind]
        return self.ax.plot(x, y, color=_EDGE_COLOR, linewidth=0.9, zorder=1)[0]


def _darker(color: Color) -> Color:
    red, green, blue = (0.6 * part for part in color)
    return red, green, blue
