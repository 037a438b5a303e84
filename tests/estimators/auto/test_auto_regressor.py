"""AutoTreeRegressor: what it promises whatever the data."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from aslant_papers.datasets.regression import make_planes
from sklearn.datasets import load_diabetes, make_friedman1
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import aslant
from aslant import AutoTreeRegressor, CARTRegressor, export_code, export_text, load, save
from aslant.encoding.data_warning import DataWarning
from aslant.inspection.resolve import resolve

X, Y = make_friedman1(240, n_features=6, noise=1.0, random_state=0)


def fitted(rows: Any = X, y: Any = Y, **settings: Any) -> AutoTreeRegressor:
    return AutoTreeRegressor(**{"random_state": 0, "effort": "low", **settings}).fit(rows, y)


@pytest.fixture(scope="module")
def model() -> AutoTreeRegressor:
    return fitted()


def friedman(n: int, seed: int) -> Any:
    return make_friedman1(n, random_state=seed)


@pytest.mark.parametrize("make", [friedman, make_planes])
def test_one_small_tree_above_an_ordinary_one(make: Any) -> None:
    train, test = make(300, 0), make(300, 1)
    ours = fitted(*train)
    assert ours.score(*test) > CARTRegressor().fit(*train).score(*test) + 0.03
    assert ours.get_n_leaves() <= 12


def test_the_tree_is_an_ordinary_one(model: AutoTreeRegressor) -> None:
    tree = model.tree_
    leaf = tree.apply(X)
    for node in np.flatnonzero(tree.is_leaf):
        assert tree.value[node, 0] == pytest.approx(Y[leaf == node].mean())
    assert tree.impurity[0] == pytest.approx(Y.var())
    assert model.feature_importances_.sum() == pytest.approx(1.0)
    assert model.n_hyperplanes_ > 0


def test_candidates_and_choice() -> None:
    model = fitted(effort="medium")
    assert len(model.candidates_) > 4 * (3 + 4) + 2  # most starts have a smaller one, too
    finished = [record for record in model.candidates_ if record["folds"] == 5]
    lowest = min(finished, key=lambda record: record["loss"])
    limit = lowest["loss"] + 0.1 * lowest["standard_error"]
    close = [record for record in finished if record["loss"] <= limit]
    taken = min(close, key=lambda record: record["coefficients"])
    assert taken["start"] in model.choice_
    assert f"{taken['error'] / Y.var():.3g} of the variance" in model.choice_
    assert f"{len(finished)} candidates" in model.choice_
    alone = model.candidates_[0]
    assert alone["start"] == "single leaf without a test"
    assert alone["error"] == pytest.approx(Y.var(), rel=0.05)  # the mean of the other folds


@pytest.mark.parametrize("leaf", ["mean", "linear"])
def test_leaves_of_one_kind(leaf: str) -> None:
    model = fitted(leaf=leaf)
    assert model.tree_.is_linear == (leaf == "linear")
    named = {record["start"] for record in model.candidates_ if record["l2"] is not None}
    assert all(("linear leaves" in name) == (leaf == "linear") for name in named)


def test_a_line_is_one_leaf_with_a_function() -> None:
    line = X @ np.arange(6.0)
    model = fitted(y=line)
    assert model.get_n_leaves() == 1
    assert model.choice_.startswith("A single linear leaf:")
    assert model.score(X, line) > 0.999


def test_where_two_planes_meet_is_found() -> None:
    rng = np.random.default_rng(2)
    rows = rng.normal(size=(200, 3))
    y = 10.0 * np.abs(rows[:, 0] + rows[:, 1]) + rng.normal(size=200)
    model = fitted(rows, y, effort="medium")
    assert model.get_n_leaves() == 2
    other = rng.normal(size=(300, 3))
    assert model.score(other, 10.0 * np.abs(other[:, 0] + other[:, 1])) > 0.97


def test_nothing_to_learn_gives_a_leaf() -> None:
    rng = np.random.default_rng(0)
    noise = rng.normal(size=200)
    with pytest.warns(DataWarning, match="predicts the same for all rows"):
        model = fitted(rng.normal(size=(200, 3)), noise, sparsity=1.0, leaf="mean")
    assert model.get_n_leaves() == 1
    assert np.abs(model.predict(np.zeros((1, 3))) - noise.mean()) < 0.3


def test_soft_predictions(model: AutoTreeRegressor) -> None:
    assert model.is_soft_
    soft = model.predict(X)
    assert np.array_equal(soft, model.gates_.predict(X)[:, 0])
    hard = pickle.loads(pickle.dumps(model)).set_params(predictions="leaf")
    assert not hard.is_soft_
    assert np.array_equal(hard.predict(X), model.tree_.predict(X)[:, 0])
    assert not np.array_equal(hard.predict(X), soft)
    assert fitted(predictions="leaf").gates_ is None


def test_more_sparsity_means_fewer_coefficients() -> None:
    """Of the same candidates; None does without the sparse ones, and may take a smaller tree."""

    def size(sparsity: float) -> int:
        tree = fitted(sparsity=sparsity).tree_
        return len(tree.coef_value) + np.count_nonzero(tree.leaf_coef[tree.is_leaf])

    counts = [size(sparsity) for sparsity in (0.0, 0.5, 20.0)]
    assert counts[0] >= counts[1] >= counts[2]
    assert counts[0] > counts[2]


def test_limits() -> None:
    assert fitted(max_leaf_nodes=3).get_n_leaves() <= 3
    model = fitted(max_features_per_test=2, leaf="mean")
    assert 1 <= model.tree_.features_in_test.max() <= 2


def test_any_number_of_threads_gives_the_same_tree(model: AutoTreeRegressor) -> None:
    several = fitted(n_jobs=3)
    assert model.tree_ == several.tree_
    assert np.array_equal(model.predict(X), several.predict(X))
    assert model.choice_ == several.choice_


@pytest.mark.parametrize("unit", [2.0**-900, 2.0**900])
def test_the_unit_of_the_target_does_not_matter(model: AutoTreeRegressor, unit: float) -> None:
    other = fitted(y=Y * unit)
    assert np.array_equal(other.predict(X) / unit, model.predict(X))
    assert other.choice_ == model.choice_


def test_rows_of_weight_zero_do_not_exist() -> None:
    weight = (np.arange(len(Y)) % 3 > 0).astype(float)
    some = AutoTreeRegressor(random_state=0, effort="low").fit(X, Y, sample_weight=weight)
    assert some.tree_ == fitted(X[weight > 0], Y[weight > 0]).tree_


def test_several_outputs() -> None:
    target = np.column_stack([Y, -2.0 * Y + X[:, 0]])
    model = fitted(y=target)
    assert model.predict(X).shape == target.shape
    assert model.score(X, target) > 0.7


def test_missing_values_and_categories() -> None:
    rng = np.random.default_rng(0)
    size = rng.normal(size=300)
    frame = pd.DataFrame({"colour": rng.choice(["red", "green", "blue"], 300), "size": size})
    y = np.where(frame["colour"] == "red", 3.0 * size, 1.0 - size)
    frame.loc[rng.random(300) < 0.1, "size"] = np.nan
    frame.loc[rng.random(300) < 0.05, "colour"] = None
    model = fitted(frame, y)
    assert model.score(frame, y) > 0.7
    unseen = pd.DataFrame({"colour": ["violet", None], "size": [0.5, np.nan]})
    assert np.isfinite(model.predict(unseen)).all()


@pytest.mark.filterwarnings("ignore::aslant.DataWarning")
@pytest.mark.parametrize("n", [1, 2, 3, 5, 8])
def test_few_rows(n: int) -> None:
    rows = np.arange(float(n))[:, np.newaxis]
    model = fitted(rows, np.arange(float(n)) ** 2, effort="medium")
    assert np.isfinite(model.predict(rows)).all()


def test_large_data_are_chosen_on_a_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    from dataclasses import replace

    from aslant.estimators.auto import base, effort

    rows, y = make_planes(3000)
    small = replace(effort.EFFORTS["low"], most_rows=300)
    monkeypatch.setitem(effort.EFFORTS, "low", small)
    monkeypatch.setattr(base, "MOST_ROWS_TO_FIT", 1000)
    model = fitted(rows, y)
    assert model.tree_.node_weight[0] == len(y)
    assert model.score(rows, y) > 0.85


def test_keeping(model: AutoTreeRegressor, tmp_path: Path) -> None:
    for one in (model, fitted(predictions="leaf", leaf="mean")):
        save(one, tmp_path / "model.aslant")
        for again in (load(tmp_path / "model.aslant"), pickle.loads(pickle.dumps(one))):
            assert np.array_equal(again.predict(X), one.predict(X))
            assert again.choice_ == one.choice_
            assert again.candidates_ == one.candidates_
            assert again.get_params() == one.get_params()


def test_gates_of_another_tree_are_refused(model: AutoTreeRegressor) -> None:
    state = model._to_state()
    steepness = state["gates"]["steepness"]
    for wrong in (steepness[1:], np.full_like(steepness, np.inf)):
        with pytest.raises(ValueError):
            AutoTreeRegressor()._from_state({**state, "gates": {"steepness": wrong}})


def test_text_code_and_pipeline(model: AutoTreeRegressor) -> None:
    assert "Predictions are soft" in export_text(model)
    module: dict[str, Any] = {}
    exec(export_code(model, "python"), module)
    predicted = [module["predict"](row) for row in X[:50].tolist()]
    np.testing.assert_allclose(predicted, model.predict(X[:50]), rtol=1e-12)
    pipeline = make_pipeline(StandardScaler(), AutoTreeRegressor(random_state=0, effort="low"))
    alone = resolve(pipeline.fit(X, Y), "a test")
    np.testing.assert_allclose(alone.predict(X), pipeline.predict(X))


def test_explained_and_reported(model: AutoTreeRegressor) -> None:
    explained = aslant.explain(model, X[:2])
    assert explained.to_text()
    values = aslant.shapley_values(model, X[:2], X[:20])
    total = np.asarray(values.values).reshape(2, -1).sum(axis=1) + np.ravel(values.base_values)
    np.testing.assert_allclose(total, model.predict(X[:2]))
    page = aslant.report(model, X, Y)
    assert "cross-validation" in page


def test_progress(capsys: pytest.CaptureFixture[str]) -> None:
    fitted(verbose=1)
    assert "AutoTreeRegressor: 240 of 240 rows" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"leaf": "median"}, "leaf must be one of 'auto', 'mean', 'linear'"),
        ({"predictions": "hard"}, "predictions must be one of 'soft', 'leaf'"),
        ({"effort": "none"}, "effort must be"),
        ({"missing": "mean"}, "missing must be"),
        ({"max_leaf_nodes": 1}, "max_leaf_nodes must be"),
        ({"sparsity": -1.0}, "sparsity must be"),
    ],
)
def test_what_is_not_allowed_is_said(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        fitted(**settings)


def test_growth_parameters_are_not_there() -> None:
    model = AutoTreeRegressor()
    for name in ("max_depth", "pruning", "ccp_alpha", "min_samples_split"):
        assert not hasattr(model, name)
        assert name not in model.get_params()


def test_real_rows() -> None:
    rows, y = load_diabetes(return_X_y=True)
    model = fitted(rows[::2], y[::2])
    assert model.score(rows[1::2], y[1::2]) > 0.38


def test_plain_trees_and_lines_compete() -> None:
    rng = np.random.default_rng(0)
    rows = rng.integers(0, 2, (300, 6)).astype(float)
    steps = np.where(rows[:, 0] == 1, 3.0 * rows[:, 1], 10.0 + 5.0 * rows[:, 2])
    model = fitted(rows, steps + 0.01 * rng.normal(size=300))
    assert "single features, as grown" in {record["start"] for record in model.candidates_}
    assert model.score(rows, steps) > 0.999
    assert len(model.tree_.coef_value) == 3


def test_small_by_default() -> None:
    rng = np.random.default_rng(0)
    rows = rng.random((1500, 2))
    waves = np.sin(40.0 * rows[:, 0]) + np.sin(40.0 * rows[:, 1])
    model = fitted(rows, waves, leaf="mean", max_leaf_nodes=None)
    assert model.get_n_leaves() > 32
    assert fitted(rows, waves, leaf="mean").get_n_leaves() <= 32


@pytest.mark.parametrize("leaf", ["mean", "linear"])
def test_leaves_hold_enough_rows(leaf: str) -> None:
    model = fitted(leaf=leaf, min_samples_leaf=60)
    rows = np.bincount(model.apply(X), minlength=model.tree_.n_nodes)[model.tree_.is_leaf]
    assert rows.min() >= 60


@pytest.mark.parametrize("scale", [1.0, 1e200])
def test_scoring(scale: float) -> None:
    """Scorers see predictions in the units of the targets."""
    model = fitted(y=scale * Y, scoring="neg_mean_absolute_error")
    finished = [record for record in model.candidates_ if record["folds"] == 3]
    best = min(record["loss"] for record in finished)
    assert 0.0 < best < np.abs(scale * Y - scale * Y.mean()).mean()
    assert f"(neg_mean_absolute_error {-best:.4g}" in model.choice_
