"""HHCART(G): the angle bisector, and the reflection along it."""

from __future__ import annotations

import numpy as np
import pytest
from search.nodes import find, make_node

from aslant import ObliqueDecisionTreeClassifier
from aslant.search import HHCARTG, AxisParallel
from aslant.search.hhcart_g import _best_bisector, _reflected_axes


def crossing_lines(seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Return two classes on lines at 20 and 70 degrees: their bisectors are at 45 and 135."""
    rng = np.random.default_rng(seed)
    y = np.repeat([0, 1], 200)
    angle = np.deg2rad(np.where(y == 0, 20.0, 70.0))
    along, across = rng.uniform(1.0, 5.0, 400), 0.05 * rng.normal(size=400)
    X = np.column_stack(
        [
            along * np.cos(angle) - across * np.sin(angle),
            along * np.sin(angle) + across * np.cos(angle),
        ]
    )
    return X, y


def test_the_bisector_of_two_lines() -> None:
    X, y = crossing_lines()
    normal = _best_bisector(make_node(X, y), np.arange(2))
    assert normal is not None
    angle = np.rad2deg(np.arctan2(normal[1], normal[0])) % 180.0
    assert angle == pytest.approx(135.0, abs=3.0)


def test_the_reflection_has_the_normal_as_its_first_axis() -> None:
    normal = np.array([0.2, -0.5, 0.7])
    axes = _reflected_axes(normal, np.array([0, 2, 3]), 4)
    np.testing.assert_allclose(axes @ axes.T, np.eye(3), atol=1e-12)
    np.testing.assert_allclose(
        axes[0], np.insert(normal, 1, 0.0) / np.linalg.norm(normal), atol=1e-12
    )


def test_one_test_divides_what_the_axes_cannot() -> None:
    X, y = crossing_lines()
    node = make_node(X, y)
    split = find(HHCARTG(), node)
    assert np.mean((node.X @ split.coef > split.threshold) == y) in (0.0, 1.0)
    assert split.score > find(AxisParallel(), node).score


def test_nodes_of_little_impurity_are_leaves() -> None:
    """Two in twenty: a Gini impurity of 0.18."""
    X, y = np.arange(40.0).reshape(20, 2), np.repeat([0, 1], [18, 2])
    assert find(HHCARTG(), make_node(X, y)) is None
    assert find(HHCARTG(min_impurity=0.17), make_node(X, y)) is not None


def test_the_axis_parallel_test_competes() -> None:
    rng = np.random.default_rng(3)
    X = rng.uniform(size=(300, 4))
    tree = ObliqueDecisionTreeClassifier(HHCARTG(), max_depth=1).fit(X, X[:, 2] > 0.4)
    assert tree.tree_.features_in_test[0] == 1 and tree.score(X, X[:, 2] > 0.4) == 1.0
