"""What the scripts of the page read: the model, and what rows say of it, as plain values."""

from __future__ import annotations

import platform
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy
import sklearn
from sklearn.base import is_regressor

from aslant.codegen.describe import describe
from aslant.codegen.rules import _rules_of
from aslant.inspection.plots.drawing import class_colours, hex_code
from aslant.inspection.plots.projection import KnownRows
from aslant.inspection.reading import Style, reading_of
from aslant.inspection.report_page.fields import fields_of, states_of
from aslant.inspection.report_page.nodes import nodes_of
from aslant.inspection.report_page.quality import quality_of

_DIGITS = 4


def content_of(model: Any, X: Any, y: Any, title: str, max_rows: int) -> dict[str, Any]:
    """Return everything that the page shows besides the model itself."""
    encoded = None if X is None else np.asarray(model._encoded(X, dense=True), dtype=np.float64)
    truth = None if y is None or encoded is None else _checked_target(model, y, len(encoded))
    rows = None if encoded is None else KnownRows(model.tree_, encoded)
    digits = getattr(model, "digits_", None)
    reading = reading_of(model, "report", Style(digits=_DIGITS if digits is None else None))
    classes = [str(label) for label in getattr(model, "classes_", np.zeros(0)).tolist()]
    description = describe(model, "report")
    return {
        "title": title,
        "estimator": type(model).__name__,
        "classes": classes,
        "colours": [hex_code(colour) for colour in class_colours(max(1, len(classes)))],
        "outputs": description.n_outputs,
        "inputs": fields_of(model, description, X, encoded),
        "nodes": nodes_of(model, reading, rows, truth),
        "isWeighted": reading.is_weighted,
        "isSoft": reading.is_soft,
        "remarks": reading.remarks(),
        "rows": _rows(model, description, X, encoded, truth, max_rows),
        "quality": None if truth is None else quality_of(model, X, truth),
        "importances": _importances(model),
        "rules": _rules(reading, classes, description.trees[0]),
        "making": _making(model),
    }


def _checked_target(model: Any, y: Any, n_rows: int) -> npt.NDArray[Any]:
    """Return class codes, or numbers; one clear error if y does not belong to the model or X."""
    target = np.asarray(y)
    if len(target) != n_rows:
        raise ValueError(f"report needs one y for each row of X, got {len(target)} for {n_rows}.")
    if is_regressor(model):
        return target.astype(np.float64).reshape(n_rows, -1)
    code = {label: k for k, label in enumerate(model.classes_.tolist())}
    unknown = [label for label in target.ravel().tolist() if label not in code]
    if unknown:
        raise ValueError(
            f"report needs y of the classes that the model knows, got {unknown[0]!r}, which is "
            "none of them."
        )
    return np.array([code[label] for label in target.ravel().tolist()])


def _rows(
    model: Any, description: Any, X: Any, encoded: Any, truth: Any, max_rows: int
) -> dict[str, Any] | None:
    """Return some of the rows, evenly spread, as states of the form."""
    if encoded is None or max_rows == 0:
        return None
    chosen = np.unique(np.linspace(0, len(encoded) - 1, min(max_rows, len(encoded))).astype(int))
    states = states_of(model, description, X, encoded)
    labels = list(X.index) if hasattr(X, "iloc") else list(range(len(encoded)))
    return {
        "names": [str(labels[i]) for i in chosen],
        "states": [states[i] for i in chosen],
        "truth": None if truth is None else truth[chosen].tolist(),
    }


def _importances(model: Any) -> list[list[Any]]:
    shares = np.asarray(model.feature_importances_)
    order = np.argsort(-shares, kind="stable")
    names = model.encoder_.input_names
    return [[names[j], round(float(shares[j]), 6)] for j in order if shares[j] > 0.0]


def _rules(reading: Any, classes: list[str], nodes: Any) -> list[dict[str, Any]]:
    return [
        {
            "node": rule.node,
            "conditions": [text for _, text in rule.conditions],
            "tests": [test for test, _ in rule.conditions],
            "outcome": reading.outcome(rule.node)[0],
            "rows": int(nodes[rule.node].rows),
            "shares": [round(share, 4) for share in nodes[rule.node].output] if classes else [],
        }
        for rule in _rules_of(reading)
    ]


def _making(model: Any) -> dict[str, Any]:
    """Return the parameters, what auto compared, and versions."""
    import aslant

    defaults = type(model)().get_params(deep=False)
    parameters = [
        [name, repr(value), repr(value) != repr(defaults.get(name))]
        for name, value in model.get_params(deep=False).items()
    ]
    candidates = [
        {key: _plain(value) for key, value in record.items()}
        for record in getattr(model, "candidates_", [])
    ]
    versions = {
        "aslant": aslant.__version__,
        "scikit-learn": sklearn.__version__,
        "NumPy": np.__version__,
        "SciPy": scipy.__version__,
        "Python": platform.python_version(),
    }
    return {
        "parameters": parameters,
        "choice": getattr(model, "choice_", None),
        "candidates": candidates,
        "trainingRows": getattr(model, "n_samples_fit_", None),
        "versions": versions,
    }


def _plain(value: Any) -> Any:
    """Return a value as the page shows it."""
    if isinstance(value, float | np.floating):
        return f"{value:.4g}"
    return str(value)
