"""The plane of two features that `plot_boundary` draws."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from aslant.encoding.table import InputTable, values
from aslant.inspection.resolve import encoded_rows
from aslant.inspection.rows import column_values
from aslant.inspection.tables import as_table, table_like
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
        self._given = X
        table = as_table(X)
        n_features = len(table.columns)
        if n_features < 2:
            raise ValueError(f"plot_boundary needs X with two features or more, got {n_features}.")
        expected = getattr(estimator, "n_features_in_", n_features)
        if expected != n_features:
            raise ValueError(
                f"plot_boundary needs X with the {expected} features of the classifier, "
                f"got {n_features}."
            )
        names = _feature_names(estimator, table)
        self.pair = _chosen_pair(features, names)
        self.names = [names[j] for j in self.pair]
        self.points = _points(estimator, table, self.pair, self.names)
        if at is not None:
            check_number("at", at, 0, len(self.points) - 1, integer=True)
        self._others = [
            None if j in self.pair else _typical(values(column), at)
            for j, column in enumerate(table.columns)
        ]

    def rows(self, points: Points) -> Any:
        """Return points of the plane as rows of the classifier's input."""
        columns = [
            points[:, self.pair.index(j)] if j in self.pair else [value] * len(points)
            for j, value in enumerate(self._others)
        ]
        return table_like(self._given, columns)

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
            check_number("features", feature, 0, len(names) - 1, integer=True)
            pair.append(int(feature))
    if pair[0] == pair[1]:
        raise ValueError(f"features must hold two different features, got {features!r}.")
    return pair


def _points(estimator: Any, table: InputTable, pair: list[int], names: list[str]) -> Points:
    categories = getattr(getattr(estimator, "encoder_", None), "categories", {})
    for j, name in zip(pair, names, strict=True):
        if j in categories:
            raise ValueError(
                f"plot_boundary needs two numeric features, but {name!r} is a category."
            )
    try:
        return np.array([values(table.columns[j]) for j in pair], dtype=np.float64).T
    except (TypeError, ValueError):
        raise ValueError(
            f"plot_boundary needs two numeric features, got {names[0]!r} and {names[1]!r}."
        ) from None


def _typical(column: list[Any], at: int | None) -> Any:
    """Return the value of a row, or the median of numbers, or else the most frequent value."""
    if at is not None:
        value = column[at]
        return float(value) if isinstance(value, int | np.number) else value
    present = [value for value in column if value is not None and value == value]
    if all(isinstance(value, int | float | np.number) for value in present):
        return float(np.median(present)) if present else float("nan")
    return Counter(present).most_common(1)[0][0]


def _feature_names(estimator: Any, table: InputTable) -> list[str]:
    encoder = getattr(estimator, "encoder_", None)
    own = [table.name(j) for j in range(len(table.columns))]
    names = getattr(estimator, "feature_names_in_", own) if encoder is None else encoder.input_names
    return [str(name) for name in names]
