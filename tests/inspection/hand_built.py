"""Trees written down node by node, and an estimator that holds one.

Features: the numbers ``age`` and ``bmi``, and the category ``color`` with the levels ``red``,
``blue`` and ``green``. The encoded columns, in this order, are AGE, BMI, RED, BLUE and GREEN.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from aslant import ObliqueDecisionTreeClassifier
from aslant.encoding import Column, FeatureEncoder
from aslant.tree.tree import Tree

AGE, BMI, RED, BLUE, GREEN = range(5)
COLORS = ["red", "blue", "green"]


@dataclass
class Spec:
    """A node: class weights of a leaf, or the rows {column: coefficient}, offsets and children."""

    value: list[float]
    rows: list[dict[int, float]] = field(default_factory=list)
    offsets: list[float] = field(default_factory=list)
    children: list[Spec] = field(default_factory=list)


def leaf(*value: float) -> Spec:
    return Spec(list(value))


def plane(coef: dict[int, float], threshold: float, *children: Spec) -> Spec:
    return Spec(_sum(children), [coef], [threshold], list(children))


def machine(rows: list[dict[int, float]], bias: list[float], *children: Spec) -> Spec:
    return Spec(_sum(children), rows, bias, list(children))


def _sum(children: tuple[Spec, ...]) -> list[float]:
    return np.sum([child.value for child in children], axis=0).tolist()


def build(root: Spec, *, numeric: int = 0) -> Tree:
    """Return the tree; numeric: that many numeric features in place of age, bmi and color."""
    specs: list[Spec] = []
    children: list[list[int]] = []

    def visit(spec: Spec) -> int:
        node = len(specs)
        specs.append(spec)
        children.append([])
        children[node] = [visit(child) for child in spec.children]
        return node

    visit(root)
    width = max(2, *(len(own) for own in children), 2)
    rows = [row for spec in specs for row in spec.rows]
    value = np.array([spec.value for spec in specs])
    return Tree(
        n_features=numeric or 3,
        children=[own + [-1] * (width - len(own)) for own in children],
        value=value,
        n_node_samples=value.sum(axis=1).astype(int),
        impurity=np.zeros(len(specs)),
        row_start=np.cumsum([0, *(len(spec.rows) for spec in specs)]),
        coef_start=np.cumsum([0, *(len(row) for row in rows)]),
        coef_column=[column for row in rows for column in row],
        coef_value=[coef for row in rows for coef in row.values()],
        coef_fill=np.zeros(sum(len(row) for row in rows)),
        offset=[offset for spec in specs for offset in spec.offsets],
        column_feature=list(range(numeric)) or [0, 1, 2, 2, 2],
        column_level=[-1] * numeric or [-1, -1, 0, 1, 2],
    )


class HandBuilt(ObliqueDecisionTreeClassifier):
    """A fitted classifier that holds the given tree."""

    def fit(self, root, classes=("a", "b"), features=("age", "bmi", "color"), levels=COLORS):
        numeric = 0 if levels else len(features)
        self.tree_ = build(root, numeric=numeric)
        self.classes_ = np.array(classes)
        self.n_features_in_ = len(features)
        columns = [Column(name, "number") for name in features]
        if levels:
            columns[2] = Column(features[2], "category", levels=list(levels), encoding="levels")
        self.encoder_ = FeatureEncoder(columns)
        return self

    def _encoded(self, X, *, dense=False):
        return np.asarray(X, dtype=float)


def classifier(root: Spec, **details: object) -> HandBuilt:
    return HandBuilt().fit(root, **details)
