"""Parts of pages that programs write: between two marks, so that the text around them stays."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

# Links of the README are absolute: PyPI shows it without the other files.
REPOSITORY = "https://github.com/aslant-developers/aslant/blob/main/"


def write_block(path: Path, name: str, text: str) -> None:
    """Replace what stands between ``<!-- name -->`` and ``<!-- end of name -->``."""
    begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
    page = path.read_text()
    if page.count(begin) != 1 or page.count(end) != 1:
        raise ValueError(f"{path} must have the marks {begin.strip()} and {end} once each.")
    before, rest = page.split(begin)
    path.write_text(f"{before}{begin}{text.rstrip()}\n{end}{rest.split(end)[1]}")


def markdown(header: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a table."""
    lines = [[cell.replace("|", "\\|") for cell in row] for row in (header, *rows)]
    lines.insert(1, ["---"] * len(lines[0]))
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)
