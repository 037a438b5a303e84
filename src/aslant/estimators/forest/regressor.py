"""Forests of oblique trees for numbers."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any, ClassVar, Self, cast

import numpy as np
import numpy.typing as npt
from sklearn.base import RegressorMixin

from aslant import _core
from aslant.encoding import FeatureEncoder
from aslant.encoding.weights import row_weights
from aslant.estimators.ensemble import share_fit
from aslant.estimators.forest.base import BaseForest
from aslant.estimators.forest.distil import distilled_regressor
from aslant.estimators.forest.grown import TOO_FEW_TREES, Encoded
from aslant.estimators.regressor import (
    ObliqueDecisionTreeRegressor,
    check_poisson,
    check_regression_target,
    exponent_of,
    times_power_of_two,
)
from aslant.search import FOREST_REGRESSION_SEARCHES, REGRESSION_CRITERIA, for_regression
from aslant.search.base import SplitSearch
from aslant.tree.regression_tree import RegressionTree
from aslant.tree.tree import Tree
from aslant.utils.checks import check_choice
from aslant.utils.parameters import parameters

Floats = npt.NDArray[np.float64]

# Sums over the trees of a forest stay finite below this power of two.
_LARGEST_EXPONENT = 960


@parameters
class ObliqueRandomForestRegressor(RegressorMixin, BaseForest):
    """A random forest that predicts numbers, of single features and linear combinations.

    Trees are grown on bootstrapped rows; every node looks at features drawn anew. By default, in
    half of the nodes the ridge regression of the target on drawn features competes with the single
    features: see `aslant.search.ForestSplit`.

    Parameters
    ----------
    search : str or SplitSearch, default='forest'
        How a node looks for its split. ``"axis_parallel"`` makes the ordinary random forest,
        ``"random_projection"`` tests sparse random combinations; any other name of
        `aslant.search.FOREST_REGRESSION_SEARCHES`, or a search of your own, sees `max_features`
        features. A search that needs classes is given two, the rows above and below the node's
        mean.
    criterion : {'squared_error', 'poisson'}, default='squared_error'
        What splits decrease: the squared error, summed over the outputs, or half the Poisson
        deviance, for one target that is not negative.
    max_features : {'sqrt', 'log2'}, int, float or None, default=1.0
        Features a node looks at, constant ones not counted: a number, a share, or all. The
        combinations of the default search are made of twice as many.
    oob_score : bool or callable, default=False
        Whether to find out how well the trees do on rows they have not drawn: R2, or
        ``oob_score(y_true, y_predicted)``.

    Attributes
    ----------
    n_outputs_ : int
        How many numbers are predicted.
    oob_score_ : float
        With `oob_score`: the score on rows that trees have not drawn; rows that every tree has
        drawn do not count.
    oob_prediction_ : ndarray of shape (n_samples,) or (n_samples, n_outputs)
        With `oob_score`: the mean over the trees that have not drawn a row; NaN where all have.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from aslant import ObliqueRandomForestRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> forest = ObliqueRandomForestRegressor(oob_score=True, random_state=0).fit(X, y)
    >>> len(forest.estimators_)
    100
    """

    criterion: str = "squared_error"
    max_features: Any = 1.0

    _tree_type: ClassVar[type[Tree]] = RegressionTree
    _searches: ClassVar[dict[str, type[SplitSearch]]] = FOREST_REGRESSION_SEARCHES

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the trees.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            Training rows; NaN is a missing value.
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
            Numbers.
        sample_weight : array-like of shape (n_samples,), optional
            Weights, not negative. Rows are drawn regardless of them.

        Returns
        -------
        self
            The fitted estimator.
        """
        self._check_parameters()
        check_choice("criterion", self.criterion, REGRESSION_CRITERIA)
        if y is None:
            raise ValueError(
                f"This {type(self).__name__} estimator requires y to be passed, but the target y "
                "is None."
            )
        known = self._known_trees()
        self.encoder_, encoded = FeatureEncoder.fit(
            self, X, self.categorical_features, sample_weight=sample_weight
        )
        numbers = check_regression_target(y, encoded.shape[0])
        if self.criterion == "poisson":
            check_poisson(numbers)
        outputs = 1 if numbers.ndim == 1 else numbers.shape[1]
        if known and outputs != getattr(self, "n_outputs_", outputs):
            raise ValueError("a warm start needs as many outputs as the first fit.")
        self.n_outputs_ = outputs
        weight = row_weights(sample_weight, None, numbers)
        rows = weight > 0  # a row of weight zero is no row at all
        used = encoded, numbers, weight
        if not rows.all():
            used = encoded[rows], numbers[rows], weight[rows]
        # Squares of targets near 1 neither overflow nor vanish, and the division is exact.
        self._exponent = exponent_of(used[1])
        divided = np.ldexp(used[1], -self._exponent)
        grown = self._grow(used[0], divided, 0, used[2], False)
        if self.criterion == "poisson" and grown:
            self._set_errors(used[0], divided, used[2], grown)
        if self.oob_score and (grown or not hasattr(self, "oob_score_")):
            self._score_out_of_bag(encoded, rows, numbers)
        return self

    # ------------------------------------------------------------------ growing

    def _impurity_exponent(self) -> int:
        """Return the power of two by which impurities shrink with the targets."""
        return self._exponent * (1 if self.criterion == "poisson" else 2)

    def _stopping_rules(self, n_rows: int) -> dict[str, Any]:
        rules = super()._stopping_rules(n_rows)
        return rules | {
            "min_impurity_decrease": self._for_targets_divided(rules["min_impurity_decrease"])
        }

    def _for_targets_divided(self, threshold: float) -> float:
        return times_power_of_two(threshold, -self._impurity_exponent())

    def _finished(self, arrays: dict[str, Any]) -> Tree:
        grown = RegressionTree.from_statistics(arrays)
        tree = self._pruned(grown, self._for_targets_divided(self.ccp_alpha))
        tree = cast(RegressionTree, tree)
        return tree.in_units(self._exponent, 1 if self.criterion == "poisson" else 2)

    def _set_errors(self, X: Encoded, y: Floats, weight: Floats, n_new: int) -> None:
        """Give the newest trees the squared errors of their nodes: deviances are none."""
        for t in range(len(self.trees_) - n_new, len(self.trees_)):
            drawn = weight
            if self._n_samples_bootstrap:
                rows = _core.drawn_rows(self._seeds[t], len(y), self._n_samples_bootstrap)
                drawn = weight * np.bincount(rows, minlength=len(y))
            self.trees_[t] = self._with_errors(cast(RegressionTree, self.trees_[t]), X, y, drawn)

    def _with_errors(
        self, tree: RegressionTree, X: Encoded, y: Floats, weight: Floats
    ) -> RegressionTree:
        """Return a tree with the squared errors of its nodes; `y` is divided as for growing."""
        small = tree.in_units(-self._exponent, 1).with_errors_on(X, y, weight)
        return small.in_units(self._exponent, 1)

    def _criteria(self, search: SplitSearch) -> tuple[str, ...]:
        return REGRESSION_CRITERIA

    def _make_search(self) -> SplitSearch:
        return for_regression(super()._make_search())

    _NOT_OF_A_TREE: ClassVar = {
        "n_estimators", "max_features", "bootstrap", "oob_score", "max_samples", "warm_start",
    }  # fmt: skip

    def _member(self, tree: Tree) -> ObliqueDecisionTreeRegressor:
        settings = self.get_params(deep=False)
        settings = {k: v for k, v in settings.items() if k not in self._NOT_OF_A_TREE}
        settings["search"] = self._make_search()
        member = ObliqueDecisionTreeRegressor(**settings)
        share_fit(self, member)
        member.n_outputs_ = self.n_outputs_
        member.tree_ = tree
        member.n_samples_fit_ = int(tree.n_node_samples[0])  # what it has drawn, each row once
        member.n_hyperplanes_ = 0
        member.feature_importances_ = self._importances_of(tree)
        return member

    def _importances_of(self, tree: Tree) -> Floats:
        if not 0.0 < tree.impurity[0] < np.inf:  # squares of such targets are no numbers
            arrays = tree.arrays()
            value = np.ldexp(tree.value, -self._exponent)
            # What splitting a node decreases are the squared means: the squares of the targets
            # are the same before and after.
            arrays["impurity"] = -((value - value[0]) ** 2).sum(axis=1)
            tree = RegressionTree.adopt(n_features=tree.n_features, **arrays)
        return super()._importances_of(tree)

    # ------------------------------------------------------------------ predicting

    @property
    def _unit(self) -> int:
        """The power of two by which leaves are divided while they are summed, 0 if none need be."""
        if "unit" not in self._made:
            largest = max(float(np.abs(tree.value).max()) for tree in self.trees_)
            self._made["unit"] = max(0, int(np.frexp(largest)[1]) - _LARGEST_EXPONENT)
        unit: int = self._made["unit"]
        return unit

    def _says(self, tree: Tree) -> Floats:
        return np.ldexp(tree.value, -self._unit) if self._unit else tree.value

    def _mean(self, encoded: Encoded) -> Floats:
        return self._in_units(super()._mean(encoded))

    def _out_of_bag(self, encoded: Encoded) -> Floats:
        return self._in_units(super()._out_of_bag(encoded))

    def _in_units(self, mean: Floats) -> Floats:
        return np.ldexp(mean, self._unit) if self._unit else mean

    def predict(self, X: Any) -> Floats:
        """Return the mean over the trees of what the leaf of each row predicts.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            Rows; NaN is a missing value.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_outputs)
            The predictions, a column for each output if there are several.
        """
        return self._flat(self._predictions_at(self._encoded(X)))

    def _predictions_at(self, encoded: Encoded) -> Floats:
        return self._mean(encoded)

    def _flat(self, predicted: Floats) -> Floats:
        return predicted[:, 0] if self.n_outputs_ == 1 else predicted

    def _score_out_of_bag(self, encoded: Encoded, rows: npt.NDArray[np.bool_], y: Floats) -> None:
        """Set oob_prediction_ and oob_score_; rows without weight were never drawn."""
        from sklearn.metrics import r2_score  # which takes long to import

        predicted = np.empty((len(y), self.n_outputs_))
        predicted[rows] = self._out_of_bag(encoded[rows])
        if not rows.all():
            predicted[~rows] = self._mean(encoded[~rows])
        known = ~np.isnan(predicted[:, 0])
        if not known.all():
            warnings.warn(TOO_FEW_TREES, UserWarning, stacklevel=3)
        self.oob_prediction_ = self._flat(predicted)
        truth, answer = y[known], self.oob_prediction_[known]
        if callable(self.oob_score):
            self.oob_score_ = self.oob_score(truth, answer)
        else:  # R2 has no unit; squares of divided targets do not overflow
            self.oob_score_ = r2_score(
                np.ldexp(truth, -self._exponent), np.ldexp(answer, -self._exponent)
            )

    def distil(
        self,
        X: Any,
        y: Any,
        *,
        searches: Sequence[str | SplitSearch] = ("axis_parallel", "least_squares"),
        sizes: Sequence[int] = (4, 8, 16, 32),
        extra_rows: int | None = None,
        random_state: int = 0,
    ) -> ObliqueDecisionTreeRegressor:
        """Return one small tree that says what the forest says, as nearly as it can.

        Trees of several sizes and kinds are grown on the forest's predictions of the training rows
        (from the trees that have not drawn them) and of manufactured rows between them. The tree
        is kept whose predictions have the least mean squared error against `y`.

        Parameters
        ----------
        X, y : array-like
            The training rows and targets.
        searches : sequence of str or SplitSearch, default=("axis_parallel", "least_squares")
            Kinds of trees to try.
        sizes : sequence of int, default=(4, 8, 16, 32)
            Numbers of leaves to try.
        extra_rows : int or None, default=None
            Rows to manufacture; None is four times as many as there are.
        random_state : int, default=0
            Seed.

        Returns
        -------
        ObliqueDecisionTreeRegressor
            The tree; its attribute ``loss_`` is the mean squared error it was chosen by.
        """
        encoded = self._encoded(X)
        numbers = check_regression_target(y, encoded.shape[0])
        outputs = 1 if numbers.ndim == 1 else numbers.shape[1]
        if outputs != self.n_outputs_:
            raise ValueError(
                f"y must have as many outputs as the forest, {self.n_outputs_}, got {outputs}."
            )
        return distilled_regressor(
            self, encoded, numbers, searches, sizes, extra_rows, random_state
        )

    # ------------------------------------------------------------------ keeping

    def _to_state(self) -> dict[str, Any]:
        return {"n_outputs": self.n_outputs_, "exponent": self._exponent, **super()._to_state()}

    def _from_state(self, state: dict[str, Any]) -> Self:
        self.n_outputs_ = int(state["n_outputs"])
        self._exponent = int(state["exponent"])
        super()._from_state(state)
        if any(tree.value.shape[1] != self.n_outputs_ for tree in self.trees_):
            raise ValueError("the trees have another number of outputs than the estimator")
        return self

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags


@parameters
class ObliqueExtraTreesRegressor(ObliqueRandomForestRegressor):
    """A forest that predicts numbers and whose thresholds are drawn at random.

    The trees are grown like those of `ObliqueExtraTreesClassifier`, where the paper is named.

    `search` must be ``"forest"``, ``"axis_parallel"`` or ``"random_projection"``.

    Parameters
    ----------
    bootstrap : bool, default=False
        Whether each tree draws its rows with replacement, or is grown on all.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from aslant import ObliqueExtraTreesRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> forest = ObliqueExtraTreesRegressor(n_estimators=10, random_state=0).fit(X, y)
    >>> len(forest.estimators_)
    10
    """

    bootstrap: bool = False
    _random_thresholds = True
