"""The tree to try first, of numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, Self, cast

import numpy as np
import numpy.typing as npt

from aslant.encoding.sample import Sample
from aslant.estimators.auto.base import AutoTree
from aslant.estimators.auto.candidates import Fitting
from aslant.estimators.auto.choosing import Choice
from aslant.estimators.auto.effort import Effort
from aslant.estimators.auto.finishing import regression_leaf_of
from aslant.estimators.auto.regression import RegressionFitting
from aslant.estimators.auto.work import Work
from aslant.estimators.regressor import ObliqueDecisionTreeRegressor, TreeRegressor, exponent_of
from aslant.refine.joint import Refined
from aslant.refine.regression import RegressionGates
from aslant.search import AxisParallel, BestOf, LeastSquares, SplitSearch
from aslant.tree.regression_tree import RegressionTree
from aslant.tree.tree import Tree
from aslant.utils.checks import check_choice
from aslant.utils.parameters import documented

# A start with linear leaves: fewest cases in a leaf, and most leaves before pruning.
_LEAST_CASES, _MOST_LEAVES = 5, 32


@documented
class AutoTreeRegressor(AutoTree, TreeRegressor):
    """One small tree of numbers that needs no choice of method: the one to try first.

    Trees are grown with tests of single features and with linear tests along least-squares
    directions, with means and with linear functions in their leaves, and pruned by
    cross-validation. All tests and leaves are then fitted together on a smooth likelihood
    (`aslant.refine.JointFit`) with several strengths, dense and sparse. Cross-validation chooses
    among the fits; the winner is made hard again and is an ordinary tree.

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

    leaf: Literal["auto", "mean", "linear"]  # type: ignore[assignment]
    predictions: Literal["soft", "leaf"]
    gates_: RegressionGates | None

    _soft_parameter = "predictions"

    def __init__(
        self,
        *,
        leaf: Literal["auto", "mean", "linear"] = "auto",
        max_features_per_test: int | None = None,
        sparsity: float | None = 0.5,
        effort: Literal["low", "medium", "high"] = "medium",
        predictions: Literal["soft", "leaf"] = "soft",
        max_leaf_nodes: int | None = None,
        categorical_features: Any = "from_dtype",
        missing: str = "node_mean",
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int | Callable[[int, int], None] = 0,
    ) -> None:
        self.leaf = leaf
        self.max_features_per_test = max_features_per_test
        self.sparsity = sparsity
        self.effort = effort
        self.predictions = predictions
        self.max_leaf_nodes = max_leaf_nodes
        self.categorical_features = categorical_features
        self.missing = missing
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    # ------------------------------------------------------------------ fitting

    def _checked(self) -> Effort:
        check_choice("leaf", self.leaf, ("auto", "mean", "linear"))
        return super()._checked()

    def _fit_with(self, effort: Effort, sample: Sample, seed: int) -> Self:
        # In units of a power of two, which is exact: no square overflows or vanishes.
        exponent = exponent_of(sample.y)
        super()._fit_with(effort, sample.with_target(np.ldexp(sample.shared_y, -exponent)), seed)
        self.tree_ = self._regression_tree().in_units(exponent, 2)
        if self.gates_ is not None:
            self.gates_ = RegressionGates(self._regression_tree(), self.gates_.steepness)
        for record in self.candidates_:
            for name in ("error", "standard_error"):
                with np.errstate(over="ignore"):
                    record[name] = float(np.ldexp(record[name], 2 * exponent))
        return self

    def _kinds_of_leaves(self) -> tuple[Literal["mean", "linear"], ...]:
        return ("mean", "linear") if self.leaf == "auto" else (self.leaf,)

    def _make_fitting(self, effort: Effort, sample: Sample, work: Work) -> Fitting:
        y = np.reshape(sample.y, (len(sample), -1))
        center = np.average(y, axis=0, weights=sample.weight)
        variance = float(np.average((y - center) ** 2, axis=0, weights=sample.weight).sum())
        return RegressionFitting(
            effort,
            self.sparsity is not None,
            self.max_features_per_test,
            self.missing == "training_mean",
            work.check,
            soft=self.predictions == "soft",
            leaves=self._kinds_of_leaves(),
            variance=variance if variance > 0.0 else 1.0,
        )

    def _growers(
        self, effort: Effort, seed: int, work: Work
    ) -> dict[str, Callable[[Sample], Tree]]:
        def grown(search: SplitSearch, leaf: Literal["mean", "linear"]) -> Callable[[Sample], Tree]:
            def grow(rows: Sample) -> Tree:
                tree = ObliqueDecisionTreeRegressor(
                    search, leaf=leaf, missing=self.missing, verbose=work.check
                )
                if leaf == "linear":
                    tree.set_params(max_leaf_nodes=_MOST_LEAVES)
                return self._grown(tree, rows, seed, _LEAST_CASES if leaf == "linear" else 2)

            return grow

        ways = {
            "linear tests": BestOf([AxisParallel(), LeastSquares()]),
            "single features": AxisParallel(),
        }
        said = {"mean": "", "linear": " and linear leaves"}
        return {
            name + said[leaf]: grown(search, leaf)
            for leaf in self._kinds_of_leaves()
            for name, search in ways.items()
        }

    def _leaf_of(self, sample: Sample) -> Tree:
        return regression_leaf_of(sample, self.encoder_)

    def _made_soft(
        self, refined: Refined, sample: Sample, choice: Choice, fitting: Fitting
    ) -> RegressionGates:
        return RegressionGates(cast(RegressionTree, refined.tree), refined.steepness)

    # ------------------------------------------------------------------ predicting

    def _predictions_at(self, encoded: npt.NDArray[np.floating[Any]]) -> npt.NDArray[np.float64]:
        if self.gates_ is None or not self.is_soft_:
            return super()._predictions_at(encoded)
        return self.gates_.predict(encoded, n_threads=self._n_threads())

    def _gates_from(self, state: dict[str, Any]) -> RegressionGates:
        return RegressionGates(self._regression_tree(), state["steepness"])
