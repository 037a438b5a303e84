"""Multivariate tree pruning: features are taken out of the last tests."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import prune as oracle
from oracles.problems import examples
from oracles.prune import grown

from aslant import LMDTClassifier, LTUTreeClassifier
from aslant.encoding.sample import Sample
from aslant.prune import MultivariateTreePruning, ReducedError
from aslant.search import HyperplaneSplit, LinearMachineSplit
from aslant.tree.tree import Tree

seeds = st.integers(0, 2**32 - 1)


def sample(X: Any, y: Any) -> Sample:
    return Sample(np.array(X, dtype=float), np.array(y, dtype=np.int32), np.ones(len(y)), 2)


def two_tests(training: Sample) -> Tree:
    """Return x2 <= 0, and below child 1 the test x0 + 2 x1 <= 0; leaves else."""
    tree = Tree(
        n_features=3,
        children=[[1, 2], [-1, -1], [3, 4], [-1, -1], [-1, -1]],
        value=np.zeros((5, 2)),
        n_node_samples=np.zeros(5),
        impurity=np.linspace(0.5, 0.1, 5),
        row_start=[0, 1, 1, 2, 2, 2],
        coef_start=[0, 1, 3],
        coef_column=[2, 0, 1],
        coef_value=[1.0, 1.0, 2.0],
        coef_fill=[0.0, 0.0, 0.0],
        offset=[0.0, 0.0],
        column_feature=[0, 1, 2],
        column_level=[-1, -1, -1],
    )
    return oracle.with_counts(tree, training)


# x2 < 0 is class 0. Above, x0 tells the class, and x1 seems to.
TRAINING = sample(
    [[0, 0, -1]] * 4 + [[-2, -1, 1], [-1, -1, 1], [-1, -2, 1], [1, 1, 1], [2, 1, 1], [1, 2, 1]],
    [0] * 4 + [0, 0, 0, 1, 1, 1],
)


BY_ERRORS = MultivariateTreePruning(eliminates="errors")
BY_MERIT = MultivariateTreePruning()
every_rule = pytest.mark.parametrize("pruner", [BY_ERRORS, BY_MERIT], ids=["errors", "merit"])

# The same where x1 tells less of the class than x0, so that it has less merit.
LESS_MERIT = TRAINING.take(np.arange(len(TRAINING)))
LESS_MERIT.X[4:6, 1] = 1.5


def run(
    pruner: Any, held_out: Sample, tree: Tree | None = None, training: Sample = TRAINING
) -> Tree:
    find = oracle.fitted_by_least_squares(training)
    return pruner.prune(grown(tree or two_tests(training), training, held_out, find=find))


def misled_by_x1() -> Sample:
    return sample(
        [[0, 0, -1]] * 2 + [[-2, -2, 1], [-1, 3, 1], [-2, 0, 1], [1, -3, 1], [2, 2, 1], [1, 1, 1]],
        [0] * 2 + [0, 0, 0, 1, 1, 1],
    )


def test_a_feature_that_misleads_is_eliminated() -> None:
    """With x1 two of the held-out rows go the wrong way, without it none."""
    tree, held_out = two_tests(TRAINING), misled_by_x1()
    label = tree.value.argmax(axis=1)
    assert np.sum(label[tree.apply(held_out.X)] != held_out.y) == 2
    pruned = run(BY_ERRORS, held_out)
    assert np.flatnonzero(pruned.coef[[2]].toarray()[0]).tolist() == [0]
    label = pruned.value.argmax(axis=1)
    assert np.array_equal(label[pruned.apply(held_out.X)], held_out.y)


def test_the_feature_of_least_merit_goes_if_that_lowers_the_errors() -> None:
    """As the paper has it; by merit alone x0 would go first where both tell the same."""
    held_out = misled_by_x1()
    pruned = run(BY_MERIT, held_out, training=LESS_MERIT)
    assert np.flatnonzero(pruned.coef[[2]].toarray()[0]).tolist() == [0]
    label = pruned.value.argmax(axis=1)
    assert np.array_equal(label[pruned.apply(held_out.X)], held_out.y)
    tree = two_tests(TRAINING)
    assert run(BY_MERIT, held_out, tree) is tree  # x0 goes first, which raises the errors


def test_everything_else_stays_as_it_was() -> None:
    tree, pruned = two_tests(TRAINING), run(BY_ERRORS, misled_by_x1())
    assert np.array_equal(tree.children, pruned.children)
    assert np.array_equal(tree.coef[[0]].toarray(), pruned.coef[[0]].toarray())
    assert tree.threshold[0] == pruned.threshold[0]
    assert np.array_equal(tree.value[:3], pruned.value[:3])
    assert pruned == oracle.with_counts(pruned, TRAINING)


@every_rule
def test_a_feature_that_is_needed_stays(pruner: Any) -> None:
    """Without either of them the held-out rows are misclassified more often."""
    held_out = sample(
        [[0, 0, -1]] * 2 + [[1, -3, 1], [-3, 1, 1], [-1, -2, 1], [3, -1, 1], [-1, 3, 1], [1, 2, 1]],
        [0] * 2 + [0, 0, 0, 1, 1, 1],
    )
    tree = two_tests(TRAINING)
    assert run(pruner, held_out, tree) is tree


def test_a_feature_that_makes_no_difference_goes() -> None:
    """The fewest features among the tests with the fewest errors; by merit it stays."""
    pruned = run(BY_ERRORS, TRAINING)
    assert pruned.n_leaves == 3
    assert np.count_nonzero(pruned.coef[[2]].toarray()) == 1
    tree = two_tests(TRAINING)
    assert run(BY_MERIT, TRAINING, tree) is tree


def test_the_first_test_is_left_alone() -> None:
    """It has a test below it, however little its features help."""
    tree = two_tests(TRAINING)
    everywhere = tree.with_test(0, HyperplaneSplit(np.array([0.01, 0.01, 1.0]), 0.0))
    pruned = run(BY_ERRORS, misled_by_x1(), everywhere)
    assert np.count_nonzero(pruned.coef[[0]].toarray()) == 3


@every_rule
def test_no_test_without_the_feature_leaves_the_tree_as_it_is(pruner: Any) -> None:
    tree, held_out = two_tests(TRAINING), misled_by_x1()
    given_up = grown(tree, TRAINING, held_out, find=lambda rows, columns: None)
    assert pruner.prune(given_up) is tree


def test_a_test_with_other_branches_is_not_considered() -> None:
    def machine(rows: Any, columns: Any) -> LinearMachineSplit:
        return LinearMachineSplit(np.eye(3), np.zeros(3), np.zeros(3))

    tree = two_tests(TRAINING)
    offered = grown(tree, TRAINING, misled_by_x1(), find=machine)
    assert MultivariateTreePruning().prune(offered) is tree


@every_rule
@given(seed=seeds, weighted=st.booleans())
@examples(40)
def test_never_more_errors_than_reduced_error_pruning(
    pruner: Any, seed: int, weighted: bool
) -> None:
    problem = oracle.random_problem(seed, depth=3, weighted=weighted)
    find = oracle.fitted_by_least_squares(problem.training)
    errors = []
    for one in (ReducedError(), pruner):
        pruned = one.prune(
            grown(problem.tree, problem.training, problem.held_out, oracle.never, find=find)
        )
        leaves = frozenset(np.flatnonzero(pruned.is_leaf).tolist())
        errors.append(oracle.errors(pruned, leaves, problem.held_out))
        assert np.array_equal(oracle.with_counts(pruned, problem.training).value, pruned.value)
    assert errors[1] <= errors[0] + 1e-9


@pytest.mark.parametrize("model", [LTUTreeClassifier(selection=None), LMDTClassifier()])
def test_in_an_estimator(model: Any) -> None:
    """Fewer features in the tests, and impurities that are those of the new counts."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(150, 8))
    y = np.digitize(X[:, 0] + X[:, 1] + 0.3 * rng.normal(size=150), [-0.5, 0.8])
    plain = model.set_params(random_state=0, pruning="reduced_error").fit(X, y).tree_
    fewer = model.set_params(pruning=BY_ERRORS).fit(X, y).tree_
    assert len(fewer.coef_value) < len(plain.coef_value)
    shares = fewer.value / fewer.value.sum(axis=1, keepdims=True)
    logs = np.log2(shares, out=np.zeros_like(shares), where=shares > 0.0)
    np.testing.assert_allclose(fewer.impurity, -(shares * logs).sum(axis=1), atol=1e-12)


def test_training_means_and_limits_are_those_of_all_training_rows() -> None:
    """Also when the test of a node far down is learned anew."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(240, 5)) + 3.0
    y = np.digitize(X[:, 0] + X[:, 1] + 0.5 * rng.normal(size=240), [5.0, 6.5])
    X[rng.random(X.shape) < 0.1] = np.nan
    model = LTUTreeClassifier(
        selection=None,
        pruning=BY_ERRORS,
        missing="training_mean",
        min_samples_leaf=0.1,
        random_state=0,
    ).fit(X, y)
    tree = model.tree_
    assert tree.n_leaves > 2
    assert len(tree.coef_value) < 5 * np.sum(~tree.is_leaf)  # some test was learned anew
    training_rows = tree.n_node_samples[0]
    assert tree.n_node_samples.min() >= 0.1 * training_rows
    for column in range(5):
        assert len(np.unique(tree.coef_fill[tree.coef_column == column])) <= 1


# ---------------------------------------------------------------------- another test for a node


def test_another_test_for_a_node() -> None:
    tree = two_tests(TRAINING)
    split = HyperplaneSplit(np.array([0.0, 0.0, -3.0]), 1.5, np.array([7.0, 8.0, 9.0]))
    for node in (0, 2):
        changed = tree.with_test(node, split)
        assert changed.coef[[node]].toarray().tolist() == [[0.0, 0.0, -3.0]]
        assert changed.threshold[node] == 1.5
        other = 2 - node
        assert np.array_equal(changed.coef[[other]].toarray(), tree.coef[[other]].toarray())
        assert changed.threshold[other] == tree.threshold[other]
        assert np.array_equal(changed.value, tree.value)
        first = changed.coef_start[changed.row_start[node]]
        assert changed.coef_fill[first] == 9.0
    assert tree == two_tests(TRAINING)


def test_another_machine_for_a_node() -> None:
    problem = next(
        problem
        for problem in map(oracle.random_problem, range(100))
        if problem.tree.row_start[1] == 3
    )
    tree = problem.tree
    weights = np.array([[1.0, 0.0, 2.0], [0.0, 0.0, 0.0], [0.0, -1.0, 0.0]])
    changed = tree.with_test(0, LinearMachineSplit(weights, np.arange(3.0)))
    split = changed.split(0)
    assert isinstance(split, LinearMachineSplit)
    assert np.array_equal(split.weights, weights)
    assert np.array_equal(split.bias, np.arange(3.0))
    assert changed.with_test(0, tree.split(0)).apply(problem.training.X).tolist() == (
        tree.apply(problem.training.X).tolist()
    )


def test_another_test_has_as_many_branches() -> None:
    tree = two_tests(TRAINING)
    machine = LinearMachineSplit(np.eye(3), np.zeros(3))
    with pytest.raises(ValueError, match="test of node 0 has 1 vectors, got one with 3"):
        tree.with_test(0, machine)
    with pytest.raises(ValueError, match="test of node 1 has 0 vectors, got one with 1"):
        tree.with_test(1, HyperplaneSplit(np.ones(3), 0.0))
