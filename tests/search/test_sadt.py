"""SADT: annealing of a hyperplane."""

from __future__ import annotations

import numpy as np
import pytest
from search.nodes import blobs, children, find, make_node

from aslant import SADTClassifier
from aslant.search import SADT, HyperplaneSplit


def plane(search: SADT, node: object, seed: int = 0) -> HyperplaneSplit:
    split = find(search, node, seed)
    assert isinstance(split, HyperplaneSplit)
    return split


def test_more_patience_never_hurts() -> None:
    """The walk is the same; it only goes on for longer."""
    improved = 0
    for seed in range(6):
        X, y = blobs(seed, n=100)
        node = make_node(X, y, criterion="entropy")
        splits = [find(SADT(patience=p), node, seed) for p in (100, 1000, 5000)]
        scores = [0.0 if split is None else split.score for split in splits]
        assert np.diff(scores).min() >= 0.0
        improved += scores[-1] > scores[0]
    assert improved > 0


def test_units_and_origin_of_the_features_do_not_matter() -> None:
    """They are scaled to [0, 1] at the node; powers of two keep that exact."""
    X, y = blobs(1, n=80)
    X = X.round(3)
    node = make_node(X, y, criterion="entropy")
    changed = make_node(X * [2.0**40, 0.5, 2.0**-30, 8.0], y, criterion="entropy")
    search = SADT(patience=1000)
    assert np.array_equal(
        children(node, plane(search, node)), children(changed, plane(search, changed))
    )
    shifted = make_node(X + 64.0, y, criterion="entropy")
    assert plane(search, shifted).score == pytest.approx(plane(search, node).score, rel=0.05)


@pytest.mark.parametrize(
    "changed",
    [{"temperature": 1e-6}, {"cooling": 0.5}, {"move": "all"}, {"step": 0.05}],
    ids=repr,
)
def test_every_option_changes_the_search(changed: dict[str, object]) -> None:
    X, y = blobs(2, n=100)
    node = make_node(X, y, criterion="entropy")
    split = plane(SADT(patience=1000), node)
    other = plane(SADT(patience=1000, **changed), node)
    assert not np.array_equal(split.coef, other.coef)


@pytest.mark.parametrize("move", ["single", "all"])
def test_it_finds_a_separation(move: str) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2))
    X = X[np.abs(X @ [1.0, -2.0]) > 0.4]
    y = (X @ [1.0, -2.0] > 0.0).astype(int)
    node = make_node(X, y, criterion="entropy")
    sides = children(node, plane(SADT(move=move), node))
    assert len(np.unique(2 * y + sides)) == 2


@pytest.mark.parametrize(
    "criterion", ["max_minority", "sum_minority", "sum_of_variances", "entropy"]
)
def test_energies_of_the_papers(criterion: str) -> None:
    X, y = blobs(3, n=120, n_classes=2)
    model = SADTClassifier(criterion=criterion, patience=2000, random_state=0).fit(X, y)
    majority = np.bincount(y).max() / len(y)
    assert model.score(X, y) > majority + 0.15


def test_a_separation_ends_the_search() -> None:
    X = np.array([[0.0], [1.0]])
    model = SADTClassifier(random_state=0, patience=10**6).fit(X, [0, 1])
    assert model.get_n_leaves() == 2
    assert model.n_hyperplanes_ < 10**5
