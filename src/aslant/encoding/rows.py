"""Labels, weights and the rows for pruning, checked."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils import assert_all_finite, compute_sample_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_array, column_or_1d

from aslant.encoding.table import is_missing
from aslant.search.base import check_number

# Weights of all rows together: scores are made of fourth powers of it.
_LEAST_WEIGHT, _MOST_WEIGHT = 1e-70, 1e70


def check_labels(y: Any, n_rows: int) -> npt.NDArray[Any]:
    """Return the labels as a vector, one for each row and none missing."""
    labels = column_or_1d(y, warn=True)
    if labels.dtype.kind == "f":
        assert_all_finite(labels, input_name="y")
    elif labels.dtype.kind == "O" and any(is_missing(label) for label in labels):
        raise ValueError("Input y contains NaN or None: every row needs a class label.")
    check_classification_targets(labels)
    if len(labels) != n_rows:
        raise ValueError(
            f"Found input variables with inconsistent numbers of samples: [{n_rows}, {len(labels)}]"
        )
    return labels


def check_prune_rows(prune_rows: Any, n_rows: int) -> npt.NDArray[np.bool_]:
    """Return the mask of the rows kept for pruning, which are neither none nor all."""
    mask = np.asarray(prune_rows)
    if mask.dtype != np.bool_ or mask.shape != (n_rows,):
        raise ValueError(
            f"prune_rows must be a mask, True or False for each of the {n_rows} rows, got an array "
            f"of {mask.dtype} of shape {mask.shape}."
        )
    if mask.all() or not mask.any():
        raise ValueError("prune_rows must leave rows to grow on and rows to prune by.")
    return mask


def row_weights(
    sample_weight: Any, class_weight: Any, y: npt.NDArray[Any]
) -> npt.NDArray[np.float64]:
    """Return the weight of each row: its own times that of its class."""
    weight = _own_weights(sample_weight, len(y))
    _check_total("sample_weight", weight)
    if class_weight is None:
        return weight
    _check_class_weight(class_weight)
    weight = weight * compute_sample_weight(class_weight, y)
    _check_total("class_weight", weight)
    return weight


def _check_class_weight(class_weight: Any) -> None:
    if isinstance(class_weight, str) and class_weight == "balanced":
        return
    if not isinstance(class_weight, dict):
        raise ValueError(
            f"class_weight must be None, 'balanced' or a dict of weights, got {class_weight!r}."
        )
    for weight in class_weight.values():
        check_number("class_weight", weight, 0.0, _MOST_WEIGHT)


def _check_total(name: str, weight: npt.NDArray[np.float64]) -> None:
    with np.errstate(over="ignore"):
        total = weight.sum()
    if total == 0.0:
        raise ValueError(f"{name} must not be zero for every row.")
    if not _LEAST_WEIGHT <= total <= _MOST_WEIGHT:
        raise ValueError(
            f"{name} must give the rows a total weight between {_LEAST_WEIGHT:g} and "
            f"{_MOST_WEIGHT:g}, got {total:g}."
        )


def _own_weights(sample_weight: Any, n_rows: int) -> npt.NDArray[np.float64]:
    """Weights given with the rows, all 1 if none are."""
    if sample_weight is None:
        return np.ones(n_rows)
    if np.isscalar(sample_weight):
        sample_weight = np.full(n_rows, sample_weight)
    weight = check_array(
        sample_weight, ensure_2d=False, dtype=np.float64, input_name="sample_weight"
    )
    if weight.ndim != 1:
        raise ValueError(f"Sample weights must be 1D array or scalar, got {weight.ndim}D array.")
    if weight.shape != (n_rows,):
        raise ValueError(f"sample_weight.shape == {weight.shape}, expected {(n_rows,)}!")
    if (weight < 0).any():
        raise ValueError("sample_weight must not be negative.")
    return weight
