"""Large nodes searched on a sample of their rows: what all rows still decide."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from processes import check_in_process
from search.nodes import blobs, make_node
from sklearn.datasets import make_classification

from aslant import (
    C45Classifier,
    CARTClassifier,
    HHCARTClassifier,
    LMDTClassifier,
    OC1Classifier,
    _core,
)
from aslant.datasets import make_ls10
from aslant.search import OC1, AxisParallel

X, Y = make_classification(2000, 5, n_informative=4, n_redundant=0, random_state=1)


def test_nodes_that_are_small_enough_are_searched_whole() -> None:
    plain = OC1Classifier(restarts=2, max_depth=3, random_state=0).fit(X, Y)
    sampled = OC1Classifier(restarts=2, max_depth=3, random_state=0, search_rows=2000).fit(X, Y)
    assert sampled.tree_ == plain.tree_


@pytest.mark.parametrize("estimator", [CARTClassifier, HHCARTClassifier, OC1Classifier])
def test_the_threshold_is_the_best_of_all_rows(estimator: type) -> None:
    tree = estimator(search_rows=100, max_depth=1, pruning=None, random_state=0).fit(X, Y).tree_
    projection = X @ tree.coef[[0]].toarray()[0]
    criterion = "gini" if estimator is CARTClassifier else "twoing"
    threshold, score = _core.best_threshold(projection, Y.astype(np.int32), 2, criterion)
    left = projection <= tree.threshold[0]
    counts = [np.bincount(Y[side], minlength=2).astype(float) for side in (left, ~left)]
    assert _core.score(*counts, criterion) == pytest.approx(score, rel=1e-12)
    assert tree.threshold[0] == pytest.approx(threshold)


def test_all_rows_improve_on_the_plane_of_the_sample() -> None:
    rows, labels = make_ls10(3000, random_state=0)
    settings = {"max_depth": 1, "pruning": None, "random_state": 0}
    finishes = ("threshold", "coefficients")
    threshold, climbed = (
        OC1Classifier(search_rows=100, search_finish=finish, **settings).fit(rows, labels)
        for finish in finishes
    )
    assert climbed.score(rows, labels) > threshold.score(rows, labels) + 0.01


def test_the_direction_is_that_of_the_sample() -> None:
    plain = HHCARTClassifier(max_depth=1, pruning=None).fit(X, Y).tree_.coef.toarray()[0]
    trees = [
        HHCARTClassifier(max_depth=1, pruning=None, search_rows=100, random_state=seed).fit(X, Y)
        for seed in (0, 1)
    ]
    one, other = (tree.tree_.coef.toarray()[0] for tree in trees)
    assert not np.array_equal(one, plain)
    assert not np.array_equal(one, other)


def test_a_class_that_the_sample_misses_is_found_by_all_rows() -> None:
    values = np.arange(1000.0)[:, None]
    rare = values[:, 0] >= 997
    tree = CARTClassifier(search_rows=2, random_state=0).fit(values, rare)
    assert tree.get_n_leaves() == 2
    # CART divides a sample of one class somewhere; C4.5 finds nothing to gain in it.
    tree = C45Classifier(search_rows=2, pruning=None, random_state=0).fit(values, rare)
    assert tree.get_n_leaves() > 1


def test_machines_keep_their_weights_and_are_scored_by_all_rows() -> None:
    clf = LMDTClassifier(search_rows=200, max_depth=2, random_state=0).fit(X, Y)
    assert clf.score(X, Y) > 0.7


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_threads_do_not_change_the_sample(n_jobs: int) -> None:
    settings = {"restarts": 2, "search_rows": 300, "random_state": 3}
    tree = OC1Classifier(n_jobs=n_jobs, **settings).fit(X, Y).tree_
    assert tree == OC1Classifier(**settings).fit(X, Y).tree_


def test_categories_and_missing_values_are_sampled_with_their_rows() -> None:
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 3, 1500)
    data = np.column_stack([codes.astype(float), rng.normal(size=(1500, 2))])
    y = (codes == 1) ^ (data[:, 1] > 0)
    data[rng.random(1500) < 0.1, 1] = np.nan
    clf = OC1Classifier(categorical_features=[0], search_rows=400, random_state=0).fit(data, y)
    assert clf.score(data, y) > 0.85


def samples_inside_wrappers() -> None:
    X, y = blobs(0, 400)
    X = np.column_stack([X, np.random.default_rng(0).integers(0, 3, 400)])
    X[::7, 1] = np.nan
    node = make_node(X, y, levels={4: 3})
    wrappers, searches = ("Standardize", "CrimCoords"), (AxisParallel(), OC1(restarts=1))
    for wrapper, search, climbs in product(wrappers, searches, (False, True)):
        sampled = _core.search("OnSample", search=search.core(), rows=100, climbs=climbs)
        split = _core.find_split(_core.search(wrapper, search=sampled), node, 0)
        assert split is not None
        assert split.score == pytest.approx(node.score(split), rel=1e-6, abs=1e-9)


def test_a_sample_inside_a_wrapper() -> None:
    """The columns of a node that a wrapper made are not those of the table."""
    check_in_process(samples_inside_wrappers)
