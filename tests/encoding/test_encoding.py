"""Which features are categories, their levels, and how rows become numbers."""

from __future__ import annotations

import datetime
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from aslant import (
    C45Classifier,
    CARTClassifier,
    CARTLCClassifier,
    FisherTreeClassifier,
    OC1Classifier,
    PolePairClassifier,
    QUESTClassifier,
    SADTClassifier,
)
from aslant.encoding import FeatureEncoder

COLOUR = ["red", "blue", "green", "blue"] * 10
SIZE = [1.0, 2.0, 3.0, 4.5] * 10
LABEL = ["no", "yes", "no", "yes"] * 10

COLUMNS: dict[str, Callable[[list[Any]], Any]] = {
    "pandas category": lambda v: pd.Series(v, dtype="category"),
    "pandas object": lambda v: pd.Series(v, dtype=object),
    "pandas string": lambda v: pd.Series(v, dtype="string"),
    "pandas default": lambda v: pd.Series(v),
    "polars string": lambda v: pl.Series(v, dtype=pl.String),
    "polars categorical": lambda v: pl.Series(v, dtype=pl.Categorical),
}
every_column_type = pytest.mark.parametrize("make", COLUMNS.values(), ids=COLUMNS.keys())


def frame(make: Callable[[list[Any]], Any], colour: list[Any], size: list[Any]) -> Any:
    column = make(colour)
    table = pl.DataFrame if isinstance(column, pl.Series) else pd.DataFrame
    return table({"colour": column, "size": size})


@every_column_type
def test_text_and_categories_of_a_frame_are_categories(make: Any) -> None:
    model = CARTClassifier().fit(frame(make, COLOUR, SIZE), LABEL)
    assert model.encoder_.categories == {0: ["blue", "green", "red"]}
    assert model.encoder_.feature_names == ["colour", "size"]
    assert model.tree_.column_feature.tolist() == [0, 0, 0, 1]
    assert model.tree_.column_level.tolist() == [0, 1, 2, -1]
    assert model.score(frame(make, COLOUR, SIZE), LABEL) == 1.0


@every_column_type
def test_a_missing_level_is_missing(make: Any) -> None:
    """Most rows are blue, so a row without a colour goes with the blue ones."""
    colour = [None, *COLOUR[1:]]
    model = CARTClassifier().fit(frame(make, colour, [0.0] * 40), LABEL)
    asked = frame(make, [None, "red", "blue"], [0.0] * 3)
    assert model.predict(asked).tolist() == ["yes", "no", "yes"]
    missing = frame(lambda v: make([None] * 3), [None] * 3, [0.0] * 3)
    assert model.predict(missing).tolist() == ["yes"] * 3


SYSTEMS = {
    "cart": CARTClassifier(),
    "c45": C45Classifier(pruning=None),
    "oc1": OC1Classifier(random_state=0, pruning=None),
    "sadt": SADTClassifier(random_state=0, patience=500),
    "fisher": FisherTreeClassifier(min_samples_branch=1, pruning=None),
    "quest": QUESTClassifier(pruning=None),
    "pole_pair": PolePairClassifier(random_state=0, pruning=None),
}


@pytest.mark.parametrize("model", SYSTEMS.values(), ids=SYSTEMS.keys())
def test_an_unseen_level_is_missing(model: Any) -> None:
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"colour": rng.choice(["red", "green", "blue"], 80), "size": rng.random(80)})
    y = (X["colour"] == "red") ^ (X["size"] > 0.6)
    model.fit(X, y)
    asked = pd.DataFrame({"colour": ["violet"] * 9, "size": np.linspace(0.0, 1.0, 9)})
    nothing = asked.assign(colour=pd.Series([None] * 9, dtype=object))
    assert np.array_equal(model.predict_proba(asked), model.predict_proba(nothing))
    assert np.array_equal(model.apply(asked), model.apply(nothing))


CHOICES: dict[str, Any] = {
    "mask": [True, False, True],
    "array mask": np.array([True, False, True]),
    "indices": [0, 2],
    "one index twice": (2, 0, 2),
    "names": ["place", "colour"],
    "array of names": np.array(["colour", "place"]),
    "index of names": pd.Index(["colour", "place"]),
}


@pytest.mark.parametrize("chosen", CHOICES.values(), ids=CHOICES.keys())
@pytest.mark.parametrize("table", [pd.DataFrame, pl.DataFrame])
def test_ways_to_name_the_categories(table: Any, chosen: Any) -> None:
    X = table({"colour": COLOUR, "size": SIZE, "place": [3, 1, 1, 2] * 10})
    model = CARTClassifier(categorical_features=chosen).fit(X, LABEL)
    assert model.encoder_.categories == {0: ["blue", "green", "red"], 2: [1, 2, 3]}
    assert model.score(X, LABEL) == 1.0


@pytest.mark.parametrize("make", [np.array, list], ids=["array", "list"])
def test_objects_in_a_matrix(make: Any) -> None:
    """Numbers beside text stay numbers, in a list of lists too."""
    rows = [[colour, size] for colour, size in zip(COLOUR, SIZE, strict=True)]
    X = np.array(rows, dtype=object) if make is np.array else rows
    model = CARTClassifier(categorical_features=[0]).fit(X, LABEL)
    assert model.encoder_.categories == {0: ["blue", "green", "red"]}
    assert model.predict([["green", 2.0], ["blue", None]]).tolist() == ["no", "yes"]
    places = CARTClassifier(categorical_features=[1]).fit([[1, "a"], [2, "b"]] * 5, [0, 1] * 5)
    assert places.encoder_.categories == {1: ["a", "b"]}
    assert places.predict([[1, "a"]]).tolist() == [0]


def test_numbers_of_a_matrix_may_be_categories() -> None:
    X = np.array([[3.0], [1.0], [2.0], [4.0]] * 10)
    y = [0, 0, 1, 1] * 10
    category = CARTClassifier(categorical_features=[0]).fit(X, y)
    assert category.encoder_.categories == {0: [1.0, 2.0, 3.0, 4.0]}
    assert category.get_n_leaves() == 2
    assert CARTClassifier().fit(X, y).get_n_leaves() == 4


def test_no_categories_on_request() -> None:
    X = pd.DataFrame({"colour": COLOUR})
    with pytest.raises(ValueError, match="could not convert string to float"):
        CARTClassifier(categorical_features=None).fit(X, LABEL)
    numbers = pd.DataFrame({"a": pd.Series(SIZE, dtype="category")})
    assert CARTClassifier().fit(numbers, LABEL).encoder_.categories == {0: [1.0, 2.0, 3.0, 4.5]}
    model = CARTClassifier(categorical_features=None).fit(numbers, LABEL)
    assert model.encoder_.categories == {}


def test_levels_of_several_types() -> None:
    levels = [1, "one", True, 2.5, datetime.date(2020, 1, 1), ("a", 1)]
    X = np.empty((30, 1), dtype=object)
    X[:, 0] = levels * 5
    y = [0, 1, 0, 1, 1, 0] * 5
    model = CARTClassifier(categorical_features=[0]).fit(X, y)
    assert len(model.encoder_.categories[0]) == 5  # True is 1
    assert model.score(X, y) == 1.0


def test_one_level_only_is_no_use_and_no_harm() -> None:
    X = pd.DataFrame({"colour": ["red"] * 40, "size": SIZE})
    for model in SYSTEMS.values():
        assert model.fit(X, LABEL).get_n_leaves() > 1
    nothing = pd.DataFrame({"colour": pd.Series([None] * 40, dtype=object), "size": SIZE})
    for model in SYSTEMS.values():
        assert model.fit(nothing, LABEL).predict(X).shape == (40,)


def test_other_columns_of_a_frame_with_categories_are_numbers() -> None:
    X = pd.DataFrame(
        {
            "colour": COLOUR,
            "truth": [True, False] * 20,
            "whole": pd.array([1, None, 3, 4] * 10, dtype="Int64"),
            "float": np.arange(40, dtype=np.float32),
        }
    )
    encoder, encoded = FeatureEncoder.fit(CARTClassifier(), X, "from_dtype")
    assert encoder.categories == {0: ["blue", "green", "red"]}
    assert encoded[:4, 0].tolist() == [2.0, 0.0, 1.0, 0.0]
    assert encoded[:2, 1].tolist() == [1.0, 0.0]
    assert np.isnan(encoded[1, 2])
    assert encoded[5, 3] == 5.0


def test_numbers_are_not_copied() -> None:
    for dtype in (np.float32, np.float64):
        X = np.zeros((10, 3), dtype=dtype, order="F")
        _, encoded = FeatureEncoder.fit(CARTClassifier(), X, "from_dtype")
        assert np.shares_memory(X, encoded)


def test_the_encoding_can_be_saved() -> None:
    X = pd.DataFrame({"colour": COLOUR, "size": SIZE})
    model = CARTClassifier().fit(X, LABEL)
    for again in (
        FeatureEncoder.from_state(model.encoder_.to_state()),
        pickle.loads(pickle.dumps(model.encoder_)),
    ):
        assert again.feature_names == model.encoder_.feature_names
        assert again.categories == model.encoder_.categories
        assert np.array_equal(again.transform(model, X), model.encoder_.transform(model, X))


REFUSED: dict[str, tuple[Any, str]] = {
    "another word": ("dtype", "'from_dtype', None, a mask, indices or names"),
    "one index": (0, "'from_dtype', None, a mask, indices or names"),
    "nested": ([[0]], "'from_dtype', None, a mask, indices or names"),
    "function": (len, "'from_dtype', None, a mask, indices or names"),
    "short mask": ([True], "mask needs 2 values"),
    "index too large": ([2], "between 0 and 1"),
    "negative index": ([-1], "between 0 and 1"),
    "fractions": ([0.5], "between 0 and 1"),
    "unknown name": (["color"], "'color', which is not a column"),
}


@pytest.mark.parametrize(("chosen", "message"), REFUSED.values(), ids=REFUSED.keys())
def test_categories_that_cannot_be_meant(chosen: Any, message: str) -> None:
    X = pd.DataFrame({"colour": COLOUR, "size": SIZE})
    with pytest.raises(ValueError, match=f"categorical_features.*{message}"):
        CARTClassifier(categorical_features=chosen).fit(X, LABEL)


def test_names_need_a_frame() -> None:
    with pytest.raises(ValueError, match="data frame"):
        CARTClassifier(categorical_features=["a"]).fit(np.zeros((4, 1)), [0, 1, 0, 1])


@pytest.mark.parametrize("value", ["text", [1], datetime.date(2020, 1, 1), 10**400, 1j])
def test_what_is_no_number_is_named(value: Any) -> None:
    X = np.empty((4, 2), dtype=object)
    X[:, 0], X[:, 1] = ["a", "b", "a", "b"], 1.0
    X[2, 1] = value
    with pytest.raises(ValueError, match=r"Feature 'x1' holds .*categorical_features"):
        CARTClassifier(categorical_features=[0]).fit(X, [0, 1, 0, 1])


@pytest.mark.parametrize("value", [[1, 2], {"a": 1}])
def test_what_is_no_level_is_named(value: Any) -> None:
    X = np.empty((4, 1), dtype=object)
    X[:, 0] = ["a", "b", "a", "b"]
    model = CARTClassifier(categorical_features=[0]).fit(X, [0, 1, 0, 1])
    X[1, 0] = value
    with pytest.raises(ValueError, match="Feature 'x0' holds values that cannot be levels"):
        model.predict(X)
    with pytest.raises(ValueError, match="Feature 'x0' holds values that cannot be levels"):
        model.fit(X, [0, 1, 0, 1])


def test_infinite_numbers_beside_categories() -> None:
    X = pd.DataFrame({"colour": COLOUR, "size": [np.inf, *SIZE[1:]]})
    with pytest.raises(ValueError, match="'size' contains infinity"):
        CARTClassifier().fit(X, LABEL)


def test_infinity_is_no_level() -> None:
    X = np.array([[0.0, 1.0], [np.inf, 2.0], [1.0, 3.0], [0.0, 4.0]])
    y = [0, 1, 0, 1]
    with pytest.raises(ValueError, match="Feature 'x0' contains infinity"):
        CARTClassifier(categorical_features=[0]).fit(X, y)
    mixed = np.array([["a", -np.inf], ["b", "c"]], dtype=object)
    with pytest.raises(ValueError, match="Feature 'x1' contains infinity"):
        CARTClassifier(categorical_features=[0, 1]).fit(mixed, [0, 1])
    model = CARTClassifier(categorical_features=[0]).fit(np.abs(np.sign(X)), y)
    with pytest.raises(ValueError, match="Feature 'x0' contains infinity"):
        model.predict(X)


def test_other_columns_at_predict() -> None:
    model = CARTClassifier().fit(pd.DataFrame({"colour": COLOUR, "size": SIZE}), LABEL)
    with pytest.raises(ValueError, match="feature names"):
        model.predict(pd.DataFrame({"size": SIZE, "colour": COLOUR}))
    with pytest.raises(ValueError, match="feature names"):
        model.predict(pd.DataFrame({"colour": COLOUR}))
    with pytest.raises(ValueError, match="0 sample"):
        model.predict(pd.DataFrame({"colour": [], "size": []}))


def test_too_high_cardinality_for_a_linear_test() -> None:
    """Indicators that would not fit in memory are refused; a test of one feature needs none."""
    X = np.column_stack([np.arange(50_000.0), np.arange(50_000.0) % 7])
    y = (np.arange(50_000) // 5) % 2
    with pytest.raises(ValueError, match="too many for a linear test over 50000 rows"):
        CARTLCClassifier(categorical_features=[0], max_levels=None, pruning=None).fit(X, y)
    assert CARTClassifier(categorical_features=[0], max_levels=None).fit(X, y).score(X, y) == 1.0
