"""What a target may hold, and what is refused with one sentence."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.base import clone

import aslant
from aslant import (
    AutoTreeRegressor,
    CARTRegressor,
    LeastSquaresTreeRegressor,
    ObliqueDecisionTreeRegressor,
)
from aslant.estimators.regressor import TreeRegressor

PUBLIC = [getattr(aslant, name) for name in aslant.__all__ if name.endswith("Regressor")]
REGRESSORS = [cls for cls in PUBLIC if issubclass(cls, TreeRegressor)]
every_regressor = pytest.mark.parametrize("cls", REGRESSORS, ids=lambda cls: cls.__name__)


def rows(n: int = 60, p: int = 3, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p))
    return X, X[:, 0] + np.abs(X[:, 1])


def small(cls: type) -> Any:
    size = {"effort": "low"} if cls is AutoTreeRegressor else {"max_depth": 3}
    return cls(**size, random_state=0)


@every_regressor
@pytest.mark.parametrize("leaf", ["mean", "linear"])
@pytest.mark.parametrize("value", [0.0, 0.1, -7.3, 1e300, 1e-300])
def test_a_constant_target_is_one_leaf(cls: type, leaf: str, value: float) -> None:
    X, _ = rows()
    tree = small(cls).set_params(leaf=leaf).fit(X, np.full(60, value))
    assert tree.get_n_leaves() == 1
    np.testing.assert_allclose(tree.predict(X), value, rtol=1e-14)


@every_regressor
@pytest.mark.parametrize("leaf", ["mean", "linear"])
def test_one_row(cls: type, leaf: str) -> None:
    tree = small(cls).set_params(leaf=leaf).fit([[1.0, 2.0]], [3.5])
    assert tree.predict([[5.0, np.nan]]) == [3.5]


@every_regressor
@pytest.mark.parametrize(
    ("y", "message"),
    [
        ([1.0, np.nan, 2.0], "Input y contains NaN"),
        ([1.0, np.inf, 2.0], "Input y contains infinity"),
        ([1.0, None, 2.0], "NaN|float"),
        (["a", "b", "c"], "could not convert string to float"),
        ([1.0, 2.0], "inconsistent numbers of samples"),
        (np.zeros((3, 2, 2)), "dim"),
        ([10**400, 0, 1], "too large"),
    ],
)
def test_bad_targets_are_refused(cls: type, y: Any, message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        small(cls).fit(np.arange(6.0).reshape(3, 2), y)


@every_regressor
@pytest.mark.parametrize("leaf", ["mean", "linear"])
@pytest.mark.parametrize("unit", [1e-300, 1e-160, 1e160, 1e300])
def test_any_unit_gives_the_same_tree(cls: type, leaf: str, unit: float) -> None:
    X, y = rows()
    plain = small(cls).set_params(leaf=leaf).fit(X, y)
    other = small(cls).set_params(leaf=leaf).fit(X, y * np.exp2(np.round(np.log2(unit))))
    np.testing.assert_array_equal(plain.tree_.children, other.tree_.children)
    np.testing.assert_array_equal(plain.apply(X), other.apply(X))
    scaled = plain.predict(X) * np.exp2(np.round(np.log2(unit)))
    np.testing.assert_allclose(other.predict(X), scaled, rtol=1e-9)


def test_integers_beyond_the_exact_ones() -> None:
    y = [2**60 + 1, 2**60 + 2, 2**70, 2**70]
    tree = CARTRegressor().fit([[0.0], [1.0], [2.0], [3.0]], y)
    np.testing.assert_array_equal(tree.predict([[0.0], [3.0]]), [2.0**60, 2.0**70])


def test_rows_of_weight_zero_are_no_rows() -> None:
    X, y = rows()
    weight = np.ones(60)
    weight[::3] = 0.0
    y_wrong = np.where(weight == 0.0, 1e9, y)
    heavy = CARTRegressor().fit(X, y_wrong, weight)
    plain = CARTRegressor().fit(X[weight > 0], y[weight > 0])
    assert heavy.tree_ == plain.tree_
    with pytest.raises(ValueError, match="sample_weight must not be zero for every row"):
        CARTRegressor().fit(X, y, np.zeros(60))


@pytest.mark.parametrize(
    ("y", "message"),
    [
        ([-1.0, 2.0, 3.0], "criterion='poisson' needs targets that are not negative, got -1"),
        ([0.0, 0.0, 0.0], "criterion='poisson' needs a target above 0"),
        ([[1.0, 2.0]] * 3, "criterion='poisson' needs one target, got 2"),
    ],
)
def test_what_poisson_refuses(y: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        CARTRegressor(criterion="poisson").fit(np.arange(6.0).reshape(3, 2), y)


def test_poisson_leaves_have_positive_means() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3))
    y = rng.poisson(np.exp(X[:, 0] - 1))
    tree = ObliqueDecisionTreeRegressor(criterion="poisson", random_state=0).fit(X, y)
    assert tree.get_n_leaves() > 3
    assert (tree.predict(X) > 0.0).all()


@every_regressor
@pytest.mark.parametrize("leaf", ["mean", "linear"])
def test_more_columns_than_rows(cls: type, leaf: str) -> None:
    X, y = rows(n=12, p=40)
    unpruned = {} if cls is AutoTreeRegressor else {"pruning": None}
    tree = small(cls).set_params(leaf=leaf, **unpruned).fit(X, y)
    assert np.isfinite(tree.predict(X)).all()
    assert np.isfinite(tree.predict(rows(n=12, p=40, seed=1)[0])).all()


@pytest.mark.parametrize("leaf", ["mean", "linear"])
def test_extreme_columns(leaf: str) -> None:
    X, y = rows(n=100)
    X = X * [1e300, 1e-300, 1.0]
    tree = LeastSquaresTreeRegressor(leaf=leaf, max_depth=3, pruning=None).fit(X, y)
    assert tree.score(X, y) > 0.5


def test_infinite_features_are_refused() -> None:
    with pytest.raises(ValueError, match="infinity"):
        CARTRegressor().fit([[np.inf], [1.0]], [1.0, 2.0])


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"criterion": "gini"}, "criterion must be one of 'squared_error', 'poisson'"),
        ({"leaf": "median"}, "leaf must be one of 'mean', 'linear'"),
        ({"pruning": "pessimistic"}, "pruning must be one of"),
        ({"pruning": aslant.prune.ErrorBased()}, "ErrorBased prunes classification trees only"),
        ({"ccp_alpha": -1.0}, "ccp_alpha must be at least 0"),
        ({"min_impurity_decrease": -1.0}, "min_impurity_decrease must be at least 0"),
    ],
    ids=str,
)
def test_bad_parameters(settings: dict[str, Any], message: str) -> None:
    X, y = rows()
    with pytest.raises(ValueError, match=message):
        CARTRegressor(**settings).fit(X, y)


@every_regressor
def test_a_clone_predicts_the_same(cls: type) -> None:
    X, y = rows()
    one, two = small(cls).fit(X, y), clone(small(cls)).fit(X, y)
    np.testing.assert_array_equal(one.predict(X), two.predict(X))


@pytest.mark.parametrize("name", ["min_impurity_decrease", "ccp_alpha"])
def test_a_threshold_beyond_all_decreases_of_tiny_targets(name: str) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 2))
    tree = CARTRegressor(**{name: 10.0}).fit(X, 1e-300 * X[:, 0])
    assert tree.get_n_leaves() == 1
