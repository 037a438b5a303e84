"""`register_onnx`: converters of this package's estimators for skl2onnx."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, is_regressor

from aslant.codegen.describe import describe
from aslant.codegen.onnx_builder import Graph, import_onnx
from aslant.codegen.onnx_graph import ML_OPSET, write_model


def register_onnx() -> None:
    """Register the estimators of this package with skl2onnx.

    Afterwards ``skl2onnx.to_onnx(pipeline, X)`` converts a pipeline that ends in one of them, if
    the tree reads numbers. `export_onnx` exports a tree that reads categories of text.
    """
    try:
        from skl2onnx import update_registered_converter
    except ImportError as error:
        raise ImportError("register_onnx needs skl2onnx: pip install aslant[onnx]") from error
    import aslant

    of_classes = {"zipmap": [True, False, "columns"], "nocl": [True, False]}
    for name in aslant.__all__:
        kind = getattr(aslant, name)
        if isinstance(kind, type) and issubclass(kind, BaseEstimator):
            options = None if name.endswith("Regressor") else of_classes
            update_registered_converter(kind, f"Aslant{name}", _shapes, _convert, options=options)


def _shapes(operator: Any) -> None:
    """Validate the inputs of the model, and set the shapes of its outputs."""
    _check_inputs(operator)
    from skl2onnx.common import shape_calculator

    if is_regressor(operator.raw_operator):
        shape_calculator.calculate_linear_regressor_output_shapes(operator)
    else:
        shape_calculator.calculate_linear_classifier_output_shapes(operator)


def _check_inputs(operator: Any) -> None:
    model = operator.raw_operator
    if any(given.is_text for given in describe(model, "register_onnx").inputs):
        raise TypeError(
            f"skl2onnx needs numeric features, but this {type(model).__name__} reads categories of "
            "text; export it with aslant.export_onnx, or encode them in the pipeline."
        )


def _convert(scope: Any, operator: Any, container: Any) -> None:
    """Add the graph of an operator's model to skl2onnx's container, under names of its scope."""
    from skl2onnx.common.data_types import guess_proto_type

    onnx = import_onnx("register_onnx")
    model = operator.raw_operator
    description = describe(model, "register_onnx")
    graph = Graph(onnx)
    element = guess_proto_type(operator.outputs[-1].type)
    source = operator.inputs[0].full_name
    made = write_model(graph, description, [source], element)
    names = {source: source}
    names |= {name: out.full_name for name, out in zip(made, operator.outputs, strict=True)}
    for tensor in graph.initializers:
        names[tensor.name] = scope.get_unique_variable_name(tensor.name)
        array = onnx.numpy_helper.to_array(tensor)
        flat = [text.encode() for text in array.ravel()] if array.dtype.kind == "O" else None
        values = array.ravel().tolist() if flat is None else flat
        container.add_initializer(names[tensor.name], tensor.data_type, array.shape, values)
    for node in graph.nodes:
        for name in (*node.input, *node.output):
            names.setdefault(name, scope.get_unique_variable_name(name))
        attributes = {a.name: _plain(onnx.helper.get_attribute_value(a)) for a in node.attribute}
        container.add_node(
            node.op_type,
            [names[name] for name in node.input],
            [names[name] for name in node.output],
            op_domain=node.domain,
            op_version=ML_OPSET if node.domain else None,
            name=scope.get_unique_operator_name(node.op_type),
            **attributes,
        )


def _plain(value: Any) -> Any:
    """Return the value of an attribute as skl2onnx takes it: texts, not bytes."""
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, list) and value and isinstance(value[0], bytes):
        return [text.decode() for text in value]
    return np.array(value).tolist() if isinstance(value, np.ndarray) else value
