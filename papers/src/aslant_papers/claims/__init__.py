"""The conclusions of the papers, and whether our runs confirm them.

A claim is one line in our own words, with the tables or experiments it rests on, a rule that names
the quantifier of the paper's sentence, and a function that applies the rule to figures. A rule
counts single comparisons. One holds or fails if the difference is beyond the paper's own precision,
two standard errors of a difference of means over as many runs as the paper has; otherwise it is
open. A claim is confirmed if enough comparisons hold, contradicted if too few would hold even if
all open ones did, and not distinguishable between the two. Where a figure is not available the
claim is "not testable here", with the reason.

The same function reads the figures that the paper prints. Each paper has a module with its
`CLAIMS`.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from importlib import import_module
from typing import TypeAlias

import numpy as np

from aslant_papers.records import MEASURES, RunRecord
from aslant_papers.report import Report, ReportEntry, finished_runs


class Verdict(StrEnum):
    """The result of checking a claim."""

    confirmed = "confirmed"
    not_distinguishable = "not distinguishable"
    contradicted = "contradicted"
    not_testable = "not testable here"


#: Whether a single comparison holds; None if the difference is below the paper's precision.
Outcome: TypeAlias = bool | None


def verdict_of(outcomes: Sequence[Outcome], least: int | None = None) -> Verdict:
    """Return the verdict of comparisons of which `least` must hold; all if not given."""
    needed = len(outcomes) if least is None else least
    holding = sum(outcome is True for outcome in outcomes)
    if holding >= needed:
        return Verdict.confirmed
    undecided = sum(outcome is None for outcome in outcomes)
    return Verdict.not_distinguishable if holding + undecided >= needed else Verdict.contradicted


def counted(outcomes: Sequence[Outcome]) -> str:
    """Return how many comparisons hold, are open and fail."""
    kinds = ((True, "hold"), (None, "open"), (False, "fail"))
    numbers = [f"{sum(o is kind for o in outcomes)} {name}" for kind, name in kinds]
    return f"of {len(outcomes)} comparisons " + ", ".join(numbers)


class NotTestableError(Exception):
    """A figure that a claim rests on is not available; the text says why."""


class Evidence:
    """Our results of the tables and experiments that claims rest on.

    Parameters
    ----------
    reports : sequence of Report
        The tables and experiments, as computed.
    """

    def __init__(self, reports: Sequence[Report]) -> None:
        self._reports: Mapping[str, Report] = {str(r.layout.table.number): r for r in reports}

    def runs(self, table: int | str, method: str, dataset: str) -> Sequence[RunRecord]:
        """Return the finished runs of a method, by its label, on a data set.

        Raises
        ------
        NotTestableError
            If there are none.
        """
        report = self._reports.get(str(table))
        if report is None:
            raise NotTestableError(f"{table} was not computed")
        runs, reason = finished_runs(report.layout, report.results, dataset, method)
        if not runs:
            raise NotTestableError(f"{method} on {dataset}: {reason}")
        return runs

    def values(self, table: int | str, method: str, dataset: str, measure: str) -> list[float]:
        """Return a measure of every run."""
        columns = self._reports[str(table)].layout.table.columns if self._has(table) else ()
        index = next((c.class_index for c in columns if c.label == dataset), None)
        return [MEASURES[measure].of(run, index) for run in self.runs(table, method, dataset)]

    def mean(self, table: int | str, method: str, dataset: str, measure: str) -> float:
        """Return the mean of a measure over the runs."""
        return float(np.mean(self.values(table, method, dataset, measure)))

    def deviation(self, table: int | str, method: str, dataset: str, measure: str) -> float:
        """Return the standard deviation over runs that the paper prints; ours if it prints none."""
        try:
            printed = self._printed(table, method, dataset, measure).published_sd
        except NotTestableError:
            printed = None
        if printed is not None:
            return printed
        try:
            values = Evidence.values(self, table, method, dataset, measure)
        except NotTestableError:
            return 0.0
        return float(np.std(values, ddof=1)) if len(values) > 1 else 0.0

    def precision(
        self, table: int | str, groups: Sequence[Sequence[str]], dataset: str, measure: str
    ) -> float:
        """Return two standard errors of the difference between the means of groups of methods.

        Errors are those of means over as many runs as the paper has. Differences that the printed
        digits cannot show are below it, too.
        """
        variance = 0.0
        for group in groups:
            for method in group:
                sd = self.deviation(table, method, dataset, measure)
                runs = self._published_runs(table, method, dataset)
                variance += sd**2 / (runs * len(group) ** 2)
        return float(max(2.0 * np.sqrt(variance), 10.0 ** -MEASURES[measure].digits))

    def _published_runs(self, table: int | str, method: str, dataset: str) -> int:
        report = self._reports.get(str(table))
        if report is None:
            raise NotTestableError(f"{table} was not computed")
        shown = report.layout.table
        column = next(c for c in shown.columns if c.label == dataset)
        row = next(m for m in shown.methods if m.label == method)
        return shown.published_runs or shown.plan_of(column, row).runs

    def published(self, table: int | str, method: str, dataset: str, measure: str) -> float:
        """Return the figure that the paper prints beside ours."""
        return self._printed(table, method, dataset, measure).published or 0.0

    def _printed(self, table: int | str, method: str, dataset: str, measure: str) -> ReportEntry:
        report = self._reports.get(str(table))
        for entry in report.entries if report else ():
            place = (entry.method, entry.dataset, entry.measure)
            if place == (method, dataset, measure) and entry.published is not None:
                return entry
        raise NotTestableError(f"the paper prints no {measure} of {method} on {dataset}")

    def p_value(self, table: int | str, comparison: str, dataset: str) -> float:
        """Return the p-value of a test between methods."""
        report = self._reports.get(str(table))
        for entry in report.entries if report else ():
            if (entry.method, entry.dataset, entry.measure) == (comparison, dataset, "p_value"):
                if entry.ours is None:
                    raise NotTestableError(f"{comparison} on {dataset}: {entry.note or 'no value'}")
                return entry.ours
        raise NotTestableError(f"{comparison} on {dataset} was not computed")

    def datasets(self, table: int | str, *methods: str) -> list[str]:
        """Return the data sets on which all these methods have runs.

        Raises
        ------
        NotTestableError
            If there is none.
        """
        found = []
        report = self._reports.get(str(table))
        for column in report.layout.table.columns if report else ():
            try:
                for method in methods:
                    self.runs(table, method, column.label)
            except NotTestableError:
                continue
            found.append(column.label)
        if not found:
            raise NotTestableError(f"no data set of {table} has runs of {', '.join(methods)}")
        return found

    def _has(self, table: int | str) -> bool:
        return str(table) in self._reports


class PrintedEvidence(Evidence):
    """The figures that the paper itself prints, in the place of ours.

    A mean with its deviation stands for two runs that have both.
    """

    def runs(self, table: int | str, method: str, dataset: str) -> Sequence[RunRecord]:
        """Papers do not print single runs."""
        raise NotTestableError("the paper prints no single runs")

    def values(self, table: int | str, method: str, dataset: str, measure: str) -> list[float]:
        """Return the printed figure; two with its mean and deviation, if it has one."""
        entry = self._printed(table, method, dataset, measure)
        if entry.published_sd is None:
            return [entry.published or 0.0]
        step = entry.published_sd / np.sqrt(2.0)
        return [float((entry.published or 0.0) + side * step) for side in (-1.0, 1.0)]

    def p_value(self, table: int | str, comparison: str, dataset: str) -> float:
        """Return the printed p-value."""
        return self.published(table, comparison, dataset, "p_value")

    def datasets(self, table: int | str, *methods: str) -> list[str]:
        """Return the data sets of which the paper prints something of all these methods."""
        report = self._reports.get(str(table))
        printed = {
            (entry.method, entry.dataset)
            for entry in (report.entries if report else ())
            if entry.published is not None
        }
        columns = report.layout.table.columns if report else ()
        found = [c.label for c in columns if all((m, c.label) in printed for m in methods)]
        if not found:
            raise NotTestableError(f"the paper prints nothing of {', '.join(methods)}")
        return found


Check = Callable[[Evidence], tuple[Verdict, str]]


@dataclass(frozen=True)
class Claim:
    """One conclusion of a paper.

    Attributes
    ----------
    text : str
        The claim, in one line of our own words.
    place : str
        Where the paper has it.
    rule : str
        The quantifier of the sentence, and what the check therefore counts.
    check : callable
        Takes the `Evidence`, returns the verdict and the figures that say so.
    needs : tuple of int or str
        Tables and experiments that it reads.
    why : str
        What explains a contradiction, as far as it is known.
    """

    text: str
    place: str
    rule: str
    check: Check
    needs: tuple[int | str, ...] = ()
    why: str = ""


@dataclass(frozen=True)
class Finding:
    """A claim and the results of its checks.

    Attributes
    ----------
    claim : Claim
        The claim.
    verdict : Verdict
        What our runs say of it.
    figures : str
        The figures that say so.
    printed : Verdict
        What the same check says of the paper's own figures, where it prints them.
    """

    claim: Claim
    verdict: Verdict
    figures: str
    printed: Verdict = Verdict.not_testable


def not_testable(reason: str) -> Check:
    """Return the check of a claim that cannot be tested at all."""

    def check(evidence: Evidence) -> tuple[Verdict, str]:
        raise NotTestableError(reason)

    return check


def check(claim: Claim, evidence: Evidence) -> Finding:
    """Check a claim against the evidence."""
    try:
        verdict, figures = claim.check(evidence)
    except NotTestableError as reason:
        return Finding(claim, Verdict.not_testable, str(reason))
    return Finding(claim, verdict, figures)


def check_all(claims: Sequence[Claim], reports: Sequence[Report]) -> list[Finding]:
    """Check claims against these tables, by our figures and by the paper's own."""
    ours, printed = Evidence(reports), PrintedEvidence(reports)
    return [replace(check(claim, ours), printed=_check_printed(claim, printed)) for claim in claims]


def _check_printed(claim: Claim, printed: PrintedEvidence) -> Verdict:
    """Check a claim against the printed figures, if it rests on printed figures."""
    if not claim.needs:
        return Verdict.not_testable
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)  # a deviation that the paper does not print
        try:
            return check(claim, printed).verdict
        except RuntimeWarning:
            return Verdict.not_testable


def find_claims(paper: str) -> tuple[Claim, ...]:
    """Return the claims of a paper, by its name in `aslant_papers.PAPERS`."""
    claims: tuple[Claim, ...] = import_module(f"aslant_papers.claims.{paper}").CLAIMS
    return claims
