"""Gradient boosting for classification."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import expit, softmax

from aslant.encoding.sample import Matrix
from aslant.encoding.targets import check_labels
from aslant.estimators.boosting.base import BaseBoosting
from aslant.estimators.distillation import DistillableClassifier
from aslant.utils.checks import check_choice
from aslant.utils.parameters import parameters

Floats = npt.NDArray[np.float64]


@parameters
class ObliqueGradientBoostingClassifier(BaseBoosting, DistillableClassifier):
    """Gradient boosting whose trees test single features and linear combinations.

    Trees are grown best-first on histograms, as in scikit-learn's HistGradientBoostingClassifier,
    whose parameters and attributes it has. At each node that is split, one linear combination of
    randomly drawn features, the ridge regression of the Newton steps of its rows, competes with
    the best test of a single feature.

    Parameters
    ----------
    loss : {'log_loss'}, default='log_loss'
        What the rounds decrease.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from aslant import ObliqueGradientBoostingClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = ObliqueGradientBoostingClassifier(max_iter=20, random_state=0).fit(X, y)
    >>> model.n_iter_, len(model.trees_)
    (20, 60)
    """

    loss: str = "log_loss"

    # ------------------------------------------------------------------ fitting

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_choice("loss", self.loss, ("log_loss",))

    def _loss_name(self) -> str:
        return "log_loss"

    def _n_outputs(self) -> int:
        return 1 if self.n_classes_ <= 2 else self.n_classes_

    def _core_target(self, y: npt.NDArray[Any]) -> Floats:
        return y.astype(np.float64)

    def _given_target(self, y: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return self.classes_[y]

    def _check_validation_target(self, y: Any, n_rows: int) -> npt.NDArray[Any]:
        labels = check_labels(y, n_rows)
        codes = np.searchsorted(self.classes_, labels)
        if not np.array_equal(self.classes_[np.minimum(codes, self.n_classes_ - 1)], labels):
            raise ValueError("y_val must hold classes that y holds.")
        return codes.astype(np.int32)

    # ------------------------------------------------------------------ predicting

    def decision_function(self, X: Any) -> Floats:
        """Return the log-odds of the second class, or a raw score for each of several classes."""
        return self._flat_raw(self._raw_predict(X))

    def predict_proba(self, X: Any) -> Floats:
        """Return the probability of each class, shape (n_samples, n_classes)."""
        return self._probabilities(self._raw_predict(X))

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Return the most probable class; the first one on ties."""
        return self._labels(self._raw_predict(X))

    def staged_decision_function(self, X: Any) -> Iterator[Floats]:
        """Yield `decision_function` after each round."""
        return map(self._flat_raw, self._staged_raw(X))

    def staged_predict_proba(self, X: Any) -> Iterator[Floats]:
        """Yield `predict_proba` after each round."""
        return map(self._probabilities, self._staged_raw(X))

    def staged_predict(self, X: Any) -> Iterator[npt.NDArray[Any]]:
        """Yield `predict` after each round."""
        return map(self._labels, self._staged_raw(X))

    def _flat_raw(self, raw: Floats) -> Floats:
        return raw[:, 0] if raw.shape[1] == 1 else raw

    def _probabilities(self, raw: Floats) -> Floats:
        if self.n_classes_ == 1:
            return np.ones((len(raw), 1))
        if self.n_classes_ == 2:
            return np.column_stack([expit(-raw[:, 0]), expit(raw[:, 0])])
        return np.asarray(softmax(raw, axis=1))

    def _distil_predictions(self, encoded: Matrix) -> Floats:
        return self._probabilities(self._raw(encoded))

    def _labels(self, raw: Floats) -> npt.NDArray[Any]:
        if self.n_classes_ > 2:
            return self.classes_[raw.argmax(axis=1)]
        return self.classes_[(raw[:, 0] > 0.0).astype(np.intp)]
