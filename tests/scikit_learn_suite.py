"""Runs a test file of scikit-learn with our classes in the place of its own."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

_SEED_FIXTURE = """
import pytest

@pytest.fixture(params=[42])
def global_random_seed(request):
    return request.param
"""


def failures_of(folder: Path, sources: Mapping[str, str]) -> tuple[set[str], str]:
    """Run test files, given by name; return the tests that fail, and what pytest printed."""
    for name, source in sources.items():
        (folder / f"test_{name}_of_scikit_learn.py").write_text(source)
    (folder / "conftest.py").write_text(_SEED_FIXTURE)
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-rf", "--tb=no", "-p", "no:cacheprovider", "."],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert re.search(r"\d{2,} passed", run.stdout), run.stdout[-2000:]
    return set(re.findall(r"^FAILED \S*::(\w+)", run.stdout, flags=re.MULTILINE)), run.stdout
