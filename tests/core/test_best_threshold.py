"""The threshold on projections against its twin and against scikit-learn's stump."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import axis_parallel, line_search
from oracles.criterion import CRITERIA
from oracles.line_search import Candidate
from oracles.problems import (
    LineProblem,
    examples,
    line_problems,
    moderate_floats,
    random_line_problem,
    small_integers,
)
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from aslant import _core

Answer = tuple[float, float] | None


def search(problem: LineProblem, criterion: str, **options: Any) -> Answer:
    found: Answer = _core.best_threshold(
        problem.V, problem.y, problem.n_classes, criterion, weight=problem.weight, **options
    )
    return found


def candidates(problem: LineProblem, criterion: str, **options: Any) -> list[Candidate]:
    downhill = np.full(len(problem.V), -1.0)
    arguments = problem.V, downhill, problem.y, problem.n_classes, criterion
    return line_search.candidates(*arguments, weight=problem.weight, **options)


def assert_twins_agree(problem: LineProblem, criterion: str, **options: Any) -> None:
    found = search(problem, criterion, **options)
    expected = {c.alpha: c.score for c in candidates(problem, criterion, **options)}
    if not expected:
        assert found is None
        return
    assert found is not None
    threshold, score = found
    assert threshold in expected
    assert score == pytest.approx(expected[threshold], rel=1e-9, abs=1e-11)
    assert score == pytest.approx(max(expected.values()), rel=1e-9, abs=1e-11)


@examples(200)
@given(problem=line_problems(st.one_of(small_integers, moderate_floats)))
def test_every_threshold_is_considered(problem: LineProblem) -> None:
    for criterion in CRITERIA:
        assert_twins_agree(problem, criterion)


@examples(100)
@given(
    problem=line_problems(),
    min_rows=st.integers(0, 4),
    min_weight=st.sampled_from([0.0, 2.0]),
    tie_tolerance=st.sampled_from([0.0, 1.0, 2.0]),
)
def test_limits(problem: LineProblem, **options: Any) -> None:
    assert_twins_agree(problem, "twoing", **options)


@pytest.mark.parametrize("tied", [False, True])
def test_five_thousand_rows(tied: bool) -> None:
    assert_twins_agree(random_line_problem(11, 5000, 3, tied), "gini")


@examples(100)
@given(problem=line_problems(moderate_floats))
def test_it_is_the_line_search_downhill(problem: LineProblem) -> None:
    downhill = np.full(len(problem.V), -1.0)
    along_the_line = _core.line_search(
        problem.V, downhill, problem.y, problem.n_classes, "entropy", weight=problem.weight
    )
    assert search(problem, "entropy") == along_the_line


@pytest.mark.parametrize("u", [1.0, -1.0, 1e-300, 1e150, 5e-324])
def test_neighbouring_floats_are_separated(u: float) -> None:
    """No float lies between them, so the lower one is the threshold: "at most" still separates."""
    pair = np.array([u, np.nextafter(u, np.inf)])
    found = _core.best_threshold(pair, np.array([0, 1], np.int32), 2, "gini")
    assert found == (u, 0.5)


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("n_classes", [2, 3, 5])
@pytest.mark.parametrize("seed", range(4))
def test_scikit_learn_finds_the_same_stump(criterion: str, n_classes: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    u = rng.integers(-60, 60, 150) / 4.0
    y = ((u > 3.0) + rng.integers(0, n_classes, 150)).clip(max=n_classes - 1).astype(np.int32)
    weight = rng.integers(1, 9, 150) / 4.0
    stump = (
        DecisionTreeClassifier(criterion=criterion, max_depth=1).fit(u[:, None], y, weight).tree_
    )
    share = stump.weighted_n_node_samples / weight.sum()
    gain = stump.impurity[0] - share[1:] @ stump.impurity[1:]

    threshold, score = _core.best_threshold(u, y, n_classes, criterion, weight=weight)
    assert score == pytest.approx(gain, rel=1e-9)
    ranked = sorted(
        candidates(LineProblem(u, u, y, n_classes, weight), criterion),
        key=lambda candidate: candidate.score,
    )
    if ranked[-1].score - ranked[-2].score > 1e-9:
        assert threshold == stump.threshold[0]


@pytest.mark.parametrize("seed", range(4))
def test_scikit_learn_finds_the_same_regression_stump(seed: int) -> None:
    rng = np.random.default_rng(seed)
    u = rng.integers(-60, 60, 150) / 4.0
    targets = np.sin(u) + rng.normal(size=150)
    stump = DecisionTreeRegressor(max_depth=1).fit(u[:, None], targets).tree_
    gain = stump.impurity[0] - stump.n_node_samples[1:] / 150 @ stump.impurity[1:]
    threshold, score = _core.best_threshold(u, targets, 1, "squared_error")
    assert threshold == stump.threshold[0]
    assert score == pytest.approx(gain, rel=1e-9)


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("seed", range(3))
def test_best_column_by_column(criterion: str, seed: int) -> None:
    """Running the kernel over the columns gives the best axis-parallel split."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 12, (40, 4)).astype(float)
    y = rng.integers(0, 3, 40).astype(np.int32)
    found = [_core.best_threshold(X[:, column], y, 3, criterion) for column in range(4)]
    expected = axis_parallel.best_numeric_split(X, y, 3, criterion)
    assert expected is not None
    column, _, score = expected
    assert max(score for _, score in found) == pytest.approx(score, rel=1e-9)
    assert found[column][1] == pytest.approx(score, rel=1e-9)


@pytest.mark.parametrize("criterion", ["gini", "entropy", "twoing"])
@examples(60)
@given(data=st.data())
def test_ordering_levels_by_class_share_finds_the_best_subset(
    criterion: str, data: st.DataObject
) -> None:
    """With two classes a category needs one threshold search, not a trial of every subset."""
    n = data.draw(st.integers(2, 24))
    codes = np.array(data.draw(st.lists(st.integers(0, 5), min_size=n, max_size=n)), np.int32)
    y = np.array(data.draw(st.lists(st.integers(0, 1), min_size=n, max_size=n)), np.int32)
    share = np.array([y[codes == code].mean() for code in codes])
    ordered = _core.best_threshold(share, y, 2, criterion)
    exhaustive = axis_parallel.best_subset_split(codes, y, 2, criterion)
    best = 0.0 if exhaustive is None else exhaustive[1]
    assert (0.0 if ordered is None else ordered[1]) == pytest.approx(best, rel=1e-9, abs=1e-11)


# ------------------------------------------------------------------ weights that rounding loses


TINY = [1e-18, 1e-100, 1e-300]


@pytest.mark.parametrize("tiny", TINY)
@pytest.mark.parametrize("criterion", [*CRITERIA, "squared_error", "poisson"])
@pytest.mark.parametrize("n_tiny", [1, 2, 3])
def test_rows_of_next_to_no_weight_at_an_end_do_not_matter(
    criterion: str, tiny: float, n_tiny: int
) -> None:
    """A child of such rows only has no weight left when it is subtracted from the node's."""
    heavy = np.array([0, 1, 0, 0, 1, 1, 1])
    kwargs: dict[str, Any] = {"n_classes": 3, "criterion": criterion}
    dtype = float if criterion in ("squared_error", "poisson") else np.int32
    best = _core.best_threshold(np.arange(7.0), heavy.astype(dtype), **kwargs)
    assert best is not None
    for label in (0, 1, 2):  # 2: a class of such rows only
        y = np.concatenate([heavy, np.full(n_tiny, label)]).astype(dtype)
        weight = np.concatenate([np.ones(7), np.full(n_tiny, tiny)])
        for order in (slice(None), slice(None, None, -1)):
            u = np.arange(float(len(y)))[order]
            found = _core.best_threshold(u, y, **kwargs, weight=weight)
            assert found is not None
            assert found[1] == pytest.approx(best[1], rel=1e-9)
            moved = _core.line_search(u - 2.2, np.ones(len(u)), y, **kwargs, weight=weight)
            assert moved is not None
            assert moved[1] == pytest.approx(best[1], rel=1e-9)
