"""Linear leaves: ridge regression whose strength leave-one-out chooses."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_diabetes, make_friedman1
from sklearn.linear_model import Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from aslant import CARTRegressor, LeastSquaresTreeRegressor, export_text, load, save
from aslant.tree.linear_leaves import _STRENGTHS, ridge
from tests.oracles.regression import left_out_error, standardized


def data(n: int, p: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) @ rng.normal(size=(p, p)) + 5.0
    y = X[:, 0] - 2 * X[:, 1] + rng.normal(size=n)
    return X, y, rng.uniform(0.5, 3.0, size=n)


@pytest.mark.parametrize(("n", "p"), [(30, 3), (12, 20), (8, 8)])
def test_left_out_errors_are_those_of_fits_without_the_row(n: int, p: int) -> None:
    X, y, weight = data(n, p)
    Z, _, _ = standardized(X, weight)
    target = (y - weight @ y / weight.sum())[:, None]
    _, error = ridge(Z, target, weight)
    by_hand = [left_out_error(X, y, weight, strength) for strength in _STRENGTHS]
    mean = np.sum(weight * (target[:, 0] / (1 - weight / weight.sum())) ** 2) / weight.sum()
    assert error == pytest.approx(min([*by_hand, mean]), rel=1e-5)


def test_slopes_are_those_of_ridge_regression() -> None:
    X, y, weight = data(40, 4, seed=1)
    Z, _, _ = standardized(X, weight)
    target = (y - weight @ y / weight.sum())[:, None]
    slopes, error = ridge(Z, target, weight)
    errors = [left_out_error(X, y, weight, strength) for strength in _STRENGTHS]
    strength = _STRENGTHS[int(np.argmin(errors))]
    theirs = Ridge(alpha=strength * weight.sum()).fit(Z, target[:, 0], sample_weight=weight)
    np.testing.assert_allclose(slopes[:, 0], theirs.coef_, rtol=1e-7, atol=1e-9)
    assert error == pytest.approx(min(errors))


def test_noise_gets_the_mean() -> None:
    rng = np.random.default_rng(0)
    Z = rng.normal(size=(30, 25))
    Z = (Z - Z.mean(axis=0)) / Z.std(axis=0)
    y = rng.normal(size=(30, 1))
    slopes, _ = ridge(Z, y - y.mean(), np.ones(30))
    assert np.abs(Z @ slopes).max() < np.abs(y).max()


def test_a_plane_is_one_leaf() -> None:
    rng = np.random.default_rng(2)
    X = rng.normal(size=(200, 3))
    y = 3.0 + X @ [1.0, -2.0, 0.5]
    tree = LeastSquaresTreeRegressor(leaf="linear", extrapolate=True).fit(X, y)
    far = 100.0 * rng.normal(size=(50, 3))
    assert tree.get_n_leaves() <= 2
    np.testing.assert_allclose(tree.predict(X), 3.0 + X @ [1.0, -2.0, 0.5], atol=1e-4)
    if tree.get_n_leaves() == 1:
        np.testing.assert_allclose(tree.predict(far), 3.0 + far @ [1.0, -2.0, 0.5], rtol=1e-3)


def test_predictions_stay_within_the_leaf_unless_asked() -> None:
    X, y = load_diabetes(return_X_y=True)
    far = 50.0 * X
    kept = CARTRegressor(max_depth=2, leaf="linear").fit(X, y)
    leaf = kept.apply(X)
    for node in np.unique(leaf):
        inside = kept.predict(far)[kept.apply(far) == node]
        assert (inside >= y[leaf == node].min()).all()
        assert (inside <= y[leaf == node].max()).all()
    free = CARTRegressor(max_depth=2, leaf="linear", extrapolate=True).fit(X, y)
    assert free.predict(far).max() > y.max()


def test_extrapolate_without_linear_leaves_is_refused() -> None:
    with pytest.raises(ValueError, match="extrapolate has no effect unless leaf='linear'"):
        CARTRegressor(extrapolate=True).fit([[0.0], [1.0]], [0.0, 1.0])


def test_missing_values_and_categories() -> None:
    rng = np.random.default_rng(3)
    colour = rng.choice(["red", "green", "blue"], size=300)
    x = rng.normal(size=300)
    y = 2.0 * x + np.where(colour == "red", 5.0, 0.0)
    x[::7] = np.nan
    X = np.empty((300, 2), dtype=object)
    X[:, 0], X[:, 1] = x, colour
    tree = CARTRegressor(max_depth=1, leaf="linear", categorical_features=[1]).fit(X, y)
    assert tree.score(X, y) > 0.7
    assert np.isfinite(tree.predict([[np.nan, "violet"]])).all()
    text = export_text(tree, width=None)
    assert "x1 not in {red}" in text
    assert "[x1=blue]" in text


def test_saved_and_printed(tmp_path: object) -> None:
    X, y = make_friedman1(300, random_state=0)
    tree = LeastSquaresTreeRegressor(leaf="linear", max_depth=2, random_state=0).fit(X, y)
    save(tree, tmp_path / "model.aslant")  # type: ignore[operator]
    other = load(tmp_path / "model.aslant")  # type: ignore[operator]
    np.testing.assert_array_equal(other.predict(X), tree.predict(X))
    assert other.tree_ == tree.tree_
    line = next(line for line in export_text(tree).splitlines() if "value:" in line)
    assert "*x3" in line
    assert ", from " in line


def test_the_printed_formula_is_the_prediction() -> None:
    rng = np.random.default_rng(4)
    X = rng.normal(size=(100, 2))
    y = X @ [2.0, -3.0] + 1.0
    tree = CARTRegressor(max_leaf_nodes=2, leaf="linear", extrapolate=True).fit(X, y)
    line = export_text(tree, digits=12).splitlines()[1].split("value: ")[1].split(" (")[0]
    x0, x1 = X[tree.apply(X) == 1][0]
    assert eval(line, {"x0": x0, "x1": x1}) == pytest.approx(2 * x0 - 3 * x1 + 1, rel=1e-3)


def test_linear_leaves_in_several_outputs() -> None:
    X, y = make_friedman1(300, random_state=0)
    both = np.column_stack([y, -2.0 * y])
    one = CARTRegressor(max_depth=3, leaf="linear").fit(X, y)
    two = CARTRegressor(max_depth=3, leaf="linear").fit(X, both)
    np.testing.assert_allclose(two.predict(X)[:, 0], one.predict(X), rtol=1e-6)
    np.testing.assert_allclose(two.predict(X)[:, 1], -2.0 * one.predict(X), rtol=1e-6)


def test_a_pipeline_of_scalers_is_shown_and_saved_in_the_units_of_its_input(tmp_path: Path) -> None:
    X, y = make_friedman1(300, random_state=0)
    X = X * 10.0 ** np.arange(-5, 5) + 3.0
    tree = CARTRegressor(leaf="linear", max_depth=2)
    pipeline = make_pipeline(StandardScaler(), tree).fit(X, y)
    save(pipeline, tmp_path / "model.aslant")
    alone = load(tmp_path / "model.aslant")
    np.testing.assert_allclose(alone.predict(X), pipeline.predict(X), rtol=1e-9)
    assert export_text(alone, digits=6) == export_text(pipeline, digits=6)


def test_features_of_linear_leaves_have_importances() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3)) * [1.0, 10.0, 1.0]
    y = 3.0 * X[:, 0] + 0.1 * X[:, 1] + np.where(X[:, 2] > 0.0, 4.0, 0.0)
    one = CARTRegressor(max_depth=1, leaf="linear", pruning=None).fit(X, y)
    leaf = CARTRegressor(min_samples_split=201, leaf="linear").fit(X, y)
    size = np.abs(leaf.tree_.leaf_coef[0, 0]) * X.std(axis=0)
    np.testing.assert_allclose(leaf.feature_importances_, size / size.sum())
    assert (one.feature_importances_ > 0.0).all()
    assert one.feature_importances_.argmax() == 0
    np.testing.assert_allclose(one.feature_importances_.sum(), 1.0)
