"""Fits in all folds, but for what the first folds show to be hopeless."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

import numpy as np
import numpy.typing as npt

from aslant.encoding.sample import Sample
from aslant.estimators.auto.competitors import FoldFit, Recipe
from aslant.estimators.auto.evaluation import Evaluation
from aslant.estimators.auto.fitting import CLEARLY
from aslant.estimators.auto.work import Work

Vector = npt.NDArray[np.float64]
#: The number of a competitor, and how it is fitted.
Key = tuple[int, Recipe]
Fits = dict[Key, list[FoldFit]]
#: Fits a competitor without a fold in several ways.
FitFold = Callable[[int, int, Sequence[Recipe]], dict[Recipe, FoldFit]]
#: Evaluates fits in the first folds, as many as they have.
Evaluate = Callable[[Mapping[Key, Sequence[FoldFit]]], dict[Key, Evaluation]]


def raced(
    keys: Iterable[Key],
    fit: FitFold,
    evaluate: Evaluate,
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
    `known`, is not tried on the others; the best fit of a competitor is given up only if it is
    worse by `patience` standard errors. Fits of one competitor are made one after the other if they
    are to be `together`, else only those of one L2 penalty.
    """
    fits: Fits = {key: [] for key in keys}
    alive = list(fits)
    for numbers in ([0], [1], list(range(2, len(validation)))):
        groups: dict[tuple[int, float], list[Recipe]] = {}
        for competitor, recipe in alive:
            groups.setdefault((competitor, 0.0 if together else recipe.l2), []).append(recipe)
        places = [(number, f, group) for (number, _), group in groups.items() for f in numbers]
        pieces = [partial(fit, *place) for place in places]
        results = work.run(pieces, share * len(numbers) / len(validation))
        for (number, _, _), found in zip(places, results, strict=True):
            for recipe, own in found.items():
                fits[number, recipe].append(own)
        alive = _still_good(alive, fits, known, evaluate, validation, patience)
    return fits


def _still_good(
    alive: Sequence[Key],
    fits: Fits,
    known: Fits,
    evaluate: Evaluate,
    validation: Sequence[Sample],
    patience: float,
) -> list[Key]:
    """Return what is not clearly worse than the best so far."""
    if not alive or len(fits[alive[0]]) == len(validation):
        return list(alive)
    n_folds = len(fits[alive[0]])
    weight = np.concatenate([fold.weight for fold in validation[:n_folds]])
    rivals = {key: own[:n_folds] for key, own in known.items() if len(own) == len(validation)}
    losses = {
        key: found.loss
        for key, found in evaluate(rivals | {key: fits[key] for key in alive}).items()
    }
    best = min(losses.values(), key=lambda one: float(weight @ one))
    leaders = {}
    for key in sorted(alive, key=lambda key: -float(weight @ losses[key])):
        leaders[key[0]] = key  # the last one, the best, stays

    def hopeless(key: Key) -> bool:
        by = patience if key in leaders.values() else CLEARLY
        return clearly_worse(losses[key], best, weight, by)

    return [key for key in alive if not hopeless(key)]


def clearly_worse(one: Vector, other: Vector, weight: Vector, by: float = CLEARLY) -> bool:
    """Whether the first loses so much more that chance hardly explains it.

    For 0/1 losses this is McNemar's test: only rows count on which the two differ.
    """
    more = one - other
    return bool(weight @ more > by * np.sqrt(weight @ more**2))
