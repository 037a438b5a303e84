"""Parameters and states in files that an older release wrote.

A file without a parameter is older than the parameter: it gets the value that has the old meaning,
not the present default.
"""

from __future__ import annotations

from collections.abc import Container
from typing import Any

import numpy as np

from aslant.search import CARTLC, HHCART, OC1, SplitSearch

#: The version that is written, and the only one that is read.
VERSION = 2

#: Parameters that were renamed: {old name: name}. The old one is ignored if it is None.
_RENAMED = {
    "n_trees": "n_estimators",
    "strength": "l2",
    "price": "penalty",
    "many_levels": "high_cardinality",
}

#: Values that were renamed: {(parameter, old value): value}.
_RENAMED_VALUES = {("high_cardinality", "shares"): "target"}

# Systems that had all options of their search as parameters.
_SEARCH_OF: dict[str, type[SplitSearch]] = {"OC1": OC1, "CARTLC": CARTLC, "HHCART": HHCART}


def completed(name: str, parameters: dict[str, Any], known: Container[str]) -> dict[str, Any]:
    """Return class and parameters of an estimator, with those that are newer than the file.

    `known` are the parameters that the class has today.
    """
    older: dict[str, Any] = {}
    if "Forest" in name or "ExtraTrees" in name:
        older = {"max_levels": None}
    elif not name.startswith("AutoTree") and not name.endswith("Regressor"):
        # Only the message length tree smoothed its probabilities, by Laplace's rule.
        smoothing = "laplace" if name == "MMLTreeClassifier" else 0.0
        older = {"smoothing": smoothing, "missing": "node_mean", "max_levels": None}
    older = {key: value for key, value in older.items() if key in known}
    return {"class": name, "parameters": {**older, **_with_search(name, parameters, known)}}


def _with_search(name: str, given: dict[str, Any], known: Container[str]) -> dict[str, Any]:
    """Return the parameters of an estimator, some of which are now options of its search."""
    kind = _SEARCH_OF.get(name.removesuffix("Classifier").removesuffix("Regressor"))
    if kind is None or "search" in given:
        return given
    defaults = kind().get_params(deep=False)
    moved = {key: given[key] for key in given if key in defaults and key not in known}
    kept = {key: value for key, value in given.items() if key not in moved}
    if all(value == defaults[key] for key, value in moved.items()):
        return kept
    options = {key: given[key] for key in given if key in defaults}
    search = {"__object__": {"class": kind.__name__, "parameters": options}}
    return {key: value for key, value in kept.items() if key not in defaults} | {"search": search}


def renamed(parameters: dict[str, Any], known: Container[str]) -> dict[str, Any]:
    """Return parameters, and their values, under their present names."""
    found = {}
    for key, value in parameters.items():
        name = _RENAMED.get(key, key) if key not in known else key
        if name == key or value is not None:
            is_text = isinstance(value, str)
            found[name] = _RENAMED_VALUES.get((name, value), value) if is_text else value
    return found


def present_state(state: dict[str, Any]) -> dict[str, Any]:
    """Return the state of an estimator as the present release writes it."""
    member = state["members"][0] if state.get("members") else state
    if "tree" in member and "column_spread" not in state:
        # Older files know neither deviations nor validation rows.
        tree = member["tree"]
        spread, rows = np.ones(len(tree["column_feature"])), int(tree["n_node_samples"][0])
        state = {"n_samples_fit": rows, "column_spread": spread, **state}
    encoder = state.get("encoder")
    if not isinstance(encoder, dict) or "columns" in encoder:
        return state
    # Older files list the names of all features, and the levels of categories.
    levels = {int(j): list(own) for j, own in encoder["categories"]}
    columns = [
        {"name": name, "kind": "category", "levels": levels[j], "encoding": "levels"}
        if j in levels
        else {"name": name, "kind": "number"}
        for j, name in enumerate(encoder["feature_names"])
    ]
    present = {"columns": columns, "derived": [], "class_names": [], "shares": []}
    return {**state, "encoder": present}
