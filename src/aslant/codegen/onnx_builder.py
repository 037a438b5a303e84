"""`Graph`: collects the nodes and constants of an ONNX graph."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


def import_onnx(caller: str) -> ModuleType:
    """Return the package onnx; ImportError names the extra to install."""
    try:
        import onnx
    except ImportError as error:
        raise ImportError(f"{caller} needs onnx: pip install aslant[onnx]") from error
    return onnx


class Graph:
    """Nodes and constants of a graph; every method returns the name of a result.

    Names of results begin with ``aslant``, followed by as many underscores as no name in `taken`
    begins with.
    """

    def __init__(self, onnx: ModuleType, taken: Sequence[str] = ()) -> None:
        self.onnx = onnx
        self.prefix = "aslant_"
        while any(name.startswith(self.prefix) for name in taken):
            self.prefix += "_"
        self.nodes: list[Any] = []
        self.initializers: list[Any] = []

    def add(self, operator: str, *inputs: str, domain: str = "", **attributes: Any) -> str:
        """Add a node with one output and return the name of that."""
        output = f"{self.prefix}{len(self.nodes)}"
        node = self.onnx.helper.make_node(
            operator, list(inputs), [output], name=f"{output}_node", domain=domain, **attributes
        )
        self.nodes.append(node)
        return output

    def constant(self, value: Array) -> str:
        """Add a constant and return its name."""
        name = f"{self.prefix}constant_{len(self.initializers)}"
        is_text = value.dtype.kind in "UO"
        tensor = self.onnx.numpy_helper.from_array(value.astype(object) if is_text else value, name)
        self.initializers.append(tensor)
        return name

    def slice(self, name: str, first: int, last: int) -> str:
        """Return some of the columns."""
        bounds = [self.constant(np.array([bound])) for bound in (first, last, 1)]
        return self.add("Slice", name, *bounds)

    def largest(self, name: str, count: int) -> str:
        """Return the largest values of each row, the largest first."""
        output = self.add("TopK", name, self.constant(np.array([count])), axis=1)
        self.nodes[-1].output.append(f"{output}_places")
        return output

    def cast(self, name: str, element: int) -> str:
        """Convert to another type."""
        return self.add("Cast", name, to=element)

    def rename(self, names: dict[str, str]) -> None:
        """Give results other names."""
        for node in self.nodes:
            for given in (node.input, node.output):
                given[:] = [names.get(name, name) for name in given]
