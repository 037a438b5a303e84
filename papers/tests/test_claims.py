"""Claims: what is said of them, and that they are checked against the runs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from aslant_papers import find_paper
from aslant_papers.claims import (
    Claim,
    Evidence,
    NotTestableError,
    PrintedEvidence,
    Verdict,
    check,
    check_all,
    not_testable,
    verdict_of,
)
from aslant_papers.claims.readers import as_printed, compared, decided
from aslant_papers.claims_text import claims_summary, write_claims
from aslant_papers.journal import Journal
from aslant_papers.layout import TableLayout, lay_out
from aslant_papers.protocol import Data, Paper, PaperTable, TableColumn, TableMethod, spec
from aslant_papers.report import make_report
from aslant_papers.runner import Results, run_cells

from aslant.comparison.splits import Folds
from aslant.utils.text_tables import Format

TABLE = PaperTable(
    number="depth",
    title="a stump and a tree",
    plan=Folds(2, 3),
    columns=(TableColumn("Iris", Data("iris")), TableColumn("Nowhere", Data("star_galaxy_dim"))),
    methods=(
        TableMethod("tree", spec("CARTClassifier")),
        TableMethod("stump", spec("CARTClassifier", max_depth=1)),
    ),
    measures=("accuracy", "leaves"),
)
PAPER = Paper("a paper", "Somebody, 1999", (), (TABLE,))


@pytest.fixture
def evidence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Evidence:
    monkeypatch.delenv("ASLANT_DATA", raising=False)
    layout = lay_out(TABLE)
    cells = [cell for runs in layout.cells.values() for cell in runs]
    return Evidence([make_report("murthy1994", layout, run_cells(cells, Journal(tmp_path)))])


def claim(check, text: str = "it is so") -> Claim:
    return Claim(text, "1", "on each set", check, ("depth",))


def test_a_claim_is_confirmed_or_not_by_the_figures(evidence: Evidence) -> None:
    better = claim(compared("depth", "accuracy", ("tree",), ("stump",)))
    smaller = claim(compared("depth", "leaves", ("tree",), ("stump",)))
    found = check(better, evidence)
    assert found.verdict == "confirmed"
    mean = evidence.mean("depth", "tree", "Iris", "accuracy")
    counts = "of 1 comparisons 1 hold, 0 open, 0 fail"
    assert found.figures.startswith(f"{counts}: Iris {mean:.1f} against 59.0")
    assert check(smaller, evidence).verdict == "contradicted"
    same = claim(compared("depth", "accuracy", ("tree",), ("tree",)))
    assert check(same, evidence).verdict == "not distinguishable"


def test_open_comparisons_decide_nothing() -> None:
    """Of two that must hold, one that is open may still do so."""
    assert verdict_of([True, True]) == "confirmed"
    assert verdict_of([True, None]) == "not distinguishable"
    assert verdict_of([None, False]) == "contradicted"
    assert verdict_of([True, None, False], 1) == "confirmed"
    assert verdict_of([True, None, False], 2) == "not distinguishable"
    assert verdict_of([True, False, False], 2) == "contradicted"


def test_the_precision_is_two_errors_of_the_papers_means() -> None:
    """OC1 96.2 ± 0.3 and CART-LC 95.3 ± 0.6 on Cancer, ten cross-validations each."""
    table = find_paper("murthy1994").table(1)
    absent = {column.label: "not here" for column in table.columns}
    report = make_report("murthy1994", TableLayout(table, absent=absent), Results())
    printed = PrintedEvidence([report])
    found = printed.precision(1, (("OC1",), ("CART-LC",)), "Cancer", "accuracy")
    assert found == pytest.approx(2.0 * np.sqrt((0.3**2 + 0.6**2) / 10))
    both = printed.precision(1, (("OC1", "CART-LC"), ("C4.5",)), "Cancer", "accuracy")
    assert both == pytest.approx(2.0 * np.sqrt((0.3**2 + 0.6**2) / 40 + 2.0**2 / 10))
    assert printed.precision(1, (("OC1",),), "Iris", "leaves") == pytest.approx(
        2.0 * 0.2 / np.sqrt(10)
    )


def test_two_sides_of_a_level_are_open_if_the_effects_are_alike() -> None:
    table = find_paper("murthy1994").table(1)
    absent = {column.label: "not here" for column in table.columns}
    report = make_report("murthy1994", TableLayout(table, absent=absent), Results())

    class Ours(PrintedEvidence):
        """The printed figures, OC1's moved."""

        moved = 0.0

        def mean(self, table: int | str, method: str, dataset: str, measure: str) -> float:
            return super().mean(table, method, dataset, measure) + self.moved * (method == "OC1")

    ours = Ours([report])
    for ours.moved, alike in ((0.0, True), (0.5, True), (-0.5, True), (0.7, False), (-0.7, False)):
        assert as_printed(ours, 1, ("OC1",), ("CART-LC",), "Cancer") is alike


def test_what_has_no_runs_is_not_testable_and_says_why(evidence: Evidence) -> None:
    there = claim(compared("depth", "accuracy", ("tree",), ("stump",), ("Nowhere",)))
    found = check(there, evidence)
    assert (found.verdict, found.figures) == ("not testable here", "tree on Nowhere: not available")
    assert check(claim(not_testable("nobody kept them")), evidence).figures == "nobody kept them"
    with pytest.raises(NotTestableError, match="was not computed"):
        evidence.runs(7, "tree", "Iris")
    with pytest.raises(NotTestableError, match="prints no accuracy"):
        evidence.published("depth", "tree", "Iris", "accuracy")


def test_the_same_check_reads_what_the_paper_prints() -> None:
    """Table 1 of the OC1 paper: 96.2 against 95.3 on Cancer, 82.4 ± 0.8 on Housing."""
    table = find_paper("murthy1994").table(1)
    absent = {column.label: "not here" for column in table.columns}
    report = make_report("murthy1994", TableLayout(table, absent=absent), Results())
    printed = PrintedEvidence([report])
    assert "Dim S/G" in printed.datasets(1, "OC1", "CART-LC")
    assert printed.mean(1, "OC1", "Cancer", "accuracy") == pytest.approx(96.2)
    values = printed.values(1, "OC1", "Housing", "accuracy")
    assert (np.mean(values), np.std(values, ddof=1)) == (pytest.approx(82.4), pytest.approx(0.8))
    better = Claim("so", "4.2", "all", compared(1, "accuracy", ("OC1",), ("CART-LC",)), (1,))
    drawn = Claim("drawn", "4.2", "all", lambda evidence: (Verdict.confirmed, ""))
    single = Claim(
        "run", "4.2", "all", lambda e: (decided(bool(e.runs(1, "OC1", "Iris"))), ""), (1,)
    )
    found = check_all([better, replace(better, needs=()), drawn, single], [report])
    assert [one.printed for one in found] == ["not distinguishable", *["not testable here"] * 3]
    assert found[0].verdict == "not testable here"
    assert claims_summary(found).endswith("the paper's own figures contradict 0 of 1")


def test_claims_as_text(evidence: Evidence) -> None:
    claims = [
        claim(compared("depth", "accuracy", ("tree",), ("stump",)), "trees beat stumps"),
        claim(not_testable("a | b"), "the rest"),
    ]
    findings = [check(one, evidence) for one in claims]
    summary = "of 2 claims 1 confirmed, 0 not distinguishable, 0 contradicted, 1 not testable here"
    assert claims_summary(findings) == summary
    for form in Format:
        text = write_claims(PAPER, findings, form, "aslant reproduce", quick=True)
        assert "trees beat stumps" in text and "not testable here" in text
        if form is not Format.csv:
            assert summary in text and "shortened" in text
    assert (
        "| the rest | 1 | on each set | not testable here | not printed | a \\| b |"
        in write_claims(PAPER, findings, Format.md, "aslant reproduce")
    )


def test_a_contradiction_is_explained(evidence: Evidence) -> None:
    smaller = claim(compared("depth", "leaves", ("tree",), ("stump",)), "trees are smaller")
    explained = replace(smaller, why="stumps are stumps")
    text = write_claims(PAPER, [check(explained, evidence)], Format.md, "aslant reproduce")
    assert "Why: stumps are stumps" in text
    better = replace(claim(compared("depth", "accuracy", ("tree",), ("stump",))), why="no matter")
    assert "no matter" not in write_claims(PAPER, [check(better, evidence)], Format.md, "aslant")
