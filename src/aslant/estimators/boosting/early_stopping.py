"""The scores of all rounds, when they stop boosting, and which round was best."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from aslant import _core
from aslant.encoding.sample import Matrix, Sample
from aslant.tree.tree import Tree

Floats = npt.NDArray[np.float64]
Score = Callable[[], float]

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

    of_training: Score
    of_validation: Score | None
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


def round_scores(
    model: Any,
    boosting: _core.Boosting,
    sample: Sample,
    validation: Sample | None,
    held_out: ValidationRows | None,
    known: int,
) -> Scores:
    """Return what scores the rounds of a model, with the scores of its `known` rounds."""
    if isinstance(model.scoring, str) and model.scoring == "loss":
        of_training, of_validation = _losses(model, boosting, held_out)
    else:
        of_training, of_validation = _scorers(model, boosting, sample, validation, held_out)
    training = model.train_score_[: known + 1].tolist() if known else []
    earlier = model.validation_score_[: known + 1].tolist() if known else []
    return Scores(of_training, of_validation, model.n_iter_no_change, model.tol, training, earlier)


def _losses(
    model: Any, boosting: _core.Boosting, held_out: ValidationRows | None
) -> tuple[Score, Score | None]:
    n_threads, unit = model._n_threads(), model._loss_unit()

    def of_training() -> float:
        return -unit * boosting.mean_loss(n_threads)

    if held_out is None:
        return of_training, None
    return of_training, lambda: -unit * held_out.loss.mean(held_out.raw, n_threads)


def _scorers(
    model: Any,
    boosting: _core.Boosting,
    sample: Sample,
    validation: Sample | None,
    held_out: ValidationRows | None,
) -> tuple[Score, Score | None]:
    from sklearn.metrics import check_scoring  # which takes long to import

    scorer = check_scoring(model, model.scoring)
    few = np.random.default_rng(model._seed).permutation(len(sample))[:MOST_SCORED_ROWS]
    scored = sample.take(few)

    def of_training() -> float:
        return _score_with(scorer, model, scored, boosting.raw[:, few])

    if held_out is None or validation is None:
        return of_training, None
    return of_training, lambda: _score_with(scorer, model, validation, held_out.raw)


def _score_with(scorer: Any, model: Any, sample: Sample, raw: Floats) -> float:
    """Return the score of a copy of the model that has these raw predictions for any rows."""
    probe = copy.copy(model)
    probe._raw_predict = lambda X: model._in_caller_units(raw).T
    y, weight = model._given_target(sample.y), weights_of(sample)
    if weight is None:
        return float(scorer(probe, sample.X, y))
    return float(scorer(probe, sample.X, y, sample_weight=weight))


def weights_of(sample: Sample) -> Floats | None:
    """Return the weights of the rows, None if all are 1."""
    return None if (sample.weight == 1.0).all() else sample.weight
