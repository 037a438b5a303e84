"""The reasons of a prediction as cells of a sheet: see `aslant.codegen.reasons`."""

from __future__ import annotations

from typing import Protocol

from aslant.codegen.description import Description, Term
from aslant.codegen.excel_cells import cell_range, literal, place_of_largest
from aslant.codegen.reasons import LARGEST, Comparison, each_comparison, features_of, key_base


class SheetWriter(Protocol):
    """What reasons need of the writer of a sheet."""

    description: Description

    def add(self, heading: str, formula: str) -> str:
        """Add a cell, and return its name."""

    def number(self, value: float) -> str:
        """Return a constant."""

    def value(self, term: Term) -> str:
        """Return the value of a term; its fill where it is missing."""

    def array(self, values: list[float]) -> str:
        """Return an array constant."""


def add_reasons(writer: SheetWriter, leaf: str, n_reasons: int) -> None:
    """Add the cells of all comparisons, and the names of the features that contribute most."""
    comparisons = each_comparison(writer.description)
    features = features_of(comparisons)
    shares: dict[int, list[str]] = {j: [] for j in features}
    for c, one in enumerate(comparisons):
        own = _shares(writer, leaf, c, one)
        size = writer.add(f"size of {c}", "+".join(f"ABS({cell})" for cell in own.values()))
        for j, cell in own.items():
            shares[j].append(f"IF({size}>0,{cell}/{size},0)")
    names = [feature.name for feature in writer.description.features]
    totals = {
        j: writer.add(f"contribution of {names[j]}", f"INT(({'+'.join(own)})*1E9+0.5)")
        for j, own in shares.items()
    }
    base = key_base(features)
    keys = [
        writer.add(
            f"key of {names[j]}",
            f"IF({totals[j]}>0,{totals[j]}*{writer.number(base)}+{len(features) - place},0)",
        )
        for place, j in enumerate(features)
    ]
    listed = ",".join(literal(names[j]) for j in features)
    for place in range(1, n_reasons + 1):
        formula = '""'
        if place <= len(keys):
            key = f"LARGE({cell_range(keys)},{place})"
            formula = f'IF({key}=0,"",INDEX({{{listed}}},MATCH({key},{cell_range(keys)},0)))'
        writer.add(f"reason {place}", formula)


def _shares(writer: SheetWriter, leaf: str, c: int, one: Comparison) -> dict[int, str]:
    """Add what each feature adds to a comparison; 0 if it is not on the path."""
    if not one.is_open:
        n_leaves = len(writer.description.leaves()[0])
        signs = [_sign(one.winner.get(place)) for place in range(n_leaves)]
        sign = writer.add(f"sign of {c}", f"INDEX({writer.array(signs)},{leaf})")
        found = {}
        for j in one.features:
            first, second = _part(writer, one, 0, j), _part(writer, one, 1, j)
            difference = second if first == "0" else f"{second}-({first})"
            found[j] = writer.add(f"part of {c} {j}", f"{sign}*({difference})")
        return found
    return _open_shares(writer, leaf, c, one)


def _sign(winner: int | None) -> float:
    """Return 1 if the second function wins, -1 if the first does, 0 off the path."""
    return 0.0 if winner is None else 1.0 if winner == 1 else -1.0


def _open_shares(writer: SheetWriter, leaf: str, c: int, one: Comparison) -> dict[int, str]:
    """Add parts and values of every function, the largest and the second."""
    places = range(len(one.functions))
    parts = {
        j: [writer.add(f"part of {c} {k} {j}", _part(writer, one, k, j)) for k in places]
        for j in one.features
    }
    values = [
        writer.add(
            f"value of {c} {k}",
            "+".join([writer.number(at_mean), *(parts[j][k] for j in one.features)]),
        )
        for k, (at_mean, _) in enumerate(one.functions)
    ]
    n_leaves = len(writer.description.leaves()[0])
    known = [float(one.winner.get(place, -2) + 1) for place in range(n_leaves)]
    winner = f"INDEX({writer.array(known)},{leaf})"  # 0: the largest; -1: not on the path
    if one.leaves(LARGEST):
        winner = f"IF({winner}=0,{place_of_largest(values)},{winner})"
    winner = writer.add(f"winner of {c}", winner)
    others = [
        writer.add(f"other {k} of {c}", f"IF({winner}={k + 1},-1E+307,{value})")
        for k, value in enumerate(values)
    ]
    second = writer.add(f"second of {c}", place_of_largest(others))
    return {
        j: writer.add(
            f"part of {c} {j}",
            f"IF({winner}<0,0,INDEX({cell_range(own)},MAX(1,{winner}))"
            f"-INDEX({cell_range(own)},{second}))",
        )
        for j, own in parts.items()
    }


def _part(writer: SheetWriter, one: Comparison, function: int, feature: int) -> str:
    """Return coefficient * (value - mean), summed over the levels of a feature."""
    parts = [
        f"({writer.number(term.coef)})*({writer.value(term)}-({writer.number(term.fill)}))"
        for term in one.terms(function, feature)
    ]
    return "+".join(parts) or "0"
