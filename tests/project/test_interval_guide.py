"""The guide to intervals with MAPIE and crepes, which aslant does not need."""

from __future__ import annotations

import warnings
from typing import Any

import pytest
from documents import ROOT, blocks, run

GUIDE = ROOT / "docs" / "guide" / "intervals.md"


@pytest.mark.parametrize("package", ["mapie", "crepes"])
def test_the_guide_prints_what_it_says(package: str) -> None:
    pytest.importorskip(package, reason=f"{package} is installed by the test extra")
    names: dict[str, Any] = {}
    first, *others = blocks(GUIDE)
    run(GUIDE, first, names)
    (block,) = [one for one in others if f"from {package}" in one.code]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the packages
        assert run(GUIDE, block, names) == block.printed
