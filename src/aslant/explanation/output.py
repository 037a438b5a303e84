"""Class probabilities of a model for rows that are encoded already."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import is_regressor

from aslant.ship.describe import combination_of
from aslant.ship.description import Combination


def members_of(model: Any, caller: str) -> list[Any]:
    """Return the trees of a model; one clear error if it is none of ours."""
    if is_regressor(model):
        raise TypeError(
            f"{caller} explains predicted classes, and {type(model).__name__} predicts numbers."
        )
    combination_of(model, caller)
    return list(getattr(model, "estimators_", [model]))


def probabilities(
    model: Any, encoded: npt.NDArray[np.floating[Any]], caller: str = "explain"
) -> npt.NDArray[np.float64]:
    """Return what ``predict_proba`` returns for the rows before they were encoded."""
    combination, weights, divisor = combination_of(model, caller)
    if combination in (Combination.SINGLE, Combination.SOFT):
        return np.asarray(model._frequencies_at(encoded))
    total = np.zeros((len(encoded), len(model.classes_)))
    for member, weight in zip(members_of(model, caller), weights, strict=True):
        share = member._frequencies_at(encoded)
        if combination is Combination.VOTES:
            share = np.eye(len(model.classes_))[share.argmax(axis=1)]
        total += weight * share
    return total / divisor
