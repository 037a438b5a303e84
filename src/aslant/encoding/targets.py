"""A target that no classifier should be fitted to: a quantity, or a single class."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import column_or_1d

# A target of more distinct numbers than this may be a quantity; of more than the second one, is.
_FEW_NUMBERS, _MANY_NUMBERS = 10, 50


def refuse_quantity(y: Any) -> None:
    """Refuse a target of many distinct numbers."""
    numbers = _as_numbers(y)
    if numbers is None or not np.isfinite(numbers).all():  # missing labels have their own message
        return
    distinct = np.unique(numbers)
    fractional = bool((distinct != np.round(distinct)).any())
    if len(distinct) > _FEW_NUMBERS and (
        fractional or len(distinct) > min(_MANY_NUMBERS, len(numbers) / 5)
    ):
        raise ValueError(
            f"the target looks like a quantity, not like classes: it has {len(distinct)} distinct "
            f"numbers in {len(numbers)} rows; cut it into intervals or, if these are classes, "
            "write them as words."
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


def refuse_useless_classes(labels: npt.NDArray[Any], codes: npt.NDArray[np.intp]) -> None:
    """Refuse a target of one class, or with another one in every row."""
    if len(labels) < 2:
        raise ValueError(f"the target has only one class, {labels.tolist()[0]!r}.")
    if np.bincount(codes).max() < 2:
        raise ValueError(
            f"the target has another value in each of the {len(codes)} rows: classes need several "
            "rows each."
        )
