"""A category costs its rows: what OC1 finds by its levels it finds by columns of zeros and ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from search.nodes import find, make_node

from aslant.search import OC1, HyperplaneSplit


def rows(n: int, missing: bool) -> tuple[Any, Any]:
    """Return numbers, many zeros among one of them, and the codes of two categories."""
    rng = np.random.default_rng(n)
    city = rng.choice(12, size=n, p=np.arange(1, 13) / 78.0).astype(float)
    gain = np.where(rng.random(n) < 0.9, 0.0, rng.exponential(size=n))
    usual = (rng.random(n) < 0.2).astype(float)
    X = np.column_stack([rng.normal(size=n), gain, city, usual])
    utility = X[:, 0] + 0.5 * gain + np.sin(city) + 0.8 * usual + 0.5 * rng.normal(size=n)
    if missing:
        X[rng.random(n) < 0.1, 2] = np.nan
    return X, (utility > 0.3).astype(int)


def written_out(X: Any) -> Any:
    """Return the same with a column for every level, in the same order."""
    city = (X[:, 2, None] == np.arange(12.0)).astype(float)
    known = ~np.isnan(X[:, 2])
    city[~known] = city[known].mean(axis=0)
    usual = (X[:, 3, None] == np.arange(2.0)).astype(float)
    return np.column_stack([X[:, :2], city, usual])


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize(
    "search",
    [
        OC1(restarts=4, axis_start=False),
        OC1(restarts=4, axis_start=False, order="best"),
        OC1(restarts=4, axis_start=False, start="through_point"),
        OC1(restarts=4, axis_start=False, origin="original"),
        OC1(restarts=2, axis_start=False, order="random"),
    ],
)
def test_levels_or_columns(search: OC1, missing: bool) -> None:
    """From random starts, since an axis-parallel start of a category is a set of levels."""
    X, y = rows(500, missing)
    levels = find(search, make_node(X, y, levels={2: 12, 3: 2}, criterion="twoing"), 3)
    columns = find(search, make_node(written_out(X), y, criterion="twoing"), 3)
    assert isinstance(levels, HyperplaneSplit)
    assert isinstance(columns, HyperplaneSplit)
    assert levels.score == columns.score
    np.testing.assert_allclose(levels.coef, columns.coef, rtol=1e-9)


def test_legacy_sweep_looks_at_all_rows() -> None:
    X, y = rows(200, missing=False)
    search = OC1(restarts=2, legacy_sweep=True)
    assert find(search, make_node(X, y, levels={2: 12, 3: 2}, criterion="twoing")) is not None
