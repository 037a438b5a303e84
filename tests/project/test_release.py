"""What the files of a release repeat from one another."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

import aslant

ROOT = Path(__file__).parents[2]
RECIPE = "recipe/recipe.yaml"


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def project(name: str = "pyproject.toml") -> dict[str, Any]:
    return tomllib.loads(text(name))["project"]


@pytest.mark.parametrize(
    ("name", "pattern"),
    [
        ("CITATION.cff", r"^version: (\S+)$"),
        ("CHANGELOG.md", r"\A# .*?^## (\S+)"),
        ("pyproject.toml", r'"aslant-papers==(\S+)"'),
        ("papers/pyproject.toml", r'^version = "(\S+)"'),
        ("papers/pyproject.toml", r'"aslant\[cli\]==(\S+)"'),
        (RECIPE, r'^  version: "(\S+)"'),
    ],
)
def test_one_version(name: str, pattern: str) -> None:
    found = re.search(pattern, text(name), re.MULTILINE | re.DOTALL)
    assert found is not None
    assert found.group(1) == aslant.__version__


def test_the_conda_recipe_requires_what_the_wheel_does() -> None:
    """Run-time dependencies and those of the command line, which conda has no extras for."""
    own = project()
    needed = [*own["dependencies"], *own["optional-dependencies"]["cli"]]
    run = text(RECIPE).split("\n  run:\n")[1].split("\ntests:")[0]
    listed = re.findall(r"^    - (\S+) >=(\S+)$", run, re.MULTILINE)
    assert sorted(f"{name}>={least}" for name, least in listed) == sorted(needed)


def test_one_address() -> None:
    address = project()["urls"]["Homepage"]
    owner = address.split("/")[-2]
    for path in sorted(ROOT.glob("*.md")) + sorted(ROOT.glob(".github/**/*.yml")):
        for found in re.findall(r"github\.com/([\w-]+)/aslant\b", path.read_text(encoding="utf-8")):
            assert found == owner, path
    assert address in text("CITATION.cff")
    assert address in text(RECIPE)


def test_actions_are_pinned_by_commit() -> None:
    for path in sorted(ROOT.glob(".github/workflows/*.yml")):
        for action in re.findall(r"uses: (.+)", path.read_text(encoding="utf-8")):
            assert re.fullmatch(r"\S+@[0-9a-f]{40} # v\d+\.\d+\.\d+", action), (path, action)
