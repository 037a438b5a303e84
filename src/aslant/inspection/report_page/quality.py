"""Scores of a model on the rows that the page is given."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import is_regressor
from sklearn.metrics import roc_auc_score, roc_curve

from aslant.inspection.resolve import on_encoded_rows

Array = npt.NDArray[np.float64]

_MOST_POINTS = 200
_ROWS_A_POINT = 5
_CALIBRATION_BINS = 10


def quality_of(
    model: Any, encoded: Array | None, truth: npt.NDArray[Any] | None
) -> dict[str, Any] | None:
    """Return scores, and rows and errors by leaf, of encoded rows; None without targets."""
    if encoded is None or truth is None:
        return None
    asked = on_encoded_rows(model)
    leaf, predictions = np.asarray(asked.apply(encoded)), np.asarray(asked.predict(encoded))
    if leaf.ndim > 1:  # several trees have no leaves in common
        leaf = np.zeros(len(leaf), dtype=np.intp)
    if is_regressor(model):
        return _of_regressor(predictions.reshape(len(truth), -1), truth, leaf)
    labels = model.classes_.tolist()
    predicted = np.searchsorted(model.classes_, predictions)
    proba = asked.predict_proba(encoded)
    wrong = predicted != truth
    confusion = np.zeros((len(labels), len(labels)), dtype=np.intp)
    np.add.at(confusion, (truth, predicted), 1)
    own = proba[np.arange(len(truth)), truth]
    least = np.finfo(np.float64).eps  # a probability of 0 has no finite log loss
    measures = [
        ["accuracy", _percent(1.0 - wrong.mean())],
        ["log loss", f"{-np.log(np.clip(own, least, 1.0)).mean():.4f}"],
        ["mean probability of the true class", _percent(own.mean())],
    ]
    made: dict[str, Any] = {
        "rows": len(truth),
        "measures": measures,
        "confusion": confusion.tolist(),
        "leaves": _by_leaf(leaf, wrong.astype(np.float64)),
    }
    if len(labels) == 2 and 0 < truth.sum() < len(truth):
        area = roc_auc_score(truth, proba[:, 1])
        made["cutoffs"] = _cutoffs(truth, proba[:, 1])
        measures.append(["area under ROC", f"{area:.4f}"])
        measures.append(["Gini", f"{2.0 * area - 1.0:.4f}"])
        measures.append(["Kolmogorov-Smirnov", f"{_kolmogorov_smirnov(truth, proba[:, 1]):.4f}"])
        made["roc"] = _roc(truth, proba[:, 1])
        made["calibration"] = _calibration(truth, proba[:, 1])
    return made


def _of_regressor(
    predicted: npt.NDArray[Any], truth: npt.NDArray[Any], leaf: npt.NDArray[Any]
) -> dict[str, Any]:
    residual = predicted - truth
    spread = ((truth - truth.mean(axis=0)) ** 2).sum()
    measures = [
        ["R²", f"{1.0 - (residual**2).sum() / spread:.4f}" if spread > 0.0 else "undefined"],
        ["root mean squared error", f"{np.sqrt((residual**2).mean()):.5g}"],
        ["mean absolute error", f"{np.abs(residual).mean():.5g}"],
    ]
    # Means of neighboring rows: the page holds no targets of single rows.
    order = np.argsort(predicted[:, 0], kind="stable")
    groups = np.array_split(order, max(1, min(_MOST_POINTS, len(order) // _ROWS_A_POINT)))
    points = np.array([[truth[one, 0].mean(), predicted[one, 0].mean()] for one in groups])
    return {
        "rows": len(truth),
        "measures": measures,
        "points": [[float(f"{value:.5g}") for value in pair] for pair in points.tolist()],
        "leaves": _by_leaf(leaf, np.abs(residual).mean(axis=1)),
    }


def _percent(share: float) -> str:
    return f"{100.0 * share:.1f} %"


def _by_leaf(leaf: npt.NDArray[Any], error: npt.NDArray[Any]) -> list[list[Any]]:
    """Return node, rows and mean error of every leaf that rows reach."""
    nodes, place = np.unique(leaf, return_inverse=True)
    counts = np.bincount(place)
    means = np.bincount(place, error) / counts
    return [
        [int(node), int(count), float(f"{mean:.5g}")]
        for node, count, mean in zip(nodes, counts, means, strict=True)
    ]


def _roc(truth: npt.NDArray[Any], score: npt.NDArray[Any]) -> list[list[float]]:
    """Return false and true positive rates, thinned to a few hundred points."""
    false, true, _ = roc_curve(truth, score)
    chosen = np.unique(np.linspace(0, len(false) - 1, min(_MOST_POINTS, len(false))).astype(int))
    return [[round(float(false[i]), 5), round(float(true[i]), 5)] for i in chosen]


def _kolmogorov_smirnov(truth: npt.NDArray[Any], score: npt.NDArray[Any]) -> float:
    """Return the greatest difference of true and false positive rate."""
    false, true, _ = roc_curve(truth, score, drop_intermediate=False)
    return float((true - false).max())


def _cutoffs(truth: npt.NDArray[Any], score: npt.NDArray[Any]) -> list[list[float]]:
    """Return cutoffs with the numbers of true and false positives: rows of at least the cutoff.

    There is one for each probability that occurs, thinned to a few hundred, and one above all.
    """
    false, true, cutoffs = roc_curve(truth, score, drop_intermediate=False)
    cutoffs[0] = np.nextafter(score.max(), np.inf)  # no row is positive
    n_points = min(_MOST_POINTS, len(cutoffs))
    chosen = np.unique(np.linspace(0, len(cutoffs) - 1, n_points).astype(int))
    positive, negative = int(truth.sum()), int(len(truth) - truth.sum())
    return [
        [float(cutoffs[i]), round(float(true[i]) * positive), round(float(false[i]) * negative)]
        for i in chosen
    ]


def _calibration(truth: npt.NDArray[Any], score: npt.NDArray[Any]) -> list[list[float]]:
    """Return mean probability, frequency of the class and rows, in bins of about equal size."""
    order = np.argsort(score, kind="stable")
    parts = np.array_split(order, min(_CALIBRATION_BINS, len(order)))
    return [
        [round(float(score[part].mean()), 5), round(float(truth[part].mean()), 5), len(part)]
        for part in parts
    ]
