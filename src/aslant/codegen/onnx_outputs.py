"""From leaves or gates to the outputs of an ONNX graph."""

from __future__ import annotations

import numpy as np

from aslant.codegen.description import Combination, Description, Node
from aslant.codegen.onnx_builder import Graph
from aslant.codegen.onnx_sums import linear_functions

_LEAST = 1e-300  # lower bound of a soft probability, as in the core


def combined(
    graph: Graph, description: Description, leaf: str, columns: str, missing: str
) -> tuple[str, str]:
    """Return the index of the class and the outputs, from the leaves in all trees."""
    leaves = description.leaves()
    outputs, votes = [], []
    for t, (own, weight) in enumerate(zip(leaves, description.weights, strict=True)):
        reached = graph.add("Gather", leaf, graph.constant(np.array(t)), axis=1)
        if description.is_linear:
            outputs.append(_slopes(graph, description, own, (leaf, columns, missing), t))
        else:
            table = weight * np.array([node.output for node in own])
            outputs.append(graph.add("Gather", graph.constant(table), reached, axis=0))
        if description.is_logit:
            proba = graph.add("Softmax", outputs[0], axis=1)
            return graph.add("ArgMax", proba, axis=1, keepdims=0), proba
        winners = np.array([node.winner for node in own])
        if description.combination is Combination.SINGLE:
            return graph.add("Gather", graph.constant(winners), reached, axis=0), outputs[0]
        vote = np.eye(description.n_outputs)[winners]
        votes.append(graph.add("Gather", graph.constant(vote), reached, axis=0))
    total = graph.add("Sum", *outputs)
    divisor = graph.constant(np.array(description.divisor))
    if description.combination is not Combination.VOTES:
        mean = graph.add("Div", total, divisor)
        return graph.add("ArgMax", mean, axis=1, keepdims=0), mean
    counted = graph.add("Sum", *votes)
    tie = graph.add("Div", total, graph.constant(np.array(2.0 * len(leaves) + 2.0)))
    winner = graph.add("ArgMax", graph.add("Add", counted, tie), axis=1, keepdims=0)
    return winner, graph.add("Div", counted, divisor)


def _slopes(
    graph: Graph,
    description: Description,
    leaves: list[Node],
    row: tuple[str, str, str],
    t: int,
) -> str:
    """Return the predictions of the linear leaves of one tree, times the weight of the tree."""
    leaf, columns, missing = row
    reached = graph.slice(leaf, t, t + 1)
    weight = graph.constant(np.array(description.weights[t]))
    outputs = []
    for q in range(description.n_outputs):
        kept = _all_slopes(graph, description, leaves, (columns, missing), q)
        outputs.append(graph.add("GatherElements", kept, reached, axis=1))
    return graph.add("Mul", graph.add("Concat", *outputs, axis=1), weight)


def _all_slopes(
    graph: Graph, description: Description, leaves: list[Node], row: tuple[str, str], output: int
) -> str:
    """Return one output of all linear leaves of a tree, a column for each."""
    slopes = [node.slopes[output] for node in leaves]
    terms = [slope.terms for slope in slopes]
    sums = linear_functions(graph, description, *row, terms)
    # Terms are relative to their fill, so the constant subtracts their sum there.
    at_fill = [slope.value - sum(term.coef * term.fill for term in slope.terms) for slope in slopes]
    values = graph.add("Add", sums, graph.constant(np.array([at_fill])))
    low = graph.constant(np.array([[slope.low for slope in slopes]]))
    high = graph.constant(np.array([[slope.high for slope in slopes]]))
    return graph.add("Min", graph.add("Max", values, low), high)


def soft_outputs(
    graph: Graph, description: Description, sums: str, columns: str, missing: str
) -> str:
    """Return the outputs of all leaves, weighted by the probability of reaching them."""
    parts = _reached(graph, description, sums)
    (leaves,) = description.leaves()
    if not description.is_linear:
        table = np.array([node.output for node in leaves])
        return graph.add("MatMul", parts, graph.constant(table))
    ones = graph.constant(np.ones((len(leaves), 1)))
    outputs = [
        graph.add(
            "MatMul",
            graph.add("Mul", parts, _all_slopes(graph, description, leaves, (columns, missing), q)),
            ones,
        )
        for q in range(description.n_outputs)
    ]
    return graph.add("Concat", *outputs, axis=1)


def sharpened(graph: Graph, description: Description, proba: str) -> str:
    """Return probabilities raised to the exponent and normalized."""
    n_classes = description.n_outputs
    if description.prior:
        proba = graph.add("Add", proba, graph.constant(np.array([[description.prior]])))
    proba = graph.add("Max", proba, graph.constant(np.array([[_LEAST]])))
    greatest = graph.add("Max", *(graph.slice(proba, k, k + 1) for k in range(n_classes)))
    exponent = graph.constant(np.array([[description.exponent]]))
    powers = graph.add("Pow", graph.add("Div", proba, greatest), exponent)
    total = graph.add("MatMul", powers, graph.constant(np.ones((n_classes, 1))))
    return graph.add("Div", powers, total)


def _reached(graph: Graph, description: Description, sums: str) -> str:
    """Return the probability of reaching every leaf, a column for each."""
    tree = description.trees[0]
    tests = [node for node in tree if not node.is_leaf]
    one = graph.constant(np.ones((1, 1)))
    steepness = np.array([[node.steepness for node in tests] or [0.0]])
    offsets = np.array([[node.functions[0].offset for node in tests] or [0.0]])
    distance = graph.add("Sub", sums, graph.constant(offsets))
    score = graph.add("Mul", distance, graph.constant(-steepness))
    gates = graph.add("Div", one, graph.add("Add", one, graph.add("Exp", score)))
    others = graph.add("Sub", one, gates)
    first = graph.slice(gates, 0, 1)
    path = {0: graph.add("Add", one, graph.add("Sub", first, first))}  # a one for every row
    reached, k = [], 0
    for i, node in enumerate(tree):
        if node.is_leaf:
            reached.append(path[i])
            continue
        for child, gate in zip(node.children, (others, gates), strict=True):
            path[child] = graph.add("Mul", path[i], graph.slice(gate, k, k + 1))
        k += 1
    return graph.add("Concat", *reached, axis=1)
