"""Regressors: of any kind, of one tree, and the generic one."""

from __future__ import annotations

from dataclasses import field, replace
from typing import Any, ClassVar, Literal, Self, cast

import numpy as np
import numpy.typing as npt
from sklearn.base import RegressorMixin
from sklearn.exceptions import NotFittedError
from sklearn.utils import Bunch
from sklearn.utils.validation import check_array, check_is_fitted

from aslant.encoding.sample import Matrix, Sample
from aslant.encoding.weights import row_weights
from aslant.estimators.base import BaseTree, Target
from aslant.estimators.intervals import leaf_intervals
from aslant.estimators.single_tree import SingleTree
from aslant.estimators.tree_estimator import TreeEstimator
from aslant.growth import TreeSettings, build_tree
from aslant.prune import Pruner
from aslant.prune.registry import PRUNERS
from aslant.search import AxisParallel, SplitSearch
from aslant.search.base import REGRESSION_CRITERIA, chosen_search
from aslant.search.registry import REGRESSION_SEARCHES
from aslant.search.residual_signs import for_regression
from aslant.tree.regression_tree import RegressionTree
from aslant.tree.tree import Tree
from aslant.utils.checks import check_choice, check_flag, check_number
from aslant.utils.parameters import parameters

# The encoder learns from classes: rows on either side of the mean.
SIDES_OF_MEAN = ("up to the mean", "above the mean")
# Squares of smaller targets underflow.
_SMALLEST_IMPURITY = 1e-290


@parameters
class BaseTreeRegressor(RegressorMixin, BaseTree):
    """What all regressors share; not to be used itself.

    Attributes
    ----------
    n_outputs_ : int
        Number of outputs.
    """

    def _check_target(self, y: Any, n_rows: int, sample_weight: Any, warm: bool) -> Target:
        values = check_regression_target(y, n_rows)
        n_outputs = 1 if values.ndim == 1 else values.shape[1]
        known: int = getattr(self, "n_outputs_", n_outputs)
        if warm and n_outputs != known:
            raise ValueError(
                f"warm_start=True needs the outputs of the first fit, {known}, got {n_outputs}."
            )
        criterion = getattr(self, "criterion", "squared_error")
        check_choice("criterion", criterion, REGRESSION_CRITERIA)
        if criterion == "poisson":
            check_poisson(values)
        weight = row_weights(sample_weight, None, values)
        self.n_outputs_ = n_outputs
        return Target(values, 0, weight)

    def _learn_target(self, encoded: Matrix, target: Target) -> Matrix:
        first = target.y if target.y.ndim == 1 else target.y[:, 0]
        above = _above_mean(first, target.weight)
        return self.encoder_.learn_classes(encoded, above, target.weight, SIDES_OF_MEAN)

    def _importances_of(self, tree: Tree) -> npt.NDArray[np.float64]:
        reads = tree.n_leaves > 1 or tree.is_linear
        if not _SMALLEST_IMPURITY < tree.impurity[0] < np.inf and reads:
            arrays = tree.arrays()
            exponent = -int(np.frexp(np.abs(tree.value).max())[1])
            value = np.ldexp(tree.value, exponent)
            # A split decreases the squared error by what it adds to the squared means: the squares
            # of the targets are the same before and after.
            arrays["impurity"] = -((value - value[0]) ** 2).sum(axis=1)
            # A linear leaf decreases it by about the squares that its function adds.
            slopes = np.ldexp(arrays["leaf_coef"], exponent)
            with np.errstate(over="ignore", invalid="ignore"):  # a column may spread without bounds
                added = np.nan_to_num(slopes * self.column_spread_[: slopes.shape[2]])
                arrays["error"] = arrays["impurity"] - (added**2).sum(axis=(1, 2))
            tree = RegressionTree.adopt(n_features=tree.n_features, **arrays)
        return super()._importances_of(tree)

    def _flat(self, predicted: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Return predictions as a vector if there is one output."""
        return predicted[:, 0] if self.n_outputs_ == 1 else predicted

    def _target_to_state(self) -> dict[str, Any]:
        return {"n_outputs": self.n_outputs_}

    def _target_from_state(self, state: dict[str, Any]) -> None:
        self.n_outputs_ = int(state["n_outputs"])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags


@parameters
class SingleTreeRegressor(SingleTree, BaseTreeRegressor):
    """What every regressor of one tree shares; not to be used itself.

    Attributes
    ----------
    tree_ : RegressionTree
        The tree, as flat arrays: see `aslant.tree.RegressionTree`.
    """

    _tree_type: ClassVar[type[Tree]] = RegressionTree

    def _regression_tree(self) -> RegressionTree:
        return cast(RegressionTree, self.tree_)

    def predict(self, X: Any) -> npt.NDArray[np.float64]:
        """Return what the leaf that each row reaches predicts.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            Rows; NaN is a missing value.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_outputs)
            The predictions, a column for each output if there are several.
        """
        return self._flat(self._predictions_at(self._encoded(X)))

    def _predictions_at(self, encoded: Matrix) -> npt.NDArray[np.float64]:
        return self._regression_tree().predict(encoded, n_threads=self._n_threads())

    def fit_intervals(
        self,
        X: Any,
        y: Any,
        *,
        coverage: float = 0.9,
        min_samples: int = 20,
        sample_weight: Any = None,
    ) -> Self:
        """Learn from the residuals of rows how far predictions are off, leaf by leaf.

        The interval of a leaf reaches from the prediction plus the lower quantile of the residuals
        of its rows to the prediction plus the upper one. There is no guarantee that it holds the
        truth as often as `coverage` says: see the guide to prediction intervals. The residuals of
        training rows are too small; pass rows that the tree has not seen.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            Rows, preferably ones that were not used to fit the tree.
        y : array-like of shape (n_samples,)
            Their targets.
        coverage : float, default=0.9
            Fraction of the residuals of a leaf that are inside its interval.
        min_samples : int, default=20
            A leaf with fewer rows gets the interval of the nearest node above it with as many.
        sample_weight : array-like of shape (n_samples,), optional
            Weights of the rows.

        Returns
        -------
        self
            The estimator, with ``leaf_interval_``, an array of shape (n_nodes, 2) that is added to
            predictions, and ``interval_coverage_``; `fit` and edits forget them.
        """
        check_is_fitted(self)
        check_number("coverage", coverage, 0.0, 1.0)
        check_number("min_samples", min_samples, 1, integer=True)
        if self.n_outputs_ > 1:
            raise ValueError(f"fit_intervals needs one output, got {self.n_outputs_}.")
        encoded = self._encoded(X)
        target = check_regression_target(y, encoded.shape[0])
        if target.ndim > 1:
            raise ValueError(f"fit_intervals needs one target, got {target.shape[1]}.")
        weight = row_weights(sample_weight, None, target)
        kept = weight > 0.0
        residuals = target - self._predictions_at(encoded)[:, 0]
        self.leaf_interval_ = leaf_intervals(
            self.tree_,
            self._leaves(encoded)[kept],
            residuals[kept],
            weight[kept],
            float(coverage),
            min_samples,
        )
        self.interval_coverage_ = float(coverage)
        return self

    def predict_interval(self, X: Any) -> npt.NDArray[np.float64]:
        """Return the interval of each prediction, from the residuals of `fit_intervals`.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            Rows; NaN is a missing value.

        Returns
        -------
        ndarray of shape (n_samples, 2)
            Lower and upper bounds.
        """
        check_is_fitted(self)
        if not hasattr(self, "leaf_interval_"):
            raise NotFittedError(
                f"This {type(self).__name__} has no intervals yet: call fit_intervals(X, y) first, "
                "with rows that it was not fitted to."
            )
        encoded = self._encoded(X)
        predicted = self._predictions_at(encoded)
        return predicted + self.leaf_interval_[self._leaves(encoded)]

    def cost_complexity_pruning_path(self, X: Any, y: Any, sample_weight: Any = None) -> Bunch:
        """Return the alphas and impurities of minimal cost-complexity pruning.

        As in scikit-learn: ``ccp_alphas`` are the values of `ccp_alpha` at which the tree changes,
        ``impurities`` the total leaf impurities of the trees in between. Fits a clone.
        """
        values = np.asarray(y)
        if values.dtype.kind in "fiu" and values.size and np.abs(values).max() > 1e150:
            raise ValueError(
                "cost_complexity_pruning_path needs targets whose squares are finite, got "
                f"{np.abs(values).max():g}."
            )
        return super().cost_complexity_pruning_path(X, y, sample_weight)

    def _trees_to_state(self) -> dict[str, Any]:
        state = super()._trees_to_state()
        if hasattr(self, "leaf_interval_"):
            state["intervals"] = {"coverage": self.interval_coverage_, "leaf": self.leaf_interval_}
        return state

    def _trees_from_state(self, state: dict[str, Any]) -> None:
        super()._trees_from_state(state)
        if self._regression_tree().n_outputs != self.n_outputs_:
            raise ValueError("the tree has another number of outputs than the estimator")
        if "intervals" in state:
            bounds = np.asarray(state["intervals"]["leaf"], dtype=np.float64)
            if bounds.shape != (self.tree_.n_nodes, 2) or not np.isfinite(bounds).all():
                raise ValueError("the intervals are not two finite numbers for each node")
            self.leaf_interval_ = bounds
            self.interval_coverage_ = float(state["intervals"]["coverage"])


@parameters
class TreeRegressor(TreeEstimator, SingleTreeRegressor):
    """What every regressor of one grown tree shares; not to be used itself.

    A subclass says which search to run (`_make_search`).

    Parameters
    ----------
    pruning : str, Pruner or None, default=None
        ``"cost_complexity"`` or ``"reduced_error"``, by squared error: a pruner of `aslant.prune`
        with its own defaults; or such an object, with parameters of its choice. None prunes
        nothing.
    criterion : {'squared_error', 'poisson'}, default='squared_error'
        What splits decrease: the squared error, summed over the outputs, or half the Poisson
        deviance, for one target that is not negative.
    leaf : {'mean', 'linear'}, default='mean'
        What a leaf predicts: the mean of its training rows, or a linear function of the columns, by
        ridge regression whose penalty is chosen by leave-one-out within the leaf.
    extrapolate : bool, default=False
        With linear leaves: whether predictions may leave the range of the leaf's training targets.
    """

    criterion: str = "squared_error"
    leaf: Literal["mean", "linear"] = "mean"
    extrapolate: bool = False

    def _criterion_of(self, search: SplitSearch) -> str:
        check_choice("criterion", self.criterion, REGRESSION_CRITERIA)
        return self.criterion

    def _tree_settings(self) -> TreeSettings:
        check_choice("leaf", self.leaf, ("mean", "linear"))
        check_flag("extrapolate", self.extrapolate)
        if self.leaf == "mean" and self.extrapolate:
            raise ValueError("extrapolate has no effect unless leaf='linear', got True.")
        linear = self.leaf == "linear"
        return replace(super()._tree_settings(), linear_leaves=linear, extrapolate=self.extrapolate)

    def _make_pruner(self) -> Pruner | None:
        able = [name for name, pruner in PRUNERS.items() if pruner.prunes_regression]
        if isinstance(self.pruning, str):
            check_choice("pruning", self.pruning, able)
        pruner = super()._make_pruner()
        if pruner is not None and not pruner.prunes_regression:
            raise ValueError(
                f"{type(pruner).__name__} prunes classification trees only: for "
                f"{type(self).__name__} use CostComplexity or ReducedError."
            )
        return pruner

    def _grow(self, sample: Sample, settings: TreeSettings, seed: int) -> None:
        self._set_tree(*build_tree(sample, settings, seed))

    def _reads_sparse(self) -> bool:
        axis_parallel = isinstance(self._make_search(), AxisParallel)
        return axis_parallel and self.leaf != "linear" and super()._reads_sparse()


@parameters
class ObliqueDecisionTreeRegressor(TreeRegressor):
    """A regression tree with any search and any pruning by squared error.

    Parameters
    ----------
    search : str or SplitSearch, default='oc1'
        How a node looks for its split: a name of `aslant.search.registry`, a search of
        `aslant.search` with parameters of its own, or a `SplitSearch` you wrote. A search that
        needs classes is given two, the rows above and below the node's mean: see
        `aslant.search.ResidualSigns`.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from aslant import ObliqueDecisionTreeRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> tree = ObliqueDecisionTreeRegressor("least_squares", max_depth=2).fit(X, y)
    >>> tree.get_n_leaves()
    4
    """

    search: str | SplitSearch = field(default="oc1", kw_only=False)

    def _make_search(self) -> SplitSearch:
        return for_regression(chosen_search(self.search, REGRESSION_SEARCHES))


def check_regression_target(y: Any, n_rows: int) -> npt.NDArray[np.float64]:
    """Return the targets as a vector, or as a matrix with a column for each output."""
    try:
        with np.errstate(over="ignore", invalid="ignore"):  # sums, while looking for infinite ones
            numbers = check_array(y, ensure_2d=False, dtype=np.float64, input_name="y")
    except OverflowError:
        raise ValueError("Input y contains a number too large for float64.") from None
    if numbers.ndim == 2 and numbers.shape[1] == 1:
        numbers = numbers[:, 0]
    if numbers.ndim not in (1, 2):
        raise ValueError(f"y must have one or two dimensions, got {numbers.ndim}.")
    if len(numbers) != n_rows:
        raise ValueError(
            f"Found input variables with inconsistent numbers of samples: [{n_rows}, "
            f"{len(numbers)}]"
        )
    return np.ascontiguousarray(numbers)


def _above_mean(
    numbers: npt.NDArray[np.float64], weight: npt.NDArray[np.float64]
) -> npt.NDArray[np.int32]:
    """Return 1 for rows whose target is above the weighted mean, else 0."""
    largest = float(np.abs(numbers).max())
    if largest == 0.0 or not (weight > 0.0).any():
        return np.zeros(len(numbers), dtype=np.int32)
    _, size = np.frexp(largest)  # a power of two keeps sums finite and changes nothing else
    scaled = np.ldexp(numbers, -size)
    return (scaled > np.average(scaled, weights=weight / weight.max())).astype(np.int32)


def check_poisson(numbers: npt.NDArray[np.float64]) -> None:
    """Validate that targets have Poisson deviances."""
    if numbers.ndim != 1:
        raise ValueError(
            f"criterion='poisson' needs one target, got {numbers.shape[1]}: use 'squared_error'."
        )
    if (numbers < 0.0).any():
        raise ValueError(
            f"criterion='poisson' needs targets that are not negative, got {numbers.min():g}."
        )
    if not (numbers > 0.0).any():
        raise ValueError("criterion='poisson' needs a target above 0, got only zeros.")
