"""Quality by cohort: the given rows grouped by the levels, or by quarters, of an input."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import is_regressor

from aslant.codegen.description import Description, Input
from aslant.encoding.dates import date_of
from aslant.inspection.report_page.effects import most_important
from aslant.inspection.resolve import on_encoded_rows, outputs

_LEAST_ROWS = 5  # smaller groups are not shown
_MOST_LEVELS = 12


def cohorts_of(
    model: Any, description: Description, encoded: Any, truth: Any, states: Any
) -> list[dict[str, Any]]:
    """Return groups of rows by each of the most important inputs.

    A group holds its name, the number of rows, accuracy or mean absolute error, and observed and
    mean predicted share of the last class, or mean target and mean prediction.
    """
    if encoded is None or truth is None:
        return []
    predicted = outputs(model, encoded)
    if is_regressor(model):
        error = np.abs(predicted - truth).mean(axis=1)
        observed = truth[:, -1]
    else:
        labels = np.searchsorted(model.classes_, on_encoded_rows(model).predict(encoded))
        error = (labels == truth).astype(np.float64)
        observed = (truth == len(model.classes_) - 1).astype(np.float64)
    found = []
    for j in most_important(model):
        groups = [
            [
                name,
                int(rows.sum()),
                *(_short(one[rows]) for one in (error, observed, predicted[:, -1])),
            ]
            for name, rows in _groups(description.inputs[j], [state[j] for state in states])
            if rows.sum() >= _LEAST_ROWS
        ]
        if len(groups) > 1:
            found.append({"input": j, "groups": groups})
    return found


def _short(values: npt.NDArray[Any]) -> float:
    return float(f"{values.mean():.5g}")


def _groups(given: Input, states: list[Any]) -> Iterator[tuple[str, npt.NDArray[np.bool_]]]:
    """Yield the name of a group and which rows belong to it."""
    values = np.array([np.nan if state is None else float(state) for state in states])
    known = values[~np.isnan(values)]
    if given.kind == "levels":
        codes, counts = np.unique(known, return_counts=True)
        for code in codes[np.argsort(-counts, kind="stable")][:_MOST_LEVELS]:
            is_own = int(code) < len(given.levels)
            yield str(given.levels[int(code)]) if is_own else "another level", values == code
    elif len(known):
        edges = np.unique(np.quantile(known, [0.0, 0.25, 0.5, 0.75, 1.0]))
        for k, (low, high) in enumerate(pairwise(edges)):
            name = f"{_text(given, low)} to {_text(given, high)}"
            yield name, ((values >= low) if k == 0 else (values > low)) & (values <= high)
    if len(known) < len(values):
        yield "missing", np.isnan(values)


def _text(given: Input, value: float) -> str:
    return date_of(value, with_time=False) if given.kind == "date" else f"{value:.4g}"
