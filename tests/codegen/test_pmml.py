"""PMML documents, run by jpmml-evaluator on 1,000 rows of every kind of model."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from codegen.problems import MODELS, Problem, problem
from sklearn.base import is_regressor

from aslant import KDTClassifier, export_pmml
from aslant.search import OC1

N_ROWS = 1000
REFUSED = {"votes": "not votes", "forest of numbers": "one output", "linear leaves": "one output"}
REFUSED["soft linear leaves"] = "one output"


@pytest.fixture(scope="module")
def backend() -> str:
    pytest.importorskip("jpmml_evaluator", reason="runs PMML; AGPL, so not in the test extra")
    if shutil.which("java") is None:
        pytest.skip("java is not installed")
    return "py4j"


def evaluated(made: Problem, backend: str, path: Path) -> pd.DataFrame:
    """What jpmml-evaluator makes of the first rows."""
    from jpmml_evaluator import make_evaluator

    path.write_text(export_pmml(made.model), encoding="utf-8")
    names = made.model.encoder_.input_names
    rows = replace(made, rows=made.rows[:N_ROWS]).records()
    frame = pd.DataFrame(rows, columns=names, dtype=object)
    evaluator = make_evaluator(str(path), backend=backend).verify()
    return evaluator.evaluateAll(frame.where(frame.notna(), None))


@pytest.mark.parametrize("kind", list(MODELS))
def test_every_row_is_predicted_as_by_the_model(kind: str, backend: str, tmp_path: Path) -> None:
    made = problem(kind)
    if kind in REFUSED:
        with pytest.raises((TypeError, ValueError), match=REFUSED[kind]):
            export_pmml(made.model)
        return
    found = evaluated(made, backend, tmp_path / "model.pmml")
    rows = made.rows[:N_ROWS]
    predicted = made.model.predict(rows)
    if is_regressor(made.model):
        values = found["prediction"].to_numpy(dtype=np.float64)
        np.testing.assert_allclose(values, predicted, rtol=1e-9, atol=1e-9 * abs(predicted).max())
        return
    assert found["prediction"].tolist() == predicted.tolist()
    names = [f"probability_{label}" for label in made.model.classes_.tolist()]
    proba = found[names].to_numpy(dtype=np.float64)
    np.testing.assert_allclose(proba, made.model.predict_proba(rows), rtol=1e-9, atol=1e-12)


def test_a_hard_tree_is_a_tree_model() -> None:
    tree = problem("oblique").model
    root = ElementTree.fromstring(export_pmml(tree))
    space = "{http://www.dmg.org/PMML-4_4}"
    nodes = list(root.iter(f"{space}Node"))
    assert [int(node.get("id", "")) for node in nodes] == list(range(tree.tree_.n_nodes))
    assert sum(node.find(f"{space}Node") is None for node in nodes) == tree.get_n_leaves()


def test_soft_votes_are_probabilities() -> None:
    X: Any = np.random.default_rng(0).normal(size=(60, 2))
    model = KDTClassifier(OC1(restarts=1), n_estimators=2, random_state=0).fit(X, X[:, 0] > 0)
    with pytest.raises(TypeError, match="use voting='soft'"):
        export_pmml(model)
