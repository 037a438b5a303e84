"""Class labels and validation rows, validated; targets that are no classes."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils import assert_all_finite
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d

from aslant.encoding.table import is_missing


def check_labels(y: Any, n_rows: int) -> npt.NDArray[Any]:
    """Return the labels as a vector: one for each row, none missing."""
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
    """Return the mask of the rows to prune on, which are neither none nor all."""
    mask = np.asarray(prune_rows)
    if mask.dtype != np.bool_ or mask.shape != (n_rows,):
        raise ValueError(
            f"prune_rows must be a mask, True or False for each of the {n_rows} rows, got an array "
            f"of {mask.dtype} of shape {mask.shape}."
        )
    if mask.all() or not mask.any():
        raise ValueError("prune_rows must leave rows to grow on and rows to prune on.")
    return mask


# A target of more distinct numbers than the first may be a quantity; than the second, it is.
_FEW_NUMBERS, _MANY_NUMBERS = 10, 50


def quantity_in(y: Any) -> str | None:
    """Return why a target looks like a quantity and not like classes, None if it does not."""
    numbers = _as_numbers(y)
    if numbers is None or not np.isfinite(numbers).all():  # missing labels have their own message
        return None
    distinct = np.unique(numbers)
    fractional = bool((distinct != np.round(distinct)).any())
    if len(distinct) <= _FEW_NUMBERS or not (
        fractional or len(distinct) > min(_MANY_NUMBERS, len(numbers) / 5)
    ):
        return None
    return (
        f"the target looks like a quantity, not like classes: it has {len(distinct)} distinct "
        f"numbers in {len(numbers)} rows"
    )


def _as_numbers(y: Any) -> npt.NDArray[np.float64] | None:
    """Return labels that are all numbers, also where they are written as text, else None."""
    labels = column_or_1d(y)
    if labels.dtype.kind == "b":
        return None
    try:
        return labels.astype(np.float64)
    except (TypeError, ValueError):
        return None


def check_several_classes(labels: npt.NDArray[Any], codes: npt.NDArray[np.intp]) -> None:
    """Validate that there are several classes, and several rows of one of them."""
    if len(labels) < 2:
        raise ValueError(f"the target has only one class, {labels.tolist()[0]!r}.")
    if np.bincount(codes).max() < 2:
        raise ValueError(
            f"the target has a different value in each of the {len(codes)} rows: classes need "
            "several rows each."
        )
