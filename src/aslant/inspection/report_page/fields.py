"""The form of the page: a field for each input, and rows as states of the form.

A state holds for each input a number, the code of a level, or None if it is missing.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from aslant.codegen.description import Description, Input
from aslant.inspection.rows import features_read

Encoded = npt.NDArray[np.float64]


def fields_of(
    model: Any, description: Description, X: Any, encoded: Encoded | None
) -> list[dict[str, Any]]:
    """Return a field for each input: its kind, levels, range, and initial value."""
    used = {description.features[j].source for j in features_read([model.tree_])}
    states = None if encoded is None else states_of(model, description, X, encoded)
    fields = []
    for j, given in enumerate(description.inputs):
        column = [] if states is None else [state[j] for state in states if state[j] is not None]
        field: dict[str, Any] = {"name": given.name, "kind": given.kind, "used": j in used}
        if given.kind == "levels":
            field |= _level_field(given, column)
        else:
            known = np.array(column, dtype=np.float64)
            field |= _number_field(known) if len(known) else _guessed(model, j)
            field["unit"] = _unit(model, j)
        fields.append(field)
    return fields


def _unit(model: Any, feature: int) -> float | None:
    """Return the standard deviation of a number over the training rows, None if it is not known."""
    spread = getattr(model, "column_spread_", None)
    columns = np.flatnonzero(model.tree_.column_feature == feature)
    if spread is None or not len(columns) or not 0.0 < spread[columns[0]] < np.inf:
        return None
    return float(f"{spread[columns[0]]:.6g}")


def _level_field(given: Input, column: list[Any]) -> dict[str, Any]:
    codes = np.array(column, dtype=np.intp)
    start = int(np.bincount(codes).argmax()) if len(codes) else (0 if given.levels else None)
    return {"levels": list(given.levels), "unknown": given.unknown, "start": start}


def _number_field(known: Encoded) -> dict[str, Any]:
    is_whole = bool((known == np.round(known)).all())
    middle = float(np.median(known))
    return {
        "low": float(known.min()),
        "high": float(known.max()),
        "whole": is_whole,
        "start": float(np.round(middle)) if is_whole else float(f"{middle:.5g}"),
    }


def _guessed(model: Any, feature: int) -> dict[str, Any]:
    """Return a range from the mean at a node and the standard deviation."""
    tree = model.tree_
    column = int(np.flatnonzero(tree.column_feature == feature)[0])
    entries = np.flatnonzero(tree.coef_column == column)
    spread = getattr(model, "column_spread_", None)
    if len(entries) == 0 or spread is None or not np.isfinite(spread[column]):
        return {"low": None, "high": None, "whole": False, "start": None}
    mean, width = float(tree.coef_fill[entries[0]]), 3.0 * float(spread[column])
    mean = float(f"{mean:.4g}")
    return {"low": mean - width, "high": mean + width, "whole": False, "start": mean}


def states_of(
    model: Any, description: Description, X: Any, encoded: Encoded
) -> list[list[float | int | None]]:
    """Return rows as states: target encodings are brought back to level codes."""
    columns = []
    for j, given in enumerate(description.inputs):
        column = encoded[:, j]
        if j in model.encoder_.target_encodings:
            found = model.encoder_.level_codes(X, j)
            column = np.where(found < 0, float(given.unknown or 0), found)
        columns.append([_state(value, given) for value in column.tolist()])
    return [list(state) for state in zip(*columns, strict=True)]


def _state(value: float, given: Input) -> float | int | None:
    if value != value:
        return None
    return int(value) if given.kind == "levels" else value
