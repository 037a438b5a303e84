"""The summary of all records, written into documents."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from aslant_papers import find_paper
from aslant_papers.claims import Claim, Finding, Verdict, not_testable
from aslant_papers.layout import TableLayout
from aslant_papers.report import WITHIN_ONE, WORSE, Report, ReportEntry
from aslant_papers.runner import Results
from aslant_papers.summary import Record, write_into

DOCUMENT = "before\n<!-- records -->\nold\n<!-- end of records -->\nafter\n"


@pytest.fixture
def record() -> Record:
    paper = find_paper("tan2004")
    entries = (
        ReportEntry(1, "Wine", "C4.5", "accuracy", 93.6, 5.7, 93.0, 5.0, 100, WITHIN_ONE),
        ReportEntry(1, "Wine", "C4.5", "nodes", 9.6, 1.3, 20.0, 2.0, 100, WORSE),
    )
    report = Report(TableLayout(paper.tables[0]), entries, Results())
    claim = Claim("it is so", "4", "on all sets", not_testable("never"), (1,), "a bad day")
    finding = Finding(claim, Verdict.contradicted, "figures", Verdict.confirmed)
    return Record(paper, [report], [finding])


def test_only_what_is_between_the_markers_changes(record: Record, tmp_path: Path) -> None:
    text = write_into(DOCUMENT, [record], tmp_path / "README.md")
    assert text.startswith("before\n<!-- records -->\n")
    assert text.endswith("<!-- end of records -->\nafter\n")
    assert "old" not in text
    assert "| tan2004 | 1 / 0 / 0 | 0 / 0 / 1 | 0 of 1 |  | 0 / 0 / 1 / 0 |" in text
    assert "a bad day" not in text
    assert write_into(text, [record], tmp_path / "README.md") == text


def test_by_table_contradictions_are_explained(record: Record, tmp_path: Path) -> None:
    (tmp_path / "tan2004.md").write_text("a page")
    long = DOCUMENT.replace("<!-- records -->", "<!-- records by table -->")
    text = write_into(long, [record], tmp_path / "README.md")
    assert "| [tan2004](tan2004.md) | 1 / 0 / 0 |" in text
    assert "| tan2004 | 1 | nodes | 0 / 0 / 1 | 0 / 0 / 1 |" in text
    assert "| [tan2004](tan2004.md) | 1 | 0 | 0 | 1 | 0 | 0 of 1 contradicted |" in text
    assert "| tan2004 | it is so | confirmed | a bad day |" in text


def test_links_of_the_readme_are_absolute(record: Record, tmp_path: Path) -> None:
    """Of the one that has the pages in docs/reproduction below it."""
    (tmp_path / "docs" / "reproduction").mkdir(parents=True)
    (tmp_path / "docs" / "reproduction" / "tan2004.md").write_text("a page")
    text = write_into(DOCUMENT, [record], tmp_path / "README.md")
    assert re.search(r"\[tan2004\]\(https://\S+/main/docs/reproduction/tan2004\.md\)", text)


def test_a_document_without_markers_is_refused(record: Record, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"needs the lines <!-- records -->"):
        write_into("no markers", [record], tmp_path / "README.md")
