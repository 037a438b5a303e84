"""A slow twin of the message: row by row, node by node, straight from the formulas.

Binary trees over numbers and categories only; every length is a sum of logarithms of probabilities.
"""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np

from aslant.tree.tree import Tree
from oracles.tree import chosen_child

Rows = list[int]


def log2_choices(n: int, k: int) -> float:
    return math.log2(math.comb(n, k))


def leaf(labels: list[int], n_classes: int, alpha: float) -> float:
    """Send the classes one after the other."""
    seen = [0.0] * n_classes
    bits = 0.0
    for label in labels:
        bits -= math.log2((seen[label] + alpha) / (sum(seen) + n_classes * alpha))
        seen[label] += 1.0
    return bits


def cap(d: int, margin: float) -> float:
    """Integrate the share of the sphere: sin^(d-2) over the angles of the cap."""
    theta = math.atan(margin / math.sqrt(d))

    def area(upto: float) -> float:
        angle = (np.arange(20_000) + 0.5) / 20_000 * upto
        return float(np.sum(np.sin(angle) ** (d - 2)) * upto / 20_000)

    return -math.log2(area(theta) / area(math.pi))


class Message:
    """The message about a tree and rows X with classes y."""

    def __init__(self, tree: Tree, X: np.ndarray, y: np.ndarray, **code: object) -> None:
        self.tree, self.X, self.y = tree, X, y
        self.alpha = float(code.get("alpha", 1.0))  # type: ignore[arg-type]
        self.direction, self.position = code.get("direction", "cap"), code.get("position", "gap")
        self.most = code.get("most")
        self.parts = dict.fromkeys(
            ("structure", "attributes", "direction", "position", "leaves"), 0.0
        )
        self.visit(0, list(range(len(y))), is_root=True)

    @property
    def total(self) -> float:
        return sum(self.parts.values())

    def varying(self, rows: Rows) -> list[int]:
        present = [{v for v in self.X[rows, j] if v == v} for j in range(self.X.shape[1])]
        return [j for j, values in enumerate(present) if len(values) > 1]

    def visit(self, node: int, rows: Rows, is_root: bool) -> None:
        n = len(self.varying(rows))
        is_leaf = bool(self.tree.is_leaf[node])
        chance = 0.5 if not is_root or n < 2 else (1 / n if is_leaf else 1 - 1 / n)
        self.parts["structure"] -= math.log2(chance)
        if is_leaf:
            labels = [int(self.y[i]) for i in rows]
            self.parts["leaves"] += leaf(labels, self.tree.n_classes, self.alpha)
            return
        side = [chosen_child(self.tree, self.X[i], node) for i in rows]
        self.test(node, rows, side)
        for c in (0, 1):
            self.visit(
                int(self.tree.children[node, c]),
                [i for i, s in zip(rows, side, strict=True) if s == c],
                is_root=False,
            )

    def value(self, column: int, row: int, fill: float) -> float:
        x = self.X[row, self.tree.column_feature[column]]
        if math.isnan(x):
            return fill
        level = self.tree.column_level[column]
        return float(x) if level < 0 else float(x == level)

    def test(self, node: int, rows: Rows, side: list[int]) -> None:
        tree = self.tree
        first = tree.coef_start[tree.row_start[node]]
        last = tree.coef_start[tree.row_start[node] + 1]
        columns = tree.coef_column[first:last].tolist()
        table = [
            [self.value(c, i, tree.coef_fill[first + k]) for i in rows]
            for k, c in enumerate(columns)
        ]
        features = sorted({int(tree.column_feature[c]) for c in columns})
        n = len(self.varying(rows))
        sizes = min(n, int(self.most)) if self.most else n  # type: ignore[call-overload]
        self.parts["attributes"] += math.log2(sizes) + log2_choices(n, len(features))
        if len(features) == 1 and tree.column_level[columns[0]] >= 0:
            self.grouping([self.X[i, features[0]] for i in rows], side)
            return
        for feature in features:
            used = [c for c in columns if tree.column_feature[c] == feature]
            n_levels = len({v for v in self.X[rows, feature] if v == v})
            if tree.column_level[used[0]] >= 0 and n_levels > 2:
                self.parts["attributes"] += math.log2(n_levels - 1)
                self.parts["attributes"] += log2_choices(n_levels, len(used))
        self.plane(table, tree.coef_value[first:last].tolist(), side)

    def grouping(self, codes: list[float], side: list[int]) -> None:
        groups = [
            {c for c, s in zip(codes, side, strict=True) if s == k and c == c} for k in (0, 1)
        ]
        levels = sorted(groups[0] | groups[1])
        smaller = min(len(group) for group in groups)
        halves = {
            frozenset([frozenset(chosen), frozenset(levels) - frozenset(chosen)])
            for chosen in combinations(levels, smaller)
        }
        self.parts["attributes"] += math.log2(len(levels) // 2) + math.log2(len(halves))
        self.parts["attributes"] += any(c != c for c in codes)

    def plane(self, table: list[list[float]], coef: list[float], side: list[int]) -> None:
        low = [min(column) for column in table]
        width = [max(column) - min(column) for column in table]
        points = [
            tuple((x - a) / b for x, a, b in zip(row, low, width, strict=True))
            for row in zip(*table, strict=True)
        ]
        w = [c * b for c, b in zip(coef, width, strict=True)]
        length = math.sqrt(sum(v * v for v in w))
        u = [sum(a * b for a, b in zip(w, point, strict=True)) / length for point in points]
        margin = min(v for v, s in zip(u, side, strict=True) if s == 1) - max(
            v for v, s in zip(u, side, strict=True) if s == 0
        )
        d, n = len(w), len(set(points))
        if d > 1 and self.direction == "paper":
            self.parts["direction"] += (d - 1) * math.log2(1 + d / margin**2)
        elif d > 1:
            self.parts["direction"] += cap(d, margin)
        ways = {"gap": n - 1, "pair": math.comb(n, 2), "none": 1}
        self.parts["position"] += math.log2(ways[self.position])  # type: ignore[index]
