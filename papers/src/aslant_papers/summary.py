"""The summary of all records, written into documents between two markers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from aslant.utils.text_tables import markdown_text
from aslant_papers.claims import Finding, Verdict
from aslant_papers.counting import Count, count_entries
from aslant_papers.protocol import Paper
from aslant_papers.records import MEASURES, SIZES
from aslant_papers.report import Report

_PREDICTION = ("accuracy", "relative_error")
# Where the pages are, from the document, and what a link begins with. Links of the README at the
# root of the repository are absolute, because PyPI shows it without the other files.
_PLACES = {"": "", "docs/reproduction/": "https://github.com/aslant-developers/aslant/blob/main/"}
_MARKED = re.compile(r"(<!-- records( by table)? -->\n).*?(<!-- end of records -->)", re.DOTALL)


@dataclass(frozen=True)
class Record:
    """What was computed of one paper.

    Attributes
    ----------
    paper : Paper
        The paper.
    reports : sequence of Report
        Its tables and experiments.
    findings : sequence of Finding
        Its claims.
    """

    paper: Paper
    reports: Sequence[Report]
    findings: Sequence[Finding]

    def counts(self) -> list[Count]:
        """Return the counts of all measures over all tables."""
        return count_entries([entry for report in self.reports for entry in report.entries])


def write_into(document: str, records: Sequence[Record], file: Path) -> str:
    """Return a document with the summary between its markers.

    Parameters
    ----------
    document : str
        A text with ``<!-- records -->`` or ``<!-- records by table -->`` on one line and
        ``<!-- end of records -->`` on a later one.
    records : sequence of Record
        All papers.
    file : Path
        Where the document is, for links to the pages.

    Raises
    ------
    ValueError
        If there are no markers.
    """
    if not _MARKED.search(document):
        raise ValueError(
            f"{file} needs the lines <!-- records --> and <!-- end of records -->, got neither."
        )
    return _MARKED.sub(
        lambda found: found[1] + _text(records, file, by_table=bool(found[2])) + found[3], document
    )


def _text(records: Sequence[Record], file: Path, *, by_table: bool) -> str:
    if not by_table:  # short enough for a README
        return _overall(records, file)
    parts = [_overall(records, file), _verdicts(records, file), _by_table(records)]
    return "\n" + "\n".join([*parts, _claims(records)]) + "\n"


def _overall(records: Sequence[Record], file: Path) -> str:
    verdicts = " / ".join(verdict.value for verdict in Verdict)
    header = (
        *("paper", "accuracy or error", "size", "size within 30 %", "tests between methods"),
        f"claims: {verdicts}",
    )
    rows = []
    for record in records:
        counts = {count.measure: count for count in record.counts()}
        predicted = [counts[name] for name in _PREDICTION if name in counts]
        sizes = [counts[name] for name in SIZES if name in counts and name != "size"]
        tests = counts.get("p_value")
        near, total = sum(c.near for c in sizes), sum(c.total for c in sizes)
        rows.append(
            [
                _linked(record.paper.name, file),
                _three(predicted),
                _three(sizes),
                f"{near} of {total}" if sizes else "",
                f"{tests.agree} of {tests.total}" if tests else "",
                " / ".join(_counted(record.findings)),
            ]
        )
    return markdown_text(header, rows)


def _verdicts(records: Sequence[Record], file: Path) -> str:
    header = ("paper", "claims", *(verdict.value for verdict in Verdict), "by its own figures")
    rows = [_verdict_row(_linked(record.paper.name, file), record.findings) for record in records]
    rows.append(_verdict_row("all", [f for record in records for f in record.findings]))
    return markdown_text(header, rows)


def _verdict_row(name: str, findings: Sequence[Finding]) -> list[str]:
    printed = [f.printed for f in findings if f.printed is not Verdict.not_testable]
    contradicted = f"{printed.count(Verdict.contradicted)} of {len(printed)} contradicted"
    return [name, str(len(findings)), *_counted(findings), contradicted]


def _counted(findings: Sequence[Finding]) -> list[str]:
    """Return how many claims have each verdict."""
    found = [finding.verdict for finding in findings]
    return [str(found.count(verdict)) for verdict in Verdict]


def _by_table(records: Sequence[Record]) -> str:
    rows = []
    for record in records:
        for report in record.reports:
            for count in count_entries(report.entries):
                title = MEASURES[count.measure].title if count.measure in MEASURES else "p-value"
                near = f"{count.near} / {count.smaller} / {count.larger}"
                rows.append(
                    [
                        record.paper.name,
                        str(report.layout.table.number),
                        title,
                        _three([count]),
                        near if count.measure in SIZES else "",
                    ]
                )
    header = ("paper", "table", "measure", "agree / better / worse", "near / smaller / larger")
    return markdown_text(header, rows)


def _claims(records: Sequence[Record]) -> str:
    """Return the contradicted claims, one by one."""
    rows = [
        [record.paper.name, f.claim.text, f.printed.value, f.claim.why or "not known"]
        for record in records
        for f in record.findings
        if f.verdict is Verdict.contradicted
    ]
    header = ("paper", "contradicted", "by its own figures", "why")
    return markdown_text(header, rows)


def _three(counts: Sequence[Count]) -> str:
    if not counts:
        return ""
    numbers = (sum(getattr(c, part) for c in counts) for part in ("agree", "better", "worse"))
    return " / ".join(map(str, numbers))


def _linked(name: str, file: Path) -> str:
    """Return the name of a paper, as a link if its page is where pages are."""
    for place, address in _PLACES.items():
        page = f"{place}{name}.md"
        if (file.parent / page).exists():
            return f"[{name}]({address}{page})"
    return name
