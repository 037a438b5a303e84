"""Intervals from the residuals of leaves."""

from __future__ import annotations

import ctypes
import json
import shutil
import subprocess

import numpy as np
import pytest
from sklearn.datasets import make_friedman1
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from aslant import AutoTreeRegressor, CARTRegressor, export_code, report

X, Y = make_friedman1(3000, noise=1.0, random_state=0)
NEW_X, NEW_Y = make_friedman1(2000, noise=1.0, random_state=1)
TREE = CARTRegressor(max_leaf_nodes=10).fit(X[:1000], Y[:1000])


def test_new_rows_are_inside_about_as_often_as_the_coverage_says():
    model = CARTRegressor(max_leaf_nodes=10).fit(X[:1000], Y[:1000])
    for coverage in (0.5, 0.9):
        bounds = model.fit_intervals(X[1000:], Y[1000:], coverage=coverage).predict_interval(NEW_X)
        inside = (bounds[:, 0] <= NEW_Y) & (bounds[:, 1] >= NEW_Y)
        assert inside.mean() == pytest.approx(coverage, abs=0.03)
        assert model.interval_coverage_ == coverage


def test_the_interval_of_a_leaf_is_its_quantiles():
    model = CARTRegressor(max_leaf_nodes=4).fit(X, Y).fit_intervals(X, Y, coverage=0.8)
    leaves = model.apply(X)
    for leaf in np.unique(leaves):
        residuals = np.sort(Y[leaves == leaf] - model.predict(X[leaves == leaf]))
        low, high = model.leaf_interval_[leaf]
        assert np.mean(residuals < low) <= 0.1 <= np.mean(residuals <= low)
        assert np.mean(residuals < high) <= 0.9 <= np.mean(residuals <= high)


def test_a_leaf_of_few_rows_has_the_interval_of_a_node_above():
    model = CARTRegressor(max_leaf_nodes=10).fit(X[:1000], Y[:1000])
    model.fit_intervals(X[1000:], Y[1000:], min_samples=10_000)
    assert len(np.unique(model.leaf_interval_, axis=0)) == 1  # only the root has as many
    model.fit_intervals(X[1000:], Y[1000:], min_samples=20)
    assert len(np.unique(model.leaf_interval_, axis=0)) > 10


def test_weights_count_rows():
    weight = np.random.default_rng(0).integers(0, 3, 500)
    again = np.repeat(np.arange(500), weight)
    one = CARTRegressor(max_depth=1).fit(X, Y)
    other = CARTRegressor(max_depth=1).fit(X, Y)
    one.fit_intervals(X[:500], Y[:500], sample_weight=weight)
    other.fit_intervals(X[again], Y[again])
    np.testing.assert_array_equal(one.leaf_interval_, other.leaf_interval_)


def test_a_fit_and_an_edit_forget_the_intervals():
    model = CARTRegressor(max_leaf_nodes=5).fit(X, Y).fit_intervals(X, Y)
    edited = model.edit().relabel(int(model.apply(X[:1])[0]), 3.0, reason="a rule").model
    for changed in (edited, model.fit(X, Y)):
        with pytest.raises(
            NotFittedError, match=r"has no intervals yet: call fit_intervals\(X, y\)"
        ):
            changed.predict_interval(X)


def test_what_is_refused():
    with pytest.raises(ValueError, match="coverage must be between 0 and 1, got 90"):
        TREE.fit_intervals(X, Y, coverage=90)
    with pytest.raises(ValueError, match="min_samples must be at least 1, got 0"):
        TREE.fit_intervals(X, Y, min_samples=0)
    with pytest.raises(NotFittedError):
        CARTRegressor().fit_intervals(X, Y)
    several = CARTRegressor(max_depth=1).fit(X, np.column_stack([Y, Y]))
    with pytest.raises(ValueError, match="fit_intervals needs one output, got 2"):
        several.fit_intervals(X, Y)


@pytest.mark.parametrize("kind", ["cart", "soft"])
def test_c_and_javascript(kind, tmp_path):
    if shutil.which("cc") is None or shutil.which("node") is None:
        pytest.skip("no C compiler, or node is not installed")
    made = TREE
    if kind == "soft":
        made = AutoTreeRegressor(effort="low", leaf="mean", random_state=0).fit(X[:500], Y[:500])
        assert made.is_soft_
    made.fit_intervals(X[1000:], Y[1000:])
    expected = made.predict_interval(NEW_X[:50])
    for language, file in (("c", "m.c"), ("c header", "m.h"), ("javascript", "m.js")):
        options = {} if file == "m.js" else {"name": "m"}
        (tmp_path / file).write_text(export_code(made, language, **options), encoding="utf-8")
    flags = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-include", "m.h"]
    subprocess.run(["cc", *flags, "m.c", "-o", "m.so", "-lm"], cwd=tmp_path, check=True)
    library = ctypes.CDLL(str(tmp_path / "m.so"))
    found = []
    for row in NEW_X[:50].tolist():
        bounds = (ctypes.c_double * 2)()
        library.m_predict_interval((ctypes.c_double * len(row))(*row), bounds)
        found.append(list(bounds))
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    script = f"const rows = {json.dumps(NEW_X[:50].tolist())};"
    script += "console.log(JSON.stringify(rows.map(require('./m.js').predictInterval)))"
    run = subprocess.run(["node", "-e", script], cwd=tmp_path, capture_output=True, check=True)
    np.testing.assert_allclose(json.loads(run.stdout), expected, rtol=1e-12)


def test_a_pipeline_keeps_the_intervals_of_its_tree():
    pipeline = make_pipeline(StandardScaler(), CARTRegressor(max_depth=2)).fit(X, Y)
    scaled = pipeline[:-1].transform(X)
    pipeline[-1].fit_intervals(scaled, Y)
    module = {}
    exec(export_code(pipeline, "python"), module)
    found = [module["predict_interval"](row) for row in X[:20].tolist()]
    np.testing.assert_allclose(found, pipeline[-1].predict_interval(scaled[:20]))
    assert '"coverage":0.9' in report(pipeline).replace(" ", "")
