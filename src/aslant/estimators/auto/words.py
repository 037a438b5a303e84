"""The choice in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from aslant.estimators.auto.candidates import Candidate
from aslant.estimators.auto.competitors import (
    NO_PENALTIES,
    GrownTree,
    JointTree,
    LinearLeaf,
    SoftenedTree,
)
from aslant.estimators.auto.fitting import Fitting
from aslant.estimators.auto.scoring import Scoring

NOTHING_TO_CHOOSE = (
    "A single leaf: there is nothing to divide, or too few rows to compare trees on."
)


@dataclass(frozen=True)
class Words:
    """What a choice says of the candidate that it takes.

    Attributes
    ----------
    candidates : sequence of Candidate
        What was compared in all folds.
    sparsity : float or None
        Standard errors within which fewer coefficients win.
    fitting : Fitting
        How figures are stated.
    scoring : Scoring or None
        What candidates were compared by, if not by their losses.
    repeats : int
        How often the cross-validation was made.
    """

    candidates: Sequence[Candidate]
    sparsity: float | None
    fitting: Fitting
    scoring: Scoring | None
    repeats: int

    def reason(self, taken: Candidate) -> str:
        """Return what was taken and why."""
        what, own = _description(taken), self._figures(taken)
        best = min(self.candidates, key=lambda candidate: candidate.loss)
        evaluated = f"in {len(taken.fold_fits) // self.repeats}-fold cross-validation"
        if self.repeats > 1:
            evaluated += f" made {self.repeats} times"
        if self.sparsity is None or taken.loss <= best.loss:
            why = f"the best of {len(self.candidates)} candidates {evaluated} ({own})"
            return f"{what}: {why}.{_remark(taken)}"
        if taken.loss > best.loss + self.sparsity * best.standard_error:
            return (
                f"{what}: its loss {evaluated} ({own}; the best of {len(self.candidates)} "
                f"candidates: {self._figures(best)}) is not the lowest, but better ones predict "
                f"the same for all rows.{_remark(taken)}"
            )
        return (
            f"{what}: it has the fewest coefficients, {taken.coefficients:.0f} on the mean, of "
            f"those among {len(self.candidates)} candidates that are within {self.sparsity:g} "
            f"standard errors of the best {evaluated} ({own}; the best: {self._figures(best)})."
            f"{_remark(taken)}"
        )

    def _figures(self, candidate: Candidate) -> str:
        if self.scoring is None:
            return self.fitting.in_words(candidate.evaluation)
        return f"{self.scoring.name} {-candidate.loss:.4g}"


def _remark(winner: Candidate) -> str:
    if winner.competitor.is_constant:
        return " No candidate predicts better than the base rate."
    if isinstance(winner.competitor, LinearLeaf):
        return " No tree was better."
    return ""


def _description(candidate: Candidate) -> str:
    competitor, recipe = candidate.competitor, candidate.recipe
    penalties = f" with L2 penalty {recipe.l2:g}" if recipe != NO_PENALTIES else ""
    if recipe.l1 > 0.0:
        penalties += f" and L1 penalty {recipe.l1:g}"
    if isinstance(competitor, GrownTree):
        return f"The pruned tree of {competitor.name}"
    if isinstance(competitor, SoftenedTree):
        return f"The tree grown with {competitor.name}{penalties}"
    if isinstance(competitor, JointTree):
        return f"The tree grown with {competitor.name}, fitted as a whole{penalties}"
    return f"A {competitor.name}{penalties}"
