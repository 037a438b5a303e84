"""A forest on a Dask cluster.

Every tree draws the rows that the ordinary forest would draw, over all partitions, and is grown on
one worker: the trees are those of the ordinary forest.
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from aslant import _core
from aslant.dask import collections, survey
from aslant.dask import part as parts
from aslant.dask.cluster import DaskWorkers, client_of
from aslant.dask.fitting import Fit, check_constraints
from aslant.dask.part import Array, FitPlan, Part
from aslant.dask.tree import DaskPredictor
from aslant.dask.workers import Handle
from aslant.estimators.access import (
    check_forest_parameters,
    rows_to_draw,
    set_trees,
    settings_of,
)
from aslant.estimators.forest.base import BaseForest
from aslant.growth import TreeSettings
from aslant.growth.forest import finished_tree, tree_seeds, with_errors
from aslant.growth.grow import one_blas_thread
from aslant.tree.regression_tree import RegressionTree

Drawn = tuple[Part, Array]  # rows, each once, and how often they were drawn


class DaskForest(DaskPredictor):
    """A forest whose trees draw their rows over all partitions of a Dask collection.

    The trees are those of the ordinary forest with the same seed.

    Parameters
    ----------
    estimator : forest
        `ObliqueRandomForestClassifier`, its regressor or extra trees, with
        ``bootstrap=True`` and `max_samples`, the rows that each tree draws: as many as one worker
        can hold. It is not changed.
    client : distributed.Client or None, default=None
        The cluster; None is the client that is connected.

    Attributes
    ----------
    estimator_ : forest
        The ordinary forest, fitted: what `to_local` returns.
    bytes_to_client_ : int
        Bytes that the fit brought to the client.

    Examples
    --------
    >>> import dask.array as da
    >>> import numpy as np
    >>> from distributed import Client
    >>> from aslant import ObliqueRandomForestClassifier
    >>> from aslant.dask import DaskForest
    >>> X = np.random.default_rng(0).normal(size=(5000, 4))
    >>> y = (X[:, :2].sum(axis=1) > 0).astype(int)
    >>> forest = ObliqueRandomForestClassifier(10, max_samples=500, random_state=0)
    >>> with Client(processes=False, n_workers=1, threads_per_worker=1, dashboard_address=":0"):
    ...     rows, labels = da.from_array(X, chunks=(1000, 4)), da.from_array(y, chunks=1000)
    ...     score = DaskForest(forest).fit(rows, labels).score(rows, labels)
    >>> score > 0.9
    True
    """

    def __init__(self, estimator: Any, client: Any = None) -> None:
        self.estimator = estimator
        self.client = client

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the trees.

        Parameters
        ----------
        X : Dask data frame or array of shape (n_samples, n_features)
            Training rows; NaN is a missing value. Categorical columns must have known categories.
        y : Dask series or array of shape (n_samples,)
            Class labels or regression targets, with the partitions of X.
        sample_weight : Dask series or array of shape (n_samples,), optional
            Weights, not negative, with the partitions of X. Rows are drawn regardless of them.

        Returns
        -------
        self
            The fitted estimator.
        """
        check_forest(self.estimator)
        meta = collections.meta_of(X)
        survey.columns_to_count(meta, self.estimator)
        blocks = collections.blocks_of(X, y, sample_weight)
        workers = DaskWorkers(client_of(self.client), 1)
        self.estimator_ = ForestFit(self.estimator, workers).run(blocks, meta)
        self.bytes_to_client_ = workers.bytes_here
        return self


def check_forest(estimator: Any) -> None:
    """Validate that a forest can be fitted to partitions; nothing is computed."""
    if not isinstance(estimator, BaseForest):
        raise TypeError(
            "estimator must be a forest, such as ObliqueRandomForestClassifier(), got "
            f"{type(estimator).__name__}."
        )
    check_forest_parameters(estimator)
    check_constraints(estimator)
    if not estimator.bootstrap or estimator.max_samples is None:
        raise ValueError(
            "a forest on partitions needs bootstrap=True and max_samples, the rows that each tree "
            f"draws, got bootstrap={estimator.bootstrap!r} and "
            f"max_samples={estimator.max_samples!r}."
        )
    if estimator.oob_score:
        raise ValueError(
            "oob_score=True needs out-of-bag rows of every tree: with partitions use False."
        )
    if getattr(estimator, "calibrate", False):
        raise ValueError(
            "calibrate=True needs out-of-bag rows: with partitions use calibrate=False."
        )
    if estimator.warm_start:
        raise ValueError("warm_start keeps trees of an earlier fit: with partitions use False.")
    if getattr(estimator, "class_weight", None) == "balanced_subsample":
        raise ValueError(
            "class_weight='balanced_subsample' weights the rows of each tree: with partitions use "
            "'balanced'."
        )
    settings_of(estimator).search.core()


class ForestFit(Fit):
    """The fit of a forest to partitions."""

    def _fit(self, rows: list[Handle], encoding: survey.Encoding, seed: int) -> Any:
        forest, workers = self._estimator, self._workers
        settings = settings_of(forest)
        if self._is_regressor:
            settings = settings.for_targets_divided(encoding.exponent)
        sizes = workers.results(workers.each(len, rows))
        n_rows = sum(sizes)
        found, whole = self._surveyed(rows)
        weight = float(np.sum([sum(pair) for pair in found.weight]))
        plan = FitPlan(
            forest.encoder_.columns(),
            0 if self._is_regressor else forest.n_classes_,
            forest.n_outputs_ if self._is_regressor else 0,
            str(settings.criterion),
            settings.stopping.min_leaf(n_rows),
            settings.stopping.min_weight_fraction_leaf * weight,
            settings.fill_with_training_mean,
            whole | {"training_mean": np.zeros(0), "deviation": np.zeros(0)},
        )
        seeds, n_drawn = tree_seeds(seed, forest.n_estimators), rows_to_draw(forest, n_rows)
        report = self._report(forest.n_estimators)
        firsts = np.cumsum([0, *sizes[:-1]]).tolist()
        trees, n_hyperplanes, at_once = [], 0, workers.n_at_once()
        common = {"settings": settings, "plan": plan, "n_rows": n_rows}
        for first in range(0, len(seeds), at_once):
            tasks = []
            for one in seeds[first : first + at_once]:
                drawn = workers.each(_draw, rows, firsts, seed=one, n_rows=n_rows, n_drawn=n_drawn)
                tasks.append(workers.call(_grow_tree, *drawn, seed=one, **common))
            for tree, hyperplanes in workers.results(tasks):
                trees.append(tree)
                n_hyperplanes += hyperplanes
            if report is not None:
                report(len(trees))
        set_trees(forest, trees, n_hyperplanes, seed, n_drawn, encoding.exponent)
        return forest


def _draw(part: Part, first: int, seed: int, n_rows: int, n_drawn: int) -> Drawn:
    """Return the rows of a partition that a tree draws, and how often it does."""
    drawn = _core.drawn_rows(seed, n_rows, n_drawn)
    here = drawn[(drawn >= first) & (drawn < first + len(part))] - first
    times = np.bincount(here, minlength=len(part))
    rows = np.flatnonzero(times)
    return part.take(rows), times[rows]


def _grow_tree(
    *drawn: Drawn, settings: TreeSettings, seed: int, plan: FitPlan, n_rows: int
) -> tuple[Any, int]:
    """Grow one tree on what it has drawn of all partitions."""
    rows = parts.joined([part for part, _ in drawn if len(part) > 0])
    times = np.concatenate([times for _, times in drawn])
    problem = _core.Problem(
        features=_core.Features(rows.X, *plan.columns, known=plan.whole),
        target=_core.Target(rows.y, plan.n_classes, rows.weight, known=plan.whole),
        rows=np.repeat(np.arange(len(rows)), times),
        criterion=plan.criterion,
        min_rows=plan.min_rows,
        min_weight=plan.min_weight,
        fill_with_training_mean=plan.by_training_mean,
    )
    with one_blas_thread():
        grown = _core.grow(
            problem=problem,
            search=settings.search.core(),
            seed=_core.child_key(seed, 1),
            n_threads=1,
            progress=None,
            **settings.stopping.for_rows(n_rows),
        )
    tree = finished_tree(grown["tree"], settings, plan.n_classes)
    if isinstance(tree, RegressionTree) and settings.criterion == "poisson":
        tree = with_errors(tree, rows.X, rows.y, rows.weight * times, settings)
    return tree, int(grown["hyperplanes"])
