"""k-DT: several trees of a randomised search, and their vote."""

from __future__ import annotations

import pickle
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris, make_moons
from sklearn.exceptions import NotFittedError

from aslant import KDTClassifier, ObliqueDecisionTreeClassifier
from aslant.encoding.sample import Sample
from aslant.estimators import TreeClassifier
from aslant.estimators.access import settings_of
from aslant.growth import build_tree
from aslant.search import OC1, SADT

IRIS = load_iris(return_X_y=True)


def noisy(seed: int, n: int = 300) -> tuple[np.ndarray, np.ndarray]:
    return make_moons(n, noise=0.35, random_state=seed)


def ensemble(**parameters: Any) -> KDTClassifier:
    return KDTClassifier(
        **{"search": OC1(restarts=2, jumps=1), "n_estimators": 5, "random_state": 0, **parameters}
    )


def member_shares(model: KDTClassifier, X: np.ndarray) -> np.ndarray:
    return np.array([member.predict_proba(X) for member in model.estimators_])


def test_every_tree_has_one_vote() -> None:
    X, y = noisy(0)
    new, _ = noisy(1)
    model = ensemble(max_depth=4, smoothing=0.0).fit(X, y)
    ballots = member_shares(model, new).argmax(axis=2)
    assert len(np.unique(ballots, axis=0)) > 1
    expected = np.stack([(ballots == k).mean(axis=0) for k in range(2)], axis=1)
    np.testing.assert_allclose(model.predict_proba(new), expected)
    assert np.array_equal(model.predict(new), expected.argmax(axis=1))
    smoothed = model.set_params(smoothing=2.0).predict_proba(new)  # two votes more, one for each
    np.testing.assert_allclose(smoothed, (expected * len(ballots) + 1.0) / (len(ballots) + 2.0))


def test_the_soft_vote_is_the_mean_of_the_leaves() -> None:
    X, y = noisy(0)
    new, _ = noisy(1)
    model = ensemble(max_depth=3, voting="soft").fit(X, y)
    share = member_shares(model, new).mean(axis=0)
    np.testing.assert_allclose(model.predict_proba(new), share)
    assert np.array_equal(model.predict(new), share.argmax(axis=1))
    hard = ensemble(max_depth=3).fit(X, y)
    assert not np.array_equal(hard.predict(new), model.predict(new))


def test_ties_go_to_the_surer_leaves() -> None:
    X, y = noisy(2)
    new, _ = noisy(3)
    model = ensemble(n_estimators=2, min_samples_leaf=10).fit(X, y)
    shares = member_shares(model, new)
    tied = shares[0].argmax(axis=1) != shares[1].argmax(axis=1)
    assert tied.any()
    assert np.array_equal(model.predict(new)[tied], shares.sum(axis=0).argmax(axis=1)[tied])


@pytest.mark.parametrize("search", ["sadt", OC1(restarts=2, jumps=1)], ids=["sadt", "oc1"])
def test_the_vote_is_more_accurate_than_its_trees(search: Any) -> None:
    """On noisy data, and by more than luck: three data sets, five hundred new rows each."""
    search = SADT(patience=1000) if search == "sadt" else search
    gains = []
    for seed in range(3):
        X, y = noisy(seed)
        new, label = noisy(100 + seed, 500)
        model = ensemble(search=search, n_estimators=11, random_state=seed).fit(X, y)
        trees = [member.score(new, label) for member in model.estimators_]
        gains.append(model.score(new, label) - np.mean(trees))
    assert np.mean(gains) > 0.01
    assert min(gains) > 0.0


def test_trees_differ_by_their_seed_only() -> None:
    X, y = noisy(0)
    model = ensemble().fit(X, y)
    first = model.estimators_[0]
    assert isinstance(first, ObliqueDecisionTreeClassifier)
    assert all(first.tree_ != other.tree_ for other in model.estimators_[1:])
    alone = ObliqueDecisionTreeClassifier(OC1(restarts=2, jumps=1))
    sample = Sample(X, y.astype(np.int32), np.ones(len(y)), int(y.max()) + 1)
    for member in model.estimators_:
        assert member.get_params()["verbose"] == 0
        assert np.array_equal(member.classes_, model.classes_)
        settings = replace(settings_of(alone), n_threads=1)
        assert build_tree(sample, settings, member.random_state).tree == member.tree_


@pytest.mark.parametrize("n_jobs", [2, 3])
def test_threads_change_nothing(n_jobs: int) -> None:
    X, y = noisy(0)
    one, several = ensemble().fit(X, y), ensemble(n_jobs=n_jobs).fit(X, y)
    for mine, other in zip(one.estimators_, several.estimators_, strict=True):
        assert mine.tree_ == other.tree_


def test_shapes_and_sums() -> None:
    X, y = IRIS
    model = ensemble().fit(X, y)
    members = model.estimators_
    assert model.apply(X).shape == (150, 5)
    assert np.array_equal(model.apply(X)[:, 2], members[2].apply(X))
    path, start = model.decision_path(X)
    assert start.tolist() == np.cumsum([0, *(m.tree_.n_nodes for m in members)]).tolist()
    third = path[:, start[2] : start[3]]
    assert (third != members[2].decision_path(X)).nnz == 0
    assert model.get_n_leaves() == sum(m.get_n_leaves() for m in members)
    assert model.get_depth() == max(m.get_depth() for m in members)
    assert model.n_hyperplanes_ == sum(m.n_hyperplanes_ for m in members)
    np.testing.assert_allclose(
        model.feature_importances_, np.mean([m.feature_importances_ for m in members], axis=0)
    )
    assert not hasattr(model, "cost_complexity_pruning_path")
    assert not hasattr(model, "tree_")


def test_importances_are_shares_also_if_a_tree_has_no_test() -> None:
    X, y = IRIS
    model = KDTClassifier(SADT(patience=3), n_estimators=8, max_depth=2, min_impurity_decrease=0.6)
    model.set_params(random_state=0).fit(X, y)
    assert {member.get_n_leaves() for member in model.estimators_} >= {1, 2}
    assert model.feature_importances_.sum() == pytest.approx(1.0)


def test_the_trees_one_by_one() -> None:
    model = ensemble(n_estimators=3)
    with pytest.raises(NotFittedError):
        len(model)
    model.fit(*IRIS)
    assert len(model) == 3
    assert model[1] is model.estimators_[1]
    assert list(model) == model.estimators_ == model[:]
    assert not isinstance(model, TreeClassifier)


def test_parameters_reach_every_tree() -> None:
    X, y = noisy(0)
    model = ensemble(criterion="gini", max_depth=2, min_samples_leaf=20, pruning="pessimistic").fit(
        X, y, np.linspace(0.5, 1.5, len(y))
    )
    for member in model.estimators_:
        assert member.get_depth() <= 2
        assert member.tree_.n_node_samples.min() >= 20
        assert member.tree_.value[0].sum() == pytest.approx(len(y))


def test_pickled_and_cloned() -> None:
    X, y = IRIS
    model = ensemble(n_jobs=2, verbose=0).fit(X, np.array(["a", "b", "c"])[y])
    restored = pickle.loads(pickle.dumps(model))
    assert np.array_equal(restored.predict_proba(X), model.predict_proba(X))
    again = clone(model).fit(X, np.array(["a", "b", "c"])[y])
    assert np.array_equal(again.predict_proba(X), model.predict_proba(X))


def test_one_tree_is_that_tree() -> None:
    X, y = IRIS
    model = ensemble(n_estimators=1, voting="soft").fit(X, y)
    assert np.array_equal(model.predict_proba(X), model.estimators_[0].predict_proba(X))


def test_a_search_that_fails_is_heard_from_every_thread() -> None:
    class Broken(SADT):
        def core(self):
            raise RuntimeError("nothing works")

    X, y = IRIS
    for n_jobs in (1, 2):
        with pytest.raises(RuntimeError, match="nothing works"):
            ensemble(search=Broken(), n_jobs=n_jobs).fit(X, y)
