"""The twins are only worth trusting if they are right: check them against first principles."""

from __future__ import annotations

from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import axis_parallel, criterion, line_search, tree
from oracles.problems import LineProblem, examples, line_problems


@examples(200)
@given(line_problems())
def test_crossing_rule_agrees_with_exact_evaluation(problem: LineProblem) -> None:
    """In rational arithmetic V + alpha R can be evaluated, and must give the same sides."""
    for alpha, in_child_0 in line_search.steps(problem.V, problem.R):
        rows = zip(problem.V, problem.R, strict=True)
        exact = [Fraction(v) + Fraction(alpha) * Fraction(r) <= 0 for v, r in rows]
        assert in_child_0.tolist() == exact


@examples(100)
@given(line_problems())
def test_every_gap_between_breakpoints_is_tried_once(problem: LineProblem) -> None:
    moving = problem.R != 0.0
    distinct = np.unique(-problem.V[moving] / problem.R[moving])
    tried = [alpha for alpha, _ in line_search.steps(problem.V, problem.R)]
    assert len(tried) == max(0, len(distinct) - 1)
    assert all(low < a < up for low, a, up in zip(distinct, tried, distinct[1:], strict=False))


def test_adjacent_floats_are_separated_only_by_a_threshold() -> None:
    V = np.array([1.0, np.nextafter(1.0, 2.0)])
    (alpha, in_child_0), *_ = line_search.steps(V, np.array([-1.0, -1.0]))
    assert alpha == 1.0
    assert in_child_0.tolist() == [True, False]
    assert not list(line_search.steps(-V, np.array([1.0, 1.0])))


def test_ties_and_limits_remove_steps() -> None:
    V, R, y = np.array([0.0, 1.0, 1.5, 4.0]), np.full(4, -1.0), np.array([0, 1, 1, 1])

    def alphas(**limits: Any) -> list[float]:
        found = line_search.candidates(V, R, y, 2, "gini", **limits)
        return [candidate.alpha for candidate in found]

    assert alphas() == [0.5, 1.25, 2.75]
    assert alphas(tie_tolerance=0.5) == [0.5, 2.75]
    assert alphas(min_rows=2) == [1.25]
    assert alphas(min_weight=2.0) == [1.25]
    assert line_search.line_search(V, R, y, 2, "gini", min_rows=3) is None


def test_unsigned_sweep_treats_every_row_as_leaving_child_0() -> None:
    V, R = np.array([0.0, 1.0, 2.0]), np.array([1.0, -1.0, 2.0])
    sides = [mask.tolist() for _, mask in line_search.steps(V, R, unsigned_sweep=True)]
    assert sides == [[True, True, False], [False, True, False]]


@pytest.mark.parametrize("name", ["gini", "entropy", "max_minority", "sum_minority"])
def test_score_of_a_perfect_split_is_the_impurity_of_the_parent(name: str) -> None:
    assert criterion.score([5, 0], [0, 3], name) == pytest.approx(criterion.impurity([5, 3], name))


def test_sum_of_variances_is_the_variance_explained_by_the_split() -> None:
    """Between-children variance of the ranks: classes of weight 4, 3, 1 have ranks 1, 2, 3."""
    ranks_0, ranks_1 = [1, 1, 1, 2], [1, 2, 2, 3]
    between = np.var(ranks_0 + ranks_1) - (np.var(ranks_0) + np.var(ranks_1)) / 2
    assert criterion.score([3, 1, 0], [1, 2, 1], "sum_of_variances") == pytest.approx(between)


def crimcoord_by_discriminant_analysis(table: np.ndarray) -> np.ndarray:
    """The definition: the leading discriminant direction of the level indicators."""
    n, sizes = table.sum(), table.sum(axis=0)
    mean = table.sum(axis=1) / n
    class_means = table / sizes
    between = sum(
        size * np.outer(column - mean, column - mean)
        for size, column in zip(sizes, class_means.T, strict=True)
    )
    total = np.diag(table.sum(axis=1)) - n * np.outer(mean, mean)
    values, Q = np.linalg.eigh(total)
    scale = np.array([1.0 / np.sqrt(v) if v > 1e-9 * values.max() else 0.0 for v in values])
    whiten = Q * scale
    _, axes = np.linalg.eigh(whiten.T @ between @ whiten)
    return np.asarray(whiten @ axes[:, -1])


@pytest.mark.parametrize("seed", range(5))
def test_crimcoord_is_the_leading_discriminant_of_the_indicators(seed: int) -> None:
    table = np.random.default_rng(seed).integers(1, 30, (5, 3)).astype(float)
    ours, defined = axis_parallel.first_crimcoord(table), crimcoord_by_discriminant_analysis(table)
    assert abs(np.corrcoef(ours, defined)[0, 1]) == pytest.approx(1.0, abs=1e-9)
    frequent = table[:, table.sum(axis=0).argmax()]
    assert frequent @ ours <= 0.0


def test_two_class_crimcoord_orders_levels_by_class_share() -> None:
    table = np.array([[8.0, 1.0], [2.0, 3.0], [0.0, 0.0], [5.0, 2.0]])
    scores = axis_parallel.first_crimcoord(table)
    assert np.isnan(scores[2])
    share = table[[0, 1, 3], 1] / table[[0, 1, 3]].sum(axis=1)
    assert np.corrcoef(share, scores[[0, 1, 3]])[0, 1] == pytest.approx(1.0)


@examples(60)
@given(st.data())
def test_contiguous_levels_are_optimal_for_two_classes(data: st.DataObject) -> None:
    """Breiman's theorem: no subset of levels beats a cut in the order of their class shares."""
    name = data.draw(st.sampled_from(["gini", "entropy", "twoing"]))
    n = data.draw(st.integers(2, 24))
    codes = np.array(data.draw(st.lists(st.integers(0, 5), min_size=n, max_size=n)), dtype=np.int32)
    y = np.array(data.draw(st.lists(st.integers(0, 1), min_size=n, max_size=n)), dtype=np.int32)
    best = axis_parallel.best_subset_split(codes, y, 2, name)
    share = np.array([y[codes == code].mean() for code in codes])
    ordered = axis_parallel.best_numeric_split(share[:, None], y, 2, name)
    if best is None or ordered is None:
        assert best is None or best[1] == pytest.approx(0.0, abs=1e-12)
    else:
        assert ordered[2] == pytest.approx(best[1], rel=1e-9, abs=1e-12)


def test_first_column_and_lowest_threshold_win_ties() -> None:
    X = np.array([[7.0, 0.0, 0.0], [7.0, 1.0, 1.0], [7.0, 2.0, 2.0]])
    y = np.array([0, 1, 0], dtype=np.int32)
    found = axis_parallel.best_numeric_split(X, y, 2, "gini")
    assert found is not None and found[:2] == (1, 0.5)


def test_walk_fills_missing_values_reads_indicators_and_breaks_ties_low() -> None:
    """Root: x0 + 3 [x1 is level 2] <= 3. Its child 1: a machine whose first two rows are alike."""
    example = SimpleNamespace(
        children=np.array([[1, 2, -1], [-1] * 3, [3, 4, 5], [-1] * 3, [-1] * 3, [-1] * 3]),
        row_start=np.array([0, 1, 1, 4, 4, 4, 4]),
        coef_start=np.array([0, 2, 3, 4, 4]),
        coef_column=np.array([0, 1, 0, 0]),
        coef_value=np.array([1.0, 3.0, 1.0, 1.0]),
        coef_fill=np.array([0.5, 0.25, 9.0, 9.0]),
        offset=np.array([3.0, -2.0, -2.0, 4.0]),
        column_feature=np.array([0, 1]),
        column_level=np.array([-1, 2]),
    )
    nan = np.nan
    X = np.array([[3, 0], [3.5, 0], [0, 2], [1, 2], [nan, 2], [7, nan], [2, nan]])
    assert tree.apply(example, X).tolist() == [1, 5, 1, 5, 3, 3, 1]
    assert tree.apply(example, X, start=2).tolist() == [5, 5, 5, 5, 3, 3, 5]
