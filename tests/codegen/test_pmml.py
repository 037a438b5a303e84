"""PMML documents, read by the tests and run by jpmml-evaluator: every kind of model."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from codegen.pmml_reader import Document
from codegen.problems import MODELS, Problem, problem
from sklearn.base import is_regressor

from aslant import KDTClassifier, export_pmml
from aslant.search import OC1

N_ROWS, N_READ = 1000, 150
REFUSED = {"votes": "not votes", "forest of numbers": "one output", "linear leaves": "one output"}
REFUSED["soft linear leaves"] = "one output"


def evaluated(made: Problem, backend: str, path: Path, **options: Any) -> pd.DataFrame:
    """What jpmml-evaluator makes of the first rows."""
    from jpmml_evaluator import make_evaluator

    path.write_text(export_pmml(made.model, **options), encoding="utf-8")
    names = made.model.encoder_.input_names
    rows = replace(made, rows=made.rows[:N_ROWS]).records()
    frame = pd.DataFrame(rows, columns=names, dtype=object)
    evaluator = make_evaluator(str(path), backend=backend).verify()
    return evaluator.evaluateAll(frame.where(frame.notna(), None))


def read(made: Problem) -> pd.DataFrame:
    """What the reader of the tests makes of the first rows; so it is compared everywhere."""
    document = Document(export_pmml(made.model))
    names = made.model.encoder_.input_names
    rows = replace(made, rows=made.rows[:N_READ]).records()
    return pd.DataFrame([document.predict(dict(zip(names, row, strict=True))) for row in rows])


KINDS = pytest.mark.parametrize("kind", [kind for kind in MODELS if kind not in REFUSED])


@pytest.mark.parametrize("kind", list(REFUSED))
def test_what_pmml_cannot_say_is_refused(kind: str) -> None:
    with pytest.raises((TypeError, ValueError), match=REFUSED[kind]):
        export_pmml(problem(kind).model)


@KINDS
def test_every_row_is_predicted_as_by_the_model(kind: str) -> None:
    assert_same(problem(kind), read(problem(kind)))


@KINDS
def test_jpmml_predicts_every_row_as_the_model(kind: str, backend: str, tmp_path: Path) -> None:
    assert_same(problem(kind), evaluated(problem(kind), backend, tmp_path / "model.pmml"))


def assert_same(made: Problem, found: pd.DataFrame) -> None:
    rows = made.rows[: len(found)]
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
