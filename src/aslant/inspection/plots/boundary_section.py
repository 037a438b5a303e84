"""Two features of many: a plane through the space of the features."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from aslant.inspection.plots.projection import column_values
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

    def __init__(self, clf: Any, X: Any, features: Sequence[Any] | None, at: int | None) -> None:
        if np.ndim(X) != 2 or np.shape(X)[1] < 2:
            raise ValueError(
                f"plot_boundary needs X with two features or more, got shape {np.shape(X)}."
            )
        n_features = np.shape(X)[1]
        if getattr(clf, "n_features_in_", n_features) != n_features:
            raise ValueError(
                f"plot_boundary needs X with the {clf.n_features_in_} features of the classifier, "
                f"got {n_features}."
            )
        self._frame = type(X) if hasattr(X, "columns") else None
        self._columns = list(X.columns) if self._frame else list(range(n_features))
        names = _feature_names(clf, X)
        self.pair = _chosen_pair(features, names)
        self.names = [names[j] for j in self.pair]
        self.points = _numbers(clf, X, self.pair, self.names)
        if at is not None:
            check_number("at", at, 0, len(self.points) - 1, whole=True)
        self._others = [
            None if j in self.pair else _typical(_column(X, j), at) for j in range(n_features)
        ]

    def rows(self, points: Points) -> Any:
        """Return points of the plane as rows of the classifier's input."""
        values = [
            points[:, self.pair.index(j)] if j in self.pair else [value] * len(points)
            for j, value in enumerate(self._others)
        ]
        if self._frame is not None:  # the classifier may insist on the names
            return self._frame(dict(zip(self._columns, values, strict=True)))
        table = np.array([list(column) for column in values], dtype=object).T
        is_number = all(isinstance(value, float) for value in self._others if value is not None)
        return table.astype(np.float64) if is_number else table

    def cut(self, clf: Any) -> Callable[[HyperplaneSplit], Line]:
        """Return what a hyperplane of a tree is in this plane: normal vector and threshold."""
        tree = clf.tree_
        columns = [int(np.flatnonzero(tree.column_feature == j)[0]) for j in self.pair]
        rest = np.setdiff1d(np.arange(tree.n_columns), columns)
        encoded = np.asarray(clf._encoded(self.rows(np.zeros((1, 2)))), dtype=np.float64)

        def line(split: HyperplaneSplit) -> Line:
            assert split.fill is not None  # as every test of a tree has
            fixed = column_values(tree, encoded, rest, split.fill[rest])[0] @ split.coef[rest]
            return split.coef[columns], split.threshold - float(fixed)

        return line


def _chosen_pair(features: Sequence[Any] | None, names: list[str]) -> list[int]:
    if features is None:
        if len(names) != 2:
            raise ValueError(
                f"plot_boundary needs two features to draw of the {len(names)}: name them in "
                "features."
            )
        return [0, 1]
    if isinstance(features, str) or len(features) != 2:
        raise ValueError(f"features must hold two names or numbers, got {features!r}.")
    pair = []
    for feature in features:
        if isinstance(feature, str):
            if feature not in names:
                raise ValueError(f"features names {feature!r}, which is no feature.")
            pair.append(names.index(feature))
        else:
            check_number("features", feature, 0, len(names) - 1, whole=True)
            pair.append(int(feature))
    if pair[0] == pair[1]:
        raise ValueError(f"features must hold two features that differ, got {features!r}.")
    return pair


def _numbers(clf: Any, X: Any, pair: list[int], names: list[str]) -> Points:
    categories = getattr(getattr(clf, "encoder_", None), "categories", {})
    for j, name in zip(pair, names, strict=True):
        if j in categories:
            raise ValueError(
                f"plot_boundary needs two numeric features, but {name!r} is a category."
            )
    try:
        return np.array([_column(X, j) for j in pair], dtype=np.float64).T
    except (TypeError, ValueError):
        raise ValueError("plot_boundary needs two numeric features, X has others.") from None


def _column(X: Any, j: int) -> list[Any]:
    if hasattr(X, "iloc"):  # pandas
        return list(X.iloc[:, j])
    if hasattr(X, "to_series"):  # polars
        return list(X.to_series(j).to_list())
    return list(np.asarray(X)[:, j].tolist())


def _typical(column: list[Any], at: int | None) -> Any:
    """Return the value of a row, or the median of numbers, or else the most frequent value."""
    if at is not None:
        value = column[at]
        return float(value) if isinstance(value, int | np.number) else value
    present = [value for value in column if value is not None and value == value]
    if all(isinstance(value, int | float | np.number) for value in present):
        return float(np.median(present)) if present else float("nan")
    return max(dict.fromkeys(present), key=present.count)


def _feature_names(clf: Any, X: Any) -> list[str]:
    names = getattr(getattr(clf, "encoder_", None), "feature_names", None)
    if names is None:
        numbered = [f"x{j}" for j in range(np.shape(X)[1])]
        names = getattr(clf, "feature_names_in_", getattr(X, "columns", numbered))
    return [str(name) for name in names]
