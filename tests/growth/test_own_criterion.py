"""A criterion of the user's own: a function of the class weights of both children."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from sklearn.datasets import load_iris

from aslant import MMLTreeClassifier, ObliqueDecisionTreeClassifier, OC1Classifier
from aslant.search import C45, MML, AxisParallel

X, Y = load_iris(return_X_y=True)


def gini_decrease(child0: np.ndarray, child1: np.ndarray) -> float:
    """Return what criterion="gini" is."""

    def impurity(weights: np.ndarray) -> float:
        return 1.0 - float(np.sum((weights / weights.sum()) ** 2))

    node = child0 + child1
    shares = child0.sum() / node.sum(), child1.sum() / node.sum()
    return impurity(node) - shares[0] * impurity(child0) - shares[1] * impurity(child1)


def one_class_alone(child0: np.ndarray, child1: np.ndarray) -> float:
    """Return how many rows a child of a single class holds: no criterion of ours is like it."""
    sizes = [child.sum() for child in (child0, child1) if np.count_nonzero(child) == 1]
    return max(sizes, default=0.0)


@pytest.mark.parametrize("search", ["axis_parallel", "oc1", "cart_lc", "hhcart", "pole_pair"])
def test_the_same_function_makes_the_same_tree(search: str) -> None:
    ours, own = (
        ObliqueDecisionTreeClassifier(search, criterion=criterion, max_depth=2, random_state=0)
        .fit(X[::5], Y[::5])
        .tree_
        for criterion in ("gini", gini_decrease)
    )
    np.testing.assert_allclose(ours.value, own.value)
    assert own.impurity == pytest.approx(ours.impurity)


def test_another_function_makes_another_tree() -> None:
    tree = OC1Classifier(criterion=one_class_alone, restarts=1, pruning=None, random_state=0)
    tree.fit(X, Y)
    assert min(np.count_nonzero(tree.tree_.value[1:], axis=1)) == 1
    assert tree.score(X, Y) == 1.0
    again = pickle.loads(pickle.dumps(tree))
    np.testing.assert_array_equal(again.predict(X), tree.predict(X))


def test_several_threads_and_pruning() -> None:
    tree = ObliqueDecisionTreeClassifier(
        AxisParallel(), criterion=gini_decrease, pruning="cost_complexity", n_jobs=2
    ).fit(X, Y)
    assert tree.score(X, Y) > 0.9


@pytest.mark.parametrize(
    ("criterion", "error", "message"),
    [
        (lambda a, b: None, TypeError, "must return a number, got NoneType"),
        (lambda a, b: "much", TypeError, "must return a number, got str"),
        (lambda a, b: np.nan, ValueError, "must return a number, got nan"),
        (lambda a: 1.0, TypeError, "positional argument"),
        (lambda a, b: 1 / 0, ZeroDivisionError, "division"),
    ],
)
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_what_a_function_does_wrong_is_said(criterion, error, message, n_jobs) -> None:
    tree = ObliqueDecisionTreeClassifier("oc1", criterion=criterion, n_jobs=n_jobs)
    with pytest.raises(error, match=message):
        tree.fit(X, Y)


@pytest.mark.parametrize("search", [C45(), MML()])
def test_searches_with_a_criterion_of_their_own_refuse(search) -> None:
    with pytest.raises(ValueError, match="got a function"):
        ObliqueDecisionTreeClassifier(search, criterion=gini_decrease).fit(X, Y)
    assert "criterion" not in MMLTreeClassifier().get_params()
