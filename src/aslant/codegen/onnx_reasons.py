"""The reasons of a prediction as nodes of a graph: see `aslant.codegen.reasons`.

All comparisons are computed at once. A column of `parts` is what one feature adds to one function;
matrices of zeros and ones sum these columns by function, by comparison and by feature.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from aslant.codegen.description import Description, Term
from aslant.codegen.onnx_builder import Array, Graph
from aslant.codegen.onnx_sums import linear_functions
from aslant.codegen.reasons import LARGEST, Comparison, each_comparison, features_of, key_base

_LEAST = -1e308  # below every value


@dataclass(frozen=True)
class _Part:
    """What a feature adds to a function of a comparison; functions are counted through all."""

    comparison: int
    function: int
    feature: int
    terms: list[Term]


def reason_names(
    graph: Graph, description: Description, leaf: str, row: tuple[str, str], n_reasons: int
) -> str:
    """Add the names of the features that contribute most, and return that of the result.

    It has a row of `n_reasons` texts for each row; they are empty if fewer features contribute.
    """
    comparisons = each_comparison(description)
    features = features_of(comparisons)
    if not features:
        ones = graph.add("Sub", graph.slice(leaf, 0, 1), graph.slice(leaf, 0, 1))
        places = graph.add("Concat", *([ones] * n_reasons), axis=1)
        return graph.add("Gather", graph.constant(np.array([""])), places, axis=0)
    parts = _parts(comparisons)
    values = linear_functions(graph, description, *row, [part.terms for part in parts])
    at_mean = np.array([[sum(t.coef * t.fill for t in part.terms) for part in parts]])
    added = graph.add("Sub", values, graph.constant(at_mean))
    chosen = _chosen(graph, comparisons, parts, leaf, added)
    n_functions = sum(len(one.functions) for one in comparisons)
    own = _ones([part.function for part in parts], n_functions)
    shares = graph.add("Mul", added, _times(graph, chosen, own.T))
    # The parts of several functions are summed by comparison and feature.
    pairs = sorted({(part.comparison, part.feature) for part in parts})
    shares = _times(
        graph, shares, _ones([pairs.index((part.comparison, part.feature)) for part in parts])
    )
    of_pair = _ones([c for c, _ in pairs], len(comparisons))
    sizes = _times(graph, _times(graph, graph.add("Abs", shares), of_pair), of_pair.T)
    none = graph.add("Equal", sizes, graph.constant(np.zeros((1, 1))))
    some = graph.add("Add", sizes, graph.cast(none, graph.onnx.TensorProto.DOUBLE))
    totals = _times(
        graph, graph.add("Div", shares, some), _ones([features.index(j) for _, j in pairs])
    )
    names = [description.features[j].name for j in features]
    return _ranked(graph, totals, names, n_reasons)


def _parts(comparisons: list[Comparison]) -> list[_Part]:
    found, first = [], 0
    for c, one in enumerate(comparisons):
        for k in range(len(one.functions)):
            for j in one.features:
                if one.terms(k, j):
                    found.append(_Part(c, first + k, j, one.terms(k, j)))
        first += len(one.functions)
    return found


def _chosen(
    graph: Graph, comparisons: list[Comparison], parts: list[_Part], leaf: str, added: str
) -> str:
    """Return for each function 1 if it wins its comparison, -1 if it is second, else 0."""
    double = graph.onnx.TensorProto.DOUBLE
    n_functions = sum(len(one.functions) for one in comparisons)
    reached = graph.add("Gather", leaf, graph.constant(np.array(0)), axis=1)
    at_mean = np.array([[at for one in comparisons for at, _ in one.functions]])
    sums = _times(graph, added, _ones([part.function for part in parts], n_functions))
    values = graph.add("Add", sums, graph.constant(at_mean))
    found, first = [], 0
    for one in comparisons:
        known = graph.constant(_known(one, _n_leaves(comparisons)))
        table = graph.add("Gather", known, reached, axis=0)
        last = first + len(one.functions)
        if one.is_open:
            own = graph.slice(values, first, last)
            n_own = last - first
            if one.leaves(LARGEST):
                on_leaf = np.zeros((_n_leaves(comparisons), 1))
                on_leaf[one.leaves(LARGEST)] = 1.0
                here = graph.add("Gather", graph.constant(on_leaf), reached, axis=0)
                table = graph.add("Add", table, graph.add("Mul", here, _first(graph, own, n_own)))
            is_winner = graph.cast(table, graph.onnx.TensorProto.BOOL)
            least = graph.constant(np.array([[_LEAST]]))
            second = _first(graph, graph.add("Where", is_winner, least, own), n_own)
            on_path = graph.add(
                "MatMul", table, graph.constant(np.ones((n_own, n_own)))
            )  # 1 in every column, or 0
            table = graph.add("Sub", table, graph.add("Mul", on_path, second))
        found.append(graph.cast(table, double))
        first = last
    return graph.add("Concat", *found, axis=1)


def _known(one: Comparison, n_leaves: int) -> Array:
    """Return by leaf the function that wins; of two, also the one that does not."""
    table = np.zeros((n_leaves, len(one.functions)))
    for leaf, winner in one.winner.items():
        if winner != LARGEST:
            table[leaf, winner] = 1.0
            if not one.is_open:
                table[leaf, 1 - winner] = -1.0
    return table


def _n_leaves(comparisons: list[Comparison]) -> int:
    return 1 + max(leaf for one in comparisons for leaf in one.winner)


def _first(graph: Graph, values: str, n: int) -> str:
    """Return 1 in the column of the first largest value, else 0."""
    place = graph.add("ArgMax", values, axis=1, keepdims=1)
    is_place = graph.add("Equal", place, graph.constant(np.arange(n)[np.newaxis]))
    return graph.cast(is_place, graph.onnx.TensorProto.DOUBLE)


def _ranked(graph: Graph, totals: str, names: list[str], n_reasons: int) -> str:
    """Return the names of the largest contributions."""

    def number(value: float) -> str:
        return graph.constant(np.array([[value]]))

    billionths = graph.add("Add", graph.add("Mul", totals, number(1e9)), number(0.5))
    units = graph.add("Floor", billionths)
    base, n = number(key_base(range(len(names)))), len(names)
    from_end = graph.constant(np.arange(float(n), 0.0, -1.0)[np.newaxis])
    keys = graph.add("Add", graph.add("Mul", units, base), from_end)
    is_reason = graph.add("Greater", units, number(0.0))
    keys = graph.add("Where", is_reason, keys, number(0.0))
    top = graph.largest(keys, min(n, n_reasons))
    place = graph.cast(graph.add("Mod", top, base, fmod=1), graph.onnx.TensorProto.INT64)
    if n_reasons > n:
        first = graph.slice(place, 0, 1)
        zero = graph.add("Sub", first, first)
        place = graph.add("Concat", place, *([zero] * (n_reasons - n)), axis=1)
    return graph.add("Gather", graph.constant(np.array(["", *reversed(names)])), place, axis=0)


def _times(graph: Graph, name: str, matrix: Array) -> str:
    return graph.add("MatMul", name, graph.constant(matrix))


def _ones(columns: list[int], n_columns: int | None = None) -> Array:
    """Return a matrix with a 1 in each row, at the given column."""
    matrix = np.zeros((len(columns), max(columns) + 1 if n_columns is None else n_columns))
    matrix[np.arange(len(columns)), columns] = 1.0
    return matrix
