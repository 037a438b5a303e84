"""Choosing a tree of the weakest-link sequence by held-out rows or cross-validation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import prune as oracle
from oracles.problems import examples
from oracles.prune import grown
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.tree import DecisionTreeClassifier

from aslant.encoding.sample import Sample
from aslant.prune import CostComplexity
from aslant.prune.base import training_errors
from aslant.tree.tree import Tree

seeds = st.integers(0, 2**32 - 1)


def by_held_out(problem: oracle.Problem, **options: object) -> Tree:
    pruner = CostComplexity(validation=0.5, **options)  # type: ignore[arg-type]
    return pruner.prune(grown(problem.tree, problem.training, problem.held_out))


@given(seeds, st.booleans(), st.sampled_from([0.0, 0.5, 1.0, 3.0]), st.booleans())
@examples(100)
def test_smallest_tree_within_the_standard_errors(
    seed: int, weighted: bool, se_rule: float, keep_root: bool
) -> None:
    problem = oracle.random_problem(seed, weighted=weighted)
    tree = problem.tree
    sequence = oracle.weakest_links(tree, training_errors(tree), keep_root)
    total = problem.held_out.weight.sum()
    errors = [oracle.errors(tree, leaves, problem.held_out) / total for _, leaves in sequence]
    least = min(errors)
    margin = se_rule * np.sqrt(least * (1 - least) / len(problem.held_out))
    good = [x for x, error in zip(sequence, errors, strict=True) if error <= least + margin + 1e-9]
    expected = min((leaves for _, leaves in good), key=len)
    chosen = by_held_out(problem, se_rule=se_rule, keep_root=keep_root)
    assert oracle.pruning_of(tree, chosen) == expected


@given(seeds)
@examples(60)
def test_standard_errors_and_the_root(seed: int) -> None:
    problem = oracle.random_problem(seed)
    best = by_held_out(problem)
    assert by_held_out(problem, se_rule=1.0).n_leaves <= best.n_leaves
    kept = by_held_out(problem, se_rule=100.0, keep_root=True)
    children = oracle.own_children(problem.tree, 0)
    assert kept.n_leaves == max(1, len(children))  # the split of the root and nothing else
    least = oracle.errors(best, frozenset(np.flatnonzero(best.is_leaf).tolist()), problem.held_out)
    every_leaf = frozenset(np.flatnonzero(problem.tree.is_leaf).tolist())
    assert least <= oracle.errors(problem.tree, every_leaf, problem.held_out)


def iris_with_noise(seed: int, weighted: bool = False) -> Sample:
    X, y = load_iris(return_X_y=True)
    rng = np.random.default_rng(seed)
    y = np.where(rng.random(len(y)) < 0.15, rng.permutation(y), y)
    weight = rng.integers(1, 5, len(y)).astype(float) if weighted else np.ones(len(y))
    return Sample(X.astype(np.float32), y.astype(np.int32), weight, 3)


def grow(sample: Sample) -> Tree:
    model = DecisionTreeClassifier(random_state=0).fit(sample.X, sample.y, sample.weight)
    return oracle.from_scikit_learn(model, sample)


def evaluated(
    main: Tree,
    sample: Sample,
    n_folds: int,
    seed: int,
    matching: bool = False,
    last_alpha: float = np.inf,
) -> tuple[list[oracle.Leaves], list[float]]:
    """Every main tree and its cross-validated error, one tree and one row at a time."""
    sequence = oracle.weakest_links(main, training_errors(main) / main.value[0].sum())
    alphas = [alpha for alpha, _ in sequence]
    errors = np.zeros(len(sequence))
    for others, fold in sample.folds(n_folds, seed):
        other = grow(others)
        theirs = oracle.weakest_links(other, training_errors(other) / other.value[0].sum())
        for k, (_, leaves) in enumerate(sequence):
            last = k == len(sequence) - 1
            alpha = last_alpha if last else np.sqrt(alphas[k] * alphas[k + 1])
            match = oracle.best_at(theirs, alpha)
            if matching:
                small = [these for _, these in theirs if len(these) <= len(leaves)]
                match = max(small, key=len)
            errors[k] += oracle.errors(other, match, fold)
    return [leaves for _, leaves in sequence], list(errors / sample.weight.sum())


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("matching", [False, True])
@pytest.mark.parametrize("se_rule", [0.0, 1.0])
@pytest.mark.parametrize("n_folds", [3, 10])
def test_cross_validation(weighted: bool, matching: bool, se_rule: float, n_folds: int) -> None:
    sample = iris_with_noise(n_folds, weighted)
    main = grow(sample)
    trees, errors = evaluated(main, sample, n_folds, seed=3, matching=matching)
    least = min(errors)
    limit = least + se_rule * np.sqrt(least * (1 - least) / len(sample)) + 1e-9
    expected = min((t for t, e in zip(trees, errors, strict=True) if e <= limit), key=len)
    pruner = CostComplexity(cv=n_folds, se_rule=se_rule, leaf_matching=matching)
    chosen = pruner.prune(grown(main, sample, None, grow, 3))
    assert oracle.pruning_of(main, chosen) == expected
    # Not a trivial case. With weights, copies in the other folds speak for the full tree.
    assert 1 < chosen.n_leaves < main.n_leaves + weighted


def test_the_last_tree_is_judged_by_trees_without_a_split() -> None:
    """At the alpha where the main tree loses its root split, the others may still have theirs."""
    rng = np.random.default_rng(10)
    X = rng.normal(size=(80, 2)).astype(np.float32)
    y = ((X[:, 0] > 0.0) ^ (rng.random(80) < 0.2)).astype(np.int32)
    sample = Sample(X, y, np.ones(80), 2)
    main = grow(sample)
    sequence = oracle.weakest_links(main, training_errors(main) / main.value[0].sum())
    _, too_kind = evaluated(main, sample, 3, seed=3, last_alpha=sequence[-1][0])
    assert too_kind[-1] == min(too_kind)
    assert CostComplexity(cv=3).prune(grown(main, sample, None, grow, 3)).n_leaves == 2


def test_leaf_matching_where_no_tree_is_as_small() -> None:
    """Two classes at the root of the main tree, three in those it is compared with."""
    problem = next(
        problem
        for problem in map(oracle.random_problem, range(100))
        if len(oracle.own_children(problem.tree, 0)) == 3
    )
    rows = problem.training
    main = next(
        oracle.with_counts(other.tree, rows)
        for other in map(oracle.random_problem, range(100))
        if len(oracle.own_children(other.tree, 0)) == 2
    )
    pruner = CostComplexity(cv=4, se_rule=100.0, keep_root=True, leaf_matching=True)
    pruned = pruner.prune(grown(main, rows, None, lambda s: oracle.with_counts(problem.tree, s)))
    assert pruned.n_leaves == 2


@pytest.mark.parametrize("matching", [False, True])
def test_cross_validation_keeps_the_root_if_asked(matching: bool) -> None:
    rng = np.random.default_rng(0)
    noise = Sample(
        rng.normal(size=(60, 2)), rng.integers(0, 2, 60).astype(np.int32), np.ones(60), 2
    )
    noise = Sample(noise.X.astype(np.float32), noise.y, noise.weight, 2)
    options = {"cv": 5, "se_rule": 100.0, "leaf_matching": matching}
    tree = grow(noise)
    assert CostComplexity(**options).prune(grown(tree, noise, None, grow)).n_leaves == 1
    assert (
        CostComplexity(keep_root=True, **options).prune(grown(tree, noise, None, grow)).n_leaves
        == 2
    )


def test_pruning_helps_where_there_is_noise() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    rng = np.random.default_rng(5)
    noisy = np.where(rng.random(len(y)) < 0.2, 1 - y, y).astype(np.int32)
    part = rng.permutation(len(y)) % 4
    sample = Sample(X.astype(np.float32), noisy, np.ones(len(y)), 2)
    training, held_out = sample.take(part < 2), sample.take(part == 2)
    tree = grow(training)
    pruned = CostComplexity().prune(grown(tree, training, held_out))
    test = part == 3

    def accuracy(t: Tree) -> float:
        predicted = t.value.argmax(axis=1)[t.apply(sample.X[test])]
        return float((predicted == y[test]).mean())

    assert accuracy(pruned) > accuracy(tree) + 0.05
    assert pruned.n_leaves < tree.n_leaves / 3


def test_too_few_rows_to_judge_by_prune_nothing() -> None:
    problem = oracle.random_problem(1)
    nothing = problem.held_out.take(np.arange(0))
    prune = CostComplexity().prune
    assert prune(grown(problem.tree, problem.training, nothing)) is problem.tree
    weightless = Sample(problem.held_out.X, problem.held_out.y, np.zeros(40), 3)
    assert prune(grown(problem.tree, problem.training, weightless)) is problem.tree
    one_row = problem.training.take(np.zeros(1, dtype=int))  # nothing is left to grow from
    assert CostComplexity(cv=5).prune(grown(problem.tree, one_row)) is problem.tree
    with pytest.raises(ValueError, match="CostComplexity needs held-out rows, got None"):
        prune(grown(problem.tree, problem.training))


def test_more_parts_than_rows_are_one_part_a_row() -> None:
    sample = iris_with_noise(1).take(np.arange(0, 150, 15))
    tree = grow(sample)
    most = CostComplexity(cv=1000).prune(grown(tree, sample, None, grow))
    assert most == CostComplexity(cv=10).prune(grown(tree, sample, None, grow))


def test_rows_without_weight_do_not_count() -> None:
    """Neither for the errors nor for the standard error."""
    for seed in range(20):
        problem = oracle.random_problem(seed)
        sample = problem.held_out
        doubled = Sample(
            np.concatenate([sample.X, sample.X]),
            np.concatenate([sample.y, (sample.y + 1) % 3]).astype(np.int32),
            np.concatenate([sample.weight, np.zeros(len(sample))]),
            3,
        )
        with_weightless = oracle.Problem(problem.tree, problem.training, doubled)
        for se_rule in (0.0, 0.3, 1.0):
            expected = by_held_out(problem, se_rule=se_rule)
            assert by_held_out(with_weightless, se_rule=se_rule) == expected


def test_share_of_rows_held_out() -> None:
    assert CostComplexity().held_out == 0.1
    assert CostComplexity(validation=0.3).held_out == 0.3
    assert CostComplexity(cv=10).held_out == 0.0
