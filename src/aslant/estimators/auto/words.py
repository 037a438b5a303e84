"""The choice in words."""

from __future__ import annotations

from collections.abc import Sequence

from aslant.estimators.auto.candidates import SINGLE_LEAF, Candidate, Fitting


def choice_in_words(
    winner: Candidate,
    candidates: Sequence[Candidate],
    sparsity: float | None,
    fitting: Fitting,
    repeats: int,
) -> str:
    """Return one sentence that says what was taken and why."""
    if all(candidate.recipe is None for candidate in candidates):
        return "A single leaf: there is nothing to divide, or too few rows to compare trees on."
    evaluated = f"in {len(winner.fold_fits) // repeats}-fold cross-validation"
    if repeats > 1:
        evaluated += f" made {repeats} times"
    lowest = min(candidate.error for candidate in candidates)
    error = fitting.error_in_words(winner.error)
    what = _description(winner)
    if sparsity is None or winner.error <= lowest:
        why = f"its error {evaluated}, {error}, is the lowest of {len(candidates)} candidates"
        if sparsity is not None:
            why += ", and of equals it has the fewest coefficients"
        return f"{what}: {why}."
    return (
        f"{what}: it has the fewest coefficients, {winner.coefficients:.0f} on the mean, of those "
        f"among {len(candidates)} candidates whose error {evaluated}, here {error}, is within "
        f"{sparsity:g} standard errors of the lowest, {fitting.error_in_words(lowest)}."
    )


def _description(candidate: Candidate) -> str:
    if candidate.recipe is None:
        kind = candidate.start.name.removeprefix(SINGLE_LEAF)
        return f"A single leaf{kind}, without a test" if kind else "A single leaf without a test"
    penalties = f"L2 penalty {candidate.recipe.l2:g}"
    if candidate.recipe.l1 > 0.0:
        penalties += f" and L1 penalty {candidate.recipe.l1:g}"
    return f"The tree grown with {candidate.start.name}, fitted as a whole with {penalties}"
