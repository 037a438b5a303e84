"""Random problems on which a kernel and its twin must agree.

Weights are multiples of 1/256, so sums of weights are exact in any order and two classes of equal
weight are equal for everybody. Tests that can allow for rounding draw arbitrary real weights.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from oracles.criterion import Vector

small_integers = st.integers(-3, 3).map(float)
moderate_floats = st.floats(-1e3, 1e3)
extreme_floats = st.sampled_from(
    [0.0, 1.0, -1.0, 3.0, 1e150, -1e150, 7e149, 1e-150, -1e-150, 3e-150, 1e-300, 1e300, -1e300]
)
neighbouring_floats = st.integers(0, 3).map(lambda k: 1.0 + k * float(np.finfo(float).eps))
class_weights = st.integers(0, 2048).map(lambda k: k / 256)
row_weights = st.one_of(
    st.integers(1, 3).map(float),
    st.integers(1, 2048).map(lambda k: k / 256),
)


def examples(count: int) -> settings:
    """Return settings under which every run tries the same problems."""
    return settings(
        derandomize=True,
        deadline=None,
        max_examples=count,
        suppress_health_check=[HealthCheck.too_slow],
    )


@dataclass(frozen=True)
class LineProblem:
    """Rows at ``V + alpha * R`` with classes and weights (None: all 1)."""

    V: Vector
    R: Vector
    y: NDArray[np.int32]
    n_classes: int
    weight: Vector | None


@st.composite
def line_problems(
    draw: st.DrawFn,
    numbers: st.SearchStrategy[float] = small_integers,
    weights: st.SearchStrategy[float] = row_weights,
    max_rows: int = 20,
) -> LineProblem:
    """Draw a line problem of 1 to max_rows rows and 2 to 5 classes, weighted or not."""
    n_classes = draw(st.integers(2, 5))
    weighted = draw(st.booleans())
    row = st.tuples(
        numbers, numbers, st.integers(0, n_classes - 1), weights if weighted else st.just(1.0)
    )
    V, R, y, weight = zip(*draw(st.lists(row, min_size=1, max_size=max_rows)), strict=True)
    return LineProblem(
        V=np.array(V),
        R=np.array(R),
        y=np.array(y, dtype=np.int32),
        n_classes=n_classes,
        weight=np.array(weight) if weighted else None,
    )


def random_line_problem(seed: int, n: int, n_classes: int, tied: bool) -> LineProblem:
    """Return a larger problem; tied: small integers, so that most breakpoints coincide."""
    rng = np.random.default_rng(seed)
    V = rng.integers(-20, 21, n).astype(float) if tied else rng.normal(size=n)
    R = rng.integers(-5, 6, n).astype(float) if tied else rng.normal(size=n)
    y = (rng.random(n) * n_classes * 0.8 + 0.2 * n_classes * (V > 0.0)).astype(np.int32)
    weight = rng.integers(1, 2049, n) / 256
    return LineProblem(V, R, y, n_classes, weight)
