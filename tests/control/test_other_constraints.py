"""Groups of features, costs, features by depth, the first test, features per test."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from control.law import problem
from sklearn.base import is_regressor

import aslant
from aslant.search import HyperplaneSplit

ESTIMATORS: dict[str, Any] = {
    "cart": aslant.CARTClassifier(),
    "oc1": aslant.OC1Classifier(restarts=2, pruning=None),
    "hhcart": aslant.HHCARTClassifier(pruning=None),
    "fisher": aslant.FisherTreeClassifier(pruning=None),
    "forest": aslant.ObliqueRandomForestClassifier(4, max_depth=4),
    "least squares": aslant.LeastSquaresTreeRegressor(),
}
EACH = pytest.mark.parametrize("name", ESTIMATORS)


def fitted(name: str, seed: int = 0, **constraints: Any) -> Any:
    X, y, z = problem(seed)
    model = ESTIMATORS[name].set_params(random_state=0)
    model = type(model)(**{**model.get_params(deep=False), **constraints})
    return model.fit(X, z if is_regressor(model) else y)


def trees_of(model: Any) -> list[Any]:
    return model.trees_ if hasattr(model, "trees_") else [model.tree_]


def features_at(tree: Any, node: int) -> set[int]:
    rows = tree.coef_start[tree.row_start[node]], tree.coef_start[tree.row_start[node + 1]]
    return set(tree.column_feature[tree.coef_column[slice(*rows)]].tolist())


def paths(tree: Any) -> list[set[int]]:
    """The features of each way from the root to a leaf."""
    found = []
    for leaf in np.flatnonzero(tree.is_leaf).tolist():
        used, node = set(), int(tree.parent[leaf])
        while node >= 0:
            used |= features_at(tree, node)
            node = int(tree.parent[node])
        found.append(used)
    return found


@EACH
def test_features_of_a_path_lie_in_one_group(name: str) -> None:
    groups = [{0, 1}, {1, 2}, {3}]
    for tree in trees_of(fitted(name, interaction_cst=groups)):
        assert all(any(used <= group for group in groups) for used in paths(tree))
    free = [used for tree in trees_of(fitted(name)) for used in paths(tree)]
    assert not all(any(used <= group for group in groups) for used in free)


def test_refinement_and_auto_keep_the_groups() -> None:
    X, y, z = problem(1)
    groups = [[0, 1], [2, 3]]
    for model in (
        aslant.ObliqueDecisionTreeClassifier(
            "hhcart", pruning="cost_complexity", refine="joint", interaction_cst=groups
        ),
        aslant.AutoTreeClassifier(effort="low", leaf="constant", interaction_cst=groups),
        aslant.AutoTreeRegressor(effort="low", leaf="mean", interaction_cst=groups),
    ):
        tree = model.set_params(random_state=0).fit(X, z if is_regressor(model) else y).tree_
        assert tree.n_leaves > 2
        assert all(used <= {0, 1} or used <= {2, 3} for used in paths(tree))


def test_groups_by_name_and_words() -> None:
    X, y, _ = problem(2)
    frame = pd.DataFrame(X, columns=list("abcd"))
    model = aslant.CARTClassifier(interaction_cst=[["a", "b"], ["c"]]).fit(frame, y)
    assert all(used <= {0, 1} or len(used) <= 1 for used in paths(model.tree_))
    assert "may read together: a, b." in aslant.export_text(model)
    single = aslant.OC1Classifier(restarts=2, interaction_cst="no_interactions", random_state=0)
    assert all(len(used) <= 1 for used in paths(single.fit(X, y).tree_))
    with pytest.raises(ValueError, match="interaction_cst must name columns of X, got 'z'"):
        aslant.CARTClassifier(interaction_cst=[["z"]]).fit(frame, y)


@EACH
@pytest.mark.parametrize("most", [1, 2])
def test_tests_have_at_most_so_many_features(name: str, most: int) -> None:
    for tree in trees_of(fitted(name, max_features_per_test=most)):
        assert tree.features_in_test.max() <= most


def test_refined_tests_have_at_most_so_many_features() -> None:
    X, y, _ = problem(3)
    model = aslant.ObliqueDecisionTreeClassifier(
        "hhcart", pruning="cost_complexity", refine="joint", max_features_per_test=2, random_state=0
    ).fit(X, y)
    assert 1 <= model.tree_.features_in_test.max() <= 2


@EACH
def test_features_by_depth(name: str) -> None:
    for tree in trees_of(fitted(name, allowed_features=[[0], [1, 2], None])):
        for node in np.flatnonzero(~tree.is_leaf).tolist():
            allowed = [{0}, {1, 2}, {0, 1, 2, 3}][min(int(tree.depth[node]), 2)]
            assert features_at(tree, node) <= allowed


@EACH
def test_a_feature_forced_into_the_root(name: str) -> None:
    for tree in trees_of(fitted(name, forced_root=3)):
        assert features_at(tree, 0) == {3}
        assert any(features_at(tree, node) != {3} for node in np.flatnonzero(~tree.is_leaf)[1:])


@pytest.mark.parametrize("name", ["cart", "hhcart", "least squares"])
def test_a_test_forced_into_the_root(name: str) -> None:
    root = HyperplaneSplit(np.array([0.0, 2.0, -1.0, 0.0]), 0.25)
    tree = fitted(name, forced_root=root).tree_
    split = tree.split(0)
    np.testing.assert_allclose(split.coef, root.coef)
    assert split.threshold == pytest.approx(0.25)
    X, _, _ = problem(0)
    below = int((X @ root.coef <= 0.25).sum())
    assert tree.n_node_samples[tree.children[0, 0]] <= below
    assert tree.n_leaves > 2


@EACH
def test_an_expensive_feature_is_not_read(name: str) -> None:
    model = fitted(name, feature_costs=[1e6, 0.0, 0.0, 0.0])
    for tree in trees_of(model):
        assert 0 not in set().union(*paths(tree))
    assert 0 in set().union(*paths(trees_of(fitted(name))[0]))


def test_a_cost_is_paid_once_on_a_path_or_in_each_test() -> None:
    """A feature that pays once for two tests, and for neither alone."""
    x = np.linspace(0.0, 1.0, 100)[:, None]
    y = ((x[:, 0] > 0.3) & (x[:, 0] < 0.7)).astype(int)
    once = aslant.CARTClassifier(feature_costs=[0.1]).fit(x, y)
    each = aslant.CARTClassifier(feature_costs=[0.3], feature_costs_paid="test").fit(x, y)
    assert once.get_n_leaves() == 3
    assert each.get_n_leaves() == 1
    # The second split decreases the impurity of its node by more than the first.
    twice = aslant.CARTClassifier(feature_costs=[0.1], feature_costs_paid="test").fit(x, y)
    assert twice.get_n_leaves() == 3


def test_costs_have_the_unit_of_the_target() -> None:
    X, _, z = problem(4)
    cost = {"feature_costs": [0.5, 0.0, 0.0, 0.0], "random_state": 0, "max_depth": 4}
    small = aslant.LeastSquaresTreeRegressor(**cost).fit(X, z)
    large = aslant.LeastSquaresTreeRegressor(
        **{**cost, "feature_costs": [0.5 * 1024.0**2, 0.0, 0.0, 0.0]}
    ).fit(X, 1024.0 * z)
    np.testing.assert_array_equal(small.tree_.coef_column, large.tree_.coef_column)


def test_what_does_not_go_together_is_refused() -> None:
    X, y, _ = problem(0)
    tree = aslant.ObliqueDecisionTreeClassifier
    for wrong, error, message in (
        ({"feature_costs": [1.0]}, ValueError, "a cost for each of the 4 features"),
        ({"feature_costs": [-1.0, 0, 0, 0]}, ValueError, "must hold costs, 0 or more"),
        ({"feature_costs_paid": "row"}, ValueError, "feature_costs_paid"),
        ({"allowed_features": "a"}, TypeError, "allowed_features must be a sequence"),
        ({"allowed_features": []}, ValueError, "at least one depth"),
        ({"allowed_features": [[9]]}, ValueError, "column numbers from 0 to 3, got 9"),
        ({"forced_root": 7}, ValueError, "forced_root must hold column numbers from 0 to 3"),
        ({"forced_root": HyperplaneSplit(np.zeros(4), 0.0)}, ValueError, "not all zero"),
        ({"max_features_per_test": 0}, ValueError, "max_features_per_test"),
        ({"forced_root": 0, "refine": "joint"}, ValueError, "refine moves all coefficients"),
        ({"forced_root": 0, "pruning": "error_based"}, ValueError, "moves or changes tests"),
        ({"interaction_cst": [[0, 9]]}, ValueError, "column numbers from 0 to 3, got 9"),
    ):
        with pytest.raises(error, match=message):
            tree(**wrong).fit(X, y)


def test_what_constraints_cost() -> None:
    X, y, _ = problem(5)
    model = aslant.CARTClassifier(
        max_depth=3, monotonic_cst=[1, 0, -1, 0], interaction_cst=[[0, 1], [2, 3]], random_state=0
    )
    costs = aslant.constraint_costs(model, X, y, cv=4)
    names = ["monotonic_cst of feature 0", "monotonic_cst of feature 2", "interaction_cst"]
    assert [one.constraint for one in costs.costs] == [*names, "all constraints"]
    assert all(one.cost == pytest.approx(one.score - costs.score) for one in costs.costs)
    assert "Without interaction_cst the cross-validated accuracy is" in str(costs)
    page = aslant.report(model.fit(X, y), constraint_costs=costs)
    assert "never falls as x0 grows" in page
    assert "Without all constraints" in page
    with pytest.raises(ValueError, match="needs an estimator with constraints"):
        aslant.constraint_costs(aslant.CARTClassifier(), X, y)
