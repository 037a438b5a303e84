"""Pruning with validation rows in partitions.

Rows are held out as in `Sample.hold_out`, by a random order that depends on their content. The
position of a row in that order is computed range by range of the keys, so that no worker holds more
than a few million keys.

Pruners read sums over leaves. Rows that reach the same leaf and are of the same class become one
row of their total weight; regression targets become two rows of the same mean and variance.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from aslant.dask.part import Array, Floats, Part
from aslant.dask.workers import Handle, Workers
from aslant.encoding.sample import Sample
from aslant.prune import CostComplexity, Pessimistic, Pruner, ReducedError
from aslant.prune.base import Grown
from aslant.tree.regression_tree import RegressionTree
from aslant.tree.tree import Tree

# Keys that are sorted at a time.
_KEYS_AT_A_TIME = 1 << 22


def check_pruner(pruner: Pruner, estimator: Any) -> None:
    """Validate that a pruner needs only sums over leaves."""
    name = type(pruner).__name__
    if type(pruner) not in (CostComplexity, ReducedError, Pessimistic):
        raise ValueError(
            f"{name} reads rows again while it prunes: with partitions use CostComplexity, "
            "ReducedError or Pessimistic, or pruning=None."
        )
    if isinstance(pruner, CostComplexity) and pruner.cv is not None:
        raise ValueError(
            f"{name}(cv={pruner.cv}) grows a tree for each part of the rows: with partitions use "
            "validation, the fraction of the rows to hold out."
        )
    numbers = hasattr(estimator, "leaf")
    if isinstance(pruner, CostComplexity) and numbers and pruner.se_rule > 0.0:
        raise ValueError(
            f"{name}(se_rule={pruner.se_rule}) needs the fourth powers of errors: with partitions "
            "of regression targets use se_rule=0."
        )


# ---------------------------------------------------------------------- holding out


def held_out(
    workers: Workers, rows: list[Handle], n_classes: int, fraction: float, seed: int
) -> list[Handle] | None:
    """Return for every partition which rows are held out; None if there are too few rows."""
    keys = workers.kept(workers.each(_keys, rows, n_classes=n_classes, seed=seed))
    sizes = workers.results(workers.each(len, rows))
    n_rows = sum(sizes)
    n_ranges = max(1, -(-n_rows // _KEYS_AT_A_TIME))
    if not 0 < int(np.floor(n_rows * fraction + 1e-9)) < n_rows:
        return None
    counts = np.array(workers.results(workers.each(_count_ranges, keys, n_ranges=n_ranges)))
    first = np.concatenate([[0], np.cumsum(counts.sum(axis=0))])
    chosen = []
    for number in range(n_ranges):
        pieces = workers.each(_in_range, keys, rows, number=number, n_ranges=n_ranges)
        chosen.append(workers.call(_deal, *pieces, first=int(first[number]), fraction=fraction))
    places = list(range(len(rows)))
    return workers.kept(workers.each(_mask, keys, places, chosen=chosen, n_ranges=n_ranges))


def _keys(part: Part, n_classes: int, seed: int) -> Array:
    """Return the keys of rows by their content, as `Sample` makes them."""
    sample = Sample(part.X, part.y, part.weight, n_classes)
    return sample._content_key(seed) if len(part) else np.zeros(0, dtype=np.uint64)


def _range_of(keys: Array, n_ranges: int) -> Array:
    return ((keys >> np.uint64(32)) * np.uint64(n_ranges) >> np.uint64(32)).astype(np.intp)


def _count_ranges(keys: Array, n_ranges: int) -> Array:
    return np.bincount(_range_of(keys, n_ranges), minlength=n_ranges)


def _in_range(keys: Array, part: Part, number: int, n_ranges: int) -> tuple[Array, Floats]:
    inside = _range_of(keys, n_ranges) == number
    return keys[inside], part.weight[inside]


def _deal(*pieces: tuple[Array, Floats], first: int, fraction: float) -> list[Array]:
    """Return for every partition which of its rows of one range are held out."""
    keys = np.concatenate([piece[0] for piece in pieces])
    weight = np.concatenate([piece[1] for piece in pieces])
    place = np.empty(len(keys), dtype=np.int64)
    place[np.lexsort((weight, keys))] = np.arange(first, first + len(keys))
    due = np.floor(place * fraction + 1e-9)
    out = np.floor((place + 1) * fraction + 1e-9) > due
    return np.split(out, np.cumsum([len(piece[0]) for piece in pieces])[:-1])


def _mask(keys: Array, place: int, chosen: list[list[Array]], n_ranges: int) -> Array:
    """Return which rows of a partition are held out."""
    mask = np.zeros(len(keys), dtype=bool)
    of_row = _range_of(keys, n_ranges)
    for number in range(n_ranges):
        mask[of_row == number] = chosen[number][place]
    return mask


# ---------------------------------------------------------------------- validation


class _LeafRows(Sample):
    """Representative rows, each for a known number of rows."""

    n_rows = 0

    def n_weighing(self) -> int:
        """Return the number of rows of positive weight."""
        return self.n_rows


def prune(
    workers: Workers,
    pruner: Pruner,
    tree: Tree,
    rows: list[Handle],
    held: list[Handle] | None,
    seed: int,
) -> Tree:
    """Return the pruned tree."""
    validation = None
    if held is not None:
        found_here = workers.each(_leaf_sums, rows, held, tree=tree)
        (found,) = workers.results([workers.reduced(found_here, _merged)])
        validation = _sample_of(found, tree)
    training = Sample(np.zeros((1, tree.n_features)), np.zeros(1), np.ones(1), 0)

    def refused(*_: Any) -> Any:
        raise ValueError("rows in partitions cannot be grown on again")

    return pruner.prune(Grown(tree, training, validation, refused, refused, seed))


def _leaf_sums(part: Part, held: Array, tree: Tree) -> tuple[Floats, Floats, int]:
    """Return sums over the held-out rows of each leaf, and a row that reaches it."""
    out = part.take(np.flatnonzero(held))
    numbers = isinstance(tree, RegressionTree)
    width = 1 + 2 * tree.n_outputs if isinstance(tree, RegressionTree) else tree.n_classes
    sums = np.zeros((tree.n_nodes, width))
    example = np.full((tree.n_nodes, tree.n_features), np.inf)
    if len(out) == 0:
        return sums, example, 0
    leaf = tree.apply(out.X)
    example[leaf[::-1]] = out.X[::-1]
    if not numbers:
        np.add.at(sums, (leaf, out.y), out.weight)
        return sums, example, len(out)
    y = np.reshape(out.y, (len(out), -1)) - tree.value[leaf]
    np.add.at(sums[:, 0], leaf, out.weight)
    for q in range(y.shape[1]):
        np.add.at(sums[:, 1 + q], leaf, out.weight * y[:, q])
        np.add.at(sums[:, 1 + y.shape[1] + q], leaf, out.weight * y[:, q] ** 2)
    return sums, example, len(out)


def _merged(
    a: tuple[Floats, Floats, int], b: tuple[Floats, Floats, int]
) -> tuple[Floats, Floats, int]:
    known = ~np.isposinf(a[1]).all(axis=1, keepdims=True)
    return a[0] + b[0], np.where(known, a[1], b[1]), a[2] + b[2]


def _sample_of(found: tuple[Floats, Floats, int], tree: Tree) -> Sample:
    sums, example, n_rows = found
    if not isinstance(tree, RegressionTree):
        leaf, label = np.nonzero(sums)
        validation = _LeafRows(
            example[leaf], label.astype(np.int32), sums[leaf, label], tree.n_classes
        )
    else:
        leaf = np.flatnonzero(sums[:, 0] > 0.0)
        weight = sums[leaf, :1]
        mean = sums[leaf, 1 : 1 + tree.n_outputs] / weight
        variance = np.maximum(sums[leaf, 1 + tree.n_outputs :] / weight - mean**2, 0.0)
        centre, deviation = tree.value[leaf] + mean, np.sqrt(variance)
        y = np.concatenate([centre - deviation, centre + deviation])
        y = y[:, 0] if tree.n_outputs == 1 else y
        validation = _LeafRows(
            np.concatenate([example[leaf]] * 2), y, np.tile(weight[:, 0] / 2.0, 2), 0
        )
    validation.n_rows = n_rows
    return validation
