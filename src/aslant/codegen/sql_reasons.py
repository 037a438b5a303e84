"""The reasons of a prediction as steps of a query: see `aslant.codegen.reasons`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol

from aslant.codegen.description import Term
from aslant.codegen.reasons import LARGEST, Comparison, features_of, key_base
from aslant.codegen.sql_parts import Dialect, first_largest

_MOST_ARGUMENTS = 100  # of a function, in SQLite


class QueryWriter(Protocol):
    """What reasons need of the writer of a query."""

    own: str
    dialect: Dialect

    def number(self, value: float) -> str:
        """Return a literal."""

    def value(self, term: Term) -> str:
        """Return the value of a term; its fill where it is missing."""


class ReasonSteps:
    """Columns of the steps from the leaf that a row reaches to the names of features.

    Parameters
    ----------
    writer : QueryWriter
        Writes numbers and values of terms.
    comparisons : sequence of Comparison
        Those of the tree.
    names : sequence of str
        All features.
    """

    def __init__(
        self, writer: QueryWriter, comparisons: Sequence[Comparison], names: Sequence[str]
    ) -> None:
        self.writer = writer
        self.own = writer.own
        self.comparisons = comparisons
        self.names = names
        self.features = features_of(comparisons)

    def steps(self, n_reasons: int) -> list[tuple[str, list[str]]]:
        """Return names and columns of the steps; the first one reads the leaf."""
        makers: list[tuple[str, tuple[str, ...], Callable[[], list[str]]]] = [
            ("parted", ("leaf_",), self._parts),
            ("valued", ("leaf_", "part_"), self._values),
            ("won", ("part_", "value_"), self._winners),
            ("ordered", ("part_", "winner_"), self._seconds),
            ("shared", (), self._shares),
            ("sized", ("share_",), self._sizes),
            ("totaled", (), self._totals),
            ("keyed", (), self._keys),
        ]
        for place in range(1, n_reasons + 1):
            makers.append((f"ranked_{place}", ("key_", "top_"), partial(self._top, place)))
        makers.append(("explained", (), partial(self._results, n_reasons)))
        live, found = [f"{self.own}leaf_0"], []
        for name, needed, make in makers:
            prefixes = tuple(f"{self.own}{prefix}" for prefix in needed)
            kept = [column for column in live if prefixes and column.startswith(prefixes)]
            made = make()
            found.append((name, [*kept, *made]))
            live = [*kept, *(text.rpartition(" AS ")[2] for text in made)]
        return found

    def _results(self, n_reasons: int) -> list[str]:
        """Return the names of the features that contribute most."""
        found = []
        for place in range(1, n_reasons + 1):
            top = f"{self.own}top_{place}"
            cases = [
                f"WHEN {top} = {self._key(j)} THEN {self.writer.dialect.literal(self.names[j])}"
                for j in self.features
            ]
            cases = [f"WHEN {top} = {self.writer.number(0.0)} THEN NULL", *cases]
            found.append(f"CASE {' '.join(cases)} END AS {self.own}reason_{place}")
        return found

    # ------------------------------------------------------------------ what each step adds

    def _parts(self) -> list[str]:
        return [
            f"{self._sum(one.terms(k, j))} AS {self._part(c, k, j)}"
            for c, one in enumerate(self.comparisons)
            for k in range(len(one.functions))
            for j in one.features
            if one.terms(k, j)
        ]

    def _sum(self, terms: Sequence[Term]) -> str:
        number, value = self.writer.number, self.writer.value
        parts = [f"({number(t.coef)}) * ({value(t)} - ({number(t.fill)}))" for t in terms]
        return " + ".join(parts)

    def _values(self) -> list[str]:
        found = []
        for c, one in self._open():
            for k, (at_mean, _) in enumerate(one.functions):
                parts = [self._part(c, k, j) for j in one.features if one.terms(k, j)]
                text = " + ".join([self.writer.number(at_mean), *parts])
                found.append(f"{text} AS {self._value(c, k)}")
        return found

    def _winners(self) -> list[str]:
        found = []
        for c, one in enumerate(self.comparisons):
            cases = [
                f"WHEN {self.own}leaf_0 IN ({', '.join(map(str, one.leaves(k)))}) THEN {k}"
                for k in range(len(one.functions))
                if one.leaves(k)
            ]
            if leaves := one.leaves(LARGEST):
                largest = first_largest(self._all_values(c, one))
                cases.append(
                    f"WHEN {self.own}leaf_0 IN ({', '.join(map(str, leaves))}) THEN {largest}"
                )
            found.append(f"CASE {' '.join(cases)} ELSE -1 END AS {self.own}winner_{c}")
        return found

    def _seconds(self) -> list[str]:
        found = []
        for c, one in enumerate(self.comparisons):
            values = self._all_values(c, one)
            cases = []
            for k in range(len(values)):
                others = [i for i in range(len(values)) if i != k]
                chosen = first_largest([values[i] for i in others], list(map(str, others)))
                cases.append(f"WHEN {k} THEN {chosen}")
            text = f"CASE {self.own}winner_{c} {' '.join(cases)} ELSE -1 END"
            found.append(f"{text} AS {self.own}second_{c}")
        return found

    def _shares(self) -> list[str]:
        found = []
        for c, one in enumerate(self.comparisons):
            for j in one.features:
                cases = " ".join(
                    f"WHEN {k} THEN {self._part(c, k, j)}"
                    for k in range(len(one.functions))
                    if one.terms(k, j)
                )
                zero = self.writer.number(0.0)
                winner, second = (
                    f"CASE {self.own}{which}_{c} {cases} ELSE {zero} END"
                    for which in ("winner", "second")
                )
                found.append(f"{winner} - {second} AS {self._share(c, j)}")
        return found

    def _sizes(self) -> list[str]:
        return [
            " + ".join(f"ABS({self._share(c, j)})" for j in one.features) + f" AS {self._size(c)}"
            for c, one in enumerate(self.comparisons)
        ]

    def _totals(self) -> list[str]:
        zero = self.writer.number(0.0)
        found = []
        for j in self.features:
            parts = [
                f"CASE WHEN {self._size(c)} > {zero} THEN {self._share(c, j)} / {self._size(c)} "
                f"ELSE {zero} END"
                for c, one in enumerate(self.comparisons)
                if j in one.features
            ]
            billionths = f"({' + '.join(parts)}) * {self.writer.number(1e9)}"
            found.append(f"FLOOR({billionths} + {self.writer.number(0.5)}) AS {self.own}total_{j}")
        return found

    def _keys(self) -> list[str]:
        number, base = self.writer.number, key_base(self.features)
        found = []
        for place, j in enumerate(self.features):
            key = f"{self.own}total_{j} * {number(base)}"
            key += f" + {number(float(len(self.features) - place))}"
            zero = number(0.0)
            text = f"CASE WHEN {self.own}total_{j} > {zero} THEN {key} ELSE {zero} END"
            found.append(f"{text} AS {self._key(j)}")
        return found

    def _top(self, place: int) -> list[str]:
        """Return the column of the largest key below the one before."""
        keys = [self._key(j) for j in self.features]
        if place > 1:
            before, zero = f"{self.own}top_{place - 1}", self.writer.number(0.0)
            keys = [f"CASE WHEN {key} < {before} THEN {key} ELSE {zero} END" for key in keys]
        return [f"{self._greatest(keys)} AS {self.own}top_{place}"]

    def _greatest(self, values: list[str]) -> str:
        if not values:
            return self.writer.number(0.0)
        while len(values) > 1:
            groups = range(0, len(values), _MOST_ARGUMENTS)
            values = [self._greatest_of(values[i : i + _MOST_ARGUMENTS]) for i in groups]
        return values[0]

    def _greatest_of(self, values: list[str]) -> str:
        # With one argument it would be an aggregate in SQLite.
        if len(values) == 1:
            return values[0]
        return f"{self.writer.dialect.greatest}({', '.join(values)})"

    # ------------------------------------------------------------------ names of columns

    def _open(self) -> list[tuple[int, Comparison]]:
        return [(c, one) for c, one in enumerate(self.comparisons) if one.is_open]

    def _all_values(self, c: int, one: Comparison) -> list[str]:
        return [self._value(c, k) for k in range(len(one.functions))]

    def _part(self, c: int, k: int, j: int) -> str:
        return f"{self.own}part_{c}_{k}_{j}"

    def _value(self, c: int, k: int) -> str:
        return f"{self.own}value_{c}_{k}"

    def _share(self, c: int, j: int) -> str:
        return f"{self.own}share_{c}_{j}"

    def _size(self, c: int) -> str:
        return f"{self.own}size_{c}"

    def _key(self, j: int) -> str:
        return f"{self.own}key_{j}"
