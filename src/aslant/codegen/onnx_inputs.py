"""From the inputs of an ONNX graph to the columns that tests read."""

from __future__ import annotations

from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np

from aslant.codegen.description import Description, Feature, Input
from aslant.codegen.onnx_builder import Graph


def graph_inputs(onnx: ModuleType, description: Description, element: int) -> list[Any]:
    """Return one matrix, or one input for each feature if some are text."""
    make = onnx.helper.make_tensor_value_info
    inputs = description.inputs
    description.check_integers(2**53, "export_onnx", classes=False)  # levels are compared as double
    if not any(given.is_text for given in inputs):
        return [make("X", element, [None, len(inputs)])]
    names = [given.name for given in inputs]
    if len(set(names)) < len(names) or "" in names:
        raise ValueError(
            "export_onnx names an input after every feature of a model with categories and needs "
            f"different names, got {names}."
        )
    for given in inputs:
        if "" in given.levels:
            raise ValueError(
                f"export_onnx marks missing text by '', and {given.name!r} has the level ''."
            )
    text = onnx.TensorProto.STRING
    return [make(one.name, text if one.is_text else element, [None, 1]) for one in inputs]


@dataclass(frozen=True)
class _Known:
    """An input: its number or an indicator for each code, and 1 where it is missing."""

    value: str
    missing: str


def encoded_columns(graph: Graph, description: Description, inputs: list[str]) -> tuple[str, str]:
    """Return the encoded columns, zero where missing, and a column 0 or 1 for each feature."""
    double = graph.onnx.TensorProto.DOUBLE
    plain = all(given.kind != "levels" for given in description.inputs)
    if len(inputs) == 1 and plain and not description.derives:
        whole = _number(graph, graph.cast(inputs[0], double))
        return whole.value, whole.missing
    known = []
    for j, given in enumerate(description.inputs):
        one = inputs[0 if len(inputs) == 1 else j]
        if len(inputs) == 1 < len(description.inputs):
            one = graph.add("Gather", one, graph.constant(np.array([j])), axis=1)
        if not given.is_text:
            one = graph.cast(one, double)
        is_coded = given.kind == "levels"
        known.append(_indicators(graph, one, given) if is_coded else _number(graph, one))
    features = [
        _feature(graph, feature, description.inputs[feature.source], known[feature.source])
        for feature in description.features
    ]
    columns = graph.add("Concat", *(one.value for one in features), axis=1)
    return columns, graph.add("Concat", *(one.missing for one in features), axis=1)


def _number(graph: Graph, column: str) -> _Known:
    absent = graph.add("IsNaN", column)
    value = graph.add("Where", absent, graph.constant(np.zeros((1, 1))), column)
    return _Known(value, graph.cast(absent, graph.onnx.TensorProto.DOUBLE))


def _indicators(graph: Graph, column: str, given: Input) -> _Known:
    """Return an indicator for each code, and whether there is none."""
    double = graph.onnx.TensorProto.DOUBLE
    ones = graph.constant(np.ones((1, 1)))
    levels, unknown = given.levels, given.unknown
    if given.is_text:
        if not all(isinstance(level, str) for level in levels):
            raise TypeError(
                f"export_onnx needs levels that are all text or all numbers, got {levels}."
            )
        codes = {str(level): code for code, level in enumerate(levels)} | {"": -1}  # missing
        column = graph.add(
            "LabelEncoder",
            column,
            domain="ai.onnx.ml",
            keys_strings=list(codes),
            values_int64s=list(codes.values()),
            default_int64=-1 if unknown is None else unknown,
        )
        n_codes = max(1, len(levels) + (unknown is not None))
        present = graph.add("Equal", column, graph.constant(np.arange(n_codes)[np.newaxis]))
        present = graph.cast(present, double)
    else:
        # A category without levels compares with NaN, which equals nothing.
        wanted = np.array([[float(one) for one in levels] or [np.nan]])
        present = graph.cast(graph.add("Equal", column, graph.constant(wanted)), double)
        n_codes = wanted.size
        if unknown is not None:
            absent = graph.cast(graph.add("IsNaN", column), double)
            seen = graph.add("Add", absent, _row_sum(graph, present, n_codes))
            others = graph.add("Sub", ones, seen)
            present = graph.add("Concat", present, others, axis=1) if levels else others
            n_codes = len(levels) + 1
    missing = graph.add("Sub", ones, _row_sum(graph, present, n_codes))
    return _Known(present, missing)


def _row_sum(graph: Graph, columns: str, width: int) -> str:
    return graph.add("MatMul", columns, graph.constant(np.ones((width, 1))))


def _feature(graph: Graph, feature: Feature, given: Input, known: _Known) -> _Known:
    """Return the value of a feature, zero where it is missing."""
    if feature.what == "missing":
        never = graph.add("Sub", known.missing, known.missing)
        return _Known(known.missing, never)
    if feature.what == "encoded":
        table = graph.constant(np.array(feature.table)[:, np.newaxis])
        return _Known(graph.add("MatMul", known.value, table), known.missing)
    if feature.what != "itself":
        part = _date_part(graph, known.value, feature.what)
        kept = graph.add("Sub", graph.constant(np.ones((1, 1))), known.missing)
        return _Known(graph.add("Mul", part, kept), known.missing)
    if given.kind == "levels" and feature.levels is None:  # ordered levels
        places = graph.constant(np.arange(float(max(1, len(given.levels))))[:, np.newaxis])
        return _Known(graph.add("MatMul", known.value, places), known.missing)
    return known


def _date_part(graph: Graph, days: str, part: str) -> str:
    """Return a part of dates, given in days since 1970-01-01; years begin in March."""

    def number(value: float) -> str:
        return graph.constant(np.array([[value]]))

    def floor(value: str, divisor: float) -> str:
        return graph.add("Floor", graph.add("Div", value, number(divisor)))

    def sum_of(*terms: tuple[float, str]) -> str:
        return graph.add("Sum", *(graph.add("Mul", number(factor), one) for factor, one in terms))

    one = number(1.0)
    day = graph.add("Floor", days)
    if part == "weekday":
        shifted = sum_of((1.0, day), (3.0, one))
        return sum_of((1.0, shifted), (-7.0, floor(shifted, 7.0)))
    if part == "hour":
        return graph.add("Floor", sum_of((24.0, graph.add("Sub", days, day)), (1e-6, one)))
    shifted = sum_of((1.0, day), (719468.0, one))
    era = floor(shifted, 146097.0)
    rest = sum_of((1.0, shifted), (-146097.0, era))
    steps = sum_of(
        (1.0, rest),
        (-1.0, floor(rest, 1460.0)),
        (1.0, floor(rest, 36524.0)),
        (-1.0, floor(rest, 146096.0)),
    )
    year = floor(steps, 365.0)
    of_year = sum_of(
        (1.0, rest), (-365.0, year), (-1.0, floor(year, 4.0)), (1.0, floor(year, 100.0))
    )
    month = floor(sum_of((5.0, of_year), (2.0, one)), 153.0)
    next_year = graph.cast(graph.add("Greater", month, number(9.0)), graph.onnx.TensorProto.DOUBLE)
    if part == "year":
        return sum_of((1.0, year), (400.0, era), (1.0, next_year))
    if part == "month":
        return sum_of((1.0, month), (3.0, one), (-12.0, next_year))
    return sum_of(
        (1.0, of_year), (-1.0, floor(sum_of((153.0, month), (2.0, one)), 5.0)), (1.0, one)
    )
