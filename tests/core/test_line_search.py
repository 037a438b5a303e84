"""The compiled line search against its brute-force twin."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray
from oracles import line_search as oracle
from oracles.criterion import CRITERIA
from oracles.line_search import Candidate
from oracles.problems import (
    LineProblem,
    examples,
    extreme_floats,
    line_problems,
    moderate_floats,
    neighbouring_floats,
    random_line_problem,
)

from aslant import _core

Answer = tuple[float, float] | None


def search(problem: LineProblem, criterion: str, **options: Any) -> Answer:
    found: Answer = _core.line_search(
        problem.V,
        problem.R,
        problem.y,
        problem.n_classes,
        criterion,
        weight=problem.weight,
        **options,
    )
    return found


def assert_among_the_best(found: Answer, candidates: list[Candidate], scale: float = 1.0) -> None:
    """Require one of the twin's steps, the twin's score for it, and that no step scores higher.

    Where the best step is unique this leaves only that step, bit for bit.
    """
    if not candidates:
        assert found is None
        return
    assert found is not None
    alpha, score = found
    scores = {candidate.alpha: candidate.score for candidate in candidates}
    assert alpha in scores
    assert score == pytest.approx(scores[alpha], rel=1e-9, abs=1e-11 * scale)
    assert score == pytest.approx(max(scores.values()), rel=1e-9, abs=1e-11 * scale)


def candidates_of(problem: LineProblem, criterion: str, **options: Any) -> list[Candidate]:
    return oracle.candidates(
        problem.V,
        problem.R,
        problem.y,
        problem.n_classes,
        criterion,
        weight=problem.weight,
        **options,
    )


def assert_twins_agree(problem: LineProblem, criterion: str, **options: Any) -> None:
    found = search(problem, criterion, **options)
    assert_among_the_best(found, candidates_of(problem, criterion, **options))


@examples(200)
@given(problem=line_problems())
def test_ties_zeros_and_negative_directions(problem: LineProblem) -> None:
    for criterion in CRITERIA:
        assert_twins_agree(problem, criterion)


@examples(120)
@given(problem=line_problems(moderate_floats))
def test_floating_point_positions(problem: LineProblem) -> None:
    for criterion in CRITERIA:
        assert_twins_agree(problem, criterion)


@examples(200)
@given(problem=line_problems(extreme_floats))
def test_extreme_magnitudes(problem: LineProblem) -> None:
    """Quotients overflow, underflow or run beyond 1e300: those rows stay or tie, none is lost."""
    assert_twins_agree(problem, "gini")


@examples(120)
@given(problem=line_problems(neighbouring_floats))
def test_breakpoints_a_rounding_apart(problem: LineProblem) -> None:
    """Where no float lies between two breakpoints, only a threshold search may part them."""
    for signs in (np.where(problem.R > 1.0, 1.0, -1.0), np.full(len(problem.R), -1.0)):
        assert_twins_agree(replace(problem, V=problem.V * signs, R=signs), "gini")


@examples(120)
@given(
    problem=line_problems(),
    min_rows=st.integers(0, 6),
    min_weight=st.sampled_from([0.0, 1.0, 3.5]),
)
def test_smallest_children(problem: LineProblem, min_rows: int, min_weight: float) -> None:
    for criterion in ("gini", "sum_of_variances"):
        assert_twins_agree(problem, criterion, min_rows=min_rows, min_weight=min_weight)


@examples(120)
@given(problem=line_problems(), tolerance=st.sampled_from([0.5, 1.0, 1.75]))
def test_near_ties_are_not_separated(problem: LineProblem, tolerance: float) -> None:
    """With |R| = 1 the tolerance is a distance between neighbours, and ties chain."""
    V = problem.V * 0.75
    signs = np.where(problem.R < 0.0, -1.0, 1.0)
    assert_twins_agree(replace(problem, V=V, R=signs), "gini", tie_tolerance=tolerance)


@pytest.mark.parametrize("seed", range(5))
def test_tie_tolerance_is_measured_in_row_positions(seed: int) -> None:
    """A gap between breakpoints counts by how far it moves the slower of the two rows."""
    problem = random_line_problem(seed, n=60, n_classes=3, tied=False)
    for tolerance in (0.003, 0.03):
        assert_twins_agree(problem, "gini", tie_tolerance=tolerance)


@examples(150)
@given(problem=line_problems())
def test_unsigned_sweep(problem: LineProblem) -> None:
    for criterion in ("gini", "twoing", "max_minority"):
        assert_twins_agree(problem, criterion, unsigned_sweep=True)


@pytest.mark.parametrize("tied", [False, True])
@pytest.mark.parametrize(("criterion", "n_classes"), [("gini", 2), ("twoing", 5)])
def test_five_thousand_rows(criterion: str, n_classes: int, tied: bool) -> None:
    """Enough rows to reach the sorting by digits that small problems never see."""
    assert_twins_agree(random_line_problem(n_classes, 5000, n_classes, tied), criterion)


@pytest.mark.parametrize("n", [40, 64, 100, 128, 200, 256, 299, 300, 301, 400, 512, 1000])
@pytest.mark.parametrize("tied", [False, True])
def test_sizes_at_which_the_method_of_sorting_may_change(n: int, tied: bool) -> None:
    assert_twins_agree(random_line_problem(n, n, 3, tied), CRITERIA[n % len(CRITERIA)])


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("weights", ["one", "whole", "of classes"])
@pytest.mark.parametrize(("n", "moving"), [(60, 0.1), (400, 0.05), (3000, 0.2), (200, 1.0)])
def test_few_rows_that_move_are_enough(criterion: str, weights: str, n: int, moving: float) -> None:
    """The others rest on their side: the same place as if all rows were looked at."""
    rng = np.random.default_rng(n)
    problem = random_line_problem(n, n, 3, tied=n % 3 == 0)
    R = np.where(rng.random(n) < moving, problem.R, 0.0)
    weight = {
        "one": None,
        "whole": rng.integers(1, 5, n).astype(float),
        "of classes": np.array([0.7, 1.3, 2.9])[problem.y],
    }[weights]
    problem = replace(problem, R=R, weight=weight)
    for limits in ({}, {"min_rows": n // 4}, {"min_weight": n / 4}, {"tie_tolerance": 1e-3}):
        few = search(problem, criterion, few_rows=True, **limits)
        everything = search(problem, criterion, **limits)
        if everything is None:
            assert few is None
            continue
        assert few is not None
        assert few[1] == pytest.approx(everything[1], rel=1e-12)
        if weights != "of classes":  # counts are exact, so ties are the same
            assert few[0] == everything[0]


def test_rows_that_cannot_be_counted_are_refused() -> None:
    problem = random_line_problem(0, 50, 2, tied=False)
    problem = replace(problem, weight=np.random.default_rng(0).exponential(size=50))
    with pytest.raises(ValueError, match="countable"):
        search(problem, "gini", few_rows=True)


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("seed", range(3))
def test_arbitrary_real_weights(criterion: str, seed: int) -> None:
    weight = np.random.default_rng(seed).exponential(size=200)
    problem = replace(random_line_problem(seed, 200, 4, tied=False), weight=weight)
    assert_twins_agree(problem, criterion)


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("seed", range(3))
def test_a_light_child_does_not_inherit_the_rounding_of_a_heavy_one(
    criterion: str, seed: int
) -> None:
    """All rows are of one class, so no split gains; the last weighs next to nothing."""
    weight = np.random.default_rng(seed).exponential(size=200)
    weight[-1] = 1e-12
    u, y = np.arange(200.0), np.zeros(200, np.int32)
    for problem in (
        LineProblem(u, np.full(200, -1.0), y, 2, weight),
        LineProblem(-u, np.ones(200), y, 2, weight[::-1].copy()),
    ):
        found = search(problem, criterion)
        assert found is not None and found[1] == pytest.approx(0.0, abs=1e-9)


def squared_error_search(problem: LineProblem, targets: NDArray[np.float64]) -> None:
    arguments = problem.V, problem.R, targets, 1, "squared_error", problem.weight
    scale = max(1.0, float(np.max(targets**2)))
    assert_among_the_best(_core.line_search(*arguments), oracle.candidates(*arguments), scale)


@examples(150)
@given(problem=line_problems(weights=st.integers(1, 2048).map(lambda k: k / 256)), data=st.data())
def test_squared_error(problem: LineProblem, data: st.DataObject) -> None:
    n = len(problem.V)
    targets = data.draw(st.lists(moderate_floats, min_size=n, max_size=n))
    squared_error_search(problem, np.array(targets))


def test_squared_error_far_from_zero() -> None:
    """A large common offset must cost no accuracy: sums of squares alone would lose it all."""
    problem = random_line_problem(3, 500, 2, tied=False)
    targets = np.where(problem.V + 0.3 * problem.R <= 0.0, 0.0, 1.0)
    near = _core.line_search(problem.V, problem.R, targets, 1, "squared_error")
    far = _core.line_search(problem.V, problem.R, targets + 1e8, 1, "squared_error")
    assert far[0] == near[0]
    assert far[1] == pytest.approx(near[1], rel=1e-6)


def test_nothing_moves() -> None:
    problem = LineProblem(np.array([-1.0, 1.0]), np.zeros(2), np.array([0, 1], np.int32), 2, None)
    assert search(problem, "gini") is None


def test_one_row_has_no_split() -> None:
    problem = LineProblem(np.ones(1), np.ones(1), np.zeros(1, np.int32), 2, None)
    assert search(problem, "gini") is None


def test_two_rows_are_separated_halfway() -> None:
    y = np.array([0, 1], np.int32)
    problem = LineProblem(np.array([1.0, 3.0]), np.array([-1.0, -1.0]), y, 2, None)
    assert search(problem, "gini") == (2.0, 0.5)
    coincident = replace(problem, V=np.array([1.0, 2.0]), R=np.array([-1.0, -2.0]))
    assert search(coincident, "gini") is None


def test_zeros_of_either_sign_are_one_breakpoint() -> None:
    y = np.array([0, 1, 0, 1], np.int32)
    zeros = LineProblem(np.array([0.0, -0.0, 0.0, -0.0]), np.array([1.0, 1, -1, -1]), y, 2, None)
    assert search(zeros, "gini") is None


@pytest.mark.parametrize("criterion", ["gini", "twoing", "sum_minority"])
def test_lowest_step_wins_an_exact_tie(criterion: str) -> None:
    """The outer cuts mirror each other, and in whole numbers their scores are exactly equal."""
    y = np.array([0, 1, 1, 1, 0], np.int32)
    problem = LineProblem(np.arange(5.0), np.full(5, -1.0), y, 2, None)
    found = search(problem, criterion)
    assert found is not None and found[0] == 0.5


def test_adjacent_floats_are_separated_by_the_lower_one_in_a_threshold_search() -> None:
    V = np.array([1.0, np.nextafter(1.0, 2.0)])
    threshold = LineProblem(V, np.full(2, -1.0), np.array([0, 1], np.int32), 2, None)
    found = search(threshold, "gini")
    assert found is not None and found[0] == 1.0
    assert search(replace(threshold, V=-V, R=np.ones(2)), "gini") is None


@pytest.mark.parametrize("criterion", CRITERIA)
@examples(40)
@given(problem=line_problems(weights=st.integers(1, 4).map(float)))
def test_an_integer_weight_repeats_a_row(criterion: str, problem: LineProblem) -> None:
    assume(problem.weight is not None)
    rows = np.repeat(np.arange(len(problem.V)), np.asarray(problem.weight, dtype=int))
    repeated = LineProblem(
        problem.V[rows], problem.R[rows], problem.y[rows], problem.n_classes, None
    )
    assert_among_the_best(search(repeated, criterion), candidates_of(problem, criterion))


def has_equally_frequent_classes(problem: LineProblem) -> bool:
    totals = np.bincount(problem.y, weights=problem.weight)
    return len(np.unique(totals)) < len(totals)


@pytest.mark.parametrize("criterion", CRITERIA)
@examples(40)
@given(problem=line_problems(), data=st.data())
def test_names_of_the_classes_do_not_matter(
    criterion: str, problem: LineProblem, data: st.DataObject
) -> None:
    """Sum of variances ranks the classes, and only a tie in frequency is decided by their names."""
    assume(criterion != "sum_of_variances" or not has_equally_frequent_classes(problem))
    names = np.array(data.draw(st.permutations(range(problem.n_classes))), dtype=np.int32)
    renamed = search(replace(problem, y=names[problem.y]), criterion)
    assert_among_the_best(renamed, candidates_of(problem, criterion))


@pytest.mark.parametrize("criterion", CRITERIA)
@examples(40)
@given(problem=line_problems(), power=st.integers(-40, 40))
def test_a_longer_direction_needs_a_shorter_step(
    criterion: str, problem: LineProblem, power: int
) -> None:
    found = search(problem, criterion)
    scaled = search(replace(problem, R=problem.R * 2.0**power), criterion)
    assert scaled == (None if found is None else (found[0] * 2.0**-power, found[1]))


@pytest.mark.parametrize(
    "view",
    [
        pytest.param(lambda a: np.repeat(a, 3)[::3], id="strided"),
        pytest.param(lambda a: a[::-1].copy()[::-1], id="reversed"),
        pytest.param(lambda a: np.frombuffer(a.tobytes(), a.dtype), id="read-only"),
    ],
)
def test_any_memory_layout_and_untouched_arguments(
    view: Callable[[np.ndarray], np.ndarray],
) -> None:
    problem = random_line_problem(0, 200, 3, tied=True)
    assert problem.weight is not None
    seen = LineProblem(view(problem.V), view(problem.R), view(problem.y), 3, view(problem.weight))
    assert search(seen, "gini") == search(problem, "gini")
    for name in ("V", "R", "y", "weight"):
        np.testing.assert_array_equal(getattr(seen, name), getattr(problem, name))
