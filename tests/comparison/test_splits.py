"""Divisions of the rows: complete, disjoint, of the stated sizes, and the same every time."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aslant.comparison.splits import Division, Folds, Plan, RandomDivisions

PLANS: tuple[Plan, ...] = (
    Folds(runs=10, folds=5),
    Folds(runs=10, folds=5, stratified=True),
    Folds(runs=10, folds=4, prune_share=0.25),
    RandomDivisions(runs=100, train_share=0.9),
    RandomDivisions(runs=20, train_share=1 / 3),
)


def labels(n_rows: int) -> np.ndarray:
    return np.arange(n_rows) % 3


def rows_of(division: Division) -> list[int]:
    parts = [division.train, division.test]
    parts += [] if division.prune is None else [division.prune]
    return np.sort(np.concatenate(parts)).tolist()


@pytest.mark.parametrize("plan", PLANS, ids=str)
@given(n_rows=st.integers(30, 200), run=st.integers(0, 99))
def test_every_row_has_one_place(plan: Plan, n_rows: int, run: int) -> None:
    divisions = plan.divide(labels(n_rows), None, run)
    assert len(divisions) == plan.fits
    for division in divisions:
        assert rows_of(division) == list(range(n_rows))


@pytest.mark.parametrize("plan", PLANS, ids=str)
def test_a_run_is_always_the_same_and_runs_differ(plan: Plan) -> None:
    def tested(run: int) -> list[list[int]]:
        return [division.test.tolist() for division in plan.divide(labels(90), None, run)]

    assert tested(3) == tested(3)
    assert tested(3) != tested(4)


@pytest.mark.parametrize("folds", [4, 5])
def test_every_row_is_tested_once_in_a_cross_validation(folds: int) -> None:
    divisions = Folds(runs=1, folds=folds, prune_share=0.25).divide(labels(101), None, 0)
    tested = np.sort(np.concatenate([division.test for division in divisions]))
    assert tested.tolist() == list(range(101))


def test_half_a_quarter_and_a_quarter() -> None:
    for division in Folds(runs=1, folds=4, prune_share=0.25).divide(labels(400), None, 0):
        assert division.prune is not None
        sizes = (len(division.train), len(division.prune), len(division.test))
        assert sizes == (200, 100, 100)


def test_the_prune_rows_of_different_folds_differ() -> None:
    first, second, *_ = Folds(runs=1, folds=4, prune_share=0.25).divide(labels(400), None, 0)
    assert first.prune is not None and second.prune is not None
    assert first.prune.tolist() != second.prune.tolist()


def test_stratified_folds_have_the_classes_in_the_same_shares() -> None:
    y = np.repeat([0, 1], [80, 20])
    for division in Folds(runs=1, folds=5, stratified=True).divide(y, None, 0):
        assert np.bincount(y[division.test]).tolist() == [16, 4]


def test_shares_of_a_random_division() -> None:
    (division,) = RandomDivisions(runs=1, train_share=1 / 3).divide(labels(150), None, 0)
    assert len(division.train) == 50
