"""What docs/adding-a-criterion.md says, done: one file and one line make a criterion."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from project.test_adding_a_search import ROOT, build_core, code_block

PAGE = ROOT / "docs" / "adding-a-criterion.md"

# Without the start-up files of the environment, which would find the installed package.
USE = """
import sys
sys.path[:0] = sys.argv[1:]
from function import chi_square
from sklearn.datasets import load_iris
from aslant import ObliqueDecisionTreeClassifier, _core
from aslant.search.base import CRITERIA
assert "chi_square" in CRITERIA
X, y = load_iris(return_X_y=True)
for search in ("axis_parallel", "oc1"):
    ours, python = (
        ObliqueDecisionTreeClassifier(search, criterion=criterion, max_depth=2, random_state=0)
        .fit(X[::3], y[::3])
        for criterion in ("chi_square", chi_square)
    )
    assert (ours.tree_.value == python.tree_.value).all()
    print(ours.score(X, y))
"""


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("cmake") is None, reason="compiles the core, which needs CMake")
def test_the_file_and_the_line_of_the_page_make_a_criterion(tmp_path: Path) -> None:
    copy = tmp_path / "aslant"
    shutil.copytree(ROOT / "src", copy / "src")
    shutil.copy(ROOT / "CMakeLists.txt", copy)
    criteria = copy / "src" / "core" / "criteria"
    (criteria / "chi_square.hpp").write_text(
        code_block(PAGE, "cpp", "class ChiSquare"), encoding="utf-8"
    )
    registry = (criteria / "registry.hpp").read_text(encoding="utf-8")
    registry, lines = re.subn(r"(using AllCriteria = CriterionList<)", r"\1ChiSquare, ", registry)
    assert lines == 1
    first = registry.index("#include")
    registry = registry[:first] + '#include "criteria/chi_square.hpp"\n' + registry[first:]
    (criteria / "registry.hpp").write_text(registry, encoding="utf-8")
    (tmp_path / "function.py").write_text(
        code_block(PAGE, "python", "def chi_square"), encoding="utf-8"
    )
    build_core(copy)
    path = [copy / "src", tmp_path, sysconfig.get_path("purelib"), sysconfig.get_path("platlib")]
    done = subprocess.run(
        [sys.executable, "-S", "-c", USE, *path], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert all(float(score) > 0.9 for score in done.stdout.split())
