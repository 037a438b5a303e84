"""From gates back to tests: an ordinary tree, counted anew and without what nobody needs."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from aslant.prune.base import class_weights
from aslant.refine.soft import Planes
from aslant.sample import Sample
from aslant.tree import Tree

Vector = npt.NDArray[np.float64]


def with_planes(tree: Tree, planes: Planes) -> Tree:
    """Return the tree with other hyperplanes as its tests; its counts stay as they were."""
    used = [np.flatnonzero(row) for row in planes.coef]
    arrays = tree.arrays()
    arrays["children"] = tree.children[:, :2]
    arrays["row_start"] = np.concatenate([[0], np.cumsum(~tree.is_leaf)])
    arrays["coef_start"] = np.concatenate([[0], np.cumsum([len(columns) for columns in used])])
    nothing = np.zeros(0, dtype=np.intp)
    rows = np.repeat(np.arange(len(used)), [len(columns) for columns in used])
    columns = np.concatenate([nothing, *used])
    arrays["coef_column"] = columns
    arrays["coef_value"] = planes.coef[rows, columns]
    arrays["coef_fill"] = planes.fill[rows, columns]
    arrays["offset"] = planes.threshold
    return Tree(n_features=tree.n_features, **arrays)


def settled(tree: Tree, sample: Sample) -> tuple[Tree, npt.NDArray[np.intp]]:
    """Count the rows of a sample in a tree, and leave out what they do not need.

    Branches that no row reaches disappear with the test above them, and a subtree whose leaves all
    predict one class becomes a leaf.

    Returns
    -------
    tree : Tree
        The smaller tree, with the counts of the sample.
    nodes : ndarray
        For each of its nodes the node that it was.
    """
    value = class_weights(tree, sample)
    reached = np.bincount(tree.apply(sample.X), minlength=tree.n_nodes)
    for node in range(tree.n_nodes - 1, 0, -1):
        reached[tree.parent[node]] += reached[node]
    children = [[c for c in row if c >= 0 and reached[c] > 0] for row in tree.children.tolist()]
    label = value.argmax(axis=1)
    is_leaf = tree.is_leaf.copy()
    for node in range(tree.n_nodes - 1, -1, -1):
        below = children[node]
        if below and all(is_leaf[c] for c in below) and len(set(label[below].tolist())) == 1:
            is_leaf[node] = True
            label[node] = label[below[0]]

    def stands_for(node: int) -> int:
        """Return the first node from here down that is a leaf or divides rows."""
        while not is_leaf[node] and len(children[node]) == 1:
            node = children[node][0]
        return node

    nodes, instead, pending = [], {}, [0]
    while pending:
        original = pending.pop()
        node = stands_for(original)
        instead[original] = node
        nodes.append(node)
        if not is_leaf[node]:
            pending += children[node][::-1]
    kept = np.array(nodes, dtype=np.intp)
    smaller = tree.rearranged(kept, is_leaf, instead, value=value, n_node_samples=reached)
    return smaller, kept


def shortened(tree: Tree, sample: Sample) -> Tree:
    """Return the tree with as few digits in its tests as leave all rows where they are.

    Coefficients get two significant digits or more; the threshold moves with the mean of the rows
    and then gets as few digits as possible.
    """
    leaf = tree.apply(sample.X)
    for node in np.flatnonzero(~tree.is_leaf).tolist():
        here = (leaf >= node) & (leaf < tree.subtree_end[node])
        right = leaf[here] >= tree.children[node, 1]
        with np.errstate(over="ignore", invalid="ignore"):  # sums beyond the range of numbers
            short = _short_test(tree, node, sample.X[here], sample.weight[here], right)
        if short is not None:
            tree = short
    return tree


def _short_test(
    tree: Tree,
    node: int,
    X: npt.NDArray[np.floating[Any]],
    weight: Vector,
    right: npt.NDArray[np.bool_],
) -> Tree | None:
    """Return the tree with fewer digits in one test, None if none can be spared."""
    row = tree.row_start[node]
    entries = slice(tree.coef_start[row], tree.coef_start[row + 1])
    columns, coef = tree.coef_column[entries], tree.coef_value[entries]
    values = _values(tree, X, columns, tree.coef_fill[entries])
    mean = np.average(values @ coef, weights=weight)
    for digits in range(2, 17):
        short = rounded(coef, digits)
        projection = values @ short
        low, high = projection[~right].max(), projection[right].min()
        if not (low < high and np.isfinite(high - low)):
            continue
        wanted = tree.offset[row] + np.average(projection, weights=weight) - mean
        arrays = tree.arrays()
        arrays["coef_value"] = tree.coef_value.copy()
        arrays["coef_value"][entries] = short
        arrays["offset"] = tree.offset.copy()
        arrays["offset"][row] = short_number_between(low, high, float(wanted))
        changed = Tree(n_features=tree.n_features, **arrays)
        # Prediction sums in another order: only if all rows agree is the short test as good.
        if ((changed.apply(X, start=node) >= tree.children[node, 1]) == right).all():
            return changed
    return None


def _values(
    tree: Tree,
    X: npt.NDArray[np.floating[Any]],
    columns: npt.NDArray[np.int32],
    fill: Vector,
) -> Vector:
    """Return what a test reads of each row, missing values filled."""
    values = X[:, tree.column_feature[columns]].astype(np.float64)
    level = tree.column_level[columns]
    indicators = np.where(np.isnan(values), np.nan, values == level)
    values = np.where(level >= 0, indicators, values)
    return np.where(np.isnan(values), fill, values)


def rounded(values: Vector, digits: int) -> Vector:
    """Return numbers with so many significant digits."""
    return np.array([float(f"{value:.{digits - 1}e}") for value in values.tolist()])


def short_number_between(low: float, high: float, wanted: float) -> float:
    """Return a number of few digits, at least low and less than high, close to the one wanted."""
    if not low <= wanted < high:
        wanted = low + 0.5 * (high - low)
    for digits in range(1, 17):
        short = float(f"{wanted:.{digits - 1}e}")
        if low <= short < high:
            return short
    return wanted if low <= wanted < high else low


def most_digits(values: Vector) -> int:
    """Return the significant digits that the longest of some numbers needs; at least 1."""
    mantissas = [np.format_float_scientific(v, trim="-").split("e")[0] for v in values.tolist()]
    return max([1, *(len(text.lstrip("-").replace(".", "")) for text in mantissas)])
