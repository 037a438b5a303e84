"""The data that the scripts of the page read, as plain values."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from typing import Any

import numpy as np
import scipy
import sklearn

from aslant.codegen.describe import describe
from aslant.codegen.rules import long_tests
from aslant.encoding.data_summary import findings
from aslant.inspection.formula import Style
from aslant.inspection.plots.colors import class_colors, hex_code
from aslant.inspection.reading import reading_of
from aslant.inspection.report_page.card import card_of
from aslant.inspection.report_page.cohorts import cohorts_of
from aslant.inspection.report_page.effects import effects_of
from aslant.inspection.report_page.fields import fields_of, states_of
from aslant.inspection.report_page.nodes import nodes_of
from aslant.inspection.report_page.quality import quality_of
from aslant.inspection.report_page.rules import rules_with_rows
from aslant.inspection.resolve import encoded_rows
from aslant.inspection.rows import KnownRows
from aslant.inspection.tables import row_labels
from aslant.inspection.targets import target_of

_DIGITS = 4


def content_of(
    estimator: Any,
    model: Any,
    X: Any,
    y: Any,
    max_rows: int,
    training: Any,
    card: Mapping[str, Any] | None,
    code: str,
) -> dict[str, Any]:
    """Return everything that the page shows besides the title and the model itself.

    `model` is the tree behind the estimator, `code` the same in JavaScript.
    """
    encoded = None if X is None else encoded_rows(model, X)
    truth = None
    if y is not None and encoded is not None:
        truth = target_of(model, y, len(encoded), "report")
    rows = None if encoded is None else KnownRows(model.tree_, encoded)
    is_rounded = model is estimator and hasattr(model, "digits_")
    reading = reading_of(estimator, "report", Style(digits=None if is_rounded else _DIGITS))
    classes = [str(label) for label in getattr(model, "classes_", np.zeros(0)).tolist()]
    description = describe(model, "report")
    states = None if encoded is None else states_of(model, description, X, encoded)
    return {
        "estimator": type(model).__name__,
        "classes": classes,
        "colors": [hex_code(color) for color in class_colors(max(1, len(classes)))],
        "outputs": description.n_outputs,
        "coverage": description.coverage,
        "inputs": fields_of(model, description, X, encoded),
        "nodes": nodes_of(model, reading, rows, truth),
        "isWeighted": reading.is_weighted,
        "isSoft": reading.is_soft,
        "remarks": reading.remarks(),
        "rows": _rows(model, description, X, encoded, truth, max_rows),
        "quality": _beside_training(model, quality_of(model, encoded, truth), training),
        "effects": effects_of(model, description, encoded, states, max_rows),
        "cohorts": cohorts_of(model, description, encoded, truth, states),
        "importances": _importances(model),
        "tests": {str(test): text for test, text in long_tests(reading)},
        "rules": rules_with_rows(reading, description, rows, truth),
        "data": _data(model, encoded, truth),
        "making": _making(model),
        "card": card_of(card, code, encoded, truth),
    }


def _data(model: Any, encoded: Any, truth: Any) -> dict[str, Any]:
    """Return the columns of the training table, and what deserves a look in the given rows."""
    columns = model.encoder_.columns_
    y = None if truth is None else truth if truth.ndim == 1 else truth[:, 0]
    n_classes = len(getattr(model, "classes_", ()))
    found = [] if encoded is None else findings(columns, encoded, y, n_classes)
    return {
        "columns": [[column.name, column.describe()] for column in columns],
        "findings": [f"{one}." for one in found],
    }


def _beside_training(model: Any, quality: Any, training: Any) -> dict[str, Any] | None:
    """Return the quality; each measure is followed by that on the training rows, if given."""
    if quality is None or training is None:
        return quality
    X, y = training
    encoded = encoded_rows(model, X)
    own = quality_of(model, encoded, target_of(model, y, len(encoded), "report"))
    assert own is not None
    beside = dict(own["measures"])
    measures = [[name, value, beside.get(name)] for name, value in quality["measures"]]
    return {**quality, "measures": measures, "trainingRows": own["rows"]}


def _rows(
    model: Any, description: Any, X: Any, encoded: Any, truth: Any, max_rows: int
) -> dict[str, Any] | None:
    """Return some of the rows, evenly spaced, as states of the form."""
    if encoded is None or max_rows == 0:
        return None
    chosen = np.unique(np.linspace(0, len(encoded) - 1, min(max_rows, len(encoded))).astype(int))
    states = states_of(model, description, X, encoded)
    labels = row_labels(X, len(encoded))
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


def _making(model: Any) -> dict[str, Any]:
    """Return the parameters, the candidates that auto compared, and versions."""
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
        "edits": getattr(model, "edits_", []),
        "versions": versions,
    }


def _plain(value: Any) -> Any:
    """Return a value as the page shows it."""
    if isinstance(value, float | np.floating):
        return f"{value:.4g}"
    return str(value)
