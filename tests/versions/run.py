"""Run the suite's core with other versions of Python and of what the package depends on.

    python tests/versions/run.py                    every environment that can be made here
    python tests/versions/run.py oldest python3.13  some of them
    python tests/versions/run.py --tests "tests/core tests/prune" newest
    python tests/versions/run.py nightly            development versions, from the internet

``oldest`` has the lowest version of every run-time dependency that pyproject.toml allows,
``newest`` the highest that there is, pre-releases included; ``python3.12`` and so on the ordinary
versions under another interpreter, found on the PATH or among those of pyenv. ``nightly`` has the
development versions that scientific Python projects build every night. Environments live in
build/versions; the newest and the nightly one are brought up to date in every run.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
WORK = ROOT / "build" / "versions"
NIGHTLY = "https://pypi.anaconda.org/scientific-python-nightly-wheels/simple"
OTHER_PYTHONS = ["python3.12", "python3.13", "python3.14"]
TESTS = (
    "tests/core tests/search tests/prune tests/estimators/forest tests/estimators/regression "
    "tests/refine tests/encoding tests/model_file/test_model_file.py "
    "tests/estimators/test_estimators.py tests/estimators/test_sklearn_checks.py "
    "tests/estimators/test_hostile_input.py"
)
# What these tests need beyond the package.
TOOLS = ["pytest", "pytest-xdist", "hypothesis", "numpydoc"]


def requirements() -> list[str]:
    """Return the run-time dependencies, and the optional ones that the tests need."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    arrow = [one for one in extras["dask"] if one.startswith("pyarrow")]
    return [*project["dependencies"], *extras["cli"], *extras["frames"], *extras["plot"], *arrow]


def lowest(requirement: str) -> str:
    """Return the requirement of the lowest version that another allows."""
    name, least = requirement.split(">=")
    return f"{name}=={least}"


def interpreter(name: str) -> str | None:
    """Return the path of a Python, None if there is none of that name."""
    if name in ("oldest", "newest", "nightly"):
        return sys.executable
    kept = sorted(Path("~/.pyenv/versions").expanduser().glob(f"{name.removeprefix('python')}.*"))
    for path in [shutil.which(name), *(str(one / "bin" / name) for one in reversed(kept))]:
        if path is not None and _version(path) == name:
            return path
    return None


def _version(path: str) -> str | None:
    code = "import sys; print(f'python{sys.version_info[0]}.{sys.version_info[1]}')"
    run = subprocess.run([path, "-c", code], capture_output=True, text=True, check=False)
    return run.stdout.strip() if run.returncode == 0 else None


def environment(name: str, base: str) -> Path:
    """Make an environment, or bring it up to date; return its Python."""
    python = WORK / name / "bin" / "python"
    if not python.exists():
        subprocess.run([base, "-m", "venv", str(WORK / name)], check=True)
        _pip(python, "--upgrade", "pip")
    wanted = requirements()
    if name == "oldest":
        _pip(python, *map(lowest, wanted), *TOOLS)
    elif name in ("newest", "nightly"):
        sources = ["--extra-index-url", NIGHTLY] if name == "nightly" else []
        newest = [one.split(">=")[0] for one in wanted]
        _pip(python, "--pre", "--upgrade", *sources, *newest, *TOOLS)
    else:
        _pip(python, *wanted, *TOOLS)
    _pip(python, "--force-reinstall", "--no-deps", str(wheel(base, python)))
    return python


def wheel(base: str, python: Path) -> Path:
    """Build the wheel for an interpreter; compile only what has changed since the last time."""
    folder = WORK / "wheels" / str(_version(base))
    shutil.rmtree(folder, ignore_errors=True)
    # As far below the sources and as strict as in development: a compiler's cache serves both.
    settings = (
        f"build-dir={ROOT / 'build' / folder.name}",
        "cmake.define.ASLANT_WARNINGS_AS_ERRORS=ON",
    )
    command = [str(python), "-m", "pip", "wheel", "-q", "--no-deps", "--wheel-dir", str(folder)]
    command += [f"--config-settings={one}" for one in settings]
    subprocess.run([*command, "."], cwd=ROOT, check=True)
    (made,) = folder.glob("*.whl")
    return made


def _pip(python: Path, *arguments: str) -> None:
    subprocess.run([str(python), "-m", "pip", "install", "-q", *arguments], check=True)


def tested(name: str, python: Path, tests: str) -> bool:
    """Whether the tests pass, run away from the sources, so that they import the wheel."""
    shown = "import numpy, scipy, sklearn, pandas, sys; print(sys.version.split()[0], *("
    shown += "f'{m.__name__} {m.__version__}' for m in (numpy, scipy, sklearn, pandas)), sep=', ')"
    subprocess.run([str(python), "-c", shown], check=True)
    places = [str(ROOT / one) for one in tests.split()]
    options = ["-q", "-n", "auto", "-p", "no:cacheprovider"]
    options += [f"--rootdir={ROOT}", f"-c={ROOT / 'pyproject.toml'}"]
    if name == "oldest":  # what old packages say of one another is no concern of ours
        options += ["-W", "ignore::DeprecationWarning"]
    run = subprocess.run(
        [str(python), "-m", "pytest", *options, *places],
        cwd=WORK,
        check=False,
    )
    return run.returncode == 0


def main() -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", default=["oldest", "newest", *OTHER_PYTHONS])
    parser.add_argument("--tests", default=TESTS)
    chosen = parser.parse_args()
    results = {}
    for name in chosen.names:
        base = interpreter(name)
        print(f"---------------- {name}", flush=True)
        if base is None:
            results[name] = "there is no such interpreter here"
            continue
        passed = tested(name, environment(name, base), chosen.tests)
        results[name] = "passed" if passed else "FAILED"
    for name, result in results.items():
        print(f"{name}: {result}")
    return 1 if "FAILED" in results.values() else 0


if __name__ == "__main__":
    sys.exit(main())
