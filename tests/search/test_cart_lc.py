"""CART with linear combinations."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from search.nodes import blobs, children, find, make_node

from aslant import CARTLCClassifier
from aslant.search import CARTLC, AxisParallel, HyperplaneSplit


def plane(search: CARTLC | AxisParallel, node: object, seed: int = 0) -> HyperplaneSplit:
    split = find(search, node, seed)
    assert isinstance(split, HyperplaneSplit)
    return split


def test_nothing_is_random() -> None:
    X, y = blobs(0)
    node = make_node(X, y, criterion="twoing")
    one, other = (plane(CARTLC(), node, seed) for seed in (1, 2))
    assert np.array_equal(one.coef, other.coef)
    assert one.threshold == other.threshold


@pytest.mark.parametrize("criterion", CARTLC.criteria)
def test_it_is_never_worse_than_the_univariate_test(criterion: str) -> None:
    better = 0
    for seed in range(6):
        X, y = blobs(seed, n=100)
        node = make_node(X, y, criterion=criterion)
        axis, combination = plane(AxisParallel(), node), plane(CARTLC(), node)
        assert combination.score >= axis.score
        better += combination.score > axis.score * (1.0 + 1e-9)
    assert better >= 4


@pytest.mark.parametrize("criterion", CARTLC.criteria)
def test_more_cycles_never_hurt(criterion: str) -> None:
    """Steps may lead downhill, but the best combination seen is the one that counts."""
    for seed in range(8):
        X, y = blobs(seed, n=100)
        node = make_node(X, y, criterion=criterion)
        scores = [
            plane(CARTLC(max_cycles=cycles, tolerance=0.0, univariate=False), node).score
            for cycles in (1, 2, 3, 5, 8, 13)
        ]
        assert np.diff(scores).min() >= 0.0


def test_a_cycle_that_brings_nothing_changes_nothing() -> None:
    """Of equally good combinations the first one seen is kept."""
    settled = 0
    for seed in range(8):
        X, y = blobs(seed, n=60)
        node = make_node(X, y, criterion="twoing")
        splits = [plane(CARTLC(max_cycles=cycles, tolerance=0.0), node) for cycles in range(1, 9)]
        for one, next_one in pairwise(splits):
            if one.score == next_one.score:
                settled += 1
                assert np.array_equal(one.coef, next_one.coef)
    assert settled > 8


def test_the_univariate_test_may_be_kept_out() -> None:
    """A threshold separates the classes; a combination cannot be better, but is asked for."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(100, 2))
    node = make_node(X, X[:, 0] > 0.1, criterion="twoing")
    assert np.count_nonzero(plane(CARTLC(), node).coef) == 1
    mixed = plane(CARTLC(univariate=False, max_cycles=1), node)
    assert mixed.score == pytest.approx(plane(CARTLC(), node).score)


def test_normalised_the_units_of_the_features_do_not_matter() -> None:
    X, y = blobs(4, n=100)
    scales, shifts = np.array([4.0, 2.0**-20, 1.0, 2.0**30]), np.array([8.0, 0.0, -4.0, 0.0])
    node = make_node(X, y, criterion="twoing")
    changed = make_node(X * scales + shifts, y, criterion="twoing")
    search = CARTLC(normalize=True)
    assert np.array_equal(
        children(node, plane(search, node)), children(changed, plane(search, changed))
    )


def test_deletion_leaves_out_features_that_add_little() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 6))
    y = (X[:, 0] + X[:, 1] > 0.0).astype(int)
    node = make_node(X, y, criterion="twoing")
    used = [np.count_nonzero(plane(CARTLC(beta=beta), node).coef) for beta in (None, 0.0, 0.2)]
    assert used[0] == 6
    assert used[2] <= used[1] <= used[0]
    kept = plane(CARTLC(beta=0.2), node)
    assert np.flatnonzero(kept.coef).tolist() == [0, 1]
    assert kept.score > 0.9 * plane(CARTLC(), node).score


@pytest.mark.parametrize(
    "changed",
    [{"gammas": (0.0,)}, {"gammas": [1.0, -1.0]}, {"max_cycles": 1}, {"normalize": True}],
    ids=repr,
)
def test_every_option_changes_the_search(changed: dict[str, object]) -> None:
    different = 0
    for seed in range(4):
        X, y = blobs(seed, n=150)
        node = make_node(X, y, criterion="twoing")
        different += not np.array_equal(
            plane(CARTLC(), node).coef, plane(CARTLC(**changed), node).coef
        )
    assert different > 0


def test_a_loose_tolerance_ends_the_cycles_early() -> None:
    scores = []
    for tolerance in (1e9, 0.0):
        search = CARTLC(tolerance=tolerance)
        nodes = [make_node(*blobs(seed, n=150), criterion="twoing") for seed in range(5)]
        scores.append([plane(search, node).score for node in nodes])
    once = [plane(CARTLC(max_cycles=1), node).score for node in nodes]
    assert scores[0] == once
    assert np.all(np.array(scores[1]) >= scores[0])
    assert np.any(np.array(scores[1]) > scores[0])


# ---------------------------------------------------------------------- as published


def test_the_original_counts_features_from_zero() -> None:
    """From medians nothing depends on where a scale begins; from zero it does."""
    moved = {"median": 0, "original": 0}
    for seed in range(4):
        X, y = blobs(seed, n=150)
        X = X - X.min(axis=0)
        for origin in moved:
            here, there = (
                find(CARTLC(origin=origin), make_node(rows, y, criterion="twoing"))
                for rows in (X, X + 5.0)
            )
            moved[origin] += not np.allclose(here.coef, there.coef, rtol=1e-6)
    assert moved["median"] == 0 < moved["original"]


def test_the_last_of_equally_good_combinations() -> None:
    """An exact step never lowers the score, but it may go on to another plane of the same one."""
    different = 0
    for seed in range(6):
        X, y = blobs(seed, n=100)
        node = make_node(np.round(X), y, criterion="twoing")
        best, last = (
            plane(CARTLC(origin="original", univariate=False, keep=keep), node)
            for keep in ("best", "last")
        )
        assert last.score == pytest.approx(best.score)
        different += not np.allclose(best.coef, last.coef)
    assert different > 0


def test_small_nodes_below_the_root_have_one_feature() -> None:
    X, y = blobs(0, n=100)
    trees = [
        CARTLCClassifier(search=CARTLC(min_samples_oblique=rows, univariate=False), pruning=None)
        .fit(X, y)
        .tree_
        for rows in (0, 10**6)
    ]
    features = [tree.features_in_test[~tree.is_leaf] for tree in trees]
    assert features[0][1:].max() > 1
    assert features[1][0] > 1 and (features[1][1:] == 1).all()


def test_complete_cases_are_numbers_and_rows_that_have_all_of_them() -> None:
    """The combination is the one of these rows alone; its worth is that for all rows."""
    X, y = blobs(3, n=120)
    missing = np.random.default_rng(0).random(len(y)) < 0.3
    X[missing, 0] = np.nan
    code = np.random.default_rng(1).integers(0, 3, len(y))
    search = CARTLC(complete_cases=True, univariate=False)
    node = make_node(np.column_stack([X, code]), y, levels={X.shape[1]: 3}, criterion="twoing")
    of_all = plane(search, node)
    complete = make_node(X[~missing], y[~missing], criterion="twoing")
    alone = plane(CARTLC(univariate=False), complete)
    width = X.shape[1]
    np.testing.assert_allclose(of_all.coef[:width], alone.coef, rtol=1e-9)
    assert not of_all.coef[width:].any()
    assert of_all.threshold == pytest.approx(alone.threshold)
    assert of_all.score == pytest.approx(node.score(of_all))
    assert plane(CARTLC(univariate=False), node).coef[width:].any()


def test_without_complete_cases_the_univariate_test_is_left() -> None:
    X, y = blobs(4, n=40)
    X[np.arange(40), np.arange(40) % X.shape[1]] = np.nan
    node = make_node(X, y, criterion="twoing")
    assert find(CARTLC(complete_cases=True, univariate=False), node) is None
    axis = plane(AxisParallel(), node)
    assert np.array_equal(plane(CARTLC(complete_cases=True), node).coef, axis.coef)


def test_the_exact_steps_find_better_combinations_than_the_legacy_sweep() -> None:
    scores = []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        X = rng.uniform(size=(60, 3))
        node = make_node(X, X.sum(axis=1) + 0.3 * rng.normal(size=60) > 1.5, criterion="twoing")
        scores.append(
            [
                plane(CARTLC(origin="original", univariate=False), node).score,
                plane(CARTLC(legacy_sweep=True, univariate=False), node).score,
            ]
        )
    exact, legacy = np.mean(scores, axis=0)
    assert exact > legacy


def test_the_score_of_a_legacy_step_is_that_of_the_split_it_makes() -> None:
    for seed in range(5):
        X, y = blobs(seed, n=80)
        node = make_node(X, y, criterion="twoing")
        split = plane(CARTLC(legacy_sweep=True, keep="last", univariate=False), node)
        assert node.score(split) == pytest.approx(split.score)


def test_the_published_steps_are_stuck_on_figure_5_of_the_oc1_paper() -> None:
    first = [(0.0, 1.0), (0.1, 0.3), (0.2, 0.3), (0.5, 0.8)]
    second = [(0.0, 0.0), (1.0, 0.0), (0.8, 0.8), (0.9, 0.6)]
    X, y = np.array(first + second), np.repeat([1, 2], 4)
    stuck = CARTLCClassifier.as_published(pruning=None, max_depth=1).fit(X, y)
    assert stuck.score(X, y) == 7 / 8
    assert CARTLCClassifier(pruning=None, max_depth=1).fit(X, y).score(X, y) == 1.0


def test_the_origin_is_the_original_one_with_the_legacy_sweep() -> None:
    with pytest.raises(ValueError, match="origin has no effect unless legacy_sweep"):
        CARTLC(legacy_sweep=True, origin="original").core()
    assert CARTLCClassifier.as_published().get_params()["search__legacy_sweep"]
