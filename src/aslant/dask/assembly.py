"""Nodes while a tree is growing over partitions, and the arrays they become."""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from aslant.dask.part import Array, FitPlan, Floats, Test


@dataclass
class Place:
    """A node while the tree is growing."""

    key: int
    depth: int
    rows: int = 0
    statistics: Floats = field(default_factory=lambda: np.zeros(0))
    impurity: float = 0.0
    gain: float = 0.0
    keeps_empty: bool = False  # whether a child may exist that no row takes
    test: Test | None = None
    children: list[Place] = field(default_factory=list)
    subtree: dict[str, Any] | None = None

    def weight(self, plan: FitPlan) -> float:
        """Return its weight."""
        return float(self.statistics.sum() if plan.n_classes else self.statistics[0])


def flattened(root: Place, plan: FitPlan) -> dict[str, Any]:
    """Return the arrays of a tree, nodes in depth-first preorder, as the core returns them."""
    builder = _Builder(plan)
    stack = [(root, -1)]
    while stack:
        place, parent = stack.pop()
        if place.subtree is not None:
            builder.graft(place.subtree["tree"], parent)
            continue
        number = builder.add(place, parent)
        stack += [(child, number) for child in reversed(place.children)]
    return builder.arrays()


class _Builder:
    """Arrays of a tree that grow node by node."""

    def __init__(self, plan: FitPlan) -> None:
        self._plan = plan
        self._parent: list[int] = []
        self._lists: dict[str, list[npt.NDArray[Any]]] = {
            name: [] for name in ("value", "n_node_samples", "impurity", "rows", "size", "offset")
        }
        for name in ("coef_column", "coef_value", "coef_fill"):
            self._lists[name] = []

    def add(self, place: Place, parent: int) -> int:
        """Add one node and return its number."""
        self._parent.append(parent)
        test = place.test
        n_vectors = 0 if test is None else len(test["offset"])
        new: dict[str, Any] = {
            "value": place.statistics[np.newaxis],
            "n_node_samples": [place.rows],
            "impurity": [place.impurity],
            "rows": [n_vectors],
            "size": [] if test is None else np.diff(test["start"]),
            "offset": [] if test is None else test["offset"],
            "coef_column": [] if test is None else test["column"],
            "coef_value": [] if test is None else test["coef"],
            "coef_fill": [] if test is None else test["fill"],
        }
        self._append(new)
        return len(self._parent) - 1

    def graft(self, tree: dict[str, Any], parent: int) -> None:
        """Add the nodes of a subtree."""
        first = len(self._parent)
        parents = np.full(len(tree["children"]), -1)
        inner, slot = np.nonzero(tree["children"] >= 0)
        parents[tree["children"][inner, slot]] = inner
        self._parent += [parent, *(parents[1:] + first).tolist()]
        self._append(
            {
                **{name: tree[name] for name in ("value", "n_node_samples", "impurity", "offset")},
                **{name: tree[name] for name in ("coef_column", "coef_value", "coef_fill")},
                "rows": np.diff(tree["row_start"]),
                "size": np.diff(tree["coef_start"]),
            }
        )

    def _append(self, new: dict[str, Any]) -> None:
        for name, values in new.items():
            self._lists[name].append(np.asarray(values))

    def arrays(self) -> dict[str, Any]:
        """Return the arrays."""
        whole = {name: np.concatenate(values) for name, values in self._lists.items()}
        parent = np.array(self._parent)
        n_children = np.bincount(parent[1:], minlength=len(parent)) if len(parent) > 1 else [0]
        children = np.full((len(parent), max(2, int(np.max(n_children)))), -1, dtype=np.int32)
        slot = np.zeros(len(parent), dtype=np.intp)
        for node in range(1, len(parent)):
            children[parent[node], slot[parent[node]]] = node
            slot[parent[node]] += 1
        return {
            "children": children,
            "row_start": _starts(whole["rows"], np.int32),
            "coef_start": _starts(whole["size"], np.int64),
            "coef_column": whole["coef_column"].astype(np.int32),
            "coef_value": whole["coef_value"].astype(np.float64),
            "coef_fill": whole["coef_fill"].astype(np.float64),
            "offset": whole["offset"].astype(np.float64),
            "column_feature": np.array(self._plan.columns[0]),
            "column_level": np.array(self._plan.columns[1]),
            "value": whole["value"].astype(np.float64),
            "n_node_samples": whole["n_node_samples"].astype(np.int64),
            "impurity": whole["impurity"].astype(np.float64),
            "n_features": int(self._plan.columns[0].max()) + 1,
        }


def _starts(sizes: Array, dtype: type[np.integer[Any]]) -> Array:
    return np.concatenate([[0], np.cumsum(sizes)]).astype(dtype)


def keep_best_first(root: Place, max_leaf_nodes: int) -> None:
    """Reduce a full tree to the tree of best-first growth.

    A node's split does not depend on the order in which nodes are divided, so the order can be
    played again on the full tree: the split of the highest gain, times weight, comes next.
    """
    _expand(root)
    waiting: list[tuple[float, int, Place]] = []
    kept: set[int] = set()
    order, leaves = 1, 1
    if root.children:
        heapq.heappush(waiting, (0.0, 0, root))
    while waiting:
        place = heapq.heappop(waiting)[2]
        more = len(place.children) - 1
        if leaves + more > max_leaf_nodes:
            continue
        leaves += more
        kept.add(id(place))
        for child in place.children:
            if child.children:
                heapq.heappush(waiting, (-child.gain, order, child))
                order += 1
    stack = [root]
    while stack:
        place = stack.pop()
        if id(place) not in kept:
            place.children, place.test = [], None
        stack += place.children


def _expand(root: Place) -> None:
    """Return growing nodes for the nodes of subtrees."""
    stack = [root]
    while stack:
        place = stack.pop()
        if place.subtree is not None:
            made = _places_of(place.subtree)
            for name in ("rows", "statistics", "impurity", "gain", "test", "children"):
                setattr(place, name, getattr(made, name))
            place.subtree = None
        stack += place.children


def _places_of(subtree: dict[str, Any]) -> Place:
    tree = subtree["tree"]
    places = []
    for i in range(len(tree["children"])):
        place = Place(0, 0, int(tree["n_node_samples"][i]), tree["value"][i])
        place.impurity, place.gain = float(tree["impurity"][i]), float(subtree["gain"][i])
        first, last = tree["row_start"][i], tree["row_start"][i + 1]
        if last > first:
            begin, end = tree["coef_start"][first], tree["coef_start"][last]
            place.test = {
                "start": tree["coef_start"][first : last + 1] - begin,
                "column": tree["coef_column"][begin:end],
                "coef": tree["coef_value"][begin:end],
                "fill": tree["coef_fill"][begin:end],
                "offset": tree["offset"][first:last],
            }
        places.append(place)
    for place, children in zip(places, tree["children"], strict=True):
        place.children = [places[child] for child in children if child >= 0]
    return places[0]
