"""Error-based pruning against C4.5's recursion on linked nodes."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import prune as oracle
from oracles.problems import examples
from oracles.prune import grown

from aslant import CARTClassifier
from aslant.encoding.sample import Sample
from aslant.prune import ErrorBased
from aslant.prune.error_based import extra_errors
from aslant.tree.tree import Tree

seeds = st.integers(0, 2**32 - 1)


@cache
def limit(n: float, wrong: float, confidence: float) -> float:
    return wrong + float(extra_errors(np.array([n]), np.array([wrong]), confidence)[0])


def twin(problem: oracle.Problem, confidence: float, raising: bool) -> list[oracle.Branch]:
    slow = oracle.ErrorBasedTwin(
        problem.tree, problem.training, lambda n, e: limit(n, e, confidence), raising
    )
    return list(slow.run().preorder())


@given(seeds, st.booleans(), st.booleans(), st.sampled_from([0.1, 0.25, 0.5]))
@examples(120)
def test_same_tree_and_counts_as_the_recursion(
    seed: int, weighted: bool, raising: bool, confidence: float
) -> None:
    problem = oracle.random_problem(seed, depth=5, n_rows=60, weighted=weighted)
    pruner = ErrorBased(confidence=confidence, raising=raising)
    pruned = pruner.prune(grown(problem.tree, problem.training))
    expected = twin(problem, confidence, raising)
    assert pruned.n_nodes == len(expected)
    for node, branch in enumerate(expected):
        y, weight = problem.training.y[branch.rows], problem.training.weight[branch.rows]
        counts = np.bincount(y, weight, minlength=3)
        assert pruned.value[node].tolist() == counts.tolist()
        assert pruned.n_node_samples[node] == len(branch.rows)
        assert len(oracle.own_children(pruned, node)) == len(branch.children)
        if branch.children:
            same_test(pruned, node, problem.tree, branch.node)


def same_test(tree: Tree, node: int, other: Tree, other_node: int) -> None:
    mine, theirs = tree.split(node), other.split(other_node)
    assert type(mine) is type(theirs)
    for name in ("coef", "threshold", "weights", "bias"):
        if hasattr(mine, name):
            assert np.array_equal(getattr(mine, name), getattr(theirs, name))


def test_raising_happens_at_inner_nodes_and_at_the_root() -> None:
    """The random trees above do exercise raising, or that test would prove little."""
    raised = at_root = 0
    for seed in range(60):
        problem = oracle.random_problem(seed, depth=5, n_rows=60)
        kept = twin(problem, 0.25, raising=True)
        at_root += kept[0].node != 0
        parents = problem.tree.parent
        for branch in kept:
            raised += any(int(parents[c.node]) != branch.node for c in branch.children)
    assert raised > 20
    assert at_root > 2


def test_rows_go_where_the_counts_say() -> None:
    """Applying the pruned tree to the training rows gives the counts it holds."""
    for seed in range(30):
        problem = oracle.random_problem(seed, depth=5, n_rows=80, weighted=True)
        pruned = ErrorBased().prune(grown(problem.tree, problem.training))
        recounted = oracle.with_counts(pruned, problem.training)
        assert np.array_equal(recounted.value, pruned.value)
        assert np.array_equal(recounted.n_node_samples, pruned.n_node_samples)


@pytest.mark.parametrize("confidence", [0.05, 0.1, 0.25, 0.5])
def test_without_errors_the_limit_is_exact(confidence: float) -> None:
    n = np.array([1, 2, 3, 10, 100, 10_000])
    extra = extra_errors(n.astype(float), np.zeros(len(n)), confidence)
    expected = [k * oracle.binomial_limit(int(k), 0, confidence) for k in n]
    np.testing.assert_allclose(extra, expected, rtol=1e-9)


@pytest.mark.parametrize("confidence", [0.1, 0.25])
def test_with_errors_the_limit_is_close_to_the_binomial_one(confidence: float) -> None:
    for n, wrong in [(6, 1), (10, 3), (30, 5), (100, 20), (1000, 100), (1000, 900)]:
        expected = n * oracle.binomial_limit(n, wrong, confidence)
        assert limit(n, wrong, confidence) == pytest.approx(expected, rel=0.04, abs=0.05)


def test_the_formula_by_hand() -> None:
    """16 rows, one wrong, z = 0.6745: (1.5 + 0.2275 + 0.6745 * 1.2147) / 16.4549 = 0.1547."""
    assert limit(16, 1, 0.25) / 16 == pytest.approx(0.1547, abs=5e-5)


def test_between_whole_errors_and_nearly_all_wrong() -> None:
    at_0, at_half, at_1 = (limit(20, e, 0.25) - e for e in (0.0, 0.5, 1.0))
    assert at_half == pytest.approx((at_0 + at_1) / 2)
    assert limit(4.0, 3.5, 0.25) == pytest.approx(3.5 + 0.67 * 0.5)
    assert limit(4.0, 3.75, 0.25) == pytest.approx(3.75 + 0.67 * 0.25)
    assert limit(0.0, 0.0, 0.25) == pytest.approx(0.0, abs=1e-15)
    assert limit(0.25, 0.1, 0.25) >= 0.1  # less than a row


def test_lower_confidence_prunes_more() -> None:
    for seed in range(20):
        problem = oracle.random_problem(seed, depth=5, n_rows=100)
        sizes = [
            ErrorBased(confidence=c, raising=False)
            .prune(grown(problem.tree, problem.training))
            .n_leaves
            for c in (0.5, 0.25, 0.05, 0.001)
        ]
        assert sizes == sorted(sizes, reverse=True)


def test_raising_sends_few_rows_down_a_chain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only rows that would come new to a branch: not all rows of every node."""
    routed = []
    apply = Tree.apply
    X, y = np.arange(400.0)[:, None], np.arange(400) % 2
    tree = CARTClassifier().fit(X, y).tree_
    assert tree.max_depth > 300
    sample = Sample(X, y.astype(np.int32), np.ones(400), 2)

    def counted(self: Tree, rows: Any, **options: int) -> Any:
        routed.append(len(rows))
        return apply(self, rows, **options)

    monkeypatch.setattr(Tree, "apply", counted)
    ErrorBased().prune(grown(tree, sample))
    assert sum(routed) < 400 * np.log2(400)
