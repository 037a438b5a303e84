"""QUEST: variables from tests, splits from discriminant analysis."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.discriminant import fisher_direction, select_variable
from scipy import stats
from search.nodes import blobs, children, find, make_node
from sklearn.datasets import load_iris
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from aslant import QUESTClassifier, _core
from aslant.prune import CostComplexity
from aslant.search import QUEST, Fisher, HyperplaneSplit


def plane(search: QUEST, node: _core.Node) -> HyperplaneSplit:
    split = find(search, node)
    assert isinstance(split, HyperplaneSplit)
    return split


def variable(X: Any, y: Any, levels: dict[int, int] | None = None, alpha: float = 0.05) -> int:
    """Return the feature that a univariate split is on."""
    node = make_node(X, y, levels=levels)
    split = plane(QUEST(split="univariate", split_point="exact", significance=alpha), node)
    owner = np.repeat(
        np.arange(np.shape(X)[1]), [(levels or {}).get(j, 1) for j in range(X.shape[1])]
    )
    used = np.unique(owner[split.coef != 0.0])
    assert len(used) == 1
    return int(used[0])


@pytest.mark.parametrize(("n", "d"), [(60, 30), (40, 120)])
def test_correlations_are_shrunk_where_rows_are_few(n: int, d: int) -> None:
    """As in Fisher's discriminant, which is compared with the closed form."""
    X, y = blobs(n, n=n, d=d, n_classes=2)
    node = make_node(X @ np.random.default_rng(n).normal(size=(d, d)), y)
    fisher = find(Fisher(min_samples_branch=0), node)
    assert isinstance(fisher, HyperplaneSplit)

    def cosine(shrinkage: Literal["auto", "none"]) -> float:
        coef = plane(QUEST(shrinkage=shrinkage), node).coef
        return float(abs(coef @ fisher.coef) / np.linalg.norm(coef) / np.linalg.norm(fisher.coef))

    assert cosine("auto") == pytest.approx(1.0, abs=1e-9)
    assert cosine("none") < 0.99


# ----------------------------------------------------------------------------------- the tests


@pytest.mark.parametrize("freedom", [(1, 5), (2, 100), (9, 30000), (1, 1)])
@pytest.mark.parametrize("f", [1e-3, 1.0, 7.5, 50.0])
def test_tails_of_f(f: float, freedom: tuple[int, int]) -> None:
    tail = _core.log_f_tail(f, *freedom)
    assert tail == pytest.approx(stats.f.logsf(f, *freedom), rel=1e-9)


@pytest.mark.parametrize("freedom", [1, 4, 999])
@pytest.mark.parametrize("x", [0.01, 3.0, 50.0, 900.0])
def test_tails_of_chi_square(x: float, freedom: int) -> None:
    tail = _core.log_chi_square_tail(x, freedom)
    assert tail == pytest.approx(stats.chi2.logsf(x, freedom), rel=1e-9)


def test_tails_beyond_the_smallest_number_still_have_an_order() -> None:
    f = [_core.log_f_tail(f, 2, 30000) for f in (600.0, 800.0, 1e4, 1e6)]
    chi = [_core.log_chi_square_tail(x, 5) for x in (1200.0, 1500.0, 1e4, 1e6)]
    for tails in (f, chi):
        assert np.isfinite(tails).all()
        assert (np.diff(tails) < 0.0).all()
    # The first of each is still a number: the two ways to compute a tail meet.
    assert f[0] == pytest.approx(stats.f.logsf(600.0, 2, 30000), rel=1e-2)
    assert _core.log_chi_square_tail(1400.0, 5) == pytest.approx(stats.chi2.logsf(1400.0, 5), 1e-3)


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 2**32 - 1), st.integers(2, 4), st.sampled_from([0.0, 0.3, 1.0]))
def test_the_variable_is_that_of_scipys_tests(seed: int, n_classes: int, effect: float) -> None:
    """Means, spread or nothing may tell the classes apart; variables are numbers and categories."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, n_classes, 90)
    y[: 3 * n_classes] = np.arange(3 * n_classes) % n_classes
    X = rng.normal(size=(90, 5))
    X[:, rng.integers(5)] += effect * y
    X[:, rng.integers(5)] *= 1.0 + effect * (y == 0)
    X[:, 1] = np.digitize(X[:, 1], [-0.5, 0.5])
    X[:, 3] = np.digitize(X[:, 3], [-1.0, 0.0, 1.0])
    assert variable(X, y, {1: 3, 3: 4}) == select_variable(X, y, categorical=[1, 3])


def test_unequal_spread_is_seen_where_means_agree() -> None:
    rng = np.random.default_rng(0)
    y = np.arange(200) % 2
    X = rng.normal(size=(200, 4))
    X[:, 2] *= 1.0 + 3.0 * y
    for k in (0, 1):
        X[y == k] -= X[y == k].mean(axis=0)
    assert variable(X, y) == 2


def test_alpha_decides_whether_spread_is_looked_at() -> None:
    """A weak difference of means in one variable, a strong one of spread in another."""
    rng = np.random.default_rng(1)
    y = np.arange(100) % 2
    X = rng.normal(size=(100, 2))
    X[:, 0] += 0.5 * y
    X[:, 1] *= 1.0 + 2.0 * y
    p = stats.f_oneway(X[y == 0, 0], X[y == 1, 0]).pvalue
    assert variable(X, y, alpha=min(1.0, 3.0 * p)) == 0
    assert variable(X, y, alpha=1.5 * p) == 1


def test_many_values_are_no_advantage() -> None:
    """Of variables that tell nothing, all are chosen as often; best thresholds prefer values."""
    chosen = np.zeros(3)
    for seed in range(300):
        rng = np.random.default_rng(seed)
        X = np.column_stack(
            [rng.integers(0, 2, 60), rng.normal(size=60), rng.integers(0, 10, 60)]
        ).astype(float)
        chosen[variable(X, rng.integers(0, 2, 60), {2: 10})] += 1
    assert stats.chisquare(chosen).pvalue > 1e-3


def test_the_strongest_of_variables_whose_probability_is_zero() -> None:
    rng = np.random.default_rng(0)
    y = np.arange(40000) % 2
    X = rng.normal(size=(40000, 3)) + np.array([1.0, 1.4, 1.2]) * y[:, None]
    assert variable(X, y) == 1


def test_too_few_cases_to_test() -> None:
    X = np.array([[0.0, 5.0], [1.0, 5.0]])
    split = plane(QUEST(split="univariate"), make_node(X, [0, 1]))
    assert split.coef.tolist() == [1.0, 0.0]
    light = make_node(*blobs(0, n_classes=2), weight=np.full(60, 1e-3))
    assert np.count_nonzero(plane(QUEST(split="univariate"), light).coef) == 1


# ----------------------------------------------------------------------------- the split point


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 2**32 - 1), st.integers(1, 6))
def test_a_linear_split_is_linear_discriminant_analysis(seed: int, d: int) -> None:
    rng = np.random.default_rng(seed)
    y = (np.arange(80) < rng.integers(20, 60)).astype(int)
    X = rng.normal(size=(80, d)) @ rng.normal(size=(d, d)) + 1.5 * y[:, None]
    lda = LinearDiscriminantAnalysis(solver="lsqr").fit(X, y)
    split = find(QUEST(), make_node(X, y))
    predicted = lda.predict(X)
    if len(np.unique(predicted)) == 2:
        sides = children(make_node(X, y), split)
        assert np.array_equal(sides, predicted) or np.array_equal(sides, 1 - predicted)


def test_the_lda_point_moves_with_the_priors() -> None:
    u = np.linspace(-1.0, 1.0, 20)
    X = np.concatenate([u, u + 1.5])[:, None]
    y = np.repeat([0, 1], 20)
    even = plane(QUEST(), make_node(X, y)).threshold
    uneven = plane(QUEST(), make_node(X, y, weight=np.where(y == 0, 3.0, 1.0))).threshold
    assert even == pytest.approx(0.75)
    assert uneven == pytest.approx(0.75 + np.var(u) * np.log(3.0) / 1.5)


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 2**32 - 1), st.floats(0.3, 4.0), st.floats(-2.0, 2.0))
def test_a_qda_point_is_where_the_densities_meet(seed: int, spread: float, shift: float) -> None:
    rng = np.random.default_rng(seed)
    y = (np.arange(90) < 50).astype(int)  # class 1 is the heavier: group A
    u = np.where(y == 1, rng.normal(size=90), spread * rng.normal(size=90) + shift)
    node = make_node(u[:, None], y)
    split = find(QUEST(split="univariate", split_point="qda"), node)
    a, b = (
        stats.norm(u[y == 1].mean(), u[y == 1].std()),
        stats.norm(u[y == 0].mean(), u[y == 0].std()),
    )
    middle = 0.5 * (a.mean() + b.mean())
    if split is None or split.threshold == pytest.approx(middle):
        return
    t = split.threshold
    assert 50 * a.pdf(t) == pytest.approx(40 * b.pdf(t), rel=1e-6)
    grid = a.mean() + np.linspace(-1, 1, 2001) * abs(t - a.mean()) * 0.999
    difference = 50 * a.pdf(grid) - 40 * b.pdf(grid)
    assert (difference > 0).all() or (difference < 0).all()  # no other root is nearer


def qda(u: list[float], y: list[int]) -> HyperplaneSplit | None:
    return find(QUEST(split="univariate", split_point="qda"), make_node(np.array(u)[:, None], y))


def test_qda_of_a_group_without_spread() -> None:
    """It is cut off on the side of the other group's mean."""
    split = qda([1.0, 1.0, 1.0, 1.0, 3.0, 4.0, 0.0], [0, 0, 0, 0, 1, 1, 1])
    assert split is not None
    assert split.threshold == 2.0
    split = qda([1.0, 1.0, 1.0, -3.0, -4.0, 2.0, 1.5], [1, 1, 1, 0, 0, 0, 0])
    assert split is not None
    assert split.threshold == -1.0


def test_qda_of_two_groups_without_spread() -> None:
    split = qda([1.0, 1.0, 1.0, 5.0, 5.0], [0, 0, 0, 1, 1])
    assert split is not None
    assert split.threshold == 3.0


def test_qda_of_equal_spread_is_lda() -> None:
    u = [0.0, 1.0, 2.0, 0.5, 1.5, 5.0, 6.0, 7.0, 5.5, 6.5]
    y = [0] * 5 + [1] * 5
    split = qda(u, y)
    assert split is not None
    assert split.threshold == pytest.approx(3.5)


def test_densities_that_never_meet_leave_the_middle() -> None:
    rng = np.random.default_rng(0)
    u = np.concatenate([rng.normal(size=500), 0.9 * rng.normal(size=5)])
    y = np.repeat([0, 1], [500, 5])
    split = qda(list(u), list(y))
    assert split is not None
    assert split.threshold == pytest.approx(0.5 * (u[y == 0].mean() + u[y == 1].mean()))


def test_a_point_that_leaves_a_child_empty_gives_way_to_the_middle_and_that_to_none() -> None:
    """With 98 of 100 rows in one class the LDA point lies beyond all rows."""
    rng = np.random.default_rng(0)
    u = rng.normal(size=100)
    y = np.repeat([0, 1], [98, 2])
    u[98:] = [0.3, 0.5]
    node = make_node(u[:, None], y)
    split = plane(QUEST(), node)
    assert split.threshold == pytest.approx(0.5 * (u[:98].mean() + u[98:].mean()))
    small = int(np.bincount(children(node, split)).min())
    assert find(QUEST(), make_node(u[:, None], y, min_rows=small)) is not None
    assert find(QUEST(), make_node(u[:, None], y, min_rows=small + 1)) is None


def test_exact_is_the_best_threshold_on_the_discriminant() -> None:
    X, y = blobs(1, n_classes=2)
    split = plane(QUEST(split_point="exact"), make_node(X, y))
    _, score = _core.best_threshold(X @ fisher_direction(X, y), y, 2, "gini")
    assert split.score == pytest.approx(score)
    assert split.score >= plane(QUEST(), make_node(X, y)).score


# --------------------------------------------------------------------------- more than two classes


def test_super_classes_part_the_groups_of_means() -> None:
    rng = np.random.default_rng(0)
    centres = np.array([[0.0, 0.0], [1.0, 0.5], [8.0, 7.0], [9.0, 8.0]])
    y = np.arange(160) % 4
    X = centres[y] + rng.normal(size=(160, 2))
    for search in (QUEST(), QUEST(split_point="qda"), QUEST(split="univariate")):
        node = make_node(X, y)
        sides = children(node, plane(search, node))
        assert np.array_equal(sides == sides[0], y < 2)


def test_means_that_all_agree_leave_a_univariate_split() -> None:
    X = np.array([[-3.0, 0.5], [3.0, -0.5], [-1.0, -0.5], [1.0, 0.5]]).repeat(4, axis=0)
    y = np.array([0, 0, 1, 1]).repeat(4)
    split = plane(QUEST(split_point="exact"), make_node(X, y))
    assert split.coef.tolist() == [1.0, 0.0]
    X[:, 1] = 1.0
    assert find(QUEST(), make_node(X[:, 1:], y)) is None


def test_categories_and_numbers_in_one_split() -> None:
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=300), rng.integers(0, 4, 300)])
    y = (X[:, 0] + np.array([-1.0, 1.0, -2.0, 2.0])[X[:, 1].astype(int)] > 0).astype(int)
    split = plane(QUEST(), make_node(X, y, levels={1: 4}))
    assert np.count_nonzero(split.coef) == 5
    assert np.argsort(split.coef[1:] * np.sign(split.coef[0])).tolist() == [2, 0, 1, 3]


# ------------------------------------------------------------------------------------ the preset


@pytest.mark.parametrize("split", ["linear", "univariate"])
@pytest.mark.parametrize("split_point", ["lda", "qda", "exact"])
def test_on_iris(split: str, split_point: str) -> None:
    X, y = load_iris(return_X_y=True)
    model = QUESTClassifier(split=split, split_point=split_point, random_state=0).fit(X, y)
    assert model.score(X, y) > 0.93
    assert model.get_n_leaves() <= 6


def test_the_preset_prunes_by_cross_validation() -> None:
    X, y = blobs(3, n=200, n_classes=2)
    model = QUESTClassifier(random_state=0).fit(X, y)
    same = QUESTClassifier(random_state=0, pruning=CostComplexity(cv=10)).fit(X, y)
    assert model.tree_ == same.tree_
    assert model.get_n_leaves() < QUESTClassifier(pruning=None).fit(X, y).get_n_leaves()
