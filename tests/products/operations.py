"""What can be done with a fitted model, each checked against what the model predicts."""

from __future__ import annotations

import contextlib
import copy
import ctypes
import datetime as dt
import json
import pickle
import re
import shutil
import sqlite3
import subprocess
import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from codegen import rule_reader
from codegen.pmml_reader import Document
from codegen.sheet import Sheet
from inspection import text_reader
from inspection.condition_reader import UnsaidError, readable_rows
from local_partitions import fitted_here
from sklearn.base import clone, is_regressor
from sklearn.compose import ColumnTransformer
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from zoo import Table, answers, fit

import aslant
from aslant.dask.fitting import check_estimator
from aslant.inspection.names import names_of
from aslant.inspection.resolve import encoded_rows

TOLERANCE = 1e-9
N_EXPORTED = 12  # rows that exported code predicts


@dataclass
class Case:
    """A fitted model with its data, and a folder to write to."""

    model: Any
    table: Table
    folder: Path
    asked: Table | None = None  # rows that views predict; some of the table if None

    @property
    def X(self) -> Any:  # noqa: N802
        return self.table.X

    @property
    def y(self) -> np.ndarray:
        return self.table.y(self.model)

    @property
    def few(self) -> Any:
        return self.table.take(slice(0, 5))

    @cached_property
    def questions(self) -> Table:
        """The rows that views predict."""
        if self.asked is not None:
            return self.asked
        return replace(self.table, X=self.table.take(slice(0, N_EXPORTED)))

    @cached_property
    def rows(self) -> list[list[Any]]:
        return self.questions.rows

    @cached_property
    def expected(self) -> np.ndarray:
        return answers(self.model, self.questions.X)

    @property
    def labels(self) -> list[Any]:
        return list(self.model.predict(self.questions.X).tolist())

    @property
    def has_one_tree(self) -> bool:
        return not hasattr(self.model, "estimators_")


OPERATIONS: dict[str, Callable[[Case], None]] = {}


VIEWS: list[str] = []  # operations that show or export what the model predicts


def view(name: str) -> Callable[[Callable[[Case], None]], Callable[[Case], None]]:
    VIEWS.append(name)
    return operation(name)


def operation(name: str) -> Callable[[Callable[[Case], None]], Callable[[Case], None]]:
    def register(function: Callable[[Case], None]) -> Callable[[Case], None]:
        OPERATIONS[name] = function
        return function

    return register


def assert_agrees(
    found: Any, expected: np.ndarray, *, exact: bool = False, tolerance: float = TOLERANCE
) -> None:
    """Assert that answers are those of the model."""
    found = np.asarray(found).reshape(np.shape(expected))
    if exact or expected.dtype.kind not in "f":
        np.testing.assert_array_equal(found, expected)
    else:
        scale = np.abs(expected).max(initial=1e-300)
        np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance * scale)


def assert_answers(found: list[Any], case: Case) -> None:
    """Assert that rows of a prediction and, of a classifier, its probabilities are the model's."""
    if is_regressor(case.model):
        assert_agrees([row[0] for row in found], case.expected)
        return
    assert [row[0] for row in found] == case.labels
    n_classes = len(case.model.classes_)
    assert_agrees([row[1 : n_classes + 1] for row in found], case.expected)


def assert_same_model(other: Any, case: Case) -> None:
    assert_agrees(answers(other, case.X), answers(case.model, case.X), exact=True)
    assert_agrees(other.predict(case.X), case.model.predict(case.X), exact=True)


# ---------------------------------------------------------------------- scikit-learn


@operation("predict")
def predict(case: Case) -> None:
    predicted = case.model.predict(case.X)
    assert len(predicted) == len(case.y)
    if is_regressor(case.model):
        assert np.isfinite(predicted).all()
        return
    assert set(predicted.tolist()) <= set(case.model.classes_.tolist())
    proba = case.model.predict_proba(case.X)
    assert (proba >= 0).all()
    np.testing.assert_allclose(proba.sum(axis=1), 1.0)
    one = case.table.take(slice(0, 1))
    assert_agrees(case.model.predict_proba(one), proba[:1])


@operation("score")
def score(case: Case) -> None:
    if len(case.y) == 1 and is_regressor(case.model):
        pytest.skip("R^2 of one row is not defined")
    found = case.model.score(case.X, case.y, sample_weight=case.table.weight)
    assert np.isfinite(found)
    assert found <= 1.0


@operation("clone, set_params, refit")
def refit(case: Case) -> None:
    again = clone(case.model).set_params(**case.model.get_params(deep=False))
    assert_same_model(fit(again, case.table), case)
    assert_same_model(fit(again, case.table), case)


@operation("warm start")
def warm_start(case: Case) -> None:
    if "warm_start" not in case.model.get_params():
        pytest.skip("has no warm_start")
    parameters = case.model.get_params()
    size = "max_iter" if "max_iter" in parameters else "n_estimators"
    more = {size: parameters[size] + 2}
    grown = fit(clone(case.model).set_params(warm_start=True), case.table)
    if size == "max_iter" and grown.encoder_.target_encoded:
        with pytest.raises(ValueError, match="warm_start must be False"):
            fit(grown.set_params(**more), case.table)
        return
    fit(grown.set_params(**more), case.table)
    fresh = fit(clone(case.model).set_params(**more), case.table)
    assert_agrees(answers(grown, case.X), answers(fresh, case.X))


@operation("cross_val_score")
def cross_validation(case: Case) -> None:
    found = cross_val_score(clone(case.model), case.X, case.y, cv=2, error_score="raise")
    assert np.isfinite(found).all()


@operation("apply, decision_path")
def apply(case: Case) -> None:
    leaves = np.asarray(case.model.apply(case.X))
    path = case.model.decision_path(case.X)
    path = path[0] if isinstance(path, tuple) else path
    assert len(leaves) == path.shape[0] == len(case.y)
    if leaves.ndim == 1:
        assert all(path[i, leaf] for i, leaf in enumerate(leaves))


@operation("pickle")
def pickled(case: Case) -> None:
    assert_same_model(pickle.loads(pickle.dumps(case.model)), case)


def assert_pipeline_works(step: Any, case: Case) -> None:
    """Assert that a pipeline saves, and exports what it predicts."""
    pipeline = make_pipeline(step, clone(case.model))
    pipeline.fit(case.X, case.y)
    expected = answers(pipeline, case.X)
    # A scaler of float32 rounds to float32; what is saved or exported computes in float64.
    single = getattr(case.X, "dtype", None) == np.float32
    tolerance = 1e-5 if single else TOLERANCE
    loaded = saved_and_loaded(pipeline, case.folder)
    assert_agrees(answers(loaded, case.X), expected, tolerance=tolerance)
    exported = python_answers(pipeline, case.rows)
    assert_agrees(exported, answers(pipeline, case.questions.X), tolerance=tolerance)
    aslant.explain(pipeline, case.few).to_text()


def numeric_columns(case: Case) -> Any:
    """Return the numeric columns of a frame, or the first of an array."""
    if isinstance(case.X, np.ndarray):
        return [0]
    return [name for name in ("a", "label") if name in getattr(case.X, "columns", ())]


@operation("Pipeline")
def pipeline(case: Case) -> None:
    numeric = isinstance(case.X, np.ndarray) and case.X.dtype != object
    assert_pipeline_works(StandardScaler() if numeric else FunctionTransformer(), case)


@operation("ColumnTransformer")
def column_transformer(case: Case) -> None:
    if isinstance(case.X, pa.Table):
        pytest.skip("scikit-learn's ColumnTransformer takes no pyarrow tables")
    chosen = [("scale", StandardScaler(), numeric_columns(case))]
    step = ColumnTransformer(chosen, remainder="passthrough", verbose_feature_names_out=False)
    if isinstance(case.X, pd.DataFrame):
        step.set_output(transform="pandas")
    assert_pipeline_works(step, case)


# ---------------------------------------------------------------------- inspection


@view("export_text")
def export_text(case: Case) -> None:
    """A reader of the text finds the leaf of every row, unless the text says `the mean`."""
    assert aslant.export_text(case.model, X=case.X, show_weights=not is_regressor(case.model))
    text = aslant.export_text(case.model, digits=17, width=None)
    if case.model.tree_.is_linear:  # a formula has a line for each output
        return
    root = text_reader.read(text)
    leaves = case.model.apply(case.questions.X)
    for row, leaf in zip(readable_rows(case.model, case.questions.X), leaves, strict=True):
        with contextlib.suppress(UnsaidError):
            assert text_reader.leaf_of(root, row).place == leaf


@operation("export_graphviz")
def export_graphviz(case: Case) -> None:
    assert aslant.export_graphviz(case.model).startswith("digraph")


@operation("plot_tree")
def plot_tree(case: Case) -> None:
    assert aslant.plot_tree(case.model)
    assert aslant.plot_tree(case.model, style="formula")


@operation("plot_importances")
def plot_importances(case: Case) -> None:
    aslant.plot_importances(case.model)
    if not (len(case.y) == 1 and is_regressor(case.model)):
        plt.close("all")
        aslant.plot_importances(case.model, case.X, case.y, kind="permutation", n_repeats=1)


@operation("explain")
def explain(case: Case) -> None:
    found = aslant.explain(case.model, case.few)
    assert found.to_text()
    found.to_frame()


@operation("shapley_values")
def shapley_values(case: Case) -> None:
    one = case.table.take(slice(0, 1))
    found = aslant.shapley_values(case.model, one, case.few, max_evaluations=500)
    total = found.values.sum(axis=1) + found.base_values
    assert_agrees(total, answers(case.model, one))


@operation("counterfactual")
def counterfactual(case: Case) -> None:
    one = case.table.take(slice(0, 1))
    target = None
    if is_regressor(case.model):
        target = (float(np.ravel(case.model.predict(one))[0]) + 0.1, np.inf)
    found = aslant.counterfactual(case.model, one, target=target)
    assert found is None or found.to_text()


@view("export_pmml")
def export_pmml(case: Case) -> None:
    assert_answers([list(one.values()) for one in pmml_answers(case)], case)


@operation("report")
def report(case: Case) -> None:
    path = case.folder / "report.html"
    max_rows = 0 if hasattr(case.model, "estimators_") else 3
    text = aslant.report(case.model, case.X, case.y, path=path, max_rows=max_rows)
    assert path.read_text(encoding="utf-8") == text
    assert aslant.report(case.model)


# ---------------------------------------------------------------------- files and code


def saved_and_loaded(model: Any, folder: Path) -> Any:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*RandomDirections.* as text only")
        aslant.save(model, folder / "model.aslant")
    return aslant.load(folder / "model.aslant")


@operation("save, load")
def save(case: Case) -> None:
    loaded = saved_and_loaded(case.model, case.folder)
    assert_same_model(loaded, case)
    assert aslant.export_code(loaded, "python") == aslant.export_code(case.model, "python")


def python_answers(model: Any, rows: list[list[Any]]) -> list[Any]:
    module: dict[str, Any] = {}
    exec(compile(aslant.export_code(model, "python"), "model.py", "exec"), module)
    answer = module["predict" if is_regressor(model) else "predict_proba"]
    found = [answer(row) for row in rows]
    names = module["FEATURES"]
    if len(set(names)) == len(names):
        assert [answer(dict(zip(names, row, strict=True))) for row in rows] == found
    return found


def in_days(value: Any) -> Any:
    """Return a date as days since 1970, a duration as days."""
    if isinstance(value, dt.timedelta):
        return value / dt.timedelta(days=1)
    if isinstance(value, dt.datetime):
        return (value.replace(tzinfo=None) - dt.datetime(1970, 1, 1)) / dt.timedelta(days=1)
    return value


@view("export_code python")
def export_python(case: Case) -> None:
    assert_agrees(python_answers(case.model, case.rows), case.expected)


@view("export_code c")
def export_c(case: Case) -> None:
    source = aslant.export_code(case.model, "c")
    if shutil.which("cc") is None:
        pytest.skip("no C compiler is installed as cc")
    (case.folder / "model.c").write_text(source, encoding="utf-8")
    flags = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-O0", "-shared", "-fPIC"]
    command = ["cc", *flags, "model.c", "-o", "model.so", "-lm"]
    done = subprocess.run(command, cwd=case.folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    library = ctypes.CDLL(str(case.folder / "model.so"))
    rows = np.array(c_rows(source, library, case), dtype=np.float64)
    double = ctypes.POINTER(ctypes.c_double)
    found = []
    for row in rows:
        given = np.ascontiguousarray(row).ctypes.data_as(double)
        if is_regressor(case.model):
            library.model_predict.restype = ctypes.c_double
            found.append(library.model_predict(given))
        else:
            proba = np.zeros(len(case.model.classes_))
            library.model_predict_proba(given, proba.ctypes.data_as(double))
            found.append(proba)
    assert_agrees(found, case.expected)


def c_code(library: Any, name: str, *, text: bool) -> Callable[[Any], float]:
    """Return the function that gives the code of a level."""
    function = getattr(library, name)
    function.restype = ctypes.c_double
    function.argtypes = [ctypes.c_char_p if text else ctypes.c_double]
    return lambda level: float(function(level.encode() if text else level))


def c_rows(source: str, library: Any, case: Case) -> list[list[float]]:
    """Return the rows as C reads them; each category passes through the function of its column."""
    named = iter(re.findall(r"^double (model_code_\w+)\((const char|double)", source, re.MULTILINE))
    columns: list[Callable[[Any], float]] = []
    for column in case.model.encoder_.columns_:
        if column.kind in ("category", "ordered"):
            name, kind = next(named)
            columns.append(c_code(library, name, text=kind == "const char"))
        else:
            columns.append(lambda v: float(in_days(v)))
    return [
        [np.nan if v is None else read(v) for v, read in zip(row, columns, strict=True)]
        for row in case.rows
    ]


@view("export_code javascript")
def export_javascript(case: Case) -> None:
    source = aslant.export_code(case.model, "javascript")
    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    rows = json.dumps([[in_days(value) for value in row] for row in case.rows])
    call = "predict" if is_regressor(case.model) else "predictProba"
    script = f"{source}\nconst rows = {rows};\nconsole.log(JSON.stringify([rows.map((row) => "
    script += f"aslantModel.{call}(row)), rows.map((row) => aslantModel.predict(row))]));\n"
    (case.folder / "model.js").write_text(script, encoding="utf-8")
    done = subprocess.run(["node", "model.js"], cwd=case.folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found, predicted = json.loads(done.stdout)
    assert_agrees(found, case.expected)
    if not is_regressor(case.model):
        assert predicted == case.labels


def without_durations(value: Any) -> Any:
    """Return a duration as days, a moment without its zone."""
    if isinstance(value, dt.datetime):
        return value.replace(tzinfo=None)
    return in_days(value)


def table_in(connection: Any, case: Case, rows: list[list[Any]], kinds: dict[type, str]) -> None:
    """Make the table `data`, with the number of each row."""
    names = ["row number", *case.model.encoder_.input_names]
    rows = [[i, *row] for i, row in enumerate(rows)]
    columns = []
    for name, values in zip(names, zip(*rows, strict=True), strict=True):
        present = [type(value) for value in values if value is not None]
        quoted = name.replace('"', '""')
        columns.append(f'"{quoted}" {kinds.get(present[0], "") if present else ""}'.rstrip())
        if not present and kinds:
            columns[-1] += " DOUBLE"
    connection.execute(f"CREATE TABLE data ({', '.join(columns)})")
    connection.executemany(f"INSERT INTO data VALUES ({', '.join('?' * len(names))})", rows)


@view("export_code sql")
def export_sql(case: Case) -> None:
    query = aslant.export_code(case.model, "sql", keep=["row number"], dialect="duckdb")
    duckdb = pytest.importorskip("duckdb")
    kinds = {int: "DOUBLE", float: "DOUBLE", bool: "BOOLEAN", str: "VARCHAR"}
    kinds[dt.datetime] = "TIMESTAMP"
    with duckdb.connect(":memory:", config={"threads": 1}) as connection:
        rows = [list(map(without_durations, row)) for row in case.rows]
        table_in(connection, case, rows, kinds)
        found = sorted(connection.execute(query).fetchall())
    assert len(found) == len(rows)
    assert_answers([row[1:] for row in found], case)


@view("export_code sqlite")
def export_sqlite(case: Case) -> None:
    query = aslant.export_code(case.model, "sql", keep=["row number"], dialect="sqlite")
    assert_answers([row[1:] for row in sqlite_rows(query, case)], case)


@view("export_code excel")
def export_excel(case: Case) -> None:
    n_inputs = len(case.model.encoder_.columns_)
    found = []
    for answer in sheet_answers(case):
        last = list(answer.values())[n_inputs:]
        found.append(last[-1:] if is_regressor(case.model) else [last[-1], *last[:-1]])
    n_classes = 0 if is_regressor(case.model) else len(case.model.classes_)
    assert_answers([[row[0], *row[len(row) - n_classes :]] for row in found], case)


@view("export_code rules, markdown")
def export_rules(case: Case) -> None:
    """A reader of the rules finds the leaves of every row, and of one tree what it predicts."""
    assert aslant.export_code(case.model, "markdown")
    trees = rule_reader.read(aslant.export_code(case.model, "rules"))
    rows = readable_rows(case.model, case.questions.X)
    members = getattr(case.model, "estimators_", [case.model])
    for t, member in enumerate(members):
        places = np.flatnonzero(member.tree_.is_leaf)
        for row, leaf in zip(rows, member.apply(case.questions.X), strict=True):
            with contextlib.suppress(UnsaidError):
                assert places[rule_reader.rule_of(trees[t], row)] == leaf
    if case.has_one_tree:
        classes = [] if is_regressor(case.model) else names_of(case.model).classes
        for row, answer in zip(rows, case.expected, strict=True):
            with contextlib.suppress(UnsaidError):
                found = rule_reader.answer(trees[0], row, classes)
                np.testing.assert_allclose(found, np.ravel(answer), rtol=TOLERANCE, atol=1e-12)


@view("export_onnx")
def export_onnx(case: Case) -> None:
    *predicted, found = onnx_answers(case)
    assert_agrees(found, case.expected)
    if predicted:
        assert predicted[0].tolist() == case.labels


def sqlite_rows(query: str, case: Case) -> list[Any]:
    """Return the rows of a query that keeps the number of the row."""
    with contextlib.closing(sqlite3.connect(":memory:")) as connection:
        rows = [list(map(without_durations, row)) for row in case.rows]
        texts = [[str(v) if isinstance(v, dt.datetime) else v for v in row] for row in rows]
        table_in(connection, case, texts, {})
        return sorted(connection.execute(query).fetchall(), key=lambda row: row[0])


def sheet_answers(case: Case, **options: Any) -> list[dict[str, Any]]:
    """Return the cells of a sheet for each row."""
    sheet = Sheet(aslant.export_code(case.model, "excel", **options))
    cells = [
        [in_days(v) + 25569 if isinstance(v, dt.datetime) else in_days(v) for v in row]
        for row in case.rows
    ]
    return [sheet.answer(row) for row in cells]


def pmml_answers(case: Case, **options: Any) -> list[dict[str, Any]]:
    """Return target and output fields of a document for each row."""
    document = Document(aslant.export_pmml(case.model, **options))
    inputs = [name for name in document.types if name != document.target]
    rows = [[in_days(value) for value in row] for row in case.rows]
    return [document.predict(dict(zip(inputs, row, strict=True))) for row in rows]


def onnx_answers(case: Case, **options: Any) -> list[Any]:
    """Return the outputs of a graph."""
    onnxruntime = pytest.importorskip("onnxruntime")
    graph = aslant.export_onnx(case.model, dtype="float64", **options)
    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(
        graph.SerializeToString(), settings, providers=["CPUExecutionProvider"]
    )
    inputs = session.get_inputs()
    rows = [[in_days(value) for value in row] for row in case.rows]
    if len(inputs) == 1 and len(rows[0]) == inputs[0].shape[1]:
        feed = {inputs[0].name: np.array(rows, dtype=np.float64)}
    else:
        columns = zip(inputs, zip(*rows, strict=True), strict=True)
        feed = {one.name: onnx_column(one.type, values) for one, values in columns}
    return list(session.run(None, feed))


@view("reasons")
def reasons(case: Case) -> None:
    """Reasons in every export; C and JavaScript: tests/codegen/test_reasons.py."""
    expected = aslant.explain(case.model, case.questions.X).reasons(2)
    module: dict[str, Any] = {}
    exec(aslant.export_code(case.model, "python", reasons=2), module)
    assert [module["reasons"](row) for row in case.rows] == expected
    names = case.model.encoder_.input_names
    if len({name.casefold() for name in names}) == len(names):
        query = aslant.export_code(
            case.model, "sql", keep=["row number"], dialect="sqlite", reasons=2
        )
        found = [row[-2:] for row in sqlite_rows(query, case)]
        assert [[one for one in row if one] for row in found] == expected
    answers = [list(one.values())[-2:] for one in pmml_answers(case, reasons=2)]
    assert [[one for one in row if one] for row in answers] == expected
    answers = onnx_answers(case, reasons=2)[-1].tolist()
    assert [[one for one in row if one] for row in answers] == expected
    answers = [list(one.values())[-2:] for one in sheet_answers(case, reasons=2)]
    assert [[one for one in row if one] for row in answers] == expected


@view("intervals")
def intervals(case: Case) -> None:
    """Intervals in every export that has them, and in the model file."""
    if not hasattr(case.model, "fit_intervals"):
        pytest.skip("no regressor of one tree")
    model = copy.copy(case.model)
    model.fit_intervals(case.X, case.y, coverage=0.8, sample_weight=case.table.weight)
    own = replace(case, model=model)
    expected = model.predict_interval(case.questions.X)
    loaded = saved_and_loaded(model, case.folder)
    assert_agrees(loaded.predict_interval(case.questions.X), expected, exact=True)
    module: dict[str, Any] = {}
    exec(aslant.export_code(model, "python"), module)
    assert_agrees([module["predict_interval"](row) for row in case.rows], expected)
    assert_agrees(onnx_answers(own)[-1], expected)
    assert_agrees([list(one.values())[-2:] for one in sheet_answers(own)], expected)
    names = model.encoder_.input_names
    if len({name.casefold() for name in names}) == len(names):
        query = aslant.export_code(model, "sql", keep=["row number"], dialect="sqlite", reasons=1)
        assert_agrees([row[-3:-1] for row in sqlite_rows(query, own)], expected)
    assert "interval" in aslant.report(model)


@view("export_treelite")
def export_treelite(case: Case) -> None:
    model = aslant.export_treelite(case.model)
    gtil = pytest.importorskip("treelite.gtil")
    codes = encoded_rows(case.model, case.questions.X)[:, : len(case.model.encoder_.columns_)]
    found = gtil.predict(model, np.ascontiguousarray(codes))
    # treelite's softmax is that of float32.
    assert_agrees(np.reshape(found, np.shape(case.expected)), case.expected, tolerance=1e-6)


def onnx_column(kind: str, values: tuple[Any, ...]) -> np.ndarray:
    if "string" in kind:
        return np.array([["" if value is None else value] for value in values], dtype=object)
    return np.array([[np.nan if value is None else float(value)] for value in values])


# ---------------------------------------------------------------------- partitions


@operation("partitions")
def partitions(case: Case) -> None:
    """The model fitted over partitions, as Dask does it, predicts the same."""
    if not isinstance(case.X, (np.ndarray, pd.DataFrame)):
        pytest.skip("Dask's collections hold arrays or pandas frames")
    check_estimator(case.model)
    made = fitted_here(clone(case.model), case.X, case.y, n_parts=2, weight=case.table.weight)
    assert_agrees(answers(made, case.X), answers(case.model, case.X))
