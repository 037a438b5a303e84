"""Pieces of SQL: names, literals, cases, and the parts of a date."""

from __future__ import annotations

from collections.abc import Sequence

from aslant.codegen.description import Label, Node


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


def select(columns: Sequence[str], margin: str = "  ") -> str:
    """Return the beginning of a query that gives these columns."""
    inner = f",\n{margin}  ".join(columns)
    return f"{margin}SELECT\n{margin}  {inner}\n"


def sum_name(tree: int, node: int, branch: int) -> str:
    """Return the column of a branch's sum in a linear machine."""
    return f"aslant_sum_{tree}_{node}_{branch}"


def branch_name(tree: int, node: int) -> str:
    """Return the column of the branch, or of the gate, of a test."""
    return f"aslant_branch_{tree}_{node}"


def first_largest(values: Sequence[str], answers: Sequence[str] | None = None) -> str:
    """Return the place of the first largest value, or the answer of that place."""
    results = [str(k) for k in range(len(values))] if answers is None else answers
    cases = [
        "WHEN "
        + " AND ".join(f"{value} >= {other}" for other in values[k + 1 :])
        + f" THEN {results[k]}"
        for k, value in enumerate(values[:-1])
    ]
    return f"CASE {' '.join(cases)} ELSE {results[-1]} END" if cases else results[-1]


def case(column: str, results: Sequence[str]) -> str:
    """Return the result at the place that a column holds."""
    cases = " ".join(f"WHEN {k} THEN {result}" for k, result in enumerate(results))
    return f"CASE {column} {cases} END"


def leaf_case(tree: Sequence[Node], t: int) -> str:
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
        cases = [f"WHEN {branch_name(t, i)} = {k} THEN {closed(texts[c])}" for k, c in others]
        texts[i] = " ".join([*cases, texts[deepest]])
        for child in node.children:
            texts[child] = ""
    return closed(texts[0])


def closed(cases: str) -> str:
    """Return a CASE, or the result alone if there is nothing to decide."""
    return f"CASE {cases} END" if cases.startswith("WHEN") else cases.removeprefix("ELSE ")


def distinct(names: Sequence[str]) -> list[str]:
    """Tell columns apart whose names differ in case only, as labels 1 and '1' do not at all."""
    folded = [name.lower() for name in names]
    return [
        name if folded.count(name.lower()) == 1 else f"{name}_{place}"
        for place, name in enumerate(names)
    ]


def date_part(days: str, part: str) -> str:
    """Return a part of a date that is given in days since 1970 began; years begin in March."""
    day = f"FLOOR({days})"
    if part == "weekday":
        return f"{day} + 3e0 - 7e0 * FLOOR(({day} + 3e0) / 7e0)"
    if part == "hour":
        return f"FLOOR(({days} - {day}) * 24e0 + 1e-6)"
    era = f"FLOOR(({day} + 719468e0) / 146097e0)"
    rest = f"({day} + 719468e0 - 146097e0 * {era})"
    steps = f"{rest} - FLOOR({rest} / 1460e0) + FLOOR({rest} / 36524e0) - FLOOR({rest} / 146096e0)"
    year = f"FLOOR(({steps}) / 365e0)"
    of_year = f"({rest} - (365e0 * {year} + FLOOR({year} / 4e0) - FLOOR({year} / 100e0)))"
    month = f"FLOOR((5e0 * {of_year} + 2e0) / 153e0)"
    if part == "year":
        return f"{year} + 400e0 * {era} + CASE WHEN {month} > 9 THEN 1e0 ELSE 0e0 END"
    if part == "month":
        return f"{month} + CASE WHEN {month} > 9 THEN -9e0 ELSE 3e0 END"
    return f"{of_year} - FLOOR((153e0 * {month} + 2e0) / 5e0) + 1e0"
