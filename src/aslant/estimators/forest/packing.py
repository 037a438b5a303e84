"""Large arrays as one line of text: compressed bytes, exactly those of the array."""

from __future__ import annotations

import base64
import binascii
import zlib
from typing import Any

import numpy as np
import numpy.typing as npt

from aslant.tree.regression_tree import RegressionTree, without_linear_leaves
from aslant.tree.tree import Tree

_TYPES = ("int32", "int64", "uint64", "float64")
_OF_A_TREE = (
    "children",
    "value",
    "n_node_samples",
    "impurity",
    "row_start",
    "coef_start",
    "coef_column",
    "coef_value",
    "coef_fill",
    "offset",
)
_OF_NUMBERS = ("node_weight", "error")


def pack(array: npt.NDArray[Any]) -> dict[str, Any]:
    """Return an array of whole or floating numbers as type, shape and compressed bytes.

    The bytes are grouped by their place in the numbers, which makes equal exponents neighbors.
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
        raise ValueError("the shape of a packed array is not made of integers")
    dtype = np.dtype(content["type"]).newbyteorder("<")
    size = int(np.prod(shape, dtype=object)) * dtype.itemsize
    data = _decompressed(content["bytes"], size)
    planes = np.frombuffer(data, dtype=np.uint8).reshape(dtype.itemsize, -1)
    values = np.ascontiguousarray(planes.T).reshape(-1).view(dtype)
    return values.astype(content["type"]).reshape(shape)


def pack_trees(trees: list[Tree]) -> dict[str, Any]:
    """Return the arrays of all trees, each kind as one packed array with its lengths.

    The columns, which are the same for all, are left out.
    """
    packed: dict[str, Any] = {"max_children": [tree.children.shape[1] for tree in trees]}
    for name in _stored(type(trees[0])):
        arrays = [tree.arrays()[name] for tree in trees]
        lengths = np.array([array.size for array in arrays], dtype=np.int64)
        flat = np.concatenate([array.ravel() for array in arrays])
        packed[name] = {"lengths": pack(lengths), "values": pack(flat)}
    return packed


def unpack_trees(
    packed: dict[str, Any],
    n_features: int,
    column_feature: npt.NDArray[np.int32],
    column_level: npt.NDArray[np.int32],
    tree_type: type[Tree] = Tree,
    column_sign: npt.NDArray[Any] | None = None,
) -> list[Tree]:
    """Return the trees that `pack_trees` was given; ValueError if the content is none."""
    columns = {
        "column_feature": column_feature,
        "column_level": column_level,
        "column_sign": np.zeros(len(column_feature)) if column_sign is None else column_sign,
    }
    parts = {name: _parts(packed[name]) for name in _stored(tree_type)}
    widths = packed["max_children"]
    if any(len(part) != len(widths) for part in parts.values()):
        raise ValueError("the arrays of the trees do not belong together")
    trees = []
    for i, width in enumerate(widths):
        arrays = {name: part[i] for name, part in parts.items()}
        arrays["children"] = arrays["children"].reshape(-1, width)
        arrays["value"] = arrays["value"].reshape(len(arrays["children"]), -1)
        if issubclass(tree_type, RegressionTree):
            arrays |= without_linear_leaves(*arrays["value"].shape)
        trees.append(tree_type(n_features=n_features, **arrays, **columns))
    return trees


def _stored(tree_type: type[Tree]) -> tuple[str, ...]:
    return (*_OF_A_TREE, *(_OF_NUMBERS if issubclass(tree_type, RegressionTree) else ()))


def _parts(content: dict[str, Any]) -> list[npt.NDArray[Any]]:
    lengths, values = unpack(content["lengths"]), unpack(content["values"])
    if (lengths < 0).any() or lengths.sum() != len(values):
        raise ValueError("the arrays of the trees do not belong together")
    return np.split(values, np.cumsum(lengths)[:-1])


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
