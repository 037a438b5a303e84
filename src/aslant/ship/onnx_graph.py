"""`export_onnx`: a fitted model as one ONNX graph.

All tests of all trees are computed at once: the rows with zeros in place of missing values times a
matrix of coefficients, plus the missing ones times a matrix of what counts instead. Comparisons and
linear machines turn the sums into the branch taken at every test, and one tree operator reads those
branches. Everything is computed in float64, as in aslant; only the order of sums is the runtime's.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from aslant.checks import check_choice
from aslant.ship.description import Combination, Description, Feature, Label, describe
from aslant.ship.onnx_trees import tree_attributes

_OPSET, ML_OPSET, _IR_VERSION = 17, 3, 8

Array = npt.NDArray[Any]


def export_onnx(model: Any, *, dtype: str = "float32") -> Any:
    """Return a fitted model as an ONNX model.

    The outputs are ``label`` and ``probabilities``. The input is ``X``, a matrix of all features,
    NaN where missing; a model with categories of text has one input of shape (rows, 1) for every
    feature instead, named like it, strings for such categories. An unknown level is a missing
    value.

    Parameters
    ----------
    model : fitted classifier
        An estimator of this package.
    dtype : {"float32", "float64"}, default="float32"
        Type of the input numbers and of the probabilities. Sums are in float64 in any case.

    Returns
    -------
    onnx.ModelProto
        The model; ``SerializeToString()`` gives the content of a file.
    """
    check_choice("dtype", dtype, ("float32", "float64"))
    onnx = import_onnx("export_onnx")
    description = describe(model, "export_onnx")
    graph = Graph(onnx)
    element = onnx.TensorProto.FLOAT if dtype == "float32" else onnx.TensorProto.DOUBLE
    inputs = _inputs(onnx, description, element)
    label, probabilities = write_model(graph, description, [one.name for one in inputs], element)
    graph.rename({label: "label", probabilities: "probabilities"})
    helper = onnx.helper
    n_classes = len(description.classes)
    outputs = [
        helper.make_tensor_value_info("label", _label_type(onnx, description), [None]),
        helper.make_tensor_value_info("probabilities", element, [None, n_classes]),
    ]
    made = helper.make_graph(
        graph.nodes, description.estimator, inputs, outputs, initializer=graph.initializers
    )
    opsets = [helper.make_opsetid("", _OPSET), helper.make_opsetid("ai.onnx.ml", ML_OPSET)]
    result = helper.make_model(made, opset_imports=opsets, producer_name="aslant")
    result.ir_version = _IR_VERSION
    onnx.checker.check_model(result)
    return result


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

    def cast(self, name: str, element: int) -> str:
        """Convert to another type."""
        return self.add("Cast", name, to=element)

    def rename(self, names: dict[str, str]) -> None:
        """Give results other names."""
        for node in self.nodes:
            for given in (node.input, node.output):
                given[:] = [names.get(name, name) for name in given]


# ---------------------------------------------------------------------- inputs


def has_text(feature: Feature) -> bool:
    """Whether a feature is a category with a level that is text."""
    return any(isinstance(level, str) for level in feature.levels or ())


def _inputs(onnx: ModuleType, description: Description, element: int) -> list[Any]:
    make = onnx.helper.make_tensor_value_info
    features = description.features
    if not any(has_text(feature) for feature in features):
        return [make("X", element, [None, len(features)])]
    names = [feature.name for feature in features]
    if len(set(names)) < len(names) or "" in names:
        raise ValueError(
            "export_onnx gives every feature of a model with categories an input of its own, and "
            f"needs names that differ, got {names}."
        )
    text = onnx.TensorProto.STRING
    return [make(f.name, text if has_text(f) else element, [None, 1]) for f in features]


def _label_type(onnx: ModuleType, description: Description) -> int:
    return int(onnx.helper.np_dtype_to_tensor_dtype(_classes(description).dtype))


def _classes(description: Description) -> Array:
    classes = np.array(description.classes)
    if classes.dtype.kind == "U":
        return classes.astype(object)
    return classes.astype(np.int64) if classes.dtype.kind in "iu" else classes


# ---------------------------------------------------------------------- the model


def write_model(
    graph: Graph, description: Description, inputs: list[str], element: int
) -> tuple[str, str]:
    """Add a model to a graph; return the names of labels and probabilities.

    The inputs are one matrix, or one for each feature.
    """
    columns, missing = _columns(graph, description, inputs)
    branches = _branches(graph, description, columns, missing)
    reached = graph.add(
        "TreeEnsembleRegressor",
        branches,
        domain="ai.onnx.ml",
        **tree_attributes(description),
    )
    leaf = graph.cast(reached, graph.onnx.TensorProto.INT64)
    winner, probabilities = _combined(graph, description, leaf)
    label = graph.add("Gather", graph.constant(_classes(description)), winner, axis=0)
    return label, graph.cast(probabilities, element)


def _columns(graph: Graph, description: Description, inputs: list[str]) -> tuple[str, str]:
    """Return the encoded columns, zero where missing, and a column 0 or 1 for each feature."""
    double = graph.onnx.TensorProto.DOUBLE
    zero = graph.constant(np.zeros((1, 1)))
    columns, missing = [], []
    blocks: list[tuple[str, tuple[Label, ...] | None]] = []
    if len(inputs) == 1 and all(feature.levels is None for feature in description.features):
        blocks.append((graph.cast(inputs[0], double), None))
    else:
        for j, feature in enumerate(description.features):
            one = inputs[0 if len(inputs) == 1 else j]
            if len(inputs) == 1 < len(description.features):
                one = graph.add("Gather", one, graph.constant(np.array([j])), axis=1)
            if not has_text(feature):
                one = graph.cast(one, double)
            blocks.append((one, feature.levels))
    for block, levels in blocks:
        if levels is None:
            absent = graph.add("IsNaN", block)
            columns.append(graph.add("Where", absent, zero, block))
            missing.append(graph.cast(absent, double))
        else:
            indicators, absent = _indicators(graph, block, levels)
            columns.append(indicators)
            missing.append(absent)
    return graph.add("Concat", *columns, axis=1), graph.add("Concat", *missing, axis=1)


def _indicators(graph: Graph, column: str, levels: Any) -> tuple[str, str]:
    """Return an indicator for each level, and whether the value is none of them."""
    double = graph.onnx.TensorProto.DOUBLE
    codes = np.arange(max(1, len(levels)))[np.newaxis]
    texts = [(str(level), code) for code, level in enumerate(levels) if isinstance(level, str)]
    if texts:
        if len(texts) < len(levels):
            raise TypeError(
                f"export_onnx needs levels all of text or all of numbers, got {levels}."
            )
        column = graph.add(
            "LabelEncoder",
            column,
            domain="ai.onnx.ml",
            keys_strings=[text for text, _ in texts],
            values_int64s=[code for _, code in texts],
            default_int64=-1,
        )
        wanted = graph.constant(codes)
    else:  # NaN, which equals nothing, where a category has no levels at all
        wanted = graph.constant(np.array([[float(one) for one in levels] or [np.nan]]))
    present = graph.cast(graph.add("Equal", column, wanted), double)
    seen = graph.add("MatMul", present, graph.constant(np.ones((codes.size, 1))))
    return present, graph.add("Sub", graph.constant(np.ones((1, 1))), seen)


def _branches(graph: Graph, description: Description, columns: str, missing: str) -> str:
    """Return the number of the branch taken at every test: hyperplanes first, then machines."""
    element = graph.onnx.TensorProto
    tests = [node for tree in description.trees for node in tree if not node.is_leaf]
    planes = [node for node in tests if len(node.functions) == 1]
    machines = [node for node in tests if len(node.functions) > 1]
    functions = [one for node in (*planes, *machines) for one in node.functions]
    widths = [1 if f.levels is None else max(1, len(f.levels)) for f in description.features]
    coefs = np.zeros((sum(widths), max(1, len(functions))))
    instead = np.zeros((len(widths), max(1, len(functions))))
    for k, function in enumerate(functions):
        for term in function.terms:
            coefs[term.column, k] = term.coef
            instead[term.feature, k] += term.coef * term.fill
    known = graph.add("MatMul", columns, graph.constant(coefs))
    unknown = graph.add("MatMul", missing, graph.constant(instead))
    sums = graph.add("Add", known, unknown)
    parts = []
    if planes or not machines:  # a tree without tests asks whether nothing is above nothing
        n_planes = max(1, len(planes))
        offsets = np.array([[node.functions[0].offset for node in planes] or [0.0]])
        own = _slice(graph, sums, 0, n_planes)
        parts.append(graph.cast(graph.add("Greater", own, graph.constant(offsets)), element.FLOAT))
    first = len(planes)
    for node in machines:
        last = first + len(node.functions)
        bias = graph.constant(np.array([[one.offset for one in node.functions]]))
        values = graph.add("Add", _slice(graph, sums, first, last), bias)
        branch = graph.add("ArgMax", values, axis=1, keepdims=1)
        parts.append(graph.cast(branch, element.FLOAT))
        first = last
    return graph.add("Concat", *parts, axis=1)


def _slice(graph: Graph, name: str, first: int, last: int) -> str:
    bounds = [graph.constant(np.array([bound])) for bound in (first, last, 1)]
    return graph.add("Slice", name, *bounds)


def _combined(graph: Graph, description: Description, leaf: str) -> tuple[str, str]:
    """Return place of the class and probabilities, from the leaves in all trees."""
    leaves = [[node for node in tree if node.is_leaf] for tree in description.trees]
    shares, votes = [], []
    for t, (own, weight) in enumerate(zip(leaves, description.weights, strict=True)):
        reached = graph.add("Gather", leaf, graph.constant(np.array(t)), axis=1)
        table = weight * np.array([node.probabilities for node in own])
        shares.append(graph.add("Gather", graph.constant(table), reached, axis=0))
        winners = np.array([node.winner for node in own])
        if description.combination is Combination.SINGLE:
            return graph.add("Gather", graph.constant(winners), reached, axis=0), shares[0]
        vote = np.eye(len(description.classes))[winners]
        votes.append(graph.add("Gather", graph.constant(vote), reached, axis=0))
    total = graph.add("Sum", *shares)
    merit = counted = total
    if description.combination is Combination.VOTES:
        counted = graph.add("Sum", *votes)
        tie = graph.add("Div", total, graph.constant(np.array(2.0 * len(leaves) + 2.0)))
        merit = graph.add("Add", counted, tie)
    winner = graph.add("ArgMax", merit, axis=1, keepdims=0)
    return winner, graph.add("Div", counted, graph.constant(np.array(description.divisor)))
