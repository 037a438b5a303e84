"""The constraints of a fitted model in words."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from aslant.estimators.constraints import interaction_groups, monotonic_signs

# More groups of features than this are counted, not listed.
_MOST_GROUPS = 12


def constraint_lines(model: Any) -> list[str]:
    """Return a sentence for each constraint that a fitted model keeps."""
    return [*_monotone_lines(model), *_group_lines(model)]


def _monotone_lines(model: Any) -> list[str]:
    """Return a sentence for each feature that predictions are monotone in."""
    classes = getattr(model, "classes_", None)
    what = "The prediction" if classes is None else f"The probability of {classes[-1]}"
    names, source = model.encoder_.input_names, model.encoder_.source
    verbs = {1: "falls", -1: "rises"}
    signs = _signs(model)
    return [
        f"{what} never {verbs[int(signs[j])]} as {names[source[j]]} grows."
        for j in np.flatnonzero(signs)
    ]


def _signs(model: Any) -> npt.NDArray[Any]:
    """Return the monotonic constraint of each encoded feature."""
    if hasattr(model, "tree_"):  # which knows it even if it was made from a pipeline
        signs = np.zeros(len(model.encoder_.source))
        signs[model.tree_.column_feature] = model.tree_.column_sign
        return signs
    names = getattr(model, "feature_names_in_", None)
    given = getattr(model, "monotonic_cst", None)
    try:
        return np.asarray(monotonic_signs(given, model.encoder_, names))
    except (TypeError, ValueError):  # a parameter that was changed after the fit, or in a file
        return np.zeros(0)


def _group_lines(model: Any) -> list[str]:
    """Return a sentence for each group of features that may interact."""
    given = getattr(model, "interaction_cst", None)
    encoder = model.encoder_
    try:
        groups = interaction_groups(given, encoder, getattr(model, "feature_names_in_", None))
    except (TypeError, ValueError):  # a parameter that was changed after the fit, or in a file
        return []
    if len(groups) > _MOST_GROUPS:
        return [f"The tests of a path read features of one of {len(groups)} groups."]
    source = np.asarray(encoder.source)
    return [
        "The tests of a path may read together: "
        + ", ".join(encoder.input_names[j] for j in np.unique(source[group]))
        + "."
        for group in groups
    ]
