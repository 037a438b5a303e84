"""Tables with text, dates and missing values through scikit-learn's wrappers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import (
    AdaBoostClassifier,
    BaggingClassifier,
    StackingClassifier,
    VotingClassifier,
)
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.fixes import parse_version

from aslant import CARTClassifier, OC1Classifier, QUESTClassifier

TREE = QUESTClassifier(random_state=0)
WRAPPERS: dict[str, Any] = {
    "alone": TREE,
    "pipeline": make_pipeline(TREE),
    "columns": make_pipeline(
        ColumnTransformer([("scale", StandardScaler(), [1])], remainder="passthrough"), TREE
    ),
    "bagging": BaggingClassifier(TREE, n_estimators=3, max_samples=0.7, random_state=0),
    "boosting": AdaBoostClassifier(CARTClassifier(max_depth=2), n_estimators=5, random_state=0),
    "voting": VotingClassifier([("a", TREE), ("b", CARTClassifier())], voting="soft"),
    "stacking": StackingClassifier(
        [("a", TREE), ("b", OC1Classifier(restarts=2, random_state=0))],
        final_estimator=LogisticRegression(),
        cv=3,
    ),
    "calibrated": CalibratedClassifierCV(TREE, cv=3),
    "grid": GridSearchCV(CARTClassifier(), {"max_depth": [2, 4]}, cv=3),
}


def table(holes: bool) -> tuple[pd.DataFrame, Any]:
    rng = np.random.default_rng(0)
    n = 240
    frame = pd.DataFrame(
        {
            "colour": rng.choice(["red", "green", "blue"], n),
            "size": rng.random(n),
            "when": pd.date_range("2020-01-01", periods=n),
            "ok": rng.random(n) > 0.5,
        }
    )
    y = np.where((frame["colour"] == "red") ^ (frame["size"] > 0.6), "yes", "no")
    if holes:
        frame.loc[::11, "colour"] = None
        frame.loc[::13, "size"] = np.nan
        frame.loc[::17, "when"] = pd.NaT
    return frame, y


@pytest.mark.parametrize("name", WRAPPERS)
@pytest.mark.parametrize("holes", [False, True], ids=["whole", "with holes"])
@pytest.mark.parametrize("make", ["pandas", "polars", "objects", "lists"])
def test_wrappers(name: str, make: str, holes: bool) -> None:
    if name == "boosting" and holes:
        pytest.skip("AdaBoostClassifier refuses missing values itself")
    if name in ("boosting", "bagging") and make == "polars":
        pytest.skip("these wrappers take pandas and arrays")
    if name == "columns" and make == "lists":
        pytest.skip("ColumnTransformer does not take lists")
    if (
        name == "columns"
        and make == "polars"
        and parse_version(sklearn.__version__) < parse_version("1.9")
    ):
        pytest.skip("this scikit-learn does not read the names of polars 2")
    frame, y = table(holes)
    X: Any = frame
    if make == "polars":
        whole = frame.astype(object).where(frame.notna(), None)
        X = pl.DataFrame({name: whole[name].tolist() for name in whole})
    elif make != "pandas":
        X = frame.astype(object).where(frame.notna(), None).to_numpy()
        X = X.tolist() if make == "lists" else X
    if make == "lists" and name in ("bagging", "boosting"):
        X = np.array(X, dtype=object)  # both make arrays of lists, in which numbers become text
    assert WRAPPERS[name].fit(X, y).score(X, y) > 0.85


def test_cross_validation_of_an_object_array() -> None:
    frame, y = table(holes=True)
    X = frame[["colour", "size"]].to_numpy(dtype=object)
    assert cross_val_score(CARTClassifier(), X, y, cv=3).mean() > 0.8


def test_an_array_of_text_has_numbers_where_all_cells_are() -> None:
    frame, y = table(holes=False)
    model = CARTClassifier().fit(frame[["colour", "size"]].to_numpy(dtype=str), y)
    assert [column.kind for column in model.encoder_.columns_] == ["category", "number"]
    assert model.predict([["red", "0.1"], ["blue", "0.1"]]).tolist() == ["yes", "no"]


def test_datetimes_beside_floats() -> None:
    frame, y = table(holes=False)
    model = OC1Classifier(random_state=0, restarts=2).fit(frame[["when", "size"]], y)
    assert [column.kind for column in model.encoder_.columns_] == ["date", "number"]
    stamps = frame[["when"]].to_numpy()
    assert stamps.dtype.kind == "M"
    assert CARTClassifier().fit(stamps, y).encoder_.columns_[0].kind == "date"
