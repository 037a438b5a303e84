"""The leaves as rules, each with what its rows have and what they get."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from aslant.codegen.description import Combination, Description
from aslant.codegen.rules import rules_of
from aslant.inspection.reading import Reading
from aslant.inspection.resolve import outputs
from aslant.inspection.rows import KnownRows

Array = npt.NDArray[Any]


def rules_with_rows(
    reading: Reading, description: Description, rows: KnownRows | None, truth: Array | None
) -> list[dict[str, Any]]:
    """Return the rules of a tree.

    ``observed`` holds the share of each class, or the mean of each output, among the given rows of
    a rule; among its training rows if no targets are given. ``predicted`` holds mean, least and
    greatest of what `predict_proba`, or `predict` of a regressor, gives to the rows; None if that
    depends on rows that are not known.
    """
    nodes = description.trees[0]
    predicted = None if rows is None else outputs(reading.fitted, np.asarray(rows.encoded))
    found = []
    for rule in rules_of(reading):
        here = None if rows is None else rows.at[rule.node]
        own = None if here is None or truth is None or not len(here) else truth[here]
        found.append(
            {
                "node": rule.node,
                "conditions": [text for _, text in rule.conditions],
                "outcome": reading.outcome(rule.node)[0],
                "rows": int(nodes[rule.node].rows),
                "given": None if here is None else len(here),
                "observed": _observed(reading, description, rule.node, own),
                "predicted": _predicted(description, rule.node, predicted, here),
            }
        )
    return found


def _observed(
    reading: Reading, description: Description, node: int, truth: Array | None
) -> list[float]:
    """Return the class shares, or the mean target, of given rows, else of training rows."""
    value: Array = reading.counts(node)
    if truth is not None and description.classes:
        value = np.bincount(truth, minlength=len(description.classes))
    elif truth is not None:
        value = truth.mean(axis=0)
    shares = value / value.sum() if description.classes else value
    return [_short(one) for one in shares.tolist()]


def _predicted(
    description: Description, node: int, predicted: Array | None, rows: Array | None
) -> list[list[float]] | None:
    """Return mean, least and greatest prediction of the rows, by output."""
    if predicted is not None and rows is not None and len(rows):
        own = predicted[rows]
        three = np.stack([own.mean(axis=0), own.min(axis=0), own.max(axis=0)], axis=1)
        return [[_short(one) for one in line] for line in three.tolist()]
    if description.combination is Combination.SOFT or description.is_linear:
        return None
    return [[_short(one)] * 3 for one in description.trees[0][node].output]


def _short(value: float) -> float:
    return float(f"{value:.5g}")
