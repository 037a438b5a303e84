"""The smallest change of a row that takes it to one leaf: a mixed-integer linear program.

The variables are the increase and the decrease of every number, and for every category which level
it gets. The costs are the changes of numbers in standard deviations, one for each step of an
ordered category, and one for another level. The tests on the way to the leaf are linear in these
variables, so SciPy's solver finds the optimum.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import Bounds, LinearConstraint, milp

from aslant.codegen.description import Description, Linear, Node, Slope, Term

Array = npt.NDArray[np.float64]

# Beyond a bound that a sum must exceed, relative to the sizes of its terms: rounding is smaller.
_CLEAR = 1e-9


@dataclass(frozen=True)
class Freedom:
    """What may become of an input.

    Attributes
    ----------
    low, high : float
        Bounds of the new value.
    unit : float
        The change that costs 1.
    codes : tuple of int
        Of a category, which has no order: the codes that it may get; any change costs 1.
    is_whole : bool
        Whether the new value is an integer.
    """

    low: float
    high: float
    unit: float = 1.0
    codes: tuple[int, ...] = ()
    is_whole: bool = False


@dataclass
class _Columns:
    """The variables of the program, with costs and bounds."""

    cost: list[float] = field(default_factory=list)
    low: list[float] = field(default_factory=list)
    high: list[float] = field(default_factory=list)
    is_whole: list[int] = field(default_factory=list)

    def add(self, cost: float, low: float, high: float, is_whole: bool) -> int:
        self.cost.append(cost)
        self.low.append(low)
        self.high.append(high)
        self.is_whole.append(int(is_whole))
        return len(self.cost) - 1


class ChangeProblem:
    """The changes that are allowed to one row.

    Parameters
    ----------
    description : Description
        The model, a single tree.
    values : sequence of float
        The row: a value or a code for each input, NaN if it is missing.
    encoded : ndarray of shape (n_features,)
        The row as the tree reads it.
    freedoms : dict
        The inputs that may change, none of them missing.
    """

    def __init__(
        self,
        description: Description,
        values: Sequence[float],
        encoded: Array,
        freedoms: dict[int, Freedom],
    ) -> None:
        self.description = description
        self.values = list(values)
        self.encoded = encoded
        self.freedoms = freedoms
        self.columns = _Columns()
        self.up: dict[int, int] = {}  # variables of numbers
        self.down: dict[int, int] = {}
        self.level: dict[int, dict[int, int]] = {}  # variables of levels, by code
        rows = [self._add_input(j, freedom) for j, freedom in freedoms.items()]
        self.fixed = [(self._dense(row), low, high) for row, low, high in rows]

    def _add_input(self, j: int, freedom: Freedom) -> tuple[dict[int, float], float, float]:
        """Add the variables of an input; return the constraint on them."""
        value = self.values[j]
        if freedom.codes:
            self.level[j] = {
                code: self.columns.add(float(code != value), 0.0, 1.0, True)
                for code in freedom.codes
            }
            return dict.fromkeys(self.level[j].values(), 1.0), 1.0, 1.0
        cost = 1.0 / freedom.unit
        self.up[j] = self.columns.add(cost, 0.0, max(0.0, freedom.high - value), freedom.is_whole)
        self.down[j] = self.columns.add(cost, 0.0, max(0.0, value - freedom.low), freedom.is_whole)
        return {self.up[j]: 1.0, self.down[j]: -1.0}, freedom.low - value, freedom.high - value

    def _dense(self, row: dict[int, float]) -> Array:
        made = np.zeros(len(self.columns.cost))
        for column, coef in row.items():
            made[column] += coef
        return made

    # ------------------------------------------------------------------ sums of terms

    def _sum(self, terms: Sequence[Term]) -> tuple[Array, float, float]:
        """Return coefficients of the variables and the constant of a sum, and the sum's size."""
        row: dict[int, float] = {}
        constant = size = 0.0
        for term in terms:
            feature = self.description.features[term.feature]
            source = feature.source
            is_free = source in self.freedoms and feature.what in ("itself", "encoded")
            if is_free and source in self.level:
                for code, column in self.level[source].items():
                    own = _of_code(term, feature.table, code)
                    row[column] = row.get(column, 0.0) + term.coef * own
                size += abs(term.coef)
                continue
            own = _value(term, float(self.encoded[term.feature]))
            constant += term.coef * own
            size += abs(term.coef * own)
            if is_free:
                row[self.up[source]] = row.get(self.up[source], 0.0) + term.coef
                row[self.down[source]] = row.get(self.down[source], 0.0) - term.coef
        return self._dense(row), constant, size

    def _between(self, linear: Linear | Slope, low: float, high: float) -> LinearConstraint:
        """Return the constraint that a sum lies between two bounds, clear of rounding errors."""
        row, constant, size = self._sum(linear.terms)
        if isinstance(linear, Slope):
            constant += linear.value - sum(term.coef * term.fill for term in linear.terms)
        known = [abs(bound) for bound in (low, high) if np.isfinite(bound)]
        clear = _CLEAR * max(size, *known, 1e-300)
        return LinearConstraint(row[np.newaxis], low - constant + clear, high - constant - clear)

    # ------------------------------------------------------------------ leaves

    def constraints(self, leaf: int, margin: float) -> list[LinearConstraint]:
        """Return what takes a row to a leaf; gates by a margin in units of their scores."""
        found = []
        for node, child in _way(self.description.trees[0], leaf):
            if len(node.functions) == 1:
                test = node.functions[0]
                beyond = margin / node.steepness if node.steepness > 0.0 else 0.0
                low, high = (
                    (-np.inf, test.offset - beyond)
                    if child == 0
                    else (test.offset + beyond, np.inf)
                )
                found.append(self._between(test, low, high))
                continue
            chosen = node.functions[child]
            for k, other in enumerate(node.functions):
                if k != child:
                    found.append(self._above(chosen, other))
        return found

    def _above(self, chosen: Linear, other: Linear) -> LinearConstraint:
        """Return that one branch of a linear machine beats another."""
        (a, constant_a, size_a), (b, constant_b, size_b) = map(
            self._sum, (chosen.terms, other.terms)
        )
        least = other.offset + constant_b - chosen.offset - constant_a
        clear = _CLEAR * max(size_a, size_b, abs(least), 1e-300)
        return LinearConstraint((a - b)[np.newaxis], least + clear, np.inf)

    def output_between(self, leaf: int, output: int, low: float, high: float) -> LinearConstraint:
        """Return that an output of a linear leaf lies between two bounds."""
        return self._between(self.description.trees[0][leaf].slopes[output], low, high)

    def logit_above(self, leaf: int, output: int, other: int) -> LinearConstraint:
        """Return that one logit of a leaf is above another."""
        slopes = self.description.trees[0][leaf].slopes
        one, two = (
            Linear(s.terms, s.value - sum(t.coef * t.fill for t in s.terms))
            for s in (slopes[output], slopes[other])
        )
        return self._above(one, two)

    def solve(self, constraints: Sequence[LinearConstraint]) -> tuple[list[float], float] | None:
        """Return the row that is changed least and the cost; None if there is none."""
        columns = self.columns
        if not columns.cost:
            return None
        own = [LinearConstraint(row[np.newaxis], low, high) for row, low, high in self.fixed]
        found = milp(
            np.array(columns.cost),
            constraints=[*own, *constraints],
            bounds=Bounds(np.array(columns.low), np.array(columns.high)),
            integrality=np.array(columns.is_whole),
        )
        if found.x is None:
            return None
        return self._row(found.x), float(found.fun)

    def _row(self, solution: Any) -> list[float]:
        row = list(self.values)
        for j, up in self.up.items():
            change = float(solution[up] - solution[self.down[j]])
            row[j] += round(change) if self.freedoms[j].is_whole else change
        for j, levels in self.level.items():
            row[j] = float(max(levels, key=lambda code: solution[levels[code]]))
        return row


def _way(tree: Sequence[Node], leaf: int) -> Iterator[tuple[Node, int]]:
    """Yield the tests on the way to a leaf, from below, and the child that is taken."""
    while leaf > 0:
        parent = next(i for i, node in enumerate(tree) if leaf in node.children)
        yield tree[parent], tree[parent].children.index(leaf)
        leaf = parent


def _of_code(term: Term, table: tuple[float, ...], code: int) -> float:
    """Return the value of a term for a code of a category."""
    return float(code == term.level) if term.level is not None else table[code]


def _value(term: Term, value: float) -> float:
    """Return the value of a term in the row as it is."""
    if np.isnan(value):
        return term.fill
    return float(value == term.level) if term.level is not None else value
