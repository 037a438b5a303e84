"""The figures in the paper are those of the result files."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import documents

FOLDER = documents.ROOT / "paper"


def test_the_paper_has_the_figures_of_the_result_files(tmp_path: Path) -> None:
    copy = Path(shutil.copy(FOLDER / "paper.md", tmp_path))
    subprocess.run([sys.executable, str(FOLDER / "figures.py"), str(copy)], check=True)
    assert copy.read_text() == (FOLDER / "paper.md").read_text(), "run make pages"
