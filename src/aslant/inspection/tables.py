"""Tables of any kind, column by column: arrays, pandas, polars (lazy too) and pyarrow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.sparse import issparse

from aslant.encoding import table


def as_table(X: Any) -> Any:
    """Return X with its rows in memory: a lazy frame collected, a sparse matrix dense."""
    if hasattr(X, "collect") and hasattr(X, "collect_schema"):  # polars
        return X.collect()
    return X.toarray() if issparse(X) else X


def column_names(X: Any) -> list[Any] | None:
    """Return the names of the columns, None if X is not a data frame."""
    if hasattr(X, "column_names"):  # pyarrow
        return list(X.column_names)
    return list(X.columns) if hasattr(X, "columns") else None


def column(X: Any, j: int) -> list[Any]:
    """Return the values of a column."""
    if hasattr(X, "column_names"):
        return list(X.column(j).to_pylist())
    return list(table.values(X, j))


def table_like(X: Any, columns: Sequence[Any]) -> Any:
    """Return a table of the kind and with the names of X, from its columns."""
    names = column_names(X)
    if names is None:
        matrix = np.array([list(values) for values in columns], dtype=object).T
        is_numeric = all(isinstance(value, float) for value in matrix[0].tolist())
        return matrix.astype(np.float64) if is_numeric else matrix
    pairs = dict(zip(names, columns, strict=True))
    return X.from_pydict(pairs) if hasattr(X, "from_pydict") else type(X)(pairs)


def row_labels(X: Any, n_rows: int) -> list[Any]:
    """Return the index of a pandas data frame, else 0, 1, ..."""
    return list(X.index) if hasattr(X, "iloc") else list(range(n_rows))
