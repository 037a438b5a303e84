"""A fitted model as a JSON document: every test with its exact coefficients."""

from __future__ import annotations

import json
from typing import Any

from aslant.codegen.describe import describe
from aslant.codegen.description import Description, Node, Slope, Term
from aslant.estimators import BaseTree
from aslant.tree.tree import Tree


def model_json(estimator: BaseTree, members: list[BaseTree]) -> str:
    """Return a fitted estimator and those of its trees that are to be shown, a line per node.

    ``trees`` holds a list of nodes for each tree. A node is a leaf if its ``test`` is null. A test
    with a ``threshold`` sends a row to the first child if the sum of its terms is at most the
    threshold, else to the second; one with ``branches`` to the child whose terms and bias sum to
    the most. A leaf with ``functions`` predicts their values; of classes they are logits, and the
    probabilities are their softmax. Soft tests have a ``steepness``, and soft leaves of classes
    ``shares``: a row goes to the second child with probability 1 / (1 + exp(-steepness * (sum of
    terms - threshold))), and its probabilities are the shares weighted by the probability of
    reaching each leaf, raised to ``exponent`` and normalized. Soft regression predicts the values
    of all leaves, so weighted.
    """
    is_soft = bool(getattr(estimator, "is_soft_", False))
    has_classes = hasattr(estimator, "classes_")
    head: dict[str, Any] = {
        "estimator": type(estimator).__name__,
        "features": list(estimator.encoder_.feature_names),
        **(
            {"classes": estimator.classes_.tolist()}
            if has_classes
            else {"outputs": estimator.n_outputs_}
        ),
    }
    if is_soft and has_classes:
        head["exponent"] = estimator.gates_.exponent
    if hasattr(estimator, "choice_"):
        head |= {"choice": estimator.choice_, "candidates": estimator.candidates_}
    lines = [f"{_line(name)}: {_line(value)}" for name, value in head.items()]
    trees = ["[\n  " + ",\n  ".join(map(_line, _nodes(one, is_soft))) + "\n ]" for one in members]
    return "{" + ",\n ".join([*lines, f'"trees": [{", ".join(trees)}]']) + "}\n"


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _nodes(member: BaseTree, is_soft: bool) -> list[dict[str, Any]]:
    made, tree = describe(member, "show"), member.tree_
    nodes = [_node(made, tree, i, is_soft) for i in range(tree.n_nodes)]
    for leaf, counts in getattr(member, "observed_counts_", {}).items():
        nodes[leaf]["class_weights"] = counts
    return nodes


def _node(made: Description, tree: Tree, i: int, is_soft: bool) -> dict[str, Any]:
    node = made.trees[0][i]
    entry: dict[str, Any] = {"node": i, "depth": int(tree.depth[i]), "rows": node.rows}
    value = tree.value[i].tolist()
    if made.classes:
        entry |= {"class": made.classes[int(tree.value[i].argmax())], "class_weights": value}
    else:
        entry["value"] = value
    if node.slopes:
        entry["functions"] = [_function(made, slope) for slope in node.slopes]
    entry |= {"test": _test(made, node, is_soft), "children": list(node.children)}
    if is_soft and node.is_leaf and made.classes:
        entry["shares"] = list(node.output)
    return entry


def _function(made: Description, slope: Slope) -> dict[str, Any]:
    """Return a linear function, and the range that its value is clipped to."""
    return {
        "terms": [_term(made, term) for term in slope.terms],
        "constant": slope.value - sum(term.coef * term.fill for term in slope.terms),
        "range": [slope.low, slope.high] if slope.low > float("-inf") else None,
    }


def _test(made: Description, node: Node, is_soft: bool) -> dict[str, Any] | None:
    sums = [
        {"terms": [_term(made, term) for term in one.terms], "offset": one.offset}
        for one in node.functions
    ]
    if not sums:
        return None
    if len(sums) > 1:
        return {"branches": [{"terms": s["terms"], "bias": s["offset"]} for s in sums]}
    test = {"terms": sums[0]["terms"], "threshold": sums[0]["offset"]}
    return {**test, "steepness": node.steepness} if is_soft else test


def _term(made: Description, term: Term) -> dict[str, Any]:
    """Return a term; with a ``level``, it counts 1 if the feature has that level, else 0."""
    feature = made.features[term.feature]
    level = {} if term.level is None else {"level": (feature.levels or ())[term.level]}
    return {
        "feature": feature.name,
        **level,
        "coefficient": term.coef,
        "if_missing": term.fill,
    }
