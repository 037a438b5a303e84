"""One encoding: the same parameters, defaults and `encoder_` for every estimator."""

from __future__ import annotations

import inspect

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, clone, is_regressor

import aslant
from aslant import (
    AutoTreeClassifier,
    AutoTreeRegressor,
    C45Classifier,
    CARTRegressor,
    KDTClassifier,
    ObliqueExtraTreesRegressor,
    ObliqueRandomForestClassifier,
    QUESTClassifier,
)
from aslant.encoding import ENCODING_PARAMETERS
from aslant.estimators import BaseTree

ESTIMATORS = [
    kind
    for kind in (getattr(aslant, name) for name in aslant.__all__)
    if inspect.isclass(kind) and issubclass(kind, BaseTree)
]
CLASSIFIERS = [
    QUESTClassifier(),
    C45Classifier(),
    KDTClassifier(n_estimators=2, max_depth=2),
    ObliqueRandomForestClassifier(3),
    AutoTreeClassifier(effort="low"),
]
REGRESSORS = [CARTRegressor(), ObliqueExtraTreesRegressor(3), AutoTreeRegressor(effort="low")]


def untidy_table(n_rows: int = 400) -> tuple[pd.DataFrame, np.ndarray]:
    """Return a table with one column of each kind that an encoding must decide about."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, n_rows)
    frame = pd.DataFrame(
        {
            "weight": rng.normal(size=n_rows) + y,
            "informative": rng.normal(size=n_rows),
            "random": rng.normal(size=n_rows),
            "ward": rng.choice(["north", "south", "east"], n_rows),
            "zip": [f"z{code}" for code in rng.integers(0, 60, n_rows)],
            "admitted": pd.Timestamp("2021-01-01") + pd.to_timedelta(np.arange(n_rows), unit="D"),
        }
    )
    frame.loc[(y == 1) & (rng.random(n_rows) < 0.5), "informative"] = np.nan
    frame.loc[rng.random(n_rows) < 0.1, "random"] = np.nan
    return frame, y


def state(model: BaseTree) -> dict:
    found = model.encoder_.to_state()
    return {**found, "shares": [[j, table.tolist()] for j, table in found["shares"]]}


@pytest.mark.parametrize("kind", ESTIMATORS, ids=lambda kind: kind.__name__)
def test_same_defaults(kind: type[BaseEstimator]) -> None:
    own = inspect.signature(kind).parameters
    shared = inspect.signature(QUESTClassifier).parameters
    assert {name: own[name].default for name in ENCODING_PARAMETERS} == {
        name: shared[name].default for name in ENCODING_PARAMETERS
    }


@pytest.mark.parametrize("model", CLASSIFIERS + REGRESSORS, ids=lambda model: type(model).__name__)
def test_same_encoder(model: BaseTree) -> None:
    X, y = untidy_table()
    first = CARTRegressor if is_regressor(model) else QUESTClassifier
    model = clone(model).set_params(date_parts=("month",), random_state=0).fit(X, y)
    assert state(model) == state(first(date_parts=("month",), random_state=0).fit(X, y))
    names = model.encoder_.feature_names
    assert "informative is missing" in names and "random is missing" not in names
    assert "admitted (month)" in names
    assert model.encoder_.columns_[4].encoding == "target"


@pytest.mark.parametrize("model", CLASSIFIERS + REGRESSORS, ids=lambda model: type(model).__name__)
def test_parameters_have_an_effect(model: BaseTree) -> None:
    X, y = untidy_table()
    model = clone(model).set_params(max_levels=10, high_cardinality="merge", missing="indicator")
    model.fit(X, y)
    names = model.encoder_.feature_names
    assert {"informative is missing", "random is missing"} <= set(names)
    assert len(model.encoder_.columns_[4].levels) == 10
    model.set_params(max_levels=None, min_frequency=6, missing="node_mean").fit(X, y)
    assert model.encoder_.feature_names == list(X.columns)
    assert 10 < len(model.encoder_.columns_[4].levels) < 60


@pytest.mark.parametrize("model", CLASSIFIERS + REGRESSORS, ids=lambda model: type(model).__name__)
def test_wrong_values_are_refused(model: BaseTree) -> None:
    X, y = untidy_table(60)
    with pytest.raises(ValueError, match="high_cardinality must be"):
        clone(model).set_params(high_cardinality="share").fit(X, y)
    with pytest.raises(ValueError, match="missing must be"):
        clone(model).set_params(missing="zero").fit(X, y)


def test_distil_keeps_the_encoding() -> None:
    X, y = untidy_table()
    forest = ObliqueRandomForestClassifier(5, max_levels=20, random_state=0).fit(X, y)
    tree = forest.distil(X, y, sizes=(4,), extra_rows=50)
    assert {name: getattr(tree, name) for name in ENCODING_PARAMETERS} == {
        name: getattr(forest, name) for name in ENCODING_PARAMETERS
    }
    assert np.isfinite(tree.predict_proba(X)).all()
