"""scikit-learn's own tests of its forests, run on ours in their place.

The test file of the installed scikit-learn is copied, its tables of forests are replaced by ours,
and pytest runs it. What fails must be listed here with a reason, and what is listed must fail.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
import sklearn.ensemble.tests

OUTPUTS = "several outputs are not offered"
SPARSE = "sparse matrices are not offered"
NAMES = "knows the names of scikit-learn's own forests"

NOT_OFFERED: dict[str, str] = {}

SEED_FIXTURE = """
import pytest

@pytest.fixture(params=[42])
def global_random_seed(request):
    return request.param
"""

OURS = """
from aslant import ObliqueExtraTreesClassifier, ObliqueRandomForestClassifier
FOREST_CLASSIFIERS = {
    "ObliqueRandomForestClassifier": ObliqueRandomForestClassifier,
    "ObliqueExtraTreesClassifier": ObliqueExtraTreesClassifier,
}
"""


def table(name: str) -> str:
    return rf"^{name}(: [^=]*)? = \{{.*?\}}\n"


@pytest.mark.slow
def test_scikit_learn_forest_suite(tmp_path: Path) -> None:
    source = (Path(sklearn.ensemble.tests.__file__).parent / "test_forest.py").read_text()
    flags = re.DOTALL | re.MULTILINE
    source, replaced = re.subn(table("FOREST_CLASSIFIERS"), OURS, source, count=1, flags=flags)
    assert replaced == 1
    for name in ("FOREST_REGRESSORS", "FOREST_TRANSFORMERS"):
        source = re.sub(table(name), f"{name} = {{}}\n", source, count=1, flags=flags)
    (tmp_path / "test_forest_of_scikit_learn.py").write_text(source)
    (tmp_path / "conftest.py").write_text(SEED_FIXTURE)
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-rf", "--tb=no", "-p", "no:cacheprovider", "."],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    failed = set(re.findall(r"^FAILED \S*::(\w+)", run.stdout, flags=re.MULTILINE))
    assert failed == set(NOT_OFFERED), run.stdout[-2000:]
    assert re.search(r"\d{2,} passed", run.stdout), run.stdout[-2000:]
