"""A search of the user's own: what it is given, and everything an estimator does with it."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from search.nodes import blobs, make_node
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV
from zoo import RandomDirections

from aslant import KDTClassifier, ObliqueDecisionTreeClassifier
from aslant.search import (
    AxisParallel,
    BestOf,
    HyperplaneSplit,
    LinearMachineSplit,
    SplitSearch,
    Standardize,
)


class NearestMean(SplitSearch):
    """A child for each class present: the one whose mean is nearest."""

    def find(self, node, rng):
        present = np.unique(node.y)
        means = np.array(
            [np.average(node.X[node.y == k], 0, node.weight[node.y == k]) for k in present]
        )
        split = LinearMachineSplit(means, -0.5 * (means**2).sum(axis=1))
        sizes = np.bincount(np.argmax(node.X @ means.T + split.bias, 1), minlength=len(present))
        return split if sizes.all() else AxisParallel().find(node, rng)


IRIS = load_iris(return_X_y=True)


def test_what_a_search_is_given() -> None:
    X = np.array([[1.0, 2.0], [np.nan, 0.0], [3.0, 1.0], [5.0, np.nan]])
    node = make_node(X, [0, 1, 1, 0], weight=[1.0, 2.0, 1.0, 0.5], levels={1: 3}, min_rows=2)
    mean = (1.0 + 3.0 + 0.5 * 5.0) / 2.5
    assert node.X[:, 0].tolist() == pytest.approx([1.0, mean, 3.0, 5.0])
    shares = [0.5, 0.25, 0.25]  # of the levels, by weight
    assert node.X[:, 1:].tolist() == [[0, 0, 1], [1, 0, 0], [0, 1, 0], shares]
    assert node.y.tolist() == [0, 1, 1, 0]
    assert node.weight.tolist() == [1.0, 2.0, 1.0, 0.5]
    assert node.class_weight.tolist() == [1.5, 3.0]
    assert (node.n_classes, node.min_rows, node.groups) == (2, 2, [(1, 3)])
    with pytest.raises(ValueError, match="read-only"):
        node.X[0, 0] = 9.0


def test_the_best_of_several_directions() -> None:
    X, y = blobs(0)
    node = make_node(X, y)
    directions = np.random.default_rng(0).normal(size=(9, 4))
    scores = [node.best_along(direction).score for direction in directions]
    best = node.best_along(directions)
    assert best.score == max(scores)
    direction = directions[np.argmax(scores)]
    assert best.coef / np.abs(best.coef).max() == pytest.approx(
        direction / np.abs(direction).max(), rel=1e-12
    )
    assert node.best_along(np.zeros(4)) is None
    assert node.best_along(np.zeros((0, 4))) is None


def test_the_score_of_any_split() -> None:
    X, y = blobs(0)
    node = make_node(X, y, criterion="gini")
    inside = X @ [1.0, 1.0, 0.0, 0.0] <= 0.3
    assert node.score(HyperplaneSplit(np.array([1.0, 1.0, 0, 0]), 0.3)) == pytest.approx(
        gini(y) - sum(side.mean() * gini(y[side]) for side in (inside, ~inside))
    )
    machine = LinearMachineSplit(np.eye(4)[:3], np.zeros(3))
    child = X[:, :3].argmax(axis=1)
    assert node.score(machine) == pytest.approx(
        gini(y) - sum(np.mean(child == k) * gini(y[child == k]) for k in range(3))
    )


def gini(y: np.ndarray) -> float:
    share = np.bincount(y) / len(y)
    return float(1.0 - (share**2).sum())


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("max_leaf_nodes", [None, 4])
def test_random_directions(n_jobs: int, max_leaf_nodes: int | None) -> None:
    model = ObliqueDecisionTreeClassifier(
        RandomDirections(n=20), random_state=0, n_jobs=n_jobs, max_leaf_nodes=max_leaf_nodes
    ).fit(*IRIS)
    again = clone(model).set_params(n_jobs=1).fit(*IRIS)
    assert model.tree_ == again.tree_
    other = clone(model).set_params(random_state=1).fit(*IRIS)
    assert model.tree_ != other.tree_
    assert model.score(*IRIS) > 0.95
    if max_leaf_nodes:
        assert model.get_n_leaves() == max_leaf_nodes


def test_children_of_a_linear_machine() -> None:
    X, y = IRIS
    model = ObliqueDecisionTreeClassifier(NearestMean()).fit(X, y)
    tree = model.tree_
    assert tree.children.shape[1] == 3
    assert isinstance(tree.split(0), LinearMachineSplit)
    means = np.array([X[y == k].mean(axis=0) for k in range(3)])
    nearest = np.argmin(((X[:, None] - means) ** 2).sum(axis=2), axis=1)
    child = model.decision_path(X)[:, tree.children[0]].toarray().argmax(axis=1)
    assert np.array_equal(child, nearest)
    assert np.array_equal(tree.n_node_samples[tree.children[0]], np.bincount(nearest))
    assert model.score(X, y) == 1.0
    with pytest.raises(ValueError, match="linear machines"):
        _ = tree.coef


@pytest.mark.parametrize("search", [RandomDirections(n=5), NearestMean()], ids=repr)
def test_pickled_cloned_and_predicted(search: SplitSearch) -> None:
    X, y = IRIS
    model = ObliqueDecisionTreeClassifier(search, random_state=0).fit(X, y)
    restored = pickle.loads(pickle.dumps(model))
    assert restored.tree_ == model.tree_
    assert np.array_equal(restored.predict_proba(X), model.predict_proba(X))
    assert clone(model).fit(X, y).tree_ == model.tree_


def test_its_parameters_can_be_searched() -> None:
    grid = GridSearchCV(
        ObliqueDecisionTreeClassifier(RandomDirections(n=50), random_state=0),
        {"search__n": [1, 40], "max_depth": [1, 3]},
        cv=3,
    ).fit(*IRIS)
    assert grid.best_params_ == {"max_depth": 3, "search__n": 40}


def test_inside_wrappers_and_ensembles() -> None:
    X, y = IRIS
    inner = RandomDirections(n=5)
    for search in (Standardize(inner), BestOf([inner, AxisParallel()])):
        model = ObliqueDecisionTreeClassifier(search, random_state=0, n_jobs=2).fit(X, y)
        assert model.score(X, y) == 1.0
    vote = KDTClassifier(inner, n_estimators=3, random_state=0, n_jobs=2).fit(X, y)
    assert vote.score(X, y) > 0.95
    assert len({member.get_n_leaves() for member in vote.estimators_}) > 1


def test_missing_values_and_categories_reach_a_search_as_numbers() -> None:
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=(90, 2)), rng.integers(0, 3, 90)])
    y = ((X[:, 2] == 1) | (X[:, 0] > 1.0)).astype(int)
    X[rng.random(X.shape) < 0.1] = np.nan
    model = ObliqueDecisionTreeClassifier(
        RandomDirections(n=50), categorical_features=[2], random_state=0
    ).fit(X, y)
    assert model.tree_.n_columns == 5
    assert model.score(X, y) > 0.9
