"""Large arrays as one line of text: compressed bytes, exactly those of the array."""

from __future__ import annotations

import base64
import binascii
import zlib
from typing import Any

import numpy as np
import numpy.typing as npt

_TYPES = ("int32", "int64", "uint64", "float64")


def pack(array: npt.NDArray[Any]) -> dict[str, Any]:
    """Return an array of whole or floating numbers as type, shape and compressed bytes.

    The bytes are grouped by their place in the numbers, which makes equal exponents neighbours.
    """
    little = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<"))
    planes = little.view(np.uint8).reshape(-1, little.itemsize).T if little.size else little
    data = base64.b64encode(zlib.compress(planes.tobytes(), 6)).decode("ascii")
    return {"type": array.dtype.name, "shape": list(array.shape), "bytes": data}


def unpack(content: Any) -> npt.NDArray[Any]:
    """Return the array that `pack` was given; ValueError if the content is none."""
    if not isinstance(content, dict) or set(content) != {"type", "shape", "bytes"}:
        raise ValueError("there is no packed array where one belongs")
    shape = content["shape"]
    if content["type"] not in _TYPES or not isinstance(content["bytes"], str):
        raise ValueError("a packed array has an unknown type")
    if not isinstance(shape, list) or not all(type(n) is int and 0 <= n < 2**31 for n in shape):
        raise ValueError("the shape of a packed array is not made of whole numbers")
    dtype = np.dtype(content["type"]).newbyteorder("<")
    size = int(np.prod(shape, dtype=object)) * dtype.itemsize
    data = _decompressed(content["bytes"], size)
    planes = np.frombuffer(data, dtype=np.uint8).reshape(dtype.itemsize, -1)
    values = np.ascontiguousarray(planes.T).reshape(-1).view(dtype)
    return values.astype(content["type"]).reshape(shape)


def _decompressed(text: str, size: int) -> bytes:
    """Return exactly so many bytes, and never more than that are made."""
    try:
        stream = zlib.decompressobj()
        data = stream.decompress(base64.b64decode(text, validate=True), size + 1)
    except (binascii.Error, zlib.error, ValueError) as error:
        raise ValueError("a packed array is damaged") from error
    if len(data) != size or not stream.eof:
        raise ValueError("a packed array has another size than its shape")
    return data
