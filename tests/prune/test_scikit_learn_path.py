"""Minimal cost-complexity pruning is scikit-learn's."""

from __future__ import annotations

import numpy as np
import pytest
from oracles.prune import from_scikit_learn
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.tree import DecisionTreeClassifier

from aslant.encoding.sample import Sample
from aslant.prune.sequence import prune_by_alpha, pruning_path

DATA_SETS = [load_iris, load_wine, load_breast_cancer, load_digits]


def problem(load: object, weighted: bool) -> Sample:
    X, y = load(return_X_y=True)  # type: ignore[operator]
    rng = np.random.default_rng(7)
    rows = rng.permutation(len(X))[:600]
    y = np.where(rng.random(len(y)) < 0.1, rng.permutation(y), y)  # some noise to prune away
    weight = rng.uniform(0.5, 2.0, len(y)) if weighted else np.ones(len(y))
    X = X.astype(np.float32)
    return Sample(X[rows], y[rows].astype(np.int32), weight[rows], int(y.max()) + 1)


@pytest.mark.parametrize("load", DATA_SETS)
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("weighted", [False, True])
def test_path_and_pruned_trees(load: object, criterion: str, weighted: bool) -> None:
    sample = problem(load, weighted)
    model = DecisionTreeClassifier(criterion=criterion, random_state=0)
    fitted = (sample.X, sample.y, sample.weight)
    tree = from_scikit_learn(model.fit(*fitted), sample)
    risk = tree.impurity * tree.value.sum(axis=1) / tree.value[0].sum()
    expected = model.cost_complexity_pruning_path(*fitted)
    alphas, risks = pruning_path(tree, risk)
    np.testing.assert_allclose(alphas, expected.ccp_alphas, rtol=1e-9, atol=1e-14)
    np.testing.assert_allclose(risks, expected.impurities, rtol=1e-9, atol=1e-14)
    steps = np.unique(alphas.round(12))
    for alpha in (steps[:-1] + np.diff(steps) / 2)[:: max(1, len(steps) // 5)]:
        smaller = DecisionTreeClassifier(criterion=criterion, random_state=0, ccp_alpha=alpha)
        theirs = from_scikit_learn(smaller.fit(*fitted), sample)
        assert prune_by_alpha(tree, risk, alpha) == theirs


def test_the_alphas_of_the_path_prune_to_the_trees_of_the_path() -> None:
    sample = problem(load_wine, weighted=True)
    model = DecisionTreeClassifier(random_state=0).fit(sample.X, sample.y, sample.weight)
    tree = from_scikit_learn(model, sample)
    risk = tree.impurity * tree.value.sum(axis=1) / tree.value[0].sum()
    alphas, risks = pruning_path(tree, risk)
    for number in np.flatnonzero(np.diff(alphas, append=np.inf) > 1e-12 * alphas):
        pruned = prune_by_alpha(tree, risk, alphas[number])
        leaf = pruned.is_leaf
        weight = pruned.value.sum(axis=1) / pruned.value[0].sum()
        assert (weight * pruned.impurity)[leaf].sum() == pytest.approx(risks[number])
