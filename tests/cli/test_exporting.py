"""`aslant export`: every language, files, and what is refused."""

import numpy as np
import pytest

import aslant
from aslant.cli.program import run
from aslant.codegen import LANGUAGES


@pytest.mark.parametrize("language", LANGUAGES)
def test_code_goes_to_the_output_or_to_a_file(model, folder, output_of, capsys, language):
    expected = aslant.export_code(aslant.load(model), language)
    assert output_of("export", "m.aslant", "--to", language) == expected
    assert run(["export", "m.aslant", "--to", language, "--out", "model.txt"]) == 0
    assert (folder / "model.txt").read_text(encoding="utf-8") == expected
    assert capsys.readouterr().err == "The code is in model.txt.\n"


def test_names_and_columns_reach_the_code(model, output_of):
    code = output_of("export", "m.aslant", "--to", "c", "--name", "own")
    assert "int own_predict(const double *x)" in code
    query = output_of("export", "m.aslant", "--to", "sql", "--name", "t", "--keep", "id")
    assert 'FROM "t"' in query and '"id"' in query


def test_c_has_a_header_beside(model, folder, output_of):
    output_of("export", "m.aslant", "--to", "c", "--name", "own", "--out", "own.c")
    assert "int own_predict(const double *x);" in (folder / "own.h").read_text(encoding="utf-8")


def test_the_dialect_reaches_the_query(model, output_of):
    assert "::float8" in output_of("export", "m.aslant", "--to", "sql", "--dialect", "postgres")


def test_reasons_reach_the_code_and_its_header(model, folder, output_of):
    assert "def reasons(row):" in output_of(
        "export", "m.aslant", "--to", "python", "--reasons", "2"
    )
    output_of("export", "m.aslant", "--to", "c", "--reasons", "2", "--out", "own.c")
    assert "int model_reasons(" in (folder / "own.h").read_text(encoding="utf-8")
    for language in ("sql", "excel", "pmml"):
        text = output_of("export", "m.aslant", "--to", language, "--reasons", "2")
        assert text.count("reason_2" if language != "excel" else "reason 2") > 0


def test_pmml_is_a_text(model, output_of):
    assert output_of("export", "m.aslant", "--to", "pmml") == aslant.export_pmml(aslant.load(model))


def test_onnx_is_a_file(folder, output_of):
    onnxruntime = pytest.importorskip(
        "onnxruntime", reason="runs the graph, which needs onnxruntime"
    )
    rng = np.random.default_rng(0)
    X = rng.normal(size=(100, 2))
    clf = aslant.OC1Classifier(random_state=0).fit(X, X.sum(axis=1) > 0)
    aslant.save(clf, "n.aslant")
    output_of("export", "n.aslant", "--to", "onnx", "--out", "n.onnx")
    session = onnxruntime.InferenceSession("n.onnx", providers=["CPUExecutionProvider"])
    rows = X.astype(np.float32)
    assert session.run(["label"], {"X": rows})[0].tolist() == clf.predict(rows).tolist()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--to", "cobol"], "--to must be one of 'python', 'c'"),
        (["--to", "onnx"], "name it with --out"),
        (["--to", "python", "--name", "m"], "name needs language='c' or 'c header' or 'sql'"),
        (["--to", "onnx", "--out", "x.onnx", "--keep", "id"], "--to onnx takes none"),
    ],
)
def test_what_makes_no_sense_is_refused(model, capsys, arguments, message):
    assert run(["export", "m.aslant", *arguments]) == 2
    assert message in capsys.readouterr().err
