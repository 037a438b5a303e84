"""Labels and the rows for pruning, checked."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils import assert_all_finite
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d

from aslant.encoding.table import is_missing


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
