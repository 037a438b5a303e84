"""The rows to compare on: encoded once, looked through for what cannot be compared on.

Everything that is wrong with the data is found here, before any tree grows, and said in one
sentence; what is merely suspicious becomes a remark that stays with the result.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from aslant.encoding import FeatureEncoder, check_labels
from aslant.encoding.targets import refuse_quantity, refuse_useless_classes
from aslant.systems.presets import CARTClassifier


@dataclass(frozen=True)
class Problem:
    """Labelled rows as every method gets them.

    Attributes
    ----------
    X : ndarray of float
        Numbers, and the codes of the levels of categories; NaN is missing.
    y : ndarray of int
        Class codes.
    labels : list
        The classes, in the order of their codes.
    names : list of str
        Names of the features.
    categorical : list of int
        Positions of the categorical features.
    remarks : tuple of str
        What the reader of a result must know of the rows.
    original, original_y : array-like
        The rows and labels as they were given, for estimators that are not of this package.
    """

    X: npt.NDArray[np.floating[Any]]
    y: npt.NDArray[np.intp]
    labels: list[Any]
    names: list[str]
    categorical: list[int]
    remarks: tuple[str, ...] = field(default=())
    original: Any = None
    original_y: Any = None

    def __len__(self) -> int:
        return len(self.y)

    @property
    def n_classes(self) -> int:
        """How many classes there are."""
        return len(self.labels)

    @property
    def most_frequent(self) -> tuple[Any, float]:
        """The largest class, and the share of the rows it has."""
        counts = np.bincount(self.y)
        return self.labels[int(counts.argmax())], float(counts.max() / counts.sum())

    def sampled(self, n_rows: int, seed: int) -> Problem:
        """Return so many rows, chosen at random with the classes in the same shares."""
        if n_rows >= len(self):
            return self
        rng = np.random.default_rng(seed)
        by_class = np.lexsort((rng.random(len(self)), self.y))
        chosen = np.sort(by_class[np.linspace(0, len(self) - 1, n_rows).astype(int)])
        remark = f"a random sample of {n_rows} of the {len(self)} rows, to stay within the budget"
        return replace(
            self,
            X=self.X[chosen],
            y=self.y[chosen],
            original=None if self.original is None else rows_of(self.original, chosen),
            original_y=None if self.original_y is None else self.original_y[chosen],
            remarks=(*self.remarks, remark),
        )


def rows_of(X: Any, rows: npt.NDArray[np.intp]) -> Any:
    """Return some rows of a data frame or of a matrix."""
    if hasattr(X, "iloc"):
        return X.iloc[rows]
    if hasattr(X, "to_series"):
        return X[rows]
    return np.asarray(X)[rows]


def make_problem(
    X: Any, y: Any, categorical_features: Any, feature_names: Sequence[str] | None
) -> Problem:
    """Encode the rows and refuse those that no classifiers can be compared on.

    Raises
    ------
    ValueError
        If the target is a quantity or has one class, or a feature is refused by `kind_of`.
    """
    refuse_quantity(y)
    encoder, encoded = FeatureEncoder.fit(CARTClassifier(), X, categorical_features)
    with warnings.catch_warnings():  # of many classes, which are refused below in our own words
        warnings.simplefilter("ignore", UserWarning)
        labels, codes = np.unique(check_labels(y, len(encoded)), return_inverse=True)
    refuse_useless_classes(labels, codes)
    names = encoder.feature_names if feature_names is None else list(feature_names)
    if len(names) != encoded.shape[1]:
        raise ValueError(
            f"feature_names must have a name for each of the {encoded.shape[1]} features, got "
            f"{len(names)}."
        )
    remarks = [
        f"column {name!r} looks like an id: its values are distinct whole numbers; if it is one, "
        "leave it out"
        for j, (name, column) in enumerate(zip(names, encoder.columns_, strict=True))
        if column.kind == "number" and _distinct_integers(encoded[:, j])
    ]
    return Problem(
        X=encoded,
        y=codes,
        labels=labels.tolist(),
        names=names,
        categorical=list(encoder.categories),
        remarks=tuple(remarks),
        original=X,
        original_y=np.asarray(y),
    )


def _distinct_integers(column: npt.NDArray[np.floating[Any]]) -> bool:
    return bool(len(column) > 2 and (column == np.round(column)).all()) and len(
        np.unique(column)
    ) == len(column)
