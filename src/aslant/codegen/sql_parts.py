"""Dialects of SQL, and expressions: cases and the parts of a date."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from aslant.codegen.description import Label, Node


@dataclass(frozen=True)
class Dialect:
    """How a database writes identifiers, strings, numbers and dates.

    Attributes
    ----------
    description : str
        For which database, in words.
    days : str
        Days since 1970-01-01 of a DATE or TIMESTAMP ``{column}``; empty if dates are numbers.
    quote : str
        Around identifiers.
    backslashes : bool
        Whether backslashes escape in strings.
    escapes_names : bool
        Whether backslashes escape in identifiers too; else a quote is doubled.
    suffix : str
        After a number, to make it a float of 64 bits.
    refuses_underflow : bool
        Whether a result too small for a number is an error, not 0.
    greatest : str
        The function that returns the largest of its arguments.
    """

    description: str
    days: str = ""
    quote: str = '"'
    backslashes: bool = False
    escapes_names: bool = False
    suffix: str = ""
    refuses_underflow: bool = False
    greatest: str = "GREATEST"

    def quoted(self, name: str) -> str:
        """Return a delimited identifier."""
        if self.escapes_names:
            inner = name.replace("\\", "\\\\").replace(self.quote, "\\" + self.quote)
        else:
            inner = name.replace(self.quote, 2 * self.quote)
        return self.quote + inner + self.quote

    def literal(self, label: Label) -> str:
        """Return a class or a level as a literal."""
        if isinstance(label, bool):
            return str(label).upper()
        if not isinstance(label, str):
            return repr(label)
        if not self.backslashes:
            return "'" + label.replace("'", "''") + "'"
        for character, escaped in (("\\", "\\\\"), ("'", "\\'"), ("\n", "\\n"), ("\r", "\\r")):
            label = label.replace(character, escaped)
        return f"'{label}'"


# Microseconds, or milliseconds, are exact integers; one division rounds as aslant does.
_SQLITE_DAYS = (
    "CASE WHEN {column} IS NULL THEN NULL "
    "WHEN TYPEOF({column}) <> 'text' THEN {column} "
    # A text that is no date is an error, not a missing value.
    "WHEN STRFTIME('%s', {column}) IS NULL THEN ABS(-9223372036854775808) "
    "ELSE (STRFTIME('%s', {column}) * 1000 + CAST(ROUND(STRFTIME('%f', {column}) * 1000) "
    "AS INTEGER) % 1000) / 86400000e0 END"
)
_SPARK_DAYS = (
    "((DATEDIFF({column}, DATE'1970-01-01') * 86400 + HOUR({column}) * 3600 "
    "+ MINUTE({column}) * 60) * 1000000 + CAST(EXTRACT(SECOND FROM CAST({column} AS TIMESTAMP)) "
    "* 1000000 AS BIGINT)) / 86400000000e0"
)

DIALECTS = {
    "standard": Dialect("standard SQL"),
    "sqlite": Dialect(
        "SQL for SQLite 3.35 with its mathematical functions", _SQLITE_DAYS, greatest="MAX"
    ),
    "duckdb": Dialect("SQL for DuckDB", "EPOCH_US({column}) / 86400000000e0"),
    "postgres": Dialect(
        "SQL for PostgreSQL 14",
        "CAST(EXTRACT(EPOCH FROM {column}) * 1000000 AS float8) / 86400000000e0",
        suffix="::float8",
        refuses_underflow=True,
    ),
    "mysql": Dialect(
        "SQL for MySQL 8",
        "TIMESTAMPDIFF(MICROSECOND, '1970-01-01', {column}) / 86400000000e0",
        "`",
        backslashes=True,
    ),
    "bigquery": Dialect(
        "SQL for BigQuery",
        "UNIX_MICROS(CAST({column} AS TIMESTAMP)) / 86400000000e0",
        "`",
        backslashes=True,
        escapes_names=True,
    ),
    "snowflake": Dialect(
        "SQL for Snowflake",
        "DATE_PART('EPOCH_MICROSECOND', {column}) / 86400000000e0::FLOAT",
        backslashes=True,
        suffix="::FLOAT",
    ),
    "spark": Dialect("SQL for Spark 3.3", _SPARK_DAYS, "`", backslashes=True),
}


def select(columns: Sequence[str], margin: str = "  ") -> str:
    """Return the beginning of a query for these columns."""
    inner = f",\n{margin}  ".join(columns)
    return f"{margin}SELECT\n{margin}  {inner}\n"


def first_largest(values: Sequence[str], answers: Sequence[str] | None = None) -> str:
    """Return the index of the first largest value, or the answer at that index."""
    results = [str(k) for k in range(len(values))] if answers is None else answers
    cases = [
        "WHEN "
        + " AND ".join(f"{value} >= {other}" for other in values[k + 1 :])
        + f" THEN {results[k]}"
        for k, value in enumerate(values[:-1])
    ]
    return f"CASE {' '.join(cases)} ELSE {results[-1]} END" if cases else results[-1]


def case(column: str, results: Sequence[str]) -> str:
    """Return the result at the index that a column holds."""
    cases = " ".join(f"WHEN {k} THEN {result}" for k, result in enumerate(results))
    return f"CASE {column} {cases} END"


def leaf_case(tree: Sequence[Node], branch_name: Callable[[int], str]) -> str:
    """Return the index of the leaf that a row reaches, among the leaves of one tree.

    The subtree that needs the deepest nesting continues a CASE, the others are nested in it. So the
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
        cases = [f"WHEN {branch_name(i)} = {k} THEN {_closed(texts[c])}" for k, c in others]
        texts[i] = " ".join([*cases, texts[deepest]])
        for child in node.children:
            texts[child] = ""
    return _closed(texts[0])


def _closed(cases: str) -> str:
    """Return a CASE, or the result alone if there is nothing to decide."""
    return f"CASE {cases} END" if cases.startswith("WHEN") else cases.removeprefix("ELSE ")


def date_part(days: str, part: str) -> str:
    """Return a part of a date, given in days since 1970-01-01; years begin in March."""
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
