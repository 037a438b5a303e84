"""The conclusions of the papers, and whether our runs confirm them.

A claim is one line in our own words, with the tables or experiments it rests on and a function that
reads them. The function returns whether the claim holds and the figures that say so; where a figure
is not available the claim is "not testable here", with the reason. Each paper has a module with its
`CLAIMS`.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from importlib import import_module

import numpy as np

from aslant_papers.records import MEASURES, RunRecord
from aslant_papers.report import Report, ReportEntry, finished_runs


class Verdict(StrEnum):
    """The result of checking a claim."""

    confirmed = "confirmed"
    not_confirmed = "not confirmed"
    not_testable = "not testable here"


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


Check = Callable[[Evidence], tuple[bool, str]]


@dataclass(frozen=True)
class Claim:
    """One conclusion of a paper.

    Attributes
    ----------
    text : str
        The claim, in one line of our own words.
    place : str
        Where the paper has it.
    check : callable
        Takes the `Evidence`, returns whether the claim holds and the figures that say so.
    needs : tuple of int or str
        Tables and experiments that it reads.
    """

    text: str
    place: str
    check: Check
    needs: tuple[int | str, ...] = ()


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

    def check(evidence: Evidence) -> tuple[bool, str]:
        raise NotTestableError(reason)

    return check


def check(claim: Claim, evidence: Evidence) -> Finding:
    """Check a claim against the evidence."""
    try:
        holds, figures = claim.check(evidence)
    except NotTestableError as reason:
        return Finding(claim, Verdict.not_testable, str(reason))
    return Finding(claim, Verdict.confirmed if holds else Verdict.not_confirmed, figures)


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
