"""Shapley values against their definition and against the package shap."""

import itertools
import math
import warnings

import numpy as np
import pytest
from codegen.problems import numbers, problem
from sklearn.datasets import make_friedman1

from aslant import CARTClassifier, CARTRegressor, KDTClassifier, OC1Classifier, shapley_values


@pytest.fixture(scope="module")
def shap():
    with warnings.catch_warnings(), pytest.MonkeyPatch.context() as changed:
        warnings.simplefilter("ignore")  # of what it imports
        changed.setenv("NUMBA_DISABLE_JIT", "1")  # it compiles for longer than the tests take
        return pytest.importorskip("shap")


def by_definition(model, row, background):
    """Mean of what each feature adds over all orders of the features."""
    d = len(row)

    def worth(chosen):
        mixed = background.copy()
        mixed[:, list(chosen)] = row[list(chosen)]
        return model.predict_proba(mixed).mean(axis=0)

    values = np.zeros((d, len(model.classes_)))
    for order in itertools.permutations(range(d)):
        for k, feature in enumerate(order):
            values[feature] += worth(order[: k + 1]) - worth(order[:k])
    return values / math.factorial(d)


def test_values_are_those_of_the_definition():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 4))
    y = (X[:, 0] + X[:, 1] > 0) + (X[:, 2] > 0.5)
    model = OC1Classifier(random_state=0, restarts=2, pruning=None).fit(X, y)
    result = shapley_values(model, X[:5], X[:10])
    assert result.is_exact and not result.standard_error.any()
    for row, values in zip(X[:5], result.values, strict=True):
        np.testing.assert_allclose(values, by_definition(model, row, X[:10]), atol=1e-12)


@pytest.mark.slow  # shap compiles for half a minute
@pytest.mark.parametrize("kind", ["axis-parallel", "linear machines", "soft votes", "average"])
def test_values_are_those_of_shap(kind, shap):
    model = problem(kind).model
    X, background = numbers(8, 10), numbers(20, 11)
    ours = shapley_values(model, X, background)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        masker = shap.maskers.Independent(background, max_samples=len(background))
        theirs = shap.explainers.Exact(model.predict_proba, masker)(X)
    np.testing.assert_allclose(ours.values, theirs.values, atol=1e-10)
    np.testing.assert_allclose(ours.base_values, theirs.base_values[0], atol=1e-10)


def test_values_add_up_and_unread_features_add_nothing():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 20))
    model = CARTClassifier(max_depth=3).fit(X, X[:, 3] + X[:, 7] > 0)
    result = shapley_values(model, X[:6], X[100:150])
    assert result.is_exact
    total = result.values.sum(axis=1) + result.base_values
    np.testing.assert_allclose(total, model.predict_proba(X[:6]), atol=1e-12)
    read = np.unique(model.tree_.column_feature[model.tree_.coef_column])
    assert not np.delete(result.values, read, axis=1).any()


def test_sampled_values_are_near_and_know_how_near():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(300, 9))
    y = X @ [1.0, -1.0, 0.5, 0.5, 2.0, 0.0, 1.0, 1.0, 0.3] > 0
    model = OC1Classifier(random_state=0, restarts=2, pruning=None).fit(X, y)
    exact = shapley_values(model, X[:4], X[:30])
    sampled = shapley_values(model, X[:4], X[:30], max_evaluations=12_000)
    assert exact.is_exact and not sampled.is_exact
    assert sampled.standard_error.any()
    assert (abs(sampled.values - exact.values) <= 5 * sampled.standard_error + 1e-9).all()
    total = sampled.values.sum(axis=1) + sampled.base_values
    np.testing.assert_allclose(total, model.predict_proba(X[:4]), atol=1e-12)
    again = shapley_values(model, X[:4], X[:30], max_evaluations=12_000)
    np.testing.assert_array_equal(sampled.values, again.values)


def test_categories_and_missing_values():
    made = problem("categories")
    result = shapley_values(made.model, made.rows[:3], made.rows[100:120])
    total = result.values.sum(axis=1) + result.base_values
    np.testing.assert_allclose(total, made.model.predict_proba(made.rows[:3]), atol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["tree", "votes"])
def test_shap_takes_our_models_as_they_are(kind, shap):
    X = numbers(60, 0, missing=0.0)
    tree = OC1Classifier(random_state=0, restarts=1)
    forest = KDTClassifier("oc1", n_estimators=2, random_state=0)
    model = (tree if kind == "tree" else forest).fit(X, X[:, 0] > 0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = shap.Explainer(model, X)(X[:3])
    np.testing.assert_allclose(theirs.values, shapley_values(model, X[:3], X).values, atol=1e-10)


@pytest.mark.parametrize("leaf", ["mean", "linear"])
def test_numbers_as_the_package_shap_explains_them(leaf, shap):
    X, y = make_friedman1(150, 5, random_state=0)
    model = CARTRegressor(leaf=leaf, max_depth=3).fit(X, y)
    found = shapley_values(model, X[:6], X[100:130])
    explainer = shap.explainers.Exact(model.predict, shap.maskers.Independent(X[100:130], 30))
    np.testing.assert_allclose(found.values[:, :, 0], explainer(X[:6]).values, atol=1e-9)
    total = found.base_values + found.values.sum(axis=1)
    np.testing.assert_allclose(total[:, 0], model.predict(X[:6]), atol=1e-9)
