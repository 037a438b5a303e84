"""Comparisons that several claims share.

All take sides by the measure: more accuracy is better, fewer leaves are. `better` and
`group_better` return True, False or None, an `Outcome`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product

import numpy as np

from aslant_papers.claims import Check, Evidence, Outcome, Verdict, counted, verdict_of
from aslant_papers.records import MEASURES

Table = int | str


def outcome_of(difference: float, precision: float) -> Outcome:
    """Return whether a difference is positive, None if it is below the precision."""
    if abs(difference) <= precision * (1.0 + 1e-9):
        return None
    return difference > 0.0


def advantage(
    evidence: Evidence,
    table: Table,
    first: Sequence[str],
    second: Sequence[str],
    dataset: str,
    measure: str,
) -> float:
    """Return by how much the mean of some methods is better than that of others."""
    sign = MEASURES[measure].better or 1
    means = [
        float(np.mean([evidence.mean(table, method, dataset, measure) for method in group]))
        for group in (first, second)
    ]
    return sign * (means[0] - means[1])


def group_better(
    evidence: Evidence,
    table: Table,
    first: Sequence[str],
    second: Sequence[str],
    dataset: str,
    measure: str,
) -> Outcome:
    """Return whether the mean of some methods is better than that of others."""
    difference = advantage(evidence, table, first, second, dataset, measure)
    return outcome_of(difference, evidence.precision(table, (first, second), dataset, measure))


def better(
    evidence: Evidence, table: Table, first: str, second: str, dataset: str, measure: str
) -> Outcome:
    """Return whether one method is better than another."""
    return group_better(evidence, table, (first,), (second,), dataset, measure)


def better_than_all(
    evidence: Evidence,
    table: Table,
    first: str,
    others: Sequence[str],
    dataset: str,
    measure: str,
) -> Outcome:
    """Return whether one method is better than each of others."""
    return all_of([better(evidence, table, first, o, dataset, measure) for o in others])


def all_of(outcomes: Sequence[Outcome]) -> Outcome:
    """Return whether all comparisons hold; one that fails decides."""
    if any(outcome is False for outcome in outcomes):
        return False
    return None if any(outcome is None for outcome in outcomes) else True


def not_worse(outcome: Outcome) -> Outcome:
    """Return whether a method that is compared is at least as good: an open comparison will do."""
    return outcome is not False


def same(outcome: Outcome) -> Outcome:
    """Return whether two methods are alike: an open comparison is what is claimed."""
    return outcome is None


def as_printed(
    evidence: Evidence,
    table: Table,
    first: Sequence[str],
    second: Sequence[str],
    dataset: str,
    measure: str = "accuracy",
) -> bool:
    """Return whether our difference is the printed one, within the paper's precision.

    Two runs of one experiment can fall on both sides of a level of significance; they contradict
    each other only if the effects differ.
    """
    sign = MEASURES[measure].better or 1
    printed = [
        float(np.mean([evidence.published(table, method, dataset, measure) for method in group]))
        for group in (first, second)
    ]
    difference = advantage(evidence, table, first, second, dataset, measure)
    precision = evidence.precision(table, (first, second), dataset, measure)
    away = abs(difference - sign * (printed[0] - printed[1]))
    return bool(away <= np.sqrt(2.0) * precision)


def compared(
    table: Table,
    measure: str,
    firsts: Sequence[str],
    others: Sequence[str],
    datasets: Iterable[str] | None = None,
    *,
    most: bool = False,
) -> Check:
    """Return the check that methods are better than others by a measure.

    Parameters
    ----------
    table : int or str
        The table or experiment.
    measure : str
        A measure of which more, or less, is better.
    firsts : sequence of str
        Labels of the methods that are to be better.
    others : sequence of str
        Labels of the others.
    datasets : iterable of str, optional
        Where; everything that has runs of all these methods if not given. One that is named and
        has none makes the claim not testable.
    most : bool, default=False
        Whether more than half of the comparisons must hold; else all.
    """

    def check(evidence: Evidence) -> tuple[Verdict, str]:
        names = list(datasets) if datasets else evidence.datasets(table, *firsts, *others)
        outcomes, texts = [], []
        for data in names:
            means = [evidence.mean(table, method, data, measure) for method in (*firsts, *others)]
            outcomes += [
                better(evidence, table, first, other, data, measure)
                for first, other in product(firsts, others)
            ]
            texts.append(
                f"{data} {listed(means[: len(firsts)], measure)} against "
                + listed(means[len(firsts) :], measure)
            )
        least = len(outcomes) // 2 + 1 if most else None
        return verdict_of(outcomes, least), f"{counted(outcomes)}: {'; '.join(texts)}"

    return check


def decided(holds: bool) -> Verdict:
    """Return the verdict of a claim without a difference of means."""
    return Verdict.confirmed if holds else Verdict.contradicted


def number(value: float, measure: str) -> str:
    """Return a value with the digits of its measure."""
    return f"{value:.{MEASURES[measure].digits}f}"


def listed(values: Sequence[float], measure: str) -> str:
    """Return values with the digits of their measure."""
    return ", ".join(number(value, measure) for value in values)
