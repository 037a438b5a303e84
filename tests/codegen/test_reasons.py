"""Reasons in exported code are those of `explain`, row for row, for every kind of one tree."""

import ctypes
import json
import shutil
import sqlite3
import subprocess
from functools import cache, partial

import numpy as np
import pytest
from codegen.pmml_reader import Document
from codegen.problems import MODELS, few
from codegen.sheet import Sheet
from codegen.test_code import as_frame, javascript_value, load_table, plain_rows
from codegen.test_excel import sheet_rows
from codegen.test_onnx import feed
from codegen.test_onnx import run as run_graph
from codegen.test_pmml import REFUSED, evaluated

from aslant import (
    CARTClassifier,
    CARTRegressor,
    ObliqueRandomForestClassifier,
    OC1Classifier,
    explain,
    export_code,
    export_onnx,
    export_pmml,
)

N_ROWS = 200
SEVERAL = {"votes", "soft votes", "average", "forest", "forest of numbers"}
KINDS = pytest.mark.parametrize("kind", [kind for kind in MODELS if kind not in SEVERAL])


@cache
def all_reasons(kind):
    made = few(kind, N_ROWS)
    return explain(made.model, made.rows).reasons(3)


def expected(kind, n_rows=N_ROWS):
    return all_reasons(kind)[:n_rows]


@KINDS
def test_python(kind):
    made = few(kind, N_ROWS)
    module = {}
    exec(export_code(made.model, "python", reasons=3), module)
    rows = made.records(days=False)
    assert [module["reasons"](row) for row in rows] == expected(kind)
    plain = {}
    exec(export_code(made.model, "python"), plain)
    assert [module["predict"](row) for row in rows] == [plain["predict"](row) for row in rows]


@KINDS
def test_javascript(kind, tmp_path):
    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    made = few(kind, N_ROWS)
    code = export_code(made.model, "javascript", reasons=3)
    (tmp_path / "model.js").write_text(code, encoding="utf-8")
    rows = [[javascript_value(v) for v in row] for row in made.records(days=False)]
    (tmp_path / "rows.json").write_text(json.dumps(rows), encoding="utf-8")
    script = """
        const rows = JSON.parse(require("fs").readFileSync("rows.json"));
        console.log(JSON.stringify(rows.map(require("./model.js").reasons)));
    """
    run = subprocess.run(["node", "-e", script], cwd=tmp_path, capture_output=True, check=True)
    assert json.loads(run.stdout) == expected(kind)


@KINDS
def test_c(kind, tmp_path):
    if shutil.which("cc") is None:
        pytest.skip("no C compiler is installed as cc")
    made = few(kind, N_ROWS)
    for language, file in (("c", "model.c"), ("c header", "model.h")):
        code = export_code(made.model, language, name="m", reasons=3)
        (tmp_path / file).write_text(code, encoding="utf-8")
    flags = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"]
    command = ["cc", *flags, "-include", "model.h", "model.c", "-o", "m.so", "-lm"]
    subprocess.run(command, cwd=tmp_path, check=True)
    library = ctypes.CDLL(str(tmp_path / "m.so"))
    n_features = len(made.model.encoder_.feature_names)
    texts = (ctypes.c_char_p * n_features).in_dll(library, "m_features")
    codes = [column_codes(column) for column in made.model.encoder_.columns_]
    found = []
    for row in made.records():
        given = [number(value, code) for value, code in zip(row, codes, strict=True)]
        places = (ctypes.c_int * 3)()
        count = library.m_reasons((ctypes.c_double * len(given))(*given), places)
        found.append([texts[j].decode() for j in places[:count]])
    assert found == expected(kind)


def column_codes(column):
    """The code of each level, and that of any other one."""
    if column.kind not in ("category", "ordered"):
        return None
    own = column.levels[:-1] if column.merged else column.levels
    other = len(own) if column.merged or column.encoding == "target" else np.nan
    return {level: k for k, level in enumerate(own)}, other


def number(value, codes):
    if value is None:
        return np.nan
    return float(value) if codes is None else codes[0].get(value, codes[1])


def without_blanks(rows):
    return [[name for name in row if name] for row in rows]


@KINDS
@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
def test_sql(kind, dialect):
    made = few(kind, N_ROWS)
    frame = as_frame(made)
    if dialect == "sqlite":
        connection = sqlite3.connect(":memory:")
        columns = ", ".join('"' + name.replace('"', '""') + '"' for name in frame.columns)
        connection.execute(f"CREATE TABLE data ({columns})")
        places = ", ".join("?" * len(frame.columns))
        connection.executemany(f"INSERT INTO data VALUES ({places})", plain_rows(frame))
    else:
        connection = pytest.importorskip("duckdb").connect(config={"threads": 1})
        numeric = [name for name in frame if frame[name].dtype == np.float64]
        whole = {"size": "Int64"} if "size" in frame else {}
        connection.register("data", frame.astype({**dict.fromkeys(numeric, "Float64"), **whole}))
    query = export_code(made.model, "sql", keep=["key"], dialect=dialect, reasons=3)
    found = sorted(connection.execute(query).fetchall(), key=lambda row: row[0])
    assert without_blanks(row[-3:] for row in found) == expected(kind)
    plain = export_code(made.model, "sql", keep=["key"], dialect=dialect)
    same = sorted(connection.execute(plain).fetchall(), key=lambda row: row[0])
    assert [row[:-3] for row in found] == same


@KINDS
def test_postgres(kind, postgres):
    made = few(kind, 100)
    load_table(postgres, as_frame(made))
    query = export_code(made.model, "sql", keep=["key"], dialect="postgres", reasons=3)
    found = sorted(postgres.query(query), key=lambda row: int(row[0]))
    assert without_blanks(row[-3:] for row in found) == expected(kind, 100)


@KINDS
def test_excel(kind):
    made = few(kind, 40)
    sheet = Sheet(export_code(made.model, "excel", reasons=3))
    answers = [sheet.answer(row) for row in sheet_rows(made)]
    found = [[answer[f"reason {k}"] for k in (1, 2, 3)] for answer in answers]
    assert without_blanks(found) == expected(kind, 40)


@KINDS
def test_onnx(kind):
    pytest.importorskip("onnxruntime")
    made = few(kind, N_ROWS)
    graph = export_onnx(made.model, dtype="float64", reasons=3)
    *others, found = run_graph(graph, feed(made.model, made.rows, "float64"))
    assert without_blanks(found.tolist()) == expected(kind)
    plain = run_graph(export_onnx(made.model, dtype="float64"), feed(made.model, made.rows, float))
    for one, other in zip(plain, others, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("kind", [k for k in MODELS if k not in SEVERAL and k not in REFUSED])
def test_pmml(kind):
    made = few(kind, 12)
    document = Document(export_pmml(made.model, reasons=3))
    names = made.model.encoder_.input_names
    answers = [document.predict(dict(zip(names, row, strict=True))) for row in made.records()]
    found = [[answer[f"reason_{k}"] for k in (1, 2, 3)] for answer in answers]
    assert without_blanks(found) == expected(kind, 12)


@pytest.mark.parametrize("kind", ["numbers", "soft with categories", "linear machines", "logits"])
def test_jpmml(kind, backend, tmp_path):
    made = few(kind, 200)
    answers = evaluated(made, backend, tmp_path / "model.pmml", reasons=3)
    names = [f"reason_{k}" for k in (1, 2, 3)]
    found = [[one for one in row if isinstance(one, str)] for row in answers[names].to_numpy()]
    assert found == expected(kind, 200)


def test_the_feature_that_decides_is_the_reason():
    X = np.random.default_rng(0).normal(size=(200, 3))
    tree = CARTClassifier(max_depth=1).fit(X, X[:, 1] > 0.5)
    told = explain(tree, [[9.0, 2.0, 9.0], [9.0, -2.0, 9.0], [9.0, np.nan, 9.0]])
    # A missing value counts as the mean and contributes nothing.
    assert told.reasons() == [["x1"], ["x1"], []]
    # At 0.3 the row is on the side that its value, above the mean, speaks against.
    assert explain(tree, [[0.0, 0.3, 0.0]]).contributions == [{"x1": -1.0}]
    assert explain(tree, [[0.0, 0.3, 0.0]]).reasons() == [[]]


def test_contributions_of_a_test_have_sizes_that_add_up_to_one():
    X = np.random.default_rng(1).normal(size=(300, 4))
    tree = OC1Classifier(random_state=0, max_depth=1).fit(X, X @ [1.0, 2.0, -1.0, 0.5] > 0)
    told = explain(tree, X[:50])
    for steps, own in zip(told.steps, told.contributions, strict=True):
        assert sum(map(abs, own.values())) == pytest.approx(1.0)
        (step,) = steps
        toward = np.sign(step.margin) * np.array(step.parts)
        best = step.features[int(np.argmax(toward))]
        assert max(own, key=own.get) == best
    assert all(len(names) <= 2 for names in told.reasons(2))


def test_what_is_refused():
    X = np.random.default_rng(2).normal(size=(80, 3))
    forest = ObliqueRandomForestClassifier(n_estimators=3, random_state=0).fit(X, X[:, 0] > 0)
    for export in (partial(export_code, language="python"), export_onnx, export_pmml):
        with pytest.raises(
            ValueError, match=r"reasons needs a model of one tree, got Oblique.* with 3"
        ):
            export(forest, reasons=2)
    with pytest.raises(ValueError, match="contributions needs a model of one tree"):
        explain(forest, X[:2]).reasons()
    tree = CARTRegressor(max_depth=2).fit(X, X[:, 0])
    with pytest.raises(
        ValueError, match=r"reasons needs language='python' or .* got language='rules'"
    ):
        export_code(tree, "rules", reasons=2)
    with pytest.raises(ValueError, match="reasons must be at least 1, got 0"):
        export_code(tree, "python", reasons=0)
    with pytest.raises(TypeError, match="n must be an integer"):
        explain(tree, X[:2]).reasons("many")
