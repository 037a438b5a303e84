"""From the caller's data to the matrix the core reads.

Numbers stay as they are, in float32 or float64 and without a copy. A categorical feature becomes
the codes of its levels; a missing value, or a level that training never saw, becomes NaN.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import issparse
from sklearn.base import BaseEstimator
from sklearn.utils import assert_all_finite
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d, validate_data

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
        names = _column_names(X)
        if categorical_features is not None and not isinstance(categorical_features, str):
            X = _as_table(X)
        chosen = _categorical_columns(X, categorical_features)
        if chosen:
            validate_data(estimator, X, skip_check_array=True)
            columns = {j: _column(X, j) for j in chosen}
            categories = {j: _levels(column, j) for j, column in columns.items()}
        else:
            categories = {}
            X = _numeric_matrix(estimator, X, reset=True)
        encoder = cls(names or [f"x{j}" for j in range(estimator.n_features_in_)], categories)
        return encoder, encoder._encode(X) if categories else X

    def transform(self, estimator: BaseEstimator, X: Any) -> npt.NDArray[np.floating[Any]]:
        """Encode other rows of the same features."""
        if not self.categories:
            return _numeric_matrix(estimator, X, reset=False)
        X = _as_table(X)
        validate_data(estimator, X, reset=False, skip_check_array=True)
        return self._encode(X)

    def columns(self) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
        """Return feature and level (-1: a number) of every column a linear test may read."""
        feature: list[int] = []
        level: list[int] = []
        for j in range(len(self.feature_names)):
            # A category that is always missing keeps a column, though nothing is ever in it.
            levels = range(max(1, len(self.categories[j]))) if j in self.categories else [-1]
            feature += [j] * len(levels)
            level += levels
        return np.array(feature, dtype=np.int32), np.array(level, dtype=np.int32)

    def _encode(self, X: Any) -> npt.NDArray[np.float64]:
        n_features = len(self.feature_names)
        encoded = np.empty((_n_rows(X), n_features))
        for j in range(n_features):
            column = _column(X, j)
            if j in self.categories:
                encoded[:, j] = _codes(column, self.categories[j], j)
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
    with np.errstate(invalid="ignore"):  # sums of huge values, while looking for infinite ones
        X = validate_data(
            estimator, X, reset=reset, dtype=[np.float64, np.float32], ensure_all_finite="allow-nan"
        )
    return np.require(X, requirements="A")


def _is_frame(X: Any) -> bool:
    return hasattr(X, "columns") and hasattr(X, "dtypes")


def _column_names(X: Any) -> list[str] | None:
    """Names of the columns of a data frame, None if it is none or not all of them are texts."""
    names = list(X.columns) if _is_frame(X) else []
    return names if names and all(isinstance(name, str) for name in names) else None


def _as_table(X: Any) -> Any:
    """Return X as a data frame, or as a matrix in which numbers beside text stay numbers."""
    if _is_frame(X):
        return X
    if issparse(X):
        raise TypeError("Sparse data was passed for X, but dense data is required.")
    matrix = X if isinstance(X, np.ndarray) else np.array(X, dtype=object)
    if matrix.ndim != 2:
        raise ValueError(f"Expected 2D array, got {matrix.ndim}D array instead.")
    return matrix


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


def _is_missing(value: Any) -> bool:
    """Whether a value is None, or does not equal itself as NaN, NaT and pandas' NA do not."""
    if value is None:
        return True
    same = value == value
    return not (isinstance(same, bool | np.bool_) and bool(same))


def _numbers(column: Sequence[Any], name: str) -> npt.NDArray[np.float64]:
    try:
        numbers = np.array([np.nan if v is None else v for v in column], dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        numbers = np.array([_number(value, name) for value in column])
    if np.isinf(numbers).any():
        raise ValueError(f"Feature {name!r} contains infinity or a value too large for float64.")
    return numbers


def _number(value: Any, name: str) -> float:
    try:
        return np.nan if _is_missing(value) else float(value)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(
            f"Feature {name!r} holds {value!r}, which is not a number; name the feature in "
            "categorical_features to use it as a category."
        ) from None


def _codes(column: Iterable[Any], levels: list[Any], j: int) -> list[float]:
    """Codes of the values; NaN for missing ones and levels that training never saw."""
    code = {level: float(number) for number, level in enumerate(levels)}
    try:
        codes = [code.get(value, np.nan) for value in column]
    except TypeError:
        raise _not_levels(j) from None
    _check_finite_levels(set(column), j)
    return codes


def _check_finite_levels(present: Iterable[Any], j: int) -> None:
    """Refuse infinity, in a category as in a number."""
    if any(isinstance(value, float | np.floating) and np.isinf(value) for value in present):
        raise ValueError(f"Feature {j} contains infinity, which cannot be a level of a category.")


def _not_levels(j: int) -> ValueError:
    return ValueError(f"Feature {j} holds values that cannot be levels of a category.")


def _levels(column: Iterable[Any], j: int) -> list[Any]:
    try:
        present = [value for value in set(column) if not _is_missing(value)]
    except TypeError:
        raise _not_levels(j) from None
    _check_finite_levels(present, j)
    try:
        return sorted(present)
    except TypeError:  # numbers and text together
        return sorted(present, key=lambda level: (type(level).__name__, str(level)))


def _categorical_columns(X: Any, chosen: Any) -> list[int]:
    """Numbers of the categorical features."""
    if chosen is None:
        return []
    if isinstance(chosen, str) and chosen == "from_dtype":
        return _columns_of_category_type(X) if _is_frame(X) else []
    array = np.array(chosen, dtype=object)
    if array.ndim != 1:
        raise ValueError(
            "categorical_features must be 'from_dtype', None, a mask, indices or names, got "
            f"{chosen!r}."
        )
    if array.size == 0:
        return []
    array = np.asarray(chosen)
    n_features = X.shape[1]
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


def check_labels(y: Any, n_rows: int) -> npt.NDArray[Any]:
    """Return the labels as a vector, one for each row and none missing."""
    labels = column_or_1d(y, warn=True)
    if labels.dtype.kind == "f":
        assert_all_finite(labels, input_name="y")
    elif labels.dtype.kind == "O" and any(_is_missing(label) for label in labels):
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
