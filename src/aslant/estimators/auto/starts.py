"""The trees that the joint fit starts from, pruned by cross-validation.

Each start is grown on all rows and on all folds but one, and every tree is pruned with the alpha
that cross-validation likes best. The pruned trees of the folds are kept: the candidates are
evaluated by what the same fit makes of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from aslant.encoding.sample import Sample
from aslant.estimators.auto.work import Work
from aslant.growth import Growth, TreeSettings, grow_tree
from aslant.prune.base import TOLERANCE, training_errors, unit_of_loss
from aslant.prune.cost_complexity import losses_of, same_alpha
from aslant.prune.sequence import PruningSequence, weakest_links
from aslant.search import AxisParallel
from aslant.tree.tree import Tree

Fold = tuple[Sample, Sample]

#: Fewest cases in a leaf of a start, with means or classes and with linear functions.
LEAST_CASES, LEAST_CASES_LINEAR = 2, 5

# What the starts of one tree are called, from the largest.
_SIZES = ("", ", smaller", ", smallest")


@dataclass(frozen=True)
class Start:
    """A pruned tree and its counterparts in the folds.

    Attributes
    ----------
    name : str
        How it was grown.
    tree : Tree
        The tree of all rows.
    fold_trees : list of Tree
        The trees grown without one fold each.
    is_plain : bool
        Whether it is the ordinary tree: tests of single features, constant leaves.
    """

    name: str
    tree: Tree
    fold_trees: list[Tree]
    is_plain: bool = False


def stratified_folds(sample: Sample, n_folds: int, seed: int) -> list[Fold]:
    """Return (the other folds, the fold) for each fold; classes are shared out evenly.

    Rows are dealt class by class, and a class goes on where the one before it ended; those with
    numbers to predict are dealt as they come.
    """
    if sample.n_classes == 0:
        return list(sample.folds(n_folds, seed))
    dealt: list[list[Fold]] = []
    first = 0
    for label in range(sample.n_classes):
        own = sample.take(sample.y == label)
        if len(own) == 0:
            continue
        parts = list(own.folds(n_folds, seed))
        turn = first % n_folds
        dealt.append(parts[-turn:] + parts[:-turn] if turn else parts)
        first += len(own)
    return [
        (_joined([parts[f][0] for parts in dealt]), _joined([parts[f][1] for parts in dealt]))
        for f in range(n_folds)
    ]


def _joined(parts: Sequence[Sample]) -> Sample:
    """Return the rows of several samples of the same data."""
    one = parts[0]
    rows = np.concatenate([part.rows for part in parts])
    return one.of_all(rows)


def grow_starts(
    ways: Mapping[str, TreeSettings],
    sample: Sample,
    folds: Sequence[Fold],
    se_rules: Callable[[bool], Sequence[float | None]],
    max_leaf_nodes: int | None,
    work: Work,
    share: float,
    seed: int,
) -> tuple[list[Start], int]:
    """Return the starts and the hyperplanes considered while growing them.

    Every way of growing, with linear leaves or not, is pruned by all of its rules; equal trees are
    kept only once. A rule is a number of standard errors, larger ones last; None is the smallest
    tree with a test.
    """
    samples = [sample, *(others for others, _ in folds)]
    pieces = [
        partial(_grow_start, rows, settings, max_leaf_nodes, seed)
        for settings in ways.values()
        for rows in samples
    ]
    grown = work.run(pieces, share)
    sequences = [_sequence(one.tree) for one in grown]
    starts: list[Start] = []
    for g, (name, settings) in enumerate(ways.items()):
        plain = isinstance(settings.search, AxisParallel) and not settings.linear_leaves
        main, *others = sequences[g * len(samples) : (g + 1) * len(samples)]
        if main.n_leaves[0] == 1:
            continue
        losses = np.zeros((2, len(main)))
        for other, (_, fold) in zip(others, folds, strict=True):
            losses += losses_of(other, fold)[:, same_alpha(main, other)]
        losses /= sum(fold.weight.sum() for _, fold in folds)
        chosen = dict.fromkeys(
            _choice(main, losses, float(sample.weight.sum()), rule, max_leaf_nodes)
            for rule in se_rules(settings.linear_leaves)
        )
        for number, size in zip(chosen, _SIZES, strict=False):
            trees = [
                other.tree_number(_counterpart(main, other, number, max_leaf_nodes))
                for other in others
            ]
            starts.append(Start(name + size, main.tree_number(number), trees, plain and not size))
    return starts, sum(one.n_hyperplanes for one in grown)


def _grow_start(
    sample: Sample, settings: TreeSettings, max_leaf_nodes: int | None, seed: int
) -> Growth:
    """Grow until leaves are pure or hold few cases; best-first if pruning cannot meet the limit."""
    # A fraction of the weight, not rows: a row of weight 2 is the row twice.
    least = LEAST_CASES_LINEAR if settings.linear_leaves else LEAST_CASES
    fraction = min(0.5, (least - 0.001) / float(sample.weight.sum()))
    settings = _with_stopping(settings, min_weight_fraction_leaf=fraction)
    grown = grow_tree(sample, settings, seed)
    if max_leaf_nodes is None or grown.tree.n_leaves <= max_leaf_nodes:
        return grown
    if _prunes_to(grown.tree, max_leaf_nodes):
        return grown
    again = grow_tree(sample, _with_stopping(settings, max_leaf_nodes=max_leaf_nodes), seed)
    return Growth(again.tree, grown.n_hyperplanes + again.n_hyperplanes)


def _with_stopping(settings: TreeSettings, **changed: Any) -> TreeSettings:
    return replace(settings, stopping=replace(settings.stopping, **changed))


def _prunes_to(tree: Tree, max_leaf_nodes: int) -> bool:
    """Whether pruning meets a tree with a test and not too many leaves on its way to the root."""
    leaves = _sequence(tree).n_leaves
    return bool(((leaves >= 2) & (leaves <= max_leaf_nodes)).any())


def _sequence(tree: Tree) -> PruningSequence:
    return weakest_links(tree, training_errors(tree))


def _choice(
    main: PruningSequence,
    losses: npt.NDArray[np.float64],
    n_cases: float,
    se_rule: float | None,
    max_leaf_nodes: int | None,
) -> int:
    """Return the number of the smallest tree with a test within some standard errors of the best.

    Mean loss and mean squared loss of every tree are the rows of ``losses``. A single leaf has
    nothing to fit, so it is not a start, however good it is.
    """
    allowed = np.flatnonzero(_in_bounds(main, max_leaf_nodes))
    if se_rule is None:
        return int(allowed[-1])
    error, squares = losses[:, allowed]
    best = int(error.argmin())
    margin = se_rule * np.sqrt(max(squares[best] - error[best] ** 2, 0.0) / n_cases)
    rounding = TOLERANCE * unit_of_loss(main.tree)
    return int(allowed[error <= error[best] + margin + rounding][-1])


def _counterpart(
    main: PruningSequence, other: PruningSequence, number: int, max_leaf_nodes: int | None
) -> int:
    """Return the tree of a fold that is best at the alpha of a main tree, within the bounds."""
    allowed = np.flatnonzero(_in_bounds(other, max_leaf_nodes))
    wanted = int(same_alpha(main, other)[number])
    return int(np.clip(wanted, allowed[0], allowed[-1])) if len(allowed) else wanted


def _in_bounds(sequence: PruningSequence, max_leaf_nodes: int | None) -> npt.NDArray[np.bool_]:
    """Trees with a test and not too many leaves; if all have too many, the smallest with a test."""
    leaves = sequence.n_leaves
    within = leaves >= 2
    if max_leaf_nodes is not None:
        within &= leaves <= max_leaf_nodes
    if not within.any() and (leaves >= 2).any():
        within[np.flatnonzero(leaves >= 2)[-1]] = True
    return np.asarray(within)
