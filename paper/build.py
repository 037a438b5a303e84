"""Build the paper: Markdown to HTML and, through typst, to PDF.

    python paper/build.py [--out build/paper]

The journal builds its own layout from the same two files; this is for reading.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path

import pypandoc
import typst

PAPER = Path(__file__).resolve().parent / "paper.md"
AUTHOR = re.compile(r"^  - name: (.*)\n    affiliation:", re.MULTILINE)


def main() -> None:
    """Write paper.html and paper.pdf."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path("build/paper"))
    out = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    options = [
        "--standalone",
        "--citeproc",
        f"--bibliography={PAPER.with_suffix('.bib')}",
        "--metadata=link-citations:true",
        *(f"--metadata=author:{name}" for name in AUTHOR.findall(PAPER.read_text("utf-8"))),
        f"--resource-path={PAPER.parent}",
        "--fail-if-warnings",
    ]

    def convert(to: str, file: str, *more: str) -> None:
        pypandoc.convert_file(
            PAPER, to, outputfile=file, extra_args=[*options, *more], cworkdir=str(out)
        )

    convert("html", "paper.html", "--embed-resources", "--mathml")
    convert("typst", "paper.typ", "--extract-media=.")  # typst reads nothing outside its folder
    typst.compile(out / "paper.typ", output=out / "paper.pdf")


if __name__ == "__main__":
    main()
