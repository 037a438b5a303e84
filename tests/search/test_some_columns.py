"""Searches in nodes restricted to some columns: a test's score is that of its partition.

Pruning by features learns tests again from fewer columns, some levels of a category among them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from search.nodes import every_search, make_problem

from aslant import ObliqueDecisionTreeClassifier, _core
from aslant.growth.grow import GrowAgain
from aslant.search import SplitSearch

SEARCHES = every_search()
N_LEVELS = 8


def rows(n: int = 240, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Return numbers and a category whose level code, read as a number, tells the class."""
    rng = np.random.default_rng(seed)
    code = rng.integers(0, N_LEVELS, n).astype(float)
    X = np.column_stack([rng.normal(size=(n, 3)), code, rng.integers(0, 3, n)])
    y = (code > 3) ^ (rng.random(n) < 0.1)
    X[::11, 3] = np.nan
    X[::13, 1] = np.nan
    return X, y.astype(np.int32)


@pytest.mark.parametrize("search", SEARCHES.values(), ids=SEARCHES.keys())
def test_the_score_of_a_test_is_that_of_its_partition(search: SplitSearch) -> None:
    X, y = rows()
    problem = make_problem(X, y, levels={3: N_LEVELS, 4: 3})
    node = _core.Node(problem)
    n_columns = node.X.shape[1]
    found = 0
    for left_out in range(n_columns):
        columns = np.arange(n_columns) != left_out
        split = _core.find_test(problem, search.core(), 0, np.arange(len(y)), columns)
        if split is None:
            continue
        found += 1
        coef = getattr(split, "coef", getattr(split, "weights", None))
        assert not np.atleast_2d(coef)[:, left_out].any()
        assert split.score == pytest.approx(node.score(split), rel=1e-6, abs=1e-9)
    assert found > 0


def impurity_gain(y: np.ndarray, right: np.ndarray) -> float:
    """Return what a division takes away of the Gini impurity."""

    def gini(labels: np.ndarray) -> float:
        share = np.bincount(labels, minlength=2) / max(len(labels), 1)
        return float(share.sum() - share @ share)

    parts = [y[right], y[~right]]
    return gini(y) - sum(len(part) / len(y) * gini(part) for part in parts)


def test_tests_that_pruning_learns_again(monkeypatch: pytest.MonkeyPatch) -> None:
    learned: list[tuple[np.ndarray, np.ndarray, Any]] = []
    find = GrowAgain.test

    def recorded(self: Any, passing: np.ndarray, columns: np.ndarray) -> Any:
        split = find(self, passing, columns)
        if split is not None:
            training = self._training.take(passing)
            learned.append((training.X, training.y, split))
        return split

    monkeypatch.setattr(GrowAgain, "test", recorded)
    for seed in range(4):
        rng = np.random.default_rng(seed)
        code = rng.integers(0, N_LEVELS, 600)
        y = ((code > 3) ^ (rng.random(600) < 0.1)).astype(int)
        ObliqueDecisionTreeClassifier(
            "oc1",
            criterion="gini",
            pruning="multivariate",
            categorical_features=[1],
            random_state=0,
        ).fit(np.column_stack([rng.normal(size=600), code]), y)
    assert len(learned) > 50
    for values, labels, split in learned:
        columns = np.column_stack([values[:, 0], values[:, 1, None] == np.arange(N_LEVELS)])
        right = columns @ split.coef > split.threshold
        assert split.score == pytest.approx(impurity_gain(labels, right), abs=1e-9)
