"""LTUTreeClassifier and LMDTClassifier: their parts put together, and bad data."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import cross_val_predict

from aslant import CARTClassifier, LMDTClassifier, LTUTreeClassifier, ObliqueDecisionTreeClassifier
from aslant.datasets import make_ls10
from aslant.search import AverageGain, Pocket, SequentialSelection, Thermal, ThresholdUnit

POCKET = Pocket(presentations=2000)
MODELS = {
    "ltu": LTUTreeClassifier(),
    "ltu pocket sfs": LTUTreeClassifier(learner=POCKET, selection="sfs"),
    "ltu thermal hss": LTUTreeClassifier(learner="thermal", selection="hss"),
    "ltu cart": LTUTreeClassifier(learner="cart", selection="cart", beta=0.1),
    "ltu uni": LTUTreeClassifier(selection="dsbe", univariate=True, pruning="multivariate"),
    "ltu all features": LTUTreeClassifier(selection=None),
    "lmdt": LMDTClassifier(),
    "lmdt pocket": LMDTClassifier(learner=POCKET, selection="sfs"),
    "lmdt rls": LMDTClassifier(learner="rls", selection="sbe", shortlist=2),
    "lmdt multivariate pruning": LMDTClassifier(selection=None, pruning="multivariate"),
}
every_model = pytest.mark.parametrize("model", MODELS.values(), ids=MODELS.keys())


def fitted(model: Any, X: Any, y: Any, **changed: Any) -> Any:
    """Fit, and check what must be true of every tree."""
    tree = clone(model).set_params(random_state=0, **changed).fit(X, y)
    shares = tree.predict_proba(X)
    assert np.isfinite(shares).all()
    np.testing.assert_allclose(shares.sum(axis=1), 1.0)
    assert np.isfinite(tree.tree_.coef_value).all()
    assert np.isfinite(tree.tree_.coef_fill).all()
    if tree.pruning is None:
        arrived = np.bincount(tree.apply(X), minlength=tree.tree_.n_nodes)
        leaf = tree.tree_.is_leaf
        assert np.array_equal(arrived[leaf], tree.tree_.n_node_samples[leaf])
    return tree


# ---------------------------------------------------------------------- what they are made of


def test_they_are_the_searches_and_the_pruning_of_the_generic_tree() -> None:
    X, y = load_iris(return_X_y=True)
    parts = ObliqueDecisionTreeClassifier(
        SequentialSelection(ThresholdUnit(learner=Thermal(calm=0.02)), shortlist=2),
        pruning="reduced_error",
        random_state=4,
    ).fit(X, y)
    whole = LTUTreeClassifier(
        learner=Thermal(calm=0.02), selection="sbe", shortlist=2, random_state=4
    ).fit(X, y)
    assert whole.tree_ == parts.tree_


@every_model
def test_they_learn(model: Any) -> None:
    X, y = load_iris(return_X_y=True)
    assert fitted(model, X, y).score(X, y) > 0.9


@every_model
def test_the_seed_decides(model: Any) -> None:
    X, y = load_iris(return_X_y=True)
    assert fitted(model, X, y).tree_ == fitted(model, X, y).tree_


def test_the_best_univariate_test_competes() -> None:
    """A threshold that is always right, for which least squares is too much drawn by outliers."""
    rng = np.random.default_rng(0)
    X = np.exp(2.0 * rng.normal(size=(200, 3)))
    y = (X[:, 1] > 1.5).astype(int)
    alone = fitted(LTUTreeClassifier(selection=None), X, y, pruning=None)
    competing = fitted(LTUTreeClassifier(selection=None, univariate=True), X, y, pruning=None)
    assert np.count_nonzero(alone.tree_.coef[[0]].toarray()) == 3
    assert np.count_nonzero(competing.tree_.coef[[0]].toarray()) == 1
    assert competing.tree_.n_leaves == 2
    assert competing.score(X, y) == 1.0


@pytest.mark.parametrize("criterion", ["gain_ratio", "gini"])
def test_the_better_by_merit_is_the_root(criterion: str) -> None:
    """Whichever it is: the other two trees have the scores to compare."""
    chosen = []
    univariate_tree = ObliqueDecisionTreeClassifier(AverageGain(), criterion="gain_ratio")
    if criterion == "gini":
        univariate_tree = CARTClassifier()
    for seed in range(6):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(80, 3))
        y = (X[:, 0] + rng.uniform(0.0, 0.7) * X[:, 1] + 0.5 * rng.normal(size=80) > 0.3).astype(
            int
        )
        stump: dict[str, Any] = {"criterion": criterion, "pruning": None, "max_depth": 1}
        multivariate = fitted(LTUTreeClassifier(), X, y, **stump).tree_
        univariate = fitted(univariate_tree, X, y, **stump).tree_
        both = fitted(LTUTreeClassifier(univariate=True), X, y, **stump).tree_
        merits = [merit(tree, criterion) for tree in (multivariate, univariate, both)]
        assert merits[2] == pytest.approx(max(merits[:2]))
        chosen.append(merits[0] > merits[1])
    assert len(set(chosen)) == 2


def merit(tree: Any, criterion: str) -> float:
    share = tree.value[1:].sum(axis=1) / tree.value[0].sum()
    gain = tree.impurity[0] - share @ tree.impurity[1:]
    return float(gain if criterion == "gini" else gain / -(share @ np.log2(share)))


def test_a_machine_of_many_classes_has_a_branch_for_each() -> None:
    X, y = load_iris(return_X_y=True)
    model = fitted(LMDTClassifier(selection=None), X, y)
    assert (model.tree_.children[0] >= 0).sum() == 3


def test_lmdt_separates_ls10() -> None:
    """Two thousand rows on both sides of a hyperplane in ten dimensions."""
    X, y = make_ls10(random_state=0)
    model = LMDTClassifier(random_state=0)
    assert np.mean(cross_val_predict(model, X, y, cv=5) == y) > 0.99
    assert model.fit(X, y).get_n_leaves() <= 3


def test_categories_and_missing_values() -> None:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "colour": pd.Categorical.from_codes(rng.integers(0, 3, 150), ["red", "green", "blue"]),
            "large": rng.random(150) < 0.5,
            "length": rng.normal(size=150),
        }
    )
    y = (frame["length"] + (frame["colour"] == "green") + frame["large"] > 1.0).to_numpy()
    frame.loc[::9, "length"] = np.nan
    frame.loc[::11, "colour"] = np.nan
    for model in MODELS.values():
        assert fitted(model, frame, y).score(frame, y) > 0.7


# ---------------------------------------------------------------------- bad data


@every_model
@pytest.mark.parametrize(("n", "d"), [(4, 10), (12, 40), (30, 31)])
def test_fewer_rows_than_features(model: Any, n: int, d: int) -> None:
    """No test has more features than half the rows it was learned from."""
    rng = np.random.default_rng(n)
    X = rng.normal(size=(n, d))
    y = np.arange(n) % 2
    tree = fitted(model, X, y, pruning=None).tree_
    if model.selection in ("sbe", "sfs", "dsbe", "hss"):
        for node in np.flatnonzero(~tree.is_leaf):
            columns = tree.coef_column[slice(*tree.coef_start[tree.row_start[[node, node + 1]]])]
            assert len(set(columns)) <= tree.n_node_samples[node] / 2


@every_model
def test_classes_with_one_row(model: Any) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    y = np.where(np.arange(60) < 55, X[:, 0] > 0.0, np.arange(60))
    tree = fitted(model, X, y, pruning=None)
    assert len(tree.classes_) == 7
    assert tree.score(X, y) > 0.8


@every_model
def test_every_class_has_one_row(model: Any) -> None:
    X = np.random.default_rng(0).normal(size=(8, 3))
    fitted(model, X, np.arange(8))
    fitted(model, X, np.arange(8), pruning=None)


@every_model
def test_perfectly_collinear_columns(model: Any) -> None:
    """Copies, multiples, sums: the weights stay moderate, and the classes are told apart."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 3))
    y = (X.sum(axis=1) > 0.0).astype(int)
    wide = np.column_stack([X, X[:, 0], -3.0 * X[:, 1], X[:, 0] + X[:, 2], X @ [1.0, 2.0, 3.0]])
    tree = fitted(model, wide, y, pruning=None)
    assert tree.score(wide, y) > 0.9
    assert np.abs(tree.tree_.coef_value).max() < 1e6


@every_model
def test_all_values_of_a_feature_missing_at_a_node(model: Any) -> None:
    """Below a first test that one feature decides; there the other feature has no coefficient."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3))
    X[:, 0] = np.where(np.arange(200) < 100, -20.0, 20.0) + X[:, 0]
    y = np.where(X[:, 0] < 0.0, 0, 1 + (X[:, 2] > 0.0))
    X[X[:, 0] > 0.0, 1] = np.nan
    fit = fitted(model, X, y, pruning=None)
    tree = fit.tree_
    passed = fit.decision_path(X).toarray().astype(bool)
    looked = 0
    for node in np.flatnonzero(~tree.is_leaf):
        if np.isnan(X[passed[:, node], 1]).all():
            columns = tree.coef_column[slice(*tree.coef_start[tree.row_start[[node, node + 1]]])]
            assert 1 not in columns
            looked += 1
    assert looked > 0 or (tree.children[0] >= 0).sum() == 3
    assert fit.score(X, y) > 0.9


@every_model
def test_all_values_of_a_feature_missing(model: Any) -> None:
    X, y = load_iris(return_X_y=True)
    X[:, 1] = np.nan
    fit = fitted(model, X, y)
    assert 1 not in fit.tree_.coef_column
    assert fit.score(X, y) > 0.9


@every_model
def test_one_class_and_equal_rows(model: Any) -> None:
    X = np.random.default_rng(0).normal(size=(20, 3))
    assert fitted(model, X, np.zeros(20)).get_n_leaves() == 1
    assert fitted(model, np.ones((20, 3)), np.arange(20) % 2).get_n_leaves() == 1


@every_model
def test_weights_of_every_size(model: Any) -> None:
    X, y = load_iris(return_X_y=True)
    weight = 10.0 ** np.random.default_rng(0).integers(-6, 7, len(y))
    tree = clone(model).set_params(random_state=0).fit(X, y, weight)
    assert np.isfinite(tree.predict_proba(X)).all()
