"""The choice: what is grown, what is fitted, and which of it wins."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from aslant.auto.candidates import (
    Candidate,
    Fitting,
    FoldFit,
    Recipe,
    Vector,
    best_candidate,
    clearly_worse,
    judged,
)
from aslant.auto.starts import Fold, Start, grow_starts, stratified_folds
from aslant.auto.words import choice_in_words
from aslant.auto.work import Work
from aslant.refine.gates import SoftGates, best_exponent
from aslant.refine.joint import Refined
from aslant.sample import Sample
from aslant.tree import Tree

# Shares of the work, for the progress.
GROWING, FITTING, FINISHING = 0.3, 0.6, 0.1

# The number of a start, and how it is fitted.
_Key = tuple[int, Recipe]


@dataclass(frozen=True)
class Choice:
    """The winner, what it won against, and the folds that judged.

    Attributes
    ----------
    winner : Candidate
        What is to be fitted on all rows.
    candidates : list of Candidate
        Everything that was compared.
    folds : list of (Sample, Sample)
        The rows outside each fold, and those in it.
    reason : str
        Why, in a sentence.
    """

    winner: Candidate
    candidates: list[Candidate]
    folds: list[Fold]
    reason: str


def choose(
    sample: Sample,
    leaf: Tree,
    growers: dict[str, Callable[[Sample], Tree]],
    fitting: Fitting,
    work: Work,
    *,
    sparsity: float | None,
    max_leaf_nodes: int | None,
    seed: int,
) -> Choice:
    """Compare all fits of all starts, and the single leaf, by cross-validation."""
    effort = fitting.effort
    n_folds = min(effort.n_folds, len(sample))
    folds = stratified_folds(sample, n_folds, seed) if n_folds > 1 else []
    folds = [fold for fold in folds if len(fold[0]) and len(fold[1])]
    candidates = _single_leaves(leaf, sample, folds, fitting)
    if len(folds) > 1 and len(np.unique(sample.y)) > 1:
        starts = grow_starts(
            growers, sample, folds, fitting.se_rules, max_leaf_nodes, work, GROWING
        )
        candidates += _fitted(starts, folds, fitting, work)
    # What was dropped is known from the first folds only, and does not compare with the rest.
    finished = [one for one in candidates if len(one.fold_fits) == len(folds)]
    winner = best_candidate(finished, sparsity)
    trees = [one for one in finished if one.recipe is not None]
    informs = False
    if winner.recipe is None and trees and fitting.soft and sample.n_classes > 0:
        rival = best_candidate(trees, sparsity)
        informs = _says_more(rival, winner, folds, fitting)
        winner = rival if informs else winner
    reason = choice_in_words(winner, trees if informs else finished, sparsity, fitting)
    if informs:
        reason += " A single leaf errs no more, but its probabilities are clearly worse."
    return Choice(winner, candidates, folds, reason)


def _fitted(
    starts: Sequence[Start], folds: Sequence[Fold], fitting: Fitting, work: Work
) -> list[Candidate]:
    """Return every fit of every start, judged by the folds.

    What is clearly worse than the best on the first fold, or the first two, is not tried on the
    others.
    """
    fits: dict[_Key, list[FoldFit]] = {
        (s, recipe): [] for s in range(len(starts)) for recipe in fitting.recipes()
    }
    judges = [fold for _, fold in folds]
    alive = list(fits)
    for numbers in ([0], [1], list(range(2, len(folds)))):
        # Fits with one strength go on from each other; everything else can be done at once. But
        # all fits of a tree share the work of arranging its rows, if there are no threads to spare.
        spare = work.n_threads > len(starts) * len(numbers)
        together: dict[tuple[int, float], list[Recipe]] = {}
        for s, recipe in alive:
            together.setdefault((s, recipe.strength if spare else 0.0), []).append(recipe)
        places = [(s, f, recipes) for (s, _), recipes in together.items() for f in numbers]
        pieces = [
            _piece(fitting, starts[s].fold_trees[f], folds[f], recipes) for s, f, recipes in places
        ]
        results = work.run(pieces, FITTING * len(numbers) / len(folds))
        for (s, _, _), found in zip(places, results, strict=True):
            for recipe, fit in found.items():
                fits[s, recipe].append(fit)
        alive = _still_good({key: fits[key] for key in alive}, judges)
    return [judged(starts[s], recipe, own, judges) for (s, recipe), own in fits.items()]


def _piece(
    fitting: Fitting, tree: Tree, fold: Fold, recipes: list[Recipe]
) -> Callable[[], dict[Recipe, FoldFit]]:
    """Return the work of fitting the tree of one fold."""
    others, judges = fold

    return lambda: fitting.fit_fold(tree, others, judges, recipes)


def _still_good(fits: dict[_Key, list[FoldFit]], judges: Sequence[Sample]) -> list[_Key]:
    """Return what is not clearly worse than the best so far."""
    if not fits:
        return []
    n_folds = len(next(iter(fits.values())))
    weight = np.concatenate([fold.weight for fold in judges[:n_folds]])
    losses = {key: np.concatenate([fit.loss for fit in own]) for key, own in fits.items()}
    best = min(losses.values(), key=lambda loss: float(weight @ loss))
    return [key for key, loss in losses.items() if not clearly_worse(loss, best, weight)]


def _single_leaves(
    leaf: Tree, sample: Sample, folds: Sequence[Fold], fitting: Fitting
) -> list[Candidate]:
    """Return the candidates without a test; in the folds they know the other folds."""
    candidates = []
    for name, made in fitting.single_leaves(leaf).items():
        start = Start(name, made(sample), [made(others) for others, _ in folds])
        fits = [
            fitting.unfitted(tree, judges)
            for tree, (_, judges) in zip(start.fold_trees, folds, strict=True)
        ]
        if fits:
            candidates.append(judged(start, None, fits, [fold for _, fold in folds]))
        else:
            candidates.append(Candidate(start, None, [], 0.0, 0.0, 1.0, 0.0, 0.0))
    return candidates


def soft_gates(refined: Refined, sample: Sample, fitting: Fitting) -> SoftGates:
    """Return the soft probabilities of a tree, its leaves fitted to the rows of a sample."""
    return SoftGates.fitted(fitting.model(refined.tree, sample), refined.steepness)


def out_of_fold_exponent(choice: Choice, fitting: Fitting) -> float:
    """Return the exponent that suits the rows of the folds, which their trees never saw."""
    if choice.winner.recipe is None:
        return 1.0
    return best_exponent(*_out_of_fold(choice.winner, choice.folds, fitting))


def _out_of_fold(
    candidate: Candidate, folds: Sequence[Fold], fitting: Fitting
) -> tuple[Vector, npt.NDArray[np.int32], Vector]:
    """Return the soft probabilities of the rows of all folds, their classes and weights."""
    probability = [
        soft_gates(fitting.hard(fit, others), others, fitting).probabilities(judges.X)
        for fit, (others, judges) in zip(candidate.fold_fits, folds, strict=True)
    ]
    judges = [fold for _, fold in folds]
    return (
        np.concatenate(probability),
        np.concatenate([fold.y for fold in judges]),
        np.concatenate([fold.weight for fold in judges]),
    )


def _says_more(one: Candidate, leaf: Candidate, folds: Sequence[Fold], fitting: Fitting) -> bool:
    """Whether the probabilities of a tree are clearly better than those of a single leaf.

    Where one class is frequent, both may err alike, though the tree tells likely rows from others.
    """
    probability, y, weight = _out_of_fold(one, folds, fitting)
    sharp = np.maximum(probability, 1e-300) ** best_exponent(probability, y, weight)
    sharp /= sharp.sum(axis=1, keepdims=True)
    plain, _, _ = _out_of_fold(leaf, folds, fitting)
    own = np.arange(len(y)), y
    return clearly_worse(-np.log(plain[own]), -np.log(np.maximum(sharp[own], 1e-300)), weight)
