"""The choice in words."""

from __future__ import annotations

from collections.abc import Sequence

from aslant.estimators.auto.candidates import Candidate
from aslant.estimators.auto.contenders import (
    NO_PENALTIES,
    GrownTree,
    JointTree,
    LinearLeaf,
    SoftenedTree,
)
from aslant.estimators.auto.fitting import Fitting
from aslant.estimators.auto.scoring import Scoring


def choice_in_words(
    winner: Candidate,
    candidates: Sequence[Candidate],
    sparsity: float | None,
    fitting: Fitting,
    scoring: Scoring | None,
    repeats: int,
) -> str:
    """Return what was taken and why."""
    if not candidates:
        return "A single leaf: there is nothing to divide, or too few rows to compare trees on."
    evaluated = f"in {len(winner.fold_fits) // repeats}-fold cross-validation"
    if repeats > 1:
        evaluated += f" made {repeats} times"
    best = min(candidates, key=lambda candidate: candidate.loss)

    def figures(one: Candidate) -> str:
        if scoring is None:
            return fitting.in_words(one.evaluation)
        return f"{scoring.name} {-one.loss:.4g}"

    what, own = _description(winner), figures(winner)
    if sparsity is None or winner.loss <= best.loss:
        why = f"the best of {len(candidates)} candidates {evaluated} ({own})"
        return f"{what}: {why}.{_remark(winner)}"
    return (
        f"{what}: it has the fewest coefficients, {winner.coefficients:.0f} on the mean, of those "
        f"among {len(candidates)} candidates that are within {sparsity:g} standard errors of the "
        f"best {evaluated} ({own}; the best: {figures(best)}).{_remark(winner)}"
    )


def _remark(winner: Candidate) -> str:
    if winner.contender.is_constant:
        return " No candidate predicts better than the base rate."
    if isinstance(winner.contender, LinearLeaf):
        return " No tree was better."
    return ""


def _description(candidate: Candidate) -> str:
    contender, recipe = candidate.contender, candidate.recipe
    penalties = f" with L2 penalty {recipe.l2:g}" if recipe != NO_PENALTIES else ""
    if recipe.l1 > 0.0:
        penalties += f" and L1 penalty {recipe.l1:g}"
    if isinstance(contender, GrownTree):
        return f"The pruned tree of {contender.name}"
    if isinstance(contender, SoftenedTree):
        return f"The tree grown with {contender.name}{penalties}"
    if isinstance(contender, JointTree):
        return f"The tree grown with {contender.name}, fitted as a whole{penalties}"
    return f"A {contender.name}{penalties}"
