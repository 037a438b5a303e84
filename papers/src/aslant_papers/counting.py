"""How many published figures are matched, beaten and missed.

A figure agrees if ours is within two standard deviations of it, on either side; a size is also
counted by itself, as near if the two are within 30 % of each other. Every published figure counts
once: rows with our own settings do not count, and a figure that a paper prints in two tables counts
once in a sum over them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from aslant_papers.records import MEASURES, SIZES
from aslant_papers.report import (
    AGREES,
    BETTER,
    DIFFERS,
    WITHIN_ONE,
    WITHIN_TWO,
    WORSE,
    ReportEntry,
)

_NEAR_SIZE = 1.3
_TWO_ERRORS = 2.0


@dataclass(frozen=True)
class Count:
    """Counts of the published figures of one measure that ours match, beat or miss.

    Attributes
    ----------
    measure : str
        The measure.
    agree, better, worse : int
        Within two standard deviations, and beyond on either side. What is neither good nor bad
        and differs is counted as worse.
    within_errors, better_errors, worse_errors : int
        Within two standard errors of the difference of the means, and beyond: better and worse.
    near, smaller, larger : int
        Of sizes: within 30 % of each other, and beyond.
    """

    measure: str
    agree: int
    better: int
    worse: int
    within_errors: int = 0
    better_errors: int = 0
    worse_errors: int = 0
    near: int = 0
    smaller: int = 0
    larger: int = 0

    @property
    def total(self) -> int:
        """How many figures there are."""
        return self.agree + self.better + self.worse

    def __str__(self) -> str:
        if self.measure == "p_value":
            return f"{self.agree} of {self.total} tests come to the paper's conclusion"
        line = f"{self.measure}: of {self.total} figures {self.agree} agree"
        line += f", {self.better} better, {self.worse} worse"
        if MEASURES[self.measure].better == 0:
            line = f"{self.measure}: of {self.total} figures {self.agree} agree"
            line += f", {self.worse} differ"
        if self.measure in SIZES:
            line += f"; within 30 %: {self.near}, {self.smaller} smaller, {self.larger} larger"
        compared = self.within_errors + self.better_errors + self.worse_errors
        if compared:
            line += f"; by standard errors of the difference {self.within_errors} agree"
            if MEASURES[self.measure].better:
                line += f", {self.better_errors} better, {self.worse_errors} worse"
        return line


def count_entries(entries: Sequence[ReportEntry]) -> list[Count]:
    """Return a count for each measure, over the published figures that ours can be compared with.

    The same published figure beside the same figure of ours, in another table, is the same cell.
    """
    counts = []
    for measure in dict.fromkeys(entry.measure for entry in entries):
        marked = {
            (e.dataset, e.published, e.published_sd, e.ours, e.ours_sd): e
            for e in entries
            if e.measure == measure and e.mark and e.counted
        }
        if marked:
            counts.append(_count(measure, list(marked.values())))
    return counts


def _count(measure: str, entries: Sequence[ReportEntry]) -> Count:
    marks = [entry.mark for entry in entries]
    sign = 0 if measure == "p_value" else MEASURES[measure].better or 0
    apart = [entry.errors_apart for entry in entries if entry.errors_apart is not None]
    beyond = [value for value in apart if abs(value) > _TWO_ERRORS]
    better = sum(sign * value > 0 for value in beyond)
    sizes = [_size_ratio(entry) for entry in entries if measure in SIZES]
    smaller = sum(ratio < 1.0 / _NEAR_SIZE for ratio in sizes)
    larger = sum(ratio > _NEAR_SIZE for ratio in sizes)
    return Count(
        measure,
        agree=sum(mark in (WITHIN_ONE, WITHIN_TWO, AGREES) for mark in marks),
        better=marks.count(BETTER),
        worse=marks.count(WORSE) + marks.count(DIFFERS),
        within_errors=len(apart) - len(beyond),
        better_errors=better,
        worse_errors=len(beyond) - better,
        near=len(sizes) - smaller - larger,
        smaller=smaller,
        larger=larger,
    )


def _size_ratio(entry: ReportEntry) -> float:
    """Return our size over the published one; two sizes of nothing are the same."""
    ours, published = entry.ours or 0.0, entry.published or 0.0
    if published == 0.0:
        return 1.0 if ours == 0.0 else float("inf")
    return ours / published


def summarise(entries: Sequence[ReportEntry]) -> list[str]:
    """Return a line for each measure that says how many figures agree, are better and worse."""
    return [str(count) for count in count_entries(entries)]
