"""Partial dependence: what the model predicts if one input has the same value in all rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from aslant.codegen.description import Description
from aslant.inspection.changed_rows import with_value
from aslant.inspection.resolve import outputs

Array = npt.NDArray[np.float64]

_MOST_INPUTS = 12
_MOST_ROWS = 300
_MOST_POINTS = 25
_MOST_LEVELS = 30
_MOST_LINES = 25
_BAND = (0.1, 0.9)


def effects_of(
    model: Any, description: Description, encoded: Array | None, states: Any, max_rows: int
) -> list[dict[str, Any]]:
    """Return a curve for each of the most important inputs, over the given rows.

    Each holds the values, and for each of them and each output mean, tenth and ninetieth
    percentile over the rows; ``lines`` are single rows (individual conditional expectation), as
    many as the page may hold.
    """
    if encoded is None:
        return []
    chosen = np.unique(np.linspace(0, len(encoded) - 1, min(_MOST_ROWS, len(encoded))).astype(int))
    rows = encoded[chosen]
    lines = np.unique(np.linspace(0, len(rows) - 1, min(max_rows, _MOST_LINES)).astype(int))
    found = []
    for j in most_important(model):
        values = _grid(description, j, [state[j] for state in states if state[j] is not None])
        if len(values) < 2:
            continue
        predicted = np.stack(
            [outputs(model, with_value(description, rows, j, value)) for value in values]
        )
        low, high = np.quantile(predicted, _BAND, axis=1)
        found.append(
            {
                "input": j,
                "values": values,
                "mean": _short(predicted.mean(axis=1)),
                "low": _short(low),
                "high": _short(high),
                "lines": _short(predicted[:, lines, -1].T) if max_rows else [],
            }
        )
    return found


def most_important(model: Any) -> list[int]:
    """Return the inputs that the model reads, the most important first, at most a dozen."""
    shares = np.asarray(model.feature_importances_)
    order = np.argsort(-shares, kind="stable")[:_MOST_INPUTS]
    return [int(j) for j in order if shares[j] > 0.0]


def _grid(description: Description, j: int, known: list[Any]) -> list[float]:
    """Return the levels that occur, the most frequent first, or quantiles of numbers."""
    if description.inputs[j].kind == "levels":
        codes, counts = np.unique(np.array(known, dtype=np.intp), return_counts=True)
        return [int(code) for code in codes[np.argsort(-counts, kind="stable")][:_MOST_LEVELS]]
    values = np.array(known, dtype=np.float64)
    values = values[np.isfinite(values)]
    if not len(values):
        return []
    points = np.quantile(values, np.linspace(0.0, 1.0, _MOST_POINTS), method="nearest")
    return [float(value) for value in np.unique(points)]


def _short(values: Array) -> list[Any]:
    """Return the values to five digits of the largest."""
    size = float(np.abs(values).max(initial=0.0))
    digits = 5 - int(np.ceil(np.log10(size))) if 0.0 < size < np.inf else 5
    rounded: list[Any] = np.round(values, digits).tolist()
    return rounded
