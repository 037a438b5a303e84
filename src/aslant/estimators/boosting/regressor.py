"""Gradient boosting for regression."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import column_or_1d

from aslant.encoding.sample import Matrix
from aslant.estimators.base import Target, integer
from aslant.estimators.boosting.base import BaseBoosting
from aslant.estimators.distillation import DistillableRegressor
from aslant.estimators.regressor import check_regression_target
from aslant.growth import exponent_of
from aslant.tree.regression_tree import RegressionTree
from aslant.tree.tree import Tree
from aslant.utils.checks import check_choice, check_number
from aslant.utils.parameters import parameters

Floats = npt.NDArray[np.float64]

LOSSES = ("squared_error", "absolute_error", "gamma", "poisson", "quantile")
# Losses whose raw predictions are logarithms.
_LOG_LINK = ("gamma", "poisson")
# Targets of a size beyond this power of two, either way, are divided by one.
_MOST_EXPONENT = 60


@parameters
class ObliqueGradientBoostingRegressor(BaseBoosting, DistillableRegressor):
    """Gradient boosting for regression whose trees test single features and linear combinations.

    The trees are grown like those of `ObliqueGradientBoostingClassifier`; parameters and attributes
    are those of scikit-learn's HistGradientBoostingRegressor.

    Parameters
    ----------
    loss : {'squared_error', 'absolute_error', 'gamma', 'poisson', 'quantile'}, \
default='squared_error'
        What the rounds decrease. 'gamma' needs targets above zero, 'poisson' targets that are not
        negative; both predict through a logarithmic link.
    quantile : float or None, default=None
        The quantile that the loss of that name estimates, from 0 to 1.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from aslant import ObliqueGradientBoostingRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = ObliqueGradientBoostingRegressor(max_iter=20, random_state=0).fit(X, y)
    >>> model.n_iter_, len(model.trees_)
    (20, 20)
    """

    loss: str = "squared_error"
    quantile: float | None = None

    # ------------------------------------------------------------------ fitting

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_choice("loss", self.loss, LOSSES)
        if self.loss == "quantile" and self.quantile is None:
            raise ValueError("loss='quantile' needs a quantile from 0 to 1, got quantile=None.")
        if self.quantile is not None:
            check_number("quantile", self.quantile, 0.0, 1.0)
            if self.loss != "quantile":
                raise ValueError(
                    f"quantile has no effect unless loss='quantile', got {self.quantile!r}."
                )

    def _check_target(self, y: Any, n_rows: int, sample_weight: Any, warm: bool) -> Target:
        target = super()._check_target(
            _one_output("y", y, type(self).__name__), n_rows, sample_weight, warm
        )
        self._check_range("y", target.y[target.weight > 0.0])
        return target

    def _check_range(self, name: str, y: Floats) -> None:
        if self.loss == "gamma" and not (y > 0.0).all():
            raise ValueError(f"loss='gamma' needs {name} above zero, got {y.min():g}.")
        if self.loss == "poisson" and ((y < 0.0).any() or not y.sum() > 0.0):
            raise ValueError(
                f"loss='poisson' needs {name} that is not negative with a positive sum, got a "
                f"least value of {y.min():g} and a sum of {y.sum():g}."
            )

    def _check_validation_target(self, y: Any, n_rows: int) -> npt.NDArray[Any]:
        values = check_regression_target(_one_output("y_val", y, type(self).__name__), n_rows)
        self._check_range("y_val", values)
        return values

    def _set_target_units(self, y: npt.NDArray[Any]) -> None:
        # Gradients are float32, and their squares must be finite.
        exponent = exponent_of(y)
        self._exponent = exponent if abs(exponent) > _MOST_EXPONENT else 0

    def _loss_name(self) -> str:
        return self.loss

    def _quantile(self) -> float:
        return 0.5 if self.quantile is None else self.quantile

    def _n_outputs(self) -> int:
        return 1

    def _core_target(self, y: npt.NDArray[Any]) -> Floats:
        return np.ldexp(y, -self._exponent) if self._exponent else y

    def _given_target(self, y: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return y

    def _loss_unit(self) -> float:
        with np.errstate(over="ignore"):
            power = 2 if self.loss == "squared_error" else 1
            return float(np.ldexp(1.0, power * self._exponent))

    def _in_caller_units(self, raw: Floats) -> Floats:
        if self._has_log_link():
            return raw + self._exponent * np.log(2.0)
        return np.ldexp(raw, self._exponent)

    def _tree_in_units(self, tree: Tree) -> Tree:
        if not self._exponent or self._has_log_link():
            return tree
        return cast(RegressionTree, tree).in_units(self._exponent, 0)

    def _core_raw(self, encoded: Matrix) -> Floats:
        raw = self._raw(encoded)
        if self._has_log_link():
            return raw - self._exponent * np.log(2.0)
        return np.ldexp(raw, -self._exponent)

    # ------------------------------------------------------------------ predicting

    def predict(self, X: Any) -> Floats:
        """Return the predictions, shape (n_samples,).

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            Rows; NaN is a missing value.

        Returns
        -------
        ndarray of shape (n_samples,)
            The predictions.
        """
        return self._predicted(self._raw_predict(X))

    def staged_predict(self, X: Any) -> Iterator[Floats]:
        """Yield `predict` after each round."""
        return map(self._predicted, self._staged_raw(X))

    def _distil_predictions(self, encoded: Matrix) -> Floats:
        return self._predicted(self._raw(encoded))[:, np.newaxis]

    def _has_log_link(self) -> bool:
        """Whether predictions are exponentials of the trees' sums."""
        return self.loss in _LOG_LINK

    def _predicted(self, raw: Floats) -> Floats:
        with np.errstate(over="ignore"):
            return np.exp(raw[:, 0]) if self._has_log_link() else raw[:, 0]

    # ------------------------------------------------------------------ saving

    def _target_to_state(self) -> dict[str, Any]:
        return {**super()._target_to_state(), "exponent": self._exponent}

    def _target_from_state(self, state: dict[str, Any]) -> None:
        super()._target_from_state(state)
        self._exponent = integer(state["exponent"])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = False
        return tags


def _one_output(name: str, y: Any, estimator: str) -> Any:
    """Return a target of one output as a vector."""
    shape = np.shape(y)
    if len(shape) == 2 and shape[1] > 1:
        raise ValueError(f"{estimator} predicts one output, got {name} with {shape[1]}.")
    return column_or_1d(y, warn=True)
