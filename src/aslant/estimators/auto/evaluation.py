"""How well candidates predict rows that they were not fitted to.

Classification adds 0/1 error and log-loss, each in its own standard deviation: errors alone do not
see a rare class, log-loss alone does not see which class is predicted.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from aslant.refine.gates import best_exponent

Vector = npt.NDArray[np.float64]
K = TypeVar("K", bound=Hashable)

# Deviations and probabilities are at least so much.
_LEAST_DEVIATION = 1e-3
_LEAST_PROBABILITY = 1e-15


class Evaluation(NamedTuple):
    """What rows lose by the predictions of a candidate.

    Attributes
    ----------
    loss : ndarray of shape (n_rows,)
        What candidates are compared by.
    error : float
        Fraction of wrong classes, or mean squared error.
    log_loss : float or None
        Of classes only.
    exponent : float
        The exponent that suits the probabilities best.
    """

    loss: Vector
    error: float
    log_loss: float | None = None
    exponent: float = 1.0


def log_loss_of(evaluation: Evaluation) -> float:
    """Return the log-loss, or the mean squared error of regression, which is one of Gaussians."""
    return evaluation.error if evaluation.log_loss is None else evaluation.log_loss


def class_evaluations(
    outputs: Mapping[K, tuple[Vector, bool]], y: npt.NDArray[Any], weight: Vector
) -> dict[K, Evaluation]:
    """Return the sum of 0/1 error and log-loss of every row, each in its standard deviation.

    The standard deviation of the errors is that of the candidate with the fewest errors, that of
    the log-losses that of the candidate with the lowest log-loss.
    """
    found: dict[K, tuple[Vector, Vector, float]] = {}
    for key, (probability, sharpens) in outputs.items():
        exponent = best_exponent(probability, y, weight) if sharpens else 1.0
        sharp = sharpened(probability, exponent)
        wrong = (sharp.argmax(axis=1) != y).astype(np.float64)
        own = sharp[np.arange(len(y)), y]
        found[key] = wrong, -np.log(np.maximum(own, _LEAST_PROBABILITY)), exponent
    total = weight.sum()

    def mean(values: Vector) -> float:
        return float(weight @ values / total)

    def deviation_of_best(candidates: Iterable[Vector]) -> float:
        best = min(candidates, key=mean)
        return max(float(np.sqrt(mean((best - mean(best)) ** 2))), _LEAST_DEVIATION)

    of_error = deviation_of_best(wrong for wrong, _, _ in found.values())
    of_loss = deviation_of_best(loss for _, loss, _ in found.values())
    return {
        key: Evaluation(wrong / of_error + loss / of_loss, mean(wrong), mean(loss), exponent)
        for key, (wrong, loss, exponent) in found.items()
    }


def sharpened(probability: npt.NDArray[Any], exponent: float) -> Vector:
    """Return probabilities raised to an exponent and normalized."""
    if exponent == 1.0:
        return np.asarray(probability, dtype=np.float64)
    log_p = exponent * np.log(np.maximum(probability, 1e-300))
    relative = np.exp(log_p - log_p.max(axis=1, keepdims=True))
    return np.asarray(relative / relative.sum(axis=1, keepdims=True))


def regression_evaluations(
    outputs: Mapping[K, tuple[Vector, bool]], y: npt.NDArray[Any], weight: Vector
) -> dict[K, Evaluation]:
    """Return the squared errors of every row, summed over the outputs."""
    y = np.reshape(y, (len(y), -1))
    found = {}
    for key, (predicted, _) in outputs.items():
        squares = np.asarray(((predicted - y) ** 2).sum(axis=1))
        found[key] = Evaluation(squares, float(weight @ squares / weight.sum()))
    return found
