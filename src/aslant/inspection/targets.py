"""Targets of rows that a fitted model is shown with."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import is_regressor


def target_of(model: Any, y: Any, n_rows: int, caller: str) -> npt.NDArray[Any]:
    """Return class codes, of a regressor numbers of shape (n_rows, n_outputs).

    Raises
    ------
    ValueError
        If y has another number of rows, or a class that the model does not know.
    """
    target = np.asarray(y)
    if len(target) != n_rows:
        raise ValueError(f"{caller} needs one y for each row of X, got {len(target)} for {n_rows}.")
    if is_regressor(model):
        try:
            return target.astype(np.float64).reshape(n_rows, -1)
        except (TypeError, ValueError):
            raise ValueError(
                f"{caller} needs numeric targets for a regressor, got {target.dtype}."
            ) from None
    code = {label: k for k, label in enumerate(model.classes_.tolist())}
    labels = target.ravel().tolist()
    unknown = [label for label in labels if label not in code]
    if unknown:
        raise ValueError(
            f"{caller} needs y of the classes that the model knows, got {unknown[0]!r}, which is "
            "none of them."
        )
    return np.array([code[label] for label in labels], dtype=np.intp)
