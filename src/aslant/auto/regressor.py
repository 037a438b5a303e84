"""The tree to try first, of numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, Self, cast

import numpy as np
import numpy.typing as npt

from aslant.auto.base import AutoTree
from aslant.auto.candidates import Fitting
from aslant.auto.choosing import Choice
from aslant.auto.effort import Effort
from aslant.auto.finishing import number_leaf_of
from aslant.auto.numbers import NumberFitting
from aslant.auto.work import Work
from aslant.checks import check_choice
from aslant.refine.joint import Refined
from aslant.refine.numbers import NumberGates
from aslant.regression import ObliqueDecisionTreeRegressor, TreeRegressor, exponent_of
from aslant.regression_tree import RegressionTree
from aslant.sample import Sample
from aslant.search import AxisParallel, BestOf, LeastSquares, SplitSearch
from aslant.tree import Tree

# A start with linear leaves: fewest cases in a leaf, and most leaves before pruning.
_LEAST_CASES, _MOST_LEAVES = 5, 32


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
    max_features_per_test : int or None, default=None
        Most features in a test; functions of leaves are not limited.
    sparsity : float or None, default=0.5
        The tree with the fewest coefficients, in tests and leaves, is taken whose cross-validated
        error is within so many standard errors of the lowest: more is sparser. None takes the
        lowest error and tries no sparse tests.
    effort : {"low", "medium", "high"}, default="medium"
        How many strengths and folds are tried, and on how many rows.
    predictions : {"soft", "leaf"}, default="soft"
        ``"soft"``: tests are gates that a row passes with a probability, and a prediction is the
        mean of what all leaves predict, weighted by the probability of reaching them.
        ``"leaf"``: what the leaf predicts that the row reaches. A fitted soft tree becomes an
        ordinary one by ``set_params(predictions="leaf")``.
    max_leaf_nodes : int or None, default=None
        Most leaves.
    categorical_features : 'from_dtype', None, mask, indices or names, default='from_dtype'
        Features that are categories; by default the categorical and text columns of a data frame.
    missing : {'node_mean', 'training_mean'}, default='node_mean'
        What stands in for a missing value: the mean of the node, or of the training set.
    random_state : int, RandomState or None, default=None
        Seed of everything random. The same seed gives the same tree for any `n_jobs`.
    n_jobs : int or None, default=None
        Threads; None is 1, -1 all cores.
    verbose : int or callable, default=0
        Progress on the standard error stream, or ``verbose(done, n_rows)`` with the share of the
        work that is done, counted in rows.

    Attributes
    ----------
    tree_ : RegressionTree
        The tree, as flat arrays.
    candidates_ : list of dict
        What was compared: start, strength and l1 of the fit, cross-validated mean squared error and
        its standard error, mean leaves and coefficients of the trees of the folds, seconds.
    choice_ : str
        Why the winner was taken, in a sentence.
    gates_ : NumberGates or None
        What the soft predictions need besides the tree; None after a fit with
        ``predictions="leaf"``.
    n_outputs_ : int
        How many numbers are predicted.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where the data had names that are all text.
    n_samples_fit_ : int
        Training rows.
    column_spread_ : ndarray of shape (n_columns,)
        Standard deviation of every encoded column over the training rows.
    feature_importances_ : ndarray of shape (n_features_in_,)
        Share of each feature in the total decrease of the squared error by the tests.
    encoder_ : FeatureEncoder
        Which features are categories, and their levels.
    n_hyperplanes_ : int
        Hyperplanes considered while growing the starts.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from aslant import AutoTreeRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> AutoTreeRegressor(random_state=0, leaf="mean").fit(X, y).get_n_leaves()
    6
    """

    leaf: Literal["auto", "mean", "linear"]  # type: ignore[assignment]
    predictions: Literal["soft", "leaf"]
    gates_: NumberGates | None

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
        self.tree_ = self._number_tree().in_units(exponent, 2)
        if self.gates_ is not None:
            self.gates_ = NumberGates(self._number_tree(), self.gates_.steepness)
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
        return NumberFitting(
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
        return number_leaf_of(sample, self.encoder_)

    def _made_soft(
        self, refined: Refined, sample: Sample, choice: Choice, fitting: Fitting
    ) -> NumberGates:
        return NumberGates(cast(RegressionTree, refined.tree), refined.steepness)

    # ------------------------------------------------------------------ predicting

    def _numbers_at(self, encoded: npt.NDArray[np.floating[Any]]) -> npt.NDArray[np.float64]:
        if self.gates_ is None or not self.is_soft_:
            return super()._numbers_at(encoded)
        return self.gates_.predict(encoded, n_threads=self._n_threads())

    def _gates_from(self, state: dict[str, Any]) -> NumberGates:
        return NumberGates(self._number_tree(), state["steepness"])
