"""Partitions in this process: the same functions as on a cluster, called one after the other."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np

from aslant.dask.fitting import TreeFit
from aslant.dask.survey import Block
from aslant.dask.workers import Local, Workers


class WorkersHere(Workers):
    """Who holds the partitions here; every message is pickled, as on a cluster."""

    def each(self, function: Callable[..., Any], *lists: list[Any], **common: Any) -> list[Any]:
        common = _sent(common)
        return [function(*values, **common) for values in zip(*lists, strict=True)]

    def reduced(self, values: list[Any], merge: Callable[..., Any], **common: Any) -> Any:
        while len(values) > 1:
            merged = [
                merge(a, b, **common) for a, b in zip(values[::2], values[1::2], strict=False)
            ]
            values = merged + values[len(merged) * 2 :]
        return values[0]

    def call(self, function: Callable[..., Any], *values: Any, **common: Any) -> Any:
        return function(*values, **_sent(common))

    def results(self, values: list[Any]) -> list[Any]:
        return [_sent(value) for value in values]

    def kept(self, values: list[Any], *, always: bool = True) -> list[Any]:
        return values

    def expect(self, n_bytes: int) -> None:
        pass

    def n_at_once(self) -> int:
        return 2

    def waves(self, locals_: list[Local]) -> list[list[list[Local]]]:
        return [[locals_[i : i + 2] for i in range(0, len(locals_), 2)]] if locals_ else []


def _sent(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))


def fitted_here(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    n_parts: int,
    weight: Any = None,
    local_rows: int = 200,
    bins: int = 1024,
) -> Any:
    """Return the estimator fitted to partitions of the rows."""
    cuts = np.linspace(0, len(y), n_parts + 1).astype(int)
    frame = hasattr(X, "iloc")
    blocks = [
        Block(
            X.iloc[a:b] if frame else X[a:b],
            y[a:b],
            None if weight is None else weight[a:b],
        )
        for a, b in pairwise(cuts)
    ]
    fit = TreeFit(estimator, WorkersHere(), local_rows, bins)
    return fit.run(blocks, X.iloc[:0] if frame else X[:0])
