"""The linear functions of a model as matrix products, and the branches they lead to."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from aslant.codegen.description import Description, Node, Term
from aslant.codegen.onnx_builder import Graph


def sums_of(graph: Graph, description: Description, columns: str, missing: str) -> str:
    """Return the sums of all tests, without offsets: hyperplanes first, then machines."""
    planes, machines = _tests(description)
    functions = [one.terms for node in (*planes, *machines) for one in node.functions]
    return linear_functions(graph, description, columns, missing, functions or [()])


def linear_functions(
    graph: Graph,
    description: Description,
    columns: str,
    missing: str,
    functions: Sequence[Sequence[Term]],
) -> str:
    """Return the sum of each list of terms; the fill of a term replaces a missing value."""
    widths = [1 if f.levels is None else max(1, len(f.levels)) for f in description.features]
    coefs = np.zeros((sum(widths), len(functions)))
    instead = np.zeros((len(widths), len(functions)))
    for k, terms in enumerate(functions):
        for term in terms:
            coefs[term.column, k] = term.coef
            instead[term.feature, k] += term.coef * term.fill
    known = graph.add("MatMul", columns, graph.constant(coefs))
    unknown = graph.add("MatMul", missing, graph.constant(instead))
    return graph.add("Add", known, unknown)


def branches(graph: Graph, description: Description, sums: str) -> str:
    """Return the number of the branch taken at every test."""
    element = graph.onnx.TensorProto
    planes, machines = _tests(description)
    parts = []
    if planes or not machines:  # a tree without tests compares 0 with 0
        offsets = np.array([[node.functions[0].offset for node in planes] or [0.0]])
        own = graph.slice(sums, 0, max(1, len(planes)))
        parts.append(graph.cast(graph.add("Greater", own, graph.constant(offsets)), element.FLOAT))
    first = len(planes)
    for node in machines:
        last = first + len(node.functions)
        bias = graph.constant(np.array([[one.offset for one in node.functions]]))
        values = graph.add("Add", graph.slice(sums, first, last), bias)
        branch = graph.add("ArgMax", values, axis=1, keepdims=1)
        parts.append(graph.cast(branch, element.FLOAT))
        first = last
    return graph.add("Concat", *parts, axis=1)


def _tests(description: Description) -> tuple[list[Node], list[Node]]:
    tests = [node for tree in description.trees for node in tree if not node.is_leaf]
    planes = [node for node in tests if len(node.functions) == 1]
    return planes, [node for node in tests if len(node.functions) > 1]
