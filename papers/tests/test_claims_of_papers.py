"""The claims of Brodley and Utgoff and of Tan and Dowe, checked against made-up runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from aslant_papers import find_paper
from aslant_papers.cells import Cell
from aslant_papers.claims import Evidence, Finding, check, find_claims
from aslant_papers.layout import TableLayout
from aslant_papers.records import RunRecord, pack_bits
from aslant_papers.report import make_report
from aslant_papers.runner import Results

Make = Callable[[str, str, int], RunRecord]


def plain(method: str, dataset: str, run: int) -> RunRecord:
    """Return a run of about 70 %, with four trees of three tests."""
    return record(0.7, run)


def record(accuracy: float, run: int, **changes: list[int] | list[float] | float) -> RunRecord:
    hits = np.random.default_rng(run).permutation(1000) < 1000 * accuracy + 3 * (run % 3)
    right = int(hits.sum())
    made = RunRecord(
        [[right, 1000 - right], [0, 0]],
        pack_bits(hits),
        300.0,
        500,
        leaves=[4] * 4,
        nodes=[7] * 4,
        tests=[3] * 4,
        size=[9] * 4,
        multivariate_tests=[2] * 4,
        hyperplanes=[10] * 4,
        seconds=[1.0] * 4,
    )
    return replace(made, **changes)


def findings(paper: str, make: Make = plain) -> dict[str, Finding]:
    """Return what becomes of the claims of a paper, if these were its runs."""
    found = find_paper(paper)
    reports = []
    for table in (*found.tables, *found.experiments):
        layout, results = TableLayout(table), Results()
        for column in table.columns:
            for method in table.methods:
                plan = table.plan_of(column, method)
                spec = method.estimator_for("", 2)
                cells = [
                    Cell(column.data, f"{column.label} {method.label}", plan, run, spec)
                    for run in range(3)
                ]
                layout.cells[column.label, method.label] = cells
                for cell in cells:
                    results.records[cell.key] = make(method.label, column.label, cell.run)
        reports.append(make_report(paper, layout, results))
    evidence = Evidence(reports)
    return {claim.text: check(claim, evidence) for claim in find_claims(paper)}


@pytest.mark.parametrize("paper", ["brodley1995", "tan2004"])
def test_every_claim_can_be_checked(paper: str) -> None:
    for finding in findings(paper).values():
        assert finding.verdict != "not testable here", finding
        assert finding.figures


def verdict(text: str, paper: str, make: Make) -> str:
    (finding,) = (one for claim, one in findings(paper, make).items() if text in claim)
    return finding.verdict


def test_the_fewest_tests() -> None:
    def make(method: str, dataset: str, run: int) -> RunRecord:
        return record(0.7, run, tests=[2 if method.startswith("RLS") else 3] * 4)

    assert verdict("have the fewest tests", "brodley1995", make) == "confirmed"
    assert verdict("have the fewest tests", "brodley1995", plain) == "not distinguishable"


@pytest.mark.parametrize(
    ("where", "expected"), [("Hepatitis", "confirmed"), ("Bupa", "contradicted")]
)
def test_trees_that_multivariate_pruning_changes(where: str, expected: str) -> None:
    """They may be others on Hepatitis alone."""

    def make(method: str, dataset: str, run: int) -> RunRecord:
        changed = "MTP, ties kept" in method and dataset == where
        return record(0.7, run, size=[8, 9, 9, 9] if changed else [9] * 4)

    found = findings("brodley1995", make)[
        "pruning features, too, changes no tree, except on Hepatitis"
    ]
    assert found.verdict == expected
    assert f"{where} 36 of 48" in found.figures


def test_the_column_best() -> None:
    def make(method: str, dataset: str, run: int) -> RunRecord:
        return record(0.9, run + 1) if "+ Uni" in method else record(0.7, run)

    found = findings("brodley1995", make)["the column Best of table 21"]
    assert "of 31 comparisons 13 hold, 0 open, 18 fail" in found.figures
    assert "Breast MU/MU/MU/MU" in found.figures
    same = findings("brodley1995", plain)["the column Best of table 21"]
    assert same.verdict == "not distinguishable"


def test_a_shorter_code_everywhere() -> None:
    def make(method: str, dataset: str, run: int) -> RunRecord:
        worse = (method == "C4.5") is (dataset != "Wine")
        return record(0.7, run, log_loss=500.0 if worse else 300.0)

    assert verdict("lower RCL", "tan2004", make) == "contradicted"
    assert verdict("lower RCL", "tan2004", plain) == "not distinguishable"

    def everywhere(method: str, dataset: str, run: int) -> RunRecord:
        return record(0.7, run, log_loss=600.0 if method == "C4.5" else 300.0)

    assert verdict("lower RCL", "tan2004", everywhere) == "confirmed"
