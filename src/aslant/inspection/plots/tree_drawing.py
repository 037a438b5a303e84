"""How the picture of a tree is laid out and drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from aslant.inspection.plots.drawing import Colour, tinted
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
_LARGEST_FIGURE = 100.0  # inches; a larger tree gets smaller letters instead
_EDGE_COLOUR = "#555555"
_ADDED, _SUBTRACTED = "#9ecae1", "#fcae91"  # behind terms, light enough for black letters


@dataclass(frozen=True)
class Paint:
    """What boxes look like."""

    bars: bool
    filled: bool
    node_ids: bool
    fontsize: float
    colours: list[Colour]


@dataclass(frozen=True)
class _DrawnNode:
    box: Text
    answer: Text | None  # on the edge from the parent
    depth: int
    children: list[int]


class Drawing:
    """First writes all texts to measure them, then lays the tree out and moves them in place."""

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
        self.layout = self._lay_out()

    # ------------------------------------------------------------------ writing

    def _write_box(self, node: int) -> Text:
        colour = self.paint.colours[self.reading.colour(node)]
        shape = "square" if self.reading.children(node) else "round"
        has_bars = bool(self._shares(node))
        # Bars are seen best on white.
        is_filled = self.paint.filled and not has_bars
        fill = tinted(colour, self.reading.purity(node)) if is_filled else "white"
        return self._write(
            "\n".join(self._lines(node)),
            va="top",
            linespacing=1.3,
            multialignment="left" if has_bars else "center",
            bbox={
                "boxstyle": f"{shape},pad={_PADDING}",
                "facecolor": fill,
                "edgecolor": _darker(colour),
                "linewidth": 0.8,
            },
        )

    def _lines(self, node: int) -> list[str]:
        lines = self.reading.box_lines(node, term_per_line=self.paint.bars)
        if self.paint.node_ids:
            lines.insert(0, f"node {node}")
        if self.paint.bars and not self.reading.children(node):
            lines.append("")  # room for the strip of classes
        return lines

    def _shares(self, node: int) -> tuple[float, ...]:
        """Return how long the bars of a test are, with signs; none if it has no bars."""
        test = self.reading.test(node)
        return test.shares if self.paint.bars and test is not None else ()

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
            min(needed.height + 2 * _MARGIN, _LARGEST_FIGURE),
        )

    def fit_to_axes(self) -> None:
        """Let data coordinates be inches of the layout, and shrink the letters if need be."""
        needed = self.layout.size
        self.ax.set_xlim(-_MARGIN, needed.width + _MARGIN)
        self.ax.set_ylim(-_MARGIN, needed.height + _MARGIN)
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

    # ------------------------------------------------------------------ placing

    def place(self) -> list[Artist]:
        """Move all texts in place and draw the edges; return all artists."""
        layout = self.layout
        edges: list[Artist] = []
        if self.reading.remarks():  # below the tree, in its margin
            text = "\n".join(self.reading.remarks())
            remark = self._write(text, va="bottom", color=_EDGE_COLOUR)
            remark.set(position=(layout.size.width, -0.95 * _MARGIN), ha="right")
            remark.set_fontsize(0.7 * float(self.nodes[0].box.get_fontsize()))
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
        """Draw the bars behind the terms of a test, or the strip of classes in a leaf."""
        inner = box.get_window_extent().transformed(self.ax.transData.inverted())
        line = inner.height / len(box.get_text().split("\n"))
        shares = self._shares(node)
        if shares:
            # Between the ground of the box and its letters, which are therefore written again.
            box.set_color("none")
            for k, share in enumerate(shares, start=int(self.paint.node_ids)):
                bar = _ADDED if share > 0.0 else _SUBTRACTED
                corner = (inner.x0, inner.y1 - (k + 0.96) * line)
                width = max(abs(share), 0.01) * inner.width
                self._rectangle(corner, width, 0.88 * line, bar, 4)
            letters = self._write(
                box.get_text(), va="top", linespacing=1.3, multialignment="left", zorder=5
            )
            # From the left, as the bars, whatever the picture's resolution does to their width.
            place = (inner.x0, box.get_position()[1])
            letters.set(position=place, ha="left", fontsize=box.get_fontsize())
        elif not self.reading.children(node):
            value = self.reading.tree.value[node]
            left, total = inner.x0, float(value.sum()) or 1.0
            for weight, colour in zip(value, self.paint.colours, strict=True):
                width = inner.width * float(weight) / total
                self._rectangle((left, inner.y0 + 0.15 * line), width, 0.5 * line, colour, 4)
                left += width

    def _rectangle(
        self, corner: tuple[float, float], width: float, height: float, colour: Any, order: float
    ) -> None:
        from matplotlib.patches import Rectangle

        patch = Rectangle(corner, width, height, facecolor=colour, linewidth=0, zorder=order)
        self.ax.add_patch(patch)

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
