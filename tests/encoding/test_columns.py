"""What each column of an office table is taken for, and what is refused by name."""

from __future__ import annotations

import datetime as dt
import pickle
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from aslant import (
    CARTClassifier,
    ObliqueRandomForestClassifier,
    OC1Classifier,
    QUESTClassifier,
    export_text,
    load,
    save,
)

N = 300
RNG = np.random.default_rng(0)
LABEL = np.where(RNG.random(N) > 0.5, "yes", "no")
DAYS = pd.Series(pd.date_range("2020-01-01", periods=N, freq="D")).sample(frac=1.0, random_state=0)
DAYS = DAYS.reset_index(drop=True)


def column_of(values: Any, **options: Any) -> Any:
    """Return what a single column was taken for."""
    return CARTClassifier(**options).fit(pd.DataFrame({"it": values}), LABEL).encoder_.columns_[0]


KINDS: dict[str, tuple[Any, str]] = {
    "floats": (RNG.normal(size=N), "number"),
    "integers": (np.arange(N), "number"),
    "nullable integers": (pd.array([1, None, 3] * 100, dtype="Int64"), "number"),
    "truth": ([True, False, False] * 100, "boolean"),
    "nullable truth": (pd.array([True, None, False] * 100, dtype="boolean"), "boolean"),
    "truth as objects": (pd.Series([True, None, False] * 100, dtype=object), "boolean"),
    "numbers as objects": (pd.Series([1, 2.5, None] * 100, dtype=object), "number"),
    "decimals": (pd.Series([Decimal("1.5"), Decimal("2")] * 150, dtype=object), "number"),
    "text": (["a", "b", "c"] * 100, "category"),
    "text with missing values": (["a", None, "c"] * 100, "category"),
    "category of numbers": (pd.Categorical([1, 2, 3] * 100), "category"),
    "ordered": (pd.Categorical(["a", "b"] * 150, ["b", "a"], ordered=True), "ordered"),
    "timestamps": (DAYS, "date"),
    "timestamps with a zone": (DAYS.dt.tz_localize("Europe/Berlin"), "date"),
    "dates as objects": (pd.Series([dt.date(2020, 1, 2), None] * 150, dtype=object), "date"),
    "periods": (pd.Series(pd.period_range("2020-01", periods=N, freq="M")), "date"),
    "durations": (pd.Series(pd.to_timedelta(np.arange(N), unit="h")), "duration"),
    "dates as text": (DAYS.dt.strftime("%Y-%m-%d"), "date"),
    "times as text": (DAYS.dt.strftime("%Y-%m-%dT%H:%M:%S"), "date"),
    "day first": (DAYS.dt.strftime("%d.%m.%Y"), "date"),
    "month first": (DAYS.dt.strftime("%m/%d/%Y"), "date"),
    "codes with zeros": ([f"{k:05}" for k in range(50)] * 6, "category"),
    "numbers and words, few": (pd.Series([1, 2, "many"] * 100, dtype=object), "category"),
    "nothing at all": (pd.Series([None] * N, dtype=object), "category"),
}


@pytest.mark.parametrize(("values", "kind"), KINDS.values(), ids=KINDS.keys())
def test_kinds(values: Any, kind: str) -> None:
    column = column_of(values)
    assert column.kind == kind
    assert column.name == "it"
    assert column.missing == pytest.approx(pd.Series(values).isna().mean())


@pytest.mark.parametrize(
    ("dtype", "kind"),
    [(pl.Date, "date"), (pl.Datetime, "date"), (pl.String, "date"), (pl.Duration, "duration")],
)
def test_dates_of_polars(dtype: Any, kind: str) -> None:
    day = pl.Series("it", [dt.datetime(2020, 1, 1 + k % 28) for k in range(N)])
    column = (day - day[0]) if dtype == pl.Duration else day.cast(pl.Date).cast(dtype)
    model = CARTClassifier().fit(pl.DataFrame({"it": column}), LABEL)
    assert model.encoder_.columns_[0].kind == kind


REFUSED: dict[str, tuple[Any, str]] = {
    "identifiers": ([f"p{k}" for k in range(N)], "looks like an identifier: 300 different values"),
    "nearly identifiers": ([f"p{k % 250}" for k in range(N)], "looks like an identifier: 250"),
    "free text": (
        [f"the patient number {k // 2} said" for k in range(N)],
        "free text, such as 'the patient number 0 said'",
    ),
    "numbers beside words": (
        [f"{k}.5" if k % 100 else "n/a" for k in range(N)],
        "297 different numbers beside 'n/a' (make these missing",
    ),
    "numbers as text": ([f"{k % 90},{k % 10}00.0" for k in range(N)], "written as text, such as"),
    "unclear dates": ([f"{1 + k % 12:02}/{1 + k % 11:02}/2020" for k in range(N)], "day and month"),
}


@pytest.mark.parametrize(("values", "words"), REFUSED.values(), ids=REFUSED.keys())
def test_refused_by_name_with_what_to_do(values: Any, words: str) -> None:
    frame = pd.DataFrame({"x": RNG.normal(size=N), "note": values})
    with pytest.raises(ValueError, match=r"Feature 'note' .*categorical_features") as refused:
        QUESTClassifier().fit(frame, LABEL)
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)
    # Declared, it is a category, read by the shares of the classes: no rows, no opinion.
    model = QUESTClassifier(categorical_features=["note"]).fit(frame, LABEL)
    assert model.encoder_.columns_[1].encoding == "target"


def test_what_is_nothing_a_tree_can_read() -> None:
    frame = pd.DataFrame({"x": pd.Series([{"a": 1}, "b"] * 150, dtype=object)})
    with pytest.raises(TypeError, match=r"'x' holds a value of type dict, but an argument must"):
        CARTClassifier().fit(frame, LABEL)


def test_ordered_categories_keep_their_order() -> None:
    """Medium lies between the others: one threshold, and the text names the level."""
    grades = RNG.choice(["low", "medium", "high"], N)
    frame = pd.DataFrame({"g": pd.Categorical(grades, ["low", "medium", "high"], ordered=True)})
    model = CARTClassifier().fit(frame, grades == "high")
    assert export_text(model).splitlines()[0] == "g <= medium"
    order = ["low", "medium", "high"]
    assert model.encoder_.transform(model, frame[:1])[0, 0] == order.index(grades[0])
    unordered = CARTClassifier(categorical_features=["g"]).fit(frame, grades == "high")
    assert unordered.encoder_.columns_[0].kind == "category"


def test_dates_are_days_and_the_text_shows_the_date() -> None:
    frame = pd.DataFrame({"when": DAYS})
    model = CARTClassifier().fit(frame, pd.Timestamp("2020-05-03") < DAYS)
    assert export_text(model).splitlines()[0] == "when <= 2020-05-03"
    assert model.encoder_.transform(model, frame)[:, 0].tolist() == [
        (day - dt.datetime(1970, 1, 1)).days for day in DAYS.tolist()
    ]
    later = pd.DataFrame({"when": [pd.Timestamp("2031-01-01"), pd.NaT]})
    assert model.predict(later)[0]
    hours = DAYS + pd.to_timedelta(np.arange(N) % 24, unit="h")
    with_hours = CARTClassifier().fit(pd.DataFrame({"when": hours}), hours > "2020-05-03 12:00")
    below, above = hours[hours <= "2020-05-03 12:00"].max(), hours[hours > "2020-05-03 12:00"].min()
    shown = export_text(with_hours).splitlines()[0].removeprefix("when <= ")
    assert below <= pd.Timestamp(shown) < above


def test_text_dates_are_read_in_the_format_of_training() -> None:
    """Prediction must not guess again: 03/04 alone could be either."""
    frame = pd.DataFrame({"when": DAYS.dt.strftime("%d/%m/%Y")})
    y = pd.Timestamp("2020-06-15") < DAYS
    model = CARTClassifier().fit(frame, y)
    assert model.encoder_.columns_[0].date_format == "day first"
    assert model.predict(pd.DataFrame({"when": ["01/09/2020", "09/01/2020"]})).tolist() == [
        True,
        False,
    ]
    with pytest.raises(ValueError, match="'when' holds 'soon', which is not a date"):
        model.predict(pd.DataFrame({"when": ["soon"]}))


@pytest.mark.parametrize(
    ("part", "expected"),
    [("year", 2021), ("month", 12), ("day", 31), ("weekday", 4), ("hour", 23)],
)
def test_date_parts(part: str, expected: float) -> None:
    frame = pd.DataFrame({"when": [pd.Timestamp("2021-12-31 23:59")] * 4, "x": range(4)})
    model = CARTClassifier(date_parts=[part]).fit(frame, [0, 1, 0, 1])
    assert model.encoder_.feature_names == ["when", "x", f"when ({part})"]
    assert model.encoder_.transform(model, frame)[0, 2] == expected
    assert len(model.feature_importances_) == 2
    gone = pd.DataFrame({"when": [pd.NaT], "x": [1]})
    assert np.isnan(model.encoder_.transform(model, gone)[0, [0, 2]]).all()


def test_dates_before_1970() -> None:
    frame = pd.DataFrame({"born": [dt.datetime(1969, 12, 31, 23), dt.datetime(1900, 2, 28)] * 5})
    model = CARTClassifier(date_parts=["weekday", "day", "month", "year", "hour"])
    encoded = model.fit(frame, [0, 1] * 5).encoder_.transform(model, frame)
    assert encoded[0].tolist() == [-1 / 24, 2, 31, 12, 1969, 23]
    assert encoded[1].tolist() == [-25509, 2, 28, 2, 1900, 0]


def everything() -> tuple[pd.DataFrame, Any]:
    rng = np.random.default_rng(1)
    n = 600
    frame = pd.DataFrame(
        {
            "age": np.where(rng.random(n) < 0.3, np.nan, rng.normal(size=n)),
            "colour": rng.choice(["red", "green", "blue", "rare", "rarer"], n,
                                 p=[0.33, 0.33, 0.33, 0.005, 0.005]),
            "zip": rng.integers(90, size=n).astype(str),
            "grade": pd.Categorical(rng.choice(["a", "b"], n), ["a", "b"], ordered=True),
            "when": pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(900, size=n), "D"),
            "ok": rng.random(n) > 0.5,
        }
    )  # fmt: skip
    return frame, np.where(frame["age"].isna() ^ (frame["colour"] == "red"), "yes", "no")


@pytest.mark.parametrize("three_classes", [False, True])
def test_every_kind_survives_saving(tmp_path: Any, three_classes: bool) -> None:
    frame, y = everything()
    if three_classes:
        y = np.where(frame["ok"], y, "maybe")
    model = OC1Classifier(
        random_state=0, restarts=2, min_frequency=4, date_parts=("month",), missing="indicator"
    ).fit(frame, y)
    kinds = [(column.kind, column.encoding) for column in model.encoder_.columns_]
    assert ("category", "target") in kinds
    assert ("category", "levels") in kinds
    save(model, tmp_path / "m.aslant")
    new = frame.sample(frac=0.5, random_state=0).assign(colour="violet", zip="unheard of")
    for again in (load(tmp_path / "m.aslant"), pickle.loads(pickle.dumps(model))):
        assert again.encoder_.columns_ == model.encoder_.columns_
        assert again.encoder_.feature_names == model.encoder_.feature_names
        for rows in (frame, new):
            assert np.array_equal(again.predict_proba(rows), model.predict_proba(rows))


@pytest.mark.parametrize("categories", [None, [], ["size"], "from_dtype"])
def test_dates_beside_numbers_whatever_the_categories(categories):
    days = pd.to_datetime(["2020-01-01", "2020-02-01", "2021-01-01", "2021-02-01"])
    X = pd.DataFrame({"size": [1.0, 1.0, 1.0, 1.0], "day": days})
    model = CARTClassifier(categorical_features=categories).fit(X, [0, 0, 1, 1])
    assert model.predict(X).tolist() == [0, 0, 1, 1]


def test_zoned_dates_and_texts_with_offsets_are_the_same_moments() -> None:
    zoned = pd.Series(pd.date_range("2020-03-28 12:00", periods=48, freq="h", tz="Europe/Berlin"))
    texts = [moment.isoformat() for moment in zoned]
    y = np.arange(48) > 20
    frames = [
        pd.DataFrame({"t": zoned}),
        pd.DataFrame({"t": zoned.dt.tz_convert("America/New_York")}),
        pd.DataFrame({"t": texts}),
        pl.DataFrame({"t": texts}),
        pl.from_pandas(pd.DataFrame({"t": zoned})),
        pa.table({"t": zoned}),
    ]
    expected = zoned.dt.tz_convert("UTC").dt.tz_localize(None).to_numpy().astype("M8[us]")
    days = expected.astype(np.int64) / 86_400e6
    for one in frames:
        model = CARTClassifier().fit(one, y)
        assert model.encoder_.columns_[0].kind == "date"
        for other in frames:
            np.testing.assert_array_equal(model.encoder_.transform(model, other)[:, 0], days)


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table])
def test_names_of_columns(make: Any) -> None:
    table = make({"a": [1.0, 2.0, 3.0, 4.0], "ward": ["x", "y", "x", "y"]})
    for model in (CARTClassifier(), ObliqueRandomForestClassifier(2)):
        model.fit(table, [0, 0, 1, 1])
        assert model.feature_names_in_.tolist() == ["a", "ward"]
        assert model.encoder_.input_names == ["a", "ward"]
