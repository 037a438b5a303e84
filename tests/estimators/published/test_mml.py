"""MMLTreeClassifier: the shortest of several trees, or their average."""

from __future__ import annotations

import os
import pickle
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from aslant_papers.datasets import load_dataset
from sklearn.base import clone
from sklearn.datasets import load_iris, load_wine, make_moons

import aslant
from aslant import CARTClassifier, MMLTreeClassifier
from aslant.mml import message_length
from aslant.mml.code import ALPHAS
from aslant.prune import MessageLengthPruning
from aslant.search import MML

IRIS = load_iris(return_X_y=True)
WINE = load_wine(return_X_y=True)


NOISY = make_moons(400, noise=0.2, random_state=0)
GRID = np.array(list(product(range(1, 6), repeat=4)), dtype=float)
# A balance: weight times distance on both sides.
BALANCE = GRID, np.sign(GRID[:, 0] * GRID[:, 1] - GRID[:, 2] * GRID[:, 3]).astype(int)


def fitted(**parameters: Any) -> MMLTreeClassifier:
    return MMLTreeClassifier(**{"random_state": 0, **parameters}).fit(*WINE)


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"max_features_per_test": 1},
        {"direction": "paper", "position": "pair"},
        {"alpha": "tree", "max_features_per_test": 2},
        {"strategy": "evolution", "restarts": 20},
    ],
    ids=str,
)
def test_the_message_is_that_of_the_tree(parameters: dict[str, Any]) -> None:
    tree = fitted(**parameters)
    assert tree.message_length_ == message_length(tree, *WINE)
    assert tree.message_length_.total < message_length(CARTClassifier().fit(*WINE), *WINE).total
    parts = tree.message_length_.parts()
    assert parts.pop("total") == pytest.approx(sum(parts.values()))
    assert tree.get_n_leaves() >= 3


def test_probabilities_are_laplaces() -> None:
    tree = fitted()
    counts = tree.tree_.value[tree.apply(WINE[0])]
    expected = (counts + 1.0) / (counts.sum(axis=1, keepdims=True) + 3.0)
    np.testing.assert_allclose(tree.predict_proba(WINE[0]), expected)
    assert np.array_equal(tree.predict(WINE[0]), expected.argmax(axis=1))


def test_every_split_makes_the_message_shorter() -> None:
    tree = fitted()
    for leaf in np.flatnonzero(~tree.tree_.is_leaf):
        other = pickle.loads(pickle.dumps(tree))
        other.tree_ = tree.tree_.pruned([leaf])
        assert message_length(other, *WINE).total > tree.message_length_.total


def test_univariate() -> None:
    tree = fitted(max_features_per_test=1)
    assert tree.tree_.features_per_test == 1.0
    assert tree.message_length_.direction == 0.0


def test_smaller_tests_win_where_their_tree_is_shorter() -> None:
    """A product: tests of three features save most at once, tests of two in the end."""
    X, y = BALANCE
    tree = MMLTreeClassifier(random_state=0).fit(X, y)
    limits = [
        aslant.ObliqueDecisionTreeClassifier(MML(features_tried=limit), random_state=0).fit(X, y)
        for limit in (1, 2, 3)
    ]
    lengths = [message_length(limit, X, y).total for limit in limits]
    assert tree.message_length_.total == pytest.approx(min(lengths))
    assert np.argmin(lengths) == 1


def test_the_best_of_many_is_the_shortest() -> None:
    settings = {"restarts": 6, "random_state": 0}
    one = MMLTreeClassifier(**settings).fit(*BALANCE)
    many = MMLTreeClassifier(n_estimators=4, **settings).fit(*BALANCE)
    averaged = MMLTreeClassifier(n_estimators=4, combine="average", **settings).fit(*BALANCE)
    lengths = [member.message_length_.total for member in averaged.estimators_]
    assert len(set(lengths)) > 1
    assert many.message_length_.total == min(lengths)
    assert many.message_length_.total <= one.message_length_.total
    assert not hasattr(many, "estimators_")
    assert many.tree_ == averaged.tree_


def test_averages_are_weighted_by_the_message() -> None:
    X, y = BALANCE
    model = MMLTreeClassifier(n_estimators=4, combine="average", random_state=0).fit(X, y)
    bits = np.array([message_length(member, X, y).total for member in model.estimators_])
    ratio = model.weights_ / model.weights_[0]
    np.testing.assert_allclose(ratio, 2.0 ** (bits[0] - bits))
    assert model.weights_.sum() == pytest.approx(1.0)
    mean = sum(
        weight * member.predict_proba(X)
        for weight, member in zip(model.weights_, model.estimators_, strict=True)
    )
    np.testing.assert_allclose(model.predict_proba(X), mean)
    assert np.array_equal(model.predict(X), model.classes_[mean.argmax(axis=1)])
    assert np.array_equal(model.apply(X), model.tree_.apply(X))  # of the tree that is kept
    assert model.decision_path(X).shape == (625, model.tree_.n_nodes)
    assert model.get_n_leaves() == sum(m.get_n_leaves() for m in model.estimators_)
    assert model.get_depth() == max(m.get_depth() for m in model.estimators_)
    assert not hasattr(model, "cost_complexity_pruning_path")
    assert hasattr(model.estimators_[0], "cost_complexity_pruning_path")
    with pytest.raises(TypeError, match="one of its estimators_"):
        aslant.export_text(model)
    assert "class" in aslant.export_text(model.estimators_[0])


def test_a_second_fit_forgets_the_first() -> None:
    model = fitted(restarts=2, n_estimators=3, combine="average")
    model.set_params(n_estimators=1).fit(*IRIS)
    assert not hasattr(model, "estimators_")
    assert model.predict_proba(IRIS[0]).shape == (150, 3)


@pytest.mark.parametrize(
    "parameters", [{}, {"n_estimators": 3}, {"n_estimators": 3, "combine": "average"}], ids=str
)
def test_saved_and_loaded(parameters: dict[str, Any], tmp_path: Path) -> None:
    model = fitted(restarts=3, **parameters)
    aslant.save(model, tmp_path / "model.aslant")
    other = aslant.load(tmp_path / "model.aslant")
    assert np.array_equal(other.predict_proba(WINE[0]), model.predict_proba(WINE[0]))
    assert other.message_length_ == model.message_length_
    assert other.get_n_leaves() == model.get_n_leaves()
    assert clone(other).fit(*WINE).message_length_ == model.message_length_


def test_alpha_chosen_for_the_tree() -> None:
    chosen = fitted(alpha="tree", max_features_per_test=2)
    each = [fitted(alpha=alpha, max_features_per_test=2) for alpha in ALPHAS]
    best = min(tree.message_length_.total for tree in each)
    assert chosen.message_length_.total == pytest.approx(best + np.log2(6))
    assert chosen.message_length_.alpha in ALPHAS


def test_threads_change_nothing() -> None:
    for n_estimators in (1, 3):
        one = fitted(restarts=4, n_estimators=n_estimators)
        assert fitted(restarts=4, n_estimators=n_estimators, n_jobs=2).tree_ == one.tree_


def test_growing_on_and_pruning_by_message() -> None:
    settings = {"min_saving": -np.inf, "restarts": 4, "random_state": 0}
    pruner = MessageLengthPruning(max_features_per_test=3)
    grown_on = MMLTreeClassifier(pruning=pruner, **settings).fit(*NOISY)
    full = MMLTreeClassifier(**settings).fit(*NOISY)
    assert grown_on.message_length_.total < full.message_length_.total
    assert grown_on.get_n_leaves() < full.get_n_leaves()


def test_noise_is_left_alone() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 10)), rng.integers(0, 2, 200)
    assert MMLTreeClassifier(random_state=0).fit(X, y).get_n_leaves() == 1


def test_categories_and_missing_values() -> None:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "colour": rng.choice(["red", "green", "blue", None], 300),
            "size": rng.normal(size=300),
            "shape": rng.choice(["round", "long"], 300),
        }
    )
    frame.loc[rng.random(300) < 0.1, "size"] = np.nan
    y = np.where(frame["colour"].isin(["red", "blue"]) ^ (frame["size"] > 0.3), "yes", "no")
    tree = MMLTreeClassifier(random_state=0).fit(frame, y)
    assert tree.score(frame, y) > 0.85
    assert tree.message_length_ == message_length(tree, frame, y)
    assert tree.tree_.n_leaves <= 8


@pytest.mark.skipif(
    not os.environ.get("ASLANT_DATA"), reason="needs the papers' data sets: set ASLANT_DATA"
)
@pytest.mark.parametrize("name", ["breast_cancer_ljubljana", "lung_cancer"])
def test_data_sets_of_categories_only(name: str) -> None:
    data = load_dataset(name)
    assert pd.DataFrame(data.data).isna().any().any()
    tree = MMLTreeClassifier(random_state=0).fit(data.data, data.target)
    leaf = CARTClassifier(min_samples_split=10**6).fit(data.data, data.target)
    saved = message_length(leaf, data.data, data.target).total - tree.message_length_.total
    assert tree.get_n_leaves() == 2
    assert saved > 4.0


@pytest.mark.parametrize("scale", [2.0**1022, 2.0**600, 2.0**-1000])
def test_numbers_of_any_size(scale: float) -> None:
    """A message does not depend on the unit of the features."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2)).clip(-1.9, 1.9)
    y = (X[:, 0] + X[:, 1] > 0.0).astype(int)
    settings: dict[str, Any] = {"restarts": 2, "rounds": 1, "random_state": 0}
    one = MMLTreeClassifier(**settings).fit(X, y).message_length_.total
    other = MMLTreeClassifier(**settings).fit(X * scale, y).message_length_.total
    assert other == pytest.approx(one, rel=1e-6)
