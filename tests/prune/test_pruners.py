"""What every pruner promises: run on all that are registered."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from oracles import prune as oracle
from oracles.prune import grown
from sklearn.base import clone

from aslant.encoding.sample import Sample
from aslant.prune import (
    CostComplexity,
    ErrorBased,
    MessageLengthPruning,
    MultivariateTreePruning,
    Pessimistic,
    Pruner,
    ReducedError,
)
from aslant.prune.base import Grown
from aslant.prune.registry import PRUNERS
from aslant.tree.tree import Tree

EVERY_PRUNER = pytest.mark.parametrize("name", sorted(PRUNERS))


def regrown(problem: oracle.Problem) -> Any:
    """Stand in for growing: the tests of the same tree, with the counts of other rows."""
    return lambda sample: oracle.with_counts(problem.tree, sample)


def run(pruner: Pruner, problem: oracle.Problem, seed: int = 0) -> Tree:
    return pruner.prune(given(pruner, problem, seed))


def given(pruner: Pruner, problem: oracle.Problem, seed: int = 0) -> Grown:
    held_out = problem.held_out if pruner.held_out > 0.0 else None
    find = oracle.fitted_by_least_squares(problem.training)
    return grown(problem.tree, problem.training, held_out, regrown(problem), seed, find=find)


@EVERY_PRUNER
def test_the_given_tree_stays_as_it_was(name: str) -> None:
    for seed in range(10):
        problem = oracle.random_problem(seed, weighted=seed % 2 == 0)
        before = pickle.loads(pickle.dumps(problem))
        run(PRUNERS[name](), problem)
        assert problem.tree == before.tree
        for part in ("training", "held_out"):
            mine, theirs = getattr(problem, part), getattr(before, part)
            assert np.array_equal(mine.X, theirs.X)
            assert np.array_equal(mine.y, theirs.y)
            assert np.array_equal(mine.weight, theirs.weight)


@EVERY_PRUNER
def test_the_result_is_a_smaller_tree_with_counts_of_its_own_rows(name: str) -> None:
    smaller = 0
    for seed in range(15):
        problem = oracle.random_problem(seed)
        pruned = run(PRUNERS[name](), problem)
        assert pruned.n_leaves <= problem.tree.n_leaves
        smaller += pruned.n_leaves < problem.tree.n_leaves
        recounted = oracle.with_counts(pruned, problem.training)
        assert np.array_equal(recounted.value, pruned.value)
        for node in np.flatnonzero(~pruned.is_leaf):  # preorder
            assert oracle.own_children(pruned, node)[0] == node + 1
    assert smaller > 5


@EVERY_PRUNER
def test_a_collapsed_node_predicts_its_majority(name: str) -> None:
    problem = oracle.random_problem(3)
    pruned = run(PRUNERS[name](), problem)
    leaf = pruned.apply(problem.training.X)
    for node in np.unique(leaf):
        y = problem.training.y[leaf == node]
        assert pruned.value[node].argmax() == np.bincount(y, minlength=3).argmax()


@EVERY_PRUNER
def test_a_single_leaf_stays(name: str) -> None:
    problem = oracle.random_problem(0)
    leaf = oracle.Problem(problem.tree.pruned([0]), problem.training, problem.held_out)
    assert run(PRUNERS[name](), leaf) is leaf.tree


@EVERY_PRUNER
def test_twice_the_same(name: str) -> None:
    problem = oracle.random_problem(5, weighted=True)
    assert run(PRUNERS[name](), problem, seed=9) == run(PRUNERS[name](), problem, seed=9)


@EVERY_PRUNER
def test_whole_weights_are_repeated_rows(name: str) -> None:
    """With the rules that do not count rows: no standard errors on held-out rows."""
    for seed in range(10):
        problem = oracle.random_problem(seed, n_rows=30)
        times = np.random.default_rng(seed).integers(1, 4, 30)
        heavy, repeated = [], []
        for sample in (problem.training, problem.held_out):
            heavy.append(Sample(sample.X, sample.y, times.astype(float), 3))
            repeated.append(sample.take(np.repeat(np.arange(30), times)))
        results = [
            run(PRUNERS[name](), oracle.Problem(oracle.with_counts(problem.tree, a), a, b))
            for a, b in (heavy, repeated)
        ]
        assert np.array_equal(results[0].value, results[1].value)
        assert np.array_equal(results[0].children, results[1].children)


@EVERY_PRUNER
def test_parameters_clone(name: str) -> None:
    pruner = PRUNERS[name]()
    assert clone(pruner).get_params() == pruner.get_params()
    pruner.check()


WRONG: list[tuple[Pruner, type[Exception], str]] = [
    (CostComplexity(validation=0.1, cv=10), ValueError, "validation and cv cannot both be given"),
    (CostComplexity(validation=0.0), ValueError, "validation must be greater than 0"),
    (CostComplexity(validation=1.0), ValueError, "validation must be greater than 0 and less"),
    (CostComplexity(validation=1.5), ValueError, "validation must be between 0 and 1, got 1.5"),
    (CostComplexity(validation="x"), TypeError, "validation must be a number, got 'x'"),  # type: ignore[arg-type]
    (CostComplexity(cv=1), ValueError, "cv must be at least 2, got 1"),
    (CostComplexity(cv=2.5), TypeError, "cv must be an integer"),  # type: ignore[arg-type]
    (CostComplexity(se_rule=-1.0), ValueError, "se_rule must be between 0 and 100, got -1.0"),
    (CostComplexity(se_rule=float("nan")), ValueError, "se_rule must be between 0 and 100"),
    (CostComplexity(keep_root=1), TypeError, "keep_root must be True or False, got 1"),  # type: ignore[arg-type]
    (CostComplexity(leaf_matching=True), ValueError, "leaf_matching=True needs cv"),
    (CostComplexity(cv=5, leaf_matching="no"), TypeError, "leaf_matching must be True"),  # type: ignore[arg-type]
    (ReducedError(validation=0), ValueError, "validation must be greater than 0"),
    (ReducedError(ties="prun"), ValueError, "Did you mean 'prune'"),  # type: ignore[arg-type]
    (MultivariateTreePruning(validation=1), ValueError, "validation must be greater than 0"),
    (MultivariateTreePruning(ties="never"), ValueError, "ties must be one of"),  # type: ignore[arg-type]
    (ErrorBased(confidence=0.6), ValueError, "confidence must be between 1e-06 and 0.5, got 0.6"),
    (ErrorBased(confidence=0.0), ValueError, "confidence must be between"),
    (ErrorBased(raising=None), TypeError, "raising must be True or False, got None"),  # type: ignore[arg-type]
    (
        MessageLengthPruning(alpha=0.0),
        ValueError,
        "alpha must be between 1e-06",
    ),
    (MessageLengthPruning(alpha="best"), ValueError, "alpha must be a number or 'tree'"),  # type: ignore[arg-type]
    (MessageLengthPruning(direction="ball"), ValueError, "direction must be one of 'cap', 'paper'"),  # type: ignore[arg-type]
    (MessageLengthPruning(position=None), ValueError, "position must be one of"),  # type: ignore[arg-type]
    (MessageLengthPruning(max_features_per_test=0), ValueError, "must be at least 1, got 0"),
    (Pessimistic(se_rule=-0.5), ValueError, "se_rule must be between 0 and 100, got -0.5"),
]


@pytest.mark.parametrize(("pruner", "error", "message"), WRONG)
def test_wrong_parameters(pruner: Pruner, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        pruner.check()
    problem = oracle.random_problem(0)
    with pytest.raises(error, match=message):
        pruner.prune(grown(problem.tree, problem.training, problem.held_out, regrown(problem)))
