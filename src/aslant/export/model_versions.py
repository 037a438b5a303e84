"""Files of older versions of the format, put into the terms of the present one.

Version 1 (until the pruning of a system was an object)
    A name such as ``"cost_complexity"`` meant another pruner in each system, and ``n_estimators``
    was called ``n_trees``.
"""

from __future__ import annotations

from typing import Any

#: The version that is written.
VERSION = 2

_CODE = ("alpha", "direction", "position", "max_features_per_test")


def in_present_terms(estimator: Any, version: int) -> Any:
    """Return class and parameters of an estimator as a file of the present version has them."""
    if version >= 2 or not isinstance(estimator, dict):
        return estimator
    parameters = estimator.get("parameters")
    if not isinstance(parameters, dict):
        return estimator
    renamed = {
        "n_estimators" if name == "n_trees" else name: value for name, value in parameters.items()
    }
    pruner = _pruner_of_version_1(estimator.get("class"), renamed)
    if pruner is not None:
        renamed["pruning"] = {"__object__": pruner}
    return {**estimator, "parameters": renamed}


def _pruner_of_version_1(system: Any, parameters: dict[str, Any]) -> dict[str, Any] | None:
    """Return the pruner that a name meant in one of the systems, None if what it means now."""
    name = parameters.get("pruning")
    if name == "cost_complexity":
        own = {
            "OC1Classifier": {"validation": 0.1, "keep_root": True},
            "CARTLCClassifier": {"validation": 0.1, "keep_root": True},
            "QUESTClassifier": {"cv": 10},
            "PolePairClassifier": {"cv": 10, "leaf_matching": True},
        }
        if isinstance(system, str) and system in own:
            return {"class": "CostComplexity", "parameters": own[system]}
    if name == "reduced_error" and system == "LMDTClassifier":
        return {"class": "ReducedError", "parameters": {"validation": 0.1}}
    if name == "mml" and system == "MMLTreeClassifier":
        code = {part: parameters[part] for part in _CODE if part in parameters}
        return {"class": "MessageLengthPruning", "parameters": code}
    return None
