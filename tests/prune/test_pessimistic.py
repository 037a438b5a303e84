"""Pessimistic pruning against a recursion from the top."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from oracles import prune as oracle
from oracles.problems import examples
from oracles.prune import grown

from aslant.encoding.sample import Sample
from aslant.prune import Pessimistic
from aslant.tree.tree import Tree

seeds = st.integers(0, 2**32 - 1)


@given(seeds, st.booleans(), st.sampled_from([0.0, 0.3, 1.0, 2.0]))
@examples(80)
def test_same_leaves_as_the_recursion(seed: int, weighted: bool, se_rule: float) -> None:
    problem = oracle.random_problem(seed, n_rows=120, weighted=weighted)
    pruner = Pessimistic(se_rule=se_rule)
    pruned = pruner.prune(grown(problem.tree, problem.training))
    expected = oracle.pessimistic(problem.tree, se_rule)
    assert oracle.pruning_of(problem.tree, pruned) == expected


def one_split(value: list[list[float]]) -> Tree:
    return Tree(
        n_features=1,
        children=[[1, 2], [-1, -1], [-1, -1]],
        value=value,
        n_node_samples=np.sum(value, axis=1),
        impurity=[0.5, 0.0, 0.0],
        row_start=[0, 1, 1, 1],
        coef_start=[0, 1],
        coef_column=[0],
        coef_value=[1.0],
        coef_fill=[0.0],
        offset=[0.0],
        column_feature=[0],
        column_level=[-1],
    )


def test_the_formula_by_hand() -> None:
    """Two pure leaves, 40 rows: E = 1, SE = sqrt(1 * 39 / 40) = 0.987, so 1.5 errors are pruned."""
    sample = Sample(np.zeros((1, 1)), np.zeros(1, dtype=np.int32), np.ones(1), 2)
    one_error = one_split([[39.0, 1.0], [39.0, 0.0], [0.0, 1.0]])
    assert Pessimistic().prune(grown(one_error, sample)).n_leaves == 1  # 1.5 <= 1.987
    two_errors = one_split([[38.0, 2.0], [38.0, 0.0], [0.0, 2.0]])
    assert Pessimistic().prune(grown(two_errors, sample)) is two_errors  # 2.5 > 1.987
    assert Pessimistic(se_rule=1.6).prune(grown(two_errors, sample)).n_leaves == 1
    assert Pessimistic(se_rule=0.0).prune(grown(one_error, sample)) is one_error


def test_nodes_without_weight_become_leaves() -> None:
    sample = Sample(np.zeros((1, 1)), np.zeros(1, dtype=np.int32), np.ones(1), 2)
    empty = one_split([[0.0, 0.0], [0.0, 0.0], [0.0, 0.0]])
    assert Pessimistic(se_rule=0.0).prune(grown(empty, sample)).n_leaves == 1
