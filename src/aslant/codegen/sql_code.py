"""A model as one query of SQL.

The query has steps: codes of categories, derived features, sums, the branch taken at every test,
the leaf of every tree, the prediction; or, for gates, the gates, the probability of reaching every
leaf, the sums. A database may merge the steps into one expression and evaluate a column as often as
it is mentioned. A window function prevents that where columns are mentioned often. Tests and leaves
may be merged: a nested CASE mentions every test once, so only the tests on a row's path are
evaluated.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from functools import partial

from aslant.codegen.description import Combination, Description, Feature, Node, Slope, Term
from aslant.codegen.names import comment, distinct
from aslant.codegen.reasons import each_comparison
from aslant.codegen.sql_parts import (
    DIALECTS,
    Dialect,
    case,
    date_part,
    first_largest,
    leaf_case,
    select,
)
from aslant.codegen.sql_reasons import ReasonSteps
from aslant.codegen.sums import Sums

_HEAD = """\
-- {estimator}, written by aslant: {dialect}.
-- The columns of {table} have the names of the features. NULL is a missing value, and so is an
-- unknown level. Replace NaN by NULL first.
"""
_DAYS = "-- Dates are DATE or TIMESTAMP columns; a time zone counts.\n"
_SQLITE_DAYS = """\
-- Dates are texts as STRFTIME reads them, such as 2021-05-03 14:30:00, or numbers: days since
-- 1970-01-01. Any other text stops the query with "integer overflow".
"""
_DURATIONS = "-- Durations are numbers of days.\n"

_LARGEST_EXPONENT = 700.0  # exp beyond it is no number, or 0
_LEAST = 1e-300  # lower bound of a soft probability, as in the core


_SIDES = ("low", "high")  # of an interval

# Kinds of inputs that become numbers first.
_CODED = ("levels", "boolean", "date")


class SQLWriter(Sums):
    """Writes SQL."""

    def __init__(
        self, description: Description, table: str, keep: Sequence[str], dialect: Dialect
    ) -> None:
        self.description = description
        self.dialect = dialect
        self.table = ".".join(dialect.quoted(part) for part in table.split("."))
        self.keep = [dialect.quoted(name) for name in keep]
        # Columns of the query's own steps begin with this, and no column of the table does.
        names = (table, *keep, *(one.name for one in description.inputs))
        self.own = "aslant_"
        while any(name.casefold().startswith(self.own) for name in names):
            self.own = f"aslant_{self.own}"
        # A column that keeps a step from being merged into the next one: see above.
        self.barrier = f"COUNT(*) OVER () AS {self.own}rows"
        self.given = [
            f"{self.own}code_{j}" if one.kind in _CODED else dialect.quoted(one.name)
            for j, one in enumerate(description.inputs)
        ]
        self.columns = [
            self.given[feature.source] if feature.what == "itself" else f"{self.own}feature_{j}"
            for j, feature in enumerate(description.features)
        ]
        self.leaves = description.leaves()
        self.carried = [*self.keep]  # columns that every step hands on

    def number(self, value: float) -> str:
        """Return an approximate literal: without an exponent it would be a decimal.

        Numbers of many digits get one more than needed: some versions of SQLite read the shortest
        form with an error in the last bit.
        """
        text = repr(value)
        if len(re.sub(r"e.*|\D", "", text)) > 15:
            text = f"{value:.17e}"
        return (text if "e" in text else f"{text}e0") + self.dialect.suffix

    def value(self, term: Term) -> str:
        """Return ``COALESCE("age", 38.5e0)``, or the same of an indicator."""
        fill = self.number(term.fill)
        column = self.columns[term.feature]
        if term.level is None:
            return f"COALESCE({column}, {fill})"
        one, zero = self.number(1.0), self.number(0.0)
        indicator = (
            f"CASE WHEN {column} = {term.level} THEN {one} WHEN {column} >= 0 THEN {zero} END"
        )
        return f"COALESCE({indicator}, {fill})"

    # ------------------------------------------------------------------ the steps

    def query(self, reasons: int | None = None) -> str:
        """Return the whole query."""
        steps = [("coded", self._coded()), ("derived", self._derived())]
        named = [] if reasons is None else [f"reason_{k}" for k in range(1, reasons + 1)]
        if reasons is not None or self.description.intervals:
            steps += self._located()
        if self.description.intervals:
            steps.append(("bounded", self._bounded()))
            self.carried += [f"{self.own}{side}" for side in _SIDES]
        if reasons is not None:
            steps += self._explained(reasons)
            self.carried += [f"{self.own}{name}" for name in named]
        if self.description.combination is Combination.SOFT:
            steps += [("gated", self._gates()), ("reached", self._reached())]
            steps += [("sloped", self._leaf_slopes()), ("combined", self._mixed())]
        else:
            steps += [("summed", self._machine_sums()), ("branched", self._branches())]
            steps += [("reached", self._leaves()), ("sloped", self._slopes())]
        if self.description.combination in (Combination.SUM, Combination.VOTES):
            steps.append(("combined", self._combined()))
        if self.description.is_logit:
            steps += [("clipped", self._clipped()), ("powered", self._powered())]
        if self.description.exponent is not None:
            steps += [("floored", self._floored()), ("sharpened", self._sharpened())]
        if self.description.link == "softmax":
            steps.append(("exponentiated", self._exponentiated()))
        source = self.table
        parts = []
        for name, columns in steps:
            if columns is None:
                continue
            parts.append(f"{self.own}{name} AS (\n{select(columns)}  FROM {source}\n)")
            source = f"{self.own}{name}"
        body = "WITH " + ",\n".join(parts)
        results = [*self._predictions(), *(f"{self.own}{name} AS {name}" for name in named)]
        return f"{body}\n{select([*self.keep, *results], '')}FROM {source}\n"

    def _located(self) -> list[tuple[str, list[str] | None]]:
        """Return the steps to the leaf of a single tree, also of a soft one."""
        features = self._handed_on(self.columns)
        leaf = leaf_case(self.description.trees[0], partial(self._branch_name, 0))
        return [
            ("compared", self._machine_sums()),
            ("taken", [*features, *self._branch_columns()]),
            ("placed", [*features, f"{leaf} AS {self.own}leaf_0", self.barrier]),
        ]

    def _bounded(self) -> list[str]:
        """Return what is added to the prediction to get the bounds of its interval."""
        sides = [
            f"{self._by_leaf(0, values)} AS {self.own}{side}"
            for side, values in zip(
                _SIDES, zip(*self.description.intervals, strict=True), strict=True
            )
        ]
        return [*self._handed_on(self.columns), f"{self.own}leaf_0", *sides, self.barrier]

    def _explained(self, reasons: int) -> list[tuple[str, list[str] | None]]:
        """Return the steps to the names of the features that contribute most."""
        names = [feature.name for feature in self.description.features]
        features = self._handed_on(self.columns)
        made = ReasonSteps(self, each_comparison(self.description), names).steps(reasons)
        return [(name, [*features, *columns, self.barrier]) for name, columns in made]

    def _handed_on(self, columns: Sequence[str]) -> list[str]:
        """Return columns that later steps read, and those that the caller keeps."""
        return [*(name for name in self.carried if name not in columns), *columns]

    def _coded(self) -> list[str] | None:
        codes, numbers = [], []
        for j, given in enumerate(self.description.inputs):
            column = self.dialect.quoted(given.name)
            if given.kind not in _CODED:
                numbers.append(column)
                continue
            if given.kind == "date":
                days = self.dialect.days.format(column=column)
                codes.append(f"{days} AS {self.own}code_{j}")
                continue
            if given.kind == "boolean":
                truth = f"CASE WHEN {column} THEN 1e0 WHEN NOT {column} THEN 0e0 END"
                codes.append(f"{truth} AS {self.own}code_{j}")
                continue
            cases = [
                f"WHEN {column} = {self.dialect.literal(one)} THEN {k}"
                for k, one in enumerate(given.levels)
            ]
            if given.unknown is not None:
                cases.append(f"WHEN {column} IS NOT NULL THEN {given.unknown}")
            # A category without levels has a case that never holds.
            cases = cases or ["WHEN NULL = 0 THEN 0"]
            codes.append(f"CASE {' '.join(cases)} END AS {self.own}code_{j}")
        return [*self._handed_on(numbers), *codes, self.barrier] if codes else None

    def _derived(self) -> list[str] | None:
        if not self.description.derives:
            return None
        made = [
            f"{self._derivation(feature)} AS {self.columns[j]}"
            for j, feature in enumerate(self.description.features)
            if feature.what != "itself"
        ]
        return [*self._handed_on(self.given), *made, self.barrier]

    def _derivation(self, feature: Feature) -> str:
        given = self.given[feature.source]
        if feature.what == "missing":
            return f"CASE WHEN {given} IS NULL THEN 1e0 ELSE 0e0 END"
        if feature.what == "encoded":
            return case(given, [self.number(value) for value in feature.table])
        return date_part(given, feature.what)

    def _machine_sums(self) -> list[str] | None:
        sums = [
            f"{self.total(one)} + {self._signed(one.offset)} AS {self._sum_name(t, i, k)}"
            for t, i, node in self._tests()
            if len(node.functions) > 1
            for k, one in enumerate(node.functions)
        ]
        return [*self._handed_on(self.columns), *sums, self.barrier] if sums else None

    def _branches(self) -> list[str]:
        return [*self._still_read(), *self._branch_columns()] or [f"1 AS {self.own}row"]

    def _branch_columns(self) -> list[str]:
        branches = []
        for t, i, node in self._tests():
            if len(node.functions) == 1:
                test = node.functions[0]
                condition = f"{self.total(test)} <= {self._signed(test.offset)}"
                text = f"CASE WHEN {condition} THEN 0 ELSE 1 END"
            else:
                text = first_largest([self._sum_name(t, i, k) for k in range(len(node.functions))])
            missing = self.description.missing_child(node)
            note = "" if missing is None else f" /* missing: {missing} */"
            branches.append(f"{text} AS {self._branch_name(t, i)}{note}")
        return branches

    def _still_read(self) -> list[str]:
        """Return the columns needed after the tests: all features if leaves are linear."""
        return self._handed_on(self.columns) if self.description.is_linear else self.carried

    def _leaves(self) -> list[str]:
        leaves = [
            f"{leaf_case(tree, partial(self._branch_name, t))} AS {self.own}leaf_{t}"
            for t, tree in enumerate(self.description.trees)
        ]
        return [*self._still_read(), *leaves, self.barrier]

    def _slopes(self) -> list[str] | None:
        """Return the predictions of linear leaves, before they are clipped."""
        if not self.description.is_linear:
            return None
        slopes = [
            f"{case(f'{self.own}leaf_{t}', [self.slope(n.slopes[k]) for n in leaves])}"
            f" AS {self.own}slope_{t}_{k}"
            for t, leaves in enumerate(self.leaves)
            for k in range(self.description.n_outputs)
        ]
        leaves = [f"{self.own}leaf_{t}" for t in range(len(self.description.trees))]
        return [*self.carried, *leaves, *slopes, self.barrier]

    def _output(self, t: int, k: int) -> str:
        """Return output k of the leaf that a row reaches in tree t."""
        leaves = self.leaves[t]
        if not self.description.is_linear:
            return self._by_leaf(t, [node.output[k] for node in leaves])
        slope = f"{self.own}slope_{t}_{k}"
        slopes = [node.slopes[k] for node in leaves]
        if not any(_is_bounded(one) for one in slopes):
            return slope
        bounds = zip(*map(_bounds, slopes), strict=True)
        return _between(slope, *(self._by_leaf(t, one) for one in bounds))

    def _clipped(self) -> list[str]:
        """Return the logits of the leaf that a row reaches."""
        logits = [
            f"{self._output(0, k)} AS {self.own}mean_{k}" for k in range(self.description.n_outputs)
        ]
        return [*self.carried, *logits, self.barrier]

    def _powered(self) -> list[str]:
        """Return the exponentials of the logits, counted from the largest."""
        logits = [f"{self.own}mean_{k}" for k in range(self.description.n_outputs)]
        greatest = first_largest(logits, logits)
        powers = []
        for k, logit in enumerate(logits):
            # Smaller powers underflow, which some databases refuse.
            below, least = f"{logit} - {greatest}", self.number(-_LARGEST_EXPONENT)
            power = f"CASE WHEN {below} > {least} THEN EXP({below}) ELSE {self.number(0.0)} END"
            powers.append(f"{power} AS {self.own}power_{k}")
        return [*self.carried, *powers, self.barrier]

    def _combined(self) -> list[str]:
        """Return the sums of the trees' outputs, and the votes if they count."""
        columns = []
        for k in range(self.description.n_outputs):
            parts = [
                f"{self.number(weight)} * {self._output(t, k)}"
                for t, weight in enumerate(self.description.weights)
            ]
            columns.append(f"{' + '.join(parts)} AS {self.own}sum_{k}")
            if self.description.combination is Combination.VOTES:
                votes = [
                    self._by_leaf(t, [float(n.winner == k) for n in leaves])
                    for t, leaves in enumerate(self.leaves)
                ]
                columns.append(f"{' + '.join(votes)} AS {self.own}votes_{k}")
        return [*self.carried, *columns, self.barrier]

    # ------------------------------------------------------------------ gates

    def _gates(self) -> list[str]:
        gates = []
        most = self.number(_LARGEST_EXPONENT / self._product_of_gates())
        for t, i, node in self._tests():
            score = f"-({self.score(node)})"
            beyond = f"WHEN {score} > {most} THEN {most} WHEN {score} < -{most} THEN -{most}"
            bounded = f"CASE {beyond} ELSE {score} END"
            one = self.number(1.0)
            gates.append(f"{one} / ({one} + EXP({bounded})) AS {self._branch_name(t, i)}")
        return [*self._still_read(), *gates, self.barrier]

    def _product_of_gates(self) -> int:
        """Return how many gates are multiplied at most, if the product must not underflow."""
        if not self.dialect.refuses_underflow:
            return 1
        depth = [0]
        below = {0: 0}
        for i, node in enumerate(self.description.trees[0]):
            for child in node.children:
                below[child] = below[i] + 1
                depth.append(below[child])
        return max(1, *depth)

    def _reached(self) -> list[str]:
        """Return the probability of reaching every leaf: the product of the gates on its path."""
        tree = self.description.trees[0]
        way = {0: ""}
        for i, node in enumerate(tree):
            if not node.is_leaf:
                low, high = node.children
                gate, before = self._branch_name(0, i), f"{way[i]} * " if way[i] else ""
                way[low], way[high] = f"{before}({self.number(1.0)} - {gate})", f"{before}{gate}"
        leaves = [i for i, node in enumerate(tree) if node.is_leaf]
        one = self.number(1.0)
        reached = [f"{way[i] or one} AS {self.own}leaf_{k}" for k, i in enumerate(leaves)]
        return [*self._still_read(), *reached, self.barrier]

    def _leaf_slopes(self) -> list[str] | None:
        """Return the prediction of every linear leaf, before it is clipped."""
        if not self.description.is_linear:
            return None
        leaves = self.leaves[0]
        reached = [f"{self.own}leaf_{i}" for i in range(len(leaves))]
        slopes = [
            f"{self.slope(one)} AS {self.own}slope_{i}_{k}"
            for i, node in enumerate(leaves)
            for k, one in enumerate(node.slopes)
        ]
        return [*self.carried, *reached, *slopes, self.barrier]

    def _leaf_output(self, i: int, node: Node, k: int) -> str:
        """Return output k of a leaf."""
        if not self.description.is_linear:
            return self.number(node.output[k])
        slope = f"{self.own}slope_{i}_{k}"
        if not _is_bounded(node.slopes[k]):
            return slope
        return _between(slope, *map(self.number, _bounds(node.slopes[k])))

    def _mixed(self) -> list[str]:
        """Return the sums of all leaves, weighted by the probability of reaching them."""
        leaves = self.leaves[0]
        sums = [
            " + ".join(
                f"{self.own}leaf_{i} * {self._leaf_output(i, n, k)}" for i, n in enumerate(leaves)
            )
            for k in range(self.description.n_outputs)
        ]
        return [
            *self.carried,
            *(f"{one} AS {self.own}sum_{k}" for k, one in enumerate(sums)),
            self.barrier,
        ]

    def _floored(self) -> list[str]:
        """Return the means of the leaves plus the prior, at least a tiny number."""
        prior, least = self.number(self.description.prior), self.number(_LEAST)
        means = [f"({mean} + {prior})" for mean in self._means()]
        kept = [f"CASE WHEN {one} > {least} THEN {one} ELSE {least} END" for one in means]
        floored = [f"{one} AS {self.own}mean_{k}" for k, one in enumerate(kept)]
        return [*self.carried, *floored, self.barrier]

    def _sharpened(self) -> list[str]:
        means = [f"{self.own}mean_{k}" for k in range(self.description.n_outputs)]
        greatest = first_largest(means, means)
        exponent = self.description.exponent or 1.0
        powers = []
        for k, one in enumerate(means):
            ratio = f"{one} / {greatest}"
            power = f"POWER({ratio}, {self.number(exponent)})"
            if self.dialect.refuses_underflow:
                least = self.number(math.exp(-_LARGEST_EXPONENT / max(exponent, 1.0)))
                power = f"CASE WHEN {ratio} > {least} THEN {power} ELSE {self.number(0.0)} END"
            powers.append(f"{power} AS {self.own}power_{k}")
        return [*self.carried, *powers, self.barrier]

    def _exponentiated(self) -> list[str]:
        sums = [f"{self.own}sum_{k}" for k in range(self.description.n_outputs)]
        greatest = first_largest(sums, sums)
        powers = []
        for k, one in enumerate(sums):
            score = f"({one} - {greatest})"
            least = f"CASE WHEN {score} > -700e0 THEN {score} ELSE -700e0 END"
            powers.append(f"EXP({least}) AS {self.own}power_{k}")
        return [*self.carried, *powers, self.barrier]

    def _means(self) -> list[str]:
        divisor = self.number(self.description.divisor)
        return [f"{self.own}sum_{k} / {divisor}" for k in range(self.description.n_outputs)]

    # ------------------------------------------------------------------ predictions

    def _predictions(self) -> list[str]:
        """Return the columns of the result."""
        if not self.description.classes:
            return self._values()
        labels = [self.dialect.literal(one) for one in self.description.classes]
        combination, places = self.description.combination, range(len(labels))
        if combination is Combination.SINGLE and not self.description.is_logit:
            label = case(f"{self.own}leaf_0", [labels[n.winner] for n in self.leaves[0]])
            proba = [self._output(0, k) for k in places]
        elif combination is Combination.VOTES:
            least = self.number(2.0 * len(self.description.trees) + 2.0)
            merits = [f"({self.own}votes_{k} + {self.own}sum_{k} / {least})" for k in places]
            label = first_largest(merits, labels)
            divisor = self.number(self.description.divisor)
            proba = [f"{self.own}votes_{k} / {divisor}" for k in places]
        else:
            proba = self._means()
            normalized = self.description.is_logit or self.description.link == "softmax"
            if self.description.exponent is not None or normalized:
                total = " + ".join(f"{self.own}power_{k}" for k in places)
                proba = [f"{self.own}power_{k} / ({total})" for k in places]
            label = first_largest(proba, labels)
        names = distinct([f"probability_{one}" for one in self.description.classes])
        named = [
            f"{one} AS {self.dialect.quoted(name)}" for one, name in zip(proba, names, strict=True)
        ]
        return [f"{label} AS prediction", *named]

    def _values(self) -> list[str]:
        """Return the columns of a regressor's result."""
        n_outputs = self.description.n_outputs
        values = self._means()
        if self.description.link == "exp":
            values = [f"EXP({one})" for one in values]
        if self.description.combination is Combination.SINGLE:
            values = [self._output(0, k) for k in range(n_outputs)]
        if n_outputs == 1:
            sides = _SIDES if self.description.intervals else ()
            bounds = [f"{values[0]} + {self.own}{side} AS prediction_{side}" for side in sides]
            return [f"{values[0]} AS prediction", *bounds]
        return [f"{one} AS prediction_{k}" for k, one in enumerate(values)]

    # ------------------------------------------------------------------ pieces

    def _tests(self) -> list[tuple[int, int, Node]]:
        return [
            (t, i, node)
            for t, tree in enumerate(self.description.trees)
            for i, node in enumerate(tree)
            if not node.is_leaf
        ]

    def _sum_name(self, tree: int, node: int, branch: int) -> str:
        """Return the column of a branch's sum in a linear machine."""
        return f"{self.own}sum_{tree}_{node}_{branch}"

    def _branch_name(self, tree: int, node: int) -> str:
        """Return the column of the branch, or of the gate, of a test."""
        return f"{self.own}branch_{tree}_{node}"

    def _by_leaf(self, tree: int, values: Sequence[float]) -> str:
        return case(f"{self.own}leaf_{tree}", [self.number(value) for value in values])

    def _signed(self, value: float) -> str:
        return f"({self.number(value)})" if value < 0.0 else self.number(value)


def sql_code(
    description: Description,
    table: str,
    keep: Sequence[str],
    dialect: str = "standard",
    reasons: int | None = None,
) -> str:
    """Return a query with ``prediction`` and ``probability_...`` for every row of a table.

    Reasons are columns ``reason_1``, ``reason_2``, ...
    """
    description.check_integers(2**63, "SQL")
    folded = [given.name.casefold() for given in description.inputs]
    for given in description.inputs:
        if folded.count(given.name.casefold()) > 1:
            raise ValueError(
                "SQL needs features whose names differ in more than case, got "
                f"{given.name!r} twice."
            )
    chosen = DIALECTS[dialect]
    kinds = {given.kind for given in description.inputs}
    if "date" in kinds and not chosen.days:
        others = ", ".join(repr(name) for name, one in DIALECTS.items() if one.days)
        raise ValueError(
            f"export_code needs the dialect of a database for a model that reads dates, one of "
            f"{others}, got dialect={dialect!r}."
        )
    head = _HEAD.format(
        estimator=description.estimator, table=comment(table), dialect=chosen.description
    )
    if "date" in kinds:
        head += _SQLITE_DAYS if dialect == "sqlite" else _DAYS
    if "duration" in kinds:
        head += _DURATIONS
    return head + SQLWriter(description, table, keep, chosen).query(reasons)


def _between(value: str, low: str, high: str) -> str:
    """Return the value, clipped to two bounds."""
    beyond = f"WHEN {value} < {low} THEN {low} WHEN {value} > {high} THEN {high}"
    return f"CASE {beyond} ELSE {value} END"


def _is_bounded(slope: Slope) -> bool:
    return slope.low > -math.inf or slope.high < math.inf


def _bounds(slope: Slope) -> tuple[float, float]:
    """Return the bounds; infinite ones as very large numbers."""
    return max(slope.low, -1.7e308), min(slope.high, 1.7e308)
