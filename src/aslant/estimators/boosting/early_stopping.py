"""The scores of all rounds, when they stop boosting, and which round was best."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from aslant import _core
from aslant.encoding.sample import Matrix
from aslant.tree.tree import Tree

Floats = npt.NDArray[np.float64]

#: Training rows that a scorer is called with; the loss is computed on all of them.
MOST_SCORED_ROWS = 10_000


@dataclass
class ValidationRows:
    """Rows that the trees are not grown on, with their raw predictions so far."""

    X: Matrix
    loss: _core.BoostingLoss
    raw: Floats
    """Shape (n_outputs, n_rows)."""

    def add(self, trees: Sequence[Tree], n_threads: int) -> None:
        """Add what the trees of one round predict."""
        for output, tree in zip(self.raw, trees, strict=True):
            output += tree.value[tree.apply(self.X, n_threads=n_threads), 0]


@dataclass
class Scores:
    """Scores of the model before the first round and after each; higher is better.

    Attributes
    ----------
    of_training, of_validation : callable
        Return the score of the present model; the latter may be None.
    patience : int
        Rounds without an improvement that end the fit.
    tol : float
        Least improvement.
    """

    of_training: Callable[[], float]
    of_validation: Callable[[], float] | None
    patience: int
    tol: float
    training: list[float]
    validation: list[float]

    def record(self) -> None:
        """Score the present model."""
        self.training.append(self.of_training())
        if self.of_validation is not None:
            self.validation.append(self.of_validation())

    def have_stopped(self) -> bool:
        """Whether none of the last rounds improved on the round before them."""
        scores = self.training if self.of_validation is None else self.validation
        if len(scores) <= self.patience:
            return False
        return not max(scores[-self.patience :]) > scores[-self.patience - 1] + self.tol

    def best_round(self) -> int | None:
        """Return the number of rounds with the best validation score, at least 1."""
        if self.of_validation is None:
            return None
        return max(1, int(np.argmax(self.validation)))


def probe(model: Any, raw: Floats) -> Any:
    """Return a copy of a model that has these raw predictions for whatever it is given."""
    import copy

    made = copy.copy(model)
    made._raw_predict = lambda X: raw.T
    return made
