"""AutoTreeClassifier: what it promises whatever the data."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.metrics import log_loss, roc_auc_score
from sklearn.model_selection import cross_val_predict, cross_val_score

from aslant import (
    AutoTreeClassifier,
    CARTClassifier,
    export_code,
    export_graphviz,
    export_text,
    load,
    save,
)
from aslant.datasets import make_ls10, make_pol, make_rcb, make_waveform
from aslant.encoding.data_warning import DataWarning
from aslant.tree import LogitTree

WINE = load_wine(return_X_y=True)
IRIS = load_iris(return_X_y=True)


def fitted(X: Any = WINE[0], y: Any = WINE[1], **settings: Any) -> AutoTreeClassifier:
    """Return a fitted tree; a single linear leaf must be asked for."""
    given = {"random_state": 0, "effort": "low", "leaf": "constant", **settings}
    return AutoTreeClassifier(**given).fit(X, y)


def hard_prediction(clf: AutoTreeClassifier, X: Any) -> Any:
    return clf.classes_[clf.tree_.value.argmax(axis=1)][clf.apply(X)]


@pytest.mark.parametrize("effort", ["low", "medium"])
def test_one_small_tree_above_an_ordinary_one(effort: str) -> None:
    for X, y, least in (
        (*WINE, 0.94),
        (*load_breast_cancer(return_X_y=True), 0.95),
        (*make_ls10(400, random_state=0), 0.95),
    ):
        clf = AutoTreeClassifier(effort=effort, random_state=0)
        score = cross_val_score(clf, X, y, cv=3).mean()
        assert score > least
        assert score > cross_val_score(CARTClassifier(), X, y, cv=3).mean() + 0.01
        assert clf.fit(X, y).get_n_leaves() <= 8


def test_the_tree_is_an_ordinary_one() -> None:
    clf = fitted()
    tree = clf.tree_
    leaf = tree.apply(WINE[0])
    for node in np.flatnonzero(tree.is_leaf):
        assert np.array_equal(tree.value[node], np.bincount(WINE[1][leaf == node], minlength=3))
    assert (tree.n_node_samples > 0).all()
    assert tree.impurity[0] > tree.impurity[tree.is_leaf].max()
    assert clf.feature_importances_.sum() == pytest.approx(1.0)
    assert clf.n_hyperplanes_ > 0


def test_candidates_and_choice() -> None:
    clf = fitted(effort="medium", leaf="auto")
    names = {"start", "l2", "l1", "error", "log_loss", "loss", "standard_error", "folds"}
    for record in clf.candidates_:
        assert set(record) == names | {"leaves", "coefficients", "seconds"}
        assert 0.0 <= record["error"] <= 1.0
    starts = [record["start"] for record in clf.candidates_]
    for name, least in {  # the constant, L2 penalties with L1 penalties, CART as grown and softened
        "single leaf without a test": 1,
        "single linear leaf": 4 + 3,
        "linear tests": 3 + 4,
        "single features": 3 + 4,
        "single features, as grown": 1,
        "single features, fitted on the features of its own tests": 2,
    }.items():
        assert starts.count(name) >= least
    finished = [record for record in clf.candidates_ if record["folds"] == 5]
    lowest = min(finished, key=lambda record: record["loss"])
    limit = lowest["loss"] + 0.1 * lowest["standard_error"] + 1e-12
    close = [record for record in finished if record["loss"] <= limit]
    fewest = min(record["coefficients"] for record in close)
    taken = next(record for record in close if record["coefficients"] == fewest)
    assert taken["start"] in clf.choice_
    assert clf.choice_.endswith(".")
    assert f"error {100 * taken['error']:.1f} %" in clf.choice_
    assert f"log-loss {taken['log_loss']:.3g}" in clf.choice_


def test_what_was_dropped_early_cannot_win() -> None:
    X, y = make_pol(700, random_state=0)
    clf = fitted(X, y, effort="medium")
    dropped = [record for record in clf.candidates_ if record["folds"] < 5]
    assert dropped  # a strength that is far too large, for one
    finished = len(clf.candidates_) - len(dropped)
    assert f"{finished} candidates" in clf.choice_


def test_without_sparsity_the_lowest_error_wins() -> None:
    clf = fitted(sparsity=None, effort="medium")
    assert all(record["l1"] in (0.0, None) for record in clf.candidates_)
    finished = [record for record in clf.candidates_ if record["folds"] == 5]
    lowest = min(finished, key=lambda record: record["loss"])
    assert f"the best of {len(finished)} candidates" in clf.choice_
    assert f"error {100 * lowest['error']:.1f} %" in clf.choice_


def test_more_sparsity_means_fewer_coefficients() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    counts = [len(fitted(X, y, sparsity=s).tree_.coef_value) for s in (None, 0.5, 8.0)]
    assert counts[0] >= counts[1] >= counts[2]
    assert counts[0] > counts[2]


@pytest.mark.parametrize("most", [2, 3])
def test_limits(most: int) -> None:
    X, y = make_pol(500, random_state=0)
    assert fitted(X, y, max_leaf_nodes=most).get_n_leaves() <= most
    clf = fitted(max_features_per_test=most)
    assert 1 <= clf.tree_.features_in_test.max() <= most
    assert clf.score(*WINE) > 0.85
    line = fitted(max_features_per_test=most, leaf="linear")
    assert 1 <= line.tree_.leaf_coef.any(axis=(0, 1)).sum() <= most
    assert line.score(*WINE) > 0.85


def test_soft_probabilities() -> None:
    X, y = make_waveform(400, random_state=0)
    soft, leaf = fitted(X, y), fitted(X, y, probabilities="leaf")
    assert leaf.gates_ is None
    proba = soft.predict_proba(X)
    assert proba.sum(axis=1) == pytest.approx(np.ones(len(X)))
    assert np.array_equal(soft.predict(X), soft.classes_[proba.argmax(axis=1)])
    assert len(np.unique(proba.round(12), axis=0)) > 10 * soft.get_n_leaves()
    assert np.array_equal(leaf.predict(X), hard_prediction(leaf, X))
    assert len(np.unique(leaf.predict_proba(X), axis=0)) <= leaf.get_n_leaves()
    assert np.mean(soft.predict(X) == leaf.predict(X)) > 0.9


def test_soft_probabilities_are_better_ones() -> None:
    X, y = make_waveform(600, random_state=1)
    losses = {}
    for kind in ("soft", "leaf"):
        clf = AutoTreeClassifier(probabilities=kind, leaf="constant", effort="low", random_state=0)
        proba = cross_val_predict(clf, X, y, cv=3, method="predict_proba")
        losses[kind] = log_loss(y, 0.999 * proba + 0.001 / 3)
    assert losses["soft"] < losses["leaf"] - 0.03


@pytest.mark.parametrize("n_jobs", [2, 5])
def test_any_number_of_threads_gives_the_same_tree(n_jobs: int) -> None:
    X, y = make_waveform(300, random_state=0)
    one, several = fitted(X, y), fitted(X, y, n_jobs=n_jobs)
    assert one.tree_ == several.tree_
    assert np.array_equal(one.predict_proba(X), several.predict_proba(X))
    assert one.choice_ == several.choice_


def test_the_same_seed_gives_the_same_tree_and_others_are_allowed_to_differ() -> None:
    assert fitted().tree_ == fitted().tree_
    assert AutoTreeClassifier(effort="low").fit(*WINE).score(*WINE) > 0.9


def test_only_ratios_of_fractional_weights_count() -> None:
    X, y = IRIS
    share = np.random.default_rng(0).random(len(y)) + 0.5
    one, other = (
        AutoTreeClassifier(random_state=0, effort="low").fit(X, y, sample_weight=scale * share)
        for scale in (1.0, 2.0**-20)
    )
    assert np.array_equal(one.apply(X), other.apply(X))
    assert one.predict_proba(X) == pytest.approx(other.predict_proba(X), abs=1e-4)


def test_rows_of_weight_zero_do_not_exist() -> None:
    X, y = IRIS
    weight = (np.arange(len(y)) % 3 > 0).astype(float)
    some = AutoTreeClassifier(random_state=0, effort="low").fit(X, y, sample_weight=weight)
    assert some.tree_ == fitted(X[weight > 0], y[weight > 0], leaf="auto").tree_


def test_missing_values_and_categories() -> None:
    rng = np.random.default_rng(0)
    colour = rng.choice(["red", "green", "blue"], 300)
    size = rng.normal(size=300)
    y = np.where((colour == "red") == (size > 0.0), "yes", "no")
    size[rng.random(300) < 0.1] = np.nan
    X = np.array([colour, size], dtype=object).T
    X[rng.random(300) < 0.05, 0] = None
    clf = fitted(X, y, categorical_features=[0], effort="medium")
    assert clf.score(X, y) > 0.85
    assert np.isfinite(clf.predict_proba(X)).all()
    unseen = np.array([["violet", 0.5], [None, None]], dtype=object)
    assert clf.predict_proba(unseen).sum(axis=1) == pytest.approx([1.0, 1.0])


def test_class_weight() -> None:
    X, y = make_waveform(300, random_state=0)
    plain, biased = fitted(X, y == 0), fitted(X, y == 0, class_weight={False: 1.0, True: 8.0})
    assert biased.predict(X).sum() > plain.predict(X).sum()


def test_nothing_to_learn_gives_a_leaf() -> None:
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(80, 3)), rng.integers(0, 2, 80)
    y[:60] = 0
    with pytest.warns(DataWarning, match="predicts the same for all rows"):
        clf = fitted(X, y)
    assert clf.get_n_leaves() == 1
    assert "No candidate predicts better than the base rate" in clf.choice_
    assert clf.predict_proba(X) == pytest.approx(np.tile(np.bincount(y) / 80, (80, 1)), abs=1e-12)
    assert clf.gates_ is None


@pytest.mark.filterwarnings("ignore::aslant.DataWarning")
@pytest.mark.parametrize("n", [1, 2, 3, 5, 8])
def test_few_rows(n: int) -> None:
    X = np.arange(float(n))[:, np.newaxis]
    y = np.where(np.arange(n) < n // 2, "a", "b")
    clf = fitted(X, y, effort="medium")
    assert set(clf.predict(X)) <= {"a", "b"}
    assert clf.predict_proba(X).sum(axis=1) == pytest.approx(np.ones(n))


def test_large_data_are_chosen_on_a_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    from dataclasses import replace

    from aslant.estimators.auto import base, effort

    X, y = make_ls10(3000, random_state=0)
    small = replace(effort.EFFORTS["low"], most_rows=300)
    monkeypatch.setitem(effort.EFFORTS, "low", small)
    for most_to_fit in (1000, 10**6):
        monkeypatch.setattr(base, "MOST_ROWS_TO_FIT", most_to_fit)
        for leaf in ("constant", "linear"):
            clf = fitted(X, y, leaf=leaf)
            assert clf.tree_.value[0].sum() == len(y)
            assert clf.score(X, y) > 0.97


def test_keeping(tmp_path: Path) -> None:
    for kind in ("soft", "leaf"):
        clf = fitted(probabilities=kind)
        save(clf, tmp_path / "model.aslant")
        for again in (load(tmp_path / "model.aslant"), pickle.loads(pickle.dumps(clf))):
            assert np.array_equal(again.predict_proba(WINE[0]), clf.predict_proba(WINE[0]))
            assert again.choice_ == clf.choice_
            assert again.candidates_ == clf.candidates_
            assert again.get_params() == clf.get_params()


def test_gates_of_another_tree_are_refused() -> None:
    state = fitted()._to_state()
    blank = AutoTreeClassifier()
    for part, wrong in (
        ("share", state["gates"]["share"][:, :2]),
        ("share", 2.0 * state["gates"]["share"]),
        ("steepness", state["gates"]["steepness"][1:]),
        ("steepness", np.full_like(state["gates"]["steepness"], np.inf)),
        ("exponent", -1.0),
    ):
        with pytest.raises(ValueError):
            blank._from_state({**state, "gates": {**state["gates"], part: wrong}})


def test_text_says_that_probabilities_are_soft_and_prints_all_digits() -> None:
    for kind, said in (("soft", True), ("leaf", False)):
        clf = fitted(probabilities=kind)
        assert ("Probabilities are soft" in export_text(clf)) == said
        assert ("Probabilities are soft" in export_graphviz(clf)) == said
    text = export_text(clf, width=None)
    for value in np.abs(np.concatenate([clf.tree_.coef_value, clf.tree_.offset])):
        if value != 1.0:
            assert f"{value:.{clf.digits_}g}" in text
            assert float(f"{value:.{clf.digits_}g}") == value


def test_exported_code_is_that_of_the_soft_or_the_hard_tree() -> None:
    clf = fitted()
    for kind in ("soft", "leaf"):
        clf.set_params(probabilities=kind)
        module: dict[str, Any] = {}
        exec(export_code(clf, "python"), module)
        predicted = [module["predict"](row) for row in WINE[0].tolist()]
        assert predicted == clf.predict(WINE[0]).tolist()
    assert predicted == hard_prediction(clf, WINE[0]).tolist()


def test_progress() -> None:
    seen: list[tuple[int, int]] = []
    fitted(verbose=lambda done, total: seen.append((done, total)))
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    assert seen[-1] == (len(WINE[1]), len(WINE[1]))


def test_progress_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    fitted(verbose=1)
    assert "AutoTreeClassifier: 178 of 178 rows" in capsys.readouterr().err


def test_an_error_in_one_thread_ends_the_fit() -> None:
    def refuse(done: int, total: int) -> None:
        raise RuntimeError("no more")

    for n_jobs in (1, 3):
        with pytest.raises(RuntimeError, match="no more"):
            fitted(verbose=refuse, n_jobs=n_jobs)


def test_growth_parameters_are_not_there() -> None:
    clf = AutoTreeClassifier()
    for name in ("max_depth", "pruning", "ccp_alpha", "min_samples_split"):
        assert not hasattr(clf, name)
        assert name not in clf.get_params()


def test_importances_are_those_of_the_input() -> None:
    """Features derived from a column, here where it is missing and shares, count for it."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 3))
    y = np.digitize(X[:, 1] + 0.5 * np.isnan(X[:, 2]), [-0.5, 0.5])
    X[:, 2] = np.where((y == 0) & (rng.random(120) < 0.8), np.nan, X[:, 2])
    X[:, 0] = np.arange(120) % 40
    clf = AutoTreeClassifier(effort="low", categorical_features=[0], random_state=0).fit(X, y)
    assert len(clf.encoder_.source) > 3
    assert clf.feature_importances_.shape == (3,)
    assert clf.feature_importances_.sum() == pytest.approx(1.0)


def test_a_single_leaf_gives_way_to_a_tree_that_says_more() -> None:
    """Where one class is frequent, a tree may err as much as a leaf and yet know more."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 4))
    y = rng.random(200) < 1.0 / (1.0 + np.exp(1.4 - 1.3 * X[:, 0]))
    # Within so many standard errors the leaf would win by its lack of coefficients.
    assert fitted(X, y, sparsity=9.0).get_n_leaves() > 1


def rare(n: int = 1500, seed: int = 0) -> tuple[Any, Any]:
    """Return rows of which four in a hundred are of the class that a line tells from the other."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 6))
    return X, rng.random(n) < 1.0 / (1.0 + np.exp(4.0 - X[:, 0] - 0.7 * X[:, 1]))


def test_rare_classes_are_ranked() -> None:
    (X, y), (new, of_new) = rare(), rare(seed=1)
    clf = AutoTreeClassifier(random_state=0).fit(X, y)
    assert 0.02 < y.mean() < 0.08
    assert clf.predict(X).mean() < 0.02  # errors alone would give a constant
    assert roc_auc_score(of_new, clf.predict_proba(new)[:, 1]) > 0.75


def test_single_linear_leaf() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    clf = fitted(X, y, leaf="linear")
    tree = clf.tree_
    assert isinstance(tree, LogitTree)
    assert clf.gates_ is None
    assert not clf.is_soft_
    assert clf.choice_.startswith("A single linear leaf")
    logit = tree.leaf_value[0, 1] + (X - tree.leaf_center[0]) @ tree.leaf_coef[0, 1]
    logit = np.clip(logit, tree.leaf_low[0, 1], tree.leaf_high[0, 1])
    assert clf.predict_proba(X)[:, 1] == pytest.approx(1.0 / (1.0 + np.exp(-logit)))
    assert np.array_equal(clf.predict(X), (logit > 0.0).astype(int))
    assert not tree.leaf_coef[0, 0].any()
    assert clf.score(X, y) > 0.96
    far = clf.predict_proba(1e6 * X[:5])
    assert (far.max() <= clf.predict_proba(X).max()) and np.isfinite(far).all()


def test_plain_tree_wins_where_tests_of_single_features_are_right() -> None:
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (400, 8)).astype(float)
    y = np.where(X[:, 0] == 1, X[:, 1] + 2 * X[:, 2], 4 + X[:, 3])  # a tree of six leaves
    clf = AutoTreeClassifier(random_state=0).fit(X, y)
    assert clf.score(X, y) == 1.0
    assert len(clf.tree_.coef_value) == clf.get_n_leaves() - 1 == 5
    assert "single features" in clf.choice_


def test_small_by_default() -> None:
    X, y = make_rcb(1500, random_state=0)
    rng = np.random.default_rng(0)
    y = np.where(rng.random(len(y)) < 0.02, 1 - y, y)
    squares = (np.floor(8 * X[:, 0]) + np.floor(8 * X[:, 1])).astype(int) % 2
    free = fitted(X, squares, max_leaf_nodes=None)
    assert free.get_n_leaves() > 32
    assert fitted(X, squares).get_n_leaves() <= 32
    many = (np.floor(5 * X[:, 0]) * 5 + np.floor(5 * X[:, 1])).astype(int)
    assert fitted(X, many).get_n_leaves() <= 2 * len(np.unique(many))


@pytest.mark.parametrize("least", [20, 0.2])
def test_leaves_hold_enough_rows(least: float) -> None:
    X, y = make_waveform(400, random_state=0)
    clf = fitted(X, y, min_samples_leaf=least)
    rows = np.bincount(clf.apply(X), minlength=clf.tree_.n_nodes)[clf.tree_.is_leaf]
    assert rows.min() >= (least if least > 1 else least * 400)
    assert clf.get_n_leaves() > 1


@pytest.mark.parametrize("scoring", ["roc_auc", "neg_log_loss", "balanced_accuracy", "callable"])
def test_scoring(scoring: Any) -> None:
    X, y = rare(600)
    names = np.where(y, "yes", "no")
    seen: list[tuple[int, ...]] = []

    def own(estimator: Any, rows: Any, labels: Any) -> float:
        seen.append(rows.shape)
        assert set(labels) <= {"yes", "no"}
        return float(np.mean(estimator.predict(rows) == labels))

    clf = fitted(X, names, scoring=own if scoring == "callable" else scoring, leaf="auto")
    shown = "own" if scoring == "callable" else scoring
    assert f"({shown} " in clf.choice_
    finished = [record for record in clf.candidates_ if record["folds"] == 3]
    lowest = min(finished, key=lambda record: record["loss"])
    assert f"{-lowest['loss']:.4g}" in clf.choice_
    if scoring == "callable":
        assert {shape[1] for shape in seen} == {6}
        for record in finished:
            assert -record["loss"] == pytest.approx(1.0 - record["error"], abs=0.01)
    if scoring == "neg_log_loss":
        for record in finished:
            assert record["loss"] == pytest.approx(record["log_loss"], rel=0.02)


def test_a_score_that_is_no_number_is_refused() -> None:
    with pytest.raises(ValueError, match="finite number for every fold"):
        fitted(scoring=lambda *_: np.nan)
    with pytest.raises(ValueError):
        fitted(scoring="no_such_score")


def test_thresholds_between_integers_stay_between_them() -> None:
    """A row exactly on a gate has probability one half on either side."""
    rng = np.random.default_rng(0)
    X = rng.integers(1, 5, (300, 3)).astype(float)
    y = (X[:, 0] >= 3) ^ (X[:, 1] >= 3)
    clf = fitted(X, y, effort="medium")
    assert clf.score(X, y) == 1.0
    assert clf.predict_proba(X).max(axis=1).min() > 0.8
