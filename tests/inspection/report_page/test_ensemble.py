"""The page of forests and boosting models."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.metrics import log_loss

import aslant


@pytest.fixture(scope="module")
def cancer() -> tuple[pd.DataFrame, np.ndarray]:
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    return X.iloc[:200, :5], y.to_numpy()[:200]


def test_boosting(cancer: tuple[pd.DataFrame, np.ndarray]) -> None:
    X, y = cancer
    model = aslant.ObliqueGradientBoostingClassifier(
        max_iter=8, early_stopping=True, random_state=0, monotonic_cst={"mean radius": -1}
    ).fit(X, y)
    page = aslant.report(model, X, y, title="Boosted", training=(X, y), card={"purpose": "a test"})
    for text in (
        "<title>Boosted</title>",
        "Model card",
        "a test",
        "Learning curve",
        "score of the fit, validation rows",
        "loss on the given rows",
        "Importances",
        "Partial dependence",
        "Largest tests",
        "The probability of 1 never rises as mean radius grows.",
        "200 training rows",
    ):
        assert text in page
    loss = log_loss(y, model.predict_proba(X))
    shown = re.search(r"<td>log loss</td><td>([\d.]+)</td>", page)
    assert shown is not None
    assert float(shown[1]) == pytest.approx(loss, abs=1e-4)
    # The learning curve ends at that loss.
    curve = page[page.index("loss on the given rows") :]
    assert f"{loss:.4g}" in curve[: curve.index("</figure>")]


def test_regression_forest_with_categories_and_missing_values(tmp_path) -> None:
    X, y = load_diabetes(return_X_y=True, as_frame=True)
    X = X[["bmi", "bp", "s5"]].assign(sex=np.where(X.sex > 0, "a", "b"))
    X.iloc[::9, 0] = np.nan
    model = aslant.ObliqueRandomForestRegressor(4, max_depth=4, random_state=0).fit(X, y)
    path = tmp_path / "page.html"
    page = aslant.report(model, X, y, path=path)
    assert path.read_text(encoding="utf-8") == page
    assert "mean prediction" in page  # of the levels of a category
    largest = page[page.index("Largest tests") :]
    assert largest.count("<tr>") > 5
    assert "Learning curve" not in page


def test_without_rows(cancer: tuple[pd.DataFrame, np.ndarray]) -> None:
    X, y = cancer
    model = aslant.ObliqueExtraTreesClassifier(3, max_depth=2, random_state=0).fit(X, y)
    page = aslant.report(model)
    assert "Importances" in page
    assert "Quality" not in page
    assert "ObliqueDecisionTreeClassifier" in aslant.report(model.estimators_[0], X, y)
    with pytest.raises(ValueError, match="that of several trees holds none, got 5"):
        aslant.report(model, X, y, max_rows=5)
