"""From gates to an ordinary tree: counted anew, nothing superfluous, few digits."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import tree as oracle
from oracles.problems import examples

from aslant.refine.harden import most_digits, settled, short_number_between, shortened, with_planes
from aslant.refine.joint import SoftFit
from aslant.refine.soft import Planes, SoftModel
from aslant.tree.tree import Tree

from .trees import grown, rows, sample_of


def turned(seed: int) -> Tree:
    """Return a tree whose tests are random: many branches stay empty."""
    sample = rows(seed=seed)
    tree = grown(sample)
    rng = np.random.default_rng(seed)
    inner = int((~tree.is_leaf).sum())
    coef = rng.normal(size=(inner, tree.n_columns)) * (rng.random((inner, tree.n_columns)) < 0.6)
    threshold = rng.normal(size=inner)
    planes = Planes(coef, threshold, np.ones(inner), np.zeros(coef.shape))
    return with_planes(tree, planes)


@pytest.mark.parametrize("seed", range(12))
def test_settling_changes_no_prediction_and_leaves_nothing_to_settle(seed: int) -> None:
    tree, sample = turned(seed), rows(seed=seed)
    smaller, nodes = settled(tree, sample)
    leaf = tree.apply(sample.X)
    counts = np.zeros((tree.n_nodes, 3))
    np.add.at(counts, (leaf, sample.y), 1.0)
    before = counts.argmax(axis=1)[leaf]
    after = smaller.value.argmax(axis=1)[smaller.apply(sample.X)]
    assert np.array_equal(after, before)
    assert (smaller.n_node_samples > 0).all()
    assert smaller.n_node_samples[0] == len(sample)
    for node in np.flatnonzero(~smaller.is_leaf):
        below = np.arange(node, smaller.subtree_end[node])
        leaves = below[smaller.is_leaf[below]]
        assert len(set(smaller.value[leaves].argmax(axis=1).tolist())) > 1
        assert np.array_equal(smaller.split(node).coef, tree.split(int(nodes[node])).coef)
    again, same = settled(smaller, sample)
    assert again == smaller
    assert np.array_equal(same, np.arange(smaller.n_nodes))


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("seed", range(12))
def test_outcome_is_that_of_the_hard_tree(seed: int, missing: bool) -> None:
    sample, judges = rows(seed=seed), rows(n=300, seed=seed + 100)
    tree = grown(sample)
    X, other = sample.X.copy(), judges.X.copy()
    if missing:
        X[np.random.default_rng(0).random(X.shape) < 0.1] = np.nan
        other[np.random.default_rng(1).random(other.shape) < 0.1] = np.nan
    sample = sample_of(X, sample.y, np.random.default_rng(2).integers(0, 3, len(X)))
    model = SoftModel(tree, sample, fill_with_training_mean=False)
    rng = np.random.default_rng(seed)
    parameters = model.start() + rng.normal(size=model._core.n_parameters)  # many empty branches
    weights = model.weights(parameters)
    weights[rng.random(weights.shape) < 0.4] = 0.0
    label, n_leaves, n_coefficients = model.hard_outcome(parameters, model.columns.transform(other))
    tree = SoftFit(model, parameters).hard().tree
    assert (n_leaves, n_coefficients) == (tree.n_leaves, len(tree.coef_value))
    assert np.array_equal(label, tree.value.argmax(axis=1)[tree.apply(other)])


def test_counts_are_those_of_the_weighted_rows() -> None:
    sample = rows()
    weighted = sample_of(sample.X, sample.y, np.arange(1, len(sample) + 1))
    tree, _ = settled(grown(sample), weighted)
    leaf = tree.apply(weighted.X)
    for node in np.flatnonzero(tree.is_leaf):
        expected = np.bincount(weighted.y[leaf == node], weighted.weight[leaf == node], 3)
        assert np.array_equal(tree.value[node], expected)
        assert tree.n_node_samples[node] == (leaf == node).sum()
    assert tree.value[0].sum() == weighted.weight.sum()


def test_a_test_without_coefficients_disappears() -> None:
    sample = rows()
    tree = grown(sample, max_leaf_nodes=2)
    for threshold, child in ((1.0, 1), (-1.0, 2)):
        planes = Planes(
            np.zeros((1, tree.n_columns)), np.array([threshold]), np.ones(1), np.zeros((1, 5))
        )
        smaller, nodes = settled(with_planes(tree, planes), sample)
        assert smaller.n_nodes == 1
        assert nodes.tolist() in ([0], [child])


@pytest.mark.parametrize("scale", [1.0, 1e-12, 1e12])
@pytest.mark.parametrize("missing", [False, True])
def test_planes_of_the_start_are_the_tests_of_the_tree(scale: float, missing: bool) -> None:
    sample = rows()
    X = (sample.X + 3.0) * scale
    if missing:
        X[np.random.default_rng(0).random(X.shape) < 0.1] = np.nan
    sample = sample_of(X, sample.y)
    tree = grown(sample, "fisher_climb")
    model = SoftModel(tree, sample, fill_with_training_mean=False)
    again = with_planes(tree, model.planes(model.start()))
    assert np.array_equal(again.apply(sample.X), tree.apply(sample.X))


@pytest.mark.parametrize("search", ["axis_parallel", "fisher_climb"])
@pytest.mark.parametrize("scale", [1.0, 1e-9, 1e9])
def test_short_tests_leave_all_rows_where_they_are(search: str, scale: float) -> None:
    for seed in range(5):
        sample = rows(seed=seed)
        sample = sample_of(sample.X * scale, sample.y)
        tree = grown(sample, search)
        short = shortened(tree, sample)
        assert np.array_equal(short.apply(sample.X), tree.apply(sample.X))
        assert np.array_equal(oracle.apply(short, sample.X), tree.apply(sample.X))
        assert most_digits(short.coef_value) < most_digits(tree.coef_value) or search[0] == "a"
        assert most_digits(short.coef_value) <= 5


def test_digits_are_spared_only_where_no_row_minds() -> None:
    X = np.array([[0.0], [0.12341], [0.12342], [1.0]])
    tree = shortened(grown(sample_of(X, [0, 0, 1, 1])), sample_of(X, [0, 0, 1, 1]))
    assert 0.12341 <= tree.threshold[0] < 0.12342


@examples(200)
@given(st.floats(-1e9, 1e9), st.floats(1e-9, 1e9), st.floats(0.0, 1.0))
def test_a_short_number_lies_between(low: float, gap: float, share: float) -> None:
    high = low + gap
    if not low < high:
        return
    short = short_number_between(low, high, low + share * gap)
    assert low <= short < high
    assert most_digits(np.array([short])) <= 17


def test_short_numbers_are_short() -> None:
    assert short_number_between(1.2, 1.9, 1.5) == 1.5
    assert short_number_between(0.0, 10.0, 3.7) == 4.0
    assert short_number_between(1.0, 1.001, 5.0) == 1.0
    assert most_digits(np.array([1.0, -0.25, 1e300])) == 2
    assert most_digits(np.zeros(0)) == 1
