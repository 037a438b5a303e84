"""The API reference has a place for every public name, and none for others."""

from __future__ import annotations

import importlib
import importlib.util
from collections import Counter
from types import ModuleType

import documents


def sections() -> ModuleType:
    path = documents.ROOT / "docs" / "api_sections.py"
    spec = importlib.util.spec_from_file_location("api_sections", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_public_name_has_one_place() -> None:
    reference = sections()
    public: set[tuple[str, str]] = set()
    for module in reference.MODULES:
        imported = importlib.import_module(module)
        names = {name for name in imported.__all__ if callable(getattr(imported, name))}
        public |= {(module, name) for name in names if ("aslant", name) not in public}
    counts = Counter(reference.listed())
    assert set(counts) == public
    assert [place for place, count in counts.items() if count > 1] == []
