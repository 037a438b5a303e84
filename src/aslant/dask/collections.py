"""Data frames and arrays of Dask: validation before anything is computed, lazy predictions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import dask.array as da
import dask.dataframe as dd
import numpy as np
from dask.delayed import Delayed, delayed

from aslant.dask.survey import Block


def meta_of(X: Any) -> Any:
    """Return an empty frame or matrix like X.

    Raises
    ------
    TypeError, ValueError
        If X is not a Dask data frame or array, or its columns are in several blocks.
    """
    if isinstance(X, dd.DataFrame):
        return X._meta
    if not isinstance(X, da.Array):
        raise TypeError(
            "X must be a Dask data frame or array, such as dask.dataframe.read_parquet returns, "
            f"got {type(X).__name__}."
        )
    if X.ndim != 2:
        raise ValueError(f"X must have two dimensions, got {X.ndim}.")
    if X.numblocks[1] != 1:
        raise ValueError(
            f"the columns of X are in {X.numblocks[1]} blocks: call X.rechunk({{1: -1}}) first."
        )
    if X.dtype.kind not in "fiub":
        raise ValueError(f"X must hold numbers, got {X.dtype}.")
    return np.zeros((0, X.shape[1]), dtype=X.dtype)


def n_parts(values: Any) -> int:
    """Return the number of partitions."""
    return int(values.npartitions if hasattr(values, "divisions") else values.numblocks[0])


def blocks_of(X: Any, y: Any, sample_weight: Any) -> list[Delayed]:
    """Return the partitions as `Block`, lazily."""
    meta_of(X)
    if y is None:
        raise ValueError("y must be passed, but the target y is None.")
    columns = {"X": _parts(X)}
    for name, values in (("y", y), ("sample_weight", sample_weight)):
        if values is None:
            continue
        if isinstance(values, dd.DataFrame) and len(values.columns) == 1:
            values = values[values.columns[0]]
        if not isinstance(values, dd.DataFrame | dd.Series | da.Array):
            raise TypeError(
                f"{name} must be a Dask series or array with the partitions of X, got "
                f"{type(values).__name__}."
            )
        if n_parts(values) != n_parts(X):
            raise ValueError(
                f"{name} has {n_parts(values)} partitions and X has {n_parts(X)}: both must be "
                "divided alike."
            )
        _check_lengths(name, X, values)
        columns[name] = _parts(values)
    make = delayed(_block, pure=False)
    return [make(*values) for values in zip(*columns.values(), strict=True)]


def _check_lengths(name: str, X: Any, values: Any) -> None:
    """Validate that the sizes of the partitions, if known, are equal."""
    if not (isinstance(X, da.Array) and isinstance(values, da.Array)):
        return
    sizes, others = X.chunks[0], values.chunks[0]
    known = not (np.isnan(sizes).any() or np.isnan(others).any())
    if known and sizes != others:
        raise ValueError(
            f"the partitions of {name} have {others} rows and those of X have {sizes}: rechunk one "
            "of them."
        )


def _parts(values: Any) -> list[Delayed]:
    if isinstance(values, da.Array):
        return list(values.to_delayed().ravel())
    # Columns that are not used are not read; but partitions stay as they are, which Dask would
    # join where few columns are read of them.
    return list(values.simplify().to_delayed(optimize_graph=False))


def _block(X: Any, y: Any, weight: Any = None) -> Block:
    for name, values in (("y", y), ("sample_weight", weight)):
        if values is not None and len(values) != len(X):
            raise ValueError(
                f"a partition of {name} has {len(values)} rows, and that of X has {len(X)}."
            )
    return Block(X, y, weight)


def mapped(X: Any, function: Callable[[Any], Any], dtype: Any, n_columns: int | None) -> Any:
    """Apply a function to the rows of every partition, lazily; the result is of the kind of X.

    Of a data frame it is a series, or a frame with so many columns; of an array it is an array.
    """
    meta_of(X)
    if isinstance(X, da.Array):
        if n_columns is None:
            return da.map_blocks(
                function, X, dtype=dtype, drop_axis=1, meta=np.zeros(0, dtype=dtype)
            )
        return da.map_blocks(
            function,
            X,
            dtype=dtype,
            chunks=(X.chunks[0], (n_columns,)),
            meta=np.zeros((0, n_columns), dtype=dtype),
        )
    import pandas as pd

    meta: Any
    if n_columns is None:
        meta = pd.Series(dtype=dtype, index=X._meta.index, name="prediction")
    else:
        meta = pd.DataFrame(
            np.zeros((0, n_columns), dtype=dtype), index=X._meta.index, columns=range(n_columns)
        )
    return X.map_partitions(_framed, function, n_columns, meta=meta, enforce_metadata=False)


def _framed(X: Any, function: Callable[[Any], Any], n_columns: int | None) -> Any:
    import pandas as pd

    values = function(X)
    if n_columns is None:
        return pd.Series(values, index=X.index, name="prediction")
    return pd.DataFrame(values, index=X.index, columns=range(n_columns))
