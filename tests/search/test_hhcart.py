"""HHCART against explicit matrices, and what its options promise."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles.hhcart import Tried, householder, searched_spaces
from oracles.problems import examples
from search.nodes import Matrix, blobs, children, find, make_node

from aslant import HHCARTClassifier, ObliqueDecisionTreeClassifier, _core
from aslant.search import HHCART, AxisParallel, HyperplaneSplit, SplitSearch, Standardize


def plane(search: SplitSearch, node: object) -> HyperplaneSplit:
    split = find(search, node)
    assert isinstance(split, HyperplaneSplit)
    return split


def rotated(n: int, angle: float, seed: int = 0) -> tuple[Matrix, np.ndarray]:
    """Return two long parallel classes, at an angle to the first axis; one test separates them."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    along, across = rng.uniform(-5.0, 5.0, n), rng.uniform(0.05, 1.0, n) * np.where(y, 1.0, -1.0)
    cos, sin = np.cos(angle), np.sin(angle)
    return np.column_stack([cos * along - sin * across, sin * along + cos * across]), y


def assert_best(split: HyperplaneSplit, tried: list[Tried], node: object) -> None:
    """Check score and direction: a column of one of the spaces that reach the best score."""
    best = max(one.score for one in tried)
    assert split.score == pytest.approx(best, rel=1e-9, abs=1e-12)
    assert node.score(split) == pytest.approx(best, rel=1e-9, abs=1e-12)
    normals = np.concatenate([one.basis.T for one in tried if one.score > best - 1e-9])
    aligned = np.abs(normals @ split.coef) / np.linalg.norm(split.coef)
    assert aligned.max() == pytest.approx(1.0, abs=1e-9)


# ------------------------------------------------------------------ the paper's algorithm


def test_a_reflection_turns_the_direction_onto_the_first_axis() -> None:
    rng = np.random.default_rng(0)
    for _ in range(20):
        d = rng.normal(size=5)
        d /= np.linalg.norm(d)
        H = householder(d)
        np.testing.assert_allclose(H @ d, np.eye(5)[0], atol=1e-12)
        np.testing.assert_allclose(H @ H, np.eye(5), atol=1e-12)


@pytest.mark.parametrize("criterion", ["twoing", "gini", "entropy"])
@pytest.mark.parametrize("sign", ["positive", "both"])
@pytest.mark.parametrize("variant", ["all", "dominant"])
def test_the_split_is_that_of_explicit_matrices(variant: str, sign: str, criterion: str) -> None:
    for seed in range(3):
        X, y = blobs(seed, n=24, d=2 + seed, n_classes=2 + seed)
        X[:, -1] *= 3.0
        weight = np.random.default_rng(seed).integers(1, 4, len(y)).astype(float)
        for weights in (None, weight):
            node = make_node(X, y, criterion=criterion, weight=weights)
            tried = searched_spaces(
                X,
                y,
                int(y.max()) + 1,
                criterion,
                variant=variant,
                both_signs=sign == "both",
                weight=weights,
            )
            assert_best(plane(HHCART(variant=variant, sign=sign), node), tried, node)


@examples(25)
@given(st.integers(0, 2**32 - 1), st.integers(2, 5), st.integers(4, 25), st.booleans())
def test_any_rows(seed: int, d: int, n: int, dominant: bool) -> None:
    rng = np.random.default_rng(seed)
    X = np.round(rng.normal(size=(n, d)) @ rng.normal(size=(d, d)), 2)
    y = rng.integers(0, 3, n).astype(np.int32)
    y[:2] = 0, 1
    node = make_node(X, y, n_classes=3, criterion="twoing")
    variant = "dominant" if dominant else "all"
    tried = searched_spaces(X, y, 3, "twoing", variant=variant, both_signs=dominant)
    split = find(HHCART(variant=variant, shrinkage="none"), node)
    assert isinstance(split, HyperplaneSplit)
    assert split.score == pytest.approx(max(one.score for one in tried), rel=1e-9)


def test_a_large_node() -> None:
    """Where the line search counts into bins instead of sorting."""
    X, y = blobs(3, n=700, d=3, n_classes=2)
    node = make_node(X, y, criterion="twoing")
    tried = searched_spaces(X, y, 2, "twoing", variant="dominant", both_signs=True)
    assert_best(plane(HHCART(variant="dominant"), node), tried, node)


def test_an_oblique_boundary_is_found_in_one_test() -> None:
    X, y = rotated(200, angle=0.6)
    for variant in ("all", "dominant"):
        node = make_node(X, y, criterion="twoing")
        split = plane(HHCART(variant=variant), node)
        assert np.array_equal(children(node, split) != children(node, split)[1], y == 0)
    assert plane(AxisParallel(), node).score < 0.5 * split.score


def test_auto_takes_both_signs_of_one_eigenvector_and_one_sign_of_all() -> None:
    different = 0
    for seed in range(8):
        X, y = blobs(seed, n=60, d=4)
        node = make_node(X, y, criterion="twoing")
        for variant, same in (("dominant", "both"), ("all", "positive")):
            auto = plane(HHCART(variant=variant), node)
            assert (
                auto.coef.tolist() == plane(HHCART(variant=variant, sign=same), node).coef.tolist()
            )
        both, positive = (
            plane(HHCART(variant="dominant", sign=sign), node) for sign in ("both", "positive")
        )
        assert both.score >= positive.score
        different += both.score > positive.score
    assert different > 0


def test_the_axis_parallel_test_competes_and_wins_ties() -> None:
    X, y = rotated(100, angle=0.0)
    X = np.column_stack([X, np.random.default_rng(1).normal(size=(100, 2))])
    split = plane(HHCART(tau=0.0), make_node(X, y, criterion="twoing"))
    assert np.flatnonzero(split.coef).tolist() == [1]


def test_names_of_classes_of_the_same_weight_do_not_matter() -> None:
    """Two reflections often separate equally well; whose comes first must not hang on a name."""
    for seed in range(10):
        X, _ = blobs(seed, n=12, d=4)
        y = np.arange(12) % 3
        one = plane(HHCART(), make_node(X, y, criterion="twoing"))
        other = plane(HHCART(), make_node(X, 2 - y, criterion="twoing"))
        assert one.coef.tolist() == other.coef.tolist()


def test_eigenvectors_close_to_an_axis_are_left_out() -> None:
    angle = 0.1
    distance = 2.0 * np.sin(angle / 2.0)  # |e_1 - d|
    along = np.linspace(-1.0, 1.0, 20)
    line = np.column_stack([np.cos(angle) * along, np.sin(angle) * along])
    shift = 0.02 * np.array([-np.sin(angle), np.cos(angle)])
    X, y = np.vstack([line, line + shift]), np.repeat([0, 1], 20)
    node = make_node(X, y, criterion="twoing")
    oblique, axis = (plane(HHCART(tau=distance * f), node) for f in (0.999, 1.001))
    assert oblique.score == pytest.approx(1.0)
    assert np.count_nonzero(axis.coef) == 1
    assert plane(HHCART(), node).score == oblique.score


def test_a_category_is_left_to_the_axis_parallel_competitor() -> None:
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=(80, 2)), rng.integers(0, 3, 80)])
    node = make_node(X, X[:, 2] == 1, levels={2: 3}, criterion="twoing")
    split = plane(HHCART(), node)
    assert set(np.flatnonzero(split.coef)) <= {2, 3, 4}
    assert split.score == pytest.approx(4.0 * np.prod(np.bincount(X[:, 2] == 1) / 80.0))
    y = X[:, 0] + X[:, 1] > 0.0
    X[:, :2] *= np.where(y, 3.0, 1.0)[:, None]
    split = plane(HHCART(), make_node(X, y, levels={2: 3}, criterion="twoing"))
    assert set(np.flatnonzero(split.coef)) <= {0, 1}


# ------------------------------------------------------------------ few rows, no spread


def test_a_class_without_orientation_is_left_out() -> None:
    """One row, or the same row often; the other class still lends its eigenvectors."""
    rng = np.random.default_rng(0)
    rows = (
        rng.normal(size=(30, 3))
        @ np.diag([3.0, 1.0, 0.3])
        @ np.linalg.qr(rng.normal(size=(3, 3)))[0]
    )
    for copies in (1, 2, 7):
        X = np.vstack([rows, np.repeat(rows[:1] + 0.1, copies, axis=0)])
        y = np.repeat([0, 1], [30, copies])
        node = make_node(X, y, criterion="twoing")
        tried = searched_spaces(X, y, 2, "twoing")
        assert len(tried) == 4
        assert_best(plane(HHCART(), node), tried, node)


def test_where_no_class_has_an_orientation_tests_are_axis_parallel() -> None:
    X = np.array([[0.0, 0.0, 1.0], [1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [2.0, 0.5, 0.5]])
    node = make_node(X, [0, 1, 1, 2], criterion="twoing")
    for search in (HHCART(), HHCART(variant="dominant"), HHCART(covariance="robust", clusters=3)):
        split = plane(search, node)
        axis = plane(AxisParallel(), node)
        assert split.coef.tolist() == axis.coef.tolist()
        assert split.threshold == axis.threshold


def test_two_rows_have_the_direction_from_one_to_the_other() -> None:
    X = np.array([[0.0, 0.0], [2.0, 1.0], [0.0, 1.0], [2.0, 2.0]])
    node = make_node(X, [0, 0, 1, 1], criterion="twoing")
    for covariance in ("sample", "robust"):
        split = plane(HHCART(covariance=covariance, shrinkage="none"), node)
        assert split.score == pytest.approx(1.0)
        assert split.coef[0] / split.coef[1] == pytest.approx(-0.5)


@pytest.mark.parametrize("variant", ["all", "dominant"])
def test_more_features_than_rows(variant: str) -> None:
    for seed in range(4):
        X, _ = blobs(seed, n=14, d=9)
        y = np.arange(14) % 2
        node = make_node(X, y, criterion="twoing")
        tried = searched_spaces(X, y, 2, "twoing", variant=variant)
        assert len(tried) == (13 if variant == "all" else 3)
        search = HHCART(variant=variant, sign="positive", shrinkage="none")
        assert_best(plane(search, node), tried, node)


def above_noise(X: Matrix) -> list[Matrix]:
    """Return the eigenvectors of what a covariance has beyond the noise of its correlations."""
    n, d = X.shape
    values, vectors = np.linalg.eigh(np.corrcoef(X.T))
    keeps = values > (1.0 + np.sqrt(d / n)) ** 2
    level = values[~keeps].mean()
    low_rank = (vectors[:, keeps] * (values[keeps] - level)) @ vectors[:, keeps].T
    found = np.linalg.eigh(low_rank * np.outer(X.std(axis=0), X.std(axis=0)))[1]
    return list(found[:, ::-1].T[: keeps.sum()])


@pytest.mark.parametrize(("n", "d", "factors"), [(60, 30, 2), (40, 60, 1), (60, 40, 0)])
def test_only_what_is_more_than_noise_is_reflected(n: int, d: int, factors: int) -> None:
    """Rows are few for the columns: only directions that stand out from noise are searched."""
    rng = np.random.default_rng(n + d)
    X = rng.normal(size=(2 * n, d)) * rng.uniform(0.5, 2.0, d)
    X += 2.0 * rng.normal(size=(2 * n, factors)) @ rng.normal(size=(factors, d))
    y = np.arange(2 * n) % 2
    node = make_node(X, y, criterion="twoing")
    axis = find(AxisParallel(), node)
    scores = [axis.score]
    for k in (0, 1):
        directions = above_noise(X[y == k])
        assert len(directions) == factors
        for direction in directions:
            sign = 1.0 if direction[np.flatnonzero(np.abs(direction) > 1e-15)[0]] > 0 else -1.0
            u = np.eye(d)[0] - sign * direction
            turned = X - 2.0 * np.outer(X @ u, u) / (u @ u)
            scores += [_core.best_threshold(column, y, 2, "twoing")[1] for column in turned.T]
    assert plane(HHCART(), node).score == pytest.approx(max(scores), rel=1e-9)


def test_a_direction_without_spread_is_used_if_it_is_the_only_one() -> None:
    """A class in a plane; the other lies beyond it, in many directions."""
    rng = np.random.default_rng(0)
    normal = np.array([1.0, -2.0, 2.0]) / 3.0
    X = rng.normal(size=(60, 3))
    y = np.arange(60) % 2
    X -= np.outer(X @ normal - y * rng.uniform(0.1, 2.0, 60), normal)
    node = make_node(X, y, criterion="twoing")
    split = plane(HHCART(), node)
    assert split.score == pytest.approx(1.0)
    assert abs(split.coef @ normal) == pytest.approx(np.linalg.norm(split.coef), abs=1e-9)


def test_columns_that_are_constant_in_a_class_or_everywhere() -> None:
    X, y = blobs(1, n=50, d=5, n_classes=2)
    X[y == 0, 2] = 1.5
    X[:, 4] = -3.0
    node = make_node(X, y, criterion="twoing")
    split = plane(HHCART(), node)
    assert split.coef[4] == 0.0
    tried = searched_spaces(X[:, :4], y, 2, "twoing")
    assert split.score == pytest.approx(max(one.score for one in tried))


# ------------------------------------------------------------------ beyond the paper

EXTENDED = [
    HHCART(covariance="robust"),
    HHCART(variant="dominant", covariance="robust"),
    HHCART(clusters=3),
    HHCART(clusters="auto"),
    HHCART(variant="dominant", covariance="robust", clusters="auto"),
]


@pytest.mark.parametrize("search", EXTENDED, ids=repr)
def test_whole_weights_are_copies_in_any_order(search: HHCART) -> None:
    for seed in range(5):
        X, y = blobs(seed, n=50, d=3)
        X[y == 1] += np.where(np.arange(np.sum(y == 1)) % 2, 4.0, -4.0)[:, None]
        rng = np.random.default_rng(seed)
        weight = rng.integers(1, 4, len(y))
        copies = rng.permutation(np.repeat(np.arange(len(y)), weight))
        one = plane(search, make_node(X, y, weight=weight, criterion="twoing"))
        other = plane(search, make_node(X[copies], y[copies], criterion="twoing"))
        np.testing.assert_allclose(one.coef, other.coef, rtol=1e-9, atol=1e-12)
        assert one.threshold == pytest.approx(other.threshold, rel=1e-9)


@pytest.mark.parametrize("variant", ["all", "dominant"])
def test_the_robust_covariance_is_that_of_the_spatial_signs(variant: str) -> None:
    for seed in range(4):
        X, y = blobs(seed, n=41, d=3, n_classes=2)
        weight = np.random.default_rng(seed).integers(1, 4, len(y)).astype(float)
        for weights in (None, weight):
            node = make_node(X, y, criterion="twoing", weight=weights)
            tried = searched_spaces(
                X, y, 2, "twoing", variant=variant, robust=True, both_signs=True, weight=weights
            )
            split = plane(HHCART(variant=variant, covariance="robust", sign="both"), node)
            assert_best(split, tried, node)


def test_an_outlier_turns_the_covariance_but_not_the_spatial_signs() -> None:
    X, y = rotated(200, angle=0.6)
    for k in (0, 1):
        X[np.flatnonzero(y == k)[:2]] += [[-100.0, 90.0], [-90.0, 100.0]]
    node = make_node(X, y, criterion="twoing")
    plain, robust = (
        plane(HHCART(variant="dominant", covariance=covariance), node)
        for covariance in ("sample", "robust")
    )
    assert robust.score > 1.3 * plain.score
    direction = np.array([-np.sin(0.6), np.cos(0.6)])
    assert abs(robust.coef @ direction) > 0.99 * np.linalg.norm(robust.coef)


def two_clusters(seed: int) -> tuple[Matrix, np.ndarray]:
    """Return classes of two long parts each, side by side; the parts lie along the diagonal."""
    X, y = rotated(240, angle=0.7, seed=seed)
    far = np.arange(240) % 4 < 2
    X[far] += [40.0, -25.0]
    return X, np.where(far, 1 - y, y)


@pytest.mark.parametrize("clusters", [2, "auto"])
def test_clusters_of_a_class_lend_their_own_orientation(clusters: int | str) -> None:
    X, y = two_clusters(0)
    node = make_node(X, y, criterion="twoing")
    whole = plane(HHCART(variant="dominant"), node)
    parts = plane(HHCART(variant="dominant", clusters=clusters), node)
    assert parts.score > 1.5 * whole.score
    direction = np.array([-np.sin(0.7), np.cos(0.7)])
    assert abs(parts.coef @ direction) > 0.98 * np.linalg.norm(parts.coef)


def test_a_class_in_one_piece_is_not_divided_by_auto() -> None:
    for seed in range(6):
        X, y = blobs(seed, n=400, d=4)
        X[:, 0] *= 5.0
        node = make_node(X, y, criterion="twoing")
        one, auto = plane(HHCART(), node), plane(HHCART(clusters="auto"), node)
        assert one.coef.tolist() == auto.coef.tolist()


def test_clusters_only_add_candidates() -> None:
    better = 0
    for seed in range(6):
        node = make_node(*blobs(seed, n=80), criterion="twoing")
        one, many = plane(HHCART(), node), plane(HHCART(clusters=3), node)
        assert many.score >= one.score
        better += many.score > one.score
    assert better > 0


# ------------------------------------------------------------------ trees


def normals(model: ObliqueDecisionTreeClassifier) -> Matrix:
    inner = ~model.tree_.is_leaf
    coef = model.tree_.coef.toarray()[inner]
    return coef / np.linalg.norm(coef, axis=1, keepdims=True)


def orthogonal_or_equal(vectors: Matrix) -> bool:
    products = np.abs(vectors @ vectors.T)
    return bool(np.all((products < 1e-9) | (products > 1.0 - 1e-9)))


def test_reflection_at_the_root_only() -> None:
    """CARTopt: all tests are along the axes of one reflected space."""
    X, y = blobs(0, n=300, d=4)
    tests = {
        depth: normals(
            HHCARTClassifier(depth_of_reflection=depth, pruning=None, random_state=0).fit(X, y)
        )
        for depth in (0, None)
    }
    assert orthogonal_or_equal(tests[0])
    assert np.count_nonzero(np.abs(tests[0]) > 1e-9, axis=1).min() > 1  # not one feature alone
    assert not orthogonal_or_equal(tests[None])


def test_reflection_down_to_a_depth() -> None:
    """Each node of that depth and all below it share a space, different from the root's."""
    X, y = blobs(1, n=400, d=3)
    tree = HHCARTClassifier(depth_of_reflection=1, pruning=None, random_state=0).fit(X, y).tree_
    coef = tree.coef.toarray()
    coef /= np.maximum(np.linalg.norm(coef, axis=1, keepdims=True), 1e-300)
    for top in tree.children[0]:
        last = next((i for i in range(top + 1, tree.n_nodes) if tree.depth[i] <= 1), tree.n_nodes)
        below = [i for i in range(top, last) if not tree.is_leaf[i]]
        assert len(below) > 3
        assert orthogonal_or_equal(coef[below])
    assert not orthogonal_or_equal(coef[~tree.is_leaf])


def test_root_only_reflection_inside_a_wrapper_and_on_categories() -> None:
    X, y = blobs(2, n=200, d=3)
    X = np.column_stack([X, np.random.default_rng(0).integers(0, 4, 200)])
    model = ObliqueDecisionTreeClassifier(
        Standardize(HHCART(depth_of_reflection=0)), categorical_features=[3]
    )
    assert model.fit(X, y).score(X, y) == 1.0
    plain = ObliqueDecisionTreeClassifier(HHCART(depth_of_reflection=0), categorical_features=[3])
    assert plain.fit(X, y).score(X, y) == 1.0


def test_two_rows_are_too_few_to_split() -> None:
    """The paper's MinParent = 2: a node of two rows is a leaf."""
    X = np.array([[0.0], [1.0], [10.0], [11.0]])
    tree = HHCARTClassifier(pruning=None).fit(X, [0, 1, 2, 2]).tree_
    assert tree.n_leaves == 2
    assert HHCARTClassifier(pruning=None, min_samples_split=2).fit(X, [0, 1, 2, 2]).score(
        X, [0, 1, 2, 2]
    ) == pytest.approx(1.0)


def test_misclassification_rate_at_which_nodes_stay_leaves() -> None:
    X, y = blobs(3, n=300, n_classes=2)
    sizes = []
    for rate in (0.0, 0.1, 0.3):
        clf = HHCARTClassifier(mis_rate=rate, min_samples_split=2, pruning=None)
        tree = clf.fit(X, y).tree_
        share = 1.0 - tree.value.max(axis=1) / tree.value.sum(axis=1)
        assert (share[tree.is_leaf] <= rate).all()
        assert (share[~tree.is_leaf] > rate).all()
        sizes.append(tree.n_leaves)
    assert sizes[0] > sizes[1] > sizes[2]


def test_the_paper_s_pruning_may_leave_a_single_leaf() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 3)), (rng.random(200) < 0.1).astype(int)
    assert HHCARTClassifier(random_state=0).fit(X, y).get_n_leaves() == 1
    assert HHCARTClassifier(pruning=None).fit(X, y).get_n_leaves() > 10


def test_dominant_needs_far_fewer_hyperplanes() -> None:
    X, y = blobs(0, n=200, d=6, n_classes=2)
    counts = [
        HHCARTClassifier(search=HHCART(variant=variant, sign="positive"), pruning=None, max_depth=1)
        .fit(X, y)
        .n_hyperplanes_
        for variant in ("all", "dominant")
    ]
    assert counts == [1 + 2 * 6 * 6, 1 + 2 * 6]


# ---------------------------------------------------------------------- as published


def test_directions_without_spread_are_used_if_asked_for() -> None:
    """Of two classes of 3 and 40 rows in 8 columns the small one spreads in two directions."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(43, 8)), np.repeat([0, 1], [40, 3])
    counts = [
        HHCARTClassifier(search=HHCART(null_directions=which), max_depth=1, pruning=None)
        .fit(X, y)
        .n_hyperplanes_
        for which in ("determined", "all")
    ]
    assert counts == [1 + 8 * (8 + 2), 1 + 8 * (8 + 8)]  # and the axis-parallel one


def test_cartopt_reflects_whatever_wins_at_the_root() -> None:
    """One column separates the classes; CARTopt works in the reflected space nevertheless."""
    rng = np.random.default_rng(1)
    long = rng.normal(size=200)
    X = np.column_stack([np.repeat([0.0, 5.0], 100) + 0.1 * rng.normal(size=200), long, long])
    X[:, 2] += 0.3 * rng.normal(size=200)
    y = np.repeat([0, 1], 100)
    plain, cartopt = (
        HHCARTClassifier(
            variant="dominant", depth_of_reflection=0, axis_parallel=compete, pruning=None
        )
        .fit(X, y)
        .tree_
        for compete in (True, False)
    )
    assert plain.features_in_test[0] == 1
    assert cartopt.features_in_test[0] > 1


def test_as_published_keeps_the_root_split() -> None:
    """Also where the classes say nothing of the rows: the default makes a leaf of it."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 3)), rng.random(200) < 0.3
    assert HHCARTClassifier(random_state=0).fit(X, y).get_n_leaves() == 1
    assert HHCARTClassifier.as_published(random_state=0).fit(X, y).get_n_leaves() >= 2
