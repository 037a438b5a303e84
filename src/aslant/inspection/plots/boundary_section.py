"""The plane of two features that `plot_boundary` draws."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from aslant.inspection.resolve import encoded_rows
from aslant.inspection.rows import column_values
from aslant.inspection.tables import as_table, column, column_names, table_like
from aslant.tree.split import HyperplaneSplit
from aslant.utils.checks import check_number

Points = npt.NDArray[np.float64]
Line = tuple[Points, float]


class Section:
    """The plane of two numeric features in which all others have fixed values.

    Attributes
    ----------
    names : list of str
        The names of the two features.
    points : ndarray of shape (n_samples, 2)
        Their values in the rows.
    """

    def __init__(
        self, estimator: Any, X: Any, features: Sequence[Any] | None, at: int | None
    ) -> None:
        self._table = X = as_table(X)
        shape = np.shape(X) if column_names(X) is None else (len(X), len(column_names(X) or ()))
        if len(shape) != 2 or shape[1] < 2:
            raise ValueError(f"plot_boundary needs X with two features or more, got shape {shape}.")
        expected = getattr(estimator, "n_features_in_", shape[1])
        if expected != shape[1]:
            raise ValueError(
                f"plot_boundary needs X with the {expected} features of the classifier, "
                f"got {shape[1]}."
            )
        names = _feature_names(estimator, X, shape[1])
        self.pair = _chosen_pair(features, names)
        self.names = [names[j] for j in self.pair]
        self.points = _points(estimator, X, self.pair, self.names)
        if at is not None:
            check_number("at", at, 0, len(self.points) - 1, whole=True)
        self._others = [
            None if j in self.pair else _typical(column(X, j), at) for j in range(shape[1])
        ]

    def rows(self, points: Points) -> Any:
        """Return points of the plane as rows of the classifier's input."""
        values = [
            points[:, self.pair.index(j)] if j in self.pair else [value] * len(points)
            for j, value in enumerate(self._others)
        ]
        return table_like(self._table, values)

    def cut(self, resolved: Any) -> Callable[[HyperplaneSplit], Line]:
        """Return the map from a hyperplane to its line in this plane."""
        tree = resolved.tree_
        columns = [int(np.flatnonzero(tree.column_feature == j)[0]) for j in self.pair]
        rest = np.setdiff1d(np.arange(tree.n_columns), columns)
        encoded = encoded_rows(resolved, self.rows(np.zeros((1, 2))))

        def line(split: HyperplaneSplit) -> Line:
            assert split.fill is not None  # every test of a tree has one
            fixed = column_values(tree, encoded, rest, split.fill[rest])[0] @ split.coef[rest]
            return split.coef[columns], split.threshold - float(fixed)

        return line


def _chosen_pair(features: Sequence[Any] | None, names: list[str]) -> list[int]:
    if features is None:
        if len(names) != 2:
            raise ValueError(
                f"plot_boundary draws two of the {len(names)} features: choose them with features."
            )
        return [0, 1]
    if isinstance(features, str) or len(features) != 2:
        raise ValueError(f"features must hold two names or numbers, got {features!r}.")
    pair = []
    for feature in features:
        if isinstance(feature, str):
            if feature not in names:
                raise ValueError(f"features must name features of X, got {feature!r}.")
            pair.append(names.index(feature))
        else:
            check_number("features", feature, 0, len(names) - 1, whole=True)
            pair.append(int(feature))
    if pair[0] == pair[1]:
        raise ValueError(f"features must hold two different features, got {features!r}.")
    return pair


def _points(estimator: Any, X: Any, pair: list[int], names: list[str]) -> Points:
    categories = getattr(getattr(estimator, "encoder_", None), "categories", {})
    for j, name in zip(pair, names, strict=True):
        if j in categories:
            raise ValueError(
                f"plot_boundary needs two numeric features, but {name!r} is a category."
            )
    try:
        return np.array([column(X, j) for j in pair], dtype=np.float64).T
    except (TypeError, ValueError):
        raise ValueError(
            f"plot_boundary needs two numeric features, got {names[0]!r} and {names[1]!r}."
        ) from None


def _typical(values: list[Any], at: int | None) -> Any:
    """Return the value of a row, or the median of numbers, or else the most frequent value."""
    if at is not None:
        value = values[at]
        return float(value) if isinstance(value, int | np.number) else value
    present = [value for value in values if value is not None and value == value]
    if all(isinstance(value, int | float | np.number) for value in present):
        return float(np.median(present)) if present else float("nan")
    return Counter(present).most_common(1)[0][0]


def _feature_names(estimator: Any, X: Any, n_features: int) -> list[str]:
    encoder = getattr(estimator, "encoder_", None)
    names = None if encoder is None else encoder.input_names
    if names is None:
        numbered = [f"x{j}" for j in range(n_features)]
        names = getattr(estimator, "feature_names_in_", column_names(X) or numbered)
    return [str(name) for name in names]
