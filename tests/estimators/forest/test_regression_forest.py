"""Forests that predict numbers: what they promise beside what all forests do."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_diabetes, make_friedman1
from sklearn.metrics import mean_absolute_error, r2_score
from sklearn.utils.estimator_checks import check_estimator

from aslant import (
    ModelFileError,
    ObliqueDecisionTreeRegressor,
    ObliqueExtraTreesRegressor,
    ObliqueRandomForestRegressor,
    export_text,
    load,
    save,
)
from aslant.model_file.file import _checksum
from aslant.search import HHCART, ForestSplit

DIABETES = load_diabetes(return_X_y=True)
FRIEDMAN = make_friedman1(300, noise=1.0, random_state=0)

FORESTS = [
    ObliqueRandomForestRegressor(8, random_state=1),
    ObliqueRandomForestRegressor(8, search="axis_parallel", max_features="sqrt", random_state=1),
    ObliqueRandomForestRegressor(8, search="random_projection", random_state=1),
    ObliqueRandomForestRegressor(8, search="least_squares", max_features=0.5, random_state=1),
    ObliqueRandomForestRegressor(8, search=HHCART(), max_features=0.5, random_state=1),
    ObliqueRandomForestRegressor(8, criterion="poisson", random_state=1),
    ObliqueExtraTreesRegressor(8, random_state=1),
]
every_forest = pytest.mark.parametrize(
    "forest", FORESTS, ids=lambda f: f"{type(f).__name__}-{f.search}-{f.criterion}"
)

CHECKED = [
    ObliqueRandomForestRegressor(5, max_depth=8),
    ObliqueRandomForestRegressor(5, search="oc1", max_depth=3),
    ObliqueExtraTreesRegressor(5, max_depth=8),
]


@pytest.mark.parametrize("forest", CHECKED, ids=repr)
def test_scikit_learn_checks(forest):
    drawn = {
        f"check_sample_weight_equivalence_on_{kind}_data": "rows are drawn, not weights"
        for kind in ("dense", "sparse")
    }
    check_estimator(forest, expected_failed_checks=drawn, on_skip=None)


def mixed_table(n=300):
    """Numbers, a category of five levels, and missing values in both."""
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=(n, 3)), rng.integers(0, 5, n)])
    y = np.exp(X[:, 0] + np.isin(X[:, 3], (1, 4)))
    X[rng.random(X.shape) < 0.1] = np.nan
    return X, y


@every_forest
def test_the_forest_says_the_mean_of_its_trees(forest):
    X, y = DIABETES
    forest = clone(forest).fit(X, y)
    each = [tree.predict(X) for tree in forest.estimators_]
    np.testing.assert_allclose(forest.predict(X), np.mean(each, axis=0), rtol=1e-13)
    leaves = np.stack([tree.apply(X) for tree in forest.estimators_], axis=1)
    assert np.array_equal(forest.apply(X), leaves)


@every_forest
def test_trees_hold_the_means_of_the_rows_they_have_drawn(forest):
    X, y = DIABETES
    forest = clone(forest).fit(X, y)
    for tree, rows in zip(forest.trees_, forest.estimators_samples_, strict=True):
        assert tree.value[0, 0] == pytest.approx(y[rows].mean())
        assert tree.error[0] == pytest.approx(y[rows].var())
        assert tree.node_weight[0] == len(rows)
        leaf = tree.apply(X[rows])
        means = np.bincount(leaf, y[rows]) / np.maximum(np.bincount(leaf), 1)
        np.testing.assert_allclose(tree.value[leaf, 0], means[leaf])


@every_forest
def test_missing_values_and_categories_reach_the_same_leaves(forest):
    X, y = mixed_table()
    forest = clone(forest).set_params(categorical_features=[3]).fit(X, y)
    leaves = np.stack([tree.apply(X) for tree in forest.estimators_], axis=1)
    assert np.array_equal(forest.apply(X), leaves)
    assert forest.score(X, y) > 0.8


@every_forest
def test_the_same_forest_for_any_number_of_threads(forest):
    X, y = FRIEDMAN
    y = y - y.min()
    one, four = (clone(forest).set_params(n_jobs=n).fit(X, y) for n in (1, 4))
    assert one.trees_ == four.trees_
    assert np.array_equal(one.predict(X), four.predict(X))


def test_out_of_bag_predictions_are_of_trees_that_have_not_drawn_the_row():
    X, y = DIABETES
    forest = ObliqueRandomForestRegressor(40, oob_score=True, random_state=0).fit(X, y)
    expected, asked = np.zeros(len(X)), np.zeros(len(X))
    for tree, rows in zip(forest.estimators_, forest.estimators_samples_, strict=True):
        out = np.setdiff1d(np.arange(len(X)), rows)
        expected[out] += tree.predict(X[out])
        asked[out] += 1
    np.testing.assert_allclose(forest.oob_prediction_, expected / asked)
    assert forest.oob_score_ == r2_score(y, forest.oob_prediction_) > 0.3
    by_distance = clone(forest).set_params(oob_score=mean_absolute_error).fit(X, y)
    assert by_distance.oob_score_ == mean_absolute_error(y, forest.oob_prediction_)


def test_rows_that_every_tree_has_drawn_have_no_out_of_bag_prediction():
    X, y = DIABETES
    with pytest.warns(UserWarning, match="Some inputs do not have OOB scores"):
        forest = ObliqueRandomForestRegressor(2, oob_score=True, random_state=0).fit(X, y)
    everywhere = np.isin(np.arange(len(X)), np.intersect1d(*forest.estimators_samples_))
    assert np.array_equal(np.isnan(forest.oob_prediction_), everywhere)
    known = ~everywhere
    assert forest.oob_score_ == r2_score(y[known], forest.oob_prediction_[known])


def test_several_outputs():
    X, y = FRIEDMAN
    both = np.column_stack([y, -3.0 * y])
    forest = ObliqueRandomForestRegressor(30, oob_score=True, random_state=0).fit(X, both)
    assert forest.n_outputs_ == 2
    assert forest.predict(X).shape == forest.oob_prediction_.shape == (300, 2)
    assert forest.oob_score_ == r2_score(both, forest.oob_prediction_) > 0.5
    assert forest[0].predict(X).shape == (300, 2)
    assert ObliqueRandomForestRegressor(2).fit(X, y[:, None]).predict(X).shape == (300,)


def test_a_warm_start_adds_the_trees_that_are_missing():
    X, y = DIABETES
    grown = ObliqueRandomForestRegressor(3, warm_start=True, random_state=3).fit(X, y)
    first = list(grown.trees_)
    grown.set_params(n_estimators=5).fit(X, y)
    assert all(a is b for a, b in zip(first, grown.trees_, strict=False))
    assert grown.trees_ == ObliqueRandomForestRegressor(5, random_state=3).fit(X, y).trees_
    with pytest.raises(ValueError, match="needs the outputs of the first fit"):
        grown.set_params(n_estimators=6).fit(X, np.column_stack([y, y]))


def test_a_direction_is_the_ridge_regression_on_drawn_features():
    """With every feature and no bootstrap the root's direction has one formula."""
    X, y = FRIEDMAN
    X, y = X[:200], y[:200]
    forest = ObliqueRandomForestRegressor(
        1, search=ForestSplit(oblique_share=1.0), bootstrap=False, max_depth=1, random_state=0
    ).fit(X, y)
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    ridge = (0.01 + 0.5 / len(y)) * np.eye(X.shape[1])
    w = np.linalg.solve(Z.T @ Z / len(y) + ridge, Z.T @ (y - y.mean()) / len(y)) / X.std(axis=0)
    found = forest.trees_[0].coef_value
    np.testing.assert_allclose(found / np.linalg.norm(found), w / np.linalg.norm(w), atol=1e-9)


def test_half_of_the_large_nodes_have_a_direction():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 16))
    forest = ObliqueRandomForestRegressor(200, max_features=4, max_depth=1, random_state=0)
    tests = [tree.features_in_test[0] for tree in forest.fit(X, X.sum(axis=1)).trees_]
    assert set(tests) <= {1, 8}
    assert np.mean(np.array(tests) == 8) == pytest.approx(0.5, abs=0.12)


def test_impurity_rules_are_in_the_units_of_the_target():
    X, y = DIABETES
    for settings in ({"min_impurity_decrease": 0.02 * y.var()}, {"ccp_alpha": 0.02 * y.var()}):
        forest = ObliqueRandomForestRegressor(3, random_state=0, **settings).fit(X, y)
        assert 6 <= forest.get_n_leaves() < 60
        larger = {name: value * 2.0**40 for name, value in settings.items()}
        other = ObliqueRandomForestRegressor(3, random_state=0, **larger).fit(X, y * 2.0**20)
        assert np.array_equal(other.predict(X), forest.predict(X) * 2.0**20)


@pytest.mark.parametrize("unit", [2.0**-1000, 2.0**-500, 2.0**500, 2.0**1015])
def test_any_unit_of_the_target_gives_the_same_forest(unit, tmp_path):
    X, y = DIABETES
    plain = ObliqueRandomForestRegressor(4, random_state=0).fit(X, y)
    other = ObliqueRandomForestRegressor(4, random_state=0).fit(X, y * unit)
    assert np.array_equal(other.apply(X), plain.apply(X))
    np.testing.assert_allclose(other.predict(X), plain.predict(X) * unit, rtol=1e-14)
    np.testing.assert_allclose(other.feature_importances_, plain.feature_importances_, rtol=1e-9)
    save(other, tmp_path / "forest.aslant")
    assert np.array_equal(load(tmp_path / "forest.aslant").predict(X), other.predict(X))


@pytest.mark.parametrize("cls", [ObliqueRandomForestRegressor, ObliqueExtraTreesRegressor])
def test_hostile_rows(cls):
    X, y = make_friedman1(40, n_features=60, random_state=0)
    assert np.isfinite(cls(3, random_state=0).fit(X, y).predict(X)).all()
    for value in (0.0, -7.3, 1e300):
        constant = cls(3, random_state=0).fit(X, np.full(40, value))
        assert constant.get_n_leaves() == 3
        np.testing.assert_allclose(constant.predict(X), value, rtol=1e-14)
    one = cls(3).fit([[1.0, 2.0]], [3.5])
    assert one.predict([[5.0, np.nan]]) == [3.5]
    extreme = cls(20, random_state=0).fit(X[:, :3] * [1e300, 1e-300, 1.0], y)
    assert extreme.score(X[:, :3] * [1e300, 1e-300, 1.0], y) > 0.3
    weight = np.where(np.arange(40) % 3 == 0, 0.0, 1.0)
    wrong = np.where(weight == 0.0, 1e9, y)
    kept = weight > 0
    assert (
        cls(3, random_state=0).fit(X, wrong, weight).trees_
        == cls(3, random_state=0).fit(X[kept], y[kept]).trees_
    )


@pytest.mark.parametrize(
    ("settings", "y", "message"),
    [
        ({}, [1.0, np.nan, 2.0], "Input y contains NaN"),
        ({}, [1.0, np.inf, 2.0], "Input y contains infinity"),
        ({}, ["a", "b", "c"], "could not convert string to float"),
        ({}, None, "requires y to be passed"),
        ({"criterion": "poisson"}, [-1.0, 2.0, 3.0], "targets that are not negative, got -1"),
        ({"criterion": "gini"}, [1.0, 2.0, 3.0], "criterion must be one of 'squared_error'"),
        ({"search": "mml"}, [1.0, 2.0, 3.0], "search must be one of"),
        ({"oob_score": True, "bootstrap": False}, [1.0, 2.0, 3.0], "only available if bootstrap"),
    ],
    ids=str,
)
def test_refusals(settings, y, message):
    with pytest.raises((ValueError, TypeError), match=message):
        ObliqueRandomForestRegressor(2, **settings).fit(np.arange(6.0).reshape(3, 2), y)


def test_extra_trees_draw_their_thresholds():
    rng = np.random.default_rng(0)
    X = rng.uniform(size=(200, 1))
    extra = ObliqueExtraTreesRegressor(300, search="axis_parallel", max_depth=1, random_state=0)
    thresholds = [tree.threshold[0] for tree in extra.fit(X, X[:, 0]).trees_]
    assert np.quantile(thresholds, [0.25, 0.5, 0.75]) == pytest.approx([0.25, 0.5, 0.75], abs=0.08)


def test_a_member_reads_like_any_tree():
    X, y = DIABETES
    forest = ObliqueRandomForestRegressor(3, random_state=0, max_depth=2).fit(X, y)
    assert isinstance(forest[0], ObliqueDecisionTreeRegressor)
    assert export_text(forest[1]).count("value: ") == forest.trees_[1].n_leaves
    assert "held out" not in export_text(forest[1])


@every_forest
def test_saved_forests_say_the_same(forest, tmp_path):
    X, y = mixed_table(100)
    frame = pd.DataFrame(X, columns=list("abcd"))
    forest = clone(forest).set_params(categorical_features=["d"]).fit(frame, y)
    save(forest, tmp_path / "forest.aslant")
    again = load(tmp_path / "forest.aslant")
    assert again.trees_ == forest.trees_
    assert np.array_equal(again.predict(frame), forest.predict(frame))
    assert np.array_equal(again.feature_importances_, forest.feature_importances_)
    copied = pickle.loads(pickle.dumps(forest))
    assert np.array_equal(copied.predict(frame), forest.predict(frame))


def test_a_file_made_by_hand_is_refused(tmp_path):
    X, y = DIABETES
    save(ObliqueRandomForestRegressor(2, max_depth=2).fit(X, y), tmp_path / "forest.aslant")
    document = json.loads((tmp_path / "forest.aslant").read_text())
    document["state"]["n_outputs"] = 2
    document["sha256"] = _checksum(document)
    (tmp_path / "forest.aslant").write_text(json.dumps(document))
    with pytest.raises(ModelFileError, match="another number of outputs"):
        load(tmp_path / "forest.aslant")


def test_a_distilled_tree_is_small_and_says_what_the_forest_says():
    X, y = FRIEDMAN
    forest = ObliqueRandomForestRegressor(40, random_state=0).fit(X, y)
    tree = forest.distil(X, y, sizes=(8, 16))
    assert tree.get_n_leaves() <= 16
    assert r2_score(forest.predict(X), tree.predict(X)) > 0.8
    assert tree.loss_ == pytest.approx(np.mean((tree.predict(X) - y) ** 2))
    assert tree.loss_ < forest.distil(X, y, sizes=(2,), searches=("axis_parallel",)).loss_


def test_without_extra_rows_a_distilled_tree_learns_the_out_of_bag_predictions():
    X, y = DIABETES
    forest = ObliqueRandomForestRegressor(40, oob_score=True, random_state=0).fit(X, y)
    tree = forest.distil(X, y, searches=("axis_parallel",), sizes=(8,), extra_rows=0)
    alone = ObliqueDecisionTreeRegressor(
        "axis_parallel", max_leaf_nodes=8, missing="node_mean", random_state=0
    )
    assert tree.tree_ == alone.fit(X, forest.oob_prediction_).tree_


@pytest.mark.parametrize("unit", [1.0, 2.0**600])
def test_distilling_several_outputs_missing_values_and_a_category(unit, tmp_path):
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=(200, 2)), rng.integers(0, 4, 200)])
    y = unit * np.column_stack([X[:, 0] + np.isin(X[:, 2], (1, 3)), -X[:, 1]])
    X[rng.random(X.shape) < 0.1] = np.nan
    forest = ObliqueRandomForestRegressor(10, categorical_features=[2], random_state=0).fit(X, y)
    tree = forest.distil(X, y, sizes=(4, 8))
    assert tree.predict(X).shape == (200, 2)
    assert r2_score(y / unit, tree.predict(X) / unit) > 0.3
    one = ObliqueRandomForestRegressor(10, categorical_features=[2], random_state=0)
    same = one.fit(X, y / unit).distil(X, y / unit, sizes=(4, 8))
    assert np.array_equal(same.predict(X), tree.predict(X) / unit)
    save(tree, tmp_path / "tree.aslant")
    assert np.array_equal(load(tmp_path / "tree.aslant").predict(X), tree.predict(X))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"sizes": ()}, "sizes must be a list of at least one"),
        ({"searches": "oc1"}, "searches must be a list of at least one"),
        ({"extra_rows": -1}, "extra_rows must be"),
        ({"searches": ("mml",)}, "search must be"),
    ],
)
def test_distilling_refuses(settings, message):
    X, y = DIABETES
    forest = ObliqueRandomForestRegressor(3, random_state=0).fit(X, y)
    with pytest.raises(ValueError, match=message):
        forest.distil(X, y, **settings)
    with pytest.raises(ValueError, match="as many outputs as the model, 1, got 2"):
        forest.distil(X, np.column_stack([y, y]))
