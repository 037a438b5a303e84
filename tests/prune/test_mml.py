"""Pruning by message length: of all prunings, the one with the shortest message."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracles import prune as oracle
from oracles.prune import grown
from sklearn.datasets import load_iris

from aslant import C45Classifier, CARTClassifier, ObliqueDecisionTreeClassifier
from aslant.mml import MessageCode, message_length
from aslant.mml.message import tree_message
from aslant.prune import MessageLengthPruning
from aslant.prune.registry import PRUNERS
from aslant.search import MML
from aslant.search.registry import SEARCHES

CODES: list[dict[str, Any]] = [
    {},
    {"direction": "paper", "position": "pair", "alpha": 0.2},
    {"position": "none", "max_features_per_test": 6},
    {"alpha": "tree"},
]


@pytest.mark.parametrize("code", CODES, ids=str)
def test_no_pruning_has_a_shorter_message(code: dict[str, Any]) -> None:
    smaller = 0
    for seed in range(12):
        problem = oracle.random_problem(seed, n_rows=200, weighted=seed % 3 == 0)
        tree = problem.tree
        pruned = MessageLengthPruning(**code).prune(grown(tree, problem.training))
        if tree.n_leaves > 9:
            continue
        lengths = [
            tree_message(tree.pruned(list(leaves)), problem.training, MessageCode(**code)).total
            for leaves in oracle.all_prunings(tree)
        ]
        own = tree_message(pruned, problem.training, MessageCode(**code)).total
        assert own == pytest.approx(min(lengths), abs=1e-7)
        smaller += 1 < pruned.n_leaves < tree.n_leaves
    assert smaller > 0


@pytest.mark.parametrize("name", [name for name in SEARCHES if name != "sadt"])
def test_every_search_can_be_pruned(name: str) -> None:
    X, y = load_iris(return_X_y=True)
    noisy = np.where(np.random.default_rng(0).random(150) < 0.1, 0, y)
    full = ObliqueDecisionTreeClassifier(name, random_state=0).fit(X, noisy)
    pruned = ObliqueDecisionTreeClassifier(name, random_state=0, pruning="mml").fit(X, noisy)
    assert pruned.get_n_leaves() <= full.get_n_leaves()
    before, after = message_length(full, X, noisy), message_length(pruned, X, noisy)
    assert after.total <= before.total + 1e-9
    assert pruned.score(X, y) > 0.9


def test_it_finds_what_no_single_split_shows() -> None:
    """Exclusive or: the first test saves nothing, those below it save everything."""
    rng = np.random.default_rng(0)
    X = rng.random((300, 2))
    y = ((X[:, 0] > 0.5) ^ (X[:, 1] > 0.5)).astype(int)
    search = MML(max_features_per_test=1)
    assert ObliqueDecisionTreeClassifier(search).fit(X, y).score(X, y) < 0.7
    search = MML(max_features_per_test=1, min_saving=-np.inf)
    tree = ObliqueDecisionTreeClassifier(search, pruning="mml").fit(X, y)
    assert tree.score(X, y) > 0.95
    assert tree.get_n_leaves() < 12


def test_linear_machines_and_categories() -> None:
    rng = np.random.default_rng(1)
    X = rng.integers(0, 3, (120, 3)).astype(float)
    y = np.where(rng.random(120) < 0.15, rng.integers(0, 3, 120), X[:, 0]).astype(int)
    settings = {"categorical_features": [0, 1, 2], "random_state": 0}
    tree = C45Classifier(pruning="mml", **settings).fit(X, y)
    assert tree.get_n_leaves() == 3
    assert CARTClassifier(pruning="mml", **settings).fit(X, y).get_n_leaves() == 3


def test_it_is_registered_under_its_name() -> None:
    assert PRUNERS["mml"] is MessageLengthPruning
