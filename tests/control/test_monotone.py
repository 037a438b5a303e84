"""Monotonic constraints as a law: for any row and any two values, predictions are ordered."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from control.law import N_PAIRS, output, problem, worst
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone, is_regressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import aslant
from aslant import model_file
from aslant.encoding.sample import Sample
from aslant.refine.gates import SoftGates
from aslant.search import OC1, SADT, SplitSearch

SIGNS = [1, 1, -1, 0]
SOFT = 1e-12  # products of gates are rounded

CLASSIFIERS: dict[str, Any] = {
    "cart": aslant.CARTClassifier(),
    "cart, pruned": aslant.CARTClassifier(pruning="cost_complexity"),
    "cart, best first": aslant.CARTClassifier(max_leaf_nodes=9),
    "cart, error-based": aslant.CARTClassifier(pruning="error_based"),
    "cart, reduced error": aslant.CARTClassifier(pruning="reduced_error"),
    "cart, unsmoothed": aslant.CARTClassifier(smoothing=0.0),
    "cart, parent's prior": aslant.CARTClassifier(smoothing_prior="parent"),
    "c45": aslant.C45Classifier(),
    "oc1": aslant.OC1Classifier(restarts=2),
    "cart_lc": aslant.CARTLCClassifier(),
    "sadt": aslant.SADTClassifier(patience=100),
    "fisher": aslant.FisherTreeClassifier(),
    "hhcart": aslant.HHCARTClassifier(),
    "quest": aslant.QUESTClassifier(),
    "pole pair": aslant.PolePairClassifier(),
    "kdt": aslant.KDTClassifier(SADT(patience=50), n_estimators=3),
    "kdt, soft": aslant.KDTClassifier(SADT(patience=50), n_estimators=3, voting="soft"),
    "ltu": aslant.LTUTreeClassifier(),
    "sample": aslant.ObliqueDecisionTreeClassifier(OC1(restarts=2), search_rows=60),
    "refined": aslant.ObliqueDecisionTreeClassifier(
        "hhcart", pruning="cost_complexity", refine="joint"
    ),
    "auto": aslant.AutoTreeClassifier(effort="low"),
    "auto, hard": aslant.AutoTreeClassifier(effort="low", probabilities="leaf"),
    "auto, linear": aslant.AutoTreeClassifier(effort="low", leaf="linear"),
    "auto, constant": aslant.AutoTreeClassifier(effort="low", leaf="constant"),
    "forest": aslant.ObliqueRandomForestClassifier(5),
    "forest, calibrated": aslant.ObliqueRandomForestClassifier(8, calibrate=True),
    "forest, axis": aslant.ObliqueRandomForestClassifier(5, search="axis_parallel"),
    "forest, projections": aslant.ObliqueRandomForestClassifier(5, search="random_projection"),
    "forest, hhcart": aslant.ObliqueRandomForestClassifier(5, search="hhcart"),
    "extra trees": aslant.ObliqueExtraTreesClassifier(5),
    "boosting, axis": aslant.ObliqueGradientBoostingClassifier(oblique=False, max_iter=10),
    "boosting": aslant.ObliqueGradientBoostingClassifier(max_iter=10),
}
REGRESSORS: dict[str, Any] = {
    "cart": aslant.CARTRegressor(),
    "cart, pruned": aslant.CARTRegressor(pruning="cost_complexity"),
    "cart, poisson": aslant.CARTRegressor(criterion="poisson"),
    "oc1": aslant.OC1Regressor(restarts=2),
    "cart_lc": aslant.CARTLCRegressor(),
    "hhcart": aslant.HHCARTRegressor(),
    "least squares": aslant.LeastSquaresTreeRegressor(),
    "auto": aslant.AutoTreeRegressor(effort="low"),
    "auto, hard": aslant.AutoTreeRegressor(effort="low", predictions="leaf"),
    "auto, linear": aslant.AutoTreeRegressor(effort="low", leaf="linear"),
    "forest": aslant.ObliqueRandomForestRegressor(5),
    "extra trees": aslant.ObliqueExtraTreesRegressor(5),
    "boosting": aslant.ObliqueGradientBoostingRegressor(max_iter=10),
}
ALL = [pytest.param(one, id=name) for name, one in CLASSIFIERS.items()]
ALL += [pytest.param(one, id=f"{name}, regression") for name, one in REGRESSORS.items()]


def fitted(estimator: Any, X: Any, y: Any, z: Any, **changed: Any) -> Any:
    model = clone(estimator).set_params(random_state=0, **{"monotonic_cst": SIGNS, **changed})
    target = z - z.min() if getattr(model, "criterion", None) == "poisson" else z
    return model.fit(X, target if is_regressor(model) else y)


@pytest.mark.parametrize("estimator", ALL)
def test_predictions_are_ordered(estimator: Any) -> None:
    X, y, z = problem(0)
    model = fitted(estimator, X, y, z)
    assert worst(output(model), X, SIGNS) >= -SOFT


@pytest.mark.parametrize("estimator", ALL)
def test_without_a_constraint_they_are_not(estimator: Any) -> None:
    """The problem tests something: linear functions and stumps apart, all break the law."""
    X, y, z = problem(0)
    model = fitted(estimator, X, y, z, monotonic_cst=None)
    if getattr(model, "leaf", None) != "linear":
        assert worst(output(model), X, SIGNS, 2000) < -0.01


@settings(max_examples=15, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    signs=st.lists(st.sampled_from([-1, 0, 1]), min_size=4, max_size=4),
    name=st.sampled_from(["cart", "oc1", "hhcart", "fisher", "auto", "forest", "auto, constant"]),
    missing=st.booleans(),
    weighted=st.booleans(),
)
def test_the_law_holds_for_random_problems(
    seed: int, signs: list[int], name: str, missing: bool, weighted: bool
) -> None:
    X, y, _ = problem(seed, n_rows=100)
    rng = np.random.default_rng(seed)
    if missing:
        X[rng.random(X.shape) < 0.15] = np.nan
    weight = rng.integers(1, 4, size=len(y)).astype(float) if weighted else None
    model = clone(CLASSIFIERS[name]).set_params(random_state=seed, monotonic_cst=signs)
    model.fit(X, y, sample_weight=weight)
    assert worst(output(model), X, signs, 20_000) >= -SOFT


def test_a_constraint_that_does_not_bind_changes_nothing() -> None:
    X, _, _ = problem(1)
    y = (X[:, 1] + 0.01 * X[:, 3] > 0.0).astype(int)
    free = aslant.HHCARTClassifier(max_depth=1, random_state=0).fit(X, y)
    bound = aslant.HHCARTClassifier(max_depth=1, monotonic_cst=[0, 1, 0, 0], random_state=0)
    bound.fit(X, y)
    np.testing.assert_array_equal(free.tree_.coef_value, bound.tree_.coef_value)
    np.testing.assert_array_equal(free.tree_.value, bound.tree_.value)


def test_a_hump_keeps_the_threshold_of_its_rising_side() -> None:
    """The best threshold of a constrained feature is the best of those in order."""
    x = np.linspace(-1.0, 1.0, 201)[:, None]
    z = np.where(np.abs(x[:, 0] + 0.2) < 0.3, 1.0, 0.0) - 0.2 * (x[:, 0] > 0.1)
    stump = aslant.CARTRegressor(max_depth=1, monotonic_cst=[1]).fit(x, z)
    assert stump.tree_.threshold[0] == pytest.approx(-0.5, abs=0.011)


def test_leaves_of_soft_trees_are_ordered_too() -> None:
    """Gates that point upwards on rows that fall: the shares of their leaves are pooled."""
    x = np.linspace(0.0, 1.0, 60)[:, None]
    y = (x[:, 0] < 0.5).astype(np.int32)
    falling = aslant.CARTClassifier(max_depth=1).fit(x, y).tree_
    tree = falling.rebuilt(column_sign=np.array([1]))
    sample = Sample(x, y, np.ones(60), 2)
    steepness = np.where(tree.is_leaf, 0.0, 8.0)
    soft = SoftGates.fitted(tree, steepness, sample).probabilities(x)[:, 1]
    np.testing.assert_allclose(soft, 0.5, atol=1e-6)
    free = SoftGates.fitted(falling, steepness, sample).probabilities(x)[:, 1]
    assert np.diff(free).min() < -0.01


# ---------------------------------------------------------------------- what is done to a model


def test_the_law_survives_saving(tmp_path: Path) -> None:
    X, y, z = problem(2)
    for name in ("auto", "cart", "forest"):
        model = fitted(CLASSIFIERS[name], X, y, z)
        model_file.save(model, tmp_path / f"{name}.json")
        again = model_file.load(tmp_path / f"{name}.json")
        np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
        tree = again.tree_ if hasattr(again, "tree_") else again.trees_[0]
        np.testing.assert_array_equal(tree.column_sign, SIGNS)


def test_the_law_survives_distillation() -> None:
    X, y, z = problem(3)
    for name in ("forest", "boosting"):
        small = fitted(CLASSIFIERS[name], X, y, z).distil(X, y, sizes=(8, 16))
        assert worst(output(small), X, SIGNS) == 0.0
    small = fitted(REGRESSORS["forest"], X, y, z).distil(X, z, sizes=(8, 16))
    assert worst(output(small), X, SIGNS) == 0.0


def test_the_law_survives_edits() -> None:
    X, y, z = problem(4)
    model = fitted(CLASSIFIERS["hhcart"], X, y, z, max_depth=4)
    tree = model.tree_
    editor = model.edit(X, y)
    several = [i for i in np.flatnonzero(~tree.is_leaf) if tree.features_in_test[i] > 1]
    feature = int(tree.coef_column[tree.coef_start[tree.row_start[several[0]]]])
    editor.drop_term(int(several[0]), f"x{feature}", reason="not measured any more")
    assert worst(output(editor.model), X, SIGNS) == 0.0
    inner = int(np.flatnonzero(~editor.model.tree_.is_leaf)[-1])
    editor.snip(inner, reason="too few rows")
    assert worst(output(editor.model), X, SIGNS) == 0.0


def test_an_edit_against_the_law_is_refused() -> None:
    x = np.linspace(0.0, 1.0, 40)[:, None]
    model = aslant.CARTClassifier(max_depth=1, monotonic_cst=[1]).fit(x, (x[:, 0] > 0.5) * 1)
    with pytest.raises(ValueError, match="relabel at node 2 would break the monotonic"):
        model.edit().relabel(1, 1, reason="all the same").relabel(2, 0, reason="against the law")


def test_the_law_holds_in_exported_code() -> None:
    X, y, z = problem(5)
    names = [f"x{j}" for j in range(X.shape[1])]
    model = fitted(CLASSIFIERS["auto, hard"], pd.DataFrame(X, columns=names), y, z)
    query = aslant.export_code(model, "sql", keep=["key"], dialect="sqlite")
    database = sqlite3.connect(":memory:")

    def probability(rows: np.ndarray) -> np.ndarray:
        frame = pd.DataFrame(rows, columns=names).assign(key=np.arange(len(rows)))
        frame.to_sql("data", database, index=False, if_exists="replace")
        return np.array(sorted(database.execute(query).fetchall()))[:, -1].astype(float)

    expected = model.predict_proba(pd.DataFrame(X, columns=names))[:, 1]
    np.testing.assert_allclose(probability(X), expected, rtol=1e-12)
    assert worst(probability, X, SIGNS, 10_000) >= -SOFT
    database.close()


def test_the_law_holds_in_onnx() -> None:
    runtime = pytest.importorskip("onnxruntime")
    X, y, z = problem(6)
    graph = aslant.export_onnx(fitted(CLASSIFIERS["forest"], X, y, z))
    session = runtime.InferenceSession(graph.SerializeToString())
    feed = session.get_inputs()[0].name

    def probability(rows: np.ndarray) -> np.ndarray:
        return session.run(None, {feed: rows.astype(np.float32)})[1][:, 1]

    assert worst(probability, X, SIGNS) >= -1e-6  # in single precision


# ---------------------------------------------------------------------- kinds of tables


def test_names_categories_and_missing_values() -> None:
    X, y, _ = problem(7)
    frame = pd.DataFrame(X, columns=["income", "age", "debt", "rate"])
    frame["region"] = np.where(X[:, 3] > 0.3, "north", np.where(X[:, 3] < -0.5, "south", "west"))
    frame.loc[::9, "income"] = np.nan
    signs = {"income": 1, "debt": -1}
    model = aslant.AutoTreeClassifier(effort="low", random_state=0, monotonic_cst=signs)
    model.fit(frame, y)
    predict = output(model)
    for name, sign in signs.items():
        values = np.linspace(-3.0, 3.0, 41)
        for _, row in frame.iloc[::7].iterrows():
            moved = pd.DataFrame([row] * len(values)).assign(**{name: values})
            moved[["income", "age", "debt", "rate"]] = moved[
                ["income", "age", "debt", "rate"]
            ].astype(float)
            assert (sign * np.diff(predict(moved)) >= -SOFT).all()
    text = aslant.export_text(model)
    assert "The probability of 1 never falls as income grows." in text
    assert "The probability of 1 never rises as debt grows." in text


def test_sparse_rows_and_pipelines() -> None:
    from scipy.sparse import csr_array

    X, y, _ = problem(8)
    sparse = np.where(np.abs(X) < 0.6, 0.0, X)
    for one in (aslant.CARTClassifier(), aslant.ObliqueRandomForestClassifier(5)):
        model = clone(one).set_params(random_state=0, monotonic_cst=SIGNS)
        dense = clone(model).fit(sparse, y)
        model.fit(csr_array(sparse), y)
        assert worst(output(model), sparse, SIGNS, 20_000) == 0.0
        np.testing.assert_array_equal(model.predict(sparse), dense.predict(sparse))
    pipe = make_pipeline(StandardScaler(), aslant.HHCARTClassifier(monotonic_cst=SIGNS))
    assert worst(output(pipe.fit(X, y)), X, SIGNS, N_PAIRS) == 0.0


def test_predictions_do_not_depend_on_threads() -> None:
    X, y, z = problem(9)
    for name in ("oc1", "cart", "forest", "auto"):
        one = fitted(CLASSIFIERS[name], X, y, z, n_jobs=1).predict_proba(X)
        np.testing.assert_array_equal(
            one, fitted(CLASSIFIERS[name], X, y, z, n_jobs=2).predict_proba(X)
        )


class RandomDirections(SplitSearch):
    """A search written in Python."""

    handles_regression = True

    def find(self, node: Any, rng: Any) -> Any:
        return node.best_along(rng.normal(size=(5, node.X.shape[1])))


@pytest.mark.parametrize("kind", ["twos", "sum one", "zeros", "far apart"])
def test_weights_and_a_search_in_python(kind: str) -> None:
    X, y, z = problem(10)
    rng = np.random.default_rng(0)
    weight = {
        "twos": np.full(len(y), 2.0),
        "sum one": np.full(len(y), 1.0 / len(y)),
        "zeros": (rng.random(len(y)) > 0.4).astype(float),
        "far apart": 10.0 ** rng.integers(-12, 12, size=len(y)),
    }[kind]
    for model in (
        aslant.CARTClassifier(),
        aslant.HHCARTClassifier(),
        aslant.AutoTreeClassifier(effort="low"),
        aslant.ObliqueRandomForestClassifier(4, n_jobs=2),
        aslant.AutoTreeRegressor(effort="low"),
        aslant.ObliqueRandomForestRegressor(4),
        aslant.ObliqueDecisionTreeClassifier(RandomDirections(), max_features_per_test=2),
        aslant.ObliqueDecisionTreeRegressor(RandomDirections()),
    ):
        model.set_params(monotonic_cst=SIGNS, random_state=0)
        model.fit(X, z if is_regressor(model) else y, sample_weight=weight)
        assert worst(output(model), X, SIGNS, 3000) >= -SOFT


def test_one_class_is_monotone() -> None:
    X, _, _ = problem(0)
    for model in (aslant.CARTClassifier(), aslant.AutoTreeClassifier(effort="low")):
        model.set_params(monotonic_cst=SIGNS).fit(X, np.zeros(len(X), dtype=int))
        assert model.get_n_leaves() == 1


# ---------------------------------------------------------------------- refusals


def test_what_cannot_be_monotone_is_refused() -> None:
    X, y, z = problem(0)
    three = np.digitize(z, [-0.5, 0.5])
    with pytest.raises(ValueError, match="need two classes or regression, got 3 classes"):
        aslant.CARTClassifier(monotonic_cst=SIGNS).fit(X, three)
    with pytest.raises(ValueError, match="need two classes or regression, got 3 classes"):
        aslant.AutoTreeClassifier(monotonic_cst=SIGNS).fit(X, three)
    with pytest.raises(ValueError, match="need one output, got a target with 2 outputs"):
        aslant.CARTRegressor(monotonic_cst=SIGNS).fit(X, np.column_stack([z, z]))
    with pytest.raises(ValueError, match="LinearMachine makes other tests"):
        aslant.ObliqueDecisionTreeClassifier("linear_machine", monotonic_cst=SIGNS).fit(X, y)
    with pytest.raises(ValueError, match="LinearMachine makes other tests"):
        aslant.LMDTClassifier(monotonic_cst=SIGNS).fit(X, y)
    with pytest.raises(ValueError, match="monotonic_cst must be None for MMLTreeClassifier"):
        aslant.MMLTreeClassifier(monotonic_cst=SIGNS).fit(X, y)
    with pytest.raises(ValueError, match="leaves that predict means"):
        aslant.LeastSquaresTreeRegressor(leaf="linear", monotonic_cst=SIGNS).fit(X, z)
    frame = pd.DataFrame({"a": X[:, 0], "b": np.where(X[:, 1] > 0, "u", "v")})
    with pytest.raises(ValueError, match="Categorical features cannot have monotonic"):
        aslant.CARTClassifier(monotonic_cst={"b": 1}).fit(frame, y)
    dates = pd.DataFrame({"a": X[:, 0], "day": pd.date_range("2020-01-01", periods=len(X))})
    with pytest.raises(ValueError, match="Dates with date_parts cannot have monotonic"):
        aslant.CARTClassifier(monotonic_cst={"day": 1}, date_parts=("month",)).fit(dates, y)
    with pytest.raises(ValueError, match="names 'c', which is not a column"):
        aslant.CARTClassifier(monotonic_cst={"c": 1}).fit(frame, y)
    with pytest.raises(ValueError, match="must hold -1, 0 or 1"):
        aslant.CARTClassifier(monotonic_cst=[2, 0, 0, 0]).fit(X, y)


def test_partitions_refuse_constraints() -> None:
    dask = pytest.importorskip("dask.array")
    from aslant.dask import DaskForest, DaskTree

    X, y, _ = problem(0)
    for wrapper, one in (
        (DaskTree, aslant.HHCARTClassifier(monotonic_cst=SIGNS)),
        (DaskForest, aslant.ObliqueRandomForestClassifier(3, max_samples=50, monotonic_cst=SIGNS)),
    ):
        with pytest.raises(ValueError, match="monotonic_cst must be None for"):
            wrapper(one).fit(dask.from_array(X, chunks=100), dask.from_array(y, chunks=100))
