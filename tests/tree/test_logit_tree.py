"""Classification trees with linear leaves."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

from aslant.tree import LogitTree


def arrays(**changed: Any) -> dict[str, Any]:
    """Return a tree of one test, x0 <= 1, two columns and three classes."""
    given = {
        "n_features": 2,
        "children": [[1, 2], [-1, -1], [-1, -1]],
        "value": [[2, 2, 2], [2, 1, 0], [0, 1, 2]],
        "n_node_samples": [6, 3, 3],
        "impurity": [1.0, 0.5, 0.5],
        "row_start": [0, 1, 1, 1],
        "coef_start": [0, 1],
        "coef_column": [0],
        "coef_value": [1.0],
        "coef_fill": [0.0],
        "offset": [1.0],
        "column_feature": [0, 1],
        "column_level": [-1, -1],
        "leaf_value": [[0, 0, 0], [1.0, 0.0, -1.0], [0.0, 0.5, 2.0]],
        "leaf_coef": np.arange(18.0).reshape(3, 3, 2) / 10.0,
        "leaf_center": [[0, 0], [0.5, 1.0], [2.0, -1.0]],
        "leaf_low": np.full((3, 3), -2.0),
        "leaf_high": np.full((3, 3), 3.0),
    }
    return given | changed


def test_probabilities_are_the_softmax_of_clipped_linear_functions() -> None:
    tree = LogitTree(**arrays())
    X = np.array([[0.0, 1.0], [1.0, np.nan], [2.0, 0.0], [100.0, -3.0], [np.nan, 5.0]])
    for x, p in zip(X, tree.probabilities(X), strict=True):
        leaf = 1 if not x[0] > 1.0 else 2  # a missing value is 0 at the test
        filled = np.where(np.isnan(x), tree.leaf_center[leaf], x)
        logits = tree.leaf_value[leaf] + tree.leaf_coef[leaf] @ (filled - tree.leaf_center[leaf])
        relative = np.exp(np.clip(logits, -2.0, 3.0))
        assert p == pytest.approx(relative / relative.sum())


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("leaf_coef", np.zeros((3, 3, 1))),
        ("leaf_value", np.zeros((3, 2))),
        ("leaf_center", np.full((3, 2), np.nan)),
        ("leaf_low", np.full((3, 3), -np.inf)),
    ],
)
def test_arrays_that_do_not_fit_are_refused(name: str, wrong: Any) -> None:
    with pytest.raises(ValueError, match=name):
        LogitTree(**arrays(**{name: wrong}))


def test_pickling_and_rearranging_keep_the_leaves() -> None:
    tree = LogitTree(**arrays())
    assert pickle.loads(pickle.dumps(tree)) == tree
    pruned = tree.pruned([0])
    assert isinstance(pruned, LogitTree)
    assert np.array_equal(pruned.leaf_coef, tree.leaf_coef[:1])
