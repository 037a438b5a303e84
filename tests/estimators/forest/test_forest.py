"""Forests: what they promise of rows, trees, probabilities and seeds."""

from __future__ import annotations

import json
import pickle
import warnings

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.metrics import balanced_accuracy_score, log_loss

from aslant import (
    ModelFileError,
    ObliqueDecisionTreeClassifier,
    ObliqueExtraTreesClassifier,
    ObliqueRandomForestClassifier,
    export_text,
    load,
    save,
)
from aslant.model_file.file import _checksum
from aslant.search import HHCART, AxisParallel, Fisher, ForestSplit, RandomProjection

IRIS = load_iris(return_X_y=True)
WINE = load_wine(return_X_y=True)
CANCER = load_breast_cancer(return_X_y=True)

FORESTS = [
    ObliqueRandomForestClassifier(12, random_state=1),
    ObliqueRandomForestClassifier(12, search="axis_parallel", random_state=1),
    ObliqueRandomForestClassifier(12, search="random_projection", random_state=1),
    ObliqueRandomForestClassifier(12, search="linear_machine", random_state=1),
    ObliqueRandomForestClassifier(12, search=HHCART(), max_features=0.5, random_state=1),
    ObliqueExtraTreesClassifier(12, random_state=1),
]
every_forest = pytest.mark.parametrize(
    "forest", FORESTS, ids=lambda f: f"{type(f).__name__}-{f.search}"
)


def mixed_table(n=300):
    """Numbers, a category of five levels, and missing values in both."""
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=(n, 3)), rng.integers(0, 5, n)])
    y = (X[:, 0] + np.isin(X[:, 3], (1, 4)) + 0.2 * rng.normal(size=n) > 0.5).astype(int)
    X[rng.random(X.shape) < 0.1] = np.nan
    return X, y


@every_forest
def test_the_forest_says_the_mean_of_its_trees(forest):
    X, y = WINE
    forest = clone(forest).fit(X, y)
    each = [tree.predict_proba(X) for tree in forest.estimators_]
    assert np.allclose(forest.predict_proba(X), np.mean(each, axis=0), rtol=0, atol=1e-14)
    assert forest.predict_proba(X).sum(axis=1) == pytest.approx(np.ones(len(y)), abs=1e-12)
    leaves = np.stack([tree.apply(X) for tree in forest.estimators_], axis=1)
    assert np.array_equal(forest.apply(X), leaves)
    paths, begin = forest.decision_path(X)
    assert paths.shape == (len(X), begin[-1])
    assert (paths[:, begin[3] : begin[4]] != forest.estimators_[3].decision_path(X)).nnz == 0


@every_forest
def test_missing_values_and_categories_reach_the_same_leaves(forest):
    X, y = mixed_table()
    forest = clone(forest).set_params(categorical_features=[3]).fit(X, y)
    leaves = np.stack([tree.apply(X) for tree in forest.estimators_], axis=1)
    assert np.array_equal(forest.apply(X), leaves)
    assert forest.score(X, y) > 0.9


@every_forest
def test_many_rows_reach_the_leaves_that_each_reaches_alone(forest):
    """Many rows go down a tree node by node, few one by one."""
    X, y = mixed_table()
    forest = clone(forest).set_params(categorical_features=[3]).fit(X, y)
    alone = np.concatenate([forest.apply(X[i : i + 1]) for i in range(0, len(X), 7)])
    assert np.array_equal(forest.apply(X)[::7], alone)
    alone = np.concatenate([forest.predict_proba(X[i : i + 1]) for i in range(0, len(X), 7)])
    assert np.array_equal(forest.predict_proba(X)[::7], alone)


@every_forest
def test_the_same_forest_for_any_number_of_threads(forest):
    X, y = CANCER
    one, four = (clone(forest).set_params(n_jobs=n).fit(X, y) for n in (1, 4))
    assert one.trees_ == four.trees_
    assert np.array_equal(one.predict_proba(X), four.predict_proba(X))


def test_another_seed_is_another_forest_and_trees_differ():
    X, y = IRIS
    one, other = (ObliqueRandomForestClassifier(5, random_state=s).fit(X, y) for s in (0, 1))
    assert one.trees_ != other.trees_
    assert one.trees_[0] != one.trees_[1]


def test_trees_are_grown_on_the_rows_they_have_drawn():
    X, y = WINE
    forest = ObliqueRandomForestClassifier(6, random_state=0).fit(X, y)
    for tree, rows in zip(forest.trees_, forest.estimators_samples_, strict=True):
        assert len(rows) == len(X)
        assert tree.n_node_samples[0] == len(np.unique(rows))
        assert np.array_equal(tree.value[0], np.bincount(y[rows], minlength=3))
    everything = ObliqueExtraTreesClassifier(2).fit(X, y).estimators_samples_
    assert all(np.array_equal(rows, np.arange(len(X))) for rows in everything)


@pytest.mark.parametrize(("asked", "drawn"), [(20, 20), (0.5, 89), (1.5, 267), (None, 178)])
def test_max_samples(asked, drawn):
    X, y = WINE
    forest = ObliqueRandomForestClassifier(3, max_samples=asked, random_state=0).fit(X, y)
    assert [len(rows) for rows in forest.estimators_samples_] == [drawn] * 3


def test_out_of_bag_probabilities_are_of_trees_that_have_not_drawn_the_row():
    X, y = WINE
    forest = ObliqueRandomForestClassifier(40, oob_score=True, random_state=0).fit(X, y)
    expected = np.zeros((len(X), 3))
    asked = np.zeros(len(X))
    for tree, rows in zip(forest.estimators_, forest.estimators_samples_, strict=True):
        out = np.setdiff1d(np.arange(len(X)), rows)
        expected[out] += tree.predict_proba(X[out])
        asked[out] += 1
    assert forest.oob_decision_function_ == pytest.approx(expected / asked[:, None], abs=1e-14)
    assert forest.oob_score_ == np.mean(expected.argmax(axis=1) == y) > 0.95


def test_out_of_bag_score_by_another_measure_and_with_too_few_trees():
    X, y = WINE
    forest = ObliqueRandomForestClassifier(
        40, oob_score=balanced_accuracy_score, random_state=0
    ).fit(X, y)
    predicted = forest.oob_decision_function_.argmax(axis=1)
    assert forest.oob_score_ == balanced_accuracy_score(y, predicted)
    with pytest.warns(UserWarning, match="Some inputs do not have OOB scores"):
        ObliqueRandomForestClassifier(2, oob_score=True, random_state=0).fit(X, y)


def test_a_warm_start_adds_the_trees_that_are_missing():
    X, y = IRIS
    grown = ObliqueRandomForestClassifier(4, warm_start=True, random_state=3).fit(X, y)
    first = list(grown.trees_)
    grown.set_params(n_estimators=9).fit(X, y)
    assert all(a is b for a, b in zip(first, grown.trees_, strict=False))
    assert grown.trees_ == ObliqueRandomForestClassifier(9, random_state=3).fit(X, y).trees_
    with pytest.warns(UserWarning, match="does not fit new trees"):
        grown.fit(X, y)
    with pytest.raises(ValueError, match="must be larger or equal"):
        grown.set_params(n_estimators=2).fit(X, y)


def test_class_weights():
    X, y = CANCER
    rare = np.concatenate([np.flatnonzero(y == 0)[:12], np.flatnonzero(y == 1)])
    X, y = X[rare], y[rare]
    tree = ObliqueRandomForestClassifier(1, class_weight="balanced", random_state=0)
    counts = np.bincount(y[tree.fit(X, y).estimators_samples_[0]])
    of_all = len(y) / (2 * np.bincount(y))
    assert tree.trees_[0].value[0] == pytest.approx(counts * of_all)
    each = ObliqueRandomForestClassifier(5, class_weight="balanced_subsample", random_state=0)
    for grown in each.fit(X, y).trees_:
        assert grown.value[0] == pytest.approx([len(y) / 2, len(y) / 2])
    given = ObliqueRandomForestClassifier(1, class_weight={0: 4.0, 1: 1.0}, random_state=0)
    counts = np.bincount(y[given.fit(X, y).estimators_samples_[0]])
    value = given.trees_[0].value[0]
    assert value[0] / value[1] == pytest.approx(4.0 * counts[0] / counts[1])


def test_balanced_samples_keep_the_weights_of_rows():
    """Every row stands there twice, once with a wrong label and next to no weight."""
    rng = np.random.default_rng(0)
    X = np.repeat(rng.normal(size=(100, 3)), 2, axis=0)
    true = (X[:, 0] > 0.8).astype(int)
    y = np.where(np.arange(200) % 2 == 0, true, 1 - true)
    weight = np.where(np.arange(200) % 2 == 0, 1.0, 1e-6)
    forest = ObliqueRandomForestClassifier(
        20, class_weight="balanced_subsample", min_samples_leaf=5, random_state=0
    )
    assert np.mean(forest.fit(X, y, weight).predict(X) == true) > 0.9


def test_rows_without_weight_are_no_rows():
    X, y = IRIS
    weight = np.where(np.arange(len(y)) % 3 == 0, 0.0, 1.0)
    weighed = ObliqueRandomForestClassifier(5, random_state=0, oob_score=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        weighed.fit(X, y, weight)
    alone = ObliqueRandomForestClassifier(5, random_state=0).fit(X[weight > 0], y[weight > 0])
    assert weighed.trees_ == alone.trees_
    unseen = weight == 0
    assert np.array_equal(weighed.oob_decision_function_[unseen], weighed.predict_proba(X[unseen]))


def test_stopping_rules_hold_in_every_tree():
    X, y = CANCER
    forest = ObliqueRandomForestClassifier(
        5, max_depth=4, min_samples_leaf=7, max_leaf_nodes=9, random_state=0
    ).fit(X, y)
    for tree in forest.trees_:
        assert tree.max_depth <= 4
        assert tree.n_leaves <= 9
        assert tree.n_node_samples.min() >= 7
    assert ObliqueRandomForestClassifier(3, ccp_alpha=10.0).fit(X, y).get_n_leaves() == 3


@pytest.mark.parametrize(
    ("asked", "most"), [("sqrt", 5), ("log2", 4), (3, 3), (0.1, 3), (None, 30)]
)
def test_max_features_limits_what_a_node_may_choose_from(asked, most):
    """With as many features as `most` all nodes that test the only useful one could draw it."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 30))
    y = (X[:, 7] > 0).astype(int)
    forest = ObliqueRandomForestClassifier(
        200, search="axis_parallel", max_features=asked, max_depth=1, random_state=0
    ).fit(X, y)
    chosen = [tree.coef_column[0] == 7 for tree in forest.trees_]
    assert np.mean(chosen) == pytest.approx(most / 30, abs=0.1)


def test_half_of_the_large_nodes_have_a_direction():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 16))
    y = (X.sum(axis=1) > 0).astype(int)
    for search, share in ((ForestSplit(), 0.5), (ForestSplit(oblique_share=1.0), 1.0)):
        forest = ObliqueRandomForestClassifier(200, search=search, max_depth=1, random_state=0)
        tests = [tree.features_in_test[0] for tree in forest.fit(X, y).trees_]
        assert set(tests) <= {1, 8}
        assert np.mean(np.array(tests) == 8) == pytest.approx(share, abs=0.12)


def test_random_projections_have_the_density_that_is_asked_for():
    X, y = CANCER
    for search, terms in ((RandomProjection(), {3}), (RandomProjection(density=0.5), {15})):
        forest = ObliqueRandomForestClassifier(20, search=search, max_depth=2, random_state=0)
        sizes = {int(size) for tree in forest.fit(X, y).trees_ for size in tree.features_in_test}
        assert sizes - {0} == terms


@pytest.mark.parametrize("search", [AxisParallel(), Fisher(), "fisher", "hhcart"])
def test_any_search_sees_a_few_features_only(search):
    X, y = CANCER
    forest = ObliqueRandomForestClassifier(4, search=search, max_features=3, random_state=0)
    for tree in forest.fit(X, y).trees_:
        assert tree.features_in_test.max() <= 3
    assert forest.score(X, y) > 0.9


def test_extra_trees_draw_their_thresholds():
    rng = np.random.default_rng(0)
    X = rng.uniform(size=(500, 1))
    y = (X[:, 0] > 0.5).astype(int)
    extra = ObliqueExtraTreesClassifier(300, search="axis_parallel", max_depth=1, random_state=0)
    thresholds = np.array([tree.threshold[0] for tree in extra.fit(X, y).trees_])
    assert np.quantile(thresholds, [0.25, 0.5, 0.75]) == pytest.approx([0.25, 0.5, 0.75], abs=0.08)
    with pytest.raises(ValueError, match="random thresholds need search"):
        ObliqueExtraTreesClassifier(search="oc1").fit(X, y)


def test_importances_sum_to_one_and_find_the_feature_that_matters():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 5))
    forest = ObliqueRandomForestClassifier(30, random_state=0).fit(X, X[:, 2] > 0)
    assert forest.feature_importances_.sum() == pytest.approx(1.0)
    assert forest.feature_importances_.argmax() == 2


def test_proximity_is_the_share_of_common_leaves():
    X, y = IRIS
    forest = ObliqueRandomForestClassifier(20, random_state=0).fit(X, y)
    near = forest.proximity(X)
    leaves = forest.apply(X)
    assert np.array_equal(np.diag(near), np.ones(len(X)))
    assert near[3, 77] == np.mean(leaves[3] == leaves[77])
    assert np.array_equal(near[:4, 5:9], forest.proximity(X[:4], X[5:9]))
    assert near[:50, :50].mean() > 0.9 > 0.1 > near[:50, 50:].mean()


def test_a_distilled_tree_is_small_and_says_what_the_forest_says():
    X, y = CANCER
    forest = ObliqueRandomForestClassifier(50, random_state=0).fit(X, y)
    tree = forest.distil(X, y, sizes=(4, 8))
    assert tree.get_n_leaves() <= 8
    assert np.mean(tree.predict(X) == forest.predict(X)) > 0.95
    assert tree.loss_ == pytest.approx(-np.log(tree.predict_proba(X)[np.arange(len(y)), y]).mean())
    smaller = forest.distil(X, y, sizes=(2,), searches=("axis_parallel",))
    assert tree.loss_ < smaller.loss_
    with pytest.raises(ValueError, match="classes that the model was fitted with"):
        forest.distil(X, y + 5)
    with pytest.raises(ValueError, match="sizes must be a list of at least one"):
        forest.distil(X, y, sizes=())


def test_a_member_reads_like_any_tree():
    X, y = IRIS
    forest = ObliqueRandomForestClassifier(3, random_state=0).fit(X, y)
    assert isinstance(forest[0], ObliqueDecisionTreeClassifier)
    assert len(forest) == 3
    text = export_text(forest[1])
    assert "<=" in text or ">=" in text
    assert "held out" not in text


@every_forest
def test_saved_forests_say_the_same(forest, tmp_path):
    X, y = mixed_table()
    forest = clone(forest).set_params(categorical_features=[3]).fit(X, y)
    save(forest, tmp_path / "forest.aslant")
    again = load(tmp_path / "forest.aslant")
    assert again.trees_ == forest.trees_
    assert np.array_equal(again.predict_proba(X), forest.predict_proba(X))
    assert np.array_equal(again.feature_importances_, forest.feature_importances_)
    assert all(
        np.array_equal(a, b)
        for a, b in zip(again.estimators_samples_, forest.estimators_samples_, strict=True)
    )
    copied = pickle.loads(pickle.dumps(forest))
    assert np.array_equal(copied.predict_proba(X), forest.predict_proba(X))


def test_a_model_file_is_compact(tmp_path):
    X, y = CANCER
    forest = ObliqueRandomForestClassifier(20, random_state=0).fit(X, y)
    save(forest, tmp_path / "forest.aslant")
    plain = sum(array.nbytes for tree in forest.trees_ for array in tree.arrays().values())
    assert (tmp_path / "forest.aslant").stat().st_size < plain


def test_progress_counts_trees():
    X, y = CANCER
    seen = []
    forest = ObliqueRandomForestClassifier(
        400, random_state=0, verbose=lambda done, n: seen.append((done, n))
    )
    forest.fit(X, y)
    assert seen
    assert all(0 <= done <= 400 and n == 400 for done, n in seen)
    assert seen == sorted(seen)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_estimators": 0}, "n_estimators must be"),
        ({"max_features": 0}, "'max_features' parameter must be"),
        ({"max_features": "all"}, "'max_features' parameter must be"),
        ({"max_samples": -1.5}, "'max_samples' parameter must be"),
        ({"max_samples": 0}, "'max_samples' parameter must be"),
        ({"max_samples": 5, "bootstrap": False}, "cannot be set if"),
        ({"oob_score": True, "bootstrap": False}, "only available if bootstrap=True"),
        ({"oob_score": "yes"}, "oob_score must be True or False"),
        ({"search": "forrest"}, "Did you mean 'forest'"),
        ({"search": 3}, "search must be a name"),
        ({"criterion": "ginny"}, "Did you mean 'gini'"),
        ({"class_weight": "even"}, "class_weight must be"),
        ({"missing": "zero"}, "missing must be one of"),
        ({"n_jobs": 0}, "n_jobs must be"),
        ({"random_state": "x"}, "random_state must be"),
        ({"verbose": -1}, "verbose must be"),
    ],
)
def test_refusals(parameters, message):
    with pytest.raises((ValueError, TypeError), match=message):
        ObliqueRandomForestClassifier(**parameters).fit(*IRIS)


def test_calibrated_probabilities_have_less_loss_and_the_same_classes():
    """Powers above one for clear classes, below one for noise; none of it from rows trees drew."""
    rng = np.random.default_rng(0)
    noisy = rng.normal(size=(400, 4))
    label = (noisy[:, 0] + 2.0 * rng.normal(size=400) > 0).astype(int)
    for X, y, sharper in ((*WINE, True), (noisy, label, False)):
        train, test = np.arange(len(y)) % 2 == 0, np.arange(len(y)) % 2 == 1
        plain = ObliqueRandomForestClassifier(60, random_state=0).fit(X[train], y[train])
        forest = clone(plain).set_params(calibrate=True).fit(X[train], y[train])
        assert plain.power_ is None
        assert (forest.power_ > 1.0) == sharper
        assert np.array_equal(forest.predict(X), plain.predict(X))
        proba = forest.predict_proba(X[test])
        assert proba.sum(axis=1) == pytest.approx(1.0)
        share = (60 * plain.predict_proba(X[test]) + 1.0 / proba.shape[1]) / 61
        raised = share**forest.power_
        assert proba == pytest.approx(raised / raised.sum(axis=1, keepdims=True))
        loss = [log_loss(y[test], p) for p in (proba, share)]
        assert loss[0] < loss[1]


def test_the_power_is_the_one_of_least_out_of_bag_loss(tmp_path):
    X, y = CANCER
    weight = np.where(y == 0, 3.0, 1.0)
    forest = ObliqueRandomForestClassifier(80, calibrate=True, oob_score=True, random_state=0)
    forest.fit(X, y, weight)
    share = (80 * forest.oob_decision_function_ + 0.5) / 81
    losses = {}
    for power in forest.power_ * np.array([0.9, 1.0, 1.1]):
        raised = share**power
        proba = raised[np.arange(len(y)), y] / raised.sum(axis=1)
        losses[power] = np.average(-np.log(proba), weights=weight)
    assert min(losses, key=losses.get) == forest.power_
    save(forest, tmp_path / "forest.aslant")
    again = load(tmp_path / "forest.aslant")
    assert np.array_equal(again.predict_proba(X), forest.predict_proba(X))
    assert clone(forest).set_params(calibrate=False).fit(X, y).power_ is None
    with pytest.raises(ValueError, match="set bootstrap=True"):
        forest.set_params(bootstrap=False, oob_score=False).fit(X, y)


def test_a_power_made_by_hand_is_refused(tmp_path):
    X, y = IRIS
    save(ObliqueRandomForestClassifier(2, max_depth=2).fit(X, y), tmp_path / "forest.aslant")
    document = json.loads((tmp_path / "forest.aslant").read_text())
    document["state"]["power"] = -1.0
    document["sha256"] = _checksum(document)
    (tmp_path / "forest.aslant").write_text(json.dumps(document))
    with pytest.raises(ModelFileError, match="power of a forest must be"):
        load(tmp_path / "forest.aslant")
