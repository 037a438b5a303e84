"""The figures of single trees show the trees that their program fits now."""

from __future__ import annotations

import importlib.util
from types import ModuleType

import documents
import pytest
from PIL import Image

from aslant import export_text

FIGURES = documents.ROOT / "docs" / "figures"


def program() -> ModuleType:
    spec = importlib.util.spec_from_file_location("draw", FIGURES / "draw.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["tree.png", "guide_tree.png"])
def test_a_figure_shows_the_present_tree(name: str) -> None:
    fit, _ = program().FIGURES[name]
    drawn = Image.open(FIGURES / name).text["Description"]
    assert drawn == export_text(fit()), "run python docs/figures/draw.py"
