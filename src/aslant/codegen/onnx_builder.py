"""Nodes and constants of an ONNX graph in the making."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


def import_onnx(caller: str) -> ModuleType:
    """Return the package onnx; raise one clear error if it is not installed."""
    try:
        import onnx
    except ImportError as error:
        raise ImportError(f"{caller} needs onnx: pip install aslant[onnx]") from error
    return onnx


class Graph:
    """Nodes and constants of a graph in the making; every method returns names of results."""

    def __init__(self, onnx: ModuleType) -> None:
        self.onnx = onnx
        self.nodes: list[Any] = []
        self.initializers: list[Any] = []

    def add(self, operator: str, *inputs: str, domain: str = "", **attributes: Any) -> str:
        """Add a node with one output and return the name of that."""
        output = f"aslant_{len(self.nodes)}"
        node = self.onnx.helper.make_node(
            operator, list(inputs), [output], name=f"{output}_node", domain=domain, **attributes
        )
        self.nodes.append(node)
        return output

    def constant(self, value: Array) -> str:
        """Add a constant and return its name."""
        name = f"aslant_constant_{len(self.initializers)}"
        is_text = value.dtype.kind in "UO"
        tensor = self.onnx.numpy_helper.from_array(value.astype(object) if is_text else value, name)
        self.initializers.append(tensor)
        return name

    def slice(self, name: str, first: int, last: int) -> str:
        """Return some of the columns."""
        bounds = [self.constant(np.array([bound])) for bound in (first, last, 1)]
        return self.add("Slice", name, *bounds)

    def cast(self, name: str, element: int) -> str:
        """Convert to another type."""
        return self.add("Cast", name, to=element)

    def rename(self, names: dict[str, str]) -> None:
        """Give results other names."""
        for node in self.nodes:
            for given in (node.input, node.output):
                given[:] = [names.get(name, name) for name in given]
