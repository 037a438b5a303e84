"""The Python examples of the documents: found, run, and their output compared or written again.

A block marked ``python`` is run; all blocks of a document share their names. What a block prints
stands in the block that follows it, marked ``text`` or not at all. A block is left out only with a
written reason, on the line before it: ``<!-- not run: reason -->``.

    python tests/documents.py README.md docs/algorithms/oc1.md

runs the blocks of these documents and writes what they print into them.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
_BLOCK = re.compile(
    r"(?:<!-- not run: (?P<reason>[^\n]+?) -->\n)?^```python\n(?P<code>.*?)^```\n"
    r"(?:\n```(?:text)?\n(?P<printed>.*?)^```\n)?",
    flags=re.MULTILINE | re.DOTALL,
)


@dataclass
class Block:
    """A Python block of a document: its line, code, what it is said to print, why it is not run."""

    line: int
    code: str
    printed: str | None
    reason: str | None


def documents() -> list[Path]:
    """Return every document that holds a Python block."""
    every = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    return sorted(path for path in every if blocks(path))


def blocks(path: Path) -> list[Block]:
    """Return the Python blocks of a document."""
    text = path.read_text(encoding="utf-8")
    found = []
    for match in _BLOCK.finditer(text):
        line = text.count("\n", 0, match.start("code")) + 1
        found.append(Block(line, match["code"], match["printed"], match["reason"]))
    return found


def run(path: Path, block: Block, names: dict[str, Any]) -> str:
    """Run a block with the names of those before it; return what it prints."""
    code = compile("\n" * (block.line - 1) + block.code, str(path), "exec")
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(code, names)
    return printed.getvalue()


def rewrite(path: Path) -> None:
    """Write into a document what its blocks print."""
    names: dict[str, Any] = {"__name__": "document"}
    text = path.read_text(encoding="utf-8")
    for block in blocks(path):
        if block.reason is None:
            printed = run(path, block, names)
            if block.printed is not None:
                old = block.code + "```\n\n```"
                before, after = text.split(old, 1)
                mark, rest = after.split("\n", 1)
                text = before + old + mark + "\n" + printed + rest.removeprefix(block.printed)
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        rewrite(Path(os.path.abspath(name)))
