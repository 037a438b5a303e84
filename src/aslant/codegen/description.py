"""A fitted model as plain data, from which code in every language and ONNX are written.

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
#: From the sums of SUM to predictions: none, softmax over the outputs, or the exponential.
Link = Literal["identity", "softmax", "exp"]
What = Literal["itself", "missing", "encoded", "year", "month", "day", "weekday", "hour"]


@dataclass(frozen=True)
class Input:
    """A column of the table that a model reads.

    Attributes
    ----------
    name : str
        Its name.
    kind : {"number", "boolean", "duration", "date", "levels"}
        Booleans are 0 and 1, durations are days, dates are days since 1970-01-01. Levels are codes:
        indices into `levels`.
    levels : tuple
        The levels that have a code of their own.
    unknown : int or None
        The code of any other level; None if it counts as missing.
    is_text : bool
        Whether some level is text.
    date_order : str or None
        Of dates in texts: which of the numbers comes first.
    """

    name: str
    kind: Literal["number", "boolean", "duration", "date", "levels"] = "number"
    levels: tuple[Label, ...] = ()
    unknown: int | None = None
    is_text: bool = False
    date_order: str | None = None


@dataclass(frozen=True)
class Feature:
    """A feature that trees read: an input, or something derived from it.

    Attributes
    ----------
    name : str
        Its name.
    source : int
        The input.
    what : str
        The input ``"itself"``; 1 if it is ``"missing"``, else 0; a part of a date; or the target
        encoding of its level, ``"encoded"``.
    levels : tuple or None
        Of a category that is read by its levels: names for all codes, unknown levels included.
    table : tuple of float
        The target encoding of each code; the last one is that of unknown levels.
    """

    name: str
    source: int
    what: What = "itself"
    levels: tuple[Label, ...] | None = None
    table: tuple[float, ...] = ()


@dataclass(frozen=True)
class Term:
    """``coef * value``: the value of a feature, or 1 if it has the level, else 0.

    ``fill`` replaces a missing value or an unknown level. ``column`` is the index of the encoded
    column; it decides the order of summation.
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
        """Return the terms of each partial sum; the total is ``(0 + 2) + (1 + 3)``."""
        return tuple(
            tuple(term for term in self.terms if term.column % LANES == lane)
            for lane in range(LANES)
        )


@dataclass(frozen=True)
class Slope:
    """A function of a linear leaf: ``value + sum of coef * (x - fill)``, clipped to two bounds."""

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
        Class probabilities, or predicted values.
    winner : int
        The class that a leaf predicts or votes for.
    rows : int
        Training rows.
    slopes : tuple of Slope
        One for each output if leaves are linear; else none. Of classes, they are logits: the
        probabilities are their softmax, and the first most probable class is predicted.
    interval : tuple of float or None
        What is added to the prediction to get the bounds of its interval.
    steepness : float
        Of a gate: a row goes to child 1 with the probability
        ``1 / (1 + exp(-steepness * (sum - offset)))``.
    """

    functions: tuple[Linear, ...]
    children: tuple[int, ...]
    output: tuple[float, ...]
    winner: int
    rows: int
    slopes: tuple[Slope, ...] = ()
    steepness: float = 0.0
    interval: tuple[float, float] | None = None

    @property
    def is_leaf(self) -> bool:
        """Whether the node has no test."""
        return not self.functions


class Combination(Enum):
    """How the outputs of leaves become one prediction.

    ``SINGLE``: one tree; its leaf decides. ``SUM``: the weighted sum of the leaves' outputs,
    divided by `Description.divisor`. ``VOTES``: every leaf votes for its winner; probabilities are
    the fractions of the votes; ties go to the class with the highest sum of probabilities: the
    first largest ``votes + sum / (2 * trees + 2)`` wins. ``SOFT``: one tree whose tests are gates;
    the outputs of all leaves, weighted by the probability of reaching them.

    `Description.link` turns sums into predictions. With SUM and SOFT the first most probable class
    wins. If `Description.exponent` is not None,
    `Description.prior` is added to the probabilities, which are then raised to the exponent and
    normalized.
    """

    SINGLE = "single"
    SUM = "sum"
    VOTES = "votes"
    SOFT = "soft"


@dataclass(frozen=True)
class Description:
    """A fitted model; without classes it is a regressor."""

    estimator: str
    inputs: tuple[Input, ...]
    features: tuple[Feature, ...]  # first one for each input, then the derived ones
    classes: tuple[Label, ...]
    n_outputs: int  # classes, or regression outputs
    trees: tuple[tuple[Node, ...], ...]  # nodes in preorder
    combination: Combination = Combination.SINGLE
    weights: tuple[float, ...] = (1.0,)
    divisor: float = 1.0
    exponent: float | None = None
    prior: float = 0.0
    link: Link = "identity"
    coverage: float | None = None  # of the intervals of leaves, if there are any
    is_boosted: bool = False  # each tree adds to one output; the last one is a leaf of baselines

    @property
    def is_linear(self) -> bool:
        """Whether leaves are linear functions."""
        return any(node.slopes for tree in self.trees for node in tree)

    @property
    def is_logit(self) -> bool:
        """Whether leaves are linear functions whose softmax is the probabilities."""
        return bool(self.classes) and self.is_linear

    @property
    def has_winners(self) -> bool:
        """Whether the class that a leaf predicts or votes for decides."""
        decides = self.combination in (Combination.SINGLE, Combination.VOTES)
        return bool(self.classes) and decides and not self.is_logit

    @property
    def derives(self) -> bool:
        """Whether features differ from the inputs, apart from codes of levels."""
        return any(feature.what != "itself" for feature in self.features)

    @property
    def intervals(self) -> list[tuple[float, float]]:
        """The intervals of the leaves, none if the model has no intervals."""
        return [leaf.interval for leaf in self.leaves()[0] if leaf.interval is not None]

    def missing_child(self, node: Node) -> int | None:
        """Return the child of a row whose only feature that a test reads is missing.

        None if the test reads several features, or a missing indicator, which is never missing.
        """
        features = {term.feature for one in node.functions for term in one.terms}
        if len(features) != 1 or self.features[features.pop()].what == "missing":
            return None
        sums = [sum(term.coef * term.fill for term in one.terms) for one in node.functions]
        if len(sums) == 1:
            return int(sums[0] > node.functions[0].offset)
        values = [total + one.offset for total, one in zip(sums, node.functions, strict=True)]
        return values.index(max(values))

    def leaves(self) -> list[list[Node]]:
        """Return the leaves of each tree, in preorder."""
        return [[node for node in tree if node.is_leaf] for tree in self.trees]

    def check_integers(self, limit: int, language: str, *, classes: bool = True) -> None:
        """Validate that integers among levels, and classes, are exact in a language."""
        labels = [level for given in self.inputs for level in given.levels]
        for label in (*labels, *(self.classes if classes else ())):
            if isinstance(label, int) and not -limit <= label < limit:
                raise ValueError(
                    f"{language} needs integer labels and levels from -2**{limit.bit_length() - 1} "
                    f"to 2**{limit.bit_length() - 1} - 1, got {label}."
                )
