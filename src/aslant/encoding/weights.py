"""Sample weights and class weights.

A row of weight 2 counts as two rows, wherever rows are counted: in the scores of splits, in the
cases that C4.5, Fisher's tree and message lengths count, in the tests of QUEST, in the errors that
pruning estimates. Most methods use only proportions; those that count cases need a unit:

- *Integer weights* are frequencies, used as they are.
- *Other weights* are relative. They are scaled to sum to the number of rows, so weights that sum to
  1 do not mean a single case in all.
- *Class weights* are always relative: they do not change the number of cases.

Rows of weight zero are ignored.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils import compute_class_weight, compute_sample_weight
from sklearn.utils.validation import check_array

from aslant.utils.checks import check_number

# Limits of the total weight: scores contain its fourth power.
_LEAST_WEIGHT, _MOST_WEIGHT = 1e-70, 1e70
# Beyond this all floating point numbers are integers, so being one is no sign of a frequency.
_MOST_CASES = 2.0**53


def row_weights(
    sample_weight: Any, class_weight: Any, y: npt.NDArray[Any]
) -> npt.NDArray[np.float64]:
    """Return the weight of each row, its sample weight times its class weight, in cases."""
    own = own_weights(sample_weight, len(y))
    if class_weight is None and are_units(own):
        return own
    check_total("sample_weight", own)
    if class_weight is None:
        return own if are_cases(own) else _scaled(own, _n_rows(own))
    check_class_weight(class_weight)
    weight = own * compute_sample_weight(class_weight, y)
    check_total("class_weight", weight)
    return _scaled(weight, own[weight > 0.0].sum() if are_cases(own) else _n_rows(weight))


def _n_rows(weight: npt.NDArray[np.float64]) -> int:
    """Return the number of rows of positive weight."""
    return int(np.count_nonzero(weight))


def are_cases(weight: npt.NDArray[np.float64]) -> bool:
    """Whether weights are frequencies: integers, and not too large to be counts."""
    return bool((weight == np.floor(weight)).all()) and weight.sum() <= _MOST_CASES


def _scaled(weight: npt.NDArray[np.float64], total: float) -> npt.NDArray[np.float64]:
    """Return weights scaled to another sum.

    Equal weights stay equal. The sum is exact, so the result does not depend on the row order.
    """
    largest = float(weight.max())
    return WeightScale(largest, total / math.fsum(weight / largest)).scaled(weight)


@dataclass(frozen=True)
class WeightScale:
    """How weights are scaled: divided by the largest, then multiplied by a factor."""

    largest: float
    factor: float

    def scaled(self, weight: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Return the weights, scaled."""
        return weight / self.largest * self.factor


def class_factors(
    class_weight: Any, classes: npt.NDArray[Any], counts: npt.NDArray[np.int64]
) -> npt.NDArray[np.float64]:
    """Return the weight of each class, given how many rows it has."""
    check_class_weight(class_weight)
    if isinstance(class_weight, str):
        return np.asarray(counts.sum() / (len(classes) * counts.astype(np.float64)))
    return np.asarray(compute_class_weight(class_weight, classes=classes, y=classes))


def check_class_weight(class_weight: Any) -> None:
    """Validate class weights."""
    if isinstance(class_weight, str) and class_weight == "balanced":
        return
    if not isinstance(class_weight, dict):
        raise ValueError(
            f"class_weight must be None, 'balanced' or a dict of weights, got {class_weight!r}."
        )
    for weight in class_weight.values():
        check_number("class_weight", weight, 0.0, _MOST_WEIGHT)


def check_total(name: str, weight: npt.NDArray[np.float64]) -> None:
    """Validate the total weight of the rows."""
    with np.errstate(over="ignore"):
        check_total_weight(name, float(weight.sum()))


def check_total_weight(name: str, total: float) -> None:
    """Validate that a total weight is positive and within the range of the scores."""
    if total == 0.0:
        raise ValueError(f"{name} must not be zero for every row.")
    if not _LEAST_WEIGHT <= total <= _MOST_WEIGHT:
        raise ValueError(
            f"{name} must give the rows a total weight between {_LEAST_WEIGHT:g} and "
            f"{_MOST_WEIGHT:g}, got {total:g}."
        )


def unit_weights(n_rows: int) -> npt.NDArray[np.float64]:
    """Return weights of 1: a read-only view of one number, which takes no memory."""
    return np.broadcast_to(np.float64(1.0), n_rows)


def are_units(weight: npt.NDArray[np.float64]) -> bool:
    """Whether these are `unit_weights`."""
    return weight.strides == (0,) and len(weight) > 0 and weight[0] == 1.0


def own_weights(sample_weight: Any, n_rows: int) -> npt.NDArray[np.float64]:
    """Return the validated sample weights, all 1 if there are none."""
    if sample_weight is None:
        return unit_weights(n_rows)
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
