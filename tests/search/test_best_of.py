"""The best of several searches."""

from __future__ import annotations

import numpy as np
import pytest
from search.nodes import blobs, find, make_node
from sklearn.base import clone

from aslant import ObliqueDecisionTreeClassifier
from aslant.search import C45, CARTLC, OC1, AxisParallel, BestOf, HyperplaneSplit, SplitSearch


class Along(SplitSearch):
    """The best threshold along a given direction."""

    def __init__(self, direction: tuple[float, ...] = (1.0, 0.0)) -> None:
        self.direction = direction

    def find(self, node, rng):
        return node.best_along(np.array(self.direction))


class OnlyGini(Along):
    criteria = ("gini",)


def plane(search: SplitSearch, node: object) -> HyperplaneSplit:
    split = find(search, node)
    assert isinstance(split, HyperplaneSplit)
    return split


def test_the_highest_score_wins() -> None:
    for seed in range(5):
        X, y = blobs(seed, d=2)
        node = make_node(X, y)
        searches = [Along((1.0, 0.0)), Along((0.0, 1.0)), Along((1.0, 1.0))]
        splits = [plane(search, node) for search in searches]
        best = max(splits, key=lambda split: split.score)
        assert np.array_equal(plane(BestOf(searches), node).coef, best.coef)


def test_the_first_wins_a_tie() -> None:
    x = np.arange(6.0)
    node = make_node(np.column_stack([x, x]), [0, 0, 0, 1, 1, 1])
    for first, second in (((1.0, 0.0), (0.0, 1.0)), ((0.0, 1.0), (1.0, 0.0))):
        split = plane(BestOf([Along(first), Along(second)]), node)
        assert split.coef.tolist() == list(first)


def test_a_search_that_finds_nothing_does_not_count() -> None:
    X, y = blobs(0, d=2)
    node = make_node(X, y)
    nothing = Along((0.0, 0.0))
    assert find(nothing, node) is None
    assert find(BestOf([nothing, nothing]), node) is None
    assert np.array_equal(
        plane(BestOf([nothing, AxisParallel()]), node).coef, plane(AxisParallel(), node).coef
    )


def test_criteria_are_those_that_all_can_work_with() -> None:
    assert BestOf([CARTLC(), AxisParallel()]).default_criterion == "twoing"
    both = BestOf([AxisParallel(), C45()])
    assert list(both.criteria) == ["gain_ratio"]
    assert both.default_criterion == "gain_ratio"
    X, y = blobs(0)
    assert ObliqueDecisionTreeClassifier(both).fit(X, y).score(X, y) > 0.9
    with pytest.raises(ValueError, match="BestOf works with criterion 'gain_ratio' only"):
        ObliqueDecisionTreeClassifier(both, criterion="gini").fit(X, y)


def test_searches_without_a_criterion_in_common() -> None:
    search = BestOf([OnlyGini(), C45()])
    X, y = blobs(0)
    with pytest.raises(ValueError, match="searches must have a criterion in common"):
        ObliqueDecisionTreeClassifier(search).fit(X, y)


def test_it_nests_clones_and_keeps_categories() -> None:
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=120), rng.integers(0, 4, 120)])
    y = ((X[:, 1] % 2) + X[:, 0] > 0.5).astype(int)
    search = clone(BestOf([AxisParallel(), BestOf([OC1(restarts=2), AxisParallel()])]))
    model = ObliqueDecisionTreeClassifier(search, categorical_features=[1], random_state=0)
    assert model.fit(X, y).score(X, y) == 1.0
