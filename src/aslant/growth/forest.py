"""Growing many trees over one set of rows."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import numpy.typing as npt

from aslant import _core
from aslant.encoding.sample import Matrix, Sample
from aslant.growth.grow import one_blas_thread, problem_of
from aslant.growth.importances import impurity_risk
from aslant.growth.settings import TreeSettings
from aslant.prune.sequence import prune_by_alpha
from aslant.tree.monotone import ordered
from aslant.tree.regression_tree import RegressionTree
from aslant.tree.tree import Tree

Floats = npt.NDArray[np.float64]


def grow_forest(
    sample: Sample,
    settings: TreeSettings,
    seeds: list[int],
    *,
    n_drawn: int,
    balanced: bool = False,
) -> tuple[list[Tree], int]:
    """Grow a tree for each seed, and count the hyperplanes considered.

    Parameters
    ----------
    sample : Sample
        All rows of its data. Targets of regression are divided by ``settings.target_exponent``;
        the trees are in the caller's units again.
    settings : TreeSettings
        How each tree is grown: its search draws features at every node, its `progress` counts
        trees.
    seeds : list of int
        One for each tree: it decides which rows are drawn, and everything else.
    n_drawn : int
        Rows that each tree draws with replacement; 0 grows every tree on all rows.
    balanced : bool
        Whether the classes of what a tree has drawn are balanced by weights.
    """
    progress, n_trees = settings.progress, len(seeds)
    with one_blas_thread():
        grown, n_hyperplanes = _core.grow_forest(
            problem=problem_of(sample, settings),
            search=settings.constraints.search(settings.search.core()),
            seeds=seeds,
            n_drawn=n_drawn,
            balanced=balanced,
            n_threads=settings.n_threads,
            progress=None if progress is None else lambda done: progress(done, n_trees),
            **settings.stopping.for_rows(len(sample)),
        )
    trees = [finished_tree(arrays, settings, sample.n_classes) for arrays in grown]
    if sample.n_classes == 0 and settings.criterion == "poisson":
        for t, seed in enumerate(seeds):
            weight = sample.weight
            if n_drawn:
                drawn = _core.drawn_rows(seed, len(sample), n_drawn)
                weight = weight * np.bincount(drawn, minlength=len(sample))
            trees[t] = with_errors(trees[t], sample.X, sample.y, weight, settings)
    return trees, n_hyperplanes


def tree_seeds(seed: int, n_trees: int) -> list[int]:
    """Return the seed of each tree of a forest."""
    seeds: list[int] = np.random.SeedSequence(seed).generate_state(n_trees, np.uint64).tolist()
    return seeds


def finished_tree(arrays: dict[str, Any], settings: TreeSettings, n_classes: int) -> Tree:
    """Return the pruned tree of the arrays that growing returned, in the caller's units."""
    settings.constraints.signed(arrays)
    if n_classes > 0:
        return ordered(_pruned(Tree.adopt(**arrays), settings.ccp_alpha))
    tree = ordered(_pruned(RegressionTree.from_statistics(arrays), settings.ccp_alpha))
    regression = cast(RegressionTree, tree)
    return regression.in_units(settings.target_exponent, settings.impurity_power)


def with_errors(tree: Tree, X: Matrix, y: Floats, weight: Floats, settings: TreeSettings) -> Tree:
    """Return a tree grown by deviance with the squared errors of its nodes; `y` is divided."""
    exponent = settings.target_exponent
    small = cast(RegressionTree, tree).in_units(-exponent, 1).with_errors_on(X, y, weight)
    return small.in_units(exponent, 1)


def _pruned(tree: Tree, ccp_alpha: float) -> Tree:
    return prune_by_alpha(tree, impurity_risk(tree), ccp_alpha) if ccp_alpha > 0.0 else tree
