"""From the caller's data to the matrix the core reads.

Numbers stay as they are, in float32 or float64 and without a copy. A categorical feature becomes the
codes of its levels; a missing value, or a level that training never saw, becomes NaN.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_array, validate_data

# Names (beginnings of them) of data frame column types that hold categories.
_CATEGORY_TYPES = ("category", "object", "str", "String", "Categorical", "Enum", "Utf8")


class FeatureEncoder:
    """Learns which features are categories and what their levels are.

    Attributes
    ----------
    feature_names : list of str
        Names of the input features, ``x0, x1, ...`` if they have none.
    categories : dict
        For each categorical feature (by number) its levels, in the order of their codes.
    """

    def __init__(self, feature_names: list[str], categories: dict[int, list[Any]]) -> None:
        self.feature_names = feature_names
        self.categories = categories

    @classmethod
    def fit(
        cls, estimator: BaseEstimator, X: Any, categorical_features: Any
    ) -> tuple[FeatureEncoder, npt.NDArray[np.floating[Any]]]:
        """Learn the encoding of X; return it with the encoded matrix."""
        chosen = _categorical_columns(X, categorical_features)
        if chosen:
            validate_data(estimator, X, skip_check_array=True)
            columns = {j: _column(X, j) for j in chosen}
            categories = {j: _levels(column, j) for j, column in columns.items()}
        else:
            categories = {}
            X = _numeric_matrix(estimator, X, reset=True)
        n_features = estimator.n_features_in_
        names = getattr(estimator, "feature_names_in_", [f"x{j}" for j in range(n_features)])
        encoder = cls([str(name) for name in names], categories)
        return encoder, encoder._encode(X) if categories else X

    def transform(self, estimator: BaseEstimator, X: Any) -> npt.NDArray[np.floating[Any]]:
        """Encode other rows of the same features."""
        if not self.categories:
            return _numeric_matrix(estimator, X, reset=False)
        validate_data(estimator, X, reset=False, skip_check_array=True)
        return self._encode(X)

    def columns(self) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
        """Return feature and level (-1: a number) of every column a linear test may read."""
        feature, level = [], []
        for j in range(len(self.feature_names)):
            levels = range(len(self.categories[j])) if j in self.categories else [-1]
            feature += [j] * len(levels)
            level += levels
        return np.array(feature, dtype=np.int32), np.array(level, dtype=np.int32)

    def _encode(self, X: Any) -> npt.NDArray[np.float64]:
        n_features = len(self.feature_names)
        encoded = np.empty((_n_rows(X), n_features))
        for j in range(n_features):
            column = _column(X, j)
            if j in self.categories:
                codes = {level: code for code, level in enumerate(self.categories[j])}
                encoded[:, j] = [codes.get(value, np.nan) for value in column]
            else:
                encoded[:, j] = _numbers(column, self.feature_names[j])
        return encoded

    def to_state(self) -> dict[str, Any]:
        """Return the encoding as plain values, to be saved."""
        categories = [[j, levels] for j, levels in self.categories.items()]
        return {"feature_names": self.feature_names, "categories": categories}

    @classmethod
    def from_state(cls, state: dict[str, Any]) -> FeatureEncoder:
        """Rebuild the encoding from what `to_state` returned."""
        return cls(list(state["feature_names"]), {int(j): list(v) for j, v in state["categories"]})


def _numeric_matrix(
    estimator: BaseEstimator, X: Any, *, reset: bool
) -> npt.NDArray[np.floating[Any]]:
    X = validate_data(
        estimator, X, reset=reset, dtype=[np.float64, np.float32], ensure_all_finite="allow-nan"
    )
    return np.require(X, requirements="A")


def _is_frame(X: Any) -> bool:
    return hasattr(X, "columns") and hasattr(X, "dtypes")


def _n_rows(X: Any) -> int:
    n_rows = X.shape[0] if hasattr(X, "shape") else len(X)
    if n_rows == 0:
        raise ValueError("Found array with 0 sample(s) while a minimum of 1 is required.")
    return int(n_rows)


def _column(X: Any, j: int) -> Sequence[Any]:
    """Values of one column, missing ones as None or NaN."""
    if hasattr(X, "iloc"):  # pandas
        column = X.iloc[:, j]
        return column.astype(object).where(column.notna(), None).tolist()
    if hasattr(X, "to_series"):  # polars
        return X.to_series(j).to_list()
    return np.asarray(X)[:, j].tolist()


def _numbers(column: Sequence[Any], name: str) -> npt.NDArray[np.float64]:
    try:
        numbers = np.array([np.nan if v is None else v for v in column], dtype=np.float64)
    except (TypeError, ValueError):
        bad = next(v for v in column if not isinstance(v, int | float | np.number | None))
        raise ValueError(
            f"Feature {name!r} holds {bad!r}, which is not a number; name the feature in "
            "categorical_features to use it as a category."
        ) from None
    if np.isinf(numbers).any():
        raise ValueError(f"Feature {name!r} contains infinity or a value too large for float64.")
    return numbers


def _levels(column: Iterable[Any], j: int) -> list[Any]:
    try:
        present = {value for value in column if value is not None and value == value}
    except TypeError:
        raise ValueError(f"Feature {j} holds values that cannot be levels of a category.") from None
    try:
        return sorted(present)
    except TypeError:  # numbers and text together
        return sorted(present, key=lambda level: (type(level).__name__, str(level)))


def _categorical_columns(X: Any, chosen: Any) -> list[int]:
    """Numbers of the categorical features."""
    if chosen is None:
        return []
    if isinstance(chosen, str):
        if chosen != "from_dtype":
            raise ValueError(
                "categorical_features must be 'from_dtype', None, a mask, indices or names, got "
                f"{chosen!r}."
            )
        return _columns_of_category_type(X) if _is_frame(X) else []
    array = np.asarray(chosen)
    if array.size == 0:
        return []
    n_features = np.shape(X)[1] if np.ndim(X) == 2 or _is_frame(X) else 0
    if array.dtype.kind in "OU":
        return _columns_by_name(X, array.tolist())
    if array.dtype.kind == "b":
        if array.shape != (n_features,):
            raise ValueError(
                f"categorical_features as a mask needs {n_features} values, got {array.size}."
            )
        return np.flatnonzero(array).tolist()
    if array.dtype.kind not in "iu" or array.min() < 0 or array.max() >= n_features:
        raise ValueError(
            f"categorical_features as indices must lie between 0 and {n_features - 1}, got "
            f"{array.tolist()}."
        )
    return sorted(set(array.tolist()))


def _columns_of_category_type(X: Any) -> list[int]:
    return [j for j, dtype in enumerate(X.dtypes) if str(dtype).startswith(_CATEGORY_TYPES)]


def _columns_by_name(X: Any, names: list[Any]) -> list[int]:
    if not _is_frame(X):
        raise ValueError("categorical_features as names needs X to be a data frame.")
    present = list(X.columns)
    unknown = [name for name in names if name not in present]
    if unknown:
        raise ValueError(f"categorical_features names {unknown[0]!r}, which is not a column of X.")
    return sorted(present.index(name) for name in names)


def check_weights(sample_weight: Any, n_rows: int) -> npt.NDArray[np.float64]:
    """Return the weights of the rows, all 1 if none are given."""
    if sample_weight is None:
        return np.ones(n_rows)
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
    if not (weight > 0).any():
        raise ValueError("sample_weight must not be zero for every row.")
    return weight
