"""The weakest-link sequence against collapsing the least g again and again."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import prune as oracle
from oracles.problems import examples

from aslant.prune.base import class_weights, misclassified, training_errors
from aslant.prune.sequence import prune_by_alpha, pruning_path, weakest_links
from aslant.tree.tree import Tree

seeds = st.integers(0, 2**32 - 1)
TREES = examples(80)


@given(seeds, st.booleans(), st.booleans())
@TREES
def test_sequence_is_that_of_the_repeated_search(
    seed: int, weighted: bool, keep_root: bool
) -> None:
    tree = oracle.random_problem(seed, weighted=weighted).tree
    risk = training_errors(tree)
    sequence = weakest_links(tree, risk, keep_root=keep_root)
    expected = oracle.weakest_links(tree, risk, keep_root)
    assert [frozenset(sequence.leaves_at(k).tolist()) for k in range(len(sequence))] == [
        leaves for _, leaves in expected
    ]
    np.testing.assert_allclose(sequence.alphas, [a for a, _ in expected], rtol=1e-9, atol=1e-12)


@given(seeds)
@TREES
def test_arbitrary_real_risks(seed: int) -> None:
    """Risks without ties; collapsing may even lower them, which costs nothing."""
    tree = oracle.random_problem(seed, n_rows=5).tree
    risk = np.random.default_rng(seed).random(tree.n_nodes) / (1.0 + tree.depth)
    sequence = weakest_links(tree, risk)
    expected = oracle.weakest_links(tree, risk)
    for number, (alpha, leaves) in enumerate(expected):
        if alpha > 0.0:  # the repeated search takes several steps at an alpha of 0
            found = int(sequence.number_at(alpha * (1 + 1e-9)))
            assert frozenset(sequence.leaves_at(found).tolist()) == leaves, number
    assert frozenset(sequence.leaves_at(len(sequence) - 1).tolist()) == expected[-1][1]
    assert (np.diff(sequence.alphas, prepend=0.0) >= 0.0).all()


@given(seeds, st.booleans(), st.booleans())
@TREES
def test_sequence_is_nested_and_its_totals_are_sums(
    seed: int, together: bool, weighted: bool
) -> None:
    problem = oracle.random_problem(seed, weighted=weighted)
    tree = problem.tree
    risk = training_errors(tree)
    sequence = weakest_links(tree, risk, together=together)
    assert sequence.alphas[0] == 0.0
    assert (np.diff(sequence.alphas) >= 0.0).all()
    assert not together or (np.diff(sequence.alphas[1:]) > 0.0).all()
    assert (np.diff(sequence.n_leaves) < 0).all()
    assert sequence.n_leaves[0] == tree.n_leaves
    assert sequence.n_leaves[-1] == 1
    held_out = misclassified(tree, class_weights(tree, problem.held_out))
    errors = sequence.totals(held_out)
    inner = set(range(tree.n_nodes))
    for k in range(len(sequence)):
        leaves = sequence.leaves_at(k)
        smaller = sequence.tree_number(k)
        assert oracle.pruning_of(tree, smaller) == set(leaves.tolist())
        assert smaller.n_leaves == sequence.n_leaves[k]
        assert sequence.risks[k] == risk[leaves].sum()
        assert errors[k] == oracle.errors(tree, frozenset(leaves.tolist()), problem.held_out)
        remaining = set(np.flatnonzero(sequence.gone_since > k).tolist())
        assert remaining <= inner
        inner = remaining


def chain(n_leaves: int, flip: bool = False) -> Tree:
    """Return the deepest tree there is: one child of every test is a leaf."""
    n_nodes = 2 * n_leaves - 1
    children = np.full((n_nodes, 2), -1)
    inner = np.arange(0, n_nodes - 1, 2)
    children[inner, 0], children[inner, 1] = inner + 1, inner + 2
    value = np.zeros((n_nodes, 2))
    depth = np.arange(n_leaves - 1)
    value[inner + 1, depth % 2 if flip else 0] = 1.0
    value[-1] = [0.0, 1.0]
    for node in inner[::-1]:
        value[node] = value[node + 1] + value[node + 2]
    is_inner = np.isin(np.arange(n_nodes), inner)
    return Tree(
        n_features=1,
        children=children,
        value=value,
        n_node_samples=value.sum(axis=1),
        impurity=np.zeros(n_nodes),
        row_start=np.concatenate([[0], np.cumsum(is_inner)]),
        coef_start=np.arange(n_leaves),
        coef_column=np.zeros(n_leaves - 1),
        coef_value=np.ones(n_leaves - 1),
        coef_fill=np.zeros(n_leaves - 1),
        offset=np.arange(n_leaves - 1),
        column_feature=[0],
        column_level=[-1],
    )


@pytest.mark.parametrize("flip", [False, True])
def test_deep_and_large_trees_are_no_harder(flip: bool) -> None:
    """A chain of 3 000 tests: telling every ancestor of every collapse would take millions."""
    tree = chain(3001, flip)
    sequence = weakest_links(tree, training_errors(tree))
    assert sequence.n_leaves[-1] == 1
    assert sequence.risks[-1] == training_errors(tree)[0]
    small = chain(25, flip)
    expected = oracle.weakest_links(small, training_errors(small))
    assert weakest_links(small, training_errors(small)).n_leaves.tolist() == [
        len(leaves) for _, leaves in expected
    ]


def test_nodes_of_equal_alpha_collapse_together_or_one_by_one() -> None:
    """Four leaves and two symmetric branches, each of which saves one error."""
    risk = np.array([4.0, 2.0, 0.5, 0.5, 2.0, 0.5, 0.5])
    tree = balanced_tree_of_four_leaves()
    together = weakest_links(tree, risk)
    assert together.n_leaves.tolist() == [4, 1]  # g = 1 at both branches, 2/3 at the root
    symmetric = np.array([9.0, 2.0, 0.5, 0.5, 2.0, 0.5, 0.5])
    assert weakest_links(tree, symmetric).n_leaves.tolist() == [4, 2, 1]
    one_by_one = weakest_links(tree, symmetric, together=False)
    assert one_by_one.n_leaves.tolist() == [4, 3, 2, 1]
    assert one_by_one.alphas.tolist() == [0.0, 1.0, 1.0, 5.0]


def balanced_tree_of_four_leaves() -> Tree:
    return Tree(
        n_features=1,
        children=[[1, 4], [2, 3], [-1, -1], [-1, -1], [5, 6], [-1, -1], [-1, -1]],
        value=np.ones((7, 2)),
        n_node_samples=np.ones(7),
        impurity=np.zeros(7),
        row_start=[0, 1, 2, 2, 2, 3, 3, 3],
        coef_start=[0, 1, 2, 3],
        coef_column=[0, 0, 0],
        coef_value=[1.0, 1.0, 1.0],
        coef_fill=[0.0, 0.0, 0.0],
        offset=[0.0, -1.0, 1.0],
        column_feature=[0],
        column_level=[-1],
    )


def test_rounding_does_not_separate_equal_alphas() -> None:
    """Thirds and tenths do not add up exactly, but the two branches are worth the same."""
    tree = balanced_tree_of_four_leaves()
    risk = np.array([3.0, 0.3, 0.1, 0.1, 0.1 + 0.2, 0.1, 0.1])
    assert risk[1] != risk[4]
    assert weakest_links(tree, risk).n_leaves.tolist() == [4, 2, 1]
    no_gain = np.array([3.0, 0.1 + 0.2, 0.15, 0.15, 0.3, 0.15, 0.15])
    assert no_gain[1] > no_gain[2] + no_gain[3]
    assert weakest_links(tree, no_gain).alphas.tolist()[:2] == [0.0, 0.0]
    assert weakest_links(tree, no_gain).n_leaves.tolist() == [4, 2, 1]


def test_alphas_that_nearly_tie_are_told_apart() -> None:
    """The root is weaker than the branch below it by one part in ten thousand, or stronger."""
    tree = balanced_tree_of_four_leaves()
    root_first = weakest_links(tree, np.array([3.0, 1.0001, 0.0, 0.0, 1.5, 0.0, 0.0]))
    assert root_first.alphas.tolist() == [0.0, 1.0]
    branch_first = weakest_links(tree, np.array([3.0, 0.9999, 0.0, 0.0, 1.5, 0.0, 0.0]))
    assert branch_first.n_leaves.tolist() == [4, 3, 1]


def test_alpha_of_a_tree() -> None:
    tree = balanced_tree_of_four_leaves()
    risk = np.array([9.0, 2.0, 0.5, 0.5, 2.5, 0.5, 0.5])
    alphas, risks = pruning_path(tree, risk)
    assert alphas.tolist() == [0.0, 1.0, 1.5, 4.5]
    assert risks.tolist() == [2.0, 3.0, 4.5, 9.0]
    sizes = [prune_by_alpha(tree, risk, alpha).n_leaves for alpha in (0.9, 1.0, 1.4, 1.5, 4.5)]
    assert sizes == [4, 3, 3, 2, 1]
    free = np.array([9.0, 1.0, 0.5, 0.5, 2.5, 0.5, 0.5])
    assert prune_by_alpha(tree, free, 0.0) is tree
    assert prune_by_alpha(tree, free, 1e-9).n_leaves == 3
