"""OC1: the paper's examples, and that every knob turns something."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from search.nodes import blobs, children, find, make_node

from aslant import OC1Classifier, _core
from aslant.datasets import make_pol
from aslant.search import OC1, AxisParallel, HyperplaneSplit

# Figure 6 of the paper: separable, but no single coefficient can be moved towards the separation.
EIGHT_POINTS = np.array(
    [[0.0, 1.0], [0.1, 0.3], [0.2, 0.3], [0.5, 0.8], [0.0, 0.0], [1.0, 0.0], [0.8, 0.8], [0.9, 0.6]]
)
EIGHT_CLASSES = np.array([0, 0, 0, 0, 1, 1, 1, 1])


def plane(search: OC1 | AxisParallel, node: object, seed: int = 0) -> HyperplaneSplit:
    split = find(search, node, seed)
    assert isinstance(split, HyperplaneSplit)
    return split


@pytest.mark.parametrize("seed", range(10))
def test_the_climb_alone_is_stuck_on_the_eight_points(seed: int) -> None:
    node = make_node(EIGHT_POINTS, EIGHT_CLASSES, criterion="twoing")
    axis = plane(AxisParallel(), node)
    assert axis.threshold == pytest.approx(0.65)
    stuck = plane(OC1(restarts=1, jumps=0), node, seed)
    assert stuck.score == pytest.approx(axis.score)
    free = plane(OC1(), node, seed)
    assert len(np.unique(EIGHT_CLASSES * 2 + children(node, free))) == 2


def two_categories(seed: int, levels: int) -> tuple[np.ndarray, np.ndarray, np.random.Generator]:
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, levels, (600, 2)).astype(float)
    X = np.column_stack([codes, rng.normal(size=600)])
    noise = rng.normal(size=600)
    told = codes[:, 0] % 3 + 0.7 * (codes[:, 1] % 4) + noise + 0.3 * X[:, 2]
    return X, (told > 2.0).astype(int), rng


@pytest.mark.parametrize("seed", [0, 2, 4, 5, 6])  # where no two planes are as good
def test_few_rows_of_a_level_are_enough_for_the_climb(seed: int) -> None:
    """Rows that cannot be counted are moved all together, and the plane is the same."""
    X, y, rng = two_categories(seed, 10)
    counted, together = (
        plane(
            OC1(restarts=1, jumps=0),
            make_node(X, y, levels={0: 10, 1: 10}, weight=weight, criterion="twoing"),
            seed,
        )
        for weight in (np.ones(600), 1.0 + 1e-11 * rng.random(600))
    )
    np.testing.assert_array_equal(counted.coef, together.coef)
    assert counted.score == pytest.approx(together.score, rel=1e-9)


@pytest.mark.parametrize("weights", ["none", "whole", "real"])
@pytest.mark.parametrize("seed", range(3))
def test_no_level_can_be_moved_to_improve_the_plane(seed: int, weights: str) -> None:
    """Planes move along the few rows of a level; lines over all rows find nothing that is better.

    Rows of real weights cannot be counted and are looked at all together.
    """
    n, levels = 600, 10
    X, y, rng = two_categories(seed, levels)
    X[rng.random(n) < 0.05, 0] = np.nan
    weight = {"none": np.ones(n), "whole": rng.integers(1, 4, n) * 1.0, "real": 0.5 + rng.random(n)}
    w = weight[weights]
    node = make_node(X, y, levels={0: levels, 1: levels}, weight=w, criterion="twoing")
    split = plane(OC1(restarts=1, jumps=0), node, seed)
    V = node.X @ split.coef - split.threshold
    inside = [np.bincount(y[side], w[side], minlength=2) for side in (V <= 0.0, V > 0.0)]
    assert split.score == pytest.approx(_core.score(*inside, "twoing"), rel=1e-9)
    assert np.count_nonzero(split.coef) > levels
    for j in range(node.X.shape[1]):
        order = np.argsort(node.X[:, j], kind="stable")
        median = node.X[order[np.searchsorted(np.cumsum(w[order]), w.sum() / 2)], j]
        best = _core.line_search(V, node.X[:, j] - median, y, 2, "twoing", weight=w)
        assert best is None or best[1] <= split.score * (1.0 + 1e-8)


def test_jumps_alone_can_separate_the_eight_points() -> None:
    sizes = [
        OC1Classifier(restarts=1, jumps=20, pruning=None, random_state=seed)
        .fit(EIGHT_POINTS, EIGHT_CLASSES)
        .get_n_leaves()
        for seed in range(10)
    ]
    assert sizes.count(2) >= 5


def test_one_jump_is_not_as_good_as_many() -> None:
    scores = []
    for seed in range(5):
        X, y = blobs(seed, n=150)
        node = make_node(X, y, criterion="twoing")
        scores.append([plane(OC1(restarts=1, jumps=jumps), node, seed).score for jumps in (1, 30)])
    one, many = np.mean(scores, axis=0)
    assert many > 1.05 * one


@pytest.mark.parametrize(("step", "idle_moves"), [(1.0, 2), (0.5, 3), (0.25, 5), (0.1, 11)])
def test_idle_moves_until_their_chance_is_below_zero(step: float, idle_moves: int) -> None:
    """On the eight points all moves are idle: two a cycle, and a cycle without any ends the climb.

    The first has the chance 1, the last the chance 0.
    """
    search = OC1(restarts=1, jumps=0, stagnation_step=step, min_samples_oblique=0)
    model = OC1Classifier(search=search, max_depth=1, pruning=None)
    model.fit(EIGHT_POINTS, EIGHT_CLASSES)
    cycles = -(-idle_moves // 2) + 1
    assert model.n_hyperplanes_ == 1 + 2 * cycles


@pytest.mark.parametrize("seed", range(3))
def test_five_leaves_for_four_parallel_lines(seed: int) -> None:
    X, y = make_pol(random_state=0)
    model = OC1Classifier(restarts=20, jumps=20, pruning=None, random_state=seed)
    model.fit(X, y)
    assert model.get_n_leaves() == 5
    assert model.score(X, y) == 1.0


@pytest.mark.parametrize("criterion", ["twoing", "gini", "entropy", "sum_minority"])
def test_more_effort_never_hurts(criterion: str) -> None:
    """Restarts have random streams of their own, and jumps are only taken uphill."""
    for seed in range(4):
        X, y = blobs(seed, n=120)
        node = make_node(X, y, criterion=criterion)
        scores = [
            plane(search, node, seed).score
            for search in (AxisParallel(), *(OC1(restarts=r, jumps=0) for r in (1, 5, 20)))
        ]
        assert np.diff(scores).min() >= -1e-9
        jumping = [plane(OC1(restarts=1, jumps=j), node, seed).score for j in (0, 5, 30)]
        assert np.diff(jumping).min() >= -1e-9


@pytest.mark.parametrize(
    "changed",
    [
        {"order": "best"},
        {"order": "random"},
        {"order": "random", "random_moves": 5},
        {"stagnation": "probability"},
        {"stagnation_step": 1.0},
        {"perturb_constant": True},
        {"start": "through_point"},
        {"origin": "original"},
        {"legacy_sweep": True},
        {"restarts": 3},
        {"jumps": 0},
    ],
    ids=repr,
)
def test_every_option_changes_the_search(changed: dict[str, object]) -> None:
    different = 0
    for seed in range(3):
        X, y = blobs(seed, n=150)
        node = make_node(X, y, criterion="twoing")
        split, other = plane(OC1(), node, seed), plane(OC1(**changed), node, seed)
        different += not np.array_equal(split.coef, other.coef)
        sizes = np.bincount(children(node, other), minlength=2)
        assert (sizes > 0).all()
    assert different > 0


def test_an_oblique_test_must_beat_the_bias() -> None:
    X, y = blobs(0, n=120)
    node = make_node(X, y, criterion="twoing")
    axis, oblique = plane(AxisParallel(), node), plane(OC1(), node)
    ratio = oblique.score / axis.score
    assert ratio > 1.0
    assert np.array_equal(plane(OC1(axis_bias=0.99 * ratio), node).coef, oblique.coef)
    assert np.array_equal(plane(OC1(axis_bias=1.01 * ratio), node).coef, axis.coef)


@pytest.mark.parametrize("min_rows", [None, 0, 7, 8])
def test_an_oblique_test_needs_more_distinct_rows(min_rows: int | None) -> None:
    """None is twice the columns that vary, here two of three; copies of a row do not count."""
    X = np.column_stack([EIGHT_POINTS, np.full(8, 3.0)])
    oblique_allowed = min_rows is None or min_rows < 8
    for copies in (1, 3):
        node = make_node(
            np.tile(X, (copies, 1)), np.tile(EIGHT_CLASSES, copies), criterion="twoing"
        )
        split = plane(OC1(min_samples_oblique=min_rows), node)
        assert (np.count_nonzero(split.coef) > 1) == oblique_allowed
    few = make_node(X[[0, 1, 4, 5]], EIGHT_CLASSES[[0, 1, 4, 5]], criterion="twoing")
    assert np.count_nonzero(plane(OC1(), few).coef) == 1


def test_without_the_axis_parallel_start_it_does_not_compete() -> None:
    """Class by one feature alone: a threshold is best, and is found only if it takes part."""
    rng = np.random.default_rng(2)
    X = rng.normal(size=(200, 3))
    y = (X[:, 1] > 0.2).astype(int)
    node = make_node(X, y, criterion="twoing")
    assert np.count_nonzero(plane(OC1(restarts=1), node).coef) == 1
    assert np.count_nonzero(plane(OC1(restarts=1, axis_start=False), node).coef) == 3


def test_seeds_differ() -> None:
    X, y = blobs(3, n=150)
    node = make_node(X, y, criterion="twoing")
    assert not np.array_equal(plane(OC1(), node, 0).coef, plane(OC1(), node, 1).coef)


def test_the_exact_sweep_finds_better_jumps_than_the_original() -> None:
    rng = np.random.default_rng(0)
    X = rng.random((300, 5))
    y = (X @ [1.0, 1.0, -1.0, -1.0, 0.5] > 0.3).astype(int)
    node = make_node(X, y, criterion="twoing")
    exact, legacy = (
        np.mean([plane(OC1(restarts=2, legacy_sweep=flag), node, s).score for s in range(10)])
        for flag in (False, True)
    )
    assert exact > legacy


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"random_moves": 10}, "random_moves has no effect unless order='random', got 10"),
        ({"origin": "original", "legacy_sweep": True}, "origin has no effect unless legacy_sweep"),
        ({"axis_bias": 2.0, "axis_start": False}, "axis_bias has no effect unless axis_start=True"),
    ],
)
def test_a_parameter_without_effect_is_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        OC1(**settings).core()
    with pytest.raises(ValueError, match=message):
        OC1Classifier(search=OC1(**settings)).fit([[0.0], [1.0]], [0, 1])


def test_a_parameter_without_effect_may_keep_its_default() -> None:
    OC1(random_moves=50, axis_bias=1.0, axis_start=False, legacy_sweep=True).core()


# ---------------------------------------------------------------------- as published


def test_steps_that_are_too_short_are_none() -> None:
    """With a step nobody can make, one start and no jumps leave the axis-parallel test."""
    X, y = blobs(1, n=150)
    node = make_node(X, y, criterion="twoing")
    axis = plane(AxisParallel(), node)
    still = plane(OC1(restarts=1, jumps=0, min_step=1e9), node)
    np.testing.assert_array_equal(still.coef, axis.coef)
    assert plane(OC1(restarts=1, jumps=0, min_step=1e-4), node).score > axis.score


def test_a_step_that_is_too_short_is_no_hyperplane() -> None:
    """At the end of a climb every coefficient is at its best: nothing new is considered there."""
    X, y = make_pol(random_state=0)
    settings: dict[str, Any] = {"restarts": 1, "jumps": 0, "legacy_sweep": True}
    all_steps, long_steps = (
        OC1Classifier(search=OC1(min_step=step, **settings), pruning=None).fit(X, y)
        for step in (0.0, 1e-4)
    )
    assert long_steps.n_hyperplanes_ < 0.75 * all_steps.n_hyperplanes_


def test_nothing_is_searched_where_one_feature_separates_the_classes() -> None:
    X = np.column_stack([np.arange(20.0), np.tile([0.0, 1.0], 10)])
    tree = OC1Classifier(pruning=None).fit(X, X[:, 0] > 9.0)
    assert (tree.get_n_leaves(), tree.n_hyperplanes_) == (2, 1)  # the axis-parallel one


def test_small_nodes_by_rows_or_by_distinct_rows() -> None:
    """Four rows three times each: oblique by number, axis-parallel by what they say."""
    X = np.repeat([[0.0, 0.0], [1.0, 1.0], [1.0, 0.2], [2.0, 1.3]], 3, axis=0)
    y = np.repeat([0, 0, 1, 1], 3)
    node = make_node(X, y, criterion="twoing")
    assert np.count_nonzero(plane(OC1(), node).coef) == 1
    assert np.count_nonzero(plane(OC1(small_nodes="rows"), node).coef) == 2


def test_as_published_is_the_original_program() -> None:
    published = OC1Classifier.as_published(jumps=20).get_params()
    changed = {
        name
        for name, value in OC1Classifier(search=OC1()).get_params().items()
        if value != published[name]
    }
    options = {f"search__{name}" for name in ("jumps", "legacy_sweep", "min_step", "small_nodes")}
    assert changed - {"pruning", "search"} == {*options, "missing"}
    assert (published["missing"], published["pruning__keep_root"]) == ("training_mean", True)


def test_a_search_of_ones_own_takes_the_place_of_the_parameters() -> None:
    X, y = blobs(0, n=100)
    plain = OC1Classifier(restarts=3, random_state=0).fit(X, y)
    own = OC1Classifier(search=OC1(restarts=3), random_state=0).fit(X, y)
    assert own.tree_ == plain.tree_
    with pytest.raises(ValueError, match="restarts has no effect unless search is None, got 3"):
        OC1Classifier(search=OC1(), restarts=3).fit(X, y)
    with pytest.raises(TypeError, match=r"search must be None or OC1\(...\), got 'oc1'"):
        OC1Classifier(search="oc1").fit(X, y)
