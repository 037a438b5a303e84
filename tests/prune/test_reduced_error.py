"""Reduced-error pruning against all prunings of small trees."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from oracles import prune as oracle
from oracles.problems import examples
from oracles.prune import grown

from aslant.encoding.sample import Sample
from aslant.prune import ReducedError
from aslant.tree.tree import Tree

seeds = st.integers(0, 2**32 - 1)


def prune(problem: oracle.Problem, ties: str = "prune") -> oracle.Leaves:
    pruner = ReducedError(ties=ties)  # type: ignore[arg-type]
    pruned = pruner.prune(grown(problem.tree, problem.training, problem.held_out))
    return oracle.pruning_of(problem.tree, pruned)


@given(seeds, st.booleans())
@examples(40)
def test_smallest_of_the_prunings_with_the_fewest_errors(seed: int, weighted: bool) -> None:
    problem = oracle.random_problem(seed, depth=3, n_rows=15, weighted=weighted)
    tree, sample = problem.tree, problem.held_out
    judged = [
        (round(oracle.errors(tree, leaves, sample), 6), len(leaves), leaves)
        for leaves in oracle.all_prunings(tree)
    ]
    fewest, smallest, _ = min(judged, key=lambda x: x[:2])
    chosen = prune(problem)
    assert round(oracle.errors(tree, chosen, sample), 6) == fewest
    assert len(chosen) == smallest


@given(seeds)
@examples(60)
def test_keeping_ties(seed: int) -> None:
    """As good, never smaller, and every branch that stays is reached."""
    problem = oracle.random_problem(seed)
    tree, sample = problem.tree, problem.held_out
    kept, pruned = prune(problem, "keep"), prune(problem)
    assert oracle.errors(tree, kept, sample) == oracle.errors(tree, pruned, sample)
    assert len(kept) >= len(pruned)
    inner = oracle.inner_nodes(tree, set(kept))
    reached = tree.decision_path(sample.X).sum(axis=0)
    for node in inner:
        assert reached[node] > 0
        if all(child in kept for child in oracle.own_children(tree, node)):
            alone = frozenset(kept - set(oracle.own_children(tree, node)) | {node})
            # One level up would be worse, or as good: never better.
            assert oracle.errors(tree, alone, sample) >= oracle.errors(tree, kept, sample)


def test_a_tie_is_kept_or_pruned() -> None:
    """A held-out row that both the branch and the leaf get right."""
    tree = one_split()
    row = Sample(np.array([[-1.0]]), np.array([0], dtype=np.int32), np.ones(1), 2)
    problem = oracle.Problem(tree, row, row)
    assert len(prune(problem, "keep")) == 2
    assert len(prune(problem, "prune")) == 1
    other = Sample(np.array([[1.0]]), np.array([1], dtype=np.int32), np.ones(1), 2)
    assert len(prune(oracle.Problem(tree, row, other), "prune")) == 2


def one_split() -> Tree:
    return Tree(
        n_features=1,
        children=[[1, 2], [-1, -1], [-1, -1]],
        value=[[3.0, 1.0], [3.0, 0.0], [0.0, 1.0]],
        n_node_samples=[4, 3, 1],
        impurity=[0.375, 0.0, 0.0],
        row_start=[0, 1, 1, 1],
        coef_start=[0, 1],
        coef_column=[0],
        coef_value=[1.0],
        coef_fill=[0.0],
        offset=[0.0],
        column_feature=[0],
        column_level=[-1],
    )


def test_no_rows_to_judge_by_prune_nothing() -> None:
    problem = oracle.random_problem(1)
    pruner = ReducedError()
    nothing = problem.held_out.take(np.arange(0))
    weightless = Sample(problem.held_out.X, problem.held_out.y, np.zeros(40), 3)
    for sample in (nothing, weightless):
        assert pruner.prune(grown(problem.tree, problem.training, sample)) is problem.tree
    with pytest.raises(ValueError, match="ReducedError needs held-out rows, got None"):
        pruner.prune(grown(problem.tree, problem.training))


def test_share_of_rows_held_out() -> None:
    assert ReducedError().held_out == pytest.approx(1 / 3)
    assert ReducedError(validation=0.25).held_out == 0.25


@given(seeds)
@examples(40)
def test_the_root_can_stay(seed: int) -> None:
    """The best of the prunings that are not a single leaf."""
    problem = oracle.random_problem(seed, depth=3, n_rows=15)
    assume(problem.tree.n_leaves > 1 and len(problem.held_out) > 0)
    pruner = ReducedError(keep_root=True)
    pruned = pruner.prune(grown(problem.tree, problem.training, problem.held_out))
    chosen = oracle.pruning_of(problem.tree, pruned)
    judged = [
        (round(oracle.errors(problem.tree, leaves, problem.held_out), 6), len(leaves))
        for leaves in oracle.all_prunings(problem.tree)
        if len(leaves) > 1
    ]
    errors = round(oracle.errors(problem.tree, chosen, problem.held_out), 6)
    assert (errors, len(chosen)) == min(judged)
