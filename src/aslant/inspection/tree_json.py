"""A fitted model as a JSON document: every test with its exact coefficients."""

from __future__ import annotations

import json
from typing import Any

from aslant.estimators import BaseTree, BaseTreeClassifier
from aslant.tree.regression_tree import RegressionTree
from aslant.tree.tree import Tree


def model_json(clf: BaseTree, members: list[BaseTree]) -> str:
    """Return a fitted estimator and those of its trees that are to be shown, a line per node.

    ``trees`` holds a list of nodes for each tree. A node is a leaf if its ``test`` is null. A test
    with a ``threshold`` sends a row to the first child if the sum of its terms is at most the
    threshold, else to the second; one with ``branches`` to the child whose terms and bias sum to
    the most. With soft probabilities tests have a ``steepness`` and leaves ``shares``: a row goes
    to the second child with probability 1 / (1 + exp(-steepness * (sum of terms - threshold))), and
    its probabilities are the shares weighted by the chance of each leaf, raised to ``exponent`` and
    made to sum to one. Soft numbers are the values of all leaves, so weighted.
    """
    head: dict[str, Any] = {
        "estimator": type(clf).__name__,
        "features": list(clf.encoder_.feature_names),
        **_target(clf),
    }
    if getattr(clf, "is_soft_", False) and isinstance(clf, BaseTreeClassifier):
        head["exponent"] = clf.gates_.exponent
    if hasattr(clf, "choice_"):
        head |= {"choice": clf.choice_, "candidates": clf.candidates_}
    lines = [f"{_line(name)}: {_line(value)}" for name, value in head.items()]
    trees = ["[\n  " + ",\n  ".join(map(_line, _nodes(member))) + "\n ]" for member in members]
    return "{" + ",\n ".join([*lines, f'"trees": [{", ".join(trees)}]']) + "}\n"


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _target(clf: BaseTree) -> dict[str, Any]:
    """Return what is predicted: the classes, or the number of outputs."""
    if isinstance(clf, BaseTreeClassifier):
        return {"classes": clf.classes_.tolist()}
    return {"outputs": clf.n_outputs_}


def _nodes(clf: BaseTree) -> list[dict[str, Any]]:
    tree = clf.tree_
    gates = getattr(clf, "gates_", None) if getattr(clf, "is_soft_", False) else None
    nodes = [
        {
            "node": node,
            "depth": int(tree.depth[node]),
            "rows": int(tree.n_node_samples[node]),
            **_outcome(clf, node),
            "test": _test(clf, node),
            "children": [child for child in tree.children[node].tolist() if child >= 0],
        }
        for node in range(tree.n_nodes)
    ]
    if gates is not None:
        for node, entry in enumerate(nodes):
            if entry["test"] is not None:
                entry["test"]["steepness"] = float(gates.steepness[node])
            elif isinstance(clf, BaseTreeClassifier):
                entry["shares"] = gates.share[node].tolist()
    return nodes


def _outcome(clf: BaseTree, node: int) -> dict[str, Any]:
    """Return what a node predicts.

    ``value`` is the mean of each output. With linear leaves a leaf adds, for every output, the
    ``terms`` and the ``constant`` of its function and the ``range`` that its sum is kept within.
    """
    tree = clf.tree_
    if not isinstance(tree, RegressionTree):
        label = clf.classes_.tolist()[int(tree.value[node].argmax())]
        return {"class": label, "class_weights": tree.value[node].tolist()}
    outcome: dict[str, Any] = {"value": tree.value[node].tolist()}
    if tree.is_linear and tree.is_leaf[node]:
        outcome["functions"] = [_function(clf, tree, node, q) for q in range(tree.n_outputs)]
    return outcome


def _function(clf: BaseTree, tree: RegressionTree, node: int, output: int) -> dict[str, Any]:
    coef, center = tree.leaf_coef[node, output], tree.leaf_center[node]
    low, high = float(tree.leaf_low[node, output]), float(tree.leaf_high[node, output])
    return {
        "terms": [
            _term(clf, tree, int(column), float(coef[column]), float(center[column]))
            for column in coef.nonzero()[0]
        ],
        "constant": float(tree.value[node, output] - coef @ center),
        "range": [low, high] if low > float("-inf") else None,
    }


def _test(clf: BaseTree, node: int) -> dict[str, Any] | None:
    tree = clf.tree_
    rows = range(int(tree.row_start[node]), int(tree.row_start[node + 1]))
    if not rows:
        return None
    if len(rows) == 1:
        row = rows[0]
        return {"terms": _terms(clf, tree, row), "threshold": float(tree.offset[row])}
    branches = [{"terms": _terms(clf, tree, row), "bias": float(tree.offset[row])} for row in rows]
    return {"branches": branches}


def _terms(clf: BaseTree, tree: Tree, row: int) -> list[dict[str, Any]]:
    """Return feature, coefficient and stand-in for a missing value of each term of a test.

    A term with a ``level`` counts 1 where the feature has that level and 0 elsewhere.
    """
    terms = []
    for entry in range(int(tree.coef_start[row]), int(tree.coef_start[row + 1])):
        column, coef = int(tree.coef_column[entry]), float(tree.coef_value[entry])
        terms.append(_term(clf, tree, column, coef, float(tree.coef_fill[entry])))
    return terms


def _term(clf: BaseTree, tree: Tree, column: int, coef: float, fill: float) -> dict[str, Any]:
    feature, level = int(tree.column_feature[column]), int(tree.column_level[column])
    term: dict[str, Any] = {"feature": clf.encoder_.feature_names[feature]}
    if level >= 0:
        term["level"] = clf.encoder_.categories[feature][level]
    term["coefficient"] = coef
    term["if_missing"] = fill
    return term
