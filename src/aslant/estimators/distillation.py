"""A forest or a boosting model in one tree that can be read.

L. Breiman and N. Shang, *Born Again Trees*, 1996: a single tree is grown on what the model predicts
for its training rows and for many more rows that were never seen, so that it copies the model and
not the noise of the labels.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, cast

import numpy as np
import numpy.typing as npt

from aslant.encoding import ENCODING_PARAMETERS
from aslant.encoding.sample import Columns, Matrix, Sample
from aslant.encoding.targets import check_labels
from aslant.encoding.weights import unit_weights
from aslant.estimators.classifier import BaseTreeClassifier, ObliqueDecisionTreeClassifier
from aslant.estimators.constraints import (
    SHARED_CONSTRAINTS,
    check_combination,
    shared_constraints,
)
from aslant.estimators.ensemble import TreeEnsemble, as_estimator
from aslant.estimators.regressor import (
    BaseTreeRegressor,
    ObliqueDecisionTreeRegressor,
    check_regression_target,
)
from aslant.estimators.single_tree import SingleTree
from aslant.growth import Growth, StoppingRules, TreeSettings, build_tree, exponent_of
from aslant.search import SplitSearch
from aslant.search.base import chosen_search
from aslant.search.registry import REGRESSION_SEARCHES, SEARCHES
from aslant.search.residual_signs import for_regression
from aslant.tree.regression_tree import RegressionTree
from aslant.tree.smoothing import node_probabilities
from aslant.tree.tree import Tree
from aslant.utils.checks import check_number
from aslant.utils.parameters import parameters

# A feature of a manufactured row comes from another row with this probability.
_EXCHANGED = 0.25
# A class with less than this probability is left out, which saves rows.
_LEAST_SHARE = 0.01
# The least probability that a loss is computed from.
_LEAST_PROBABILITY = 1e-6
_EXTRA_ROWS = 4  # manufactured ones for each that is there

Floats = npt.NDArray[np.float64]


@parameters
class Distillable(TreeEnsemble):
    """An ensemble that can be distilled into one tree; not to be used itself."""

    #: The kinds of trees that `distil` tries, and the estimator that it returns.
    _distil_searches: ClassVar[tuple[str, ...]]
    _distilled_type: ClassVar[type[SingleTree]]

    @abstractmethod
    def _distil_predictions(self, encoded: Matrix) -> Floats:
        """Return class probabilities, or predicted values, one row a row."""

    def _distil_training_predictions(self, encoded: Matrix) -> Floats:
        """Return the same for training rows, from trees that have not seen them if there are."""
        return self._distil_predictions(encoded)

    @abstractmethod
    def _distil_sample(self, rows: Matrix, predicted: Floats) -> Sample:
        """Return rows with the predictions of the model as their target."""

    @abstractmethod
    def _distil_loss(self, encoded: Matrix, y: Any) -> tuple[Callable[[Tree], float], int]:
        """Return the loss of a tree against the targets of some rows, and the exponent of its unit.

        Losses are divided by two to that power, so that none overflows.
        """

    def _taught(self, X: Matrix, extra_rows: int | None, seed: int) -> tuple[Matrix, Floats]:
        """Return the training rows and manufactured ones, and what the model predicts for them."""
        n_extra = _EXTRA_ROWS * len(X) if extra_rows is None else extra_rows
        check_number("extra_rows", n_extra, 0, integer=True)
        predicted = self._distil_training_predictions(X)
        if n_extra == 0:
            return X, predicted
        extra = _manufactured(X, self.encoder_.source, n_extra, np.random.default_rng(seed))
        of_extra = self._distil_predictions(extra)
        return np.concatenate([X, extra]), np.concatenate([predicted, of_extra])

    def distil(
        self,
        X: Any,
        y: Any,
        *,
        searches: Sequence[str | SplitSearch] | None = None,
        sizes: Sequence[int] = (4, 8, 16, 32),
        extra_rows: int | None = None,
        random_state: int = 0,
    ) -> Any:
        """Return one small tree that predicts what the model predicts, as nearly as it can.

        Trees of several sizes and kinds are grown on the model's predictions for the training rows
        (of a forest, from the trees that have not drawn them) and for manufactured rows between
        them. The tree of least log-loss, or mean squared error, against `y` is kept.

        Parameters
        ----------
        X, y : array-like
            The training rows and targets.
        searches : sequence of str or SplitSearch, optional
            Kinds of trees to try; by default ``"axis_parallel"`` and ``"hhcart"``, for regression
            ``"axis_parallel"`` and ``"least_squares"``.
        sizes : sequence of int, default=(4, 8, 16, 32)
            Numbers of leaves to try.
        extra_rows : int or None, default=None
            Rows to manufacture; None is four times as many as there are.
        random_state : int, default=0
            Seed.

        Returns
        -------
        ObliqueDecisionTreeClassifier or ObliqueDecisionTreeRegressor
            The tree; its attribute ``loss_`` is the loss it was chosen by.
        """
        encoded = self._encoded(X, dense=True)
        loss_of, exponent = self._distil_loss(encoded, y)
        rows, predicted = self._taught(encoded, extra_rows, random_state)
        sample = self._distil_sample(rows, predicted)
        tried = self._distil_searches if searches is None else searches
        growth, settings, loss = _least_lossy(sample, loss_of, tried, sizes, self, random_state)
        distilled = as_estimator(self._distilled_type, settings, self, growth.tree)
        distilled.n_hyperplanes_ = growth.n_hyperplanes
        with np.errstate(over="ignore"):
            distilled.loss_ = float(np.ldexp(loss, exponent))
        return distilled


@parameters
class DistillableClassifier(Distillable, BaseTreeClassifier):
    """A classifier that can be distilled into one tree; not to be used itself."""

    _distil_searches: ClassVar[tuple[str, ...]] = ("axis_parallel", "hhcart")
    _distilled_type: ClassVar[type[SingleTree]] = ObliqueDecisionTreeClassifier

    def _distil_sample(self, rows: Matrix, predicted: Floats) -> Sample:
        return _soft_sample(rows, predicted, self.encoder_.columns())

    def _distil_loss(self, encoded: Matrix, y: Any) -> tuple[Callable[[Tree], float], int]:
        labels = check_labels(y, encoded.shape[0])
        codes = np.searchsorted(self.classes_, labels)
        if not np.array_equal(self.classes_[np.minimum(codes, self.n_classes_ - 1)], labels):
            raise ValueError("y must hold classes that the model was fitted with.")

        def log_loss(tree: Tree) -> float:
            share = node_probabilities(tree)[tree.apply(encoded)][np.arange(len(codes)), codes]
            return -float(np.log(np.maximum(share, _LEAST_PROBABILITY)).mean())

        return log_loss, 0


@parameters
class DistillableRegressor(Distillable, BaseTreeRegressor):
    """A regressor that can be distilled into one tree; not to be used itself."""

    _distil_searches: ClassVar[tuple[str, ...]] = ("axis_parallel", "least_squares")
    _distilled_type: ClassVar[type[SingleTree]] = ObliqueDecisionTreeRegressor

    def _distil_sample(self, rows: Matrix, predicted: Floats) -> Sample:
        targets = np.ascontiguousarray(self._flat(predicted))
        return Sample(rows, targets, unit_weights(len(rows)), 0, columns=self.encoder_.columns())

    def _distil_loss(self, encoded: Matrix, y: Any) -> tuple[Callable[[Tree], float], int]:
        values = check_regression_target(y, encoded.shape[0])
        n_outputs = 1 if values.ndim == 1 else values.shape[1]
        if n_outputs != self.n_outputs_:
            raise ValueError(
                f"y must have as many outputs as the model, {self.n_outputs_}, got {n_outputs}."
            )
        exponent = exponent_of(values)
        true = np.ldexp(values.reshape(len(values), -1), -exponent)  # their squares are finite

        def squared_error(tree: Tree) -> float:
            predicted = np.ldexp(cast(RegressionTree, tree).predict(encoded), -exponent)
            return float(np.mean((predicted - true) ** 2))

        return squared_error, 2 * exponent


def _manufactured(
    X: Matrix, source: npt.NDArray[np.intp], n_rows: int, rng: np.random.Generator
) -> Matrix:
    """Return rows between the given ones: each takes some of its input columns from another row.

    `source` is the input column of each feature: what is derived from a column goes with it.
    """
    own, other = rng.integers(0, len(X), (2, n_rows))
    exchanged = rng.random((n_rows, source.max() + 1)) < _EXCHANGED
    return np.ascontiguousarray(np.where(exchanged[:, source], X[other], X[own]))


def _least_lossy(
    sample: Sample,
    loss: Callable[[Tree], float],
    searches: Sequence[str | SplitSearch],
    sizes: Sequence[int],
    model: Distillable,
    seed: int,
) -> tuple[Growth, dict[str, Any], float]:
    """Return the tree of least loss over all searches and sizes, its settings and its loss."""
    for name, values in (("searches", searches), ("sizes", sizes)):
        if isinstance(values, str) or not len(values):
            raise ValueError(f"{name} must be a list of at least one, got {values!r}.")
    classes = sample.n_classes > 0
    constraints = shared_constraints(model, sample)
    known, criterion = (SEARCHES, "entropy") if classes else (REGRESSION_SEARCHES, "squared_error")
    found = []
    for name in searches:
        search = chosen_search(name, known)
        for size in sizes:
            settings = TreeSettings(
                search=search if classes else for_regression(search),
                criterion=criterion,
                stopping=StoppingRules(max_leaf_nodes=size),
                fill_with_training_mean=model.missing == "training_mean",
                n_threads=model._n_threads(),
                constraints=constraints,
            )
            settings.check()
            check_combination(constraints, settings)
            growth = build_tree(sample, settings, seed)
            found.append((growth, name, size, loss(growth.tree)))
    growth, search_name, size, least = min(found, key=lambda one: one[3])
    chosen = {
        "search": search_name,
        "criterion": criterion,
        "max_leaf_nodes": size,
        **{name: getattr(model, name) for name in (*ENCODING_PARAMETERS, *SHARED_CONSTRAINTS)},
        "random_state": seed,
        "n_jobs": model.n_jobs,
    }
    return growth, chosen, least


def _soft_sample(X: Matrix, share: Floats, columns: Columns) -> Sample:
    """Return every row once for each of its likely classes, weighted by the probability."""
    kept = np.where(share >= _LEAST_SHARE, share, 0.0)
    kept /= kept.sum(axis=1, keepdims=True)
    row, label = np.nonzero(kept)
    codes = label.astype(np.int32)
    return Sample(X[row], codes, kept[row, label], share.shape[1], columns=columns)
