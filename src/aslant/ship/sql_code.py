"""A model as one query of standard SQL.

The query goes through the table in steps: codes of categories, sums, the branch taken at every
test, the leaf of every tree, the answer. A database may put the steps back together into one
expression and evaluate a column as often as it is mentioned. A window function keeps it from that
where columns are mentioned often. Not between tests and leaves: leaves are found by nested CASE,
which mentions every test once, so together only the tests on the way of a row are evaluated.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from aslant.ship.description import Combination, Description, Label, Node, Term
from aslant.ship.names import comment
from aslant.ship.sums import Sums

_HEAD = """\
-- {estimator}, written by aslant: standard SQL, tried in SQLite and DuckDB.
-- It reads the features from the columns of {table} that have their names; NULL is a missing value,
-- and so is a level that training never saw. A NaN of the database must be made NULL first.
"""

# A column that keeps a step from being merged into the next one: see above.
_BARRIER = "COUNT(*) OVER () AS aslant_rows"


class SQLWriter(Sums):
    """Writes SQL."""

    def __init__(self, description: Description, table: str, keep: Sequence[str]) -> None:
        self.description = description
        self.table = ".".join(quoted(part) for part in table.split("."))
        self.keep = [quoted(name) for name in keep]
        self.columns = [quoted(feature.name) for feature in description.features]

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
        if term.level is None:
            return f"COALESCE({self.columns[term.feature]}, {fill})"
        code = f"aslant_code_{term.feature}"
        indicator = f"CASE WHEN {code} = {term.level} THEN 1e0 WHEN {code} >= 0 THEN 0e0 END"
        return f"COALESCE({indicator}, {fill})"

    # ------------------------------------------------------------------ the steps

    def query(self) -> str:
        """Return the whole query."""
        steps = [("coded", self._coded()), ("summed", self._machine_sums())]
        steps += [("branched", self._branches()), ("reached", self._leaves())]
        if self.description.combination is not Combination.SINGLE:
            steps.append(("combined", self._combined()))
        source = self.table
        parts = []
        for name, columns in steps:
            if columns is None:
                continue
            parts.append(f"aslant_{name} AS (\n{_select(columns)}  FROM {source}\n)")
            source = f"aslant_{name}"
        body = "WITH " + ",\n".join(parts)
        return f"{body}\n{_select([*self.keep, *self._answers()], '')}FROM {source}\n"

    def _handed_on(self) -> list[str]:
        """Return the columns that later sums still read."""
        features = self.description.features
        numbers = [c for c, f in zip(self.columns, features, strict=True) if f.levels is None]
        codes = [f"aslant_code_{j}" for j, f in enumerate(features) if f.levels is not None]
        kept = [column for column in self.keep if column not in numbers]
        return [*kept, *numbers, *codes]

    def _coded(self) -> list[str] | None:
        features = self.description.features
        codes = []
        for j, feature in enumerate(features):
            if feature.levels is None:
                continue
            cases = [f"WHEN {literal(one)} THEN {k}" for k, one in enumerate(feature.levels)]
            # The case that never holds stands where a category has no levels at all.
            cases = cases or ["WHEN NULL THEN 0"]
            codes.append(f"CASE {self.columns[j]} {' '.join(cases)} END AS aslant_code_{j}")
        given = [name for name in self._handed_on() if not name.startswith("aslant_code_")]
        return [*given, *codes, _BARRIER] if codes else None

    def _machine_sums(self) -> list[str] | None:
        sums = [
            f"{self.total(one)} + {self._signed(one.offset)} AS {_sum_name(t, i, k)}"
            for t, i, node in self._tests()
            if len(node.functions) > 1
            for k, one in enumerate(node.functions)
        ]
        return [*self._handed_on(), *sums, _BARRIER] if sums else None

    def _branches(self) -> list[str]:
        branches = []
        for t, i, node in self._tests():
            if len(node.functions) == 1:
                test = node.functions[0]
                condition = f"{self.total(test)} <= {self._signed(test.offset)}"
                text = f"CASE WHEN {condition} THEN 0 ELSE 1 END"
            else:
                text = _first_largest([_sum_name(t, i, k) for k in range(len(node.functions))])
            branches.append(f"{text} AS {_branch_name(t, i)}")
        return [*self.keep, *branches] or ["1 AS aslant_row"]

    def _leaves(self) -> list[str]:
        leaves = [
            f"{_leaf_case(tree, t)} AS aslant_leaf_{t}"
            for t, tree in enumerate(self.description.trees)
        ]
        return [*self.keep, *leaves, _BARRIER]

    def _combined(self) -> list[str]:
        """Return the sums of probabilities, and the votes if they count."""
        columns = []
        for k in range(len(self.description.classes)):
            shares = [
                f"{self.number(weight)} * {self._by_leaf(t, [n.probabilities[k] for n in leaves])}"
                for t, (leaves, weight) in enumerate(
                    zip(self._leaf_nodes(), self.description.weights, strict=True)
                )
            ]
            columns.append(f"{' + '.join(shares)} AS aslant_sum_{k}")
            if self.description.combination is Combination.VOTES:
                votes = [
                    self._by_leaf(t, [float(n.winner == k) for n in leaves])
                    for t, leaves in enumerate(self._leaf_nodes())
                ]
                columns.append(f"{' + '.join(votes)} AS aslant_votes_{k}")
        return [*self.keep, *columns, _BARRIER]

    def _answers(self) -> list[str]:
        classes, combination = self.description.classes, self.description.combination
        if combination is Combination.SINGLE:
            leaves = self._leaf_nodes()[0]
            label = _case("aslant_leaf_0", [literal(classes[n.winner]) for n in leaves])
            shares = [
                self._by_leaf(0, [n.probabilities[k] for n in leaves]) for k in range(len(classes))
            ]
        else:
            n_trees = len(self.description.trees)
            counted, merits = "sum", [f"aslant_sum_{k}" for k in range(len(classes))]
            if combination is Combination.VOTES:
                divisor = self.number(2.0 * n_trees + 2.0)
                merits = [
                    f"(aslant_votes_{k} + aslant_sum_{k} / {divisor})" for k in range(len(classes))
                ]
                counted = "votes"
            label = _first_largest(merits, [literal(one) for one in classes])
            divisor = self.number(self.description.divisor)
            shares = [f"aslant_{counted}_{k} / {divisor}" for k in range(len(classes))]
        names = _distinct([f"probability_{one}" for one in classes])
        named = [f"{share} AS {quoted(name)}" for share, name in zip(shares, names, strict=True)]
        return [f"{label} AS prediction", *named]

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
        return _case(f"aslant_leaf_{tree}", [self.number(value) for value in values])

    def _signed(self, value: float) -> str:
        return f"({self.number(value)})" if value < 0.0 else self.number(value)


def sql_code(description: Description, table: str, keep: Sequence[str]) -> str:
    """Return a query that gives ``prediction`` and ``probability_...`` for every row of a table."""
    names = [feature.name for feature in description.features]
    folded = [name.lower() for name in names]
    for name in names:
        if folded.count(name.lower()) > 1:
            raise ValueError(
                f"SQL needs features whose names differ in more than case, got {name!r} twice."
            )
    head = _HEAD.format(estimator=description.estimator, table=comment(table))
    return head + SQLWriter(description, table, keep).query()


def quoted(name: str) -> str:
    """Return a delimited identifier."""
    return '"' + name.replace('"', '""') + '"'


def literal(label: Label) -> str:
    """Return a class or a level as a literal."""
    if isinstance(label, bool):
        return str(label).upper()
    if isinstance(label, str):
        return "'" + label.replace("'", "''") + "'"
    return repr(label)


def _select(columns: Sequence[str], margin: str = "  ") -> str:
    inner = f",\n{margin}  ".join(columns)
    return f"{margin}SELECT\n{margin}  {inner}\n"


def _sum_name(tree: int, node: int, branch: int) -> str:
    return f"aslant_sum_{tree}_{node}_{branch}"


def _branch_name(tree: int, node: int) -> str:
    return f"aslant_branch_{tree}_{node}"


def _first_largest(values: Sequence[str], answers: Sequence[str] | None = None) -> str:
    """Return the place of the first largest value, or the answer of that place."""
    results = [str(k) for k in range(len(values))] if answers is None else answers
    cases = [
        "WHEN "
        + " AND ".join(f"{value} >= {other}" for other in values[k + 1 :])
        + f" THEN {results[k]}"
        for k, value in enumerate(values[:-1])
    ]
    return f"CASE {' '.join(cases)} ELSE {results[-1]} END" if cases else results[-1]


def _case(column: str, results: Sequence[str]) -> str:
    cases = " ".join(f"WHEN {k} THEN {result}" for k, result in enumerate(results))
    return f"CASE {column} {cases} END"


def _leaf_case(tree: Sequence[Node], t: int) -> str:
    """Return the place among the leaves of one tree of the leaf that a row reaches.

    The subtree that needs the deepest nesting continues a CASE, the others are nested in it, so the
    nesting is at most the binary logarithm of the number of leaves: parsers have limits.
    """
    nesting = [0] * len(tree)
    texts: list[str] = [""] * len(tree)
    leaf = sum(node.is_leaf for node in tree)
    for i in reversed(range(len(tree))):  # children come after their parent
        node = tree[i]
        if node.is_leaf:
            leaf -= 1
            texts[i] = f"ELSE {leaf}"
            continue
        deepest = max(node.children, key=lambda child: nesting[child])
        others = [(k, child) for k, child in enumerate(node.children) if child != deepest]
        nesting[i] = max(nesting[deepest], *(nesting[child] + 1 for _, child in others))
        cases = [f"WHEN {_branch_name(t, i)} = {k} THEN {_closed(texts[c])}" for k, c in others]
        texts[i] = " ".join([*cases, texts[deepest]])
        for child in node.children:
            texts[child] = ""
    return _closed(texts[0])


def _closed(cases: str) -> str:
    """Return a CASE, or the result alone if there is nothing to decide."""
    return f"CASE {cases} END" if cases.startswith("WHEN") else cases.removeprefix("ELSE ")


def _distinct(names: Sequence[str]) -> list[str]:
    """Tell columns apart whose names differ in case only, as labels 1 and '1' do not at all."""
    folded = [name.lower() for name in names]
    return [
        name if folded.count(name.lower()) == 1 else f"{name}_{place}"
        for place, name in enumerate(names)
    ]
