"""Counting breakpoints into bins must find what sorting all of them finds.

Bins serve rows that can be counted: of weight 1, or of weight 2, which changes no bit of the
scores. A row of a tiny weight that never moves cannot be counted with the others, so that all are
sorted; it changes scores by next to nothing.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracles.criterion import CRITERIA, Vector

from aslant import _core

SHAPES = ["normal", "heavy tails", "grid", "two heaps", "one far away"]


def positions(rng: np.random.Generator, shape: str, n: int) -> Vector:
    x = rng.normal(size=n)
    if shape == "heavy tails":
        x = rng.standard_cauchy(n)
    elif shape == "grid":
        x = np.round(2.0 * x)
    elif shape == "two heaps":
        x += 1e6 * rng.integers(0, 2, n)
    elif shape == "one far away":
        x[0] = 1e200
    return x


def classes(rng: np.random.Generator, x: Vector, n_classes: int) -> np.ndarray:
    """Return classes that follow the order of the positions now more, now less."""
    rank = np.argsort(np.argsort(x)) / len(x)
    drawn = rank + rng.choice([0.05, 0.3, 3.0]) * rng.normal(size=len(x))
    return (np.argsort(np.argsort(drawn)) * n_classes // len(x)).astype(np.int32)


@pytest.mark.parametrize("size", [1e308, 1e-308, 5e-324])
def test_numbers_at_the_limits(size: float) -> None:
    """The range of the positions overflows, or is so small that its inverse does."""
    rng = np.random.default_rng(0)
    u = rng.integers(-1, 2, 300) * size
    y = (u > 0.0).astype(np.int32)
    found = _core.best_threshold(u, y, 2, "gini")
    assert found == _core.best_threshold(u, y, 2, "gini", weight=np.full(300, 2.0))


@pytest.mark.parametrize("n_classes", [2, 3, 5, 26])
@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("shape", SHAPES)
def test_bins_and_sorting_agree(shape: str, criterion: str, n_classes: int) -> None:
    rng = np.random.default_rng(n_classes)
    for n in (99, 100, 101, 250, 900, 4000):
        u = positions(rng, shape, n)
        y = classes(rng, u, n_classes)
        R = np.where(rng.random(n) < 0.3, 1.0, -1.0) * rng.uniform(0.5, 2.0, n)
        for min_rows in (1, n // 10):
            exact = criterion not in ("entropy", "gain_ratio")
            limits = {"n_classes": n_classes, "criterion": criterion, "min_rows": min_rows}
            assert_same(
                _core.best_threshold(u, y, **limits),
                _core.best_threshold(u, y, weight=np.full(n, 2.0), **limits),
                exact=exact,
            )
            assert_same(
                _core.line_search(u, R, y, **limits),
                _core.line_search(u, R, y, weight=np.full(n, 2.0), **limits),
                exact=exact,
            )
            if min_rows == 1:
                assert_same(
                    _core.line_search(u, R, y, **limits),
                    search_sorted(u, R, y, **limits),
                    exact=False,
                )


@pytest.mark.parametrize("n", [60, 300, 3000])
def test_an_edge_among_rows_that_rounding_alone_holds_apart(n: int) -> None:
    """An edge between bins is at zero, where the classes are divided best; but it is no place.

    The best place is far away, in a bin that promises less than the edge.
    """
    rng = np.random.default_rng(n)
    for _ in range(20):
        y = rng.integers(0, 2, n).astype(np.int32)
        at = np.where(y == 1, 1e-18, -1e-18)
        apart = rng.random(n) < 0.3
        at[apart] = rng.uniform(-1.0, 1.0, apart.sum())
        y[apart] = at[apart] > 0.6
        R = -rng.uniform(0.5, 2.0, n)  # all enter child 0
        settings = {"n_classes": 2, "criterion": "twoing", "tie_tolerance": 1e-12}
        assert_same(
            _core.line_search(-at * R, R, y, **settings),
            search_sorted(-at * R, R, y, **settings),
            exact=False,
        )


def search_sorted(V: Vector, R: Vector, y: np.ndarray, **settings: Any) -> Any:
    weight = np.append(np.ones(len(V)), 1.5 * 2.0**-40)
    V, R, y = np.append(V, 1.0), np.append(R, 0.0), np.append(y, np.int32(0))
    return _core.line_search(V, R, y.astype(np.int32), weight=weight, **settings)


def assert_same(
    one: tuple[float, float] | None, other: tuple[float, float] | None, *, exact: bool
) -> None:
    assert one is not None
    assert other is not None
    if exact:
        assert one == other
    else:  # the logarithm of twice a number rounds in its own way
        assert one[1] == pytest.approx(other[1], rel=1e-9, abs=1e-12)
