"""MML: tests that make the message shorter."""

from __future__ import annotations

import math
from dataclasses import fields
from typing import Any

import numpy as np
import pytest
from oracles.message import leaf
from search.nodes import blobs, children, find, make_node
from sklearn.datasets import load_iris, load_wine

from aslant import ObliqueDecisionTreeClassifier
from aslant.mml import MessageCode, message_length
from aslant.mml.code import attribute_bits, grouping_bits, position_bits, root_bits
from aslant.search import MML, HyperplaneSplit, SplitSearch


def mixed(seed: int, n: int = 80) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.normal(size=(n, 2)).round(1), rng.integers(0, 5, n)])
    y = (X[:, 0] + X[:, 1] + 2.0 * (X[:, 2] == 3) > 0.7).astype(int)
    X[rng.random(X.shape) < 0.05] = np.nan
    return X, y


def saved_by(
    split: HyperplaneSplit, search: MML, X: np.ndarray, y: np.ndarray, categories: list[int]
) -> float:
    """Return the bits that the message of a stump with this test is shorter than that of a leaf."""
    settings = {"categorical_features": categories, "max_depth": 1}
    stump = ObliqueDecisionTreeClassifier(Given(split), **settings).fit(X, y)
    none = ObliqueDecisionTreeClassifier(Given(None), **settings).fit(X, y)
    own = {part.name: getattr(search, part.name) for part in fields(MessageCode)}
    return message(none, X, y, **own) - message(stump, X, y, **own)


def message(
    tree: ObliqueDecisionTreeClassifier, X: np.ndarray, y: np.ndarray, **code: Any
) -> float:
    return message_length(tree, X, y, **code).total


@pytest.mark.parametrize(
    "code",
    [
        {},
        {"direction": "paper", "position": "pair", "alpha": 0.5},
        {"direction": "paper_all", "position": "none"},
        {"direction": "paper_all", "strategy": "evolution", "restarts": 30, "rounds": 30},
        {"position": "none", "max_features_per_test": 2},
        {"max_features_per_test": 5, "alpha": 0.1},
        {"max_features_per_test": 1},
        {"min_features_per_test": 2},
        {"min_features_per_test": 3, "attributes": "none"},
        {"strategy": "evolution", "restarts": 30, "rounds": 30},
    ],
    ids=str,
)
def test_a_split_must_save_what_the_message_says_it_saves(code: dict[str, Any]) -> None:
    for seed in range(3):
        X, y = mixed(seed)
        search = MML(min_saving=-np.inf, **code)
        node = make_node(X, y, levels={2: 5}, criterion="entropy")
        split = find(search, node, seed)
        assert isinstance(split, HyperplaneSplit)
        saved = saved_by(split, search, X, y, [2])
        assert find(MML(min_saving=saved - 1e-6, **code), node, seed) is not None
        assert find(MML(min_saving=saved + 1e-6, **code), node, seed) is None


class Given(SplitSearch):
    """The same split at every node."""

    def __init__(self, split: HyperplaneSplit | None = None) -> None:
        self.split = split

    def find(self, node, rng):
        return self.split


def best_single(X: np.ndarray, y: np.ndarray, alpha: float) -> float:
    """Try every threshold of every number; return the bits saved at the root."""
    n_features = sum(len(np.unique(column)) > 1 for column in X.T)
    before = leaf(y.tolist(), 2, alpha) + root_bits(True, n_features)
    best = math.inf
    for column in X.T:
        values = np.unique(column)
        for cut in values[:-1]:
            inside = column <= cut
            bits = leaf(y[inside].tolist(), 2, alpha) + leaf(y[~inside].tolist(), 2, alpha)
            bits += attribute_bits(n_features, 1, 1) + position_bits("gap", len(values))
            best = min(best, bits + root_bits(False, n_features) + 2.0)
    return before - best


@pytest.mark.parametrize("alpha", [1.0, 0.3])
def test_single_features_are_tried_exhaustively(alpha: float) -> None:
    for seed in range(5):
        X, y = blobs(seed, n=50, n_classes=2)
        X = X.round(seed % 3)
        node = make_node(X, y, criterion="entropy")
        search = MML(max_features_per_test=1, alpha=alpha, min_saving=-np.inf)
        split = find(search, node)
        assert isinstance(split, HyperplaneSplit)
        saved = saved_by(split, search, X, y, [])
        assert saved == pytest.approx(best_single(X, y, alpha), abs=1e-6)


def test_groupings_of_two_classes_are_tried_in_the_order_of_their_shares() -> None:
    """Levels 1 and 3 hold one class: no other grouping saves as much."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 5, (200, 1)).astype(float)
    y = np.isin(X[:, 0], [1, 3]).astype(int)
    node = make_node(X, y, levels={0: 5}, criterion="entropy")
    split = find(MML(), node)
    assert isinstance(split, HyperplaneSplit)
    assert np.flatnonzero(split.coef).tolist() == [1, 3]
    pure = [int(np.sum(y == k)) for k in (0, 1)]
    after = sum(leaf([0] * n, 2, 1.0) for n in pure) + grouping_bits(5, 2) + 1.0 + 2.0
    before = leaf(y.tolist(), 2, 1.0) + 1.0
    assert saved_by(split, MML(), X, y, [0]) == pytest.approx(before - after, abs=1e-6)


def test_no_split_unless_it_saves_bits() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(100, 3)), rng.integers(0, 2, 100)
    node = make_node(X, y, criterion="entropy")
    assert find(MML(), node) is None
    forced = find(MML(min_saving=-np.inf), node)
    assert isinstance(forced, HyperplaneSplit)
    saved = saved_by(forced, MML(), X, y, [])
    assert saved <= 0.0
    assert find(MML(min_saving=saved - 0.01), node) is not None
    assert find(MML(min_saving=saved + 0.01), node) is None
    assert ObliqueDecisionTreeClassifier("mml").fit(X, y).get_n_leaves() == 1
    full = ObliqueDecisionTreeClassifier(MML(min_saving=-np.inf, restarts=2)).fit(X, y)
    assert full.score(X, y) == 1.0


def test_min_impurity_decrease_is_in_the_units_of_the_criterion() -> None:
    X, y = load_iris(return_X_y=True)
    tree = ObliqueDecisionTreeClassifier("mml", random_state=0).fit(X, y)
    assert tree.get_n_leaves() == 3
    parent = int(tree.tree_.parent[tree.tree_.is_leaf].max())
    share = tree.tree_.n_node_samples / 150
    below = tree.tree_.children[parent]
    second = share[parent] * tree.tree_.impurity[parent] - share[below] @ tree.tree_.impurity[below]
    for least, leaves in ((second - 1e-6, 3), (second + 1e-6, 2), (2.0, 1)):
        tree.set_params(min_impurity_decrease=least)
        assert tree.fit(X, y).get_n_leaves() == leaves


@pytest.mark.parametrize("loader", [load_iris, load_wine])
def test_the_sweep_finds_shorter_messages_with_fewer_hyperplanes(loader: Any) -> None:
    X, y = loader(return_X_y=True)
    swept, evolved = [], []
    for seed in range(3):
        both = [
            ObliqueDecisionTreeClassifier(MML(strategy=strategy), random_state=seed).fit(X, y)
            for strategy in ("sweep", "evolution")
        ]
        swept.append(message(both[0], X, y))
        evolved.append(message(both[1], X, y))
        assert both[0].n_hyperplanes_ < both[1].n_hyperplanes_ / 5
    assert np.mean(swept) <= np.mean(evolved) + 1e-9
    assert min(swept) <= min(evolved) + 1e-9


def test_oblique_tests_are_found() -> None:
    """Two features divide the rows exactly; no single one comes near."""
    rng = np.random.default_rng(1)
    X = rng.random((200, 6))
    side = X[:, 1] - X[:, 4]
    X, side = X[np.abs(side) > 0.05], side[np.abs(side) > 0.05]
    y = (side > 0.0).astype(int)
    node = make_node(X, y, criterion="entropy")
    for strategy in ("sweep", "evolution"):
        split = find(MML(strategy=strategy), node)
        assert isinstance(split, HyperplaneSplit)
        assert {1, 4} <= set(np.flatnonzero(split.coef))
        if strategy == "sweep":
            assert len(np.unique(2 * y + children(node, split))) == 2
    single = find(MML(features_tried=1), node)
    assert isinstance(single, HyperplaneSplit)
    assert np.count_nonzero(single.coef) == 1


def test_tests_have_at_most_the_features_allowed() -> None:
    X, y = blobs(3, n=200, d=8)
    for most in (1, 2, 4, 8):
        search = MML(max_features_per_test=most, min_saving=-20.0, restarts=8)
        tree = ObliqueDecisionTreeClassifier(search, random_state=0, max_depth=4).fit(X, y).tree_
        used = np.diff(tree.coef.indptr)
        assert used.max() <= most
        assert most == 1 or used.max() > 1


def test_more_effort_is_never_in_vain() -> None:
    """The first heat of more restarts or rounds holds no fewer directions."""
    gains = []
    for seed in range(4):
        X, y = blobs(seed, n=120, d=6, n_classes=2)
        node = make_node(X, y, criterion="entropy")
        saved = []
        for r, k in ((4, 1), (64, 16)):
            split = find(MML(restarts=r, rounds=k, min_saving=-np.inf), node, seed)
            assert isinstance(split, HyperplaneSplit)
            saved.append(saved_by(split, MML(), X, y, []))
        gains.append(saved[1] - saved[0])
    assert min(gains) >= -1e-9
    assert max(gains) > 0.0


def test_threads_change_nothing() -> None:
    X, y = blobs(1, n=800, d=6)
    for strategy in ("sweep", "evolution"):
        search = MML(strategy=strategy, restarts=30, rounds=6, min_saving=-5.0)
        one, two = (
            ObliqueDecisionTreeClassifier(search, random_state=0, n_jobs=n).fit(X, y)
            for n in (1, 2)
        )
        assert one.tree_ == two.tree_


@pytest.mark.parametrize("scale", [1e-300, 1e300, 1e-12])
def test_extreme_units(scale: float) -> None:
    X, y = load_iris(return_X_y=True)
    tree = ObliqueDecisionTreeClassifier("mml", random_state=0).fit(X * scale, y)
    assert tree.score(X * scale, y) > 0.9


@pytest.mark.parametrize("strategy", ["sweep", "evolution"])
@pytest.mark.parametrize(("fewest", "most"), [(2, 3), (3, 3), (2, 2)])
def test_tests_have_so_many_features(strategy: str, fewest: int, most: int) -> None:
    """Unless fewer vary at the node."""
    sizes = set()
    for seed in range(6):
        X, y = blobs(seed, n=60, d=5)
        search = MML(
            min_features_per_test=fewest,
            max_features_per_test=most,
            strategy=strategy,
            min_saving=-np.inf,
            restarts=4,
            rounds=4,
        )
        sizes.add(int(np.count_nonzero(find(search, make_node(X, y), seed).coef)))
        X[:, 1:] = 0.0
        assert np.count_nonzero(find(search, make_node(X, y), seed).coef) == 1
    assert sizes <= set(range(fewest, most + 1))


def test_the_fewest_features_are_at_most_the_most() -> None:
    with pytest.raises(ValueError, match=r"min_features_per_test must be .* 3, got 4"):
        MML(min_features_per_test=4).core()
