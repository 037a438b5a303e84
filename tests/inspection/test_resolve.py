"""Every view of a model accepts the same estimators, or refuses them in the same sentence."""

from __future__ import annotations

import re

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import BaggingClassifier, StackingClassifier, VotingClassifier
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, TunedThresholdClassifierCV
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from zoo import SEVERAL_TREES, estimator

import aslant
from aslant import (
    CARTClassifier,
)

RNG = np.random.default_rng(0)
X = pd.DataFrame(RNG.normal(size=(90, 3)), columns=["a", "b", "c"])
Y = np.digitize(X["a"] + X["b"], [-0.5, 0.5])
Z = (X["a"] - 2.0 * X["c"]).to_numpy()

MODELS = {
    "cart": (estimator("cart"), Y),
    "one class": (estimator("cart"), np.zeros(90, dtype=int)),
    "cart regressor": (estimator("cart regressor"), Z),
    "two outputs": (estimator("cart regressor"), np.column_stack([Z, -Z])),
    "linear leaf alone": (estimator("cart regressor", leaf="linear", min_samples_leaf=90), Z),
    "auto regressor": (estimator("auto regressor"), Z),
    **{name: (estimator(name), Z if name == "regression forest" else Y) for name in SEVERAL_TREES},
}


def one_tree_views(model, y, tmp_path):
    """What shows a single tree."""
    return {
        "export_text": lambda: aslant.export_text(model, X=X),
        "export_graphviz": lambda: aslant.export_graphviz(model),
        "plot_tree": lambda: aslant.plot_tree(model),
        "plot_path": lambda: aslant.plot_path(model, X[:1]),
        "plot_test": lambda: aslant.plot_test(model, 0, X, y),
    }


def views(model, y, tmp_path):
    """What shows, exports or saves any model."""
    return {
        "report": lambda: aslant.report(model, X, y),
        "explain": lambda: aslant.explain(model, X[:2]).to_text(),
        "shapley_values": lambda: aslant.shapley_values(model, X[:1], X[:5], max_evaluations=500),
        "plot_importances": lambda: aslant.plot_importances(model),
        "permutation": lambda: aslant.plot_importances(
            model, X, y, kind="permutation", n_repeats=1
        ),
        **{
            f"export_code {language}": lambda language=language: aslant.export_code(model, language)
            for language in ("python", "c", "javascript", "sql", "rules", "markdown")
        },
        "export_onnx": lambda: aslant.export_onnx(model),
        "export_pmml": lambda: pmml(model),
        "save": lambda: aslant.save(model, tmp_path / "m.aslant"),
    }


def pmml(model):
    """What PMML cannot say is refused in another sentence: see tests/codegen/test_pmml.py."""
    try:
        aslant.export_pmml(model)
    except (TypeError, ValueError) as error:
        if not re.search("not votes|needs one output", str(error)):
            raise


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


@pytest.mark.parametrize("pipeline", [False, True], ids=["bare", "pipeline"])
@pytest.mark.parametrize("name", MODELS)
def test_every_view_of_every_model(name, pipeline, tmp_path):
    model, y = MODELS[name]
    model = make_pipeline(StandardScaler(), model) if pipeline else model
    model.fit(X, y)
    has_test = name not in ("one class", "linear leaf alone", "auto regressor")
    for view, call in one_tree_views(model, y, tmp_path).items():
        if name in SEVERAL_TREES:
            with pytest.raises(TypeError, match=f"{view} shows one tree, and .* holds .: pass one"):
                call()
        elif view == "plot_test" and not has_test:
            with pytest.raises(ValueError, match="plot_test needs a node with a test"):
                call()
        else:
            call()
    for call in views(model, y, tmp_path).values():
        call()


@pytest.mark.parametrize("pipeline", [False, True], ids=["bare", "pipeline"])
def test_other_estimators_are_refused_in_one_sentence(pipeline, tmp_path):
    model = LogisticRegression()
    model = make_pipeline(StandardScaler(), model) if pipeline else model
    unfitted = make_pipeline(StandardScaler(), CARTClassifier()) if pipeline else CARTClassifier()
    model.fit(X, Y)
    calls = one_tree_views(model, Y, tmp_path) | views(model, Y, tmp_path)
    messages = set()
    for call in calls.values():
        with pytest.raises(TypeError) as refused:
            call()
        messages.add(str(refused.value).split(" ", 1)[1])
    assert len(messages) == 1 and "a pipeline of scalers that ends in one, got" in messages.pop()
    for call in (one_tree_views(unfitted, Y, tmp_path) | views(unfitted, Y, tmp_path)).values():
        with pytest.raises(NotFittedError):
            call()


WRAPPERS = {
    "calibrated": CalibratedClassifierCV(estimator("forest"), cv=2),
    "frozen": CalibratedClassifierCV(FrozenEstimator(estimator("cart"))),
    "stacking": StackingClassifier([("a", estimator("cart")), ("b", estimator("oc1"))], cv=2),
    "voting": VotingClassifier([("a", estimator("cart"))]),
    "bagging": BaggingClassifier(estimator("cart"), n_estimators=2),
    "cutoff": TunedThresholdClassifierCV(estimator("cart"), cv=2),
    "grid search": GridSearchCV(estimator("cart"), {"max_depth": [1, 2]}, cv=2),
    "one of each": OneVsRestClassifier(estimator("cart")),
}


@pytest.mark.parametrize("name", WRAPPERS)
def test_what_wraps_trees_is_refused_by_all_in_the_same_sentence(name, tmp_path):
    y = Y > 0
    model = clone(WRAPPERS[name])
    if name == "frozen":
        model = CalibratedClassifierCV(FrozenEstimator(estimator("cart").fit(X, y)))
    model.fit(X, y)
    messages = set()
    calls = one_tree_views(model, y, tmp_path) | views(model, y, tmp_path)
    calls["counterfactual"] = lambda: aslant.counterfactual(model, X[:1])
    calls["excel"] = lambda: aslant.export_code(model, "excel")
    for call in calls.values():
        with pytest.raises(TypeError) as refused:
            call()
        messages.add(str(refused.value).split(" ", 1)[1])
    (message,) = messages
    assert f"ends in one, got {type(model).__name__}: pass " in message


@pytest.mark.parametrize("name", SEVERAL_TREES)
def test_a_pipeline_around_several_trees_is_saved(name, tmp_path):
    model, y = MODELS[name]
    pipeline = make_pipeline(MinMaxScaler((-2.0, 5.0)), model).fit(X, y)
    aslant.save(pipeline, tmp_path / "m.aslant")
    loaded = aslant.load(tmp_path / "m.aslant")
    method = "predict" if "regression" in name else "predict_proba"
    np.testing.assert_allclose(getattr(loaded, method)(X), getattr(pipeline, method)(X))
    np.testing.assert_allclose(loaded.feature_importances_, pipeline[-1].feature_importances_)


@pytest.mark.parametrize("kind", ["text", "date", "number"])
def test_a_column_that_the_pipeline_drops_may_hold_anything(kind, tmp_path):
    other = {
        "text": [f"free text number {i}" for i in range(90)],
        "date": pd.date_range("2020-01-01", periods=90),
        "number": np.arange(90.0),
    }[kind]
    table = X.assign(other=other)[["a", "other", "b", "c"]]
    scale = ColumnTransformer([("s", StandardScaler(), ["c", "a", "b"]), ("e", MinMaxScaler(), [])])
    pipeline = make_pipeline(scale, CARTClassifier(max_depth=3)).fit(table, Y)
    aslant.save(pipeline, tmp_path / "m.aslant")
    loaded = aslant.load(tmp_path / "m.aslant")
    assert np.array_equal(loaded.predict(table), pipeline.predict(table))
    module = {}
    exec(aslant.export_code(pipeline, "python"), module)
    rows = table.to_numpy().tolist()
    assert [module["predict"](row) for row in rows] == pipeline.predict(table).tolist()
    aslant.report(pipeline, table, Y)


@pytest.mark.parametrize("name", ["calibrated forest", "forest"])
def test_exported_probabilities_of_forests(name):
    model, y = MODELS[name]
    model.fit(X, y)
    module = {}
    exec(aslant.export_code(model, "python"), module)
    found = [module["predict_proba"](row) for row in X.to_numpy().tolist()]
    np.testing.assert_allclose(found, model.predict_proba(X), rtol=1e-9)


def test_the_permutation_plot_names_the_score():
    for name, score in (("cart", "accuracy"), ("cart regressor", "R²")):
        model, y = MODELS[name]
        ax = aslant.plot_importances(model.fit(X, y), X, y, kind="permutation", n_repeats=1)
        assert ax.get_xlabel() == f"decrease in {score}"


@pytest.mark.parametrize("library", ["polars", "pyarrow"])
def test_tables_of_any_library(library):
    module = pytest.importorskip(library)
    make = module.DataFrame if library == "polars" else module.table
    table = make({name: X[name].to_numpy() for name in X})
    tree = CARTClassifier(max_depth=3).fit(table, Y)
    aslant.plot_boundary(tree, table, Y, features=["a", "b"])
    aslant.plot_path(tree, table[:1])
    assert "node 0: " in aslant.explain(tree, table[:2]).to_text()
    aslant.report(tree, table, Y, max_rows=5)
    aslant.plot_importances(tree, table, Y, kind="permutation", n_repeats=1)
