"""Every example of the documents and of the docstrings runs, and prints what it says it prints."""

from __future__ import annotations

import doctest
import importlib
import os
import pkgutil
import re
from pathlib import Path
from typing import Any

import documents
import pytest

import aslant

DOCUMENTS = documents.documents()
MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(aslant.__path__, "aslant.")
    if not module.name.endswith("__main__")
)


@pytest.mark.parametrize(
    "path",
    [pytest.param(path, id=str(path.relative_to(documents.ROOT))) for path in DOCUMENTS],
)
def test_blocks_print_what_they_say(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"__name__": "document"}
    for block in documents.blocks(path):
        if block.reason is None:
            where = f"{path.name}, line {block.line}"
            assert documents.run(path, block, names) == (block.printed or ""), where


def test_there_are_documents_with_examples() -> None:
    """The pattern still finds them."""
    assert len(DOCUMENTS) > 12
    assert documents.ROOT / "README.md" in DOCUMENTS
    fences = sum(path.read_text(encoding="utf-8").count("```python\n") for path in DOCUMENTS)
    assert fences == sum(len(documents.blocks(path)) for path in DOCUMENTS)


def headings(path: Path) -> set[str]:
    """Return the anchors of a document, made of its headings as Markdown does it."""
    text = re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.M | re.S)
    found = re.findall(r"^#+ (.*)$", text, flags=re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in found}


# Addresses of files of this repository.
ADDRESSES = (
    "https://github.com/aslant-developers/aslant/blob/main/",
    "https://raw.githubusercontent.com/aslant-developers/aslant/main/",
)


def test_links_lead_somewhere() -> None:
    root = documents.ROOT
    broken = []
    for path in [*root.glob("*.md"), *(root / "docs").rglob("*.md")]:
        if "gallery" in path.parts:
            continue
        text = re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.M | re.S)
        for address in ADDRESSES:
            text = text.replace(f"]({address}", f"]({os.path.relpath(root, path.parent)}/")
        for target, anchor in re.findall(r"\]\((?!https?:)([^)\s#]*)(#[^)\s]*)?\)", text):
            file = (path.parent / target).resolve() if target else path
            if not file.exists() or (anchor and anchor[1:] not in headings(file)):
                broken.append(f"{path.relative_to(root)}: {target}{anchor}")
    assert broken == []


@pytest.mark.parametrize("name", ["README.md", "papers/README.md"])
def test_links_of_a_readme_are_absolute(name: str) -> None:
    """PyPI shows a README without the files beside it."""
    text = (documents.ROOT / name).read_text(encoding="utf-8")
    assert re.findall(r"\]\((?!https://)[^)]*\)", text) == []


@pytest.mark.parametrize(
    "path", sorted((documents.ROOT / "docs" / "guide").glob("*.md")), ids=lambda path: path.name
)
def test_outputs_and_figures_of_the_guide_are_explained(path: Path) -> None:
    """A paragraph follows what a block prints, and each figure or group of figures."""
    text = path.read_text(encoding="utf-8")
    for shown in re.finditer(r"^```text\n.*?^```\n|(?:^!\[[^\n]*\n)+", text, flags=re.M | re.S):
        after = text[shown.end() :].lstrip("\n")
        assert re.match(r"[\w*`(]", after) and not after.startswith("```"), shown[0]


def test_examples_of_the_gallery_say_what_their_output_tells() -> None:
    examples = list((documents.ROOT / "examples" / "gallery").rglob("plot_*.py"))
    assert len(examples) > 20
    assert [one for one in examples if " tells.**" not in one.read_text(encoding="utf-8")] == []


def test_the_readme_is_short() -> None:
    text = (documents.ROOT / "README.md").read_text(encoding="utf-8")
    assert text.count("\n") <= 100


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings(name: str) -> None:
    module = importlib.import_module(name)
    runner = doctest.DocTestRunner(optionflags=doctest.REPORT_NDIFF)
    report: list[str] = []
    for example in doctest.DocTestFinder(exclude_empty=True).find(module, name):
        runner.run(example, out=report.append)
    assert runner.failures == 0, "".join(report)
