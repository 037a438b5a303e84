"""Claims: what is said of them, and that they are judged by the runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from aslant.evaluation.splits import Folds
from aslant.evaluation.text_tables import Format
from aslant.experiments.claims import Claim, Evidence, NotTestableError, judge, not_testable
from aslant.experiments.claims.readers import compared
from aslant.experiments.claims_text import claims_summary, write_claims
from aslant.experiments.journal import Journal
from aslant.experiments.layout import lay_out
from aslant.experiments.protocol import Data, Paper, PaperTable, TableColumn, TableMethod, spec
from aslant.experiments.report import make_report
from aslant.experiments.runner import run_cells

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
    return Claim(text, "1", check, ("depth",))


def test_a_claim_is_confirmed_or_not_by_the_figures(evidence: Evidence) -> None:
    better = claim(compared("depth", "accuracy", "tree", ("stump",)))
    smaller = claim(compared("depth", "leaves", "tree", ("stump",)))
    found = judge(better, evidence)
    assert found.verdict == "confirmed"
    mean = evidence.mean("depth", "tree", "Iris", "accuracy")
    assert found.figures.startswith(f"on 1 of 1: Iris {mean:.1f} against 59.0")
    assert judge(smaller, evidence).verdict == "not confirmed"


def test_what_has_no_runs_is_not_testable_and_says_why(evidence: Evidence) -> None:
    there = claim(compared("depth", "accuracy", "tree", ("stump",), ("Nowhere",)))
    found = judge(there, evidence)
    assert (found.verdict, found.figures) == ("not testable here", "tree on Nowhere: not available")
    assert judge(claim(not_testable("nobody kept them")), evidence).figures == "nobody kept them"
    with pytest.raises(NotTestableError, match="was not computed"):
        evidence.runs(7, "tree", "Iris")
    with pytest.raises(NotTestableError, match="prints no accuracy"):
        evidence.published("depth", "tree", "Iris", "accuracy")


def test_claims_as_text(evidence: Evidence) -> None:
    claims = [
        claim(compared("depth", "accuracy", "tree", ("stump",)), "trees beat stumps"),
        claim(not_testable("a | b"), "the rest"),
    ]
    findings = [judge(one, evidence) for one in claims]
    summary = "of 2 claims 1 confirmed, 0 not confirmed, 1 not testable here"
    assert claims_summary(findings) == summary
    for form in Format:
        text = write_claims(PAPER, findings, form, "aslant reproduce", quick=True)
        assert "trees beat stumps" in text and "not testable here" in text
        if form is not Format.csv:
            assert summary in text and "shortened" in text
    assert "| the rest | 1 | not testable here | a \\| b |" in write_claims(
        PAPER, findings, Format.md, "aslant reproduce"
    )
