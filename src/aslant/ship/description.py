"""A fitted model as plain data: what every language of `export_code` and ONNX are written from.

Nothing here computes. A new kind of leaf, gate or vote is added to these classes and to
`describe`, and then to each writer, which refuses what it does not know.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from aslant.estimators import BaseTreeClassifier, TreeClassifier
from aslant.systems import KDTClassifier, MMLTreeClassifier

#: Partial sums of a linear function, as in the core (``kLanes`` in src/core/lanes.hpp).
LANES = 4

Label = str | int | float | bool


@dataclass(frozen=True)
class Feature:
    """An input: a number, or a category if it has levels; codes are places in `levels`."""

    name: str
    levels: tuple[Label, ...] | None = None


@dataclass(frozen=True)
class Term:
    """``coef * value``, where the value is that of a feature or 1 if it has the level, else 0.

    ``fill`` is the value where the feature is missing or has a level that training never saw.
    ``column`` is the place among the encoded columns; it decides the order of summation.
    """

    feature: int
    level: int | None
    coef: float
    fill: float
    column: int


@dataclass(frozen=True)
class Linear:
    """A sum of terms, and its threshold (of a hyperplane) or bias (of a branch of a machine)."""

    terms: tuple[Term, ...]
    offset: float

    def lanes(self) -> tuple[tuple[Term, ...], ...]:
        """Return the terms of each partial sum; the whole is ``(0 + 2) + (1 + 3)``."""
        return tuple(
            tuple(term for term in self.terms if term.column % LANES == lane)
            for lane in range(LANES)
        )


@dataclass(frozen=True)
class Node:
    """A test with its children, or a leaf.

    No function is a leaf; one is a hyperplane, child 0 where the sum is at most the offset, else
    child 1; k are a linear machine, the child whose sum plus offset is largest, the first on ties.
    """

    functions: tuple[Linear, ...]
    children: tuple[int, ...]
    probabilities: tuple[float, ...]
    winner: int  # the class that a leaf predicts or votes for
    rows: int

    @property
    def is_leaf(self) -> bool:
        """Whether the node has no test."""
        return not self.functions


class Combination(Enum):
    """How the leaves that a row reaches in several trees become one answer.

    ``SINGLE``: there is one tree; its leaf answers. ``SUM``: probabilities are the weighted sum of
    the leaves', divided by `Description.divisor`, and the first largest sum wins. ``VOTES``: every
    leaf votes for its winner; probabilities are shares of the votes; ties go to the class with the
    highest sum of probabilities: the first largest ``votes + sum / (2 * trees + 2)`` wins.
    """

    SINGLE = "single"
    SUM = "sum"
    VOTES = "votes"


@dataclass(frozen=True)
class Description:
    """A fitted model."""

    estimator: str
    features: tuple[Feature, ...]
    classes: tuple[Label, ...]
    trees: tuple[tuple[Node, ...], ...]  # nodes in preorder
    combination: Combination = Combination.SINGLE
    weights: tuple[float, ...] = (1.0,)
    divisor: float = 1.0


def describe(model: Any, caller: str) -> Description:
    """Return the description of a fitted estimator; one clear error if it has none."""
    check_is_fitted(model)
    if getattr(model, "is_soft_", False):
        raise ValueError(
            f"{caller} writes the tests of a tree, and {type(model).__name__} has soft "
            "probabilities, which they do not tell: fit it with probabilities='leaf', or call "
            "set_params(probabilities='leaf') on the fitted one."
        )
    combination, weights, divisor = combination_of(model, caller)
    members = list(getattr(model, "estimators_", [model]))
    return Description(
        estimator=type(model).__name__,
        features=_features(model, caller),
        classes=tuple(_label(label, "class", caller) for label in model.classes_.tolist()),
        trees=tuple(_nodes(member, combination) for member in members),
        combination=combination,
        weights=weights,
        divisor=divisor,
    )


# Kinds of columns that are numbers only to the tree.
_READ_OTHERWISE = ("date", "duration", "ordered")


def combination_of(model: Any, caller: str) -> tuple[Combination, tuple[float, ...], float]:
    """Return how the trees of a fitted model are combined, their weights and the divisor."""
    ways = [kind.predict_proba for kind in (TreeClassifier, KDTClassifier, MMLTreeClassifier)]
    if not isinstance(model, BaseTreeClassifier) or type(model).predict_proba not in ways:
        raise TypeError(
            f"{caller} needs a fitted classifier of aslant whose way of predicting it knows, got "
            f"{type(model).__name__}."
        )
    if not hasattr(model, "estimators_"):
        return Combination.SINGLE, (1.0,), 1.0
    n_trees = len(model.estimators_)
    if hasattr(model, "weights_"):
        return Combination.SUM, tuple(model.weights_.tolist()), 1.0
    is_sum = model.voting == "soft"
    combination = Combination.SUM if is_sum else Combination.VOTES
    if not is_sum and model.smoothing != 0.0:
        raise TypeError(
            f"{caller} writes the shares of votes: set smoothing=0, got {model.smoothing!r}."
        )
    return combination, (1.0,) * n_trees, float(n_trees)


def _features(model: Any, caller: str) -> tuple[Feature, ...]:
    encoder = model.encoder_
    for column in encoder.columns_:
        if column.encoding == "shares" or column.merged or column.kind in _READ_OTHERWISE:
            raise TypeError(
                f"{caller} writes models of numbers and of categories read by their levels, and "
                f"the column {column.name!r} is a {column.describe()}."
            )
    if encoder.derived:
        raise TypeError(
            f"{caller} does not write features that are derived from others, such as "
            f"{encoder.feature_names[-1]!r}; fit with missing='node_mean' and without date_parts."
        )
    return tuple(
        Feature(
            str(name),
            tuple(_label(level, "level", caller) for level in encoder.categories[j])
            if j in encoder.categories
            else None,
        )
        for j, name in enumerate(encoder.feature_names)
    )


def _label(label: Any, kind: str, caller: str) -> Label:
    """Return a label as a plain Python value: text, a finite number or a truth value."""
    if isinstance(label, np.generic):
        label = label.item()
    if not isinstance(label, str | int | float | bool) or not (
        isinstance(label, str) or np.isfinite(label)
    ):
        raise TypeError(
            f"{caller} writes classes and levels that are text, numbers or booleans, got the "
            f"{kind} {label!r} of type {type(label).__name__}."
        )
    return label


def _nodes(member: Any, combination: Combination) -> tuple[Node, ...]:
    tree, probabilities = member.tree_, member._node_probabilities()
    # A tree alone predicts from the weights in its leaf, a member of several from frequencies.
    deciding = tree.value if combination is Combination.SINGLE else probabilities
    winner = deciding.argmax(axis=1)
    return tuple(
        Node(
            functions=tuple(
                _linear(tree, row) for row in range(tree.row_start[i], tree.row_start[i + 1])
            ),
            children=tuple(child for child in tree.children[i].tolist() if child >= 0),
            probabilities=tuple(probabilities[i].tolist()),
            winner=int(winner[i]),
            rows=int(tree.n_node_samples[i]),
        )
        for i in range(tree.n_nodes)
    )


def _linear(tree: Any, row: int) -> Linear:
    terms = []
    for entry in range(tree.coef_start[row], tree.coef_start[row + 1]):
        column = int(tree.coef_column[entry])
        level = int(tree.column_level[column])
        terms.append(
            Term(
                feature=int(tree.column_feature[column]),
                level=None if level < 0 else level,
                coef=float(tree.coef_value[entry]),
                fill=float(tree.coef_fill[entry]),
                column=column,
            )
        )
    return Linear(tuple(terms), float(tree.offset[row]))
