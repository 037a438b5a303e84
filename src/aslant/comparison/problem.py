"""The data of a comparison: encoded once and validated before any tree grows.

What deserves a look in the data becomes remarks, which stay with the result.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from aslant.encoding import FeatureEncoder, Options
from aslant.encoding.data_summary import findings
from aslant.encoding.table import take_rows
from aslant.encoding.targets import check_labels, check_several_classes, quantity_in
from aslant.estimators.methods import TASKS
from aslant.estimators.published import CARTClassifier, CARTRegressor
from aslant.estimators.regressor import check_regression_target
from aslant.utils.checks import check_choice


@dataclass(frozen=True)
class Problem:
    """Encoded rows and targets, as every method gets them.

    Attributes
    ----------
    X : ndarray of float
        Numbers, and the codes of the levels of categories; NaN is missing.
    y : ndarray of int or float
        Class codes, or regression targets.
    labels : list
        The classes, in the order of their codes; none for regression.
    names : list of str
        Names of the features.
    categorical : list of int
        Positions of the categorical features.
    remarks : tuple of str
        Notes on the rows, for the reader of the result.
    original, original_y : array-like
        The rows and labels as they were given, for estimators that are not of this package.
    recognised : bool
        Whether the task was inferred from the target.
    """

    X: npt.NDArray[np.floating[Any]]
    y: npt.NDArray[Any]
    labels: list[Any]
    names: list[str]
    categorical: list[int]
    remarks: tuple[str, ...] = field(default=())
    original: Any = None
    original_y: Any = None
    recognised: bool = False

    def __len__(self) -> int:
        return len(self.y)

    @property
    def task(self) -> str:
        """What is predicted: "classification" or "regression"."""
        return "classification" if self.labels else "regression"

    @property
    def n_classes(self) -> int:
        """The number of classes; 0 for regression."""
        return len(self.labels)

    @property
    def most_frequent(self) -> tuple[Any, float]:
        """The largest class, and the share of the rows it has."""
        counts = np.bincount(self.y)
        return self.labels[int(counts.argmax())], float(counts.max() / counts.sum())

    def sampled(self, n_rows: int, seed: int) -> Problem:
        """Return a random sample of the rows, stratified by the target."""
        if n_rows >= len(self):
            return self
        rng = np.random.default_rng(seed)
        by_target = np.lexsort((rng.random(len(self)), self.y))
        chosen = np.sort(by_target[np.linspace(0, len(self) - 1, n_rows).astype(int)])
        remark = f"a random sample of {n_rows} of the {len(self)} rows, to stay within the budget"
        return replace(
            self,
            X=self.X[chosen],
            y=self.y[chosen],
            original=None if self.original is None else take_rows(self.original, chosen),
            original_y=None if self.original_y is None else self.original_y[chosen],
            remarks=(*self.remarks, remark),
        )


def recognised_task(y: Any) -> str:
    """Return "regression" if the target holds numbers that look like a quantity."""
    if np.asarray(y).dtype.kind not in "fiu":
        return "classification"
    return "classification" if quantity_in(y) is None else "regression"


def make_problem(
    X: Any,
    y: Any,
    categorical_features: Any,
    feature_names: Sequence[str] | None,
    task: str | None = None,
) -> Problem:
    """Encode and validate the rows.

    Raises
    ------
    ValueError
        If the target has one value, or is a quantity in a classification task, or if `kind_of`
        refuses a feature.
    """
    given, task = task, recognised_task(y) if task is None else task
    check_choice("task", task, tuple(TASKS))
    model = CARTRegressor() if task == "regression" else CARTClassifier()
    if task == "classification":
        quantity = quantity_in(y)
        if quantity is not None:
            raise ValueError(
                f"{quantity}; cut it into intervals or, if these are classes, write them as words."
            )
    # Every method encodes the levels itself, by its own parameters.
    encoder, encoded = FeatureEncoder.fit(
        model, X, categorical_features, Options(max_levels=None, missing="node_mean")
    )
    labels, target = (_numbers if task == "regression" else _classes)(y, len(encoded))
    names = encoder.feature_names if feature_names is None else list(feature_names)
    if len(names) != encoded.shape[1]:
        raise ValueError(
            f"feature_names must have a name for each of the {encoded.shape[1]} features, got "
            f"{len(names)}."
        )
    named = [
        replace(column, name=name) for column, name in zip(encoder.columns_, names, strict=False)
    ]
    remarks = map(str, findings(named, encoded, target, len(labels)))
    return Problem(
        X=encoded,
        y=target,
        labels=labels,
        names=names,
        categorical=list(encoder.categories),
        remarks=tuple(remarks),
        original=X,
        original_y=np.asarray(y),
        recognised=given is None,
    )


def _classes(y: Any, n_rows: int) -> tuple[list[Any], npt.NDArray[Any]]:
    """Return the classes, and the code of each row's."""
    with warnings.catch_warnings():  # of many classes, which are refused below
        warnings.simplefilter("ignore", UserWarning)
        labels, codes = np.unique(check_labels(y, n_rows), return_inverse=True)
    check_several_classes(labels, codes)
    return labels.tolist(), codes


def _numbers(y: Any, n_rows: int) -> tuple[list[Any], npt.NDArray[Any]]:
    """Return no classes, and the regression targets."""
    numbers = check_regression_target(y, n_rows)
    if numbers.ndim != 1:
        raise ValueError(f"methods are compared on one target, got {numbers.shape[1]}.")
    if numbers.min() == numbers.max():
        raise ValueError(f"the target has only one value, {numbers[0]:g}.")
    return [], numbers
