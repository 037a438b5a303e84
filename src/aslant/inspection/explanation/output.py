"""What a model says of rows that are encoded already: probabilities of classes, or numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import is_regressor

from aslant.codegen.describe import combination_of
from aslant.codegen.description import Combination

Array = npt.NDArray[np.float64]


def members_of(model: Any, caller: str) -> list[Any]:
    """Return the trees of a model; one clear error if it is none of ours."""
    combination_of(model, caller)
    return list(getattr(model, "estimators_", [model]))


def outputs(model: Any, encoded: npt.NDArray[np.floating[Any]], caller: str = "explain") -> Array:
    """Return what the model says before the rows were encoded, a column for each class or output.

    For a classifier that is what ``predict_proba`` returns, for a regressor ``predict``.
    """
    if is_regressor(model):
        return np.asarray(model._predictions_at(encoded))
    return probabilities(model, encoded, caller)


def probabilities(
    model: Any, encoded: npt.NDArray[np.floating[Any]], caller: str = "explain"
) -> Array:
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
