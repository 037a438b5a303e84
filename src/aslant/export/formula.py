"""The test of a node as a formula that a person can read.

============================  =============================================
a number                      ``petal_length <= 2.45``
several numbers               ``0.8*age - 1.2*bmi <= 3.1``
an ordered category           ``grade <= good``
a date                        ``admitted <= 2021-05-03``
a missing value               ``age is missing``, ``age is not missing``
a category                    ``colour in {red, blue}``
numbers and a category        ``0.8*age + 0.7*[colour=red] <= 3.1``
a branch per level            ``colour = red``, ``colour = blue``, ...
a linear machine              one formula per branch; the largest value wins
============================  =============================================

Coefficients are in the units of the input. A formula is a list of pieces, between which a line may
be broken.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from aslant.encoding.dates import date_of
from aslant.encoding.derived import MISSING
from aslant.export.fitted import Names
from aslant.search.base import HyperplaneSplit, LinearMachineSplit
from aslant.tree import Tree

Pieces = tuple[str, ...]
Array = npt.NDArray[Any]


@dataclass(frozen=True)
class NodeTest:
    """A test in words.

    Attributes
    ----------
    question : tuple of str
        What is asked, in pieces.
    answers : tuple of str
        What leads to each child: yes and no, a level, or the number of a branch.
    values : tuple of tuple of str
        Of a linear machine: the formula of each branch; else empty.
    """

    question: Pieces
    answers: Pieces
    values: tuple[Pieces, ...] = ()

    def lines(self, width: int) -> list[str]:
        """Return the question, and the formulas of a linear machine, in lines of this width."""
        lines = wrapped(self.question, width)
        for k, value in enumerate(self.values):
            lines += wrapped([f"{self.answers[k]}:", *value], width)
        return lines


class NodeTestReader:
    """Puts the tests of a tree into words.

    Parameters
    ----------
    tree : Tree
        The tree.
    names : Names
        Names of features and levels.
    precision : int
        Significant digits.
    drop : float
        Terms with a coefficient below this share of the largest in the test are left out, and the
        formula then ends in ``+ ...``.
    """

    def __init__(self, tree: Tree, names: Names, precision: int, drop: float) -> None:
        self.tree = tree
        self.names = names
        self.precision = precision
        self.drop = drop

    def read(self, node: int) -> NodeTest | None:
        """Return the test of a node, None for a leaf."""
        split = self.tree.split(node)
        if split is None:
            return None
        if isinstance(split, HyperplaneSplit):
            question = self._subset_question(split) or self._inequality(split)
            return NodeTest(question, ("yes", "no"))
        return self._level_test(split) or self._machine_test(split)

    # ------------------------------------------------------------------ one category

    def _only_category(self, weights: Array) -> int | None:
        """Return the feature if the coefficients (one row per vector) read one category only."""
        columns = np.flatnonzero(np.any(weights != 0.0, axis=0))
        features = np.unique(self.tree.column_feature[columns])
        if len(features) != 1 or self.tree.column_level[columns[0]] < 0:
            return None
        return int(features[0])

    def _level_coefs(self, weights: Array, feature: int) -> Array:
        """Coefficients by level, one row per level; a level without a column has zeros."""
        coefs = np.zeros((len(self.names.levels[feature]), len(weights)))
        columns = np.flatnonzero(self.tree.column_feature == feature)
        coefs[self.tree.column_level[columns]] = weights[:, columns].T
        return coefs

    def _subset_question(self, split: HyperplaneSplit) -> Pieces | None:
        """``colour in {red, blue}``: a test of one category is exactly a set of its levels."""
        feature = self._only_category(split.coef[np.newaxis])
        if feature is None:
            return None
        coefs = self._level_coefs(split.coef[np.newaxis], feature)[:, 0]
        inside = coefs <= split.threshold
        if inside.all() or not inside.any():
            return None  # says nothing about levels, only about missing values
        # Named are the levels with coefficients; if all have one, the side with fewer levels.
        silent = coefs == 0.0
        excludes = inside[silent].any() if silent.any() else 2 * inside.sum() > len(inside)
        named = np.flatnonzero(~inside if excludes else inside)
        relation = "not in" if excludes else "in"
        return (f"{self.names.features[feature]} {relation}", *self._set(feature, named))

    def _level_test(self, split: LinearMachineSplit) -> NodeTest | None:
        """One branch per level, as in C4.5; in general each branch has a set of levels."""
        feature = self._only_category(split.weights)
        if feature is None:
            return None
        coefs = self._level_coefs(split.weights, feature)
        branch = np.argmax(coefs + split.bias, axis=1)
        unnamed = ~np.any(coefs != 0.0, axis=1)
        answers = []
        for k in range(len(split.bias)):
            named = np.flatnonzero((branch == k) & ~unnamed)
            if len(named) == 0:
                return None  # a branch that no level leads to
            answer = f"= {self._level(feature, named[0])}"
            if len(named) > 1:
                answer = "in " + " ".join(self._set(feature, named))
            answers.append(answer + (", any other" if (unnamed & (branch == k)).any() else ""))
        return NodeTest((self.names.features[feature],), tuple(answers))

    def _level(self, feature: int, code: int) -> str:
        return self.names.levels[feature][code]

    def _set(self, feature: int, codes: Array) -> Pieces:
        texts = [self._level(feature, code) for code in codes]
        texts[0] = "{" + texts[0]
        return (*(f"{text}," for text in texts[:-1]), texts[-1] + "}")

    # ------------------------------------------------------------------ linear formulas

    def _inequality(self, split: HyperplaneSplit) -> Pieces:
        columns = np.flatnonzero(split.coef)
        if len(columns) == 1 and self.tree.column_level[columns[0]] < 0:
            coef = float(split.coef[columns[0]])
            return self._one_number(int(columns[0]), split.threshold / coef, below=coef > 0.0)
        terms = self._terms(split.coef, float(np.max(np.abs(split.coef), initial=0.0)))
        return (*(terms or ("0",)), f"<= {number(split.threshold, self.precision)}")

    def _one_number(self, column: int, threshold: float, *, below: bool) -> Pieces:
        """Test of one number, which may be a place in an order, a date, or a flag."""
        feature = int(self.tree.column_feature[column])
        name = self.names.features[feature]
        if feature in self.names.flags and name.endswith(MISSING) and 0.0 < threshold < 1.0:
            return (f"{name.removesuffix(MISSING)}is not missing",) if below else (name,)
        sign = "<=" if below else ">="
        nearest = math.floor(threshold) if below else math.ceil(threshold)
        levels = self.names.ordered.get(feature, [])
        if 0 <= nearest < len(levels):
            return (name, f"{sign} {levels[nearest]}")
        if feature in self.names.dates:
            halves = 2.0 * threshold == round(2.0 * threshold)  # between whole days, or at one
            shown = float(nearest) if halves else threshold
            return (name, f"{sign} {date_of(shown, with_time=not halves)}")
        return (name, f"{sign} {number(threshold, self.precision)}")

    def _machine_test(self, split: LinearMachineSplit) -> NodeTest:
        largest = float(np.max(np.abs(split.weights), initial=0.0))
        values = []
        for weights, bias in zip(split.weights, split.bias, strict=True):
            terms = self._terms(weights, largest)
            if bias != 0.0 or not terms:
                terms = (*terms, self._signed(float(bias), "", first=not terms))
            values.append(terms)
        answers = tuple(f"branch {k}" for k in range(len(values)))
        return NodeTest(("branch of the largest value",), answers, tuple(values))

    def _terms(self, coefs: Array, largest: float) -> Pieces:
        """``0.8*age``, ``- 1.2*bmi``, ... and ``+ ...`` if small terms were left out."""
        nonzero = np.flatnonzero(coefs)
        kept = [int(j) for j in nonzero if abs(coefs[j]) >= self.drop * largest]
        terms: list[str] = []
        for j in kept:
            terms.append(self._signed(float(coefs[j]), self._column(j), first=not terms))
        if len(kept) < len(nonzero):
            terms.append("+ ..." if terms else "...")
        return tuple(terms)

    def _signed(self, coef: float, name: str, *, first: bool) -> str:
        size = number(abs(coef), self.precision)
        if name:
            size = name if size == "1" else f"{size}*{name}"
        if first:
            return f"-{size}" if coef < 0.0 else size
        return f"- {size}" if coef < 0.0 else f"+ {size}"

    def _column(self, column: int) -> str:
        feature = int(self.tree.column_feature[column])
        level = int(self.tree.column_level[column])
        name = self.names.features[feature]
        if feature in self.names.flags:
            return f"[{name}]"
        return name if level < 0 else f"[{name}={self._level(feature, level)}]"


def number(value: float, precision: int) -> str:
    """Return a number with so many significant digits.

    Below a million, digits before the point are never rounded away, nor is the half of a threshold
    between two whole numbers: ``year <= 1987.5`` must not become ``year <= 1.99e+03``.
    """
    if value == 0.0:
        return "0"
    if abs(value) < 1e6:
        if 2.0 * value == round(2.0 * value):
            return f"{value:.7g}"
        precision = max(precision, len(str(int(abs(value)))))
    return f"{value:.{precision}g}"


def count(weight: float, precision: int) -> str:
    """Return a number of rows, or a weight: whole numbers in full."""
    if weight == round(weight) and weight < 1e15:
        return f"{weight:.0f}"
    return number(weight, precision)


def wrapped(pieces: Sequence[str], width: int) -> list[str]:
    """Return the pieces in lines of at most so many characters, unless one piece is longer."""
    lines: list[str] = []
    for piece in pieces:
        if lines and len(lines[-1]) + 1 + len(piece) <= width:
            lines[-1] += f" {piece}"
        else:
            lines.append(piece)
    return lines
