"""The claims of a paper as a table: for the eye, as Markdown, CSV or JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence

from aslant.utils.text_tables import Format, csv_text, markdown_text, rich_text
from aslant_papers.claims import Finding, Verdict
from aslant_papers.protocol import Paper
from aslant_papers.report_text import heading, produced_by

_HEADER = ("claim", "where", "rule", "verdict", "by its own figures", "figures")


def write_claims(
    paper: Paper, findings: Sequence[Finding], form: Format, command: str, *, quick: bool = False
) -> str:
    """Return the claims with their verdicts as text in the format asked for."""
    rows = _rows(findings)
    if form is Format.csv:
        return csv_text([_HEADER, *rows])
    if form is Format.json:
        document = {
            "paper": paper.name,
            "citation": paper.citation,
            "produced_by": produced_by(command),
            "summary": claims_summary(findings),
            "shortened": quick,
            "claims": [dict(zip(_HEADER, row, strict=True)) for row in rows],
        }
        return json.dumps(document, indent=2, ensure_ascii=False) + "\n"
    body = _table(findings, form, quick=quick)
    if form is Format.md:
        return f"{heading(paper, command, form)}\n{body}"
    return f"{paper.citation}\n{body}"


def claims_section(findings: Sequence[Finding], form: Format, *, quick: bool = False) -> str:
    """Return the claims as the last part of a report of all tables."""
    title = "\n## Claims\n\n" if form is Format.md else "\nClaims\n"
    return title + _table(findings, form, quick=quick)


def _table(findings: Sequence[Finding], form: Format, *, quick: bool) -> str:
    """Return a line for each claim, and how many were confirmed."""
    rows = _rows(findings)
    closing = f"- {claims_summary(findings)}\n"
    if quick:
        closing += "- shortened: fewer runs than the paper's, so a verdict may be chance\n"
    if form is Format.md:
        return f"{markdown_text(_HEADER, rows)}\n{closing}"
    return f"{rich_text(_HEADER, rows, lines=True)}{closing}"


def _rows(findings: Sequence[Finding]) -> list[list[str]]:
    """Return a row for each claim."""
    return [
        [
            f.claim.text,
            f.claim.place,
            f.claim.rule,
            f.verdict.value,
            "not printed" if f.printed is Verdict.not_testable else f.printed.value,
            _with_reason(f),
        ]
        for f in findings
    ]


def _with_reason(finding: Finding) -> str:
    """Return the figures and, of a contradiction, what explains it."""
    if finding.verdict is not Verdict.contradicted or not finding.claim.why:
        return finding.figures
    return f"{finding.figures}. Why: {finding.claim.why}"


def claims_summary(findings: Sequence[Finding]) -> str:
    """Return how many claims have which verdict, by our figures and by the paper's own."""
    verdicts = [finding.verdict for finding in findings]
    counts = [f"{verdicts.count(verdict)} {verdict.value}" for verdict in Verdict]
    line = f"of {len(findings)} claims {', '.join(counts)}"
    printed = [f for f in findings if f.printed is not Verdict.not_testable]
    if not printed:
        return line
    failing = sum(f.printed is Verdict.contradicted for f in printed)
    return f"{line}; the paper's own figures contradict {failing} of {len(printed)}"
