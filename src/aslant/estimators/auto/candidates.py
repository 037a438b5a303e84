"""The candidates of a choice with their figures, and the rule that takes one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from aslant.estimators.auto.competitors import NO_PENALTIES, Competitor, FoldFit, Recipe
from aslant.estimators.auto.evaluation import Evaluation

# Losses that differ by less than this, or this share of the largest, are equal but for rounding.
_SAME = 1e-12


@dataclass(frozen=True)
class Candidate:
    """A competitor and its penalties, with what cross-validation says about them.

    Attributes
    ----------
    competitor : Competitor
        What was fitted.
    recipe : Recipe
        With which penalties.
    fold_fits : list of FoldFit
        The fits in the folds; in the first ones only if it was clearly worse there.
    evaluation : Evaluation
        What it loses, row by row.
    loss, standard_error : float
        What candidates are compared by: the mean of this, or the score of the scorer, negative.
    """

    competitor: Competitor
    recipe: Recipe
    fold_fits: Sequence[FoldFit]
    evaluation: Evaluation
    loss: float
    standard_error: float

    @property
    def leaves(self) -> float:
        """Mean number of leaves of the trees of the folds."""
        return float(np.mean([fit.leaves for fit in self.fold_fits]))

    @property
    def coefficients(self) -> float:
        """Mean number of coefficients of the trees of the folds."""
        return float(np.mean([fit.coefficients for fit in self.fold_fits]))

    def record(self) -> dict[str, Any]:
        """Return the figures by name."""
        fitted = self.recipe != NO_PENALTIES
        return {
            "start": self.competitor.name,
            "l2": self.recipe.l2 if fitted else None,
            "l1": self.recipe.l1 if fitted else None,
            "error": self.evaluation.error,
            "log_loss": self.evaluation.log_loss,
            "loss": self.loss,
            "standard_error": self.standard_error,
            "folds": len(self.fold_fits),
            "leaves": self.leaves,
            "coefficients": self.coefficients,
            "seconds": sum(fit.seconds for fit in self.fold_fits),
        }


def best_candidate(candidates: Sequence[Candidate], sparsity: float | None) -> Candidate:
    """Return the winner.

    With a sparsity, the one with the fewest coefficients whose loss is within so many standard
    errors of the lowest; without, the one of lowest loss. Ties go to fewer leaves, then to the
    lower loss, then to the one named first.
    """
    lowest = min(candidates, key=lambda one: one.loss)
    same = _SAME * max(1.0, *(abs(one.loss) for one in candidates))
    if sparsity is None:
        return min(candidates, key=lambda one: (round(one.loss / same), one.leaves))
    limit = lowest.loss + sparsity * lowest.standard_error + same
    close = [one for one in candidates if one.loss <= limit]
    return min(close, key=lambda one: (one.coefficients, one.leaves, one.loss))
