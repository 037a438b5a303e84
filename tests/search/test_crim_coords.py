"""CrimCoords: categories as scores, and splits of scores as splits of levels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from oracles.discriminant import crimcoords
from search.nodes import blobs, children, find, make_node
from sklearn.base import clone

from aslant import FisherTreeClassifier, ObliqueDecisionTreeClassifier, QUESTClassifier
from aslant.search import (
    CARTLC,
    OC1,
    QUEST,
    AxisParallel,
    CrimCoords,
    Fisher,
    HyperplaneSplit,
    LinearMachineSplit,
    SplitSearch,
)


class Seen(SplitSearch):
    """Keeps the columns it was shown; returns what it was told to."""

    def __init__(self, answer: object = None) -> None:
        self.answer = answer

    def find(self, node: Any, rng: Any) -> Any:
        self.columns = node.X.copy()
        return self.answer


def scores_seen(X: Any, y: Any, **node_options: Any) -> np.ndarray:
    """Return the columns that a search inside CrimCoords sees."""
    inner = Seen()
    assert find(CrimCoords(inner), make_node(X, y, **node_options)) is None
    return inner.columns


def mixed(seed: int, n: int = 120, n_levels: int = 5) -> tuple[np.ndarray, np.ndarray]:
    """Return a number, a category and a number, and classes that depend on all three."""
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.normal(size=n), rng.integers(0, n_levels, n), 3 * rng.normal(size=n)])
    y = (X[:, 0] + np.sin(3.0 * X[:, 1]) + X[:, 2] / 3 + 0.3 * rng.normal(size=n) > 0).astype(int)
    return X, y


@settings(deadline=None, max_examples=60)
@given(st.integers(2, 9), st.integers(2, 9), st.integers(0, 2**32 - 1))
def test_scores_are_the_first_discriminant_coordinate(
    n_levels: int, n_classes: int, seed: int
) -> None:
    """Found from the shorter side of the table, they solve the eigenproblem of the definition."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, n_classes, 150)
    y[:n_classes] = np.arange(n_classes)
    level = (y * rng.integers(0, 3, 150) + rng.integers(0, n_levels, 150)) % n_levels
    level[:n_levels] = np.arange(n_levels)
    scores = scores_seen(level[:, None].astype(float), y, levels={0: n_levels})[:, 0]
    expected, eigenvalue = crimcoords(level, y)
    assume(eigenvalue > 1e-9)  # levels that tell nothing have no scores
    # A second axis as good as the first leaves the direction open; its value is then the test.
    between = sum(np.sum(y == k) * scores[y == k].mean() ** 2 for k in range(n_classes))
    assert between / np.sum(scores**2) == pytest.approx(eigenvalue, abs=1e-9)
    assert scores.mean() == pytest.approx(0.0, abs=1e-9)
    assert scores.std() == pytest.approx(1.0, rel=1e-9)
    if n_classes == 2:
        assert abs(np.corrcoef(scores, expected)[0, 1]) == pytest.approx(1.0, abs=1e-9)


def test_with_two_classes_scores_are_affine_in_the_share_of_a_class() -> None:
    X, y = mixed(0)
    scores = scores_seen(X, y, levels={1: 5})[:, 1]
    share = np.array([y[X[:, 1] == level].mean() for level in range(5)])[X[:, 1].astype(int)]
    slope, intercept = np.polyfit(share, scores, 1)
    np.testing.assert_allclose(scores, slope * share + intercept, atol=1e-12)


def test_numbers_keep_their_place_and_scores_have_their_median_deviation() -> None:
    X, y = mixed(1)
    X = np.column_stack([X, 50.0 * X[:, 0], np.full(len(y), 7.0)])  # the constant does not count
    seen = scores_seen(X, y, levels={1: 5})
    assert seen.shape == X.shape
    numbers = [0, 2, 3, 4]
    assert np.array_equal(seen[:, numbers], X[:, numbers])
    assert seen[:, 1].std() == pytest.approx(np.median(X[:, [0, 2, 3]].std(axis=0)), rel=1e-9)
    assert scores_seen(X[:, 1:2], y, levels={0: 5}).std() == pytest.approx(1.0, rel=1e-9)
    of_two = scores_seen(X[:, :3], y, levels={1: 5})[:, 1]
    assert of_two.std() == pytest.approx(X[:, [0, 2]].std(axis=0).mean(), rel=1e-9)


def test_the_most_frequent_class_has_the_smaller_mean() -> None:
    for seed in range(6):
        rng = np.random.default_rng(seed)
        y = np.repeat([0, 1, 2], rng.permutation([20, 30, 45]))
        level = (y + (rng.random(95) < 0.3) * rng.integers(0, 4, 95)) % 4
        scores = scores_seen(level[:, None].astype(float), y, levels={0: 4})[:, 0]
        assert scores[y == np.bincount(y).argmax()].mean() < 0.0


def test_names_of_the_classes_and_equal_frequencies_do_not_matter() -> None:
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 40)
    level = (y + (rng.random(80) < 0.3)) % 2 + 2 * rng.integers(0, 2, 80)
    scores = scores_seen(level[:, None].astype(float), y, levels={0: 4})
    np.testing.assert_allclose(
        scores_seen(level[:, None].astype(float), 1 - y, levels={0: 4}), scores, atol=1e-12
    )


def test_weights_are_repeated_rows() -> None:
    X, y = mixed(2)
    weight = np.random.default_rng(2).integers(1, 4, len(y))
    weighted = scores_seen(X, y, levels={1: 5}, weight=weight)
    repeated = scores_seen(X.repeat(weight, axis=0), y.repeat(weight), levels={1: 5})
    np.testing.assert_allclose(weighted.repeat(weight, axis=0), repeated, atol=1e-12)


def test_missing_levels_have_the_mean_score() -> None:
    X, y = mixed(3)
    X[::7, 1] = np.nan
    scores = scores_seen(X, y, levels={1: 5})[:, 1]
    known = ~np.isnan(X[:, 1])
    np.testing.assert_allclose(scores[~known], 0.0, atol=1e-12)
    assert scores[known].mean() == pytest.approx(0.0, abs=1e-12)
    np.testing.assert_allclose(
        scores[known] / scores[known].std(),
        scores_seen(X[known][:, 1:2], y[known], levels={0: 5})[:, 0],
        atol=1e-9,
    )


@pytest.mark.parametrize("training_mean", [False, True])
def test_a_hyperplane_returns_as_weights_of_the_levels(training_mean: bool) -> None:
    X, y = mixed(4)
    X[::9, 1] = np.nan
    inner = Seen(HyperplaneSplit(np.array([1.0, -0.7, 0.2]), 0.1))
    node = make_node(X, y, levels={1: 7}, training_mean=training_mean)
    split = find(CrimCoords(inner), node)
    assert isinstance(split, HyperplaneSplit)
    expected = inner.columns @ inner.answer.coef > 0.1
    assert np.array_equal(children(node, split), expected)
    assert split.coef[[0, 6 + 2]].tolist() == [1.0, 0.2]
    assert not split.coef[[6, 7]].any()  # levels that do not occur: the mean score
    assert split.score == pytest.approx(node.score(split))


def test_a_linear_machine_returns_as_weights_of_the_levels() -> None:
    X, y = mixed(5)
    rng = np.random.default_rng(0)
    machine = LinearMachineSplit(rng.normal(size=(3, 3)), rng.normal(size=3))
    inner = Seen(machine)
    node = make_node(X, y, levels={1: 5})
    split = find(CrimCoords(inner), node)
    assert isinstance(split, LinearMachineSplit)
    expected = np.argmax(inner.columns @ machine.weights.T + machine.bias, axis=1)
    assert np.array_equal(children(node, split), expected)


def test_without_categories_it_is_the_search_itself() -> None:
    X, y = blobs(1)
    node = make_node(X, y, criterion="twoing")
    plain, wrapped = find(OC1(restarts=3), node), find(CrimCoords(OC1(restarts=3)), node)
    assert np.array_equal(plain.coef, wrapped.coef)
    assert plain.threshold == wrapped.threshold


@pytest.mark.parametrize("search", [OC1(), CARTLC(), Fisher(), QUEST()], ids=repr)
def test_one_test_mixes_numbers_and_categories(search: SplitSearch) -> None:
    """Each level shifts the boundary; no test of one feature, or of numbers alone, does it."""
    rng = np.random.default_rng(0)
    shift = np.array([-2.0, -1.0, 0.0, 1.0, 2.0, 3.0])
    X = np.column_stack([rng.uniform(-3, 3, 600), rng.integers(0, 6, 600)])
    distance = X[:, 0] + shift[X[:, 1].astype(int)]
    X, y = X[np.abs(distance) > 0.3], (distance[np.abs(distance) > 0.3] > 0).astype(int)
    node = make_node(X, y, levels={1: 6}, criterion=search.default_criterion)
    split = find(CrimCoords(search), node)
    assert separation(children(node, split), y) > 0.93
    assert separation(children(node, find(AxisParallel(), node)), y) < 0.9
    assert split.coef[0] != 0.0
    assert np.count_nonzero(split.coef[1:]) == 6


def separation(child: np.ndarray, y: np.ndarray) -> float:
    """Return the share of rows that two children tell apart, whichever is which."""
    right = float(np.mean(child == y))
    return max(right, 1.0 - right)


# --------------------------------------------------------------------------------- hostile data

ESTIMATORS = {
    "fisher": FisherTreeClassifier(random_state=0),
    "quest": QUESTClassifier(random_state=0, pruning=None),
    "quest univariate": QUESTClassifier(random_state=0, pruning=None, split="univariate"),
    "oc1": ObliqueDecisionTreeClassifier(CrimCoords(OC1(restarts=2)), random_state=0),
    "cart_lc": ObliqueDecisionTreeClassifier(CrimCoords(CARTLC()), random_state=0),
}
every_estimator = pytest.mark.parametrize("model", ESTIMATORS.values(), ids=ESTIMATORS.keys())


def frame(level: Any, number: Any) -> pd.DataFrame:
    return pd.DataFrame({"level": pd.Categorical(level), "number": number})


@every_estimator
def test_one_level(model: Any) -> None:
    X, y = mixed(6)
    data = frame(np.full(len(y), "a"), X[:, 0])
    assert model.fit(data, y).score(data, y) > 0.6
    assert not model.tree_.column_coef[:, [0]].toarray().any()


@every_estimator
def test_a_thousand_levels(model: Any) -> None:
    rng = np.random.default_rng(0)
    level = np.arange(3000) % 1000
    y = (level % 3 + rng.normal(size=3000) > 1.0).astype(int)
    data = frame([f"level {code}" for code in level], rng.normal(size=3000))
    every_level = clone(model).set_params(max_levels=None)
    assert every_level.fit(data, y).score(data, y) > 0.8


@every_estimator
def test_a_level_of_one_class_only(model: Any) -> None:
    rng = np.random.default_rng(1)
    y = rng.integers(0, 3, 90)
    level = np.where(y == 2, "c", rng.choice(["a", "b"], 90))
    data = frame(level, rng.normal(size=90))
    predicted = model.fit(data, y).predict(data)
    assert (predicted[y == 2] == 2).mean() > 0.9


@every_estimator
def test_a_level_missing_everywhere_at_a_node(model: Any) -> None:
    """Beyond the first test no row has a level: the numbers must do."""
    rng = np.random.default_rng(2)
    number = np.concatenate([rng.normal(-20, 1, 100), rng.normal(20, 1, 100)])
    y = np.concatenate([np.zeros(100), 1 + (number[100:] > 20.0)]).astype(int)
    level = [*rng.choice(["a", "b"], 100), *[None] * 100]
    data = frame(level, number)
    assert model.fit(data, y).score(data, y) > 0.95


@every_estimator
def test_a_category_that_is_always_missing(model: Any) -> None:
    X, y = mixed(7)
    data = frame([None] * len(y), X[:, 0])
    assert model.fit(data, y).score(data, y) > 0.6


@every_estimator
def test_an_unseen_level_counts_as_missing(model: Any) -> None:
    X, y = mixed(8)
    names = np.array(list("abcde"))[X[:, 1].astype(int)]
    model.fit(frame(names, X[:, 0]), y)
    new = np.linspace(-3, 3, 50)
    unseen = model.predict_proba(frame(["z"] * 50, new))
    assert np.array_equal(unseen, model.predict_proba(frame([None] * 50, new)))


def test_levels_absent_at_a_node_have_no_weight() -> None:
    X, y = mixed(9, n=400)
    model = ESTIMATORS["quest"].fit(frame(X[:, 1].astype(int), X[:, 0]), y)
    tree = model.tree_
    data = np.column_stack([X[:, 1], X[:, 0]])
    passed = tree.decision_path(data).toarray().astype(bool)
    checked = 0
    for node in np.flatnonzero(~tree.is_leaf):
        present = np.unique(X[passed[:, node], 1].astype(int))
        absent = np.setdiff1d(np.arange(5), present)
        assert not tree.column_coef[[node], :].toarray()[0, absent].any()
        checked += len(absent)
    assert checked > 0


def test_independent_levels_take_no_part() -> None:
    level = np.tile([0.0, 1.0, 2.0], 20)
    y = np.repeat([0, 1], 30)
    assert not scores_seen(level[:, None], y, levels={0: 3}).any()
    assert find(CrimCoords(Fisher()), make_node(level[:, None], y, levels={0: 3})) is None


def test_its_criteria_are_those_of_the_inner_search() -> None:
    assert CrimCoords(OC1()).default_criterion == "twoing"
    assert CrimCoords(Fisher()).default_criterion == "entropy"


@pytest.mark.parametrize("missing", ["node_mean", "training_mean"])
def test_moments_of_scores_by_level_and_by_row_agree(missing: str) -> None:
    """Rows of weight 1 are counted by level; weights, here all 2, are summed row by row."""
    X, y = mixed(3, n=400)
    X[::7, 1] = np.nan
    X[y == 1, 2] += 0.5 * np.isnan(X[y == 1, 1])
    model = QUESTClassifier(
        categorical_features=[1],
        missing=missing,
        pruning=None,
        shrinkage="none",
        min_samples_leaf=5,
    )
    by_level = model.fit(X, y).tree_
    by_row = clone(model).fit(X, y, sample_weight=np.full(400, 2)).tree_
    assert by_level.n_nodes > 9
    assert np.array_equal(by_level.children, by_row.children)
    assert np.allclose(by_level.column_coef.toarray(), by_row.column_coef.toarray(), atol=1e-9)
