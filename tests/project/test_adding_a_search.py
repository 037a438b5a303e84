"""What docs/adding-a-search.md says, done: its two files make a search of the core."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "adding-a-search.md"

# Without the start-up files of the environment, which would find the installed package.
USE = """
import sys
sys.path[:0] = sys.argv[1:]
from random_directions import RandomDirections
from sklearn.datasets import load_iris
from aslant import ObliqueDecisionTreeClassifier, _core
X, y = load_iris(return_X_y=True)
search = RandomDirections(directions=20)
trees = [ObliqueDecisionTreeClassifier(search, n_jobs=n, random_state=0).fit(X, y) for n in (1, 2)]
assert trees[0].tree_ == trees[1].tree_
print(trees[0].score(X, y))
"""


def code_block(page: Path, language: str, containing: str) -> str:
    """Return the code block of a page that holds a text."""
    blocks = re.findall(rf"```{language}\n(.*?)```", page.read_text(encoding="utf-8"), re.S)
    return next(text for text in blocks if containing in text)


def build_core(copy: Path) -> None:
    """Compile the core of a copy of the sources into its package."""
    build = copy / "build"
    pybind11 = subprocess.run(
        [sys.executable, "-m", "pybind11", "--cmakedir"], capture_output=True, text=True, check=True
    ).stdout.strip()
    settings = {
        "pybind11_DIR": pybind11,
        "Python_EXECUTABLE": sys.executable,
        "CMAKE_BUILD_TYPE": "Release",
    }
    given = [f"-D{name}={value}" for name, value in settings.items()]
    subprocess.run(["cmake", "-S", copy, "-B", build, *given], check=True, capture_output=True)
    subprocess.run(["cmake", "--build", build, "-j2"], check=True, capture_output=True)
    for core in build.glob("_core*"):
        if core.is_file():
            shutil.copy(core, copy / "src" / "aslant")


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("cmake") is None, reason="compiles the core, which needs CMake")
def test_the_two_files_of_the_page_make_a_search(tmp_path: Path) -> None:
    copy = tmp_path / "aslant"
    shutil.copytree(ROOT / "src", copy / "src")
    shutil.copy(ROOT / "CMakeLists.txt", copy)
    search = copy / "src" / "core" / "search" / "random_directions.cpp"
    search.write_text(code_block(PAGE, "cpp", "RegisteredSearch"), encoding="utf-8")
    (tmp_path / "random_directions.py").write_text(
        code_block(PAGE, "python", "_core.search"), encoding="utf-8"
    )
    build_core(copy)
    path = [copy / "src", tmp_path, sysconfig.get_path("purelib"), sysconfig.get_path("platlib")]
    done = subprocess.run(
        [sys.executable, "-S", "-c", USE, *path], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert float(done.stdout) == 1.0
