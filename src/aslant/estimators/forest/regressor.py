"""Forests of oblique trees for regression."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from aslant.encoding.sample import Matrix, Sample
from aslant.estimators.base import integer
from aslant.estimators.distillation import DistillableRegressor
from aslant.estimators.forest.base import BaseForest
from aslant.estimators.regressor import (
    ObliqueDecisionTreeRegressor,
    check_regression_target,
)
from aslant.estimators.single_tree import SingleTree
from aslant.growth import TreeSettings, exponent_of
from aslant.search.base import REGRESSION_CRITERIA, SplitSearch
from aslant.search.registry import FOREST_REGRESSION_SEARCHES
from aslant.search.residual_signs import for_regression
from aslant.tree.regression_tree import RegressionTree
from aslant.tree.tree import Tree
from aslant.utils.parameters import parameters

Floats = npt.NDArray[np.float64]

# Sums over the trees of a forest stay finite below this power of two.
_LARGEST_EXPONENT = 960


@parameters
class ObliqueRandomForestRegressor(BaseForest, DistillableRegressor):
    """A random forest for regression, of single features and linear combinations.

    Trees are grown on bootstrapped rows; every node looks at features drawn afresh. By default, in
    half of the nodes the ridge regression of the target on drawn features competes with the single
    features: see `aslant.search.ForestSplit`.

    Parameters
    ----------
    search : str or SplitSearch, default='forest'
        How a node looks for its split. ``"axis_parallel"`` makes the ordinary random forest,
        ``"random_projection"`` tests sparse random combinations; any other name of
        `aslant.search.registry`, or a search of your own, sees `max_features`
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
    _member_type: ClassVar[type[SingleTree]] = ObliqueDecisionTreeRegressor
    _searches: ClassVar[dict[str, type[SplitSearch]]] = FOREST_REGRESSION_SEARCHES

    # ------------------------------------------------------------------ fitting

    def _divided(self, sample: Sample, settings: TreeSettings) -> tuple[Sample, TreeSettings]:
        # Squares of targets near 1 neither overflow nor underflow, and the division is exact.
        self._set_target_exponent(exponent_of(sample.y))
        divided = sample.with_target(np.ldexp(sample.y, -self._exponent))
        return divided, settings.for_targets_divided(self._exponent)

    def _set_target_exponent(self, exponent: int) -> None:
        self._exponent = exponent

    def _criteria(self, search: SplitSearch) -> tuple[str, ...]:
        return REGRESSION_CRITERIA

    def _make_search(self) -> SplitSearch:
        return for_regression(super()._make_search())

    def _score_out_of_bag(self, output: Floats, y: Any) -> None:
        from sklearn.metrics import r2_score  # which takes long to import

        self.oob_prediction_ = self._flat(output)
        known = ~np.isnan(output[:, 0])
        truth = check_regression_target(y, len(output))[known]
        predicted = self.oob_prediction_[known]
        if callable(self.oob_score):
            self.oob_score_ = self.oob_score(truth, predicted)
        else:  # R2 has no unit; squares of divided targets do not overflow
            self.oob_score_ = r2_score(
                np.ldexp(truth, -self._exponent), np.ldexp(predicted, -self._exponent)
            )

    # ------------------------------------------------------------------ predicting

    def _set_trees(self, trees: list[Tree]) -> None:
        super()._set_trees(trees)
        largest = max((float(np.abs(tree.value).max()) for tree in trees), default=0.0)
        # Leaves are divided by this power of two while they are summed; 0 if none need be.
        self._sum_exponent = max(0, int(np.frexp(largest)[1]) - _LARGEST_EXPONENT)

    def _node_outputs(self, tree: Tree) -> Floats:
        return np.ldexp(tree.value, -self._sum_exponent) if self._sum_exponent else tree.value

    def _mean(self, encoded: Matrix) -> Floats:
        return self._in_units(super()._mean(encoded))

    def _out_of_bag(self, encoded: Matrix) -> Floats:
        return self._in_units(super()._out_of_bag(encoded))

    def _in_units(self, mean: Floats) -> Floats:
        return np.ldexp(mean, self._sum_exponent) if self._sum_exponent else mean

    def predict(self, X: Any) -> Floats:
        """Return the mean over the trees of what the leaf of each row predicts.

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

    def _predictions_at(self, encoded: Matrix) -> Floats:
        return self._mean(encoded)

    def _distil_predictions(self, encoded: Matrix) -> Floats:
        return self._mean(encoded)

    def _distil_training_predictions(self, encoded: Matrix) -> Floats:
        return self._out_of_bag_where_known(encoded)

    # ------------------------------------------------------------------ saving

    def _target_to_state(self) -> dict[str, Any]:
        return {**super()._target_to_state(), "exponent": self._exponent}

    def _target_from_state(self, state: dict[str, Any]) -> None:
        super()._target_from_state(state)
        self._exponent = integer(state["exponent"])

    def _trees_from_state(self, state: dict[str, Any]) -> None:
        super()._trees_from_state(state)
        if any(tree.value.shape[1] != self.n_outputs_ for tree in self.trees_):
            raise ValueError("the trees have another number of outputs than the estimator")


@parameters
class ObliqueExtraTreesRegressor(ObliqueRandomForestRegressor):
    """A forest for regression whose thresholds are drawn at random.

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
