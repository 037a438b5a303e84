"""Which columns the caller declared to be categories."""

from __future__ import annotations

from typing import Any

import numpy as np

from aslant.encoding.table import is_frame


def declared_columns(X: Any, chosen: Any) -> list[int]:
    """Return the numbers of the columns in `categorical_features`."""
    if chosen is None or (isinstance(chosen, str) and chosen == "from_dtype"):
        return []
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


def _columns_by_name(X: Any, names: list[Any]) -> list[int]:
    if not is_frame(X):
        raise ValueError("categorical_features as names needs X to be a data frame.")
    present = list(X.columns)
    unknown = [name for name in names if name not in present]
    if unknown:
        raise ValueError(f"categorical_features names {unknown[0]!r}, which is not a column of X.")
    return sorted(present.index(name) for name in names)
