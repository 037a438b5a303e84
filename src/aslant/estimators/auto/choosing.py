"""The choice: what is grown, what is fitted, and which of it wins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from aslant.encoding.sample import Sample
from aslant.estimators.auto.candidates import (
    CLEARLY,
    Candidate,
    Fitting,
    FoldFit,
    Recipe,
    Vector,
    best_candidate,
    clearly_worse,
    evaluated,
)
from aslant.estimators.auto.race import Fits, Key, raced
from aslant.estimators.auto.starts import Fold, Start, grow_starts, stratified_folds
from aslant.estimators.auto.words import choice_in_words
from aslant.estimators.auto.work import Work
from aslant.growth import TreeSettings
from aslant.refine.gates import SoftGates, best_exponent
from aslant.refine.joint import Refined
from aslant.tree.tree import Tree

# Shares of the work, for the progress.
GROWING, DENSE, SPARSE, FINISHING = 0.3, 0.35, 0.25, 0.1
# With few rows the cross-validation is repeated.
_FEW_ROWS, _REPEATS = 100, 3


@dataclass(frozen=True)
class Choice:
    """The winner, what it won against, and the folds that evaluated.

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
    n_hyperplanes : int
        Hyperplanes considered while growing.
    """

    winner: Candidate
    candidates: list[Candidate]
    folds: list[Fold]
    reason: str
    n_hyperplanes: int


def choose(
    sample: Sample,
    leaf: Tree,
    ways: dict[str, TreeSettings],
    fitting: Fitting,
    work: Work,
    *,
    sparsity: float | None,
    max_leaf_nodes: int | None,
    seed: int,
) -> Choice:
    """Compare all fits of all starts, and the single leaf, by cross-validation."""
    n_folds = min(fitting.effort.n_folds, len(sample))
    repeats = _REPEATS if len(sample) <= _FEW_ROWS else 1
    folds = [
        fold
        for again in range(repeats if n_folds > 1 else 0)
        for fold in stratified_folds(sample, n_folds, seed + again)
        if len(fold[0]) and len(fold[1])
    ]
    cases = float(sample.weight.sum())
    candidates = _single_leaves(leaf, sample, folds, fitting)
    n_hyperplanes = 0
    if len(folds) > 1 and len(np.unique(sample.y)) > 1:
        starts, n_hyperplanes = grow_starts(
            ways, sample, folds, fitting.se_rules, max_leaf_nodes, work, GROWING, seed
        )
        candidates += _fitted(starts, folds, fitting, work, cases)
    # What was dropped is known from the first folds only, and does not compare with the rest.
    finished = [one for one in candidates if len(one.fold_fits) == len(folds)]
    winner = best_candidate(finished, sparsity)
    trees = [one for one in finished if one.recipe is not None]
    informs = False
    if winner.recipe is None and trees and fitting.soft and sample.n_classes > 0:
        rival = best_candidate(trees, sparsity)
        informs = _predicts_better(rival, winner, folds, fitting, cases)
        winner = rival if informs else winner
    compared = trees if informs else finished
    reason = choice_in_words(winner, compared, sparsity, fitting, repeats)
    if informs:
        reason += " A single leaf errs no more, but its probabilities are clearly worse."
    return Choice(winner, candidates, folds, reason, n_hyperplanes)


def _fitted(
    starts: Sequence[Start], folds: Sequence[Fold], fitting: Fitting, work: Work, cases: float
) -> list[Candidate]:
    """Return the fits of every start, evaluated by the folds of so many cases.

    First come the L2 penalties, then the L1 penalties, with the L2 penalty that suits a start best.
    """
    validation = [fold for _, fold in folds]

    def dense(start: int, fold: int, recipes: Sequence[Recipe]) -> dict[Recipe, FoldFit]:
        return fitting.fit_dense(starts[start].fold_trees[fold], *folds[fold], recipes)

    def sparse(start: int, fold: int, recipes: Sequence[Recipe]) -> dict[Recipe, FoldFit]:
        begin = fits[start, Recipe(recipes[0].l2, 0.0)][fold]
        return fitting.fit_sparse(starts[start].fold_trees[fold], *folds[fold], recipes, begin)

    def as_candidates(fits: Fits) -> dict[Key, Candidate]:
        return {
            (s, recipe): evaluated(starts[s], recipe, own, validation, cases)
            for (s, recipe), own in fits.items()
        }

    keys = [(s, recipe) for s in range(len(starts)) for recipe in fitting.dense_recipes()]
    together = work.n_threads <= len(starts)  # the rows of a tree are then arranged once
    patience = fitting.patience
    fits = raced(
        keys, dense, validation, work, DENSE, known={}, together=together, patience=patience
    )
    candidates = as_candidates(fits)
    keys = []
    for s in range(len(starts)):
        own = [key for key, found in fits.items() if key[0] == s and len(found) == len(folds)]
        if own:
            _, best = min(own, key=lambda key: candidates[key].error)
            keys += [(s, recipe) for recipe in fitting.sparse_recipes(best.l2)]
    more = raced(
        keys, sparse, validation, work, SPARSE, known=fits, together=True, patience=CLEARLY
    )
    return [*candidates.values(), *as_candidates(more).values()]


def _single_leaves(
    leaf: Tree, sample: Sample, folds: Sequence[Fold], fitting: Fitting
) -> list[Candidate]:
    """Return the candidates without a test; in the folds they know the other folds."""
    candidates = []
    for name, made in fitting.single_leaves(leaf).items():
        start = Start(name, made(sample), [made(others) for others, _ in folds])
        fits = [
            fitting.unfitted(tree, validation)
            for tree, (_, validation) in zip(start.fold_trees, folds, strict=True)
        ]
        if fits:
            validation, cases = [fold for _, fold in folds], float(sample.weight.sum())
            candidates.append(evaluated(start, None, fits, validation, cases))
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
        soft_gates(fitting.hard(fit, others), others, fitting).probabilities(validation.X)
        for fit, (others, validation) in zip(candidate.fold_fits, folds, strict=True)
    ]
    validation = [fold for _, fold in folds]
    return (
        np.concatenate(probability),
        np.concatenate([fold.y for fold in validation]),
        np.concatenate([fold.weight for fold in validation]),
    )


def _predicts_better(
    one: Candidate, leaf: Candidate, folds: Sequence[Fold], fitting: Fitting, cases: float
) -> bool:
    """Whether the probabilities of a tree are clearly better than those of a single leaf.

    Where one class is frequent, both may err alike, though the tree tells likely rows from others.
    """
    probability, y, weight = _out_of_fold(one, folds, fitting)
    sharp = np.maximum(probability, 1e-300) ** best_exponent(probability, y, weight)
    sharp /= sharp.sum(axis=1, keepdims=True)
    plain, _, _ = _out_of_fold(leaf, folds, fitting)
    own = np.arange(len(y)), y
    weight *= cases / weight.sum()  # however often every case was evaluated
    return clearly_worse(-np.log(plain[own]), -np.log(np.maximum(sharp[own], 1e-300)), weight)
