"""Arrays as plain JSON and back: ``{"type": "float64", "shape": [2, 2], "values": [...]}``.

Reading validates everything: an array has a known type, as many values as its shape requires, and
values of exactly that type.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

_INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
_FLOATS = ("float16", "float32", "float64")
_NOT_FINITE = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}


def encode_array(array: npt.NDArray[Any]) -> dict[str, Any]:
    """Return an array as JSON; TypeError if its type or a value cannot be kept."""
    values = [_encode_element(value) for value in array.ravel().tolist()]
    return {"type": _type_name(array.dtype), "shape": list(array.shape), "values": values}


def decode_array(content: Any) -> npt.NDArray[Any]:
    """Return the array that was encoded; ValueError if the content is not valid."""
    name, shape, values = fields(content, "type", "shape", "values")
    checked(shape, list)
    checked(values, list)
    if not all(type(length) is int and 0 <= length < 2**31 for length in shape):
        raise ValueError("the shape of an array does not consist of integers")
    if math.prod(shape) != len(values):
        raise ValueError(f"an array of shape {shape} has {len(values)} values")
    return _flat_array(name, values).reshape(shape)


def encode_float(value: float) -> Any:
    """Return a float as JSON: itself, or its name if it is not finite."""
    return value if math.isfinite(value) else {"__float__": repr(value)}


def decode_float(content: Any) -> float:
    """Return the number of this name: nan, inf or -inf."""
    if not isinstance(content, str) or content not in _NOT_FINITE:
        raise ValueError(f"{content!r} is not the name of a number")
    return _NOT_FINITE[content]


def checked(value: Any, expected: type) -> Any:
    """Return the value if it has exactly this type, else raise ValueError."""
    if type(value) is not expected:
        raise ValueError(f"expected a {expected.__name__}, got {value!r:.80}")
    return value


def fields(content: Any, *names: str) -> list[Any]:
    """Return the values of a dictionary with exactly these keys, else raise ValueError."""
    if not isinstance(content, dict) or set(content) != set(names):
        raise ValueError(f"expected the keys {' and '.join(names)}, got {content!r:.80}")
    return [content[name] for name in names]


def _type_name(dtype: np.dtype[Any]) -> str:
    if dtype.kind in "UT":
        return "str"
    if dtype.kind == "O":
        return "object"
    if dtype.name in ("bool", *_INTEGERS, *_FLOATS):
        return dtype.name
    raise TypeError(f"an array of type {dtype}")


def _encode_element(value: Any) -> Any:
    if isinstance(value, np.generic):  # inside an array of objects
        value = value.item()
    if type(value) is float:
        return encode_float(value)
    if type(value) in (str, int, bool):
        return value
    raise TypeError(f"{value!r:.80} of type {type(value).__name__}")


def _flat_array(name: Any, values: list[Any]) -> npt.NDArray[Any]:
    if name == "object":
        flat = np.empty(len(values), dtype=object)
        for i, value in enumerate(values):  # one by one: NumPy would look for nested sequences
            flat[i] = _decode_object_element(value)
        return flat
    if name == "str":
        return np.array([checked(value, str) for value in values], dtype=np.str_)
    if name == "bool":
        return np.array([checked(value, bool) for value in values], dtype=np.bool_)
    if name in _INTEGERS:
        return _integers(name, (checked(value, int) for value in values))
    if name in _FLOATS:
        return np.array([_decode_number(value) for value in values], dtype=name)
    raise ValueError(f"{name!r} is not a type of array")


def _integers(name: str, values: Iterable[int]) -> npt.NDArray[Any]:
    try:
        return np.array(list(values), dtype=name)
    except OverflowError:
        raise ValueError(f"an array of type {name} holds a number beyond it") from None


def _decode_number(value: Any) -> float:
    if isinstance(value, dict):
        return decode_float(*fields(value, "__float__"))
    if type(value) not in (int, float):
        raise ValueError(f"expected a number, got {value!r:.80}")
    try:
        return float(value)
    except OverflowError:
        raise ValueError("a number is too large") from None


def _decode_object_element(value: Any) -> Any:
    if isinstance(value, dict):
        return _decode_number(value)
    if type(value) not in (str, int, float, bool):
        raise ValueError(f"an array holds {value!r:.80}")
    return value
