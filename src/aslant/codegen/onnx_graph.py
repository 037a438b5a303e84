"""`export_onnx`: a fitted model as one ONNX graph.

All tests of all trees are computed at once: the rows, zero where values are missing, times a matrix
of coefficients, plus the indicators of missing values times a matrix of fills. Comparisons and
linear machines turn the sums into the branch taken at every test, and one tree operator reads those
branches; soft trees turn the sums into gates. Everything is computed in float64, as in aslant; only
the order of summation is the runtime's.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from aslant.codegen.describe import describe
from aslant.codegen.description import Combination, Description
from aslant.codegen.names import distinct
from aslant.codegen.onnx_builder import Array, Graph, import_onnx
from aslant.codegen.onnx_inputs import encoded_columns, graph_inputs
from aslant.codegen.onnx_outputs import combined, sharpened, soft_outputs
from aslant.codegen.onnx_reasons import reason_names
from aslant.codegen.onnx_sums import branches, sums_of
from aslant.codegen.onnx_trees import tree_attributes
from aslant.utils.checks import check_choice, check_number

_OPSET, ML_OPSET, _IR_VERSION = 17, 3, 8


def export_onnx(estimator: Any, *, dtype: str = "float32", reasons: int | None = None) -> Any:
    """Return a fitted model as an ONNX model.

    The outputs are ``label`` and ``probabilities``, of a regressor ``prediction`` of shape (rows,
    outputs), and ``interval`` of shape (rows, 2) if it has intervals; a number is appended if a
    feature has that name. The input is ``X``, a matrix of all
    features, NaN where missing. A model with categories of text has one input of shape (rows, 1)
    for every feature instead, named after it, with strings for such categories, "" where missing.
    An unknown level is a missing value, unless rare levels were merged. Dates are days since
    1970-01-01.

    Parameters
    ----------
    estimator : fitted classifier or regressor
        A tree, forest or other ensemble of this package, or a pipeline of scalers that ends in one.
    dtype : {"float32", "float64"}, default="float32"
        Type of the input numbers and of the output. Sums are in float64 in any case.
    reasons : int, optional
        For models of one tree: a further output ``reasons`` of shape (rows, n), the names of the
        features that contribute most, as ``explain(estimator, X).reasons(n)`` does; empty texts if
        fewer features contribute.

    Returns
    -------
    onnx.ModelProto
        The model; ``SerializeToString()`` gives the content of a file.
    """
    check_choice("dtype", dtype, ("float32", "float64"))
    if reasons is not None:
        check_number("reasons", reasons, 1, integer=True)
    onnx = import_onnx("export_onnx")
    description = describe(estimator, "export_onnx")
    element = onnx.TensorProto.FLOAT if dtype == "float32" else onnx.TensorProto.DOUBLE
    inputs = graph_inputs(onnx, description, element)
    taken = [one.name for one in inputs]
    graph = Graph(onnx, taken)
    made = write_model(graph, description, taken, element, reasons)
    wanted = ["label", "probabilities"] if description.classes else ["prediction"]
    further = ["interval"] if description.intervals else []
    further += [] if reasons is None else ["reasons"]
    names = distinct([*wanted, *further], taken)
    graph.rename(dict(zip(made, names, strict=True)))
    helper = onnx.helper
    place = len(wanted) - 1
    outputs = [helper.make_tensor_value_info(names[place], element, [None, description.n_outputs])]
    if description.intervals:
        outputs.append(helper.make_tensor_value_info(names[len(wanted)], element, [None, 2]))
    if reasons is not None:
        text = onnx.TensorProto.STRING
        outputs.append(helper.make_tensor_value_info(names[-1], text, [None, reasons]))
    if description.classes:
        kind = int(helper.np_dtype_to_tensor_dtype(_classes(description).dtype))
        outputs.insert(0, helper.make_tensor_value_info(names[0], kind, [None]))
    whole = helper.make_graph(
        graph.nodes, description.estimator, inputs, outputs, initializer=graph.initializers
    )
    opsets = [helper.make_opsetid("", _OPSET), helper.make_opsetid("ai.onnx.ml", ML_OPSET)]
    result = helper.make_model(whole, opset_imports=opsets, producer_name="aslant")
    result.ir_version = _IR_VERSION
    onnx.checker.check_model(result)
    return result


def write_model(
    graph: Graph,
    description: Description,
    inputs: list[str],
    element: int,
    reasons: int | None = None,
) -> tuple[str, ...]:
    """Add a model to a graph; return the names of labels and probabilities, or of predictions.

    The inputs are one matrix, or one for each feature. The name of the reasons, if there are any,
    comes last.
    """
    columns, missing = encoded_columns(graph, description, inputs)
    sums = sums_of(graph, description, columns, missing)
    is_soft = description.combination is Combination.SOFT
    has_leaf = not is_soft or reasons is not None or description.intervals
    leaf = _leaf(graph, description, sums) if has_leaf else ""
    if is_soft:
        winner, output = "", soft_outputs(graph, description, sums, columns, missing)
    else:
        winner, output = combined(graph, description, leaf, columns, missing)
    if description.link == "softmax":
        output = graph.add("Softmax", output, axis=1)
    elif description.link == "exp":
        output = graph.add("Exp", output)
    if description.exponent is not None:
        output = sharpened(graph, description, output)
    made = [graph.cast(output, element)]
    if description.classes:
        winner = winner or graph.add("ArgMax", output, axis=1, keepdims=0)
        classes = graph.constant(_classes(description))
        made.insert(0, graph.add("Gather", classes, winner, axis=0))
    if description.intervals:
        reached = graph.add("Gather", leaf, graph.constant(np.array(0)), axis=1)
        around = graph.add(
            "Gather", graph.constant(np.array(description.intervals)), reached, axis=0
        )
        made.append(graph.cast(graph.add("Add", output, around), element))
    if reasons is not None:
        made.append(reason_names(graph, description, leaf, (columns, missing), reasons))
    return tuple(made)


def _leaf(graph: Graph, description: Description, sums: str) -> str:
    """Return the leaf that a row reaches in every tree."""
    reached = graph.add(
        "TreeEnsembleRegressor",
        branches(graph, description, sums),
        domain="ai.onnx.ml",
        **tree_attributes(description),
    )
    return graph.cast(reached, graph.onnx.TensorProto.INT64)


def _classes(description: Description) -> Array:
    """Return the classes in a type of ONNX: strings, 64-bit integers, floats or booleans."""
    labels = description.classes
    if all(type(label) is int for label in labels):
        is_large = max(map(int, labels)) >= 2**63
        if min(map(int, labels)) < (0 if is_large else -(2**63)) or max(map(int, labels)) >= 2**64:
            raise ValueError(f"export_onnx needs integer classes of 64 bits, got {labels}.")
        return np.array(labels, dtype=np.uint64 if is_large else np.int64)
    classes = np.array(labels)
    return classes.astype(object) if classes.dtype.kind == "U" else classes
