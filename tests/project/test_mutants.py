"""The deliberate defects of `make test-mutants` still fit the sources and the tests."""

from __future__ import annotations

from pathlib import Path

import pytest
from mutants.defects import DEFECTS, Defect

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("defect", DEFECTS, ids=lambda defect: defect.name)
def test_a_defect_can_be_made(defect: Defect) -> None:
    text = (ROOT / "src" / defect.file).read_text(encoding="utf-8")
    assert text.count(defect.old) == 1
    assert defect.new != defect.old
    assert all((ROOT / test.split("::")[0]).exists() for test in defect.tests.split())


def test_names_are_different() -> None:
    assert len({defect.name for defect in DEFECTS}) == len(DEFECTS)
