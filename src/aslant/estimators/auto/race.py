"""Fits in all folds, but for what the first folds show to be hopeless."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

import numpy as np

from aslant.encoding.sample import Sample
from aslant.estimators.auto.candidates import CLEARLY, FoldFit, Recipe, Vector, clearly_worse
from aslant.estimators.auto.work import Work

#: The number of a start, and how it is fitted.
Key = tuple[int, Recipe]
Fits = dict[Key, list[FoldFit]]
#: Fits the tree of a start without a fold in several ways.
FitFold = Callable[[int, int, Sequence[Recipe]], dict[Recipe, FoldFit]]


def raced(
    keys: Iterable[Key],
    fit: FitFold,
    validation: Sequence[Sample],
    work: Work,
    share: float,
    *,
    known: Fits,
    together: bool,
    patience: float,
) -> Fits:
    """Return the fits of all keys in the folds, in the order of the folds.

    What is clearly worse on the first fold, or the first two, than the best of these and of what is
    `known`, is not tried on the others; the best fit of a start is given up only if it is worse by
    `patience` standard errors. Fits of one start are made one after the other if they are to be
    `together`, else only those of one L2 penalty.
    """
    fits: Fits = {key: [] for key in keys}
    alive = list(fits)
    for numbers in ([0], [1], list(range(2, len(validation)))):
        groups: dict[tuple[int, float], list[Recipe]] = {}
        for start, recipe in alive:
            groups.setdefault((start, 0.0 if together else recipe.l2), []).append(recipe)
        places = [(start, f, group) for (start, _), group in groups.items() for f in numbers]
        pieces = [partial(fit, *place) for place in places]
        results = work.run(pieces, share * len(numbers) / len(validation))
        for (start, _, _), found in zip(places, results, strict=True):
            for recipe, own in found.items():
                fits[start, recipe].append(own)
        alive = _still_good(alive, fits, known, validation, patience)
    return fits


def _still_good(
    alive: Sequence[Key], fits: Fits, known: Fits, validation: Sequence[Sample], patience: float
) -> list[Key]:
    """Return what is not clearly worse than the best so far."""
    if not alive:
        return []
    n_folds = len(fits[alive[0]])
    weight = np.concatenate([fold.weight for fold in validation[:n_folds]])

    def loss(own: Sequence[FoldFit]) -> Vector:
        return np.concatenate([fit.loss for fit in own[:n_folds]])

    losses = {key: loss(fits[key]) for key in alive}
    rivals = [
        *losses.values(),
        *(loss(own) for own in known.values() if len(own) == len(validation)),
    ]
    best = min(rivals, key=lambda one: float(weight @ one))
    leaders = {}
    for key in sorted(alive, key=lambda key: -float(weight @ losses[key])):
        leaders[key[0]] = key  # the last one, the best, stays

    def hopeless(key: Key) -> bool:
        by = patience if key in leaders.values() else CLEARLY
        return clearly_worse(losses[key], best, weight, by)

    return [key for key in alive if not hopeless(key)]
