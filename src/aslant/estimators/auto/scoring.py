"""Any scorer of scikit-learn in place of the losses of rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.metrics import check_scoring
from sklearn.utils import _safe_indexing

from aslant.encoding.sample import Sample
from aslant.estimators.auto.competitors import FoldFit
from aslant.estimators.auto.evaluation import Evaluation, sharpened

Score = Callable[[Any, Any, Any], float]


class Scoring:
    """Scores the predictions of folds.

    Parameters
    ----------
    scoring : str or callable
        A name of scikit-learn, or a function of a fitted estimator, rows and targets.
    X : array-like or data frame
        All rows, as they were given.
    y : array-like
        All targets, as they were given.
    classes : ndarray or None
        The class labels; None for regression.
    """

    def __init__(
        self, scoring: str | Score, X: Any, y: Any, classes: npt.NDArray[Any] | None
    ) -> None:
        kind = _ScoredRegressor if classes is None else _ScoredClassifier
        try:
            self._score: Score = check_scoring(kind(classes), scoring)
        except (ValueError, TypeError):
            raise ValueError(
                "scoring must be the name of a scorer of scikit-learn (see "
                f"sklearn.metrics.get_scorer_names()) or a function, got {scoring!r:.80}."
            ) from None
        self._kind = kind
        self._X, self._y, self._classes = X, y, classes
        #: Predictions are those of targets divided by this power of two.
        self.exponent = 0
        self.name = scoring if isinstance(scoring, str) else getattr(scoring, "__name__", "score")

    def loss(
        self, fits: Sequence[FoldFit], evaluation: Evaluation, folds: Sequence[Sample]
    ) -> tuple[float, float]:
        """Return the mean score over the folds, negative, and its standard error."""
        scores = [
            self._fold_score(fit.output, evaluation.exponent, fold)
            for fit, fold in zip(fits, folds, strict=True)
        ]
        if not np.isfinite(scores).all():
            raise ValueError(
                f"scoring must give a finite number for every fold, got {scores!r:.80} from "
                f"{self.name!r}."
            )
        size = max(np.abs(scores).max(), np.finfo(np.float64).tiny)  # so that no square overflows
        relative = np.asarray(scores) / size
        deviation = float(np.std(relative, ddof=1)) if len(scores) > 1 else 0.0
        return -float(size * np.mean(relative)), float(size * deviation / np.sqrt(len(scores)))

    def _fold_score(self, output: npt.NDArray[Any], exponent: float, fold: Sample) -> float:
        rows = fold.rows
        if self._classes is None:
            output = np.ldexp(output, self.exponent)
        else:
            output = sharpened(output, exponent)
        predicting = self._kind(self._classes, output)
        X, y = _safe_indexing(self._X, rows), _safe_indexing(self._y, rows)
        with np.errstate(over="ignore", invalid="ignore"):  # `loss` refuses what is not finite
            return float(self._score(predicting, X, y))


class _ScoredClassifier(ClassifierMixin, BaseEstimator):
    """A fitted classifier that knows its predictions for the rows it is asked about."""

    def __init__(self, classes: Any = None, output: Any = None) -> None:
        self.classes_ = classes
        self._output = output

    def fit(self, X: Any, y: Any) -> _ScoredClassifier:
        """Do nothing; scorers need an estimator that could be fitted."""
        return self

    def predict_proba(self, X: Any) -> Any:
        """Return the class probabilities."""
        return self._output

    def predict(self, X: Any) -> Any:
        """Return the most probable classes."""
        return self.classes_[self._output.argmax(axis=1)]


class _ScoredRegressor(RegressorMixin, BaseEstimator):
    """A fitted regressor that knows its predictions for the rows it is asked about."""

    def __init__(self, classes: Any = None, output: Any = None) -> None:
        self._output = output

    def fit(self, X: Any, y: Any) -> _ScoredRegressor:
        """Do nothing; scorers need an estimator that could be fitted."""
        return self

    def predict(self, X: Any) -> Any:
        """Return the predictions."""
        return self._output[:, 0] if self._output.shape[1] == 1 else self._output
