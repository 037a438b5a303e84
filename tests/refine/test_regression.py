"""The joint fit of trees that predict numbers."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from oracles import soft_regression as oracle
from scipy.optimize import minimize
from sklearn.datasets import make_friedman1

from aslant import CARTRegressor, LeastSquaresTreeRegressor, _core
from aslant.encoding.sample import Sample
from aslant.refine import JointFit
from aslant.refine.regression import RegressionGates, RegressionModel
from aslant.tree.linear_leaves import with_linear_leaves
from aslant.tree.regression_tree import RegressionTree
from tests.refine.test_soft_tree import CHILDREN, SHAPES, Problem, parameters_of


def problem(shape: str, n_outputs: int = 1, *, missing: bool = False) -> Problem:
    rng = np.random.default_rng(len(shape))
    children = np.array(CHILDREN[shape], dtype=np.int32)
    n, d = 37, 3
    Z = rng.normal(size=(n, d))
    if missing:
        Z[rng.random((n, d)) < 0.2] = np.nan
    leaves = np.flatnonzero(children[:, 0] < 0)
    weight = rng.integers(1, 4, n).astype(float)
    leaf = rng.choice(leaves, n).astype(np.int32)
    return Problem(Z, rng.normal(size=(n, n_outputs)), weight, leaf, children, 0)  # type: ignore[arg-type]


def core_of(given: Problem) -> _core.SoftTree:
    inner = int((given.children[:, 0] >= 0).sum())
    n_planes = inner + (inner + 1) * given.y.shape[1]
    return given.core(fill=np.full((n_planes, given.Z.shape[1]), np.nan))


@SHAPES
@pytest.mark.parametrize(("missing", "n_outputs"), [(False, 1), (True, 2)])
def test_objective_and_gradient_are_those_of_the_formulas(
    shape: str, missing: bool, n_outputs: int
) -> None:
    given = problem(shape, n_outputs, missing=missing)
    parameters = parameters_of(core_of(given), 0.5)
    ours, gradient = core_of(given).evaluate(parameters, 1.3)
    assert ours == pytest.approx(oracle.objective(parameters, 1.3, **vars(given)), rel=1e-6)
    step = 1e-5
    for i in range(len(parameters)):
        moved = np.zeros_like(parameters)
        moved[i] = step
        above = oracle.objective(parameters + moved, 1.3, **vars(given))
        below = oracle.objective(parameters - moved, 1.3, **vars(given))
        assert gradient[i] == pytest.approx((above - below) / (2 * step), rel=1e-4, abs=1e-4)


def test_minimum_is_that_of_scipy() -> None:
    given = problem("a bush")
    core = core_of(given)
    start = parameters_of(core, 0.3)
    _, value, _ = core.minimise(
        start,
        l2=1.0,
        l1=np.zeros(0),
        sign=np.zeros(0, dtype=np.int32),
        fixed=np.zeros(0, dtype=bool),
        max_iterations=500,
        tolerance=1e-9,
        progress=None,
    )
    theirs = minimize(lambda p: core_of(given).evaluate(p, 1.0), start, jac=True, method="L-BFGS-B")
    assert value == pytest.approx(theirs.fun, rel=1e-3)


def test_rows_far_from_every_leaf_are_finite() -> None:
    given = problem("a bush")
    given.y = given.y * 1e4  # type: ignore[assignment]
    parameters = parameters_of(core_of(given))
    parameters[-1] = -5.0  # a narrow Gaussian: every density underflows
    value, gradient = core_of(given).evaluate(parameters, 1.0)
    assert np.isfinite(value)
    assert np.isfinite(gradient).all()


def test_targets_that_do_not_fit_are_refused() -> None:
    given = problem("a test")
    for wrong in (np.zeros(37), np.zeros((36, 1)), np.full((37, 1), np.inf)):
        given.y = wrong  # type: ignore[assignment]
        with pytest.raises(ValueError, match="y must"):
            given.core(fill=np.full((3, 3), np.nan))


def rows(n: int = 300) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    return make_friedman1(n, n_features=6, noise=0.5, random_state=0)


def grown(leaf: str = "mean", **settings: object) -> tuple[RegressionTree, Sample]:
    X, y = rows()
    tree = CARTRegressor(leaf=leaf, max_depth=3, **settings).fit(X, y).tree_
    assert isinstance(tree, RegressionTree)
    return tree, Sample(X, y, np.ones(len(y)), 0)


@pytest.mark.parametrize("leaf", ["mean", "linear"])
def test_the_start_is_the_tree(leaf: str) -> None:
    tree, sample = grown(leaf, extrapolate=leaf == "linear")
    model = RegressionModel(tree, sample, fill_with_training_mean=False)
    start = model.start(np.where(tree.is_leaf, 0.0, 1e4))  # as good as hard
    hard = JointFit(max_iter=0).refine(tree, sample)
    assert np.array_equal(hard.apply(sample.X), tree.apply(sample.X))
    # With hard gates the likelihood is that of the errors of the tree.
    error = (sample.y - tree.predict(sample.X)[:, 0]) / model.unit
    width = np.exp(start[-1])
    expected = float((0.5 * (error / width) ** 2 + np.log(width)).sum())
    constants = model._planes_of(start)[:, -1]
    penalty = 0.0005 * float(constants @ constants) + start[-1] + 0.005 / width**2
    ours, _ = model._core.evaluate(start, 0.0)
    assert ours - penalty == pytest.approx(expected, rel=0.01)


@pytest.mark.parametrize("leaf", ["mean", "linear"])
def test_the_fit_decreases_the_error(leaf: str) -> None:
    tree, sample = grown(leaf)
    before = np.mean((tree.predict(sample.X)[:, 0] - sample.y) ** 2)
    refined = JointFit(l2=0.01).refine(tree, sample)
    assert isinstance(refined, RegressionTree)
    assert refined.is_linear == (leaf == "linear")
    assert np.mean((refined.predict(sample.X)[:, 0] - sample.y) ** 2) < before


def test_leaves_hold_what_their_rows_say() -> None:
    tree, sample = grown()
    refined = JointFit(l2=0.1).refine(tree, sample)
    assert isinstance(refined, RegressionTree)
    leaf = refined.apply(sample.X)
    for node in np.flatnonzero(refined.is_leaf):
        own = sample.y[leaf == node]
        assert refined.value[node, 0] == pytest.approx(own.mean())
        assert refined.n_node_samples[node] == refined.node_weight[node] == len(own)
        assert refined.error[node] == pytest.approx(own.var())
    assert refined.value[0, 0] == pytest.approx(sample.y.mean())
    assert refined.error[0] == pytest.approx(sample.y.var())


def test_an_l1_penalty_removes_columns_from_tests_and_leaves() -> None:
    tree, sample = grown("linear")
    counts = []
    for l1 in (0.0, 0.3):
        refined = JointFit(l2=0.01, l1=l1).refine(tree, sample)
        assert isinstance(refined, RegressionTree)
        counts.append(
            (len(refined.coef_value), np.count_nonzero(refined.leaf_coef[refined.is_leaf]))
        )
    assert counts[1][0] < counts[0][0]
    assert counts[1][1] < counts[0][1]


def test_functions_of_leaves_alone_predict_the_same() -> None:
    tree, sample = grown()
    whole = with_linear_leaves(tree, sample, False)
    leaves = with_linear_leaves(tree, sample, False, leaves_only=True)
    assert np.array_equal(leaves.predict(sample.X), whole.predict(sample.X))
    assert whole.leaf_coef[~tree.is_leaf].any()
    assert not leaves.leaf_coef[~tree.is_leaf].any()


def test_functions_read_only_the_columns_they_may() -> None:
    tree, sample = grown()
    allowed = np.zeros((tree.n_nodes, tree.n_columns), dtype=bool)
    allowed[:, 1] = True
    linear = with_linear_leaves(tree, sample, False, allowed=allowed)
    assert linear.leaf_coef[:, :, 1].any()
    assert not np.delete(linear.leaf_coef, 1, axis=2).any()


@pytest.mark.parametrize("leaf", ["mean", "linear"])
def test_soft_predictions_are_means_over_the_leaves(leaf: str) -> None:
    tree, sample = grown(leaf)
    steepness = np.where(tree.is_leaf, 0.0, 2.0)
    X = sample.X[:20].copy()
    X[3, :2] = np.nan
    predicted = RegressionGates(tree, steepness).predict(X)
    for row, ours in zip(X, predicted, strict=True):
        reach = {0: 1.0}
        expected = 0.0
        for node in range(tree.n_nodes):
            if tree.is_leaf[node]:
                expected += reach[node] * float(tree.predict_at(node, row[np.newaxis])[0, 0])
                continue
            first = tree.row_start[node]
            entries = slice(tree.coef_start[first], tree.coef_start[first + 1])
            x = row[tree.coef_column[entries]]
            x = np.where(np.isnan(x), tree.coef_fill[entries], x)
            distance = tree.coef_value[entries] @ x - tree.offset[first]
            gate = 1.0 / (1.0 + np.exp(-2.0 * distance))
            low, high = tree.children[node, :2].tolist()
            reach[low], reach[high] = reach[node] * (1.0 - gate), reach[node] * gate
        assert ours[0] == pytest.approx(expected)


def test_linear_tests_and_several_outputs() -> None:
    X, y = rows()
    target = np.column_stack([y, -3.0 * y + X[:, 0]])
    tree = LeastSquaresTreeRegressor(max_depth=2, leaf="linear", pruning=None).fit(X, target).tree_
    sample = Sample(X, target, np.ones(len(y)), 0)
    refined = JointFit().refine(tree, sample)
    assert isinstance(refined, RegressionTree)
    assert refined.n_outputs == 2
    assert np.mean((refined.predict(X) - target) ** 2) < np.mean((tree.predict(X) - target) ** 2)
