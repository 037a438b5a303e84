"""The columns that `categorical_features` names."""

from __future__ import annotations

from typing import Any

import numpy as np

from aslant.encoding.table import InputTable


def declared_columns(table: InputTable, chosen: Any) -> list[int]:
    """Return the indices of the columns that `categorical_features` names."""
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
    n_features = len(table.columns)
    if array.dtype.kind in "OU":
        return _columns_by_name(table, array.tolist())
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


def _columns_by_name(table: InputTable, names: list[Any]) -> list[int]:
    if table.names is None:
        raise ValueError(
            "categorical_features as names needs X to be a data frame with column names."
        )
    unknown = [name for name in names if name not in table.names]
    if unknown:
        raise ValueError(f"categorical_features names {unknown[0]!r}, which is not a column of X.")
    return sorted(table.names.index(name) for name in names)
