"""`export_onnx`: a fitted model as one ONNX graph.

All tests of all trees are computed at once: the rows with zeros in place of missing values times a
matrix of coefficients, plus the missing ones times a matrix of what counts instead. Comparisons and
linear machines turn the sums into the branch taken at every test, and one tree operator reads those
branches; soft trees turn them into gates. Everything is computed in float64, as in aslant; only the
order of sums is the runtime's.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np

from aslant.codegen.describe import describe
from aslant.codegen.description import Combination, Description
from aslant.codegen.onnx_answers import combined, soft_probabilities, soft_regression
from aslant.codegen.onnx_builder import Array, Graph, import_onnx
from aslant.codegen.onnx_inputs import encoded_columns, graph_inputs
from aslant.codegen.onnx_sums import branches, sums_of
from aslant.codegen.onnx_trees import tree_attributes
from aslant.utils.checks import check_choice

_OPSET, ML_OPSET, _IR_VERSION = 17, 3, 8


def export_onnx(model: Any, *, dtype: str = "float32") -> Any:
    """Return a fitted model as an ONNX model.

    The outputs are ``label`` and ``probabilities``, or ``prediction``, of shape (rows, outputs),
    where numbers are predicted. The input is ``X``, a matrix of all features, NaN where missing; a
    model with categories of text has one input of shape (rows, 1) for every feature instead, named
    like it, strings for such categories, "" where missing. An unknown level is a missing value,
    unless rare levels were merged. Dates are days since 1970 began.

    Parameters
    ----------
    model : fitted estimator
        An estimator of this package.
    dtype : {"float32", "float64"}, default="float32"
        Type of the input numbers and of the output. Sums are in float64 in any case.

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
    inputs = graph_inputs(onnx, description, element)
    made = write_model(graph, description, [one.name for one in inputs], element)
    names = ["label", "probabilities"] if description.classes else ["prediction"]
    graph.rename(dict(zip(made, names, strict=True)))
    helper = onnx.helper
    shape = [None, description.n_outputs]
    outputs = [helper.make_tensor_value_info(names[-1], element, shape)]
    if description.classes:
        kind = _label_type(onnx, description)
        outputs.insert(0, helper.make_tensor_value_info("label", kind, [None]))
    whole = helper.make_graph(
        graph.nodes, description.estimator, inputs, outputs, initializer=graph.initializers
    )
    opsets = [helper.make_opsetid("", _OPSET), helper.make_opsetid("ai.onnx.ml", ML_OPSET)]
    result = helper.make_model(whole, opset_imports=opsets, producer_name="aslant")
    result.ir_version = _IR_VERSION
    onnx.checker.check_model(result)
    return result


def write_model(
    graph: Graph, description: Description, inputs: list[str], element: int
) -> tuple[str, ...]:
    """Add a model to a graph; return the names of labels and probabilities, or of the numbers.

    The inputs are one matrix, or one for each feature.
    """
    columns, missing = encoded_columns(graph, description, inputs)
    sums = sums_of(graph, description, columns, missing)
    if description.combination is Combination.SOFT and not description.classes:
        output = soft_regression(graph, description, sums, columns, missing)
        winner = ""
    elif description.combination is Combination.SOFT:
        output = soft_probabilities(graph, description, sums)
        winner = graph.add("ArgMax", output, axis=1, keepdims=0)
    else:
        reached = graph.add(
            "TreeEnsembleRegressor",
            branches(graph, description, sums),
            domain="ai.onnx.ml",
            **tree_attributes(description),
        )
        leaf = graph.cast(reached, graph.onnx.TensorProto.INT64)
        winner, output = combined(graph, description, leaf, columns, missing)
    made = graph.cast(output, element)
    if not description.classes:
        return (made,)
    return graph.add("Gather", graph.constant(_classes(description)), winner, axis=0), made


def _label_type(onnx: ModuleType, description: Description) -> int:
    return int(onnx.helper.np_dtype_to_tensor_dtype(_classes(description).dtype))


def _classes(description: Description) -> Array:
    classes = np.array(description.classes)
    if classes.dtype.kind == "U":
        return classes.astype(object)
    return classes.astype(np.int64) if classes.dtype.kind in "iu" else classes
