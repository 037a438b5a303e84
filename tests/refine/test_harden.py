"""From gates to an ordinary tree: counted anew, nothing superfluous, few digits."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import tree as oracle
from oracles.problems import examples

from aslant.refine.harden import (
    most_digits,
    settled,
    short_number_between,
    shortened,
    with_node_means,
    with_planes,
)
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
        short = shortened(tree, sample, np.zeros(tree.n_nodes))
        assert np.array_equal(short.apply(sample.X), tree.apply(sample.X))
        assert np.array_equal(oracle.apply(short, sample.X), tree.apply(sample.X))
        assert most_digits(short.coef_value) < most_digits(tree.coef_value) or search[0] == "a"
        assert most_digits(short.coef_value) <= 5


def test_digits_are_spared_only_where_no_row_minds() -> None:
    X = np.array([[0.0], [0.12341], [0.12342], [1.0]])
    tree = shortened(grown(sample_of(X, [0, 0, 1, 1])), sample_of(X, [0, 0, 1, 1]), np.zeros(3))
    assert 0.12341 <= tree.threshold[0] < 0.12342


def test_digits_are_spared_only_where_no_gate_minds() -> None:
    """A threshold between the integers 2 and 3 must not become 2: rows there would be undecided."""
    X = np.repeat([[1.0], [2.0], [3.0], [4.0]], 10, axis=0)
    sample = sample_of(X, np.repeat([0, 0, 1, 1], 10))
    tree = grown(sample).rebuilt(offset=np.array([2.499]))
    assert shortened(tree, sample, np.zeros(3)).threshold[0] == 2.0
    for steepness in (1.0, 10.0, 1000.0):
        short = shortened(tree, sample, np.array([steepness, 0.0, 0.0]))
        assert steepness * abs(short.threshold[0] - 2.499) <= 0.1 + 1e-9
    sides = np.repeat([0.01, 0.5], 20)  # columns of different size
    wide = sample_of(np.column_stack([X[:, 0], sides * X[:, 0]]), np.repeat([0, 0, 1, 1], 10))
    tree = grown(wide, "fisher_climb")
    short = shortened(tree, wide, np.array([3.0, 0.0, 0.0]))
    change = wide.X[:, tree.coef_column] @ (short.coef_value - tree.coef_value) - (
        short.offset[0] - tree.offset[0]
    )
    assert 3.0 * np.sqrt(np.mean(change**2)) <= 0.1 + 1e-9


def test_missing_values_are_the_means_of_the_nodes() -> None:
    sample = rows(n=300)
    X = sample.X.copy()
    X[np.random.default_rng(0).random(X.shape) < 0.2] = np.nan
    sample = sample_of(X, sample.y, np.random.default_rng(1).integers(1, 4, len(X)))
    tree = grown(sample, "fisher_climb")
    stale = tree.rebuilt(coef_fill=tree.coef_fill + 100.0)
    fresh = with_node_means(stale, sample)
    passes = fresh.decision_path(sample.X).toarray().astype(bool)
    for node in np.flatnonzero(~fresh.is_leaf):
        here = passes[:, node]
        for entry in range(
            fresh.coef_start[fresh.row_start[node]], fresh.coef_start[fresh.row_start[node] + 1]
        ):
            values = sample.X[here, fresh.column_feature[fresh.coef_column[entry]]]
            known = ~np.isnan(values)
            mean = np.average(values[known], weights=sample.weight[here][known])
            assert fresh.coef_fill[entry] == pytest.approx(mean)


@pytest.mark.parametrize("least", [1, 5, 40, 150, 1000])
def test_leaves_hold_enough_rows(least: int) -> None:
    sample = rows(n=200)
    tree = grown(sample, max_leaf_nodes=12)
    smaller, nodes = settled(tree, sample, min_samples_leaf=least)
    counts = np.bincount(smaller.apply(sample.X), minlength=smaller.n_nodes)[smaller.is_leaf]
    assert (counts >= min(least, 200)).all()
    assert np.array_equal(smaller.n_node_samples[smaller.is_leaf], counts)
    assert smaller.value[0].sum() == 200.0
    for node in np.flatnonzero(~smaller.is_leaf):
        assert smaller.threshold[node] == tree.threshold[nodes[node]]


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
