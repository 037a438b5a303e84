"""Names from the data as identifiers: distinct, and never reserved words."""

from __future__ import annotations

import ctypes
import shutil
import sqlite3
import subprocess

import numpy as np
import pandas as pd
import pytest

from aslant import CARTClassifier, export_code, export_onnx
from aslant.codegen.names import distinct, identifiers

RNG = np.random.default_rng(0)
MATRIX = RNG.normal(size=(80, 3))
Y = np.digitize(MATRIX[:, 0] - MATRIX[:, 1] + 0.5 * MATRIX[:, 2], [-0.5, 0.5])
COLUMNS = [
    ["a_2", "a", "A"],
    ["a 2", "a", "a!"],
    ["int", "class", "double"],
    ["None", "def", "x"],
    ["const", "return", "__proto__"],
    ["select", "from", "prediction"],
    ["aslant_leaf_0", "aslant_rows", "aslant_code_0"],
    ["", "1", "_"],
    ["ä", "a", "é"],
]


def tree_of(names):
    frame = pd.DataFrame(MATRIX, columns=names)
    return CARTClassifier(max_depth=4).fit(frame, Y), frame


@pytest.mark.parametrize("names", [["a", "A", "a_2"], ["a", "a", "a"], ["a_2", "a", "a", "a_3"]])
def test_distinct_names(names):
    found = distinct(names, taken=["a_4"])
    assert len({name.lower() for name in [*found, "a_4"]}) == len(names) + 1
    alone = [name for name in names if [n.lower() for n in names].count(name.lower()) == 1]
    assert [name for name in found if name in alone] == alone


@pytest.mark.parametrize("names", COLUMNS)
def test_python(names):
    tree, frame = tree_of(names)
    module = {}
    exec(export_code(tree, "python"), module)
    assert [module["predict"](row) for row in MATRIX.tolist()] == tree.predict(frame).tolist()


@pytest.mark.parametrize("names", COLUMNS)
def test_c_and_javascript_constants_are_distinct(names):
    found = identifiers(names, "X_")
    assert len(set(found)) == 3 and all(name.isidentifier() for name in found)


@pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")
@pytest.mark.parametrize("names", [COLUMNS[0], COLUMNS[1], COLUMNS[2], COLUMNS[7]])
def test_c(names, tmp_path):
    tree, frame = tree_of(names)
    (tmp_path / "m.c").write_text(export_code(tree, "c"))
    command = ["cc", "-std=c99", "-Wall", "-Werror", "-shared", "-fPIC", "-o"]
    subprocess.run([*command, tmp_path / "m.so", tmp_path / "m.c", "-lm"], check=True)
    library = ctypes.CDLL(str(tmp_path / "m.so"))
    pointer = ctypes.POINTER(ctypes.c_double)
    found = [library.model_predict(row.ctypes.data_as(pointer)) for row in MATRIX]
    assert tree.classes_[found].tolist() == tree.predict(frame).tolist()


@pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")
def test_functions_of_levels_in_c_are_distinct(tmp_path):
    """One category has texts and numbers, and so two functions; the others have their names."""
    levels = {"a": ["x", 1, 2.5], "a text": ["u", "v", "w"], "A-number": ["p", "q", "r"]}
    frame = pd.DataFrame({name: pd.Series(own * 20, dtype=object) for name, own in levels.items()})
    tree = CARTClassifier(categorical_features=list(levels)).fit(frame, np.arange(60) % 3)
    (tmp_path / "m.c").write_text(export_code(tree, "c"))
    subprocess.run(["cc", "-std=c99", "-Werror", "-c", "m.c"], cwd=tmp_path, check=True)


@pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")
def test_codes_beyond_a_table_are_missing_values_in_c(tmp_path):
    frame = pd.DataFrame({"city": [f"c{k % 40}" for k in range(400)]})
    tree = CARTClassifier(max_depth=3).fit(frame, np.arange(400) % 40 < 20)
    source = export_code(tree, "c")
    assert "[(int)given" not in source
    (tmp_path / "m.c").write_text(source)
    command = ["cc", "-std=c99", "-Wall", "-Werror", "-shared", "-fPIC", "-o", "m.so", "m.c", "-lm"]
    subprocess.run(command, cwd=tmp_path, check=True)
    library = ctypes.CDLL(str(tmp_path / "m.so"))
    for code in (-1.0, 1e9, 1e300, float("nan")):
        assert library.model_predict((ctypes.c_double * 1)(code)) in (0, 1)


@pytest.mark.parametrize("names", [names for names in COLUMNS if names[1] != "a" and names[0]])
def test_sql(names):
    tree, frame = tree_of(names)
    base = sqlite3.connect(":memory:")
    frame.to_sql("data", base, index=False)
    found = base.execute(export_code(tree, "sql")).fetchall()
    assert [row[0] for row in found] == tree.predict(frame).tolist()


def test_sql_classes_that_differ_in_case():
    labels = np.array(["a", "A", "a_2"])[Y]
    tree = CARTClassifier(max_depth=4).fit(MATRIX, labels)
    base = sqlite3.connect(":memory:")
    pd.DataFrame(MATRIX, columns=["x0", "x1", "x2"]).to_sql("data", base, index=False)
    cursor = base.execute(export_code(tree, "sql"))
    names = [column[0].lower() for column in cursor.description]
    assert len(set(names)) == len(names)
    proba = np.array([row[1:] for row in cursor.fetchall()])
    np.testing.assert_allclose(proba, tree.predict_proba(MATRIX))


@pytest.mark.parametrize(
    ("dialect", "literal", "identifier"),
    [
        ("standard", r"'it''s \ x'", '"a`b"'),
        ("postgres", r"'it''s \ x'", '"a`b"'),
        ("mysql", r"'it\'s \\ x'", "`a``b`"),
        ("bigquery", r"'it\'s \\ x'", r"`a\`b`"),
        ("snowflake", r"'it\'s \\ x'", '"a`b"'),
        ("spark", r"'it\'s \\ x'", "`a``b`"),
    ],
)
def test_dialects_of_sql(dialect, literal, identifier):
    frame = pd.DataFrame({"a`b": ["it's \\ x", "plain"] * 10})
    tree = CARTClassifier().fit(frame, [0, 1] * 10)
    query = export_code(tree, "sql", dialect=dialect)
    assert literal in query and identifier in query
    with pytest.raises(ValueError, match="dialect must be one of 'standard', 'sqlite'"):
        export_code(tree, "sql", dialect="oracle")
    with pytest.raises(ValueError, match="dialect needs language='sql', got language='c'"):
        export_code(tree, "c", dialect="mysql")


def test_booleans_in_a_database():
    duckdb = pytest.importorskip("duckdb")
    frame = pd.DataFrame({"flag": MATRIX[:, 0] > 0, "b": MATRIX[:, 1]})
    tree = CARTClassifier(max_depth=3).fit(frame, Y)
    query = export_code(tree, "sql", name="frame")
    assert [row[0] for row in duckdb.sql(query).fetchall()] == tree.predict(frame).tolist()


def test_large_labels():
    """Integers that a language cannot hold are refused, not rounded."""
    labels = Y.astype(np.uint64) + 2**63
    tree = CARTClassifier(max_depth=3).fit(MATRIX, labels)
    for language, limit in (("sql", "SQL needs .* 2\\*\\*63"), ("javascript", "JavaScript needs")):
        with pytest.raises(ValueError, match=limit):
            export_code(tree, language)
    module = {}
    exec(export_code(tree, "python"), module)
    assert module["predict"](MATRIX[0].tolist()) == tree.predict(MATRIX[:1])[0]
    pytest.importorskip("onnx")
    runtime = pytest.importorskip("onnxruntime")
    session = runtime.InferenceSession(export_onnx(tree, dtype="float64").SerializeToString())
    assert np.array_equal(session.run(None, {"X": MATRIX})[0], tree.predict(MATRIX))


def test_inputs_of_onnx_named_like_its_outputs():
    pytest.importorskip("onnx")
    runtime = pytest.importorskip("onnxruntime")
    text = np.where(MATRIX[:, 0] > 0, "u", "v")
    frame = pd.DataFrame({"label": text, "probabilities": MATRIX[:, 1], "aslant_0": MATRIX[:, 2]})
    tree = CARTClassifier(max_depth=3).fit(frame, Y)
    session = runtime.InferenceSession(export_onnx(tree, dtype="float64").SerializeToString())
    assert [one.name for one in session.get_outputs()] == ["label_2", "probabilities_2"]
    feed = {name: frame[[name]].to_numpy() for name in frame}
    assert np.array_equal(session.run(None, feed)[0], tree.predict(frame))


def test_an_empty_level_is_not_a_missing_value_in_onnx():
    pytest.importorskip("onnx")
    frame = pd.DataFrame({"a": ["", "x"] * 10})
    tree = CARTClassifier().fit(frame, [0, 1] * 10)
    with pytest.raises(ValueError, match="marks missing text by '', and 'a' has the level ''"):
        export_onnx(tree)
