"""Class probabilities mixed with a prior: formulas, weights, and what predicts what."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from aslant_papers.rcl import laplace_proba
from sklearn.datasets import load_iris
from sklearn.metrics import log_loss

from aslant import CARTClassifier, KDTClassifier, MMLTreeClassifier, OC1Classifier
from aslant.tree.smoothing import node_probabilities

X, Y = load_iris(return_X_y=True)
TREE = CARTClassifier(max_leaf_nodes=4).fit(X[::2], Y[::2])


def by_hand(smoothing: float, prior: str) -> list[list[float]]:
    """Return p(k) = (n(k) + m prior(k)) / (n + m) node by node, parents first."""
    value = TREE.tree_.value.tolist()
    found: list[list[float]] = []
    for node, counts in enumerate(value):
        above = [1 / 3] * 3
        if prior == "root":
            above = [n / sum(value[0]) for n in value[0]]
        elif prior == "parent" and node > 0:
            above = found[TREE.tree_.parent[node]]
        n = sum(counts)
        found.append([(counts[k] + smoothing * above[k]) / (n + smoothing) for k in range(3)])
    return found


@pytest.mark.parametrize("prior", ["uniform", "root", "parent"])
@pytest.mark.parametrize("smoothing", [0.0, 0.5, 2.0, 10.0])
def test_the_formula(smoothing: float, prior: str) -> None:
    found = node_probabilities(TREE.tree_, smoothing, prior)
    np.testing.assert_allclose(found, by_hand(smoothing, prior))
    np.testing.assert_allclose(found.sum(axis=1), 1.0)


def test_laplace_is_one_row_of_each_class() -> None:
    model = CARTClassifier(max_leaf_nodes=4, smoothing="laplace").fit(X[::2], Y[::2])
    counts = model.tree_.value[model.apply(X)]
    np.testing.assert_allclose(model.predict_proba(X), (counts + 1) / (counts.sum(1) + 3)[:, None])
    np.testing.assert_allclose(model.predict_proba(X), laplace_proba(model, X))
    default = MMLTreeClassifier(random_state=0).fit(X, Y)
    assert default.smoothing == "laplace"
    np.testing.assert_allclose(default.predict_proba(X), laplace_proba(default, X))


@pytest.mark.parametrize("model", [CARTClassifier(), OC1Classifier(random_state=0, restarts=2)])
def test_no_certainty_and_the_same_classes(model: Any) -> None:
    smooth, plain = model.fit(X, Y), None
    proba, classes = smooth.predict_proba(X), smooth.predict(X)
    assert proba.min() > 0.0 and proba.max() < 1.0
    plain = model.set_params(smoothing=0.0).fit(X, Y)
    assert plain.predict_proba(X).max() == 1.0
    assert np.array_equal(plain.predict(X), classes)


def test_smoothing_can_be_changed_after_the_fit() -> None:
    model = CARTClassifier().fit(X, Y)
    assert model.set_params(smoothing=0.0).predict_proba(X).max() == 1.0
    with pytest.raises(ValueError, match="smoothing must be"):
        model.set_params(smoothing="x").predict_proba(X)


def test_weights() -> None:
    """A row of weight two is the row twice; of other weights only the proportions matter."""
    y = Y[::2] > 0
    twice = CARTClassifier(max_depth=2).fit(np.repeat(X[::2], 2, axis=0), np.repeat(y, 2))
    weighted = CARTClassifier(max_depth=2).fit(X[::2], y, np.full(75, 2.0))
    np.testing.assert_allclose(weighted.predict_proba(X), twice.predict_proba(X))
    weight = np.random.default_rng(0).random(75) + 0.5
    one, other = (CARTClassifier(max_depth=2).fit(X[::2], y, weight * s) for s in (1.0, 1e-9))
    np.testing.assert_allclose(one.predict_proba(X), other.predict_proba(X))


def test_soft_votes_are_smoothed_trees() -> None:
    model = KDTClassifier(search="oc1", n_estimators=3, voting="soft", random_state=0).fit(X, Y)
    members = [member.predict_proba(X) for member in model.estimators_]
    np.testing.assert_allclose(model.predict_proba(X), np.mean(members, axis=0))


def test_compare_scores_what_the_model_delivers() -> None:
    """The log loss in the table is that of `predict_proba` on the same folds."""
    from aslant.comparison.contender import make_contenders
    from aslant.comparison.contest import Allowance, Contest
    from aslant.comparison.problem import make_problem

    noise = np.random.default_rng(0).integers(3, size=150)
    problem = make_problem(X, noise, None, None)
    contest = Contest(problem, make_contenders(["cart"]), Allowance(np.inf, 1, 1, 0))
    contest.run()
    division = contest._divide(5, 0)[0]
    model = CARTClassifier().fit(X[division.train], noise[division.train])
    expected = log_loss(noise[division.test], model.predict_proba(X[division.test]))
    assert contest.contenders[0].folds[0].log_loss == pytest.approx(expected)
