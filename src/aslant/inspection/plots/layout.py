"""Where the boxes of a drawn tree stand.

Leaves are evenly spaced and parents stand above the middle of their children. All positions are
multiples of the space between two leaves, so one number decides the width of the picture: the
smallest space at which no two boxes of a row overlap.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise


@dataclass(frozen=True)
class Size:
    """Width and height of a box, margins included."""

    width: float
    height: float


@dataclass(frozen=True)
class Layout:
    """Places of boxes, measured from the lower left corner.

    Attributes
    ----------
    centre : dict
        Horizontal centre of the box of each node.
    top : dict
        Upper edge of the box of each node; boxes of the same depth hang from the same line.
    row_gap : float
        Free space between two rows.
    size : Size
        Size of the whole picture.
    """

    centre: dict[int, float]
    top: dict[int, float]
    row_gap: float
    size: Size


def tidy_layout(
    children: Mapping[int, Sequence[int]],
    depth: Mapping[int, int],
    boxes: Mapping[int, Size],
    row_gap: float,
) -> Layout:
    """Return the places of the boxes.

    Parameters
    ----------
    children : mapping
        Children of every node, nodes in preorder; leaves have none.
    depth : mapping
        Depth of every node.
    boxes : mapping
        Size of every box.
    row_gap : float
        Free space to leave between two rows.
    """
    steps = _steps(children)
    rows: dict[int, list[int]] = {}
    for node in children:  # preorder, so every row runs from one side to the other
        rows.setdefault(depth[node], []).append(node)
    spacing = _spacing(rows, steps, boxes)
    left = min(spacing * steps[node] - boxes[node].width / 2 for node in children)
    right = max(spacing * steps[node] + boxes[node].width / 2 for node in children)
    heights = [max(boxes[node].height for node in rows[d]) for d in sorted(rows)]
    total = sum(heights) + row_gap * (len(heights) - 1)
    row_top = [total - sum(heights[:d]) - row_gap * d for d in range(len(heights))]
    return Layout(
        centre={node: spacing * steps[node] - left for node in children},
        top={node: row_top[depth[node]] for node in children},
        row_gap=row_gap,
        size=Size(right - left, total),
    )


def _steps(children: Mapping[int, Sequence[int]]) -> dict[int, float]:
    """Horizontal position of every node, in spaces between leaves."""
    steps: dict[int, float] = {}
    for place, leaf in enumerate(node for node, below in children.items() if not below):
        steps[leaf] = float(place)
    for node in reversed(list(children)):  # children come after their parent
        if children[node]:
            steps[node] = (steps[children[node][0]] + steps[children[node][-1]]) / 2
    return steps


def _spacing(
    rows: Mapping[int, Sequence[int]], steps: Mapping[int, float], boxes: Mapping[int, Size]
) -> float:
    """Return the smallest space between leaves at which neighbours in a row do not overlap."""
    spacing = 0.0
    for row in rows.values():
        for one, other in pairwise(row):
            needed = (boxes[one].width + boxes[other].width) / 2
            spacing = max(spacing, needed / (steps[other] - steps[one]))
    return spacing
