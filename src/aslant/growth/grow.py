"""Growing one tree: a function of a sample, settings and a seed."""

from __future__ import annotations

from contextlib import AbstractContextManager
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from threadpoolctl import ThreadpoolController

from aslant import _core
from aslant.encoding.sample import Sample
from aslant.growth.settings import TreeSettings
from aslant.tree.linear_leaves import with_linear_leaves
from aslant.tree.monotone import ordered
from aslant.tree.regression_tree import RegressionTree
from aslant.tree.split import Split
from aslant.tree.tree import Tree

Mask = npt.NDArray[np.bool_]


class Growth(NamedTuple):
    """A tree, and how many hyperplanes were considered while it grew."""

    tree: Tree
    n_hyperplanes: int


def grow_tree(sample: Sample, settings: TreeSettings, seed: int) -> Growth:
    """Grow a tree on all rows of a sample; nothing is pruned.

    Parameters
    ----------
    sample : Sample
        The rows: classes make a `Tree`, numbers a `RegressionTree`.
    settings : TreeSettings
        How to grow; `pruner`, `refinement` and `ccp_alpha` are not used.
    seed : int
        Seed of everything random. The tree does not depend on the number of threads.
    """
    n_rows, progress = len(sample), settings.progress
    with one_blas_thread():
        grown = _core.grow(
            problem=problem_of(sample, settings),
            search=settings.core_search(n_rows),
            seed=seed,
            n_threads=settings.n_threads,
            progress=None if progress is None else lambda done: progress(done, n_rows),
            **settings.stopping.for_rows(n_rows),
        )
    return Growth(_adopted(grown["tree"], sample, settings), int(grown["hyperplanes"]))


class GrowAgain:
    """Other trees, or other tests, with the settings of a fit: what pruners ask for."""

    def __init__(self, training: Sample, settings: TreeSettings, seed: int) -> None:
        self._training, self._settings, self._seed = training, settings, seed
        self._problem: _core.Problem | None = None

    def tree(self, rows: Sample) -> Tree:
        """Return a tree grown on some rows."""
        return grow_tree(rows, self._settings, self._seed).tree

    def test(self, rows: Mask, columns: Mask) -> Split | None:
        """Return a test for some of the training rows that reads only some columns."""
        if self._problem is None:
            self._problem = problem_of(self._training, self._settings)
        search = (self._settings.test_search or self._settings.search).core()
        search = self._settings.constraints.search(search)
        chosen = self._training.rows[rows]
        return _core.find_test(self._problem, search, self._seed, chosen, columns)


def problem_of(sample: Sample, settings: TreeSettings) -> _core.Problem:
    """Return the rows of a sample as the core sees them, with what every child must hold."""
    stopping = settings.stopping
    return _core.Problem(
        features=sample.core_features(),
        target=sample.core_target(),
        rows=sample.core_rows,
        criterion=settings.criterion,
        min_rows=stopping.min_leaf(len(sample)),
        min_weight=stopping.min_weight_fraction_leaf * float(sample.weight.sum()),
        fill_with_training_mean=settings.fill_with_training_mean,
    )


def _adopted(arrays: dict[str, Any], sample: Sample, settings: TreeSettings) -> Tree:
    """Return the tree of the arrays that growing on a sample returned."""
    settings.constraints.signed(arrays)
    if sample.n_classes > 0:
        return ordered(Tree.adopt(**arrays))
    tree = ordered(RegressionTree.from_statistics(arrays))
    if settings.criterion == "poisson":  # whose impurity is no squared error
        tree = tree.with_errors_on(sample.X, sample.y, sample.weight)
    if settings.linear_leaves:
        return with_linear_leaves(tree, sample, settings.extrapolate, settings.target_exponent)
    return tree


def one_blas_thread() -> AbstractContextManager[Any]:
    """Keep BLAS to one thread.

    It only finds eigenvectors of a node's few columns, from several threads at once: its own
    threads would take longer to wake than the work lasts.
    """
    return _blas().limit(limits=1, user_api="blas")


@cache
def _blas() -> ThreadpoolController:
    return ThreadpoolController()
