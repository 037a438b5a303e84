"""What a column is, is decided at the fit and compared in every later table, of any library."""

from __future__ import annotations

import datetime as dt
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.utils import get_tags

from aslant import CARTClassifier, ObliqueRandomForestClassifier, load, save
from aslant.encoding import FeatureEncoder

N = 60
RNG = np.random.default_rng(3)
A = RNG.normal(size=N)
Y = np.where(A > 0, "yes", "no")
FIRST = dt.datetime(2021, 3, 1)
COLUMNS: dict[str, list[Any]] = {
    "number": A.tolist(),
    "boolean": (A > 0).tolist(),
    "category": np.where(A > 0, "a", "b").tolist(),
    "date": [FIRST + dt.timedelta(days=float(v)) for v in A],
    "duration": [dt.timedelta(days=float(v)) for v in A],
}
# Values of every kind of column, and of none.
VALUES: dict[str, Any] = {
    "number": 1.5,
    "text": "soon",
    "date": FIRST,
    "duration": dt.timedelta(days=3),
    "complex": 1 + 2j,
    "time": dt.time(3),
    "list": [1.0],
    "bytes": b"1",
}
ALLOWED = {
    "number": {"number"},
    "boolean": {"number"},
    "category": {"text"},
    "date": {"date"},
    "duration": {"duration"},
}


def frames(values: list[Any]) -> dict[str, Any]:
    found: dict[str, Any] = {"pandas": pd.DataFrame({"k": values})}
    found["objects"] = pd.DataFrame({"k": pd.Series(values, dtype=object)})
    if not isinstance(values[0], complex):
        found["polars"] = pl.DataFrame({"k": values})
        found["pyarrow"] = pa.table({"k": values})
    return found


@pytest.mark.parametrize("given", VALUES)
@pytest.mark.parametrize("fitted", COLUMNS)
def test_a_column_of_another_kind_is_refused(fitted: str, given: str) -> None:
    model = CARTClassifier().fit(pd.DataFrame({"k": COLUMNS[fitted]}), Y)
    assert model.encoder_.columns_[0].kind == fitted
    for library, frame in frames([VALUES[given]] * 3).items():
        if given in ALLOWED[fitted]:
            assert len(model.predict(frame)) == 3, library
        else:
            with pytest.raises((ValueError, TypeError), match="Feature 'k' ") as refused:
                model.predict(frame)
            assert "\n" not in str(refused.value), library


@pytest.mark.parametrize("fitted", COLUMNS)
def test_every_library_gives_the_same_columns_and_predictions(fitted: str) -> None:
    values = [None, *COLUMNS[fitted][1:]]
    models = {library: CARTClassifier().fit(frame, Y) for library, frame in frames(values).items()}
    first = models["pandas"]
    for library, model in models.items():
        assert model.encoder_.columns_ == first.encoder_.columns_, library
        assert model.feature_names_in_.tolist() == ["k"]
        for other, frame in frames(values).items():
            same = np.array_equal(model.predict_proba(frame), first.predict_proba(frame))
            assert same, (library, other)


@pytest.mark.parametrize("dtype", ["M8[D]", "m8[D]", complex])
def test_a_matrix_of_another_kind_is_refused(dtype: Any) -> None:
    X = np.arange(20.0).reshape(10, 2)
    model = CARTClassifier().fit(X, [0, 1] * 5)
    with pytest.raises(ValueError, match=r"Feature 'x0' holds|Complex data not supported"):
        model.predict(X.astype(int).astype(dtype))


def test_a_missing_column_fits_every_kind() -> None:
    for kind, values in COLUMNS.items():
        model = CARTClassifier().fit(pd.DataFrame({"k": values}), Y)
        for nothing in (
            pd.DataFrame({"k": [None, None]}),
            pd.DataFrame({"k": [np.nan, np.nan]}),
            pl.DataFrame({"k": [None, None]}),
            pa.table({"k": pa.nulls(2)}),
        ):
            assert len(model.predict(nothing)) == 2, kind


def test_a_time_of_day_is_refused_at_the_fit() -> None:
    frame = pl.DataFrame({"k": [dt.time(i % 24) for i in range(N)]})
    with pytest.raises(TypeError, match="Feature 'k' holds a value of type time"):
        CARTClassifier().fit(frame, Y)


def test_a_lazy_frame_is_refused_in_one_sentence() -> None:
    dd = pytest.importorskip("dask.dataframe")

    lazy = pl.DataFrame({"k": A}).lazy()
    with pytest.raises(TypeError, match=r"lazy frame of polars.*X\.collect\(\)"):
        CARTClassifier().fit(lazy, Y)
    with pytest.raises(TypeError, match=r"lazy frame of dask.*aslant\.dask"):
        CARTClassifier().fit(dd.from_pandas(pd.DataFrame({"k": A}), npartitions=2), Y)


def test_pyarrow_tables_survive_saving(tmp_path: Any) -> None:
    table = pa.table({"k": A, "day": COLUMNS["date"], "text": COLUMNS["category"]})
    for model in (CARTClassifier(), ObliqueRandomForestClassifier(3, random_state=0)):
        model.fit(table, Y)
        save(model, tmp_path / "m.aslant")
        again = load(tmp_path / "m.aslant")
        assert np.array_equal(again.predict_proba(table), model.predict_proba(table))


def test_an_enum_is_ordered_as_an_ordered_categorical() -> None:
    levels = np.array(["low", "middle", "high"])[np.digitize(A, [-0.5, 0.5])]
    order = ["low", "middle", "high", "never"]
    in_polars = pl.DataFrame({"k": pl.Series(levels.tolist(), dtype=pl.Enum(order))})
    in_pandas = pd.DataFrame({"k": pd.Categorical(levels, order, ordered=True)})
    models = [CARTClassifier().fit(X, Y) for X in (in_polars, in_pandas)]
    for model in models:
        assert model.encoder_.columns_[0].kind == "ordered"
        assert model.encoder_.columns_[0].levels == order
    assert models[0].encoder_.columns_ == models[1].encoder_.columns_
    numbers = pd.DataFrame({"k": pd.Categorical([3, 1] * 30, [3, 1], ordered=True)})
    assert CARTClassifier().fit(numbers, Y).encoder_.columns_[0].levels == [3, 1]


def test_text_dates_with_offsets_are_the_timestamps() -> None:
    zone = dt.timezone(dt.timedelta(hours=2))
    moments = [FIRST.replace(tzinfo=zone) + dt.timedelta(hours=k, microseconds=k) for k in range(N)]
    text = CARTClassifier().fit(pd.DataFrame({"k": [m.isoformat() for m in moments]}), Y)
    typed = CARTClassifier().fit(pd.DataFrame({"k": moments}), Y)
    row = pd.DataFrame({"k": ["2024-01-01 00:30:00+02:00", "2023-12-31T22:30Z"]})
    same = pd.DataFrame({"k": [pd.Timestamp("2024-01-01 00:30:00+02:00")] * 2})
    expected = (dt.datetime(2023, 12, 31, 22, 30) - dt.datetime(1970, 1, 1)) / dt.timedelta(1)
    assert text.encoder_.transform(text, row)[:, 0].tolist() == [expected] * 2
    assert typed.encoder_.transform(typed, same)[:, 0].tolist() == [expected] * 2
    assert np.array_equal(
        text.encoder_.transform(text, pd.DataFrame({"k": [m.isoformat() for m in moments]})),
        typed.encoder_.transform(typed, pd.DataFrame({"k": moments})),
    )


@pytest.mark.parametrize("make", [CARTClassifier, lambda: ObliqueRandomForestClassifier(3)])
def test_rows_of_weight_zero_leave_no_levels(make: Any) -> None:
    frame = pd.DataFrame({"k": ["a", "b", "ghost"] * 20, "x": A})
    weight = np.where(frame["k"] == "ghost", 0.0, 1.0)
    frame.loc[weight == 0, "x"] = np.nan
    column, number = make().fit(frame, Y, sample_weight=weight).encoder_.columns_
    assert column.levels == ["a", "b"]
    assert number.missing == 0.0
    kept = weight > 0
    assert make().fit(frame[kept], Y[kept]).encoder_.columns_ == [column, number]


def test_min_frequency_comes_before_max_levels() -> None:
    levels = [f"L{k % 40}" for k in range(40 * 10)] + [f"R{k}" for k in range(50)]
    y = np.arange(len(levels)) % 2
    X = pd.DataFrame({"k": levels})
    (merged,) = CARTClassifier(min_frequency=5, max_levels=30).fit(X, y).encoder_.columns_
    assert merged.encoding == "target"
    assert len(merged.merged) == 50
    assert len(merged.levels) == 41
    (few,) = CARTClassifier(min_frequency=20, max_levels=30).fit(X, y).encoder_.columns_
    assert few.encoding == "levels"
    assert few.levels == ["other"]
    model = CARTClassifier(min_frequency=5, max_levels=30).fit(X, y)
    asked = pd.DataFrame({"k": ["R3", "unheard of", "other"]})
    assert len(np.unique(model.encoder_.transform(model, asked)[:, 0])) == 1


def test_another_order_or_kind_of_columns_is_refused_before_a_warm_start() -> None:
    frame = pd.DataFrame({"x": A, "k": COLUMNS["category"]})
    model = CARTClassifier().fit(frame, Y)
    encoder = model.encoder_
    for other in (frame[["k", "x"]], frame.assign(x="text"), frame.assign(k=1.5), frame[["x"]]):
        with pytest.raises(ValueError, match=r"feature names|Feature '"):
            encoder.transform(model, other)
    assert model.encoder_ is encoder
    assert model.encoder_.transform(model, frame).shape == (N, 2)


def test_tags_tell_of_categories_and_text() -> None:
    for model in (CARTClassifier(), ObliqueRandomForestClassifier()):
        assert get_tags(model).input_tags.categorical
        assert get_tags(model).input_tags.string


def test_numbers_of_pandas_are_not_copied() -> None:
    X = pd.DataFrame(RNG.normal(size=(20, 3)))
    _, encoded = FeatureEncoder.fit(CARTClassifier(), X, "from_dtype")
    assert np.shares_memory(encoded, X.to_numpy())
