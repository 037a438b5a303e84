"""Every language is run on rows of every kind of model: each row as `predict` says.

The everyday suite takes the first 2,000 of the 10,000 rows that the slow one takes.
"""

import ctypes
import json
import re
import shutil
import sqlite3
import subprocess
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from codegen.problems import DATES, MODELS, N_ROWS, few, in_days, problem
from sklearn.base import is_regressor

from aslant import CARTClassifier, OC1Classifier, export_code
from aslant.codegen.describe import describe
from aslant.codegen.sql_parts import date_part
from aslant.encoding.dates import part
from aslant.inspection.missing import features_of, missing_child
from aslant.tree.split import HyperplaneSplit
from aslant.tree.tree import Tree


def every_kind(test):
    """Run a test for every kind of model, on some rows and on all."""
    n_rows = [2_000, pytest.param(N_ROWS, marks=pytest.mark.slow)]
    test = pytest.mark.parametrize("n_rows", n_rows)(test)
    return pytest.mark.parametrize("kind", list(MODELS))(test)


def assert_same(made, answers, probabilities=None):
    """Every row as `predict` and `predict_proba` say."""
    predicted = made.model.predict(made.rows)
    tolerance = 0.0 if made.exact else 1e-9
    if is_regressor(made.model):
        scale = np.abs(predicted).max()
        np.testing.assert_allclose(answers, predicted, rtol=tolerance, atol=tolerance * scale)
        return
    assert list(answers) == predicted.tolist()
    expected = made.model.predict_proba(made.rows)
    np.testing.assert_allclose(probabilities, expected, rtol=tolerance, atol=0.0)


@every_kind
def test_python(kind, n_rows):
    made = few(kind, n_rows)
    code = export_code(made.model, "python")
    assert "import" not in code
    module = {}
    exec(compile(code, "model.py", "exec"), module)
    records = made.records(days=False)
    labels = [module["predict"](row) for row in records]
    proba = module.get("predict_proba")
    assert_same(made, labels, None if proba is None else [proba(row) for row in records])
    named = [dict(zip(module["FEATURES"], row, strict=True)) for row in records[:50]]
    assert [module["predict"](row) for row in named] == labels[:50]


def javascript_value(value):
    """Moments and durations as JavaScript may be given them."""
    if isinstance(value, pd.Timestamp):
        return str(value)
    return value / pd.Timedelta(days=1) if isinstance(value, pd.Timedelta) else value


@every_kind
def test_javascript(kind, n_rows, tmp_path):
    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    made = few(kind, n_rows)
    (tmp_path / "model.js").write_text(export_code(made.model, "javascript"), encoding="utf-8")
    rows = [[javascript_value(value) for value in row] for row in made.records(days=False)]
    (tmp_path / "rows.json").write_text(json.dumps(rows), encoding="utf-8")
    (tmp_path / "run.js").write_text(
        """
        const model = require("./model.js");
        const rows = JSON.parse(require("fs").readFileSync("rows.json"));
        const object = Object.fromEntries(model.features.map((name, j) => [name, rows[0][j]]));
        if (String(model.predict(object)) !== String(model.predict(rows[0])))
            throw new Error("by name");
        const proba = model.predictProba ? rows.map(model.predictProba) : null;
        console.log(JSON.stringify([rows.map(model.predict), proba]));
        """
    )
    run = subprocess.run(["node", "run.js"], cwd=tmp_path, capture_output=True, check=True)
    assert_same(made, *json.loads(run.stdout))


def c_driver(model):
    """A program that reads rows and writes what is predicted with all its bits.

    It calls the function of every category; values come as text, numbers as C's hexadecimals.
    """
    headers = ("<math.h>", "<stdio.h>", "<stdlib.h>", "<string.h>", '"model.h"')
    lines = [*(f"#include {name}" for name in headers), "int main(void) {"]
    lines += ["static char line[1000];", "double x[M_N_INPUTS], p[M_N_OUTPUTS];"]
    lines += ["for (;;) {"]
    for j, column in enumerate(model.encoder_.columns_):
        lines += ["if (!fgets(line, sizeof line, stdin)) return 0;", "line[strlen(line) - 1] = 0;"]
        if column.kind not in ("category", "ordered"):
            lines.append(f"x[{j}] = line[0] ? strtod(line, 0) : NAN;")
            continue
        argument = "line" if isinstance(column.levels[0], str) else "strtod(line, 0)"
        lines.append(f"x[{j}] = line[0] ? m_code_{column.name}({argument}) : NAN;")
    if not is_regressor(model):
        lines += ["m_predict_proba(x, p);", 'printf("%d", m_predict(x));']
    elif model.n_outputs_ > 1:
        lines += ["m_predict(x, p);", 'printf("0");']
    else:
        lines += ["p[0] = m_predict(x);", 'printf("0");']
    lines += ['for (int k = 0; k < M_N_OUTPUTS; ++k) printf(" %a", p[k]);', 'printf("\\n");', "}}"]
    return "\n".join(lines)


def c_value(value):
    if value is None:
        return ""
    return value.hex() if isinstance(value, float) else str(value)


@every_kind
def test_c(kind, n_rows, tmp_path):
    if shutil.which("cc") is None:
        pytest.skip("no C compiler is installed as cc")
    made = few(kind, n_rows)
    for language, file in (("c", "model.c"), ("c header", "model.h")):
        source = export_code(made.model, language, name="m")
        (tmp_path / file).write_text(source, encoding="utf-8")
    (tmp_path / "main.c").write_text(c_driver(made.model))
    flags = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-O1"]
    # The header is included in the source too: they must agree.
    command = ["cc", *flags, "-include", "model.h", "main.c", "model.c", "-o", "main", "-lm"]
    subprocess.run(command, cwd=tmp_path, check=True)
    text = "".join(f"{c_value(value)}\n" for row in made.records() for value in row)
    run = subprocess.run(
        [tmp_path / "main"], input=text, capture_output=True, text=True, check=True
    )
    answers = [line.split() for line in run.stdout.splitlines()]
    numbers = [[float.fromhex(share) for share in answer[1:]] for answer in answers]
    if is_regressor(made.model):
        assert_same(made, np.squeeze(numbers))
        return
    labels = made.model.classes_[[int(answer[0]) for answer in answers]].tolist()
    assert_same(made, labels, numbers)


def test_codes_that_no_level_has_count_as_missing_in_c(tmp_path):
    if shutil.which("cc") is None:
        pytest.skip("no C compiler is installed as cc")
    model = problem("categories").model
    (tmp_path / "model.c").write_text(export_code(model, "c"), encoding="utf-8")
    flags = ["-std=c99", "-shared", "-fPIC"]
    subprocess.run(["cc", *flags, "model.c", "-o", "m.so", "-lm"], cwd=tmp_path, check=True)
    library = ctypes.CDLL(str(tmp_path / "m.so"))
    assert model.encoder_.input_names[4] == "color"
    rows = [row for row in problem("categories").records()[:300] if None not in row[:4]]
    differ = 0
    for row in rows:
        answers = {
            code: answer_in_c(library, model, [*row[:4], code, 0.0])
            for code in (np.nan, -1.0, 4.0, 99.0, 1.5, np.inf, 0.0, 1.0, 2.0, 3.0)
        }
        missing, *others = list(answers.values())
        assert others[:5] == [missing] * 5
        differ += others[5:] != [missing] * 4
    assert differ > 0


def answer_in_c(library, model, row):
    given = (ctypes.c_double * len(row))(*row)
    proba = (ctypes.c_double * len(model.classes_))()
    library.model_predict_proba(given, proba)
    return list(proba)


def as_frame(made):
    rows = made.rows
    if not isinstance(rows, pd.DataFrame):
        rows = pd.DataFrame(rows, columns=made.model.encoder_.input_names)
    days = in_days(rows)
    rows = days.assign(**{name: _moments(days[name]) for name in DATES if name in days})
    ordered = [name for name in rows if isinstance(rows[name].dtype, pd.CategoricalDtype)]
    return rows.astype(dict.fromkeys(ordered, object)).assign(key=np.arange(len(rows)))


def _moments(days):
    """Days since 1970 as timestamps."""
    return pd.Timestamp("1970-01-01") + pd.to_timedelta(days, unit="D")


def plain_rows(frame):
    """The rows of a frame as plain values, None where missing."""
    listed = frame.astype(object).where(frame.notna(), None).to_numpy().tolist()
    return [[str(v) if isinstance(v, pd.Timestamp) else v for v in row] for row in listed]


@every_kind
def test_sqlite(kind, n_rows):
    made = few(kind, n_rows)
    frame = as_frame(made)
    connection = sqlite3.connect(":memory:")
    columns = ", ".join('"' + name.replace('"', '""') + '"' for name in frame.columns)
    connection.execute(f"CREATE TABLE data ({columns})")
    places = ", ".join("?" * len(frame.columns))
    connection.executemany(f"INSERT INTO data VALUES ({places})", plain_rows(frame))
    query = export_code(made.model, "sql", keep=["key"], dialect="sqlite")
    check_query(made, connection.execute(query).fetchall())


@every_kind
def test_duckdb(kind, n_rows):
    duckdb = pytest.importorskip("duckdb")
    made = few(kind, n_rows)
    connection = duckdb.connect()
    frame = as_frame(made)
    if "size" in frame:
        frame = frame.astype({"size": "Int64"})
    # In DuckDB a NaN is a number, and the largest: it must become NULL.
    numeric = [name for name in frame if frame[name].dtype == np.float64]
    frame = frame.astype(dict.fromkeys(numeric, "Float64"))
    connection.register("own table", frame)
    query = export_code(made.model, "sql", name="own table", keep=["key"], dialect="duckdb")
    check_query(made, connection.execute(query).fetchall())


def load_table(server, frame):
    """Make the table `data` of PostgreSQL."""
    types = {"f": "float8", "i": "integer", "M": "timestamp", "O": "text"}
    columns = [
        f'"{name.replace(chr(34), 2 * chr(34))}" '
        f"{'integer' if name == 'size' else types[frame[name].dtype.kind]}"
        for name in frame
    ]
    server.load("data", columns, plain_rows(frame))


@every_kind
def test_postgres(kind, n_rows, postgres):
    made = few(kind, n_rows)
    load_table(postgres, as_frame(made))
    query = export_code(made.model, "sql", keep=["key"], dialect="postgres")
    found = sorted(postgres.query(query), key=lambda row: int(row[0]))
    if is_regressor(made.model):
        predicted = np.squeeze([[float(value) for value in row[1:]] for row in found])
        return assert_same(replace(made, exact=False), predicted)
    is_boolean = made.model.classes_.dtype == bool
    labels = [
        str(one)[0].lower() if is_boolean else str(one) for one in made.model.predict(made.rows)
    ]
    assert [row[1] for row in found] == labels
    proba = np.array([[float(value) for value in row[2:]] for row in found])
    # Products of gates that would underflow are larger: see SQLWriter._product_of_gates.
    np.testing.assert_allclose(proba, made.model.predict_proba(made.rows), rtol=1e-9, atol=1e-15)


def test_dates_need_a_dialect():
    model = problem("derived features").model
    with pytest.raises(ValueError, match=r"one of 'sqlite', 'duckdb', .* got dialect='standard'"):
        export_code(model, "sql")


def test_a_text_that_is_no_date_stops_the_query_in_sqlite():
    days = pd.date_range("2020-01-01", periods=40)
    model = CARTClassifier().fit(pd.DataFrame({"day": days}), np.arange(40) > 20)
    query = export_code(model, "sql", dialect="sqlite")
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE data (day)")
    connection.execute("INSERT INTO data VALUES ('2020-01-30'), (NULL), (18262)")
    assert [row[0] for row in connection.execute(query)][::2] == [1, 0]
    connection.execute("INSERT INTO data VALUES ('30.1.2020')")
    with pytest.raises(sqlite3.OperationalError, match="integer overflow"):
        connection.execute(query).fetchall()


def check_query(made, result):
    result = sorted(result)
    assert [row[0] for row in result] == list(range(len(made.rows)))
    if is_regressor(made.model):
        assert_same(made, np.squeeze([row[1:] for row in result]))
    else:
        assert_same(made, [row[1] for row in result], [row[2:] for row in result])


def core_sum(coef, x):
    """The sum of a test as the core's documentation says: four partial sums by column."""
    lanes = [0.0] * 4
    for j, (c, value) in enumerate(zip(coef, x, strict=True)):
        lanes[j % 4] += c * value
    return (lanes[0] + lanes[2]) + (lanes[1] + lanes[3])


def on_the_threshold(rng, n_features=11):
    """A hyperplane and a row that lies on it, if it is summed as the core does."""
    coef, x = rng.normal(size=(2, n_features)).tolist()
    model = CARTClassifier().fit(np.eye(2, n_features), [0, 1])
    model.tree_ = Tree(
        n_features=n_features,
        children=[[1, 2], [-1, -1], [-1, -1]],
        value=[[1.0, 1.0], [1.0, 0.0], [0.0, 1.0]],
        n_node_samples=[2, 1, 1],
        impurity=[0.5, 0.0, 0.0],
        row_start=[0, 1, 1, 1],
        coef_start=[0, n_features],
        coef_column=range(n_features),
        coef_value=coef,
        coef_fill=[0.0] * n_features,
        offset=[core_sum(coef, x)],
        column_feature=range(n_features),
        column_level=[-1] * n_features,
    )
    return model, coef, x


def test_rows_on_a_threshold_are_summed_as_the_core_does():
    """Summed in another order, about every third of these rows would be above its threshold."""
    rng = np.random.default_rng(0)
    above = 0
    for _ in range(60):
        model, coef, x = on_the_threshold(rng)
        assert model.predict([x]).tolist() == [0]
        module = {}
        exec(export_code(model, "python"), module)
        assert module["predict"](x) == 0
        connection = sqlite3.connect(":memory:")
        names = ", ".join(f"x{j}" for j in range(len(x)))
        connection.execute(f"CREATE TABLE data ({names})")
        connection.execute(f"INSERT INTO data VALUES ({', '.join('?' * len(x))})", x)
        assert connection.execute(export_code(model, "sql")).fetchone()[0] == 0
        above += sum(c * v for c, v in zip(coef, x, strict=True)) > core_sum(coef, x)
    assert above > 10


def test_deep_trees_need_no_deep_code():
    """A chain of 3000 tests, to the left and to the right."""
    for side in (0, 1):
        model = chain(3000, side)
        module = {}
        exec(compile(export_code(model, "python"), "model.py", "exec"), module)
        rows = np.linspace(-1.0, 3001.0, 50)[:, None]
        assert [module["predict"](row) for row in rows.tolist()] == model.predict(rows).tolist()


def test_deep_trees_need_no_deep_query():
    """Parsers of SQL allow little nesting."""
    rows = np.linspace(-1.0, 501.0, 50)[:, None]
    for side in (0, 1):
        model = chain(500, side)
        connection = sqlite3.connect(":memory:")
        connection.execute("CREATE TABLE data (x0)")
        connection.executemany("INSERT INTO data VALUES (?)", rows.tolist())
        query = export_code(model, "sql", keep=["x0"])
        answers = dict(row[:2] for row in connection.execute(query).fetchall())
        assert [answers[x] for x in rows[:, 0].tolist()] == model.predict(rows).tolist()


def test_the_models_are_of_the_kinds_that_they_are_called():
    """Or else nothing of the kind would have been compared."""

    def vectors(kind):
        return np.diff(problem(kind).model.tree_.row_start).max()

    assert problem("one leaf").model.get_n_leaves() == 1
    assert vectors("linear machines") > 2 and vectors("machines and categories") > 1
    assert problem("oblique").model.tree_.features_per_test > 2
    assert problem("branch per level").model.tree_.children.shape[1] > 2
    for kind in ("votes", "soft votes", "average", "forest"):
        trees = [member.tree_ for member in problem(kind).model.estimators_]
        assert trees[0] != trees[1]
    assert problem("one soft leaf").model.get_n_leaves() == 1
    assert problem("soft").model.is_soft_ and problem("soft with categories").model.is_soft_
    assert np.any(np.abs(problem("linear leaves").model.tree_.leaf_coef) > 0.0)
    derived = problem("derived features").model
    features = describe(derived, "export_code").features
    read = {features[j].what for j in derived.tree_.column_feature[derived.tree_.coef_column]}
    assert read >= {"itself", "missing", "encoded", "month", "day", "weekday", "hour"}
    kinds = {column.kind: column for column in derived.encoder_.columns_}
    assert {"date", "duration", "ordered"} < set(kinds) and kinds["category"].merged
    for kind in MODELS:
        if not kind.startswith(("one", "log")):
            assert len(set(problem(kind).model.apply(problem(kind).rows).ravel())) > 2


def chain(depth, side):
    n_nodes = 2 * depth + 1
    children = np.full((n_nodes, 2), -1)
    if side:  # a leaf, then the rest
        tests = np.arange(0, 2 * depth, 2)
        children[tests] = tests[:, None] + [1, 2]
    else:  # the rest, then a leaf
        tests = np.arange(depth)
        children[tests, 0] = tests + 1
        children[tests, 1] = n_nodes - 1 - tests
    is_test = children[:, 0] >= 0
    value = np.ones((n_nodes, 2))
    value[::3, 1] = 2.0
    model = OC1Classifier(random_state=0).fit([[0.0], [1.0]], [0, 1])
    model.tree_ = Tree(
        n_features=1,
        children=children,
        value=value,
        n_node_samples=np.ones(n_nodes),
        impurity=np.zeros(n_nodes),
        row_start=np.concatenate([[0], np.cumsum(is_test)]),
        coef_start=np.arange(depth + 1),
        coef_column=np.zeros(depth),
        coef_value=np.ones(depth),
        coef_fill=np.zeros(depth),
        offset=np.arange(depth) if side else np.arange(depth)[::-1],
        column_feature=[0],
        column_level=[-1],
    )
    return model


def test_parts_of_dates_at_every_turn_of_a_century():
    """The calendar is written out in Python and in SQL; NumPy's is the oracle."""
    days = np.concatenate([np.arange(-200_000.0, 200_000.0, 97.0), np.arange(-800.0, 12_000.0)])
    module = {}
    exec(export_code(problem("derived features").model, "python"), module)
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE data (d)")
    connection.executemany("INSERT INTO data VALUES (?)", days[:, None].tolist())
    for name in ("year", "month", "day", "weekday"):
        expected = part(days, name).tolist()
        assert [module["_derived"](day, name) for day in days.tolist()] == expected
        query = f"SELECT {date_part('d', name)} FROM data"
        assert [row[0] for row in connection.execute(query)] == expected


@pytest.mark.parametrize("kind", ["axis-parallel", "categories", "branch per level", "numbers"])
def test_comments_say_where_missing_values_go(kind):
    """In the order of the tests; a test of several features says nothing."""
    model = problem(kind).model
    tree, expected = model.tree_, []
    for i in np.flatnonzero(~tree.is_leaf):
        split = tree.split(int(i))
        if len(features_of(tree, split)) == 1:
            child = missing_child(split)
            is_plane = isinstance(split, HyperplaneSplit)
            expected.append({0: "yes", 1: "no"}[child] if is_plane else str(child))
    assert len(expected) > 3
    patterns = {"python": r"  # missing: (\w+)$", "javascript": r" // missing: (\w+)$"}
    patterns["c"] = r" /\* missing: (\w+) \*/$"
    for language, pattern in patterns.items():
        found = re.findall(pattern, export_code(model, language), re.MULTILINE)
        assert sorted(found) == sorted(expected)  # parts of a deep tree come before it
    numbers = [{"yes": "0", "no": "1"}.get(one, one) for one in expected]
    query = export_code(model, "sql")
    assert re.findall(r" /\* missing: (\w+) \*/", query) == numbers


def test_labels_of_every_kind():
    X = np.array([[0.0], [1.0], [2.0], [3.0]])
    for labels in ([0, 1, 2, 3], [0.0, -1.0, 2e15, 7.0], [True, False, True, False], list("abcd")):
        model = OC1Classifier(random_state=0, pruning=None).fit(X, labels)
        module = {}
        exec(export_code(model, "python"), module)
        predicted = [module["predict"](row) for row in X.tolist()]
        assert predicted == model.predict(X).tolist()
        assert type(predicted[0]) is type(labels[0])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"language": "cobol"}, "language must be one of 'python'"),
        ({"language": "python", "name": "m"}, "name needs language='c' or 'c header' or 'sql'"),
        ({"language": "c", "name": "a b"}, "must be an identifier of C, got 'a b'"),
        ({"language": "c", "keep": ["id"]}, "keep needs language='sql', got language="),
        ({"language": "sql", "keep": "id"}, "keep must be a sequence of names"),
    ],
)
def test_wrong_options_are_named(arguments, message):
    with pytest.raises((TypeError, ValueError), match=message):
        export_code(problem("one leaf").model, **arguments)


def test_labels_without_a_literal_are_refused():
    frame = pd.DataFrame({"day": pd.Series(pd.date_range("2020-01-01", periods=4), dtype=object)})
    labels = [0, 1, 0, 1]
    as_category = OC1Classifier(random_state=0, pruning=None, categorical_features=["day"])
    with pytest.raises(TypeError, match="text, numbers or booleans, got the level"):
        export_code(as_category.fit(frame, labels), "python")


def test_names_that_sql_cannot_tell_apart_are_refused():
    frame = pd.DataFrame({"a": [0.0, 1.0], "A": [1.0, 0.0]})
    model = OC1Classifier(random_state=0, pruning=None).fit(frame, [0, 1])
    with pytest.raises(ValueError, match="differ in more than case"):
        export_code(model, "sql")
