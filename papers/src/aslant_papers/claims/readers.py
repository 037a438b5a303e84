"""Checks that several claims share: comparisons of methods over data sets."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from aslant_papers.claims import Check, Evidence
from aslant_papers.records import MEASURES


def compared(
    table: int | str,
    measure: str,
    first: str,
    others: Sequence[str],
    datasets: Iterable[str] | None = None,
    *,
    least: int | None = None,
) -> Check:
    """Return the check that one method is better than all others by a measure, on its mean.

    Parameters
    ----------
    table : int or str
        The table or experiment.
    measure : str
        A measure of which more, or less, is better.
    first : str
        Label of the method that is to be better.
    others : sequence of str
        Labels of the others.
    datasets : iterable of str, optional
        Where; everything that has runs of all these methods if not given. One that is named and
        has none makes the claim not testable.
    least : int, optional
        On how many data sets it must be so; on all if not given.
    """
    sign = MEASURES[measure].better or 1

    def check(evidence: Evidence) -> tuple[bool, str]:
        names = list(datasets) if datasets else evidence.datasets(table, first, *others)
        good, texts = 0, []
        for data in names:
            means = [evidence.mean(table, method, data, measure) for method in (first, *others)]
            good += all(sign * means[0] > sign * other for other in means[1:])
            texts.append(
                f"{data} {number(means[0], measure)} against " + listed(means[1:], measure)
            )
        needed = len(names) if least is None else least
        return good >= needed, f"on {good} of {len(names)}: {'; '.join(texts)}"

    return check


def number(value: float, measure: str) -> str:
    """Return a value with the digits of its measure."""
    return f"{value:.{MEASURES[measure].digits}f}"


def listed(values: Sequence[float], measure: str) -> str:
    """Return values with the digits of their measure."""
    return ", ".join(number(value, measure) for value in values)


def paired_error(first: Sequence[float], second: Sequence[float]) -> float:
    """Return the standard error of the mean difference of runs on the same divisions."""
    differences = np.subtract(first, second)
    return float(np.std(differences, ddof=1) / np.sqrt(len(differences)))
