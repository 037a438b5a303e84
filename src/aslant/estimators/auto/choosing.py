"""The choice: what is grown, what is fitted, and which of it wins."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from aslant.encoding.sample import Sample
from aslant.estimators.auto.candidates import Candidate, best_candidate
from aslant.estimators.auto.competitors import (
    NO_PENALTIES,
    Competitor,
    FoldFit,
    GrownTree,
    JointTree,
    Recipe,
    SingleLeaf,
    SoftenedTree,
)
from aslant.estimators.auto.evaluation import Evaluation, log_loss_of
from aslant.estimators.auto.fitting import CLEARLY, Fitting
from aslant.estimators.auto.race import Fits, Key, raced
from aslant.estimators.auto.scoring import Scoring
from aslant.estimators.auto.starts import Fold, Start, grow_starts, stratified_folds
from aslant.estimators.auto.words import NOTHING_TO_CHOOSE, Words
from aslant.estimators.auto.work import Work
from aslant.growth import TreeSettings

Vector = npt.NDArray[np.float64]

# Parts of the work of a choice, for the progress.
_GROWING, _DENSE, _SPARSE = 0.35, 0.4, 0.25
# With few rows the cross-validation is repeated.
_FEW_ROWS, _REPEATS = 100, 3

#: Makes the competitors without a test for some folds.
MakeLeaves = Callable[[Sequence[Fold]], list[Competitor]]


@dataclass(frozen=True)
class Choice:
    """The winner, and what it won against.

    Attributes
    ----------
    ranking : list of Candidate
        What is to be fitted on all rows: the winner, then others that inform more than a constant,
        if the winner turns out to be one on all rows; last a constant.
    candidates : list of Candidate
        Everything that was compared.
    reason : callable
        Returns why a candidate was taken, in a sentence or two.
    n_hyperplanes : int
        Hyperplanes considered while growing.
    """

    ranking: list[Candidate]
    candidates: list[Candidate]
    reason: Callable[[Candidate], str]
    n_hyperplanes: int


def choose(
    sample: Sample,
    leaves: MakeLeaves,
    ways: Mapping[str, TreeSettings],
    fitting: Fitting,
    scoring: Scoring | None,
    work: Work,
    *,
    sparsity: float | None,
    max_leaf_nodes: int | None,
    seed: int,
    share: float,
) -> Choice:
    """Compare all fits of all starts, and single leaves, by cross-validation.

    This is so large a share of all work.
    """
    folds, repeats = _folds(sample, fitting.effort.n_folds, seed)
    competitors = leaves(folds)
    if not folds or len(np.unique(sample.y, axis=0)) < 2:
        constant = competitors[0]
        alone = Candidate(constant, Recipe(0.0), [], _NOTHING, 0.0, 0.0)
        return Choice([alone], [], lambda _: NOTHING_TO_CHOOSE, 0)
    starts, n_hyperplanes = grow_starts(
        ways, sample, folds, fitting.se_rules, max_leaf_nodes, work, share * _GROWING, seed
    )
    competitors += _trees(starts, fitting, folds)
    referee = _Referee(competitors, [fold for _, fold in folds], fitting)
    fits = _fitted(competitors, referee, fitting, work, share)
    candidates = _candidates(fits, referee, scoring, float(sample.weight.sum()))
    # What was dropped is known from the first folds only, and does not compare with the rest.
    finished = [one for one in candidates if len(one.fold_fits) == len(folds)]
    words = Words(finished, sparsity, fitting, scoring, repeats)
    return Choice(_ranking(finished, sparsity), candidates, words.reason, n_hyperplanes)


_NOTHING = Evaluation(np.zeros(0), 0.0)


def _folds(sample: Sample, n_folds: int, seed: int) -> tuple[list[Fold], int]:
    """Return the folds of one or several cross-validations, and how many those are."""
    n_folds = min(n_folds, len(sample))
    repeats = _REPEATS if len(sample) <= _FEW_ROWS else 1
    folds = [
        fold
        for again in range(repeats if n_folds > 1 else 0)
        for fold in stratified_folds(sample, n_folds, seed + again)
        if len(fold[0]) and len(fold[1])
    ]
    return (folds, repeats) if len(folds) > 1 else ([], 1)


def _trees(starts: Sequence[Start], fitting: Fitting, folds: Sequence[Fold]) -> list[Competitor]:
    """Return the competitors with tests: every start, and plain trees of single features.

    Where features may not interact freely, every test keeps the features it was grown with.
    """
    plain = [start for start in starts if start.is_plain]
    grown: list[Competitor] = [GrownTree(start, fitting, folds) for start in plain]
    if fitting.constraints.groups:
        return [*(SoftenedTree(start, fitting, folds) for start in starts), *grown]
    found: list[Competitor] = [JointTree(start, fitting, folds) for start in starts] + grown
    if fitting.soft:
        found += [SoftenedTree(start, fitting, folds) for start in plain]
    return found


def _ranking(finished: Sequence[Candidate], sparsity: float | None) -> list[Candidate]:
    """Return the winner and what follows it: no constant while anything has a lower log-loss."""
    winner = best_candidate(finished, sparsity)
    if winner.evaluation.log_loss is None:  # a mean is as good as what is no better
        return [winner]
    constant = [one for one in finished if one.competitor.is_constant]
    others = [one for one in finished if not one.competitor.is_constant and one is not winner]
    if constant:
        least = log_loss_of(constant[0].evaluation)
        others = [one for one in others if log_loss_of(one.evaluation) < least]
    ranking = [] if winner in constant else [winner]
    while others:
        ranking.append(best_candidate(others, sparsity))
        others.remove(ranking[-1])
    return ranking + constant


class _Referee:
    """Evaluates fits in the folds.

    Parameters
    ----------
    competitors : sequence of Competitor
        What was fitted.
    validation : sequence of Sample
        The rows of the folds.
    fitting : Fitting
        How predictions are evaluated.
    """

    def __init__(
        self, competitors: Sequence[Competitor], validation: Sequence[Sample], fitting: Fitting
    ) -> None:
        self.competitors = competitors
        self.validation = validation
        self.fitting = fitting

    def __call__(self, fits: Mapping[Key, Sequence[FoldFit]]) -> dict[Key, Evaluation]:
        """Return the evaluations of fits in the same first folds."""
        n_folds = min(len(own) for own in fits.values())
        outputs = {
            key: (
                np.concatenate([fit.output for fit in own[:n_folds]]),
                self.competitors[key[0]].sharpens and self.fitting.soft,
            )
            for key, own in fits.items()
        }
        rows = self.validation[:n_folds]
        y = np.concatenate([fold.y for fold in rows])
        weight = np.concatenate([fold.weight for fold in rows])
        return self.fitting.evaluations(outputs, y, weight)


def _fitted(
    competitors: Sequence[Competitor],
    referee: _Referee,
    fitting: Fitting,
    work: Work,
    share: float,
) -> Fits:
    """Return the fits of every competitor in the folds.

    First come the L2 penalties, then the L1 penalties with the L2 penalties of lowest error and of
    lowest log-loss.
    """

    def dense(number: int, fold: int, recipes: Sequence[Recipe]) -> dict[Recipe, FoldFit]:
        return competitors[number].fit_fold(fold, recipes)

    def sparse(number: int, fold: int, recipes: Sequence[Recipe]) -> dict[Recipe, FoldFit]:
        found: dict[Recipe, FoldFit] = {}
        for l2 in dict.fromkeys(recipe.l2 for recipe in recipes):
            own = [recipe for recipe in recipes if recipe.l2 == l2]
            begin = fits[number, Recipe(l2)][fold]
            found |= competitors[number].fit_fold_sparse(fold, own, begin)
        return found

    validation = referee.validation
    keys = [(c, recipe) for c, one in enumerate(competitors) for recipe in one.dense_recipes()]
    # What costs nothing is known in all folds.
    leaves: Fits = {
        (c, NO_PENALTIES): [one.fit_fold(f, [])[NO_PENALTIES] for f in range(len(validation))]
        for c, one in enumerate(competitors)
        if isinstance(one, SingleLeaf)
    }
    keys = [key for key in keys if key not in leaves]
    together = work.n_threads <= len(competitors)  # the rows of a tree are then arranged once
    patience = fitting.patience
    fits = raced(
        keys,
        dense,
        referee,
        validation,
        work,
        share * _DENSE,
        known=leaves,
        together=together,
        patience=patience,
    )
    fits = leaves | fits
    finished = {key: own for key, own in fits.items() if len(own) == len(validation)}
    figures = referee(finished)
    keys = []
    for c, competitor in enumerate(competitors):
        own = [key for key in finished if key[0] == c]
        if own:
            best = [
                min(own, key=lambda key: figures[key].error)[1],
                min(own, key=lambda key: log_loss_of(figures[key]))[1],
            ]
            keys += [(c, recipe) for recipe in competitor.sparse_recipes(best)]
    more = raced(
        keys,
        sparse,
        referee,
        validation,
        work,
        share * _SPARSE,
        known=fits,
        together=True,
        patience=CLEARLY,
    )
    return fits | more


def _candidates(
    fits: Fits, referee: _Referee, scoring: Scoring | None, cases: float
) -> list[Candidate]:
    """Return the candidates with their figures; there are so many different cases."""
    found: dict[Key, Candidate] = {}
    for n_folds in {len(own) for own in fits.values()}:
        group = {key: own for key, own in fits.items() if len(own) == n_folds}
        rows = referee.validation[:n_folds]
        weight = np.concatenate([fold.weight for fold in rows])
        for key, evaluation in referee(group).items():
            loss = float(weight @ evaluation.loss / weight.sum())
            variance = float(weight @ (evaluation.loss - loss) ** 2 / weight.sum())
            error = float(np.sqrt(variance / min(float(weight.sum()), cases)))
            if scoring is not None:
                loss, error = scoring.loss(group[key], evaluation, rows)
            competitor = referee.competitors[key[0]]
            found[key] = Candidate(competitor, key[1], group[key], evaluation, loss, error)
    return [found[key] for key in fits]
