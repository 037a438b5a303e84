"""Make each deliberate defect in a copy of the program, and see whether the tests notice.

    python tests/mutants/run.py            all of them, about half an hour
    python tests/mutants/run.py oc1 c45    those whose name or file contains one of the words

Nothing in the sources is changed: the copy is in build/mutants, with a build folder of its own in
which a defect of the core recompiles one file. Before anything else the tests must pass there
without a defect. The exit code is 1 if a defect survives that has no reason to.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import time
from pathlib import Path

from defects import DEFECTS, Defect

ROOT = Path(__file__).parents[2]
WORK = ROOT / "build" / "mutants"
SOURCES, BUILD, PACKAGE = WORK / "source", WORK / "cmake", WORK / "package"
# A defect may make a loop without end.
SECONDS = 600.0

# Without site the editable installation is not found, and the copy is.
START = """
import sys
sys.path[:0] = [{package!r}, {libraries!r}]
import aslant, pytest
assert aslant.__file__.startswith({package!r})
sys.exit(pytest.main(sys.argv[1:]))
"""


def copy_sources() -> None:
    """Make the copy, keeping the times of files that are the same, so that little is rebuilt."""
    SOURCES.mkdir(parents=True, exist_ok=True)
    for path in [ROOT / "CMakeLists.txt", *sorted((ROOT / "src").rglob("*"))]:
        if path.suffix not in {".txt", ".py", ".pyi", ".cpp", ".hpp", ".typed"}:
            continue
        copy = SOURCES / path.relative_to(ROOT)
        if not copy.exists() or copy.read_bytes() != path.read_bytes():
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, copy)


def build_core() -> None:
    """Compile what has changed, and put it beside a fresh copy of the Python files."""
    if not (BUILD / "build.ninja").exists():
        where = subprocess.run(
            [sys.executable, "-m", "pybind11", "--cmakedir"],
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        options = ["-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", f"-Dpybind11_DIR={where}"]
        options.append(f"-DPython_EXECUTABLE={sys.executable}")
        _quietly(["cmake", "-S", str(SOURCES), "-B", str(BUILD), *options])
    _quietly(["cmake", "--build", str(BUILD)])
    shutil.rmtree(PACKAGE, ignore_errors=True)
    shutil.copytree(SOURCES / "src" / "aslant", PACKAGE / "aslant")
    for built in BUILD.glob("_core*.so"):
        shutil.copy(built, PACKAGE / "aslant")


def _quietly(command: list[str]) -> None:
    tool = Path(sys.executable).with_name(command[0])
    done = subprocess.run(
        [str(tool) if tool.exists() else command[0], *command[1:]],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stdout[-3000:]}{done.stderr[-3000:]}")


def noticed(tests: list[str]) -> str:
    """Return which test fails with the copy as it is; empty if none does."""
    start = START.format(package=str(PACKAGE), libraries=sysconfig.get_path("purelib"))
    command = [sys.executable, "-S", "-B", "-c", start, "-q", "-x", "-p", "no:cacheprovider"]
    try:
        ended = subprocess.run(
            [*command, *tests],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"nothing within {SECONDS:.0f} s"
    if ended.returncode == 0:
        return ""
    failed = [line for line in ended.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    if failed:
        return failed[0].split(" ", 1)[1].split(" - ")[0]
    if ended.returncode < 0 or ended.returncode > 128:
        return f"a crash (exit code {ended.returncode})"
    raise SystemExit(f"the tests could not be run:\n{ended.stdout[-3000:]}{ended.stderr[-3000:]}")


def trial(defect: Defect) -> str:
    """Return which test notices a defect; empty if none does."""
    path = SOURCES / "src" / defect.file
    text = path.read_text(encoding="utf-8")
    if text.count(defect.old) != 1:
        raise SystemExit(f"{defect.name}: the text occurs {text.count(defect.old)} times, not once")
    path.write_text(text.replace(defect.old, defect.new), encoding="utf-8")
    try:
        build_core()
        return noticed(defect.tests.split())
    finally:
        path.write_text(text, encoding="utf-8")


def main(words: list[str]) -> int:
    """Try the defects; return the exit code."""
    chosen = [
        defect
        for defect in sorted(DEFECTS, key=lambda defect: defect.is_in_core)
        if not words or any(word in f"{defect.name} {defect.file}" for word in words)
    ]
    os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"
    copy_sources()
    build_core()
    failing = noticed(sorted({test for defect in chosen for test in defect.tests.split()}))
    if failing:
        print(f"the tests fail without any defect: {failing}")
        return 1
    surprises = 0
    for defect in chosen:
        begin = time.monotonic()
        by = trial(defect)
        seconds = f"{time.monotonic() - begin:4.0f} s"
        if by:
            print(f"killed    {seconds}  {defect.name}: {by}", flush=True)
        else:
            surprises += not defect.survives
            why = defect.survives or "WITHOUT A REASON"
            print(f"survived  {seconds}  {defect.name}: {why}", flush=True)
    print(f"{len(chosen)} defects, {surprises} survived without a reason")
    return 1 if surprises else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
