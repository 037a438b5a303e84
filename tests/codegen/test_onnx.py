"""The ONNX graph is run on 10,000 rows of every kind of model, in both types of numbers."""

import numpy as np
import pandas as pd
import pytest
from codegen.problems import MODELS, classes_of, in_days, numbers, problem
from sklearn.base import is_regressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from aslant import (
    CARTClassifier,
    KDTClassifier,
    ObliqueDecisionTreeRegressor,
    OC1Classifier,
    export_onnx,
)
from aslant.codegen import register_onnx

onnxruntime = pytest.importorskip("onnxruntime")
skl2onnx = pytest.importorskip("skl2onnx")


def run(model, feed):
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    return session.run(None, feed)


def as_type(rows, dtype):
    """Rows whose numbers have the type that the graph reads; dates keep theirs."""
    if isinstance(rows, pd.DataFrame):
        numeric = [name for name in rows if rows[name].dtype == np.float64]
        return rows.assign(**{name: rows[name].astype(dtype) for name in numeric})
    return rows.astype(dtype)


def feed(model, rows, dtype):
    """The inputs of the graph, text as text and "" where it is missing."""
    if not isinstance(rows, pd.DataFrame):
        return {"X": rows}
    texts = [isinstance((column.levels or [0])[0], str) for column in model.encoder_.columns_]
    rows = in_days(rows)
    return {
        name: rows[[name]].astype(object).fillna("").to_numpy()
        if text
        else rows[[name]].to_numpy().astype(dtype)
        for name, text in zip(rows, texts, strict=True)
    }


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("kind", list(MODELS))
def test_every_kind_of_model(kind, dtype):
    if kind == "derived features" and dtype == "float32":
        pytest.skip("days with hours are not numbers of float32")
    made = problem(kind)
    rows = as_type(made.rows, dtype)
    *labels, shares = run(export_onnx(made.model, dtype=dtype), feed(made.model, rows, dtype))
    assert shares.dtype == np.dtype(dtype)
    expected = made.model.predict(rows)
    if labels:
        assert labels[0].tolist() == expected.tolist()
        expected = made.model.predict_proba(rows)
    tolerance = 0.0 if made.exact else (1e-9 if dtype == "float64" else 1e-6)
    np.testing.assert_allclose(
        np.squeeze(shares),
        expected.astype(dtype),
        rtol=tolerance,
        atol=tolerance * np.abs(expected).max() if is_regressor(made.model) else 0.0,
    )


def test_categories_that_are_numbers_stay_in_the_matrix():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=300), rng.choice([0.1, 2.0, 7.0], 300)])
    y = (X[:, 1] == 2.0) ^ (X[:, 0] > 0)
    model = CARTClassifier(categorical_features=[1]).fit(X, y)
    rows = np.column_stack([X[:, 0], rng.choice([0.1, 2.0, 7.0, 9.0, np.nan], 300)])
    labels, _ = run(export_onnx(model, dtype="float64"), {"X": rows})
    assert labels.tolist() == model.predict(rows).tolist()


@pytest.mark.parametrize("labels", [[3, -1, 7], ["a", "ü", "c"], [1.0, 2.0, 3.0]])
def test_labels_keep_their_type(labels):
    X = numbers(200, 0)
    y = np.array(labels)[classes_of(X, 3)]
    model = OC1Classifier(random_state=0, restarts=2).fit(X, y)
    predicted, _ = run(export_onnx(model, dtype="float64"), {"X": X})
    assert predicted.tolist() == model.predict(X).tolist()
    assert type(predicted.tolist()[0]) is type(labels[0])


@pytest.mark.parametrize("texts", [False, True])
@pytest.mark.parametrize("kind", ["tree", "votes"])
def test_a_pipeline_converts_whole(texts, kind):
    register_onnx()
    X = numbers(400, 0)
    y = classes_of(X, 3)
    y = np.array(["low", "middle", "high"])[y] if texts else y
    settings = {"missing": "node_mean", "random_state": 0}
    tree = OC1Classifier(restarts=2, **settings)
    last = tree if kind == "tree" else KDTClassifier("oc1", n_estimators=3, **settings)
    pipeline = make_pipeline(StandardScaler(), last).fit(X, y)
    rows = numbers(10_000, 5)
    converted = skl2onnx.to_onnx(pipeline, X[:1], options={"zipmap": False})
    labels, shares = onnxruntime.InferenceSession(
        converted.SerializeToString(), providers=["CPUExecutionProvider"]
    ).run(None, {"X": rows})
    assert labels.tolist() == pipeline.predict(rows).tolist()
    np.testing.assert_allclose(shares, pipeline.predict_proba(rows), rtol=1e-6)


def test_a_pipeline_of_numbers_converts_whole():
    register_onnx()
    X = np.nan_to_num(numbers(400, 0))
    tree = ObliqueDecisionTreeRegressor("least_squares", max_depth=3, leaf="linear")
    pipeline = make_pipeline(StandardScaler(), tree).fit(X, X[:, 0] * X[:, 1])
    converted = skl2onnx.to_onnx(pipeline, X[:1])
    rows = np.nan_to_num(numbers(1000, 5))
    (found,) = run(converted, {"X": rows})
    np.testing.assert_allclose(found[:, 0], pipeline.predict(rows), rtol=1e-9, atol=1e-9)


def test_missing_values_pass_through_a_pipeline():
    register_onnx()
    X = numbers(400, 0)
    pipeline = make_pipeline(StandardScaler(), CARTClassifier()).fit(X, classes_of(X, 2))
    converted = skl2onnx.to_onnx(pipeline, X[:1].astype(np.float32))
    session = onnxruntime.InferenceSession(
        converted.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    rows = numbers(1000, 5).astype(np.float32)
    labels, maps = session.run(None, {"X": rows})
    # The scaler's own rounding in float32 may move a row that lies on a threshold.
    assert np.mean(labels == pipeline.predict(rows)) > 0.99
    assert set(maps[0]) == {0, 1}


def test_what_onnx_cannot_hold_is_refused():
    with pytest.raises(ValueError, match="dtype must be one of 'float32', 'float64'"):
        export_onnx(problem("one leaf").model, dtype="float16")
    both = pd.DataFrame({"a": pd.Series([1, "b"] * 5, dtype=object)})
    with pytest.raises(TypeError, match="levels that are all text or all numbers"):
        export_onnx(OC1Classifier(random_state=0).fit(both, [0, 1] * 5))
    register_onnx()
    frame = pd.DataFrame({"color": ["red", "blue"] * 5, "age": np.arange(10.0)})
    model = OC1Classifier(random_state=0).fit(frame, [0, 1] * 5)
    kinds = [
        ("color", skl2onnx.common.data_types.StringTensorType([None, 1])),
        ("age", skl2onnx.common.data_types.FloatTensorType([None, 1])),
    ]
    with pytest.raises(TypeError, match="reads categories of text"):
        skl2onnx.convert_sklearn(model, initial_types=kinds)
