"""RCL, and Laplace's probabilities."""

from __future__ import annotations

import math

import numpy as np
import pytest
from aslant_papers.rcl import laplace_proba, rcl_score, rcl_scorer
from sklearn.datasets import load_iris
from sklearn.metrics import log_loss, make_scorer
from sklearn.model_selection import GridSearchCV, cross_val_score

from aslant import CARTClassifier, KDTClassifier, MMLTreeClassifier
from aslant.search import SADT

X, Y = load_iris(return_X_y=True)


def test_uniform_guessing_is_one_and_certainty_zero() -> None:
    for k in (2, 3, 7):
        y = np.arange(k)
        assert rcl_score(y, np.full((k, k), 1.0 / k)) == pytest.approx(1.0)
        assert rcl_score(y, np.eye(k)) == 0.0


def test_it_is_the_log_loss_in_units_of_guessing() -> None:
    proba = laplace_proba(CARTClassifier(max_depth=2).fit(X, Y), X)
    assert rcl_score(Y, proba) == pytest.approx(log_loss(Y, proba) / math.log(3))
    weight = np.linspace(0.1, 2.0, len(Y))
    expected = log_loss(Y, proba, sample_weight=weight) / math.log(3)
    assert rcl_score(Y, proba, sample_weight=weight) == pytest.approx(expected)


def test_one_column_is_the_second_class() -> None:
    y, second = ["a", "b", "b"], np.array([0.2, 0.9, 0.4])
    both = np.column_stack([1 - second, second])
    assert rcl_score(y, second) == rcl_score(y, both)


def test_classes_that_do_not_occur_need_labels() -> None:
    proba = np.full((2, 3), 1 / 3)
    with pytest.raises(ValueError, match="give labels"):
        rcl_score([0, 2], proba)
    assert rcl_score([0, 2], proba, labels=[0, 1, 2]) == pytest.approx(1.0)


def test_a_class_held_for_impossible_costs_infinitely_much() -> None:
    assert rcl_score([0, 1], [[1.0, 0.0], [1.0, 0.0]]) == math.inf


@pytest.mark.parametrize(
    ("y", "proba", "message"),
    [
        ([0, 1], [[0.5, 0.5]], "inconsistent"),
        ([0, 1], [[1.5, -0.5], [0.5, 0.5]], "between 0 and 1"),
        ([0, 1], [[np.nan, 0.5], [0.5, 0.5]], "between 0 and 1"),
        ([0, 0], [[1.0], [1.0]], "at least two classes"),
        ([0, 3], np.full((2, 2, 1), 0.5), "column for each"),
    ],
)
def test_bad_input(y: list[int], proba: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        rcl_score(y, proba)


def test_labels_must_hold_the_classes() -> None:
    with pytest.raises(ValueError, match="got 5"):
        rcl_score([0, 5], [[0.5, 0.5], [0.5, 0.5]], labels=[0, 1])


def test_as_a_scorer() -> None:
    ours = cross_val_score(CARTClassifier(max_depth=2), X, Y, scoring=rcl_scorer, cv=3)
    assert (ours < 0.0).all()
    made = make_scorer(rcl_score, response_method="predict_proba", greater_is_better=False)
    tree = MMLTreeClassifier(random_state=0)
    assert np.allclose(
        cross_val_score(tree, X, Y, scoring=made, cv=3),
        cross_val_score(tree, X, Y, scoring=rcl_scorer, cv=3),
    )
    two = Y < 2
    assert cross_val_score(tree, X[two], Y[two], scoring=made, cv=3).max() < 0.0
    grid = GridSearchCV(tree, {"max_features_per_test": [1, 2]}, scoring=rcl_scorer, cv=2)
    assert grid.fit(X, Y).best_score_ > -0.5


def test_laplace() -> None:
    tree = CARTClassifier(max_depth=1, smoothing=0.0).fit(X, Y)
    assert np.allclose(np.unique(laplace_proba(tree, X), axis=0)[-1], [51 / 53, 1 / 53, 1 / 53])
    assert rcl_score(Y, tree.predict_proba(X)) < rcl_score(Y, laplace_proba(tree, X))
    with pytest.raises(TypeError, match="holds one tree, got KDTClassifier"):
        laplace_proba(KDTClassifier(SADT(patience=50), n_estimators=2).fit(X, Y), X)
