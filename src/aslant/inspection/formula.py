"""The test of a node as a formula.

============================  =============================================
a number                      ``petal_length <= 2.45``
several numbers               ``1.2*bmi - 0.8*age <= 3.1``
an ordered category           ``grade <= good``
a date                        ``admitted <= 2021-05-03``
a missing value               ``age is missing``, ``age is not missing``
missing values in training    ``age <= 38 (missing: no)``: the answer if it is missing
a category                    ``color in {red, blue}``
numbers and a category        ``0.8*age + 0.7*[color=red] <= 3.1``
numbers and two levels        ``0.8*age + 16*[insured=yes] <= 3.1``: the first is the reference
a branch per level            ``color = red``, ``color = blue``, ...
a linear machine              one formula per branch; the largest value wins
============================  =============================================

Coefficients are in the units of the input. A formula is a list of pieces; a line may be broken
between two of them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from aslant.encoding.dates import date_of
from aslant.encoding.derived import MISSING
from aslant.inspection.missing import MissingValues, features_of, missing_child
from aslant.inspection.names import Names
from aslant.inspection.rounding import fewest_digits, number
from aslant.inspection.rows import KnownRows
from aslant.tree.linear_function import linear_leaves_of
from aslant.tree.split import HyperplaneSplit, LinearMachineSplit
from aslant.tree.tree import Tree
from aslant.utils.checks import check_number

Pieces = tuple[str, ...]
Array = npt.NDArray[Any]

_DIGITS = 3  # without known rows
_NOTE = len(" (missing: the mean)")


@dataclass(frozen=True)
class NodeTest:
    """A test in words.

    Attributes
    ----------
    question : tuple of str
        The test, in pieces.
    answers : tuple of str
        The answer that leads to each child: yes and no, a level, or the number of a branch.
    values : tuple of tuple of str
        Of a linear machine: the formula of each branch; else empty.
    contributions : tuple of float
        Of a sum of several terms: for each piece of the question that is a term, its contribution
        relative to the largest, with the sign of its coefficient; else empty.
    missing : str
        The answer if the feature of the test is missing, or ``the mean`` if the test reads several:
        the mean of the node replaces a missing one. Empty if no value was missing in training.
    """

    question: Pieces
    answers: Pieces
    values: tuple[Pieces, ...] = ()
    contributions: tuple[float, ...] = ()
    missing: str = ""

    @property
    def pieces(self) -> Pieces:
        """The question, and what happens to missing values: ``(missing: no)``."""
        return (*self.question, f"(missing: {self.missing})") if self.missing else self.question

    def lines(self, width: int) -> list[str]:
        """Return the question, and the formulas of a linear machine, in lines of this width."""
        lines = wrapped(self.pieces, width)
        for k, value in enumerate(self.values):
            lines += wrapped([f"{self.answers[k]}:", *value], width)
        return lines


@dataclass(frozen=True)
class Style:
    """How much of a tree is shown, and in which words.

    Attributes
    ----------
    digits : int or None
        Significant digits. None: as few as keep every known row on its side of a test, at least
        two; three without known rows.
    drop : float
        Terms that contribute less than this fraction of the largest one in the test are left out.
    max_terms : int or None
        The largest number of terms; smaller ones are counted instead: ``+ 24 smaller``.
    max_depth : int or None
        Nodes below this depth are not shown.
    class_names, feature_names : sequence of str, optional
        Names that replace the estimator's own.
    """

    digits: int | None = None
    drop: float = 0.0
    max_terms: int | None = None
    max_depth: int | None = None
    class_names: Sequence[Any] | None = None
    feature_names: Sequence[Any] | None = None

    def __post_init__(self) -> None:
        if self.digits is not None:
            check_number("digits", self.digits, 1, 17, integer=True)
        check_number("drop", self.drop, 0.0, 1.0)
        if self.max_terms is not None:
            check_number("max_terms", self.max_terms, 1, integer=True)
        if self.max_depth is not None:
            check_number("max_depth", self.max_depth, 0, integer=True)


class NodeTestReader:
    """Puts the tests of a tree into words.

    Terms are sorted by their contribution, coefficient times standard deviation. The sign of a test
    is chosen so that its largest term is positive.

    Parameters
    ----------
    tree : Tree
        The tree.
    names : Names
        Names of features and levels.
    style : Style
        How formulas are written.
    spread : ndarray of shape (n_columns,) or None
        Standard deviations of the encoded columns; None compares the coefficients as they are.
    rows : KnownRows or None
        Rows that must stay on their side when numbers are rounded. Their standard deviations at a
        node replace `spread` there.
    """

    def __init__(
        self,
        tree: Tree,
        names: Names,
        style: Style,
        spread: Array | None = None,
        rows: KnownRows | None = None,
    ) -> None:
        self.tree = tree
        self.names = names
        self.style = style
        known = np.ones(tree.n_columns) if spread is None else np.asarray(spread, dtype=np.float64)
        self.spread = np.nan_to_num(known, nan=1.0, posinf=np.finfo(np.float64).max)
        self.rows = rows
        self._pairs = _pairs_of_levels(tree, names)
        self.missing = MissingValues(tree, names)
        self._digits: dict[int, int] = {}
        self._spreads: dict[int, Array] = {}

    def split(self, node: int) -> HyperplaneSplit | LinearMachineSplit | None:
        """Return the test of a node as it is shown: of two levels the first is the reference."""
        split = self.tree.split(node)
        if split is None or not len(self._pairs):
            return split
        if isinstance(split, HyperplaneSplit):
            coef, constant = self._referred(split.coef[np.newaxis], split.fill)
            return replace(split, coef=coef[0], threshold=split.threshold - float(constant[0]))
        weights, constants = self._referred(split.weights, split.fill)
        return replace(split, weights=weights, bias=split.bias + constants)

    def _referred(self, coefs: Array, fill: Array | None) -> tuple[Array, Array]:
        """Return coefficients (one row per vector) without reference levels, and constants.

        ``a*[x=no] + b*[x=yes]`` is ``a + (b - a)*[x=yes]`` for every row, also for one without a
        known level if the fills sum to 1. A test of the category alone keeps both.
        """
        coefs, constant = coefs.copy(), np.zeros(len(coefs))
        for first, second in self._pairs:
            both = np.any(coefs[:, first] != 0.0) and np.any(coefs[:, second] != 0.0)
            known = fill is None or abs(fill[first] + fill[second] - 1.0) < 1e-9
            alone = np.count_nonzero(np.any(coefs != 0.0, axis=0)) == 2
            if both and known and not alone:
                constant += coefs[:, first]
                coefs[:, second] -= coefs[:, first]
                coefs[:, first] = 0.0
        return coefs, constant

    def read(self, node: int, width: int | None = None) -> NodeTest | None:
        """Return the test of a node, None for a leaf.

        A width, in characters, leaves out more of the smaller terms until a formula fits.
        """
        split = self.split(node)
        if split is None:
            return None
        gaps = self.missing.gaps(node, split)
        room = width if width is None or not gaps else width - _NOTE
        test = self._read(node, split, room)
        if not gaps or test.question[-1].endswith("missing"):
            return test
        is_one = len(features_of(self.tree, split)) == 1
        return replace(test, missing=test.answers[missing_child(split)] if is_one else "the mean")

    def _read(
        self, node: int, split: HyperplaneSplit | LinearMachineSplit, width: int | None
    ) -> NodeTest:
        if isinstance(split, HyperplaneSplit):
            special = self._subset_question(split) or self.missing.question(node, split)
            if special:
                return NodeTest(special, ("yes", "no"))
            question = self._inequality(split, node, width)
            shown = self._shown(split.coef, node, len(question)) if len(question) > 2 else ()
            return NodeTest(question, ("yes", "no"), contributions=shown)
        return self._level_test(split) or self._machine_test(split, node, width)

    def _contributions(self, coefs: Array, node: int) -> Array:
        """Return the contribution of each column to a sum: |coefficient| times deviation."""
        with np.errstate(over="ignore"):
            return np.asarray(np.nan_to_num(np.abs(coefs) * self._spread_at(node)))

    def _spread_at(self, node: int) -> Array:
        """Return the deviations among the known rows at a node, else those of the training set."""
        if self.rows is None or len(self.rows.at[node]) < 2:
            return self.spread
        if node not in self._spreads:
            split = self.tree.split(node)
            # A leaf with a formula is linear, and missing values count as its center.
            linear = linear_leaves_of(self.tree)
            fill: Any = linear.leaf_center[node] if split is None and linear else split.fill  # type: ignore[union-attr]
            with np.errstate(over="ignore", invalid="ignore"):
                values = self.rows.values(node, np.arange(self.tree.n_columns), fill)
                self._spreads[node] = np.nan_to_num(values.std(axis=0))
        return self._spreads[node]

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
        """``color in {red, blue}``: a test of one category is exactly a set of its levels."""
        feature = self._only_category(split.coef[np.newaxis])
        if feature is None:
            return None
        coefs = self._level_coefs(split.coef[np.newaxis], feature)[:, 0]
        inside = coefs <= split.threshold
        if inside.all() or not inside.any():
            return None  # a test of missing values, not of levels
        # Name the levels that have coefficients; if all have one, the side with fewer levels.
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

    def _inequality(self, split: HyperplaneSplit, node: int, width: int | None) -> Pieces:
        columns = np.flatnonzero(split.coef)
        if len(columns) == 1 and self.tree.column_level[columns[0]] < 0:
            coef = float(split.coef[columns[0]])
            digits = self._digits_for(node, split)
            return self._one_number(
                int(columns[0]), split.threshold / coef, digits, below=coef > 0.0
            )
        turned = self._turned(split.coef, node)
        threshold = number(turned * split.threshold, self._digits_for(node, split))
        end = f"{'<=' if turned > 0 else '>='} {threshold}"
        limit = None if width is None else width - len(end) - 1
        return (*(self._terms(turned * split.coef, node, split, limit) or ("0",)), end)

    def _one_number(self, column: int, threshold: float, digits: int, *, below: bool) -> Pieces:
        """Return the test of one number, an ordered level, a date or a missing-value indicator."""
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
        return (name, f"{sign} {number(threshold, digits)}")

    def _by_size(self, coefs: Array, node: int) -> Array:
        """Return the columns with coefficients, the largest contribution first."""
        nonzero = np.flatnonzero(coefs)
        return nonzero[np.argsort(-self._contributions(coefs, node)[nonzero], kind="stable")]

    def _shown(self, coefs: Array, node: int, n_pieces: int) -> tuple[float, ...]:
        """Return the relative contributions of the terms shown; the last piece may be a count."""
        sizes, order = self._contributions(coefs, node), self._by_size(coefs, node)
        n_terms = n_pieces - 1 if n_pieces - 1 == len(order) else n_pieces - 2
        signed = self._turned(coefs, node) * np.sign(coefs) * sizes / (sizes.max() or 1.0)
        return tuple(signed[order[:n_terms]].tolist())

    def scale(self, split: HyperplaneSplit, node: int) -> float:
        """Return the factor between the numbers of a hyperplane and those of its formula."""
        columns = np.flatnonzero(split.coef)
        if len(columns) == 1 and self.tree.column_level[columns[0]] < 0:
            return 1.0 / float(split.coef[columns[0]])
        return 1.0 if self._subset_question(split) else float(self._turned(split.coef, node))

    def _turned(self, coefs: Array, node: int) -> int:
        """Return -1 if the largest term is negative, else 1."""
        sizes = self._contributions(coefs, node)
        return -1 if sizes.max(initial=0.0) > 0.0 and coefs[sizes.argmax()] < 0.0 else 1

    def _machine_test(self, split: LinearMachineSplit, node: int, width: int | None) -> NodeTest:
        values = []
        for weights, bias in zip(split.weights, split.bias, strict=True):
            end: Pieces = ()
            if bias != 0.0 or not np.any(weights):
                first = not np.any(weights)
                end = (self._signed(float(bias), "", self._digits_for(node, split), first=first),)
            limit = None if width is None else width - len(" ".join(end)) - 1
            values.append((*self._terms(weights, node, split, limit), *end))
        answers = tuple(f"branch {k}" for k in range(len(values)))
        return NodeTest(("branch of the largest value",), answers, tuple(values))

    def linear(
        self, coefs: Array, constant: float, node: int, digits: int, width: int | None = None
    ) -> Pieces:
        """Return a linear function at a node: ``3.1``, ``+ 0.8*age``, ``- 1.2*bmi``."""
        referred, constants = self._referred(coefs[np.newaxis], None)
        coefs, constant = referred[0], constant + float(constants[0])
        largest = float(self._contributions(coefs, node).max(initial=0.0))
        start = self._signed(constant, "", digits, first=True)
        limit = None if width is None else width - len(start) - 3
        terms = self._listed(coefs, node, digits, largest, limit)
        if constant == 0.0 and terms:
            return terms
        first = [f"- {text[1:]}" if text.startswith("-") else f"+ {text}" for text in terms[:1]]
        return (start, *first, *terms[1:])

    def _terms(
        self,
        coefs: Array,
        node: int,
        split: HyperplaneSplit | LinearMachineSplit,
        width: int | None,
    ) -> Pieces:
        """Return the terms of one function of a test."""
        weights = split.coef if isinstance(split, HyperplaneSplit) else split.weights
        largest = float(self._contributions(weights, node).max(initial=0.0))
        return self._listed(coefs, node, self._digits_for(node, split), largest, width)

    def _listed(
        self, coefs: Array, node: int, digits: int, largest: float, width: int | None = None
    ) -> Pieces:
        """Return ``1.2*bmi``, ``- 0.8*age``, ... and ``+ 24 smaller`` if small terms are left out.

        `largest` is the contribution that others are compared with.
        """
        sizes, order = self._contributions(coefs, node), self._by_size(coefs, node)
        kept = [int(j) for j in order if sizes[j] >= self.style.drop * largest]
        terms: list[str] = []
        for j in kept[: self.style.max_terms]:
            terms.append(self._signed(float(coefs[j]), self.column(j), digits, first=not terms))
        while True:
            left_out = len(order) - len(terms)
            rest = [f"{'+ ' if terms else ''}{left_out} smaller"] if left_out else []
            shown = (*terms, *rest)
            if width is None or len(terms) <= 1 or len(" ".join(shown)) <= width:
                return shown
            terms.pop()

    # ------------------------------------------------------------------ rounding

    def _digits_for(self, node: int, split: HyperplaneSplit | LinearMachineSplit) -> int:
        """Return the significant digits of the numbers in a test."""
        if self.style.digits is not None:
            return self.style.digits
        if self.rows is None:
            return _DIGITS
        if node not in self._digits:
            self._digits[node] = fewest_digits(self.rows, node, split)
        return self._digits[node]

    def _signed(self, coef: float, name: str, digits: int, *, first: bool) -> str:
        size = number(abs(coef), digits)
        if name:
            size = name if size == "1" else f"{size}*{name}"
        if first:
            return f"-{size}" if coef < 0.0 else size
        return f"- {size}" if coef < 0.0 else f"+ {size}"

    def column(self, column: int) -> str:
        """Return the name of an encoded column: ``age``, or ``[color=red]``."""
        feature = int(self.tree.column_feature[column])
        level = int(self.tree.column_level[column])
        name = self.names.features[feature]
        if feature in self.names.flags:
            return f"[{name}]"
        return name if level < 0 else f"[{name}={self._level(feature, level)}]"


def _pairs_of_levels(tree: Tree, names: Names) -> Array:
    """Return the columns of each category that has exactly two levels."""
    two = [feature for feature, levels in names.levels.items() if len(levels) == 2]
    pairs = [np.flatnonzero(tree.column_feature == feature) for feature in two]
    return np.array([pair for pair in pairs if len(pair) == 2], dtype=np.intp).reshape(-1, 2)


def wrapped(pieces: Sequence[str], width: int) -> list[str]:
    """Return the pieces in lines of at most so many characters, unless one piece is longer."""
    lines: list[str] = []
    for piece in pieces:
        if lines and len(lines[-1]) + 1 + len(piece) <= width:
            lines[-1] += f" {piece}"
        else:
            lines.append(piece)
    return lines
