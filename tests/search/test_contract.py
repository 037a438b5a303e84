"""What every search promises: run on all that are registered, and on the wrappers around them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import numpy as np
import pytest
from search.nodes import (
    SHORTER,
    Split,
    blobs,
    branches,
    children,
    every_search,
    find,
    make_node,
)

from aslant import ObliqueDecisionTreeClassifier, _core
from aslant.search import SplitSearch
from aslant.search.registry import SEARCHES

EVERY = every_search()
every_search_given = pytest.mark.parametrize("search", EVERY.values(), ids=EVERY.keys())


def every_search_and_criterion(test: Callable[[SplitSearch, str], None]) -> Callable[..., None]:
    """Run a test for every search, with its criteria one after the other: so it takes less time."""

    @every_search_given
    def with_all_criteria(search: SplitSearch) -> None:
        for criterion in search.criteria:
            test(search, criterion)

    with_all_criteria.__name__, with_all_criteria.__doc__ = test.__name__, test.__doc__
    return with_all_criteria


# Sums over rows in another order differ in the last bits; everything else must be the same.
SUMS_OVER_ROWS = {
    name
    for name in EVERY
    if any(
        part in name
        for part in ("crim_coords", "fisher", "hhcart", "quest", "threshold_unit", "rls")
    )
}

# They minimise errors: their trees are small, and they may end with all rows on one side.
LEARNERS_OF_ERRORS = {
    name
    for name in EVERY
    if any(part in name for part in ("threshold_unit", "linear_machine", "rls", "thermal"))
}


def assert_valid(node: _core.Node, split: Split | None) -> None:
    """Check that a split is finite and leaves no child without rows."""
    if split is None:
        return
    assert np.isfinite(branches(split)).all()
    assert np.isfinite(split.fill).all()
    n_children = max(2, len(branches(split)))
    sizes = np.bincount(children(node, split), minlength=n_children)
    assert (sizes >= node.min_rows).all()


def assert_same(one: Split | None, other: Split | None, *, rel: float = 0.0) -> None:
    """Check that two splits have the same type, coefficients and offsets."""
    assert type(one) is type(other)
    if one is None or other is None:
        return
    np.testing.assert_allclose(branches(one), branches(other), rtol=rel)
    assert one.score == pytest.approx(other.score, rel=1e-9)


def in_any_order(split: Split | None) -> np.ndarray:
    """Return the branches of a split sorted; a hyperplane has two that are opposite."""
    rows = branches(split)
    return np.array(sorted([*rows.tolist(), *(-rows if len(rows) == 1 else rows[:0]).tolist()]))


def name_of(search: SplitSearch) -> str:
    """Return the name under which a search is tested."""
    return next(name for name, other in EVERY.items() if other is search)


def tolerance(search: SplitSearch) -> float:
    """Return how far coefficients may be apart when rows come in another order."""
    return 1e-9 if name_of(search) in SUMS_OVER_ROWS else 0.0


def mixed_rows(seed: int, n: int = 80) -> tuple[np.ndarray, np.ndarray, dict[int, int]]:
    """Return two numbers and a category of four levels, a tenth of the values missing."""
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.normal(size=(n, 2)), rng.integers(0, 4, n)])
    y = (X[:, 0] + 2.0 * (X[:, 2] % 2) + 0.5 * rng.normal(size=n) > 1.0).astype(int)
    y += X[:, 1] > 1.0
    X[rng.random(X.shape) < 0.1] = np.nan
    return X, y, {2: 4}


@every_search_and_criterion
def test_splits_are_finite_and_leave_no_child_empty(search: SplitSearch, criterion: str) -> None:
    found = 0
    for seed in range(4):
        X, y = blobs(seed)
        node = make_node(X, y, criterion=criterion)
        split = find(search, node, seed)
        assert_valid(node, split)
        found += split is not None
    assert found == 4 or criterion in ("max_minority", "sum_minority")


@every_search_and_criterion
def test_the_score_is_that_of_the_split(search: SplitSearch, criterion: str) -> None:
    """Whatever the search goes by: C4.5's gain pays for a threshold, MML's for all of a test."""
    for seed in range(4):
        X, y = blobs(seed, n_classes=2 + seed % 3)
        weight = np.random.default_rng(seed).integers(1, 9, len(y)) / 4.0
        node = make_node(X, y, criterion=criterion, weight=weight)
        split = find(search, node, seed)
        if split is None:
            continue
        assert split.score == pytest.approx(node.score(split), rel=1e-9, abs=1e-15)


@every_search_given
def test_same_seed_same_split(search: SplitSearch) -> None:
    X, y = blobs(5)
    node = make_node(X, y, criterion=search.default_criterion)
    assert_same(find(search, node, 3), find(search, node, 3))


@every_search_and_criterion
def test_a_whole_weight_is_so_many_rows(search: SplitSearch, criterion: str) -> None:
    for seed in range(3):
        X, y = blobs(seed, n=40)
        rng = np.random.default_rng(seed)
        weight = rng.integers(1, 4, len(y))
        repeated = rng.permutation(np.repeat(np.arange(len(y)), weight))
        weighted = make_node(X, y, weight=weight, criterion=criterion)
        copies = make_node(X[repeated], y[repeated], criterion=criterion)
        assert_same(find(search, weighted, seed), find(search, copies, seed), rel=tolerance(search))


@every_search_and_criterion
def test_names_of_the_classes_do_not_matter(search: SplitSearch, criterion: str) -> None:
    """Sum of variances ranks classes by frequency: here no two classes have the same.

    The branches of a linear machine are in the order of the classes, even if two are left.
    """
    for seed in range(3):
        X, y = blobs(seed, n=61, n_classes=4)
        y[y == 3] = np.where(np.arange(np.sum(y == 3)) < 10, 3, 0)
        assert len(set(np.bincount(y))) == 4
        renamed = np.random.default_rng(seed).permutation(4)
        split = find(search, make_node(X, y, criterion=criterion), seed)
        other = find(search, make_node(X, renamed[y], criterion=criterion), seed)
        if "linear_machine" in name_of(search):
            np.testing.assert_array_equal(in_any_order(split), in_any_order(other))
        else:
            assert_same(split, other)


@every_search_given
def test_constant_columns_do_not_matter(search: SplitSearch) -> None:
    for seed in range(3):
        X, y = blobs(seed)
        wide = np.column_stack(
            [np.zeros(60), X[:, 0], np.full(60, -7.5), X[:, 1:], np.full(60, 1e9)]
        )
        kept = [1, 3, 4, 5]
        split = find(search, make_node(X, y, criterion=search.default_criterion), seed)
        other = find(search, make_node(wide, y, criterion=search.default_criterion), seed)
        assert split is not None
        assert type(split) is type(other)
        assert np.array_equal(branches(split), branches(other)[:, [*kept, -1]])
        assert not np.delete(branches(other)[:, :-1], kept, axis=1).any()


@every_search_given
def test_few_rows(search: SplitSearch) -> None:
    for n, d in [(1, 3), (2, 1), (2, 3), (3, 3), (6, 20), (12, 40)]:
        X, y = blobs(n, n=n, d=d, n_classes=2)
        node = make_node(X, y, n_classes=2, criterion=search.default_criterion)
        split = find(search, node)
        assert_valid(node, split)
        if n == 1:
            assert split is None


@every_search_given
def test_the_data_stays_as_it_was(search: SplitSearch) -> None:
    """It may even be impossible to write to it."""
    X, y, levels = mixed_rows(1)
    y = y.astype(np.int32)
    weight = np.linspace(0.5, 2.0, len(y))
    before = [array.tobytes() for array in (X, y, weight)]
    for array in (X, y, weight):
        array.flags.writeable = False
    node = make_node(X, y, weight=weight, levels=levels, criterion=search.default_criterion)
    assert find(search, node) is not None
    assert [array.tobytes() for array in (X, y, weight)] == before


@every_search_given
def test_the_layout_of_the_data_does_not_matter(search: SplitSearch) -> None:
    X, y = blobs(2)
    X = X.astype(np.float32).astype(np.float64)
    wide = np.zeros((120, 9))
    wide[::2, 1::2] = X
    layouts = {
        "fortran": np.asfortranarray(X),
        "reversed": X[::-1, ::-1].copy()[::-1, ::-1],
        "strided": wide[::2, 1::2],
        "float32": X.astype(np.float32),
    }
    criterion = search.default_criterion
    split = find(search, make_node(X, y, criterion=criterion))
    for same in layouts.values():
        assert np.array_equal(X, same)
        assert_same(split, find(search, make_node(same, y, criterion=criterion)))


@every_search_given
def test_equal_rows_of_different_classes(search: SplitSearch) -> None:
    X = np.array([[1.0, 2.0]] * 6)
    y = np.array([0, 1, 0, 1, 2, 0])
    assert find(search, make_node(X, y, criterion=search.default_criterion)) is None
    X = np.vstack([X, [[1.0, 3.0]] * 5])
    y = np.concatenate([y, [2, 2, 2, 2, 1]])
    node = make_node(X, y, criterion=search.default_criterion)
    split = find(search, node)
    assert_valid(node, split)
    assert split is not None or name_of(search) in LEARNERS_OF_ERRORS


@every_search_and_criterion
def test_every_child_holds_the_rows_asked_for(search: SplitSearch, criterion: str) -> None:
    found = 0
    for seed in range(3):
        X, y = blobs(seed, n=60, n_classes=2)
        for min_rows in (2, 9, 25, 30, 31):
            node = make_node(X, y, criterion=criterion, min_rows=min_rows)
            assert node.min_rows == min_rows
            split = find(search, node, seed)
            assert_valid(node, split)
            found += split is not None
            if min_rows == 31:
                assert split is None
    assert found > 0


@every_search_and_criterion
def test_every_child_holds_the_weight_asked_for(search: SplitSearch, criterion: str) -> None:
    found = 0
    for seed in range(3):
        X, y = blobs(seed, n=60, n_classes=2)
        weight = np.random.default_rng(seed).integers(1, 9, len(y)) / 4.0
        for share in (0.05, 0.3, 0.45):
            least = share * weight.sum()
            node = make_node(X, y, criterion=criterion, weight=weight, min_weight=least)
            split = find(search, node, seed)
            assert_valid(node, split)
            if split is not None:
                found += 1
                assert np.bincount(children(node, split), weight).min() >= least
    assert found > 0


@every_search_and_criterion
def test_categories_and_missing_values(search: SplitSearch, criterion: str) -> None:
    found = 0
    for seed in range(4):
        X, y, levels = mixed_rows(seed)
        node = make_node(X, y, levels=levels, criterion=criterion)
        assert not np.isnan(node.X).any()
        assert node.X.shape[1] == 6
        split = find(search, node, seed)
        assert_valid(node, split)
        if split is not None:
            found += 1
            used = branches(split)[:, :-1].any(axis=0)
            np.testing.assert_allclose(split.fill[used], node.X.mean(axis=0)[used], rtol=1e-12)
    assert found > 0


@every_search_given
def test_a_feature_that_is_always_missing(search: SplitSearch) -> None:
    X, y = blobs(3)
    X[:, 1] = np.nan
    node = make_node(X, y, criterion=search.default_criterion)
    split = find(search, node)
    assert split is not None
    assert not branches(split)[:, 1].any()
    assert_valid(node, split)


@every_search_given
def test_only_categories(search: SplitSearch) -> None:
    rng = np.random.default_rng(0)
    X = rng.integers(0, 3, (90, 2)).astype(float)
    y = ((X[:, 0] == 1) ^ (X[:, 1] == 2)) | (rng.random(90) < 0.1)
    node = make_node(X, y, levels={0: 3, 1: 3}, criterion=search.default_criterion)
    split = find(search, node)
    assert split is not None or name_of(search) in LEARNERS_OF_ERRORS
    assert_valid(node, split)


# ---------------------------------------------------------------------------------- growing

REGISTERED = {name: SHORTER.get(name) or search() for name, search in SEARCHES.items()}
LIMITS: list[dict[str, int]] = [
    {},
    {"max_leaf_nodes": 7},  # best first
    {"min_samples_leaf": 6},
    {"n_jobs": 2},
]


@every_search_given
def test_predicting_sends_the_training_rows_where_growing_did(search: SplitSearch) -> None:
    X, y, _ = mixed_rows(7, n=150)
    whole = np.random.default_rng(1).integers(1, 9, len(y))
    for limits, weight in product(LIMITS, (None, whole)):
        model = ObliqueDecisionTreeClassifier(
            search, categorical_features=[2], random_state=0, **limits
        ).fit(X, y, weight)
        assert_counts_are_those_of_the_rows(model, X, y, weight)
        assert model.tree_.n_leaves > (1 if name_of(search) in LEARNERS_OF_ERRORS else 3)


@pytest.mark.parametrize(("name", "search"), REGISTERED.items(), ids=REGISTERED.keys())
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_rows_close_to_a_boundary(name: str, search: SplitSearch, dtype: type) -> None:
    """Values on a coarse grid far from zero: rounding must not send a row the other way."""
    rng = np.random.default_rng(4)
    X = (1000.0 + rng.integers(0, 12, (200, 3)) / 10.0).astype(dtype)
    y = ((X - 1000.0).sum(axis=1) + 0.3 * rng.normal(size=200) > 1.6).astype(int)
    model = ObliqueDecisionTreeClassifier(search, random_state=0).fit(X, y)
    assert_counts_are_those_of_the_rows(model, X, y, None)
    assert model.tree_.n_leaves > (1 if name in LEARNERS_OF_ERRORS else 5)


def assert_counts_are_those_of_the_rows(
    model: ObliqueDecisionTreeClassifier, X: np.ndarray, y: np.ndarray, weight: np.ndarray | None
) -> None:
    tree = model.tree_
    weight = np.ones(len(y)) if weight is None else weight
    passed = model.decision_path(X).toarray().astype(bool)
    leaf = model.apply(X)
    assert tree.is_leaf[leaf].all()
    assert passed[np.arange(len(y)), leaf].all()
    assert np.array_equal(passed.sum(axis=0), tree.n_node_samples)
    codes = np.searchsorted(model.classes_, y)
    for code in range(len(model.classes_)):
        counted = (passed * (weight * (codes == code))[:, None]).sum(axis=0)
        np.testing.assert_allclose(counted, tree.value[:, code], rtol=1e-12, atol=1e-12)


@every_search_given
def test_rows_of_next_to_no_weight_give_no_infinite_score(search: SplitSearch) -> None:
    """They lie at the ends of every feature, in a class of their own."""
    for n in (60, 400):
        X, y = blobs(3, n)
        X[:2], y[2:] = [[9.0], [8.0]], y[2:] % 2
        y[:2] = 2
        weight = 0.5 + np.random.default_rng(0).random(n)
        weight[:2] = 1e-18
        node = make_node(X, y, weight=weight)
        split = find(search, node)
        if split is not None:
            assert split.score is not None
            assert np.isfinite(split.score)
            assert split.score == pytest.approx(node.score(split), rel=1e-6, abs=1e-9)
