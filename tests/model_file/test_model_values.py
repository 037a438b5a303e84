"""Values to JSON and back: exact, and strict with what is not a value."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from oracles.problems import examples

from aslant.model_file.arrays import decode_array, encode_array
from aslant.model_file.values import NotRebuilt, ValueDecoder, ValueEncoder
from aslant.prune import CostComplexity
from aslant.search import OC1, BestOf, SplitSearch, Standardize

CLASSES = {cls.__name__: cls for cls in (OC1, BestOf, Standardize, CostComplexity)}


def through_json(value):
    encoded = ValueEncoder(CLASSES, keep_text=False).encode(value)
    return ValueDecoder(CLASSES).decode(json.loads(json.dumps(encoded, allow_nan=False)))


keys = st.one_of(st.text(), st.integers(), st.booleans(), st.floats(allow_nan=False))
values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text()),
    lambda inner: st.one_of(
        st.lists(inner), st.lists(inner).map(tuple), st.dictionaries(keys, inner)
    ),
    max_leaves=10,
)


@examples(100)
@given(values)
def test_plain_values_come_back_exactly(value):
    back = through_json(value)
    assert back == value
    assert repr(back) == repr(value)  # types and the sign of zero, too


@examples(300)
@given(
    hnp.arrays(
        st.one_of(
            hnp.boolean_dtypes(),
            hnp.integer_dtypes(),
            hnp.unsigned_integer_dtypes(),
            hnp.floating_dtypes(sizes=(16, 32, 64)),
            hnp.unicode_string_dtypes(),
        ),
        hnp.array_shapes(min_dims=0, min_side=0, max_side=4),
    )
)
def test_arrays_come_back_exactly(array):
    back = through_json(array)
    assert back.shape == array.shape
    assert back.dtype.kind == array.dtype.kind
    if array.dtype.kind != "U":
        assert back.dtype == array.dtype.newbyteorder("=")
    np.testing.assert_array_equal(back, array)
    if array.dtype.kind == "f":
        np.testing.assert_array_equal(np.signbit(back), np.signbit(array))


@pytest.mark.parametrize("value", [np.float32(0.1), np.int64(-3), np.bool_(True), np.str_("a")])
def test_scalars_keep_their_type(value):
    back = through_json(value)
    assert back == value
    assert type(back) is type(value)


def test_numbers_that_json_lacks():
    assert math.isnan(through_json(math.nan))
    assert through_json([math.inf, -math.inf]) == [math.inf, -math.inf]


def test_arrays_of_objects():
    array = np.array(["a", 1, 2.5, True, np.int64(3), math.inf], dtype=object)
    assert through_json(array).tolist() == ["a", 1, 2.5, True, 3, math.inf]


def test_objects_of_the_package_are_rebuilt_with_their_parameters():
    search = BestOf([OC1(restarts=3), Standardize(OC1(jumps=np.int64(2)))])
    back = through_json({"search": search, "pruning": CostComplexity(cv=10)})
    assert repr(back["search"]) == repr(search)
    assert back["search"].searches[1].search.jumps == 2
    assert back["pruning"].cv == 10


class MySearch(SplitSearch):
    pass


@pytest.mark.parametrize(
    "value",
    [MySearch(), {1, 2}, b"bytes", 1j, np.datetime64("2020-01-01"), np.array([1j]), print],
)
def test_other_values_are_refused_or_kept_as_text(value):
    with pytest.raises(TypeError):
        ValueEncoder(CLASSES, keep_text=False).encode([value])
    lenient = ValueEncoder(CLASSES, keep_text=True)
    (back,) = ValueDecoder(CLASSES).decode(lenient.encode([value]))
    assert isinstance(back, NotRebuilt)
    assert back.text == repr(value)
    assert lenient.lost == [repr(value)]
    (again,) = ValueDecoder(CLASSES).decode(lenient.encode([back]))
    assert again.text == back.text


def test_an_unknown_object_in_a_wrapper_leaves_the_wrapper():
    encoder = ValueEncoder(CLASSES, keep_text=True)
    back = ValueDecoder(CLASSES).decode(encoder.encode(BestOf([OC1(), MySearch()])))
    assert isinstance(back.searches[0], OC1)
    assert isinstance(back.searches[1], NotRebuilt)


@pytest.mark.parametrize(
    "content",
    [
        {"__unknown__": 1},
        {"__tuple__": [], "other": 1},
        {"__tuple__": {}},
        {"__float__": "1.5"},
        {"__float__": []},
        {"__pairs__": [[1]]},
        {"__pairs__": [[[], 1]]},
        {"__pairs__": 3},
        {"__text__": 1},
        {"__scalar__": 3},
        {"__object__": {"class": "eval", "parameters": {}}},
        {"__object__": {"class": ["OC1"], "parameters": {}}},
        {"__object__": {"class": "OC1", "parameters": []}},
        {"__object__": {"class": "OC1", "parameters": {"unheard_of": 1}}},
        {"__object__": {"class": "OC1"}},
    ],
)
def test_what_is_not_a_value(content):
    with pytest.raises(ValueError):
        ValueDecoder(CLASSES).decode(content)


@pytest.mark.parametrize(
    "change",
    [
        {"type": "complex128"},
        {"type": ["int32"]},
        {"type": "object_"},
        {"shape": [3]},
        {"shape": [2, -1]},
        {"shape": [10**30, 0]},
        {"shape": [2.0]},
        {"shape": None},
        {"values": "12"},
        {"values": [1, 2.5]},
        {"values": [1, True]},
        {"values": [1, None]},
        {"values": [1, 2**40]},
        {"type": "float64", "values": ["1", 2]},
        {"type": "float64", "values": [10**400, 2]},
        {"type": "str", "values": [1, 2]},
        {"type": "bool", "values": [1, 0]},
        {"type": "object", "values": [[], {}]},
    ],
)
def test_what_is_not_an_array(change):
    content = {**encode_array(np.array([1, 2], dtype=np.int32)), **change}
    with pytest.raises(ValueError):
        decode_array(content)
