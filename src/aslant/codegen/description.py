"""A fitted model as plain data: what every language of `export_code` and ONNX are written from.

Nothing here computes. A new kind of leaf, gate or vote is added to these classes and to
`aslant.codegen.describe`, and then to each writer.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Literal

#: Partial sums of a linear function, as in the core (``kLanes`` in src/core/tree/lanes.hpp).
LANES = 4

Label = str | int | float | bool
What = Literal["itself", "missing", "share", "year", "month", "day", "weekday", "hour"]


@dataclass(frozen=True)
class Input:
    """A column of the table that a model reads.

    Attributes
    ----------
    name : str
        Its name.
    kind : {"number", "duration", "date", "levels"}
        Truth values are numbers, durations are days, dates are days since 1970 began. Levels are
        codes: places in `levels`.
    levels : tuple
        The levels that have a code of their own.
    unknown : int or None
        The code of any other level; None if it counts as missing.
    date_order : str or None
        Of dates in texts: which of the numbers comes first.
    """

    name: str
    kind: Literal["number", "duration", "date", "levels"] = "number"
    levels: tuple[Label, ...] = ()
    unknown: int | None = None
    date_order: str | None = None


@dataclass(frozen=True)
class Feature:
    """What trees read: an input, or something made of it.

    Attributes
    ----------
    name : str
        Its name.
    source : int
        The input.
    what : str
        The input ``"itself"``; 1 where it is ``"missing"``, else 0; a part of a date; or the
        ``"share"`` of a class among the rows of the level.
    levels : tuple or None
        Of a category that is read by its levels: names for all codes, that of unknown ones too.
    shares : tuple of float
        The share for each code; the last one is that of unknown levels.
    """

    name: str
    source: int
    what: What = "itself"
    levels: tuple[Label, ...] | None = None
    shares: tuple[float, ...] = ()


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
class Slope:
    """A linear leaf: ``value + sum of coef * (x - fill)``, kept between two bounds."""

    value: float
    terms: tuple[Term, ...]
    low: float
    high: float


@dataclass(frozen=True)
class Node:
    """A test with its children, or a leaf.

    No function is a leaf; one is a hyperplane, child 0 where the sum is at most the offset, else
    child 1; k are a linear machine, the child whose sum plus offset is largest, the first on ties.

    Attributes
    ----------
    functions, children : tuple
        The test.
    output : tuple of float
        Class probabilities, or the numbers that are predicted.
    winner : int
        The class that a leaf predicts or votes for.
    rows : int
        Training rows.
    slopes : tuple of Slope
        One for each number, where leaves are linear; else none.
    steepness : float
        Where tests are gates: a row goes to child 1 with the probability
        ``1 / (1 + exp(-steepness * (sum - offset)))``.
    """

    functions: tuple[Linear, ...]
    children: tuple[int, ...]
    output: tuple[float, ...]
    winner: int
    rows: int
    slopes: tuple[Slope, ...] = ()
    steepness: float = 0.0

    @property
    def is_leaf(self) -> bool:
        """Whether the node has no test."""
        return not self.functions


class Combination(Enum):
    """How what the leaves of a row say becomes one answer.

    ``SINGLE``: there is one tree; its leaf answers. ``SUM``: outputs are the weighted sum of the
    leaves', divided by `Description.divisor`, and of classes the first most probable one wins.
    ``VOTES``: every leaf votes for its winner; probabilities are shares of the votes; ties go to
    the class with the highest sum of probabilities: the first largest ``votes + sum / (2 * trees +
    2)`` wins. ``SOFT``: there is one tree, and its tests are gates; probabilities are those of all
    leaves, weighted by the probability of reaching them, raised to `Description.exponent` and made
    to sum to one; the first largest wins. Numbers are the sums of what all leaves predict, weighted
    likewise.
    """

    SINGLE = "single"
    SUM = "sum"
    VOTES = "votes"
    SOFT = "soft"


@dataclass(frozen=True)
class Description:
    """A fitted model; without classes it predicts numbers."""

    estimator: str
    inputs: tuple[Input, ...]
    features: tuple[Feature, ...]  # first one for each input, then the derived ones
    classes: tuple[Label, ...]
    n_outputs: int  # classes, or numbers
    trees: tuple[tuple[Node, ...], ...]  # nodes in preorder
    combination: Combination = Combination.SINGLE
    weights: tuple[float, ...] = (1.0,)
    divisor: float = 1.0
    exponent: float = 1.0

    @property
    def is_linear(self) -> bool:
        """Whether leaves predict linear functions."""
        return any(node.slopes for tree in self.trees for node in tree)

    @property
    def derives(self) -> bool:
        """Whether features differ from the inputs, codes of levels apart."""
        return any(feature.what != "itself" for feature in self.features)
