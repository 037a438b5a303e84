"""A fitted model as a JSON document: every test with its exact coefficients."""

from __future__ import annotations

import json
from typing import Any

from aslant.estimators import BaseTreeClassifier
from aslant.tree import Tree


def model_json(clf: BaseTreeClassifier, members: list[BaseTreeClassifier]) -> str:
    """Return a fitted estimator and those of its trees that are to be shown, a line per node.

    ``trees`` holds a list of nodes for each tree. A node is a leaf if its ``test`` is null. A test
    with a ``threshold`` sends a row to the first child if the sum of its terms is at most the
    threshold, else to the second; one with ``branches`` to the child whose terms and bias sum to
    the most.
    """
    head = {
        "estimator": type(clf).__name__,
        "features": list(clf.encoder_.feature_names),
        "classes": clf.classes_.tolist(),
    }
    lines = [f"{_line(name)}: {_line(value)}" for name, value in head.items()]
    trees = ["[\n  " + ",\n  ".join(map(_line, _nodes(member))) + "\n ]" for member in members]
    return "{" + ",\n ".join([*lines, f'"trees": [{", ".join(trees)}]']) + "}\n"


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _nodes(clf: BaseTreeClassifier) -> list[dict[str, Any]]:
    tree, labels = clf.tree_, clf.classes_.tolist()
    return [
        {
            "node": node,
            "depth": int(tree.depth[node]),
            "rows": int(tree.n_node_samples[node]),
            "class": labels[int(tree.value[node].argmax())],
            "class_weights": tree.value[node].tolist(),
            "test": _test(clf, node),
            "children": [child for child in tree.children[node].tolist() if child >= 0],
        }
        for node in range(tree.n_nodes)
    ]


def _test(clf: BaseTreeClassifier, node: int) -> dict[str, Any] | None:
    tree = clf.tree_
    rows = range(int(tree.row_start[node]), int(tree.row_start[node + 1]))
    if not rows:
        return None
    if len(rows) == 1:
        row = rows[0]
        return {"terms": _terms(clf, tree, row), "threshold": float(tree.offset[row])}
    branches = [{"terms": _terms(clf, tree, row), "bias": float(tree.offset[row])} for row in rows]
    return {"branches": branches}


def _terms(clf: BaseTreeClassifier, tree: Tree, row: int) -> list[dict[str, Any]]:
    """Return feature, coefficient and stand-in for a missing value of each term of a test.

    A term with a ``level`` counts 1 where the feature has that level and 0 elsewhere.
    """
    terms = []
    for entry in range(int(tree.coef_start[row]), int(tree.coef_start[row + 1])):
        column = int(tree.coef_column[entry])
        feature, level = int(tree.column_feature[column]), int(tree.column_level[column])
        term: dict[str, Any] = {"feature": clf.encoder_.feature_names[feature]}
        if level >= 0:
            term["level"] = clf.encoder_.categories[feature][level]
        term["coefficient"] = float(tree.coef_value[entry])
        term["if_missing"] = float(tree.coef_fill[entry])
        terms.append(term)
    return terms
