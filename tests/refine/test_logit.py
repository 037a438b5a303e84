"""A single linear leaf: penalized multinomial logistic regression."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.linear_model import LogisticRegression

from aslant.encoding.sample import Sample
from aslant.estimators.auto.leaf import leaf_of
from aslant.refine.logit import LogitModel

from .trees import rows, sample_of


def model_of(sample: Sample) -> LogitModel:
    return LogitModel(leaf_of(sample), sample, fill_with_training_mean=True)


def some_rows(n_classes: int, missing: bool = False) -> Sample:
    sample = rows(n=120, n_classes=n_classes, noise=0.2)
    X = 3.0 * sample.X + 7.0
    if missing:
        X[np.random.default_rng(0).random(X.shape) < 0.1] = np.nan
    return sample_of(X, sample.y, np.random.default_rng(1).integers(1, 4, len(X)))


def objective(model: LogitModel, parameters: np.ndarray, l2: float) -> float:
    """Return the penalized loss, written as the formulas say: a row of logits at a time."""
    sample, n_classes = model.sample, model.tree.n_classes
    planes = parameters.reshape(-1, model.n_columns + 1)
    Z = model.columns.transform(sample.X)
    mean = np.nansum(sample.weight[:, None] * Z, axis=0) / np.sum(
        sample.weight[:, None] * ~np.isnan(Z), axis=0
    )
    Z = np.where(np.isnan(Z), mean, Z)
    center = np.average(Z, axis=0, weights=sample.weight)
    variance = np.average((Z - center) ** 2, axis=0, weights=sample.weight)
    local = (Z - center) / np.sqrt(variance + 0.01)
    total = 0.5 * l2 * (planes[:, :-1] ** 2).sum() + 0.0005 * (planes[:, -1] ** 2).sum()
    for x, label, weight in zip(local, sample.y, sample.weight, strict=True):
        logits = planes[:, :-1] @ x + planes[:, -1]
        logits = np.append(0.0, logits) if n_classes == 2 else logits
        p = np.exp(logits - logits.max())
        total -= weight * np.log(0.98 * p[label] / p.sum() + 0.02 / n_classes)
    return float(total)


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("n_classes", [2, 3, 4])
def test_objective_and_gradient_are_those_of_the_formulas(n_classes: int, missing: bool) -> None:
    model = model_of(some_rows(n_classes, missing))
    point = np.random.default_rng(2).normal(size=model._core.n_parameters)
    assert len(point) == (1 if n_classes == 2 else n_classes) * 6
    value, gradient = model._core.evaluate(point, 0.3)
    assert value == pytest.approx(objective(model, point, 0.3), rel=1e-5)
    for i in range(len(point)):
        step = np.zeros_like(point)
        step[i] = 1e-5
        slope = (objective(model, point + step, 0.3) - objective(model, point - step, 0.3)) / 2e-5
        assert gradient[i] == pytest.approx(slope, rel=1e-3, abs=2e-3)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_minimum_is_that_of_scipy(n_classes: int) -> None:
    model = model_of(some_rows(n_classes))
    ours = model.dense(2.0)
    l2 = 1.0 if n_classes == 2 else 2.0  # the log-odds of two classes are twice a logit
    reference = minimize(lambda p: objective(model, p, l2), np.zeros(len(ours)), method="BFGS")
    assert objective(model, ours, l2) == pytest.approx(reference.fun, rel=1e-4)


def test_two_classes_are_penalized_as_several_are() -> None:
    """The L2 penalty of a logit of each class; scikit-learn's C is its inverse."""
    sample = some_rows(2)
    model = model_of(sample)
    Z = model.columns.transform(sample.X)
    peer = LogisticRegression(C=2.0 / 50.0).fit(Z, sample.y, sample.weight)
    ours = model.logits(model.dense(50.0), Z)[:, 1]
    theirs = Z @ peer.coef_[0] + peer.intercept_[0]
    assert np.corrcoef(ours, theirs)[0, 1] > 0.999
    assert np.std(ours) == pytest.approx(np.std(theirs), rel=0.1)


def test_l1_penalties_leave_fewer_coefficients() -> None:
    model = model_of(some_rows(3))
    dense = model.dense(1.0)
    path = dict(model.path(dense, 1.0, (0.15, 0.4, 1.0), (0.4, 1.0)))
    assert list(path) == [0.4, 1.0]
    counts = [model.n_coefficients(found) for found in (dense, *path.values())]
    assert counts[0] == 15 > counts[1] > counts[2] > 0


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_tree_predicts_what_was_fitted(n_classes: int, missing: bool) -> None:
    sample = some_rows(n_classes, missing)
    model = model_of(sample)
    fitted = model.dense(1.0)
    Z = model.columns.transform(sample.X)
    for exponent in (1.0, 0.7):
        tree = model.logit_tree(fitted, sample, exponent)
        expected = exponent * model.logits(fitted, Z)
        expected -= expected.mean(axis=1, keepdims=True)
        found = tree.logits(sample.X)
        found = found - found.mean(axis=1, keepdims=True)
        assert np.sqrt(np.mean((found - expected) ** 2)) < 0.02
    assert tree.value[0] == pytest.approx(np.bincount(sample.y, sample.weight))
    assert tree.logits(sample.X).max(axis=0) == pytest.approx(tree.leaf_high[0])
    assert tree.logits(1e9 * sample.X).max(axis=0) == pytest.approx(tree.leaf_high[0])


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e9])
def test_coefficients_and_constants_have_few_digits(scale: float) -> None:
    sample = some_rows(3)
    sample = sample_of(scale * sample.X, sample.y)
    model = model_of(sample)
    tree = model.logit_tree(model.dense(1.0), sample)
    for coef, value in zip(tree.leaf_coef[0], tree.leaf_value[0], strict=True):
        assert all(float(f"{c:.3e}") == c for c in coef)
        constant = value - coef @ tree.leaf_center[0]
        assert constant == pytest.approx(round(constant, 4), abs=1e-9)


def test_few_features() -> None:
    model = model_of(some_rows(3))
    few = model.limited(model.dense(1.0), 1.0, 2)
    weights = model.weights(few)
    assert (weights.any(axis=0)).sum() == 2
    assert model.limited(few, 1.0, None) is few


def test_values_near_the_largest_number_are_finite() -> None:
    sample = some_rows(2)
    X = sample.X.copy()
    X[:, 0] *= 1e306
    X[:, 1] *= 1e-300
    sample = sample_of(X, sample.y)
    model = model_of(sample)
    tree = model.logit_tree(model.dense(1.0), sample)
    assert np.isfinite(tree.probabilities(X)).all()
    assert np.isfinite(tree.probabilities(np.full((1, 5), 1e308))).all()
