"""The smallest change that flips a prediction: it flips, it obeys, and none is smaller."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from codegen.problems import problem
from linear_leaf import with_linear_leaf

import aslant
from aslant import (
    AutoTreeClassifier,
    CARTClassifier,
    CARTRegressor,
    LMDTClassifier,
    ObliqueRandomForestClassifier,
    OC1Classifier,
    counterfactual,
)

RNG = np.random.default_rng(0)
X = RNG.normal(size=(300, 3)) * [1.0, 5.0, 0.2] + [0.0, 50.0, 1.0]
Y = np.where(X[:, 0] + (X[:, 1] - 50.0) / 5.0 > 0.3, "yes", "no")
NAMES = ["a", "b", "c"]
FRAME = pd.DataFrame(X, columns=NAMES)


def changed(frame: pd.DataFrame, found: Any) -> pd.DataFrame:
    """The row with the changes, as a caller makes them."""
    row = frame.copy()
    for change in found.changes:
        row[change.feature] = change.after
    return row


@pytest.mark.parametrize(
    "model",
    [
        OC1Classifier(random_state=0, restarts=2, max_depth=3),
        CARTClassifier(max_depth=4),
        LMDTClassifier(random_state=0, max_depth=2),
        AutoTreeClassifier(random_state=0, effort="low"),
    ],
    ids=lambda model: type(model).__name__,
)
def test_the_change_flips_the_prediction(model: Any) -> None:
    model.fit(FRAME, Y)
    for i in range(0, 60, 3):
        row = FRAME.iloc[[i]]
        found = counterfactual(model, row)
        assert found is not None
        (before,), (after,) = model.predict(row), model.predict(changed(row, found))
        assert (found.before, found.after) == (before, after)
        assert before != after
        assert found.is_exact == (not getattr(model, "is_soft_", False))
        sizes = [
            abs(one.after - one.before) / FRAME[one.feature].std(ddof=0) for one in found.changes
        ]
        np.testing.assert_allclose(found.distance, sum(sizes))
        assert sizes == sorted(sizes, reverse=True)


def test_no_random_change_of_a_hard_tree_is_smaller() -> None:
    # A deviation of the second feature, whose unit is small, does most.
    y = 0.3 * X[:, 0] + (X[:, 1] - 50.0) / 5.0 > 0.1
    model = OC1Classifier(random_state=0, restarts=2, max_depth=3).fit(X, y)
    spread = X.std(axis=0)
    for i in range(12):
        found = counterfactual(model, X[i])
        steps = RNG.laplace(size=(20_000, 3))
        steps *= found.distance / np.abs(steps).sum(axis=1, keepdims=True)
        steps *= RNG.uniform(0.0, 0.9, size=(len(steps), 1))  # what rounding adds is less
        assert (model.predict(X[i] + steps * spread) == found.before).all()


def test_ranges_directions_and_chosen_features_are_obeyed() -> None:
    model = OC1Classifier(random_state=0, restarts=2, max_depth=3).fit(FRAME, Y)
    rows = [i for i in range(40) if model.predict(FRAME.iloc[[i]])[0] == "no"]
    for i in rows:
        row = FRAME.iloc[[i]]
        only = counterfactual(model, row, vary=["b"])
        assert only is not None and [one.feature for one in only.changes] == ["b"]
        free = counterfactual(model, row)
        assert free.distance <= only.distance * 1.05
        a = row["a"].item()
        bounded = counterfactual(model, row, ranges={"a": (a - 0.1, a + 0.1)})
        new = changed(row, bounded)["a"].item()
        assert a - 0.1 <= new <= a + 0.1
        assert counterfactual(model, row, vary=["b"], directions={"b": "decrease"}) is None


def test_categories_and_missing_values() -> None:
    made = problem("categories")
    rows = made.rows[made.rows["color"].isin(["red", "blue"])].iloc[:12]
    n_categories = 0
    for i in range(len(rows)):
        row = rows.iloc[[i]]
        found = counterfactual(made.model, row, ranges={"color": ["red", "blue"]})
        assert found is not None
        after = changed(row, found)
        assert made.model.predict(after)[0] == found.after != found.before
        missing = row.columns[row.isna().to_numpy()[0]]
        assert after[missing].isna().all(axis=None)
        assert after["color"].item() in ("red", "blue")
        other = counterfactual(made.model, row, vary=["color"])
        if other is not None:
            assert [one.feature for one in other.changes] == ["color"]
            assert made.model.predict(changed(row, other))[0] == other.after != other.before
            n_categories += 1
    assert n_categories > 0


def test_dates_stay_whole_days_and_derived_parts_are_refused() -> None:
    days = pd.DataFrame({"day": pd.date_range("2020-01-01", periods=60)})
    model = CARTClassifier().fit(days, np.arange(60) > 40)
    found = counterfactual(model, days.iloc[[5]])
    assert str(found.changes[0]) == "day: 2020-01-06 -> 2020-02-11"
    assert (
        counterfactual(model, days.iloc[[5]], ranges={"day": ("2020-01-01", "2020-02-01")}) is None
    )
    parts = CARTClassifier(date_parts=["month"]).fit(days, np.arange(60) > 40)
    with pytest.raises(ValueError, match="its parts are features"):
        counterfactual(parts, days.iloc[[5]], vary=["day"])


def test_linear_leaves() -> None:
    fitted = AutoTreeClassifier(random_state=0, effort="low").fit(FRAME, Y)
    model = with_linear_leaf(fitted, FRAME, Y)
    row = FRAME.iloc[[0]]
    found = counterfactual(model, row)
    assert found.is_exact
    assert model.predict(changed(row, found))[0] != model.predict(row)[0]
    # Along the feature of the largest slope per deviation, until the log-odds are 0.
    slopes = model.tree_.leaf_coef[0, 1] * model.column_spread_
    proba = model.predict_proba(row)[0]
    needed = abs(np.log(proba[1] / proba[0])) / np.abs(slopes).max()
    assert needed <= found.distance <= 1.1 * needed + 0.1


@pytest.mark.parametrize("leaf", ["mean", "linear"])
def test_regressors_reach_a_range(leaf: str) -> None:
    target = X[:, 0] * 2.0 + X[:, 1]
    model = CARTRegressor(leaf=leaf, max_depth=3).fit(FRAME, target)
    row = FRAME.iloc[[1]]
    before = model.predict(row)[0]
    found = counterfactual(model, row, target=(before + 3.0, np.inf))
    assert found.after == model.predict(changed(row, found))[0] >= before + 3.0
    with pytest.raises(ValueError, match="least and the greatest prediction"):
        counterfactual(model, row)


def test_pipelines_and_refusals() -> None:
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    model = make_pipeline(StandardScaler(), OC1Classifier(random_state=0, restarts=2)).fit(FRAME, Y)
    row = FRAME.iloc[[3]]
    found = counterfactual(model, row)
    assert model.predict(changed(row, found))[0] == found.after != found.before
    tree = CARTClassifier().fit(FRAME, Y)
    for arguments, message in (
        ({"vary": ["z"]}, "vary names features of the model, got 'z'"),
        ({"target": "maybe"}, "target must be one of the classes"),
        ({"directions": {"a": "up"}}, "must be one of 'increase', 'decrease', got 'up'"),
    ):
        with pytest.raises(ValueError, match=message):
            counterfactual(tree, row, **arguments)
    forest = ObliqueRandomForestClassifier(3, random_state=0).fit(FRAME, Y)
    with pytest.raises(TypeError, match="shows one tree"):
        counterfactual(forest, row)
    assert aslant.counterfactual is counterfactual
