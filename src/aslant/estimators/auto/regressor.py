"""The tree to try first, for regression."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Literal, Self, cast

import numpy as np
import numpy.typing as npt

from aslant.encoding.sample import Sample
from aslant.estimators.auto.base import AutoTree
from aslant.estimators.auto.competitors import Competitor, SingleLeaf
from aslant.estimators.auto.effort import Effort
from aslant.estimators.auto.fitting import Fitting, RegressionFitting
from aslant.estimators.auto.leaf import Signs, regression_leaf_of
from aslant.estimators.auto.scoring import Scoring
from aslant.estimators.auto.starts import Fold
from aslant.estimators.auto.work import Work
from aslant.estimators.regressor import SingleTreeRegressor
from aslant.growth import Constraints, TreeSettings, exponent_of
from aslant.refine.joint import Refined
from aslant.refine.regression import RegressionGates
from aslant.search import AxisParallel, BestOf, LeastSquares
from aslant.tree.linear_leaves import with_linear_leaves
from aslant.tree.regression_tree import RegressionTree
from aslant.utils.checks import check_choice
from aslant.utils.parameters import parameters

# Most leaves of a start with linear leaves, before pruning.
_MOST_LEAVES = 16


@parameters
class AutoTreeRegressor(AutoTree, SingleTreeRegressor):
    """One small regression tree that needs no choice of method: the one to try first.

    Trees are grown with tests of single features and with linear tests along least-squares
    directions, with means and with linear functions in their leaves, and pruned by
    cross-validation. All tests and leaves are then fitted together on a smooth likelihood
    (`aslant.refine.JointFit`) with several L2 penalties, dense and sparse. Cross-validation
    compares the fits, the plain pruned tree and ridge regression by squared error; the winner is an
    ordinary tree of at most 32 leaves.

    Parameters
    ----------
    leaf : {"auto", "mean", "linear"}, default="auto"
        What leaves predict: the mean of their rows, or a linear function kept within the range of
        their targets. By default cross-validation chooses.
    predictions : {"soft", "leaf"}, default="soft"
        ``"soft"``: tests are gates that a row passes with a probability, and a prediction is the
        mean of what all leaves predict, weighted by the probability of reaching them.
        ``"leaf"``: what the leaf predicts that the row reaches. A fitted soft tree becomes an
        ordinary one by ``set_params(predictions="leaf")``.

    Attributes
    ----------
    gates_ : RegressionGates or None
        What the soft predictions need besides the tree; None after a fit with
        ``predictions="leaf"``.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from aslant import AutoTreeRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> AutoTreeRegressor(random_state=0, leaf="mean").fit(X, y).get_n_leaves()
    4
    """

    leaf: Literal["auto", "mean", "linear"] = "auto"
    predictions: Literal["soft", "leaf"] = "soft"

    _soft_parameter = "predictions"

    # ------------------------------------------------------------------ fitting

    def _checked(self) -> Effort:
        check_choice("leaf", self.leaf, ("auto", "mean", "linear"))
        return super()._checked()

    def _fit_with(self, effort: Effort, sample: Sample, scoring: Scoring | None, seed: int) -> Self:
        # In units of a power of two, which is exact: no square overflows or vanishes.
        exponent = exponent_of(sample.y)
        if scoring is not None:
            scoring.exponent = exponent
        scaled = sample.with_target(np.ldexp(sample.shared_y, -exponent))
        super()._fit_with(effort, scaled, scoring, seed)
        self.tree_ = self._regression_tree().in_units(exponent, 2)  # importances have no unit
        if self.gates_ is not None:
            self.gates_ = RegressionGates(self._regression_tree(), self.gates_.steepness)
        for record in self.candidates_:
            for name in ("error", "loss", "standard_error"):
                if name == "error" or scoring is None:
                    with np.errstate(over="ignore"):
                        record[name] = float(np.ldexp(record[name], 2 * exponent))
        return self

    def _kinds_of_leaves(self) -> tuple[Literal["mean", "linear"], ...]:
        return ("mean", "linear") if self.leaf == "auto" else (self.leaf,)

    def _make_fitting(
        self, effort: Effort, sample: Sample, work: Work, constraints: Constraints
    ) -> Fitting:
        y = np.reshape(sample.y, (len(sample), -1))
        center = np.average(y, axis=0, weights=sample.weight)
        variance = float(np.average((y - center) ** 2, axis=0, weights=sample.weight).sum())
        return RegressionFitting(
            effort,
            self.sparsity is not None,
            self.max_features_per_test,
            self._least_rows(sample),
            self.missing == "training_mean",
            work.check,
            soft=self.predictions == "soft",
            leaves=self._kinds_of_leaves(),
            constraints=constraints,
            variance=variance if variance > 0.0 else 1.0,
        )

    def _ways(self, effort: Effort, common: dict[str, Any]) -> dict[str, TreeSettings]:
        searches = {
            "linear tests": BestOf([AxisParallel(), LeastSquares()]),
            "single features": AxisParallel(),
        }
        most_leaves = replace(common["stopping"], max_leaf_nodes=_MOST_LEAVES)
        ways = {}
        for leaf in self._kinds_of_leaves():
            linear = leaf == "linear"
            if linear and common["constraints"].is_monotone:
                continue  # linear functions of different leaves cross
            for name, search in searches.items():
                ways[name + (" and linear leaves" if linear else "")] = TreeSettings(
                    search=search,
                    criterion="squared_error",
                    linear_leaves=linear,
                    **common | ({"stopping": most_leaves} if linear else {}),
                )
        return ways

    def _single_leaves(self, fitting: Fitting, folds: Sequence[Fold]) -> list[Competitor]:
        constant = SingleLeaf(
            "single leaf without a test",
            fitting,
            folds,
            partial(regression_leaf_of, column_sign=fitting.constraints.column_sign),
            is_constant=True,
        )
        found: list[Competitor] = [constant]
        if "linear" in fitting.leaves:
            make = partial(_ridge_leaf_of, column_sign=fitting.constraints.column_sign)
            found.append(SingleLeaf("single linear leaf", fitting, folds, make, is_constant=False))
        return found

    def _scored_target(self, sample: Sample) -> tuple[Any, Any]:
        return sample.shared_y, None

    def _made_soft(self, refined: Refined, sample: Sample, exponent: float) -> RegressionGates:
        return RegressionGates(cast(RegressionTree, refined.tree), refined.steepness)

    # ------------------------------------------------------------------ predicting

    def _predictions_at(self, encoded: npt.NDArray[np.floating[Any]]) -> npt.NDArray[np.float64]:
        if not isinstance(self.gates_, RegressionGates) or not self.is_soft_:
            return super()._predictions_at(encoded)
        return self.gates_.predict(encoded, n_threads=self._n_threads())

    def _gates_from(self, state: dict[str, Any]) -> RegressionGates:
        return RegressionGates(self._regression_tree(), state["steepness"])


def _ridge_leaf_of(sample: Sample, column_sign: Signs) -> RegressionTree:
    """Return the tree without a test that predicts a linear function.

    Columns whose slopes have the wrong sign are left out, and the others fitted again.
    """
    leaf = regression_leaf_of(sample, column_sign)
    allowed = np.ones((1, leaf.n_columns), dtype=bool)
    while True:
        fitted = with_linear_leaves(leaf, sample, False, allowed=allowed)
        wrong = fitted.leaf_coef[:, 0] * column_sign < 0.0
        if not wrong.any():
            return fitted
        allowed &= ~wrong
