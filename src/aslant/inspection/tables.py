"""Tables column by column, whichever library they come from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import narwhals as nw
import numpy as np
from scipy.sparse import issparse

from aslant.encoding.table import InputTable, is_frame, read_table


def as_table(X: Any) -> InputTable:
    """Return X as an `InputTable`; a sparse matrix becomes dense."""
    return read_table(X.toarray() if issparse(X) else X)


def table_like(X: Any, columns: Sequence[Any]) -> Any:
    """Return a table of the library and with the names of X, from its columns."""
    if not is_frame(X):
        matrix = np.array([list(values) for values in columns], dtype=object).T
        is_numeric = all(isinstance(value, float) for value in matrix[0].tolist())
        return matrix.astype(np.float64) if is_numeric else matrix
    if hasattr(X, "iloc"):  # names of any type
        return type(X)(dict(zip(X.columns, columns, strict=True)))
    frame = nw.from_native(X)
    pairs = dict(zip(frame.collect_schema().names(), columns, strict=True))
    return nw.from_dict(pairs, backend=frame.implementation).to_native()


def one_row(x: Any, caller: str) -> Any:
    """Return a table with one row, of such a table or of the values of the row."""
    if not is_frame(x) and np.ndim(x) == 1:
        return x.to_frame().T if hasattr(x, "to_frame") else np.asarray(x)[np.newaxis]
    n_rows = as_table(x).n_rows
    if n_rows != 1:
        raise ValueError(f"{caller} needs one row, got {n_rows}.")
    return x


def row_labels(X: Any, n_rows: int) -> list[Any]:
    """Return the index of a pandas data frame, else 0, 1, ..."""
    return list(X.index) if hasattr(X, "iloc") else list(range(n_rows))
