"""A model as one query of standard SQL.

The query goes through the table in steps: codes of categories, derived features, sums, the branch
taken at every test, the leaf of every tree, the answer; or, where tests are gates, the gates, the
probability of reaching every leaf, the sums. A database may put the steps back together into one
expression and evaluate a column as often as it is mentioned. A window function keeps it from that
where columns are mentioned often. Not between tests and leaves: leaves are found by nested CASE,
which mentions every test once, so together only the tests on the way of a row are evaluated.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from aslant.codegen.description import Combination, Description, Feature, Node, Slope, Term
from aslant.codegen.names import comment
from aslant.codegen.sql_parts import (
    branch_name,
    case,
    date_part,
    distinct,
    first_largest,
    leaf_case,
    literal,
    quoted,
    select,
    sum_name,
)
from aslant.codegen.sums import Sums

_HEAD = """\
-- {estimator}, written by aslant: standard SQL, tried in SQLite and DuckDB.
-- It reads the features from the columns of {table} that have their names; NULL is a missing value,
-- and so is a level that training never saw. A NaN of the database must be made NULL first.
"""
_DAYS = "-- Dates are numbers: days since 1970 began.\n"

# A column that keeps a step from being merged into the next one: see above.
_BARRIER = "COUNT(*) OVER () AS aslant_rows"
_LEAST = 1e-300  # of a soft probability, as in the core


class SQLWriter(Sums):
    """Writes SQL."""

    def __init__(self, description: Description, table: str, keep: Sequence[str]) -> None:
        self.description = description
        self.table = ".".join(quoted(part) for part in table.split("."))
        self.keep = [quoted(name) for name in keep]
        self.given = [
            f"aslant_code_{j}" if one.kind == "levels" else quoted(one.name)
            for j, one in enumerate(description.inputs)
        ]
        self.columns = [
            self.given[feature.source] if feature.what == "itself" else f"aslant_feature_{j}"
            for j, feature in enumerate(description.features)
        ]

    def number(self, value: float) -> str:
        """Return an approximate literal: without an exponent it would be a decimal.

        Numbers of many digits get one more than needed: some versions of SQLite read the shortest
        form with an error in the last bit.
        """
        text = repr(value)
        if len(re.sub(r"e.*|\D", "", text)) > 15:
            text = f"{value:.17e}"
        return text if "e" in text else f"{text}e0"

    def value(self, term: Term) -> str:
        """Return ``COALESCE("age", 38.5e0)``, or the same of an indicator."""
        fill = self.number(term.fill)
        column = self.columns[term.feature]
        if term.level is None:
            return f"COALESCE({column}, {fill})"
        indicator = f"CASE WHEN {column} = {term.level} THEN 1e0 WHEN {column} >= 0 THEN 0e0 END"
        return f"COALESCE({indicator}, {fill})"

    # ------------------------------------------------------------------ the steps

    def query(self) -> str:
        """Return the whole query."""
        steps = [("coded", self._coded()), ("derived", self._derived())]
        if self.description.combination is Combination.SOFT:
            steps += [("gated", self._gates()), ("reached", self._reached())]
            steps += [("sloped", self._leaf_slopes()), ("mixed", self._mixed())]
            if self.description.classes:
                steps.append(("sharpened", self._sharpened()))
        else:
            steps += [("summed", self._machine_sums()), ("branched", self._branches())]
            steps += [("reached", self._leaves()), ("sloped", self._slopes())]
        if self.description.combination in (Combination.SUM, Combination.VOTES):
            steps.append(("combined", self._combined()))
        source = self.table
        parts = []
        for name, columns in steps:
            if columns is None:
                continue
            parts.append(f"aslant_{name} AS (\n{select(columns)}  FROM {source}\n)")
            source = f"aslant_{name}"
        body = "WITH " + ",\n".join(parts)
        return f"{body}\n{select([*self.keep, *self._answers()], '')}FROM {source}\n"

    def _handed_on(self, columns: Sequence[str]) -> list[str]:
        """Return columns that later steps still read, and those that the caller wants."""
        return [*(name for name in self.keep if name not in columns), *columns]

    def _coded(self) -> list[str] | None:
        codes, numbers = [], []
        for j, given in enumerate(self.description.inputs):
            column = quoted(given.name)
            if given.kind != "levels":
                numbers.append(column)
                continue
            cases = [
                f"WHEN {column} = {literal(one)} THEN {k}" for k, one in enumerate(given.levels)
            ]
            if given.unknown is not None:
                cases.append(f"WHEN {column} IS NOT NULL THEN {given.unknown}")
            # The case that never holds stands where a category has no levels at all.
            cases = cases or ["WHEN NULL = 0 THEN 0"]
            codes.append(f"CASE {' '.join(cases)} END AS aslant_code_{j}")
        return [*self._handed_on(numbers), *codes, _BARRIER] if codes else None

    def _derived(self) -> list[str] | None:
        if not self.description.derives:
            return None
        made = [
            f"{self._made(feature)} AS {self.columns[j]}"
            for j, feature in enumerate(self.description.features)
            if feature.what != "itself"
        ]
        return [*self._handed_on(self.given), *made, _BARRIER]

    def _made(self, feature: Feature) -> str:
        given = self.given[feature.source]
        if feature.what == "missing":
            return f"CASE WHEN {given} IS NULL THEN 1e0 ELSE 0e0 END"
        if feature.what == "share":
            return case(given, [self.number(share) for share in feature.shares])
        return date_part(given, feature.what)

    def _machine_sums(self) -> list[str] | None:
        sums = [
            f"{self.total(one)} + {self._signed(one.offset)} AS {sum_name(t, i, k)}"
            for t, i, node in self._tests()
            if len(node.functions) > 1
            for k, one in enumerate(node.functions)
        ]
        return [*self._handed_on(self.columns), *sums, _BARRIER] if sums else None

    def _branches(self) -> list[str]:
        branches = []
        for t, i, node in self._tests():
            if len(node.functions) == 1:
                test = node.functions[0]
                condition = f"{self.total(test)} <= {self._signed(test.offset)}"
                text = f"CASE WHEN {condition} THEN 0 ELSE 1 END"
            else:
                text = first_largest([sum_name(t, i, k) for k in range(len(node.functions))])
            branches.append(f"{text} AS {branch_name(t, i)}")
        return [*self._still_read(), *branches] or ["1 AS aslant_row"]

    def _still_read(self) -> list[str]:
        """Return what is needed after the tests: all features, where leaves are linear."""
        return self._handed_on(self.columns) if self.description.is_linear else self.keep

    def _leaves(self) -> list[str]:
        leaves = [
            f"{leaf_case(tree, t)} AS aslant_leaf_{t}"
            for t, tree in enumerate(self.description.trees)
        ]
        return [*self._still_read(), *leaves, _BARRIER]

    def _slopes(self) -> list[str] | None:
        """Return what linear leaves predict, before it is kept between their bounds."""
        if not self.description.is_linear:
            return None
        slopes = [
            f"{case(f'aslant_leaf_{t}', [self.slope(n.slopes[k]) for n in leaves])}"
            f" AS aslant_slope_{t}_{k}"
            for t, leaves in enumerate(self._leaf_nodes())
            for k in range(self.description.n_outputs)
        ]
        leaves = [f"aslant_leaf_{t}" for t in range(len(self.description.trees))]
        return [*self.keep, *leaves, *slopes, _BARRIER]

    def _said(self, t: int, k: int) -> str:
        """Return output k of the leaf that a row reaches in tree t."""
        leaves = self._leaf_nodes()[t]
        if not self.description.is_linear:
            return self._by_leaf(t, [node.output[k] for node in leaves])
        slope = f"aslant_slope_{t}_{k}"
        slopes = [node.slopes[k] for node in leaves]
        if not any(_is_bounded(one) for one in slopes):
            return slope
        bounds = zip(*map(_bounds, slopes), strict=True)
        return _between(slope, *(self._by_leaf(t, one) for one in bounds))

    def _combined(self) -> list[str]:
        """Return the sums of what the trees say, and the votes if they count."""
        columns = []
        for k in range(self.description.n_outputs):
            shares = [
                f"{self.number(weight)} * {self._said(t, k)}"
                for t, weight in enumerate(self.description.weights)
            ]
            columns.append(f"{' + '.join(shares)} AS aslant_sum_{k}")
            if self.description.combination is Combination.VOTES:
                votes = [
                    self._by_leaf(t, [float(n.winner == k) for n in leaves])
                    for t, leaves in enumerate(self._leaf_nodes())
                ]
                columns.append(f"{' + '.join(votes)} AS aslant_votes_{k}")
        return [*self.keep, *columns, _BARRIER]

    # ------------------------------------------------------------------ gates

    def _gates(self) -> list[str]:
        gates = []
        for t, i, node in self._tests():
            score = f"-({self.score(node)})"
            least = f"CASE WHEN {score} < 700e0 THEN {score} ELSE 700e0 END"
            gates.append(f"1e0 / (1e0 + EXP({least})) AS {branch_name(t, i)}")
        return [*self._still_read(), *gates, _BARRIER]

    def _reached(self) -> list[str]:
        """Return the probability of reaching every leaf: the product of gates on its way."""
        tree = self.description.trees[0]
        way = {0: ""}
        for i, node in enumerate(tree):
            if not node.is_leaf:
                low, high = node.children
                gate, before = branch_name(0, i), f"{way[i]} * " if way[i] else ""
                way[low], way[high] = f"{before}(1e0 - {gate})", f"{before}{gate}"
        leaves = [i for i, node in enumerate(tree) if node.is_leaf]
        reached = [f"{way[i] or '1e0'} AS aslant_leaf_{k}" for k, i in enumerate(leaves)]
        return [*self._still_read(), *reached, _BARRIER]

    def _leaf_slopes(self) -> list[str] | None:
        """Return what every linear leaf predicts, before it is kept between its bounds."""
        if not self.description.is_linear:
            return None
        leaves = self._leaf_nodes()[0]
        reached = [f"aslant_leaf_{i}" for i in range(len(leaves))]
        slopes = [
            f"{self.slope(one)} AS aslant_slope_{i}_{k}"
            for i, node in enumerate(leaves)
            for k, one in enumerate(node.slopes)
        ]
        return [*self.keep, *reached, *slopes, _BARRIER]

    def _leaf_says(self, i: int, node: Node, k: int) -> str:
        """Return output k of a leaf."""
        if not self.description.is_linear:
            return self.number(node.output[k])
        slope = f"aslant_slope_{i}_{k}"
        if not _is_bounded(node.slopes[k]):
            return slope
        return _between(slope, *map(self.number, _bounds(node.slopes[k])))

    def _mixed(self) -> list[str]:
        leaves = self._leaf_nodes()[0]
        sums = [
            " + ".join(
                f"aslant_leaf_{i} * {self._leaf_says(i, n, k)}" for i, n in enumerate(leaves)
            )
            for k in range(self.description.n_outputs)
        ]
        if not self.description.classes:
            mixed = [f"{one} AS aslant_sum_{k}" for k, one in enumerate(sums)]
            return [*self.keep, *mixed, _BARRIER]
        least = self.number(_LEAST)
        kept = [f"CASE WHEN {one} > {least} THEN {one} ELSE {least} END" for one in sums]
        return [*self.keep, *(f"{one} AS aslant_mixed_{k}" for k, one in enumerate(kept)), _BARRIER]

    def _sharpened(self) -> list[str]:
        mixed = [f"aslant_mixed_{k}" for k in range(self.description.n_outputs)]
        greatest = first_largest(mixed, mixed)
        exponent = self.number(self.description.exponent)
        powers = [
            f"POWER({one} / {greatest}, {exponent}) AS aslant_power_{k}"
            for k, one in enumerate(mixed)
        ]
        return [*self.keep, *powers, _BARRIER]

    # ------------------------------------------------------------------ answers

    def _answers(self) -> list[str]:
        if not self.description.classes:
            return self._numbers()
        classes, combination = self.description.classes, self.description.combination
        places = range(len(classes))
        divisor = self.number(self.description.divisor)
        if combination is Combination.SINGLE:
            leaves = self._leaf_nodes()[0]
            label = case("aslant_leaf_0", [literal(classes[n.winner]) for n in leaves])
            shares = [self._said(0, k) for k in places]
        elif combination is Combination.VOTES:
            least = self.number(2.0 * len(self.description.trees) + 2.0)
            merits = [f"(aslant_votes_{k} + aslant_sum_{k} / {least})" for k in places]
            label = first_largest(merits, [literal(one) for one in classes])
            shares = [f"aslant_votes_{k} / {divisor}" for k in places]
        else:
            if combination is Combination.SOFT:
                total = " + ".join(f"aslant_power_{k}" for k in places)
                shares = [f"aslant_power_{k} / ({total})" for k in places]
            else:
                shares = [f"aslant_sum_{k} / {divisor}" for k in places]
            label = first_largest(shares, [literal(one) for one in classes])
        names = distinct([f"probability_{one}" for one in classes])
        named = [f"{share} AS {quoted(name)}" for share, name in zip(shares, names, strict=True)]
        return [f"{label} AS prediction", *named]

    def _numbers(self) -> list[str]:
        """Return the predicted numbers."""
        n_outputs = self.description.n_outputs
        if self.description.combination is Combination.SINGLE:
            numbers = [self._said(0, k) for k in range(n_outputs)]
        else:
            divisor = self.number(self.description.divisor)
            numbers = [f"aslant_sum_{k} / {divisor}" for k in range(n_outputs)]
        if n_outputs == 1:
            return [f"{numbers[0]} AS prediction"]
        return [f"{one} AS prediction_{k}" for k, one in enumerate(numbers)]

    # ------------------------------------------------------------------ pieces

    def _tests(self) -> list[tuple[int, int, Node]]:
        return [
            (t, i, node)
            for t, tree in enumerate(self.description.trees)
            for i, node in enumerate(tree)
            if not node.is_leaf
        ]

    def _leaf_nodes(self) -> list[list[Node]]:
        return [[node for node in tree if node.is_leaf] for tree in self.description.trees]

    def _by_leaf(self, tree: int, values: Sequence[float]) -> str:
        return case(f"aslant_leaf_{tree}", [self.number(value) for value in values])

    def _signed(self, value: float) -> str:
        return f"({self.number(value)})" if value < 0.0 else self.number(value)


def sql_code(description: Description, table: str, keep: Sequence[str]) -> str:
    """Return a query that gives ``prediction`` and ``probability_...`` for every row of a table."""
    names = [given.name for given in description.inputs]
    folded = [name.lower() for name in names]
    for name in names:
        if folded.count(name.lower()) > 1:
            raise ValueError(
                f"SQL needs features whose names differ in more than case, got {name!r} twice."
            )
    head = _HEAD.format(estimator=description.estimator, table=comment(table))
    if any(given.kind == "date" for given in description.inputs):
        head += _DAYS
    return head + SQLWriter(description, table, keep).query()


def _between(value: str, low: str, high: str) -> str:
    """Return the value, or the bound that it is beyond."""
    beyond = f"WHEN {value} < {low} THEN {low} WHEN {value} > {high} THEN {high}"
    return f"CASE {beyond} ELSE {value} END"


def _is_bounded(slope: Slope) -> bool:
    return slope.low > -math.inf or slope.high < math.inf


def _bounds(slope: Slope) -> tuple[float, float]:
    """Return the bounds; those of a slope that has none are the largest numbers there are."""
    return max(slope.low, -1.7e308), min(slope.high, 1.7e308)
