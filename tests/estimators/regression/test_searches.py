"""Searches of trees that predict numbers: least squares, the signs of residuals, and all others."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_diabetes, make_friedman1

from aslant import (
    HHCARTRegressor,
    LeastSquaresTreeRegressor,
    ObliqueDecisionTreeClassifier,
    ObliqueDecisionTreeRegressor,
    _core,
)
from aslant.search import (
    MML,
    AxisParallel,
    BestOf,
    Fisher,
    LeastSquares,
    ResidualSigns,
    SequentialSelection,
    SplitSearch,
    Standardize,
    ThresholdUnit,
)
from aslant.search.registry import REGRESSION_SEARCHES
from aslant.search.residual_signs import for_regression
from tests.oracles.regression import (
    best_threshold,
    least_squares_direction,
    signs_from_line,
    signs_from_mean,
)


def node_of(X: np.ndarray, y: np.ndarray, weight: np.ndarray) -> _core.Node:
    columns = np.arange(X.shape[1], dtype=np.int32)
    problem = _core.Problem(
        features=_core.Features(
            X=X,
            column_feature=columns,
            column_level=np.full(X.shape[1], -1, dtype=np.int32),
        ),
        target=_core.Target(y, n_classes=0, weight=weight),
        rows=None,
        criterion="squared_error",
        min_rows=1,
        min_weight=0.0,
        fill_with_training_mean=False,
    )
    return _core.Node(problem)


def sample(seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(80, 4)) * [1.0, 10.0, 0.1, 3.0] + 7.0
    y = np.abs(X @ [1.0, -0.1, 5.0, 0.2] - 6.0) + 0.2 * rng.normal(size=80)
    return X, y, rng.uniform(0.5, 2.0, size=80)


@pytest.mark.parametrize("ridge", [1e-6, 1e-3, 0.5])
def test_least_squares_is_ridge_regression_and_the_best_threshold(ridge: float) -> None:
    X, y, weight = sample()
    split = LeastSquares(ridge=ridge).find(node_of(X, y, weight), np.random.default_rng(0))
    direction = least_squares_direction(X, y, weight, ridge)
    np.testing.assert_allclose(split.coef, direction, rtol=1e-6)
    threshold, gain = best_threshold(X @ direction, y, weight)
    assert split.threshold == pytest.approx(threshold, rel=1e-9)
    assert split.score == pytest.approx(gain, rel=1e-9)


def test_least_squares_of_several_outputs_follows_their_common_direction() -> None:
    X, y, weight = sample(1)
    single = LeastSquares().find(node_of(X, y, weight), np.random.default_rng(0))
    both = LeastSquares().find(
        node_of(X, np.column_stack([y, -3.0 * y]), weight), np.random.default_rng(0)
    )
    ratio = both.coef / single.coef
    np.testing.assert_allclose(ratio, ratio[0], rtol=1e-6)
    assert both.score == pytest.approx(10.0 * single.score)


def test_selection_around_least_squares_drops_what_says_nothing() -> None:
    rng = np.random.default_rng(2)
    X = rng.normal(size=(300, 6))
    y = X[:, 0] + X[:, 1]
    for method in ("sbe", "sfs", "dsbe"):
        search = SequentialSelection(LeastSquares(), method=method)
        split = search.find(node_of(X, y, np.ones(300)), rng)
        assert {0, 1} <= set(np.flatnonzero(split.coef)) and np.count_nonzero(split.coef) <= 4


class Remember(SplitSearch):
    """A search that keeps the classes it was given."""

    seen: list[np.ndarray]

    def __init__(self) -> None:
        self.seen = []

    def find(self, node: _core.Node, rng: np.random.Generator) -> None:
        self.seen.append(node.y.copy())
        assert node.n_classes == 2
        return None


@pytest.mark.parametrize("fit", ["mean", "line"])
def test_residual_signs_are_those_of_the_fitted_value(fit: str) -> None:
    X, y, weight = sample(3)
    inner = Remember()
    ResidualSigns(inner, fit=fit).find(node_of(X, y, weight), np.random.default_rng(0))
    expected = signs_from_mean(y, weight) if fit == "mean" else signs_from_line(X, y, weight)
    np.testing.assert_array_equal(inner.seen[0], expected)


def test_the_threshold_is_by_the_criterion_of_the_tree() -> None:
    X, y, weight = sample(4)
    split = ResidualSigns(Fisher()).find(node_of(X, y, weight), np.random.default_rng(0))
    threshold, gain = best_threshold(X @ split.coef, y, weight)
    assert split.score == pytest.approx(gain, rel=1e-9)
    np.testing.assert_array_equal(X @ split.coef <= split.threshold, X @ split.coef <= threshold)


def test_an_exact_line_falls_back_on_the_mean() -> None:
    rng = np.random.default_rng(5)
    X = rng.normal(size=(50, 2))
    inner = Remember()
    node = node_of(X, X @ [1.0, 2.0], np.ones(50))
    ResidualSigns(inner, fit="line").find(node, rng)
    np.testing.assert_array_equal(inner.seen[0], signs_from_mean(X @ [1.0, 2.0], np.ones(50)))


def test_who_is_given_classes() -> None:
    assert isinstance(for_regression(AxisParallel()), AxisParallel)
    assert isinstance(for_regression(Fisher()), ResidualSigns)
    inside = for_regression(Standardize(ThresholdUnit()))
    assert isinstance(inside, Standardize) and isinstance(inside.search, ResidualSigns)
    several = for_regression(BestOf([AxisParallel(), Fisher()]))
    assert [type(one) for one in several.searches] == [AxisParallel, ResidualSigns]


@pytest.mark.parametrize("name", sorted(REGRESSION_SEARCHES))
def test_every_search_beats_the_mean(name: str) -> None:
    X, y = make_friedman1(250, random_state=0)
    other, truth = make_friedman1(500, random_state=1)
    tree = ObliqueDecisionTreeRegressor(name, min_samples_leaf=10, random_state=0).fit(X, y)
    assert tree.score(other, truth) > 0.3
    assert tree.get_n_leaves() > 2


@pytest.mark.parametrize("name", sorted(REGRESSION_SEARCHES))
def test_counts_are_those_of_prediction(name: str) -> None:
    X, y = make_friedman1(200, random_state=0)
    X[::9, 2] = np.nan
    tree = ObliqueDecisionTreeRegressor(name, min_samples_leaf=5, random_state=0).fit(X, y)
    leaf = tree.apply(X)
    for node in np.unique(leaf):
        assert tree.tree_.n_node_samples[node] == (leaf == node).sum()
        assert tree.tree_.value[node, 0] == pytest.approx(y[leaf == node].mean())


def test_same_tree_for_any_number_of_threads() -> None:
    X, y = make_friedman1(400, random_state=0)
    one = ObliqueDecisionTreeRegressor(random_state=3, n_jobs=1, max_depth=4).fit(X, y)
    two = ObliqueDecisionTreeRegressor(random_state=3, n_jobs=2, max_depth=4).fit(X, y)
    assert one.tree_ == two.tree_


def test_the_threshold_of_a_sampled_search_is_that_of_all_rows() -> None:
    """Also where a few rows at an end of the line decide, within one of its bins."""
    rng = np.random.default_rng(0)
    for _ in range(20):
        X = rng.normal(size=(1500, 1))
        y = rng.standard_cauchy(size=1500)
        y[X[:, 0] < np.sort(X[:, 0])[rng.integers(1, 40)]] += 30.0
        all_rows = ObliqueDecisionTreeRegressor("axis_parallel", max_depth=1).fit(X, y).tree_
        sampled = ObliqueDecisionTreeRegressor(
            "axis_parallel", max_depth=1, search_rows=200, random_state=0
        ).fit(X, y)
        assert sampled.tree_.threshold[0] == all_rows.threshold[0]


def test_search_rows() -> None:
    X, y = make_friedman1(800, random_state=0)
    for name in ("oc1", "fisher", "least_squares"):
        tree = ObliqueDecisionTreeRegressor(
            name, search_rows=100, min_samples_leaf=20, random_state=0
        ).fit(X, y)
        assert tree.score(X, y) > 0.5


def test_message_lengths_need_classes() -> None:
    assert "mml" not in REGRESSION_SEARCHES
    with pytest.raises(ValueError, match="MML needs classes"):
        ObliqueDecisionTreeRegressor(MML()).fit([[0.0], [1.0]], [0.0, 1.0])


def test_least_squares_needs_numbers() -> None:
    with pytest.raises(ValueError, match="LeastSquares"):
        ObliqueDecisionTreeClassifier(LeastSquares()).fit([[0.0], [1.0]], [0, 1])


def test_line_residuals_find_what_means_do_not() -> None:
    """y = |x0 + x1|: rows above and below the mean lie alike, those about the line do not."""
    rng = np.random.default_rng(6)
    X = rng.normal(size=(600, 2))
    y = np.abs(X.sum(axis=1)) + X.sum(axis=1)
    tree = HHCARTRegressor(residuals="line", max_depth=2, pruning=None).fit(X, y)
    assert tree.score(X, y) > 0.7


@pytest.mark.parametrize("selection", [None, "sbe", "sfs", "dsbe", "hss", "cart"])
def test_least_squares_tree(selection: str | None) -> None:
    X, y = load_diabetes(return_X_y=True)
    tree = LeastSquaresTreeRegressor(selection=selection, random_state=0).fit(X[:300], y[:300])
    assert tree.score(X[300:], y[300:]) > 0.2


def with_extreme_column(X: np.ndarray) -> np.ndarray:
    """A column that tells nothing, but because of which no row is read in place."""
    return np.column_stack([X, np.full(len(X), 1e200)])


def test_few_rows_are_searched_alike_in_place_and_in_a_node() -> None:
    """The plain search reads rows in place: weights, outputs, ties."""
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=(700, 3)), rng.integers(0, 4, size=(700, 2))])
    y = X[:, 0] + X[:, 3] * X[:, 1] + 0.1 * rng.normal(size=700)
    weight = rng.integers(1, 4, size=700).astype(float)
    for target in (y, np.column_stack([y, np.round(y)])):
        for search in (AxisParallel(), BestOf([AxisParallel()])):
            in_place = ObliqueDecisionTreeRegressor(search).fit(X, target, weight).tree_
            in_nodes = ObliqueDecisionTreeRegressor(search)
            in_nodes.fit(with_extreme_column(X), target, weight)
            np.testing.assert_array_equal(in_place.coef_column, in_nodes.tree_.coef_column)
            np.testing.assert_array_equal(in_place.offset, in_nodes.tree_.offset)


@pytest.mark.parametrize("shape", [(300, 4), (60, 80)])
@pytest.mark.parametrize("kind", ["plain", "weights", "outputs", "poisson", "constant column"])
def test_regressions_of_few_rows_are_those_of_a_node(shape: tuple[int, int], kind: str) -> None:
    """By rows where columns are more, by columns otherwise; in the units of the input."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=shape) * rng.uniform(0.1, 10.0, size=shape[1]) + 5.0
    y = X[:, 0] * X[:, 1] + rng.normal(size=shape[0])
    y -= y.min()
    weight = rng.uniform(0.5, 2.0, size=shape[0]) if kind == "weights" else None
    if kind == "constant column":
        X[:, 2] = 0.1
    target = np.column_stack([y, rng.normal(size=shape[0])]) if kind == "outputs" else y
    criterion = "poisson" if kind == "poisson" else "squared_error"
    for search in (LeastSquares(), BestOf([AxisParallel(), LeastSquares()])):
        in_place = ObliqueDecisionTreeRegressor(search, criterion=criterion, max_depth=5)
        in_nodes = ObliqueDecisionTreeRegressor(search, criterion=criterion, max_depth=5)
        ours = in_place.fit(X, target, weight).tree_
        theirs = in_nodes.fit(with_extreme_column(X), target, weight).tree_
        np.testing.assert_array_equal(ours.coef_column, theirs.coef_column)
        np.testing.assert_allclose(ours.coef_value, theirs.coef_value, rtol=1e-6, atol=1e-9)
        np.testing.assert_allclose(ours.offset, theirs.offset, rtol=1e-6, atol=1e-9)
        np.testing.assert_array_equal(ours.n_node_samples, theirs.n_node_samples)


def test_more_columns_than_rows_have_the_same_regression() -> None:
    """With fewer rows than columns the weights come from a matrix of rows by rows."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(12, 30)), rng.normal(size=12)
    weight = rng.uniform(0.5, 2.0, size=12)
    tree = ObliqueDecisionTreeRegressor(LeastSquares(), max_depth=1).fit(X, y, weight)
    found, expected = tree.tree_.coef_value, least_squares_direction(X, y, weight, 1e-3)
    np.testing.assert_allclose(
        found / np.linalg.norm(found), expected / np.linalg.norm(expected), atol=1e-9
    )
