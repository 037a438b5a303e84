"""Files of older versions of the format, put into the terms of the present one.

Version 1 (until the pruning of a system was an object)
    A name such as ``"cost_complexity"`` meant another pruner in each system, and some parameters
    had other names.

A file that says nothing of a parameter is older than the parameter: it gets the value that means
what was done then, not the present default.
"""

from __future__ import annotations

from typing import Any

#: The version that is written.
VERSION = 2

# Parameters by class: {old name: name}.
_TREES, _CASES = {"n_trees": "n_estimators"}, {"min_cases": "min_samples_branch"}
_OBLIQUE, _LEVEL = {"min_rows": "min_samples_oblique"}, {"alpha": "significance"}
_RENAMED_IN_2 = {
    "KDTClassifier": _TREES,
    "MMLTreeClassifier": _TREES,
    "C45Classifier": _CASES,
    "C45": _CASES,
    "FisherTreeClassifier": _CASES,
    "Fisher": _CASES,
    "OC1Classifier": _OBLIQUE,
    "OC1": _OBLIQUE,
    "QUESTClassifier": _LEVEL,
    "QUEST": _LEVEL,
}
# Saved with all their parameters from the beginning.
_COMPLETE = {
    "AutoTreeClassifier",
    "ObliqueRandomForestClassifier",
    "ObliqueExtraTreesClassifier",
}
_CODE = ("alpha", "direction", "position", "max_features_per_test")


def in_present_terms(estimator: Any, version: int) -> Any:
    """Return class and parameters of an estimator as a file of the present version has them."""
    found = _completed(estimator if version >= 2 else _from_version_1(estimator))
    parameters = found.get("parameters") if isinstance(found, dict) else None
    if isinstance(parameters, dict) and parameters.get("many_levels") == "shares":
        parameters["many_levels"] = "target"  # its name in files of aslant 0.1
    return found


def _completed(content: Any) -> Any:
    """Return an estimator with the parameters that there were not yet when it was saved."""
    if not isinstance(content, dict) or not isinstance(content.get("parameters"), dict):
        return content
    if content.get("class") in _COMPLETE or str(content.get("class")).endswith("Regressor"):
        return content
    # Only the message length tree smoothed its probabilities, by Laplace's rule.
    smoothing = "laplace" if content.get("class") == "MMLTreeClassifier" else 0.0
    then = {"smoothing": smoothing, "missing": "node_mean", "max_levels": None}
    return {**content, "parameters": {**then, **content["parameters"]}}


def _from_version_1(content: Any) -> Any:
    """Return an object, and those among its parameters, with the names of version 2.

    What is not an object is left as it is, for the reader to complain of.
    """
    if not isinstance(content, dict) or not isinstance(content.get("parameters"), dict):
        return content
    system = content.get("class")
    names = _RENAMED_IN_2.get(system, {}) if isinstance(system, str) else {}
    parameters = {names.get(k, k): _nested(v) for k, v in content["parameters"].items()}
    pruner = _pruner_of_version_1(system, parameters)
    if pruner is not None:
        parameters["pruning"] = {"__object__": pruner}
    return {**content, "parameters": parameters}


def _nested(value: Any) -> Any:
    if isinstance(value, list):
        return [_nested(item) for item in value]
    if isinstance(value, dict) and set(value) == {"__object__"}:
        return {"__object__": _from_version_1(value["__object__"])}
    return value


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
