"""Values that are missing: at random, and where that tells the class."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chi2_contingency

from aslant import CARTClassifier, LMDTClassifier, LTUTreeClassifier, QUESTClassifier, export_text
from aslant.encoding.missing_indicators import informative


def informative_missing_values(n: int = 600) -> tuple[pd.DataFrame, Any]:
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(n, 2)), columns=["age", "size"])
    missing = rng.random(n) < 0.3
    X.loc[missing, "age"] = np.nan
    return X, np.where(missing, "ill", "well")


@pytest.mark.parametrize("method", [QUESTClassifier, LTUTreeClassifier, LMDTClassifier])
def test_missing_values_that_inform_about_the_class(method: Any) -> None:
    X, y = informative_missing_values()
    assert method(random_state=0, missing="node_mean").fit(X, y).score(X, y) < 0.8
    model = method(random_state=0).fit(X, y)
    assert model.score(X, y) > 0.99
    assert model.encoder_.feature_names == ["age", "size", "age is missing"]
    assert "age is missing" in export_text(model)


def test_the_text_of_a_hole() -> None:
    X, y = informative_missing_values()
    text = export_text(CARTClassifier().fit(X, y))
    assert text.splitlines()[0] == "age is not missing"
    well = int((y == "well").sum())
    assert text.splitlines()[1] == f"|-- yes -> class: well ({well} of {well})"


def test_values_missing_at_random_add_nothing_but_on_request() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 3))
    y = X.sum(axis=1) > 0
    X[rng.random(X.shape) < 0.2] = np.nan
    X[:, 2] = np.abs(np.nan_to_num(X[:, 2]))
    assert CARTClassifier().fit(X, y).tree_.n_features == 3
    told = CARTClassifier(missing="indicator").fit(X, y)
    assert told.encoder_.feature_names == ["x0", "x1", "x2", "x0 is missing", "x1 is missing"]
    assert told.encoder_.flags == {3, 4}
    encoded = told.encoder_.transform(told, X)
    assert np.array_equal(encoded[:, 3:], np.isnan(X[:, :2]))
    assert len(told.feature_importances_) == 3


def test_a_missing_category_can_tell_too() -> None:
    X = pd.DataFrame({"colour": ["red", "blue", None] * 100})
    model = CARTClassifier().fit(X, X["colour"].isna())
    assert model.score(X, X["colour"].isna()) == 1.0
    assert export_text(model).splitlines()[0] == "colour is not missing"


def test_narrow_floats_stay_narrow() -> None:
    X, y = informative_missing_values()
    model = CARTClassifier().fit(X.to_numpy(np.float32), y)
    assert model.encoder_.transform(model, X.to_numpy(np.float32)).dtype == np.float32


@pytest.mark.parametrize("seed", range(5))
def test_the_test_is_pearsons(seed: int) -> None:
    """Around the level of the test, SciPy's contingency table decides the same."""
    rng = np.random.default_rng(seed)
    y = rng.integers(3, size=200)
    for share in np.linspace(0.3, 0.6, 8):
        missing = rng.random(200) < np.where(y == 0, share, 0.3)
        table = [np.bincount(y[missing], minlength=3), np.bincount(y[~missing], minlength=3)]
        p_value = chi2_contingency(table, correction=False).pvalue
        assert informative(missing[:, np.newaxis], y, np.ones(200))[0] == (p_value < 0.01)


def test_weights_of_missing_values() -> None:
    """A row of weight two is the row twice; the unit of other weights does not matter."""
    rng = np.random.default_rng(3)
    y = rng.integers(2, size=60)
    missing = rng.random((60, 4)) < np.where(y == 1, 0.6, 0.25)[:, np.newaxis]
    twice = informative(np.repeat(missing, 2, axis=0), np.repeat(y, 2), np.ones(120))
    assert np.array_equal(informative(missing, y, np.full(60, 2.0)), twice)
    odd = rng.random(60) + 0.1
    assert np.array_equal(informative(missing, y, odd), informative(missing, y, odd * 1e-30))
    assert not np.array_equal(informative(missing, y, np.ones(60)), twice)
