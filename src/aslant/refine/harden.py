"""From gates back to tests: an ordinary tree, counted again and without unused columns."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from aslant.encoding.sample import Sample
from aslant.prune.base import class_weights
from aslant.refine.soft import Planes
from aslant.tree.regression_tree import RegressionTree
from aslant.tree.tree import Tree

Vector = npt.NDArray[np.float64]

# Rounding may move the score of a gate by so much, as a root mean square over the node's rows.
_LARGEST_CHANGE = 0.1


def with_planes(tree: Tree, planes: Planes) -> Tree:
    """Return the tree with other hyperplanes as its tests; its counts stay as they were."""
    rows, columns = np.nonzero(planes.coef)
    per_row = np.bincount(rows, minlength=len(planes.coef))
    return tree.rebuilt(
        children=tree.children[:, :2],
        row_start=np.concatenate([[0], np.cumsum(~tree.is_leaf)]),
        coef_start=np.concatenate([[0], np.cumsum(per_row)]),
        coef_column=columns,
        coef_value=planes.coef[rows, columns],
        coef_fill=planes.fill[rows, columns],
        offset=planes.threshold,
    )


def with_node_means(tree: Tree, sample: Sample) -> Tree:
    """Return the tree in which a missing value is the mean of the rows at the node.

    From the root down, because a fill decides which rows the nodes below see. A column that has no
    value at a node keeps its fill.
    """
    fill = tree.coef_fill.copy()
    rows_at = {0: np.arange(len(sample))}
    for node in np.flatnonzero(~tree.is_leaf).tolist():
        rows, row = rows_at.pop(node), tree.row_start[node]
        entries = slice(tree.coef_start[row], tree.coef_start[row + 1])
        values = _values(tree, sample.X[rows], tree.coef_column[entries])
        weight = np.where(np.isnan(values), 0.0, sample.weight[rows, np.newaxis])
        total = weight.sum(axis=0)
        present, values = total > 0.0, np.nan_to_num(values)
        size = np.abs(values).max(axis=0, initial=0.0)
        size[size == 0.0] = 1.0  # no sum of values near the largest number overflows
        mean = size * ((weight * (values / size)).sum(axis=0) / np.where(present, total, 1.0))
        fill[entries] = np.where(present, mean, fill[entries])
        with np.errstate(over="ignore", invalid="ignore"):  # sums beyond the range of numbers
            score = _filled(tree, sample.X[rows], entries, fill) @ tree.coef_value[entries]
        left, right = tree.children[node, :2].tolist()
        passes = score <= tree.offset[row]
        rows_at[left], rows_at[right] = rows[passes], rows[~passes]
    return tree.rebuilt(coef_fill=fill)


def settled(
    tree: Tree, sample: Sample, *, min_samples_leaf: int = 1
) -> tuple[Tree, npt.NDArray[np.intp]]:
    """Count the rows of a sample in a tree, and leave out what they do not need.

    Branches that no row reaches, or fewer than `min_samples_leaf`, disappear with the test above
    them, and a subtree whose leaves all predict one class becomes a leaf. Regression leaves get the
    means of their rows.

    Returns
    -------
    tree : Tree
        The smaller tree, with the counts of the sample.
    nodes : ndarray
        For each of its nodes the node that it was.
    """
    of_numbers = isinstance(tree, RegressionTree)
    value = tree.value if of_numbers else class_weights(tree, sample)
    reached = np.bincount(tree.apply(sample.X), minlength=tree.n_nodes).tolist()
    parent = tree.parent.tolist()
    for node in range(tree.n_nodes - 1, 0, -1):
        reached[parent[node]] += reached[node]
    least = max(1, min_samples_leaf)
    children = [
        [c for c in row if c >= 0 and reached[c] >= least] for row in tree.children.tolist()
    ]
    label = list(range(tree.n_nodes)) if of_numbers else value.argmax(axis=1).tolist()
    ends = [not below for below in children]
    for node in range(tree.n_nodes - 1, -1, -1):
        below = children[node]
        if below and all(ends[c] for c in below) and len({label[c] for c in below}) == 1:
            ends[node] = True
            label[node] = label[below[0]]

    def stands_for(node: int) -> int:
        """Return the first node from here down that is a leaf or divides rows."""
        while not ends[node] and len(children[node]) == 1:
            node = children[node][0]
        return node

    nodes, instead, pending = [], {}, [0]
    while pending:
        original = pending.pop()
        node = stands_for(original)
        instead[original] = node
        nodes.append(node)
        if not ends[node]:
            pending += children[node][::-1]
    kept = np.array(nodes, dtype=np.intp)
    smaller = tree.rearranged(
        kept, np.array(ends), instead, value=value, n_node_samples=np.array(reached)
    )
    if any(0 < rows < least for rows in reached[1:]):
        # The rows of a branch that was left out are now in another one.
        again, of_smaller = settled(smaller, sample, min_samples_leaf=least)
        return again, kept[of_smaller]
    if isinstance(smaller, RegressionTree):
        smaller = smaller.counted_on(sample.X, sample.y, sample.weight)
    return smaller, kept


def shortened(tree: Tree, sample: Sample, steepness: Vector) -> Tree:
    """Return the tree with as few digits in its tests as leave all rows where they are.

    Coefficients get two significant digits or more; the threshold moves with the mean of the rows
    and then gets as few digits as possible. Every row stays on its side of every test, and the
    scores of the gates, ``steepness * (coef @ x - threshold)``, hardly change.
    """
    leaf = tree.apply(sample.X)
    order = np.argsort(leaf, kind="stable")
    in_order = leaf[order]
    coef, offset = tree.coef_value.copy(), tree.offset.copy()
    for node in np.flatnonzero(~tree.is_leaf).tolist():
        first, last = np.searchsorted(in_order, [node, tree.subtree_end[node]])
        here = np.sort(order[first:last])
        right = leaf[here] >= tree.children[node, 1]
        with np.errstate(over="ignore", invalid="ignore"):  # sums beyond the range of numbers
            short = _short_test(
                _alone(tree, node), sample.X[here], sample.weight[here], right, steepness[node]
            )
        if short is not None:
            row = tree.row_start[node]
            coef[tree.coef_start[row] : tree.coef_start[row + 1]], offset[row] = short
    return type(tree)(
        n_features=tree.n_features, **{**tree.arrays(), "coef_value": coef, "offset": offset}
    )


def _alone(tree: Tree, node: int) -> Tree:
    """Return a tree with the test of one node."""
    row = tree.row_start[node]
    entries = slice(tree.coef_start[row], tree.coef_start[row + 1])
    three = [node, *tree.children[node, :2]]
    arrays = {name: array for name, array in tree.arrays().items() if name not in tree._added}
    arrays["children"] = np.array([[1, 2], [-1, -1], [-1, -1]])
    arrays["row_start"] = np.array([0, 1, 1, 1])
    arrays["coef_start"] = np.array([0, entries.stop - entries.start])
    arrays["offset"] = tree.offset[row : row + 1]
    for name in ("coef_column", "coef_value", "coef_fill"):
        arrays[name] = arrays[name][entries]
    arrays["value"] = np.ones((3, 1))  # what it predicts is of no interest here
    for name in ("n_node_samples", "impurity"):
        arrays[name] = arrays[name][three]
    return Tree(n_features=tree.n_features, **arrays)


def _short_test(
    test: Tree,
    X: npt.NDArray[np.floating[Any]],
    weight: Vector,
    right: npt.NDArray[np.bool_],
    steepness: float,
) -> tuple[Vector, float] | None:
    """Return coefficients and threshold with fewer digits, None if none can be spared."""
    values = _filled(test, X, slice(None), test.coef_fill)
    exact = values @ test.coef_value
    for digits in range(2, 17):
        short = rounded(test.coef_value, digits)
        projection = values @ short
        low, high = projection[~right].max(), projection[right].min()
        if not (low < high and np.isfinite(high - low)):
            continue
        moved = projection - exact
        mean = float(np.average(moved, weights=weight))
        variance = float(np.average((moved - mean) ** 2, weights=weight))
        # The threshold may be off by so much; nothing is if the coefficients alone move too much.
        spare = (_LARGEST_CHANGE / steepness) ** 2 - variance if steepness > 0.0 else np.inf
        if not spare >= 0.0:
            continue
        wanted = test.offset[0] + mean
        near = max(low, wanted - np.sqrt(spare)), min(high, wanted + np.sqrt(spare))
        if not near[0] < near[1]:
            continue
        threshold = short_number_between(*near, float(wanted))
        changed = {**test.arrays(), "coef_value": short, "offset": np.array([threshold])}
        # Prediction sums in another order: only if all rows agree is the short test as good.
        if ((Tree(n_features=test.n_features, **changed).apply(X) == 2) == right).all():
            return short, threshold
    return None


def _values(tree: Tree, X: npt.NDArray[np.floating[Any]], columns: npt.NDArray[np.int32]) -> Vector:
    """Return what a test reads of each row, NaN where missing."""
    values = X[:, tree.column_feature[columns]].astype(np.float64)
    level = tree.column_level[columns]
    indicators = np.where(np.isnan(values), np.nan, values == level)
    return np.where(level >= 0, indicators, values)


def _filled(tree: Tree, X: npt.NDArray[np.floating[Any]], entries: slice, fill: Vector) -> Vector:
    """Return what the coefficients of a test read of each row, missing values filled."""
    values = _values(tree, X, tree.coef_column[entries])
    return np.where(np.isnan(values), fill[entries], values)


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
