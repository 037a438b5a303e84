"""Selecting the features of a test."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from oracles import learners as oracle
from oracles.criterion import Vector, gini
from oracles.criterion import score as two_way_score
from search.nodes import Split, blobs, branches, children, find, make_node

from aslant.search import (
    OC1,
    HyperplaneSplit,
    LinearMachine,
    LinearMachineSplit,
    SequentialSelection,
    SplitSearch,
    ThresholdUnit,
)

METHODS = ("sbe", "sfs", "dsbe", "hss")
every_method = pytest.mark.parametrize("method", METHODS)


def used(split: Split | None) -> tuple[int, ...] | None:
    """Return the columns that a split reads."""
    if split is None:
        return None
    return tuple(np.flatnonzero(branches(split)[:, :-1].any(axis=0)).tolist())


def partly_informative(seed: int, n: int = 50, n_classes: int = 2) -> tuple[Vector, Vector]:
    """Return two features that tell the class, one that repeats them, and noise."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 6))
    X[:, 2] = X[:, 0] - X[:, 1] + 0.1 * X[:, 2]
    signal = X[:, 0] + 0.5 * X[:, 1] + 0.6 * rng.normal(size=n)
    return X, np.digitize(signal, np.quantile(signal, np.arange(1, n_classes) / n_classes))


# ---------------------------------------------------------------------- twins that fit anew


def threshold_unit_twin(
    X: Vector, y: Vector, criterion: str
) -> Callable[[tuple[int, ...]], oracle.Selection.Test]:
    """Return what least squares between two classes says of some columns."""
    Y = oracle.with_constant(oracle.standardized(X))
    heaviest = np.bincount(y).argmax()

    def learn(columns: tuple[int, ...]) -> oracle.Selection.Test:
        rows = Y[:, [0, *(1 + c for c in columns)]]
        w = oracle.least_squares(rows, np.where(y == heaviest, 1.0, -1.0))
        child = rows @ w < 0.0
        counts = [np.bincount(y[child == side], minlength=2) for side in (False, True)]
        separates = all(count.sum() > 0 for count in counts)
        merit = two_way_score(*counts, criterion) if separates else None
        accuracy = sum(count.max() for count in counts) / len(y)
        return merit, accuracy, np.abs(w[1:]).tolist()

    return learn


def linear_machine_twin(X: Vector, y: Vector) -> Callable[[tuple[int, ...]], oracle.Selection.Test]:
    """Return what a least-squares machine says of some columns, judged by Gini's index."""
    Y = oracle.with_constant(oracle.standardized(X))
    n_classes = int(y.max()) + 1

    def learn(columns: tuple[int, ...]) -> oracle.Selection.Test:
        rows = Y[:, [0, *(1 + c for c in columns)]]
        W = np.array(
            [oracle.least_squares(rows, np.where(y == k, 1.0, -1.0)) for k in range(n_classes)]
        )
        child = (rows @ W.T).argmax(axis=1)
        branches = np.unique(child)
        counts = [np.bincount(y[child == k], minlength=n_classes) for k in branches]
        within = sum(count.sum() / len(y) * gini(count) for count in counts)
        merit = gini(np.bincount(y)) - within if len(branches) > 1 else None
        accuracy = sum(count.max() for count in counts) / len(y)
        pairs = list(combinations(W[branches, 1:], 2))
        told = np.mean([(a - b) ** 2 for a, b in pairs], axis=0) if pairs else 0.0 * W[0, 1:]
        return merit, accuracy, told.tolist()

    return learn


@every_method
@pytest.mark.parametrize("criterion", ["gini", "gain_ratio"])
def test_dropping_and_adding_columns_is_as_good_as_fitting_anew(
    method: str, criterion: str
) -> None:
    sizes = set()
    for seed in range(12):
        X, y = partly_informative(seed)
        learn = threshold_unit_twin(X, y, criterion)
        expected = getattr(oracle.Selection(6, len(X), learn), method)()
        search = SequentialSelection(ThresholdUnit(), method=method)
        node = make_node(X, y, criterion=criterion)
        split = find(search, node)
        assert used(split) == expected
        assert split.score == pytest.approx(learn(expected)[0])
        weights = np.abs(split.coef[list(expected)] * X.std(axis=0)[list(expected)])
        np.testing.assert_allclose(weights, learn(expected)[2], rtol=1e-8)
        sizes.add(len(expected))
    assert len(sizes) > 2  # not a trivial case


@every_method
def test_linear_machines_by_their_dispersion(method: str) -> None:
    """The mean over all pairs of vectors of the squared distance between their weights."""
    sizes = set()
    for seed in range(12):
        X, y = partly_informative(seed, n=80, n_classes=4)
        learn = linear_machine_twin(X, y)
        expected = getattr(oracle.Selection(6, len(X), learn), method)()
        search = SequentialSelection(LinearMachine(learner="rls"), method=method)
        split = find(search, make_node(X, y, criterion="gini"))
        assert used(split) == expected
        assert split.score == pytest.approx(learn(expected)[0])
        sizes.add(len(expected))
    assert len(sizes) > 1


@pytest.mark.parametrize("shortlist", [1, 2, 3])
def test_elimination_among_the_least_columns(shortlist: int) -> None:
    for seed in range(12):
        X, y = partly_informative(seed)
        selection = oracle.Selection(6, len(X), threshold_unit_twin(X, y, "gini"))
        search = SequentialSelection(ThresholdUnit(), shortlist=shortlist)
        assert used(find(search, make_node(X, y))) == selection.sbe(shortlist)


@pytest.mark.parametrize(
    "inner",
    [ThresholdUnit(), ThresholdUnit(learner="thermal"), LinearMachine(), OC1(restarts=1, jumps=0)],
    ids=repr,
)
def test_a_shortlist_leads_from_one_method_to_the_other(inner: SplitSearch) -> None:
    for seed in range(3):
        X, y = partly_informative(seed, n_classes=3)
        node = make_node(X, y)
        for shortlist, method in ((1, "dsbe"), (6, "sbe"), (1000, "sbe")):
            short = find(SequentialSelection(inner, shortlist=shortlist), node, seed)
            plain = find(SequentialSelection(inner, method=method), node, seed)
            assert np.array_equal(branches(short), branches(plain))


# ---------------------------------------------------------------------- when a test counts


class Scripted(SplitSearch):
    """Answers a set of columns with the hyperplane it was told, and remembers the question.

    Columns are numbered from 0; ``answers[columns]`` are the coefficients of the columns, and
    otherwise all are one.
    """

    def __init__(self, answers: Any = None) -> None:
        self.answers = answers
        self.asked: list[tuple[int, ...]] = []

    def find(self, node: Any, rng: Any) -> Split | None:
        columns = tuple(np.flatnonzero(np.ptp(node.X, axis=0)).tolist())
        self.asked.append(columns)
        answer = (self.answers or {}).get(columns, np.ones(len(columns)))
        if isinstance(answer, LinearMachineSplit):
            return answer
        coef = np.zeros(node.X.shape[1])
        coef[list(columns)] = answer
        return HyperplaneSplit(coef, 0.0)


@pytest.mark.parametrize("method", [*METHODS, "cart"])
def test_discrimination_no_test_that_sends_all_rows_one_way(method: str) -> None:
    """Two rows of the rarer class among much noise: least squares always says the other one."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 4))
    y = (np.arange(60) < 2).astype(int)
    assert find(SequentialSelection(ThresholdUnit(), method=method), make_node(X, y)) is None


@every_method
@pytest.mark.parametrize("rows_per_feature", [1.0, 2.0, 4.0])
def test_underfitting_a_test_needs_several_distinct_rows_for_each_feature(
    method: str, rows_per_feature: float
) -> None:
    """Copies of a row do not count, whether they are repeated or weighted."""
    rng = np.random.default_rng(1)
    X = np.repeat(rng.normal(size=(12, 8)), 10, axis=0)
    y = (X.sum(axis=1) > 0.0).astype(int)
    search = SequentialSelection(ThresholdUnit(), method=method, rows_per_feature=rows_per_feature)
    split = find(search, make_node(X, y))
    assert len(used(split)) <= 12 / rows_per_feature
    weighted = find(search, make_node(X[::10], y[::10], weight=np.full(12, 10.0)))
    assert used(weighted) == used(split)


@every_method
def test_underfitting_without_enough_rows_for_one_feature(method: str) -> None:
    X, y = np.array([[0.0, 1.0], [1.0, 3.0], [2.0, 2.0]]), np.array([0, 0, 1])
    node = make_node(X, y)
    assert find(SequentialSelection(ThresholdUnit(), method=method), node) is not None
    strict = SequentialSelection(ThresholdUnit(), method=method, rows_per_feature=4.0)
    assert find(strict, node) is None


@every_method
def test_underfitting_rows_of_other_levels_are_distinct(method: str) -> None:
    """Twelve rows, whatever their copies: enough for three features of four rows each."""
    X = np.tile(np.stack(np.meshgrid(np.arange(4.0), np.arange(3.0)), -1).reshape(-1, 2), (5, 1))
    y = (X.sum(axis=1) > 2.0).astype(int)
    node = make_node(X, y, levels={0: 4, 1: 3})
    enough = SequentialSelection(ThresholdUnit(), method=method, rows_per_feature=4.0)
    assert 0 < len(used(find(enough, node))) <= 3
    strict = SequentialSelection(ThresholdUnit(), method=method, rows_per_feature=12.5)
    assert find(strict, node) is None


def three_equal_features(n: int = 400) -> tuple[Vector, Vector]:
    """Return a sum of three features that is the class: without one of them it is right less."""
    X = np.random.default_rng(0).normal(size=(n, 3))
    return X, (X.sum(axis=1) > 0.0).astype(int)


@pytest.mark.parametrize("method", ["sbe", "dsbe"])
@pytest.mark.parametrize(("accuracy_drop", "fewest"), [(0.1, 2), (0.5, 1)])
def test_elimination_ends_when_accuracy_has_fallen(
    method: str, accuracy_drop: float, fewest: int
) -> None:
    """Three features are always right, two in four cases of five, one in seven of ten."""
    inner = Scripted()
    search = SequentialSelection(inner, method=method, accuracy_drop=accuracy_drop)
    split = find(search, make_node(*three_equal_features()))
    assert used(split) == (0, 1, 2)
    assert min(map(len, inner.asked)) == fewest


@pytest.mark.parametrize(("accuracy_drop", "most"), [(0.1, 2), (0.5, 3)])
def test_selection_ends_when_accuracy_has_fallen(accuracy_drop: float, most: int) -> None:
    """One feature is always right; whatever is added, the test looks at the other alone."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3))
    y = (oracle.standardized(X)[:, 1] > 0.0).astype(int)
    answers = {(0, 1): [1.0, 1e-9], (1, 2): [1e-9, 1.0], (0, 1, 2): [1.0, 1e-9, 1e-9]}
    inner = Scripted(answers)
    search = SequentialSelection(inner, method="sfs", accuracy_drop=accuracy_drop)
    assert used(find(search, make_node(X, y))) == (1,)
    assert max(map(len, inner.asked)) == most


def test_the_fewest_features_among_equally_good_tests() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(100, 3))
    y = (oracle.standardized(X)[:, 1] > 0.0).astype(int)
    answers = {(0, 1, 2): [1e-9, 1.0, 1e-9], (0, 1): [1e-9, 1.0], (1, 2): [1.0, 1e-9]}
    for method in METHODS:
        split = find(SequentialSelection(Scripted(answers), method=method), make_node(X, y))
        assert used(split) == (1,)


def test_a_column_whose_weights_are_large_but_equal_goes_first() -> None:
    """Dispersion looks at differences between the vectors, not at their size."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 3))
    y = np.digitize(oracle.standardized(X)[:, 1], [-0.5, 0.5])
    weights = np.array([[9.0, -2.0, 0.3], [9.0, 0.0, -0.3], [9.0, 2.0, 0.0]])
    machine = LinearMachineSplit(weights, np.array([0.0, 1.0, 0.0]))
    inner = Scripted({(0, 1, 2): machine})
    find(SequentialSelection(inner, method="dsbe"), make_node(X, y))
    assert inner.asked[:2] == [(0, 1, 2), (1, 2)]


def test_dsbe_asks_once_per_feature_and_sbe_once_per_subset() -> None:
    """That is why the paper finds it about as many times cheaper as there are features."""
    X, y = three_equal_features()
    for method, questions in (("dsbe", 3), ("sbe", 6), ("sfs", 6)):
        inner = Scripted()
        find(SequentialSelection(inner, method=method, accuracy_drop=1.0), make_node(X, y))
        assert len(inner.asked) == questions


@pytest.mark.parametrize("forward", [False, True])
def test_hss_goes_forward_if_one_feature_is_better_than_all(forward: bool) -> None:
    X, y = three_equal_features()
    if forward:
        y = (oracle.standardized(X)[:, 1] > 0.0).astype(int)
    inner = Scripted()
    find(SequentialSelection(inner, method="hss"), make_node(X, y))
    assert inner.asked[:4] == [(0, 1, 2), (0,), (1,), (2,)]
    following = inner.asked[4]
    assert len(following) == 2
    assert (1 in following) or not forward


# ---------------------------------------------------------------------- CART's elimination


def cart_twin(X: Vector, y: Vector, beta: float) -> tuple[int, ...]:
    """Return the columns that are left; the other coefficients stay as least squares had them."""
    Z = oracle.standardized(X)
    node = make_node(Z, y)
    coef = -threshold_weights(Z, y)
    columns = list(range(Z.shape[1]))
    first = children(node, find(ThresholdUnit(), node))
    score = two_way_score(*[np.bincount(y[first == side], minlength=2) for side in (0, 1)], "gini")
    while len(columns) > 1:
        without = {}
        for column in columns:
            rest = np.where(np.isin(np.arange(len(coef)), columns), coef, 0.0)
            rest[column] = 0.0
            without[column] = node.best_along(rest[None]).score
        cheapest, dearest = max(without.values()), min(without.values())
        if not score - cheapest < beta * (score - dearest):
            break
        columns.remove(max(reversed(columns), key=without.__getitem__))  # the last of equals
        score = cheapest
    return tuple(columns)


def threshold_weights(Z: Vector, y: Vector) -> Vector:
    target = np.where(y == np.bincount(y).argmax(), 1.0, -1.0)
    return oracle.least_squares(oracle.with_constant(Z), target)[1:]


@pytest.mark.parametrize("beta", [0.0, 0.2, 0.6, 1.0])
def test_carts_elimination(beta: float) -> None:
    sizes = []
    for seed in range(10):
        X, y = partly_informative(seed)
        search = SequentialSelection(ThresholdUnit(), method="cart", beta=beta)
        expected = cart_twin(X, y, beta)
        assert used(find(search, make_node(X, y))) == expected
        sizes.append(len(expected))
    if beta == 1.0:
        assert max(sizes) == 1  # the cheapest loss is always less than the dearest
    if beta <= 0.2:
        assert max(sizes) > 1


def test_carts_elimination_with_beta_0_drops_only_what_does_harm() -> None:
    X, y = three_equal_features()
    for learner in ("rls", "cart"):
        search = SequentialSelection(ThresholdUnit(learner=learner), method="cart", beta=0.0)
        assert used(find(search, make_node(X, y))) == (0, 1, 2)


def test_carts_elimination_of_noise() -> None:
    X, y = three_equal_features()
    noisy = np.column_stack([X, np.random.default_rng(1).normal(size=(400, 2))])
    search = SequentialSelection(ThresholdUnit(learner="cart"), method="cart")
    assert used(find(search, make_node(noisy, y))) == (0, 1, 2)


# ---------------------------------------------------------------------- around other searches


@every_method
def test_one_column(method: str) -> None:
    X, y = blobs(0, d=1, n_classes=2)
    split = find(SequentialSelection(ThresholdUnit(), method=method), make_node(X, y))
    assert used(split) == (0,)


def test_its_criteria_are_those_of_the_inner_search() -> None:
    assert SequentialSelection(OC1()).default_criterion == "twoing"
    assert SequentialSelection(ThresholdUnit()).default_criterion == "gain_ratio"
    assert SequentialSelection(OC1()).criteria == OC1.criteria


def test_the_better_of_two_copied_columns_is_either() -> None:
    """Perfectly collinear: dropping one of the pair costs nothing and is done."""
    X, y = three_equal_features(100)
    doubled = np.column_stack([X, X[:, 0]])
    for method in METHODS:
        split = find(SequentialSelection(ThresholdUnit(), method=method), make_node(doubled, y))
        assert len(used(split)) == 3
        assert np.array_equal(
            children(make_node(doubled, y), split),
            children(make_node(X, y), find(ThresholdUnit(), make_node(X, y))),
        )
