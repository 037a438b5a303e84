"""What a summary of the data finds, what a fit warns of, and what neither complains about."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy.sparse import csr_array

from aslant import (
    AutoTreeClassifier,
    CARTClassifier,
    CARTRegressor,
    DataWarning,
    ObliqueRandomForestClassifier,
    QUESTClassifier,
    data_summary,
)

N = 400
RNG = np.random.default_rng(0)
Y = RNG.integers(0, 2, N)
PLAIN = {"x": RNG.normal(size=N), "ward": RNG.choice(["north", "south"], N)}


def found(column: str, values: Any, y: Any = Y) -> list[str]:
    """Return what is found in a column beside ordinary ones."""
    summary = data_summary(pd.DataFrame({**PLAIN, column: values}), y)
    assert all(finding.column in (column, None) for finding in summary.findings), summary
    return [finding.problem for finding in summary.findings]


def test_ordinary_columns_have_no_findings() -> None:
    assert data_summary(pd.DataFrame(PLAIN), Y).findings == []
    for values in (
        RNG.integers(0, 5, N),
        RNG.integers(0, 10**6, N),
        -np.abs(RNG.normal(size=N)),
        RNG.normal(size=N) + 2.0 * Y,
        pd.date_range("2020", periods=N),
        np.where(RNG.random(N) < 0.1, -1, RNG.integers(0, 4, N)),
        np.where(RNG.random(N) < 0.03, 1 - Y, Y),
    ):
        assert found("other", values) == []


@pytest.mark.parametrize(
    ("column", "values", "words"),
    [
        ("case", np.arange(N) + 1000, "looks like an identifier: 400 different integers"),
        ("customer_id", RNG.permutation(10 * N)[:N], "looks like an identifier"),
        ("key", [f"p{k}" for k in range(N)], "looks like an identifier: 400 different values"),
        ("note", [f"we saw him {k} times" for k in range(N)], "holds free text"),
        ("price", [f"€{k},070.96" for k in range(N)], "holds numbers written as text"),
        ("bmi", np.where(RNG.random(N) < 0.1, -999.0, RNG.normal(25, 3, N)), "holds -999 in"),
        ("age", np.where(RNG.random(N) < 0.1, 999, RNG.integers(18, 90, N)), "holds 999 in"),
        ("side", RNG.choice(["North", "north ", "South"], N), "'North' and 'north '"),
        ("one", ["same"] * N, "has the same value in every row"),
        ("none", [None] * N, "has no values"),
        ("copy", PLAIN["x"], "equals column 'x' in every row"),
        ("after", 2.0 * Y + RNG.normal(0.0, 0.1, N), "decides the target almost by itself"),
        ("code", np.where(Y == 1, "paid", "open"), "decides the target almost by itself (100 %"),
    ],
)
def test_findings(column: str, values: Any, words: str) -> None:
    (problem,) = found(column, values)
    assert words in problem


def test_leakage_in_regression() -> None:
    y = RNG.normal(size=N)
    assert "almost by itself (R2 " in found("after", 3.0 * y + 1.0, y)[0]
    assert found("noisy", y + RNG.normal(0.0, 0.5, N), y) == []


def test_rows_and_target() -> None:
    frame = pd.DataFrame(PLAIN)
    labels = np.where(np.arange(N) < 4, "rare", np.where(Y == 1, "a", "b"))
    summary = data_summary(pd.concat([frame, frame[:10]]), [*labels, *labels[:10]])
    assert summary.n_rows == N + 10 and summary.n_duplicates == 10
    problems = [finding.problem for finding in summary.findings]
    assert problems == [
        "10 rows equal an earlier row", "classes with fewer than 10 rows, 'rare' (8)",
    ]  # fmt: skip
    assert summary.target.startswith("3 classes, a ")
    assert "numbers from" in data_summary(frame, PLAIN["x"]).target


def test_columns_tell_kind_missing_values_and_levels() -> None:
    values = np.where((Y == 1) & (RNG.random(N) < 0.5), np.nan, RNG.normal(size=N))
    frame = pd.DataFrame({**PLAIN, "m": values, "when": pd.date_range("2020", periods=N)})
    x, ward, m, when = data_summary(frame, Y).columns
    assert (x.kind, x.missing, x.informative) == ("number", 0.0, None)
    assert (ward.kind, ward.levels) == ("category", 2)
    assert "by its values" in ward.description and "by its type" in x.description
    assert m.informative and "indicator" in m.description
    assert "days since 1970" in when.description


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table, None, list])
def test_input_kinds(make: Any) -> None:
    """Frames of all libraries, arrays and lists of rows are described alike."""
    table = {"a": [1.0, 2.0, 3.0] * 30, "b": ["u", "v", "v"] * 30}
    rows = [list(row) for row in zip(*table.values(), strict=True)]
    X = rows if make is list else np.array(rows, dtype=object) if make is None else make(table)
    summary = data_summary(X)
    assert [column.kind for column in summary.columns] == ["number", "category"]
    assert summary.n_duplicates == 87
    assert summary.to_dict()["columns"][1]["levels"] == 2


def test_what_is_refused() -> None:
    with pytest.raises(TypeError, match="Sparse data"):
        data_summary(csr_array(np.eye(3)))
    with pytest.raises(ValueError, match="one value for each of the 400 rows"):
        data_summary(pd.DataFrame(PLAIN), Y[:5])
    with pytest.raises(ValueError, match="task must be"):
        data_summary(pd.DataFrame(PLAIN), Y, task="ranking")


UNTIDY = pd.DataFrame({**PLAIN, "case": np.arange(N), "one": 1.0})


@pytest.mark.parametrize(
    "model",
    [QUESTClassifier(), ObliqueRandomForestClassifier(3), AutoTreeClassifier(effort="low")],
    ids=lambda model: type(model).__name__,
)
def test_a_fit_warns_once_of_everything(model: Any) -> None:
    with pytest.warns(DataWarning) as caught:
        model.fit(UNTIDY, Y)
    assert len(caught) == 1 and caught[0].filename == __file__
    text = str(caught[0].message)
    assert "'case' looks like an identifier" in text and "'one' has the same value" in text


def test_what_a_fit_does_not_warn_of() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        QUESTClassifier().fit(pd.DataFrame(PLAIN), Y)
        CARTRegressor().fit(UNTIDY[["case"]].to_numpy(), RNG.normal(size=N))  # names no columns


def test_unseen_levels_warn_once_at_predict() -> None:
    model = QUESTClassifier().fit(pd.DataFrame(PLAIN), Y)
    new = pd.DataFrame({"x": [0.0, 1.0, 2.0], "ward": ["west", "north", "west"]})
    with pytest.warns(DataWarning, match="'ward' such as 'west', in 2 rows.*missing") as caught:
        model.predict(new)
    assert len(caught) == 1
    merged = QUESTClassifier(min_frequency=199).fit(
        pd.DataFrame({"ward": ["a"] * 200 + ["b", "c"] * 100}), Y
    )
    with pytest.warns(DataWarning, match="they count as 'other'"):
        merged.predict(pd.DataFrame({"ward": ["d"]}))


def test_columns_without_any_value_are_no_copies_of_each_other() -> None:
    X = pd.DataFrame({"a": np.arange(60.0), "b": np.nan, "c": np.nan})
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        CARTClassifier().fit(X, np.arange(60) % 2)
    texts = [str(one.message) for one in caught]
    assert not any("equals column" in text or "All-NaN" in text for text in texts)
