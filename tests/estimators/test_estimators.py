"""Behaviour that all estimators share: labels, weights, stopping rules, attributes, prediction."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import issparse
from sklearn.base import clone
from sklearn.datasets import load_iris, make_classification
from sklearn.exceptions import NotFittedError
from sklearn.tree import DecisionTreeClassifier

from aslant import (
    C45Classifier,
    CARTClassifier,
    CARTLCClassifier,
    FisherTreeClassifier,
    HHCARTClassifier,
    KDTClassifier,
    LMDTClassifier,
    LTUTreeClassifier,
    ObliqueDecisionTreeClassifier,
    OC1Classifier,
    PolePairClassifier,
    QUESTClassifier,
    SADTClassifier,
)
from aslant.search import SADT

IRIS = load_iris(return_X_y=True)
ESTIMATORS = {
    "cart": CARTClassifier(),
    "c45": C45Classifier(),
    "oc1": OC1Classifier(restarts=5, random_state=0),
    "cart_lc": CARTLCClassifier(random_state=0),
    "sadt": SADTClassifier(patience=2000, random_state=0),
    "fisher": FisherTreeClassifier(random_state=0),
    "quest": QUESTClassifier(random_state=0),
    "hhcart": HHCARTClassifier(random_state=0),
    "pole_pair": PolePairClassifier(random_state=0),
    "kdt": KDTClassifier(SADT(patience=2000), n_estimators=3, random_state=0),
    "lmdt": LMDTClassifier(random_state=0),
    "ltu": LTUTreeClassifier(random_state=0),
    "generic": ObliqueDecisionTreeClassifier(random_state=0),
}
every_estimator = pytest.mark.parametrize("model", ESTIMATORS.values(), ids=ESTIMATORS.keys())


def classification(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return rows of three classes, and weights under which no two different splits tie.

    The numbers fit into 32 bits, which is what scikit-learn makes of them.
    """
    X, y = make_classification(
        500, 6, n_informative=4, n_redundant=0, n_classes=3, flip_y=0.1, random_state=seed
    )
    weight = np.random.default_rng(seed).integers(1, 4096, len(y)) / 1024.0
    return X.astype(np.float32).astype(np.float64), y, weight


# ------------------------------------------------------------------ labels

LABELS = {
    "int": [3, -1, 7],
    "str": ["setosa", "versicolor", "virginica"],
    "float": [0.0, 1.0, 2.0],
    "object": np.array(["b", "a", "c"], dtype=object),
    "negative float": [-3.0, 8.0, 2.0],
    "uint8": np.array([200, 3, 9], dtype=np.uint8),
    "date": np.array(["2020-01-01", "2019-01-01", "2021-01-01"], dtype="datetime64[D]"),
}


@pytest.mark.parametrize("labels", LABELS.values(), ids=LABELS.keys())
@every_estimator
def test_labels_of_any_type_come_back_as_they_were(model: Any, labels: Any) -> None:
    X, y = IRIS
    given = np.asarray(labels)[y]
    model.fit(X, given)
    assert np.array_equal(model.classes_, np.unique(given))
    predicted = model.predict(X)
    assert predicted.dtype == given.dtype
    assert np.mean(predicted == given) > 0.6
    assert model.score(X, given) == np.mean(predicted == given)


def test_the_order_of_labels_changes_nothing_else() -> None:
    X, y = IRIS
    names = np.array(["z", "m", "a"])
    plain, named = CARTClassifier().fit(X, y), CARTClassifier().fit(X, names[y])
    assert np.array_equal(names[plain.predict(X)], named.predict(X))


@pytest.mark.parametrize("make", [list, tuple, pd.Series, lambda y: pd.Series(y, dtype="category")])
def test_containers_of_labels(make: Any) -> None:
    X, y = IRIS
    model = CARTClassifier().fit(X, make(np.array(["a", "b", "c"])[y].tolist()))
    assert set(model.predict(X)) == {"a", "b", "c"}


def test_two_truth_values() -> None:
    X, y = IRIS
    model = OC1Classifier(random_state=0).fit(X, y == 1)
    assert model.classes_.tolist() == [False, True]
    assert model.predict(X).dtype == bool


# ------------------------------------------------------------------ the same tree as scikit-learn

SETTINGS: dict[str, dict[str, Any]] = {
    "no limit": {},
    "max_depth": {"max_depth": 4},
    "min_samples_leaf": {"min_samples_leaf": 12},
    "min_samples_leaf as a fraction": {"min_samples_leaf": 0.03},
    "min_samples_split": {"min_samples_split": 60},
    "min_samples_split as a fraction": {"min_samples_split": 0.2},
    "min_weight_fraction_leaf": {"min_weight_fraction_leaf": 0.04},
    "min_impurity_decrease": {"min_impurity_decrease": 0.01},
    "max_leaf_nodes": {"max_leaf_nodes": 11},
    "max_leaf_nodes and others": {"max_leaf_nodes": 20, "min_samples_leaf": 5, "max_depth": 6},
    "ccp_alpha": {"ccp_alpha": 0.01},
    "ccp_alpha and max_leaf_nodes": {"ccp_alpha": 0.01, "max_leaf_nodes": 25},
    "class_weight": {"class_weight": {0: 1.0, 1: 4.0, 2: 0.5}, "min_samples_leaf": 8},
}


@pytest.mark.parametrize("setting", SETTINGS.values(), ids=SETTINGS.keys())
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_cart_grows_the_tree_of_scikit_learn(criterion: str, setting: dict[str, Any]) -> None:
    full = CARTClassifier(criterion=criterion).fit(*classification(0)).get_n_leaves()
    for seed in range(3):
        X, y, weight = classification(seed)
        ours = CARTClassifier(criterion=criterion, smoothing=0.0, **setting).fit(X, y, weight)
        theirs = DecisionTreeClassifier(criterion=criterion, random_state=0, **setting)
        theirs.fit(X, y, weight)
        assert ours.get_n_leaves() == theirs.get_n_leaves()
        assert ours.get_depth() == theirs.get_depth()
        np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X))
        np.testing.assert_allclose(
            np.sort(ours.tree_.impurity), np.sort(theirs.tree_.impurity), atol=1e-12
        )
        assert np.array_equal(
            np.sort(ours.tree_.n_node_samples), np.sort(theirs.tree_.n_node_samples)
        )
        if setting:
            assert ours.get_n_leaves() < full


def test_unweighted_with_one_feature_the_trees_agree_on_new_rows() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 1)).astype(np.float32)
    y = (np.sin(3.0 * X[:, 0]) + rng.normal(size=400) / 2.0 > 0.0).astype(int)
    new = rng.normal(size=(400, 1)).astype(np.float32)
    ours = CARTClassifier(smoothing=0.0).fit(X, y)
    theirs = DecisionTreeClassifier(random_state=0).fit(X, y)
    assert ours.get_n_leaves() == theirs.get_n_leaves()
    assert np.array_equal(ours.predict_proba(new), theirs.predict_proba(new))


def test_importances_do_not_depend_on_units() -> None:
    """A coefficient counts by how far its feature spreads."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 3))
    y = (X[:, 0] + X[:, 1] > 0.0).astype(int)
    model = QUESTClassifier(pruning=None, max_depth=2)
    one = clone(model).fit(X, y)
    other = clone(model).fit(X * [1.0, 1024.0, 2.0**-10], y)
    np.testing.assert_allclose(one.feature_importances_, other.feature_importances_, rtol=1e-6)
    assert one.feature_importances_[:2].min() > 0.3


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_importances_are_those_of_scikit_learn(criterion: str) -> None:
    X, y, weight = classification(1)
    setting: dict[str, Any] = {"criterion": criterion, "max_leaf_nodes": 10}
    ours = CARTClassifier(**setting).fit(X, y, weight)
    theirs = DecisionTreeClassifier(random_state=0, **setting).fit(X, y, weight)
    np.testing.assert_allclose(ours.feature_importances_, theirs.feature_importances_)


@pytest.mark.parametrize("weighted", [False, True])
def test_the_pruning_path_is_that_of_scikit_learn(weighted: bool) -> None:
    X, y, weight = classification(2)
    weight = weight if weighted else None
    setting = {"min_samples_leaf": 15}
    ours = CARTClassifier(**setting).cost_complexity_pruning_path(X, y, weight)
    theirs = DecisionTreeClassifier(random_state=0, **setting).cost_complexity_pruning_path(
        X, y, weight
    )
    np.testing.assert_allclose(ours.ccp_alphas, theirs.ccp_alphas, atol=1e-12)
    np.testing.assert_allclose(ours.impurities, theirs.impurities, atol=1e-12)
    for alpha in ours.ccp_alphas[[1, len(ours.ccp_alphas) // 2, -1]]:
        slightly_more = alpha * (1.0 + 1e-9)
        sizes = {
            model(ccp_alpha=slightly_more, random_state=0, **setting)
            .fit(X, y, weight)
            .get_n_leaves()
            for model in (CARTClassifier, DecisionTreeClassifier)
        }
        assert len(sizes) == 1


# ------------------------------------------------------------------ rules that hold for all

RULES: dict[str, dict[str, Any]] = {
    name: SETTINGS[name]
    for name in ("max_depth", "min_samples_leaf", "max_leaf_nodes", "min_weight_fraction_leaf")
}


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES.keys())
@every_estimator
def test_stopping_rules_hold_in_every_tree(model: Any, rule: dict[str, Any]) -> None:
    X, y, weight = classification(3)
    fitted = type(model)(**{**model.get_params(deep=False), "pruning": None, **rule})
    fitted.fit(X, y, weight)
    for one in getattr(fitted, "estimators_", [fitted]):
        tree = one.tree_
        assert tree.n_leaves > 2
        assert tree.max_depth <= rule.get("max_depth", np.inf)
        assert tree.n_leaves <= rule.get("max_leaf_nodes", np.inf)
        assert tree.n_node_samples.min() >= rule.get("min_samples_leaf", 1)
        share = tree.value.sum(axis=1) / tree.value[0].sum()
        assert share.min() >= rule.get("min_weight_fraction_leaf", 0.0) * (1.0 - 1e-9)


@pytest.mark.parametrize("search", ["axis_parallel", "oc1", "cart_lc", "c45"])
def test_best_first_without_a_real_limit_grows_the_same_tree(search: str) -> None:
    X, y, _ = classification(4)
    depth_first = ObliqueDecisionTreeClassifier(search, random_state=0).fit(X, y)
    best_first = ObliqueDecisionTreeClassifier(search, random_state=0, max_leaf_nodes=10**6)
    assert depth_first.tree_ == best_first.fit(X, y).tree_


def test_best_first_takes_the_best_leaves_first() -> None:
    X, y, _ = classification(5)
    sizes = (4, 8, 16)
    risk = []
    for n_leaves in sizes:
        tree = CARTClassifier(max_leaf_nodes=n_leaves).fit(X, y).tree_
        assert tree.n_leaves == n_leaves
        leaf = tree.is_leaf
        risk.append((tree.impurity * tree.n_node_samples)[leaf].sum())
        limited = CARTClassifier(max_depth=int(np.log2(n_leaves))).fit(X, y).tree_
        assert limited.n_leaves <= n_leaves
        leaf = limited.is_leaf
        assert risk[-1] <= (limited.impurity * limited.n_node_samples)[leaf].sum()
    assert np.diff(risk).max() < 0.0


# ------------------------------------------------------------------ weights


def test_class_weights_multiply_row_weights() -> None:
    X, y, weight = classification(6)
    by_class = np.array([1.0, 3.0, 0.25])
    one = CARTClassifier(class_weight={0: 1.0, 1: 3.0, 2: 0.25}).fit(X, y, weight)
    other = CARTClassifier().fit(X, y, weight * by_class[y])
    assert one.tree_ == other.tree_


def test_balanced_classes_have_the_same_weight_at_the_root() -> None:
    X, y = IRIS
    rows = np.r_[0:50, 50:70, 100:103]
    model = CARTClassifier(class_weight="balanced").fit(X[rows], y[rows])
    np.testing.assert_allclose(model.tree_.value[0], len(rows) / 3.0)


@every_estimator
def test_a_row_of_weight_zero_is_no_row(model: Any) -> None:
    X, y = IRIS
    weight = np.ones(150)
    weight[::3] = 0.0
    kept = weight > 0.0
    with_zeros = model.fit(X, y, weight).predict_proba(X)
    assert np.array_equal(with_zeros, model.fit(X[kept], y[kept]).predict_proba(X))


def test_a_class_whose_rows_all_weigh_zero_stays_a_class() -> None:
    X, y = IRIS
    model = CARTClassifier().fit(X, y, (y != 1).astype(float))
    assert model.classes_.tolist() == [0, 1, 2]
    assert model.predict_proba(X).shape == (150, 3)
    assert 1 not in model.predict(X)


@pytest.mark.parametrize("factor", [2.0**-200, 2.0**-30, 2.0**30, 2.0**200])
@pytest.mark.parametrize("criterion", ["gini", "entropy", "twoing", "sum_minority"])
def test_only_the_proportions_of_weights_count(criterion: str, factor: float) -> None:
    X, y = IRIS
    setting: dict[str, Any] = {"criterion": criterion, "min_samples_leaf": 5, "smoothing": 0.0}
    plain = CARTClassifier(**setting).fit(X, y)
    scaled = CARTClassifier(**setting).fit(X, y, np.full(150, factor))
    assert np.array_equal(plain.apply(X), scaled.apply(X))
    np.testing.assert_allclose(plain.predict_proba(X), scaled.predict_proba(X))


# ------------------------------------------------------------------ prediction and attributes


@every_estimator
def test_probabilities(model: Any) -> None:
    X, y = IRIS
    share = model.fit(X, y).predict_proba(X)
    assert share.shape == (150, 3)
    np.testing.assert_allclose(share.sum(axis=1), 1.0)
    assert np.array_equal(model.classes_[share.argmax(axis=1)], model.predict(X))
    with np.errstate(divide="ignore"):
        assert np.array_equal(model.predict_log_proba(X), np.log(share))


@pytest.mark.parametrize("search", ["axis_parallel", "oc1", "c45", "cart_lc"])
def test_paths_lead_to_the_leaves(search: str) -> None:
    X, y = IRIS
    model = ObliqueDecisionTreeClassifier(search, random_state=0).fit(X, y)
    path, leaf, tree = model.decision_path(X), model.apply(X), model.tree_
    assert issparse(path)
    assert path.shape == (150, tree.n_nodes)
    assert np.array_equal(path.sum(axis=1), tree.depth[leaf] + 1)
    for row in (0, 75, 149):
        node = 0
        while not tree.is_leaf[node]:
            assert path[[row], [node]].item() == 1
            split = tree.split(node)
            node = tree.children[node, int(X[row] @ split.coef > split.threshold)]
        assert node == leaf[row]


@every_estimator
def test_fitted_attributes(model: Any) -> None:
    X, y = IRIS
    frame = pd.DataFrame(X, columns=["a", "b", "c", "d"])
    model.fit(frame, y)
    assert model.n_features_in_ == 4
    assert model.feature_names_in_.tolist() == ["a", "b", "c", "d"]
    assert model.feature_importances_.shape == (4,)
    assert model.feature_importances_.sum() == pytest.approx(1.0)
    assert (model.feature_importances_ >= 0.0).all()
    assert model.n_hyperplanes_ >= 1
    assert model.get_n_leaves() >= 2
    assert model.get_depth() >= 1


def test_more_hyperplanes_are_considered_with_more_restarts() -> None:
    X, y, _ = classification(7)
    few, many = (
        OC1Classifier(restarts=n, random_state=0).fit(X, y).n_hyperplanes_ for n in (1, 10)
    )
    assert many > 3 * few


def test_the_coefficients_are_in_the_units_of_the_input() -> None:
    X, y = IRIS
    tree = OC1Classifier(random_state=0, pruning=None).fit(X, y).tree_
    assert tree.coef.shape == (tree.n_nodes, 4)
    inside = X @ tree.coef[[0]].toarray()[0] <= tree.threshold[0]
    assert inside.sum() == tree.n_node_samples[tree.children[0, 0]]


def test_coefficients_by_feature_and_by_column() -> None:
    X = pd.DataFrame({"colour": ["red", "blue", "red", "blue"] * 10, "size": np.arange(40.0)})
    oblique = OC1Classifier(pruning=None, random_state=0, restarts=5)
    tree = oblique.fit(X, (np.arange(40) % 4 > 1) ^ (X["size"] > 20)).tree_
    assert [tuple(column) for column in tree.columns] == [(0, 0), (0, 1), (1, None)]
    assert tree.column_coef.shape == (tree.n_nodes, 3)
    for node in np.flatnonzero(~tree.is_leaf):
        assert np.array_equal(tree.column_coef[[node]].toarray()[0], tree.split(node).coef)
    with pytest.raises(ValueError, match="tests categories"):
        _ = tree.coef
    numbers = oblique.fit(X[["size"]], X["size"] > 20).tree_
    assert np.array_equal(numbers.coef.toarray(), numbers.column_coef.toarray())
    # The category comes first, but the tests do not read it: then there is one number a feature.
    other = CARTClassifier().fit(X, X["size"] > 20).tree_
    assert other.coef.toarray().tolist() == [[0.0, 1.0], [0.0, 0.0], [0.0, 0.0]]


def test_the_feature_of_each_test_where_there_is_one() -> None:
    X, y = IRIS
    ours = CARTClassifier().fit(X, y)
    tree = ours.tree_
    assert set(tree.feature) <= {-2, 0, 1, 2, 3}
    assert np.array_equal(tree.feature == -2, tree.is_leaf)
    node = np.zeros(len(X), dtype=int)
    for _ in range(tree.max_depth):  # as tools do that read scikit-learn's trees
        inner = np.flatnonzero(~tree.is_leaf[node])
        left = X[inner, tree.feature[node[inner]]] <= tree.threshold[node[inner]]
        at = node[inner]
        node[inner] = np.where(left, tree.children_left[at], tree.children_right[at])
    assert np.array_equal(node, ours.apply(X))
    for other in (OC1Classifier(pruning=None, random_state=0), LMDTClassifier()):
        assert not hasattr(other.fit(X, y).tree_, "feature")


@pytest.mark.parametrize("method", ["predict", "predict_proba", "apply", "decision_path"])
@every_estimator
def test_nothing_works_before_fitting(model: Any, method: str) -> None:
    blank = type(model)()
    with pytest.raises(NotFittedError):
        getattr(blank, method)(IRIS[0])
    with pytest.raises(NotFittedError):
        blank.get_depth()


def test_fitting_again_forgets_the_first_fit() -> None:
    X, y = IRIS
    model = CARTClassifier().fit(pd.DataFrame(X, columns=list("abcd")), y)
    model.fit(X[:, :2], y > 0)
    assert model.n_features_in_ == 2
    assert model.classes_.tolist() == [False, True]
    assert not hasattr(model, "feature_names_in_")
    assert model.predict(X[:, :2]).shape == (150,)


# ------------------------------------------------------------------ missing values


def test_what_stands_in_for_a_missing_value() -> None:
    """At the second node the mean of the node and that of all rows lie on different sides."""
    X = np.array([[0.0, 1.0], [0.0, 2.0], [0.0, 3.0], [1.0, 10.0], [1.0, 12.0], [1.0, 30.0]])
    y = [0, 0, 0, 1, 1, 2]
    asked = [[1.0, np.nan]]
    split = {}
    for missing in ("node_mean", "training_mean"):
        tree = CARTClassifier(missing=missing).fit(X, y).tree_
        second = tree.split(int(tree.children[0, 1]))
        split[missing] = second.fill[1]
        assert CARTClassifier(missing=missing).fit(X, y).predict(asked).tolist() == [1]
    assert split["node_mean"] == pytest.approx((10.0 + 12.0 + 30.0) / 3.0)
    assert split["training_mean"] == pytest.approx(X[:, 1].mean())


def test_the_choice_of_the_mean_can_change_a_prediction() -> None:
    X = np.array([[0.0, 0.0]] * 9 + [[1.0, 10.0], [1.0, 12.0], [1.0, 30.0], [1.0, 32.0]])
    y = [0] * 9 + [1, 1, 2, 2]
    asked = [[1.0, np.nan]]
    weight = [30.0] * 9 + [1.0, 1.0, 5.0, 5.0]
    label = {
        missing: CARTClassifier(missing=missing).fit(X, y, weight).predict(asked).tolist()
        for missing in ("node_mean", "training_mean")
    }
    assert label == {"node_mean": [2], "training_mean": [1]}


@every_estimator
def test_missing_values_in_fitting_and_predicting(model: Any) -> None:
    X, y = IRIS
    holes = X.copy()
    holes[np.random.default_rng(0).random(X.shape) < 0.15] = np.nan
    model.fit(holes, y)
    assert model.score(holes, y) > 0.75
    nothing = model.predict_proba(np.full((1, 4), np.nan))
    assert np.isfinite(nothing).all()


# ------------------------------------------------------------------ progress


def test_progress_counts_the_rows_in_leaves(capsys: pytest.CaptureFixture[str]) -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(3000, 10)), rng.integers(0, 2, 3000)
    seen: list[tuple[int, int]] = []
    model = OC1Classifier(
        random_state=0, pruning=None, max_depth=7, verbose=lambda *count: seen.append(count)
    )
    model.fit(X, y)
    assert seen
    assert seen == sorted(seen)
    assert all(0 <= done <= 3000 and total == 3000 for done, total in seen)
    model.set_params(verbose=1).fit(X, y)
    printed = capsys.readouterr()
    assert "OC1Classifier" in printed.err
    assert "of 3000 rows" in printed.err
    assert not printed.out


def test_worked_example_of_sum_minority() -> None:
    """Fifty rows of one class, twenty-four of another, twenty-six of the first: no split helps."""
    X = np.arange(100.0)[:, None]
    y = np.repeat([1, 2, 1], [50, 24, 26])
    assert CARTClassifier(criterion="sum_minority").fit(X, y).get_n_leaves() == 1
    assert CARTClassifier(criterion="twoing").fit(X, y).get_n_leaves() == 3
