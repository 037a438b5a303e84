"""Names of cells, ranges and constants of a sheet."""

from __future__ import annotations

from collections.abc import Sequence

from aslant.codegen.description import Label


def cell(column: int) -> str:
    """Return the name of a cell of the second line: ``A2``, ..., ``Z2``, ``AA2``."""
    letters, left = "", column + 1
    while left:
        left, letter = divmod(left - 1, 26)
        letters = chr(ord("A") + letter) + letters
    return f"{letters}2"


def cell_range(cells: Sequence[str]) -> str:
    """Return neighboring cells as a range."""
    return f"{cells[0]}:{cells[-1]}"


def place_of_largest(cells: Sequence[str]) -> str:
    """Return the place of the first largest among neighboring cells, counted from 1."""
    return f"MATCH(MAX({cell_range(cells)}),{cell_range(cells)},0)"


def equals(place: str, level: Label) -> str:
    """Return 1 if a cell has a level; texts are compared with case."""
    if isinstance(level, str):
        return f"EXACT({place},{literal(level)})"
    return f"({place}={literal(level)})"


def literal(label: Label) -> str:
    """Return a label as a constant; a tab or an end of line would end the cell."""
    if isinstance(label, bool):
        return str(label).upper()
    if not isinstance(label, str):
        return repr(label).upper()
    if len(label) > 255 or not label.isprintable():
        raise ValueError(
            "Excel needs classes, levels and reasons of at most 255 printable characters, got "
            f"{label!r}."
        )
    return '"' + label.replace('"', '""') + '"'
