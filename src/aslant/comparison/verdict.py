"""Whether oblique splits help: Alpaydin's F test, and one sentence of advice.

The best of many methods looks better than it is on the rows that it was selected by. So the F test
evaluates a method only on rows that did not select it: of every division into halves, each half
evaluates the oblique and the axis-parallel method that did best on the other half.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import stats

from aslant.comparison.contender import Contender
from aslant.comparison.fold import FoldResult

LEVEL = 0.05
"""The p-value below which a difference counts as evidence."""

# Ratios of leaves in words.
_RATIOS = {
    1 / 10: "a tenth of the leaves",
    1 / 5: "a fifth of the leaves",
    1 / 4: "a quarter of the leaves",
    1 / 3: "a third of the leaves",
    1 / 2: "half the leaves",
    2 / 3: "two thirds of the leaves",
    1.0: "about as many leaves",
}


@dataclass(frozen=True)
class FTest:
    """The 5x2cv F test of the best oblique tree against the best axis-parallel one.

    Attributes
    ----------
    statistic, p_value : float
        Of Alpaydin's test with 10 and 5 degrees of freedom, two-sided.
    difference : float
        Mean accuracy (R2 for regression) of the oblique trees less that of the
        axis-parallel ones, over the ten halves.
    oblique, axis_parallel : dict of str to int
        How often each method was the one tested.
    """

    statistic: float
    p_value: float
    difference: float
    oblique: dict[str, int]
    axis_parallel: dict[str, int]


def f_test(contenders: Sequence[Contender]) -> FTest | None:
    """Return the test over all methods that have results on the halves; None without two kinds."""
    oblique = [c for c in contenders if c.kind == "oblique" and c.halves]
    axis_parallel = [c for c in contenders if c.kind == "axis-parallel" and c.halves]
    if not oblique or not axis_parallel:
        return None
    chosen_oblique, of_oblique = _selected_on_the_other_half(oblique)
    chosen_axis, of_axis = _selected_on_the_other_half(axis_parallel)
    differences = of_oblique - of_axis
    statistic, p_value = five_by_two_cv_f(differences.reshape(-1, 2))
    return FTest(
        statistic=statistic,
        p_value=p_value,
        difference=float(differences.mean()),
        oblique=dict(Counter(chosen_oblique).most_common()),
        axis_parallel=dict(Counter(chosen_axis).most_common()),
    )


def five_by_two_cv_f(differences: npt.ArrayLike) -> tuple[float, float]:
    """Alpaydin's combined 5x2cv F test.

    E. Alpaydin, *Combined 5 x 2 cv F Test for Comparing Supervised Classification Learning
    Algorithms*, Neural Computation 11, 1999.

    Parameters
    ----------
    differences : array-like of shape (5, 2)
        Difference of the two error rates in each fold of five 2-fold cross-validations.

    Returns
    -------
    statistic, p_value : float
        The F statistic and its p-value.
    """
    p = np.asarray(differences, dtype=float)
    if p.shape != (5, 2):
        raise ValueError(f"differences must have the shape (5, 2), got {p.shape}.")
    variance = ((p - p.mean(axis=1, keepdims=True)) ** 2).sum()
    if variance == 0.0:
        return (np.inf, 0.0) if p.any() else (0.0, 1.0)
    statistic = float((p**2).sum() / (2.0 * variance))
    return statistic, float(stats.f.sf(statistic, 10, 5))


def _selected_on_the_other_half(
    contenders: Sequence[Contender],
) -> tuple[list[str], np.ndarray[tuple[int], np.dtype[np.float64]]]:
    """Return, for each half, the method that did best on the other half, and its score here."""
    n_halves = len(contenders[0].halves)
    names, accuracies = [], []
    for half in range(n_halves):
        other = half + 1 if half % 2 == 0 else half - 1
        best = max(contenders, key=lambda c: (_merit([c.halves[other]]), c.name))
        names.append(best.name)
        accuracies.append(best.halves[half].merit)
    return names, np.array(accuracies)


def best_of(contenders: Sequence[Contender], kind: str) -> Contender | None:
    """Return the simplest of the best methods of a kind.

    The best are those within one standard error of the very best; of these the one with the fewest
    coefficients in all its tests, then the fewest leaves, then the least time.
    """
    able = [c for c in contenders if c.kind == kind and c.folds]
    if not able:
        return None
    # The name decides last: the order of the contenders depends on the speed of the machine.
    best = max(able, key=lambda c: (_merit(c.folds), c.name))
    spread = np.std([result.merit for result in best.folds]) / np.sqrt(len(best.folds))
    least = _merit(best.folds)[0] - float(spread)
    near = [c for c in able if _merit(c.folds)[0] >= least]
    return min(near, key=lambda c: (*_effort(c.folds), _mean(c.folds, "cpu_seconds"), c.name))


def _effort(results: Sequence[FoldResult]) -> tuple[float, float]:
    """Return coefficients and leaves; where the former are unknown the latter twice."""
    coefficients, leaves = _mean(results, "coefficients"), _mean(results, "leaves")
    return (leaves if np.isnan(coefficients) else coefficients), leaves


def _mean(results: Sequence[FoldResult], name: str) -> float:
    return float(np.mean([getattr(result, name) for result in results]))


def _merit(results: Sequence[FoldResult]) -> tuple[float, float]:
    return round(_mean(results, "merit"), 12), -_mean(results, "leaves")


# ---------------------------------------------------------------------- advice


def advise(contenders: Sequence[Contender], test: FTest | None, most_frequent: float | None) -> str:
    """Return one plain sentence about what to use.

    Parameters
    ----------
    contenders : sequence of Contender
        With their results.
    test : FTest or None
        The test, if there could be one.
    most_frequent : float or None
        Share of the rows that the most frequent class has; None for regression.
    """
    oblique, axis = best_of(contenders, "oblique"), best_of(contenders, "axis-parallel")
    finished = [c for c in (oblique, axis) if c is not None]
    if not finished:
        return "nothing was finished, so there is nothing to advise"
    best = max(finished, key=lambda c: _merit(c.folds))
    by_scorer = best.folds[0].score is not None
    if not by_scorer and most_frequent is None and _merit(best.folds)[0] <= 0.0:
        return (
            "no tree does better than always predicting the mean: these features do not explain "
            "the target"
        )
    if not by_scorer and most_frequent is not None and _merit(best.folds)[0] <= most_frequent:
        return (
            f"no tree does better than always predicting the most frequent class "
            f"({100 * most_frequent:.1f} %): these features do not separate the classes"
        )
    if test is None or oblique is None or axis is None:
        return (
            f"too few single trees were finished to compare kinds of trees: the best of them is "
            f"{best.label}"
        )
    return _recommendation(oblique, axis, test)


def _recommendation(oblique: Contender, axis: Contender, test: FTest) -> str:
    better = _merit(oblique.folds)[0] - _merit(axis.folds)[0]
    by = f"{100.0 * abs(better):.1f} points"
    if oblique.folds[0].score is not None:
        by = f"{abs(better):.3g}"
    elif oblique.folds[0].is_regression:
        by = f"{abs(better):.3f} of R2"
    leaves = _merit(oblique.folds)[1] / _merit(axis.folds)[1]
    if test.p_value < LEVEL and test.difference > 0.0 and better > 0.0:
        return (
            f"an oblique tree is {by} better with {ratio_in_words(leaves)}{_cost(oblique, axis)}: "
            f"use {oblique.label}"
        )
    if test.p_value < LEVEL and test.difference < 0.0 and better < 0.0:
        return f"an axis-parallel tree is {by} better: use {axis.label}"
    sentence = f"no evidence that oblique tests help here: use {axis.label}"
    if leaves <= 0.55 and better > -0.01:
        sentence += f", or {oblique.label} for {ratio_in_words(leaves)}{_cost(oblique, axis)}"
    return sentence


def _cost(oblique: Contender, axis: Contender) -> str:
    """Return how the coefficients and the time compare, in words; nothing if not known."""
    ours, theirs = _mean(oblique.folds, "coefficients"), _mean(axis.folds, "coefficients")
    if not (ours > 0.0 and theirs > 0.0):
        return ""
    words = f", {ours:.0f} coefficients instead of {theirs:.0f}"
    # Times differ from run to run: only a large ratio is mentioned.
    slower = _mean(oblique.folds, "cpu_seconds") > 20.0 * _mean(axis.folds, "cpu_seconds")
    return words + (", more than twenty times the time" if slower else "")


def ratio_in_words(share: float) -> str:
    """Return a ratio of leaves in words."""
    if share > 1.2:
        return f"{share:.1f} times the leaves"
    nearest = min(_RATIOS, key=lambda known: abs(np.log(known / share)))
    if share < 0.08:
        return f"{100 * share:.0f} % of the leaves"
    return _RATIOS[nearest]
