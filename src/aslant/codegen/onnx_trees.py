"""The trees of a model as attributes of ONNX's tree operator.

The operator's input is the number of the branch that a row takes at each test, hyperplanes first,
then linear machines; its output is, for each tree, the number of the leaf. A test with k branches
becomes k - 1 comparisons: is the branch at most 0, at most 1, ...
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from aslant.codegen.description import Description, Node


def tree_attributes(description: Description) -> dict[str, Any]:
    """Return the attributes of a TreeEnsembleRegressor with one target for each tree."""
    columns = _test_columns(description)
    attributes: dict[str, list[Any]] = defaultdict(list)
    for t, tree in enumerate(description.trees):
        _add_tree(attributes, t, tree, columns[t])
    names = ("ids", "weights", "nodeids", "treeids")
    targets = {f"target_{name}": attributes.pop(f"target_{name}") for name in names}
    return {
        **attributes,
        **targets,
        "n_targets": len(description.trees),
        "aggregate_function": "SUM",
        "post_transform": "NONE",
    }


def _test_columns(description: Description) -> list[dict[int, int]]:
    """Return the column of the operator's input for every test, by tree and node."""
    columns: list[dict[int, int]] = [{} for _ in description.trees]
    count = 0
    for wants_machines in (False, True):
        for own, tree in zip(columns, description.trees, strict=True):
            for i, node in enumerate(tree):
                if not node.is_leaf and (len(node.functions) > 1) == wants_machines:
                    own[i] = count
                    count += 1
    return columns


def _add_tree(
    attributes: dict[str, list[Any]], t: int, tree: tuple[Node, ...], columns: dict[int, int]
) -> None:
    def add(node_id: int, mode: str, column: int, value: float, yes: int, no: int) -> None:
        for name, entry in {
            "treeids": t,
            "nodeids": node_id,
            "modes": mode,
            "featureids": column,
            "values": value,
            "truenodeids": yes,
            "falsenodeids": no,
            "hitrates": 1.0,
            "missing_value_tracks_true": 0,
        }.items():
            attributes[f"nodes_{name}"].append(entry)

    leaves = 0
    further = len(tree)  # numbers of the comparisons beyond the first of a test
    for i, node in enumerate(tree):
        if node.is_leaf:
            add(i, "LEAF", 0, 0.0, 0, 0)
            attributes["target_treeids"].append(t)
            attributes["target_nodeids"].append(i)
            attributes["target_ids"].append(t)
            attributes["target_weights"].append(float(leaves))
            leaves += 1
            continue
        here = i
        for k, child in enumerate(node.children[:-1]):
            is_last = k == len(node.children) - 2
            otherwise = node.children[-1] if is_last else further
            add(here, "BRANCH_LEQ", columns[i], k + 0.5, child, otherwise)
            if not is_last:
                here, further = further, further + 1
