"""Trees that predict numbers: what their estimators share, and the generic one.

Growing, encoding, weights and pruning are those of `aslant.estimators`; here is what differs: the
check of the target, the leaves, and predictions. The named systems are in `published/`.
"""

from __future__ import annotations

from dataclasses import field
from typing import Any, ClassVar, Literal, Self, cast

import numpy as np
import numpy.typing as npt
from sklearn.base import RegressorMixin, clone
from sklearn.utils import Bunch
from sklearn.utils.validation import check_array

from aslant.encoding.sample import Matrix, Sample
from aslant.encoding.weights import row_weights
from aslant.estimators.base import Target
from aslant.estimators.single_tree import SingleTree
from aslant.prune import PRUNERS, Pruner
from aslant.search import (
    REGRESSION_CRITERIA,
    REGRESSION_SEARCHES,
    AxisParallel,
    SplitSearch,
    for_regression,
)
from aslant.search.base import chosen_search
from aslant.tree.linear_leaves import with_linear_leaves
from aslant.tree.regression_tree import RegressionTree
from aslant.tree.tree import Tree
from aslant.utils.checks import check_choice, check_flag
from aslant.utils.parameters import parameters

# Classes for the encoder, which learns from classes: rows on either side of the mean.
_SIDES_OF_MEAN = ("up to the mean", "above the mean")


@parameters
class TreeRegressor(RegressorMixin, SingleTree):
    """What every regressor of one tree shares; not to be used itself.

    A subclass says which search to run (`_make_search`).

    Parameters
    ----------
    pruning : str, Pruner or None, default=None
        ``"cost_complexity"`` or ``"reduced_error"``, by squared error: a pruner of `aslant.prune`
        with its own defaults; or such an object, with parameters of its choice. None prunes
        nothing.
    many_levels : {'target', 'merge'}, default='target'
        Target encoding of a category with more than `max_levels`: each level becomes the smoothed
        share of its rows whose (first) target is above the mean, learned out of fold; or only the
        most frequent levels are kept and the others merged into "other".
    missing : {'auto', 'node_mean', 'training_mean', 'indicator'}, default='auto'
        What stands in for a missing value: the mean of the node, or of the training set as in OC1.
        With "indicator" a feature that has missing values is joined by one that says where they
        are; with "auto" only if that differs between the rows whose (first) target is above the
        mean and the others (chi-squared test).
    criterion : {'squared_error', 'poisson'}, default='squared_error'
        What splits decrease: the squared error, summed over the outputs, or half the Poisson
        deviance, for one target that is not negative.
    leaf : {'mean', 'linear'}, default='mean'
        What a leaf predicts: the mean of its training rows, or a linear function of the columns, by
        ridge regression whose strength is chosen by leave-one-out within the leaf.
    extrapolate : bool, default=False
        With linear leaves: whether predictions may leave the range of the leaf's training targets.

    Attributes
    ----------
    tree_ : RegressionTree
        The tree, as flat arrays: see `aslant.tree.regression_tree.RegressionTree`.
    n_outputs_ : int
        How many numbers are predicted.
    """

    criterion: str = "squared_error"
    leaf: Literal["mean", "linear"] = "mean"
    extrapolate: bool = False

    _tree_type: ClassVar[type[Tree]] = RegressionTree
    # The power of two by which the targets were divided before they came here.
    _unit = 0

    # ------------------------------------------------------------------ fitting

    def _criterion_of(self, search: SplitSearch) -> str:
        check_choice("criterion", self.criterion, REGRESSION_CRITERIA)
        return self.criterion

    def _make_pruner(self) -> Pruner | None:
        if isinstance(self.pruning, str):
            able = [name for name, pruner in PRUNERS.items() if pruner.prunes_regression]
            check_choice("pruning", self.pruning, able)
        pruner = super()._make_pruner()
        if pruner is not None and not pruner.prunes_regression:
            raise ValueError(
                f"{type(pruner).__name__} prunes trees of classes, and {type(self).__name__} "
                "predicts numbers: use CostComplexity or ReducedError."
            )
        return pruner

    def _check_target(self, y: Any, n_rows: int, sample_weight: Any) -> Target:
        numbers = check_regression_target(y, n_rows)
        self.n_outputs_ = 1 if numbers.ndim == 1 else numbers.shape[1]
        check_choice("criterion", self.criterion, REGRESSION_CRITERIA)
        if self.criterion == "poisson":
            check_poisson(numbers)
        return numbers, 0, row_weights(sample_weight, None, numbers)

    def _learn_target(
        self, encoded: Matrix, target: npt.NDArray[Any], weight: npt.NDArray[np.float64]
    ) -> Matrix:
        above = _above_mean(target if target.ndim == 1 else target[:, 0], weight)
        return self.encoder_.learn_classes(encoded, above, weight, _SIDES_OF_MEAN)

    def _fit_sample(self, sample: Sample, seed: int) -> Self:
        check_choice("leaf", self.leaf, ("mean", "linear"))
        check_flag("extrapolate", self.extrapolate)
        if self.leaf == "mean" and self.extrapolate:
            raise ValueError("extrapolate has no effect unless leaf='linear', got True.")
        exponent = exponent_of(sample.y)
        if exponent == 0:
            return super()._fit_sample(sample, seed)
        power = 1 if self.criterion == "poisson" else 2
        other = self._for_targets_divided(power * exponent)
        other._unit = exponent
        other._fit_sample(sample.with_target(np.ldexp(sample.shared_y, -exponent)), seed)
        self.tree_ = other._regression_tree().in_units(exponent, power)
        self.feature_importances_ = other.feature_importances_
        self.n_hyperplanes_ = other.n_hyperplanes_
        return self

    def _for_targets_divided(self, exponent: int) -> Self:
        """Return an estimator like this whose thresholds of impurity are 2**exponent smaller."""
        other = clone(self)
        other.encoder_ = self.encoder_
        other.n_features_in_ = self.n_features_in_
        other.column_spread_ = self.column_spread_
        for name in ("min_impurity_decrease", "ccp_alpha"):
            if isinstance(value := getattr(self, name), int | float) and np.isfinite(value):
                setattr(other, name, times_power_of_two(value, -exponent))
        return other

    def _adopted(self, arrays: dict[str, Any], sample: Sample) -> Tree:
        tree = RegressionTree.from_statistics(arrays)
        if self.criterion == "poisson":  # whose impurity is no squared error
            tree = tree.with_errors_on(sample.X, sample.y, sample.weight)
        if self.leaf == "linear":
            return with_linear_leaves(tree, sample, self.extrapolate, self._unit)
        return tree

    def _with_impurity(self, tree: Tree) -> Tree:
        return tree  # no pruner of numbers changes what a node holds

    def _regression_tree(self) -> RegressionTree:
        return cast(RegressionTree, self.tree_)

    # ------------------------------------------------------------------ predicting

    def predict(self, X: Any) -> npt.NDArray[np.float64]:
        """Return what the leaf that each row reaches predicts.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            Rows; NaN is a missing value.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_outputs)
            The predictions, a column for each output if there are several.
        """
        predicted = self._predictions_at(self._encoded(X))
        return predicted[:, 0] if self.n_outputs_ == 1 else predicted

    def _predictions_at(self, encoded: npt.NDArray[np.floating[Any]]) -> npt.NDArray[np.float64]:
        return self._regression_tree().predict(encoded, n_threads=self._n_threads())

    def cost_complexity_pruning_path(self, X: Any, y: Any, sample_weight: Any = None) -> Bunch:
        """Return the alphas and impurities of minimal cost-complexity pruning.

        As in scikit-learn: ``ccp_alphas`` are the values of `ccp_alpha` at which the tree changes,
        ``impurities`` the total leaf impurities of the trees in between. Fits a clone.
        """
        numbers = np.asarray(y)
        if numbers.dtype.kind in "fiu" and numbers.size and np.abs(numbers).max() > 1e150:
            raise ValueError(
                "cost_complexity_pruning_path needs targets whose squares are finite numbers, got "
                f"{np.abs(numbers).max():g}."
            )
        return super().cost_complexity_pruning_path(X, y, sample_weight)

    # ------------------------------------------------------------------ keeping

    def _target_to_state(self) -> dict[str, Any]:
        return {"n_outputs": self.n_outputs_}

    def _target_from_state(self, state: dict[str, Any]) -> None:
        self.n_outputs_ = int(state["n_outputs"])

    def _trees_from_state(self, state: dict[str, Any]) -> None:
        super()._trees_from_state(state)
        if self._regression_tree().n_outputs != self.n_outputs_:
            raise ValueError("the tree has another number of outputs than the estimator")

    def _reads_sparse(self) -> bool:
        axis_parallel = isinstance(self._make_search(), AxisParallel)
        return axis_parallel and self.leaf != "linear" and super()._reads_sparse()

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags


@parameters
class ObliqueDecisionTreeRegressor(TreeRegressor):
    """A regression tree with any search and any pruning by squared error.

    Parameters
    ----------
    search : str or SplitSearch, default='oc1'
        How a node looks for its split: a name of `aslant.search.REGRESSION_SEARCHES`, a search of
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
    """Raise one clear error if Poisson deviances of these targets mean nothing."""
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


def times_power_of_two(threshold: float, exponent: int) -> float:
    """Return a threshold of impurity for other targets; infinite is beyond all decreases."""
    with np.errstate(over="ignore"):
        return float(np.ldexp(threshold, exponent))


def exponent_of(y: npt.NDArray[np.float64]) -> int:
    """Return the power of two that brings the spread of the targets near 1.

    Dividing by it is exact. Squares then neither overflow nor vanish, and what is small has one
    meaning, whatever the unit of the targets.
    """
    largest = float(np.abs(y).max())
    if largest == 0.0:
        return 0
    _, size = np.frexp(largest)
    spread = float(np.std(np.ldexp(y, -size), axis=0).max())
    return int(size + (np.frexp(spread)[1] if spread > 1e-12 else 0))
