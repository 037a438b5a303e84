"""Pole pairs: against brute force, and where rows, columns or categories are awkward."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from oracles.criterion import CRITERIA
from oracles.pole_pair import best_split, deviations, pole_pairs, splits
from search.nodes import blobs, children, find, make_node

from aslant import ObliqueDecisionTreeClassifier, PolePairClassifier
from aslant.datasets import make_ls10
from aslant.prune import CostComplexity
from aslant.search import HyperplaneSplit, PolePair, Standardize
from aslant.search.base import CRITERIA as OURS

Matrix = NDArray[np.float64]


def plane(search: PolePair, node: Any, seed: int = 0) -> HyperplaneSplit:
    split = find(search, node, seed)
    assert isinstance(split, HyperplaneSplit)
    return split


def assert_bisects(split: HyperplaneSplit, a: Matrix, b: Matrix, unit: Matrix) -> None:
    """Check that the hyperplane is the perpendicular bisector of two rows, a in child 0."""
    direction = (b - a) / unit**2
    scale = np.abs(direction).max()
    np.testing.assert_allclose(split.coef, direction / scale, rtol=1e-9, atol=1e-12)
    middle = direction @ (a + b) / 2 / scale
    assert split.threshold == pytest.approx(middle, rel=1e-9, abs=1e-9)


# ------------------------------------------------------------------------------- the oracle


@st.composite
def problems(draw: st.DrawFn) -> dict[str, Any]:
    """Rows on a coarse grid, where many are equally far from two poles, or in general position."""
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    n, d = draw(st.integers(2, 14)), draw(st.integers(1, 4))
    on_grid = draw(st.booleans())
    X = rng.integers(0, 4, (n, d)).astype(float) if on_grid else rng.normal(size=(n, d))
    X = X * 10.0 ** rng.integers(-2, 3, d) + draw(st.sampled_from([0.0, 100.0]))
    weight = rng.integers(1, 9, n) / 4.0 if draw(st.booleans()) else None
    return {
        "X": X,
        "y": rng.integers(0, draw(st.integers(1, 3)) + 1, n).astype(np.int32),
        "weight": weight,
        "criterion": draw(st.sampled_from(CRITERIA)),
        "pairs": draw(st.sampled_from(["opposite", "all"])),
        "thresholds": draw(st.sampled_from(["midpoint", "all"])),
        "scale": draw(st.sampled_from(["training", "raw", "node"])),
        "min_rows": draw(st.integers(1, 3)),
        "min_weight": draw(st.sampled_from([0.0, 1.5])),
    }


@settings(max_examples=200, deadline=None, derandomize=True)
@given(problems())
def test_it_finds_what_brute_force_finds(problem: dict[str, Any]) -> None:
    X, y, options = problem["X"], problem["y"], ("pairs", "thresholds")
    limits = {name: problem[name] for name in ("criterion", "min_rows", "min_weight")}
    node = make_node(X, y, weight=problem["weight"], n_classes=4, **limits)
    weight = np.ones(len(y)) if problem["weight"] is None else problem["weight"]
    unit = np.ones(X.shape[1]) if problem["scale"] == "raw" else deviations(X, weight)
    unit[np.ptp(X, axis=0) == 0.0] = 1.0
    chosen = {name: problem[name] for name in options}
    # Squared distances are compared with a tolerance fit for values of size 1.
    size = np.abs((X - X.mean(axis=0)) / unit).max() or 1.0
    expected = best_split(splits(X, y, weight, unit * size, n_classes=4, **limits, **chosen))
    split = find(PolePair(scale=problem["scale"], **chosen), node)
    if expected is None:
        assert split is None
        return
    assert isinstance(split, HyperplaneSplit)
    assert split.score == pytest.approx(expected.score, abs=1e-12)
    assert np.array_equal(children(node, split) == 0, expected.in_child_0)
    if problem["thresholds"] == "midpoint":
        assert_bisects(split, *expected.poles, unit)


@pytest.mark.parametrize("pairs", ["opposite", "all"])
def test_more_rows_than_a_block(pairs: str) -> None:
    """Poles and judges are dealt with in blocks, which two threads share."""
    X, y = blobs(3, n=80, d=3, n_classes=3)
    expected = best_split(
        splits(X, y, np.ones(80), deviations(X), n_classes=3, criterion="gini", pairs=pairs)
    )
    assert expected is not None
    split = plane(PolePair(pairs=pairs), make_node(X, y))
    assert_bisects(split, *expected.poles, deviations(X))
    trees = [
        ObliqueDecisionTreeClassifier(PolePair(pairs=pairs), n_jobs=n).fit(X, y).tree_
        for n in (1, 2)
    ]
    assert trees[0] == trees[1]


def test_weights_count_alike_however_they_are_added() -> None:
    """Small multiples of a unit in counts of 16 bits, others, and large ones, as numbers."""
    X, y = blobs(1, n=50)
    weight = np.random.default_rng(0).integers(1, 5, 50)
    for weights in (weight, np.array([1, 7, 3])[y]):
        same = [
            plane(PolePair(), make_node(X, y, weight=weights * factor))
            for factor in (1, 0.3, 2.0**14)
        ]
        for other in same[1:]:
            np.testing.assert_allclose(other.coef, same[0].coef, rtol=1e-12)
            assert other.score == pytest.approx(same[0].score, rel=1e-12)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_sums_of_weights_do_not_invent_a_child(n_classes: int) -> None:
    """A child without rows is none, though sums of thirds and tenths round."""
    for seed in range(20):
        rng = np.random.default_rng(seed)
        X = np.repeat([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], 3, axis=0)
        y = np.repeat([0, 1, 1, 0], 3)
        y[0] = n_classes - 1
        for weight in (rng.random(12), np.array([0.1, 1 / 3, 0.7])[y]):
            node = make_node(X, y, weight=weight)
            assert len(set(children(node, plane(PolePair(), node)))) == 2


# ------------------------------------------------------------------------------- the options


def test_scales_differ_as_they_should() -> None:
    """Units matter to raw distances only; a node's deviations differ further down the tree."""
    X, y = blobs(2, n=120)
    stretched = X * [1.0, 16.0, 0.125, 1.0]
    for scale, same in (("training", True), ("node", True), ("raw", False)):
        one, other = (plane(PolePair(scale=scale), make_node(Z, y)) for Z in (X, stretched))
        equal = np.array_equal(
            children(make_node(X, y), one), (stretched @ other.coef > other.threshold)
        )
        assert equal == same
    grown = {
        scale: ObliqueDecisionTreeClassifier(PolePair(scale=scale)).fit(X, y).tree_
        for scale in ("training", "node")
    }
    assert grown["training"].split(0).score == grown["node"].split(0).score
    assert grown["training"] != grown["node"]


def test_the_scale_is_that_of_all_training_rows() -> None:
    """Deep in the tree a split bisects two rows in the units of the whole training set."""
    X, y = blobs(4, n=90, d=3)
    model = ObliqueDecisionTreeClassifier(PolePair()).fit(X, y)
    tree, unit, checked = model.tree_, deviations(X), 0
    path = model.decision_path(X).toarray().astype(bool)
    for node in np.flatnonzero(~tree.is_leaf):
        rows = path[:, node]
        split = tree.split(node)
        directions = [(b - a) / unit**2 for a, b in pole_pairs(X[rows], y[rows], "opposite")]
        directions = [direction / np.abs(direction).max() for direction in directions]
        assert np.abs(np.array(directions) - split.coef).max(axis=1).min() < 1e-9
        checked += node > 0
    assert checked > 3


def test_standardized_columns_are_taken_as_they_are() -> None:
    """Around a search in raw units and in those of the training rows, the wrapper is the same."""
    X, y = blobs(6)
    node = make_node(X * [1.0, 100.0, 0.01, 3.0], y)
    one, other = (find(Standardize(PolePair(scale=scale)), node) for scale in ("raw", "training"))
    assert np.array_equal(children(node, one), children(node, other))


def test_all_thresholds_and_all_pairs_are_never_worse() -> None:
    better = 0
    for seed in range(6):
        X, y = blobs(seed, n=60)
        node = make_node(X, y)
        least = plane(PolePair(), node).score
        for more in ({"pairs": "all"}, {"thresholds": "all"}):
            score = plane(PolePair(**more), node).score
            assert score >= least - 1e-12
            better += score > least + 1e-6
    assert better > 3


def test_criteria_are_those_of_the_package() -> None:
    assert set(CRITERIA) == set(OURS)


# ------------------------------------------------------------------------------- samples


def many_rows(seed: int, n: int = 600) -> tuple[Matrix, NDArray[Any]]:
    X, y = make_ls10(n, random_state=seed)
    return X.round(3), np.unique(y, return_inverse=True)[1]


SAMPLED = PolePair(exact_rows=100, poles=30)


def test_a_sample_of_everything_is_everything() -> None:
    X, y = many_rows(0, 300)
    node = make_node(X, y)
    exact = plane(PolePair(), node)
    for search in (PolePair(exact_rows=0, poles=300), PolePair(exact_rows=300, poles=2)):
        split = plane(search, node)
        assert np.array_equal(split.coef, exact.coef)
        assert split.threshold == exact.threshold


def test_samples_follow_the_seed_and_not_the_order_of_rows() -> None:
    X, y = many_rows(1)
    node = make_node(X, y)
    order = np.random.default_rng(0).permutation(len(y))
    shuffled = make_node(X[order], 1 - y[order])
    splits_by_seed = [plane(SAMPLED, node, seed).coef for seed in range(4)]
    assert len({coef.tobytes() for coef in splits_by_seed}) > 1
    for seed, coef in enumerate(splits_by_seed):
        assert np.array_equal(plane(SAMPLED, shuffled, seed).coef, coef)


@pytest.mark.parametrize("thresholds", ["midpoint", "all"])
@pytest.mark.parametrize("poles", [10, 30, 100, 300])
def test_a_whole_weight_is_so_many_rows_in_samples(thresholds: str, poles: int) -> None:
    """As many poles are drawn of 150 different rows, whether there are copies or weights."""
    for seed in range(4):
        X, y = many_rows(seed, 150)
        rng = np.random.default_rng(seed)
        weight = rng.integers(1, 4, len(y))
        copies = rng.permutation(np.repeat(np.arange(len(y)), weight))
        search = PolePair(exact_rows=100, poles=poles, thresholds=thresholds)
        weighted = plane(search, make_node(X, y, weight=weight), seed)
        repeated = plane(search, make_node(X[copies], y[copies]), seed)
        assert np.array_equal(weighted.coef, repeated.coef)
        assert weighted.threshold == repeated.threshold


def test_samples_lose_little() -> None:
    """A tenth of the rows as poles, on average, finds most of the gain of all pairs."""
    share = []
    for seed in range(4):
        X, y = many_rows(seed)
        node = make_node(X, y)
        share.append(plane(SAMPLED, node, seed).score / plane(PolePair(), node).score)
    assert min(share) > 0.4
    assert np.mean(share) > 0.6
    assert max(share) <= 1.0 + 1e-12


def test_children_of_a_sampled_split_hold_what_is_asked() -> None:
    X, y = many_rows(3)
    for min_rows in (50, 200, 290):
        node = make_node(X, y, min_rows=min_rows)
        split = find(SAMPLED, node)
        if split is not None:
            assert np.bincount(children(node, split)).min() >= min_rows


# ------------------------------------------------------------------------------- bad input


def test_classes_of_one_and_two_rows() -> None:
    X, y = blobs(1, n=40, n_classes=2)
    y[0], y[1:3] = 2, 3
    node = make_node(X, y)
    expected = best_split(splits(X, y, np.ones(40), deviations(X), n_classes=4, criterion="gini"))
    assert expected is not None
    assert_bisects(plane(PolePair(), node), *expected.poles, deviations(X))
    assert PolePairClassifier(pruning=None).fit(X, y).score(X, y) == 1.0


def test_conflicting_labels_leave_a_leaf() -> None:
    X = np.repeat([[0.0, 1.0], [2.0, 1.0]], 4, axis=0)
    y = np.array([0, 0, 1, 1, 1, 1, 1, 1])
    tree = PolePairClassifier(pruning=None).fit(X, y).tree_
    assert tree.n_leaves == 2
    assert sorted(tree.impurity[tree.is_leaf]) == pytest.approx([0.0, 0.5])


def test_rows_on_the_bisector_go_with_the_first_pole() -> None:
    """Also where rounding puts them beyond it."""
    for offset in (0.0, 0.1, 1000.1, 1e6 + 0.3):
        for unit in (1.0, 0.1, 1 / 3):
            X = np.array([[0.0, 0.0], [2.0, 0.0], [1.0, 1.0], [1.0, -1.0], [1.0, 3.0]]) * unit
            X += offset
            y = np.array([0, 1, 0, 0, 0])
            node = make_node(X, y)
            split = plane(PolePair(scale="raw"), node)
            assert split.score == pytest.approx(0.32)
            assert children(node, split).tolist() == [0, 1, 0, 0, 0]


def test_more_columns_than_rows() -> None:
    X, y = blobs(0, n=20, d=300, n_classes=2)
    model = PolePairClassifier(pruning=None).fit(X, y)
    assert model.score(X, y) == 1.0
    assert model.get_n_leaves() == 2  # two rows of a class are nearer to each other than to others


@pytest.mark.parametrize("n_levels", [1, 1000])
def test_categories_of_one_and_of_a_thousand_levels(n_levels: int) -> None:
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=1500), rng.integers(0, n_levels, 1500)])
    y = (X[:, 0] + (X[:, 1] % 2) > 0.5).astype(int)
    X[:, 1] = np.where(rng.random(1500) < 0.1, np.nan, X[:, 1])
    rows = slice(0, 200)  # the levels are those of all rows, few of which are at the node
    node = make_node(X[rows], y[rows], levels={1: n_levels})
    split = plane(PolePair(), node)
    assert np.isfinite(split.coef).all()
    assert split.score > 0.05
    model = PolePairClassifier(pruning=None, categorical_features=[1], max_depth=3, poles=20)
    assert model.fit(X[rows], y[rows]).score(X[rows], y[rows]) > 0.75


def test_a_category_missing_everywhere_at_a_node() -> None:
    """Known for one class only, so that below the first split no row of the other has it."""
    rng = np.random.default_rng(1)
    X = np.column_stack([rng.normal(size=(120, 2)), rng.integers(0, 3, 120)])
    y = np.where(X[:, 0] > 0.0, 2, (X[:, 1] > 0.0).astype(int))
    X[X[:, 0] <= 0.0, 2] = np.nan
    X[:, 0] *= 5.0
    model = PolePairClassifier(pruning=None, categorical_features=[2], scale="raw").fit(X, y)
    assert model.score(X, y) == 1.0
    everywhere = make_node(np.where([0, 0, 1], np.nan, X), y, levels={2: 3})
    assert not plane(PolePair(), everywhere).coef[2:].any()


@pytest.mark.parametrize("scale", ["training", "raw", "node"])
def test_extreme_values(scale: str) -> None:
    X, y = blobs(5, n=50, d=2, n_classes=2)
    for factor in (1e-200, 1e200, 1e300):
        one = ObliqueDecisionTreeClassifier(PolePair(scale=scale)).fit(X * [1.0, factor], y)
        assert one.score(X * [1.0, factor], y) == 1.0


def test_a_column_that_varies_in_its_last_digit() -> None:
    """It must not blur the distances in the others, and is nothing to split by alone."""
    X, y = blobs(7, n=30, d=2)
    X[:, 1] = np.where(np.arange(30) == 0, np.nextafter(1e9, 2e9), 1e9)
    assert PolePairClassifier(pruning=None).fit(X, y).score(X, y) == 1.0
    y = (np.arange(30) == 0).astype(int)
    assert PolePairClassifier(pruning=None).fit(X[:, 1:], y).get_n_leaves() == 1


# ------------------------------------------------------------------------------- the system


def test_the_published_pruning_is_the_default() -> None:
    X, y = blobs(8, n=120)
    published = CostComplexity(cv=10, leaf_matching=True, se_rule=0.0)
    default = PolePairClassifier(random_state=3).fit(X, y)
    explicit = PolePairClassifier(random_state=3, pruning=published).fit(X, y)
    assert default.tree_ == explicit.tree_
    full = PolePairClassifier(random_state=3, pruning=None).fit(X, y)
    assert full.score(X, y) == 1.0
    assert default.get_n_leaves() < full.get_n_leaves()


def test_sampled_poles_beat_single_features_on_oblique_data() -> None:
    X, y = make_ls10(4000, random_state=0)
    X_test, y_test = make_ls10(4000, random_state=1)
    unpruned = {"pruning": None, "random_state": 0}
    pole = PolePairClassifier(**unpruned).fit(X, y)
    cart = ObliqueDecisionTreeClassifier("axis_parallel", **unpruned).fit(X, y)
    assert pole.n_hyperplanes_ < 0.2 * 2000**2  # there are as many pairs at the root alone
    assert pole.score(X_test, y_test) > cart.score(X_test, y_test) + 0.08
