"""Folds, starts and the rule of the choice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_iris

from aslant import AutoTreeClassifier, ObliqueDecisionTreeClassifier
from aslant.encoding.sample import Sample
from aslant.estimators.auto.candidates import (
    Candidate,
    Fitting,
    FoldFit,
    Recipe,
    best_candidate,
    clearly_worse,
)
from aslant.estimators.auto.effort import EFFORTS
from aslant.estimators.auto.race import raced
from aslant.estimators.auto.starts import Start, grow_starts, stratified_folds
from aslant.estimators.auto.work import Stopped, Work
from aslant.growth import TreeSettings
from aslant.search import AxisParallel
from aslant.tree.tree import Tree

X, Y = load_iris(return_X_y=True)


def sample_of(y: Any = Y, weight: Any = None) -> Sample:
    weight = np.ones(len(y)) if weight is None else weight
    return Sample(X[: len(y)], np.asarray(y, dtype=np.int32), weight, int(np.max(y)) + 1)


def test_folds_share_out_the_rows_of_every_class() -> None:
    y = np.repeat([0, 1, 2, 3], [60, 31, 7, 2])
    folds = stratified_folds(sample_of(y), 5, seed=3)
    assert len(folds) == 5
    counts = np.array([np.bincount(validation.y, minlength=4) for _, validation in folds])
    assert np.array_equal(counts.sum(axis=0), [60, 31, 7, 2])
    assert (counts.max(axis=0) - counts.min(axis=0) <= 1).all()
    assert np.ptp(counts.sum(axis=1)) <= 1
    for others, validation in folds:
        assert len(others) + len(validation) == 100


WAY = {"one": TreeSettings(search=AxisParallel(), criterion="entropy")}


def grow(sample: Sample) -> Tree:
    clf = ObliqueDecisionTreeClassifier("axis_parallel", criterion="entropy", random_state=0)
    return clf.fit(sample.X, sample.y, sample.weight).tree_


@pytest.mark.parametrize("most", [None, 2, 3])
def test_starts_have_a_test_and_no_more_leaves_than_allowed(most: int | None) -> None:
    sample = sample_of()
    folds = stratified_folds(sample, 5, 0)
    starts, n_hyperplanes = grow_starts(WAY, sample, folds, (0.0,), most, Work(1, None), 1.0, 0)
    (start,) = starts
    assert n_hyperplanes > 0
    for tree in (start.tree, *start.fold_trees):
        assert 2 <= tree.n_leaves <= (most or 150)
    assert len(start.fold_trees) == 5


def test_a_start_is_kept_even_where_a_leaf_would_do() -> None:
    y = np.random.default_rng(1).integers(0, 2, 100)
    sample = sample_of(y)
    folds = stratified_folds(sample, 5, 0)
    starts, _ = grow_starts(WAY, sample, folds, (0.0,), None, Work(1, None), 1.0, 0)
    assert starts[0].tree.n_leaves >= 2


def test_equal_starts_are_kept_once_and_smaller_ones_are_named() -> None:
    y = (X[:, 2] + np.random.default_rng(0).normal(size=150) > 3.5).astype(int)
    sample = sample_of(y)
    folds = stratified_folds(sample, 5, 0)
    starts, _ = grow_starts(WAY, sample, folds, (0.0, 0.0, 4.0), None, Work(1, None), 1.0, 0)
    assert [start.name for start in starts] in (["one"], ["one", "one, smaller"])
    if len(starts) == 2:
        assert starts[1].tree.n_leaves < starts[0].tree.n_leaves


@pytest.mark.parametrize("most_features", [None, 2])
def test_fits_in_folds_are_judged_by_their_hard_trees(most_features: int | None) -> None:
    sample = sample_of()
    fitting = Fitting(EFFORTS["medium"], True, most_features, False, lambda: None)
    others, validation = stratified_folds(sample, 5, 0)[0]
    fits = fitting.fit_dense(grow(others), others, validation, fitting.dense_recipes())
    assert list(fits) == fitting.dense_recipes()
    dense = fits[Recipe(0.01, 0.0)]
    sparse = fitting.sparse_recipes(0.01)
    fits |= fitting.fit_sparse(grow(others), others, validation, sparse, dense)
    assert list(fits)[3:] == sparse
    for fit in fits.values():
        tree = fitting.hard(fit, others).tree
        wrong = tree.value.argmax(axis=1)[tree.apply(validation.X)] != validation.y
        assert np.array_equal(fit.loss, wrong)
        assert (fit.leaves, fit.coefficients) == (tree.n_leaves, len(tree.coef_value))


def candidate(error: float, coefficients: float, leaves: float = 3.0) -> Candidate:
    nothing = Start("nothing", grow(sample_of()), [])
    return Candidate(nothing, Recipe(1.0, 0.0), [], error, 0.02, leaves, coefficients, 0.0)


def test_rule_of_the_choice() -> None:
    best, sparse, bad = candidate(0.10, 9), candidate(0.109, 4), candidate(0.12, 1)
    assert best_candidate([best, sparse, bad], 0.5) is sparse
    assert best_candidate([best, sparse, bad], 0.0) is best
    assert best_candidate([best, sparse, bad], None) is best
    assert best_candidate([best, sparse, bad], 1.0) is bad
    smaller = candidate(0.10, 9, leaves=2.0)
    assert best_candidate([best, smaller], None) is smaller
    assert best_candidate([best, smaller], 0.5) is smaller


def test_clearly_worse() -> None:
    n = 200
    good, similar, bad = ((np.arange(n) < k).astype(float) for k in (20, 22, 60))
    assert clearly_worse(bad, good, np.ones(n))
    assert not clearly_worse(similar, good, np.ones(n))
    assert not clearly_worse(good, bad, np.ones(n))
    assert not clearly_worse(good, good, np.ones(n))


@pytest.mark.parametrize("n_threads", [1, 4])
def test_work_comes_back_in_order(n_threads: int) -> None:
    shares: list[float] = []
    work = Work(n_threads, lambda done: shares.append(done))
    assert work.run([lambda i=i: i * i for i in range(20)], 0.5) == [i * i for i in range(20)]
    assert work.run([], 0.5) == []
    assert shares == pytest.approx(np.arange(1, 21) / 40)


def test_work_stops_after_a_failure() -> None:
    work = Work(2, None)

    def fail() -> None:
        raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        work.run([fail] + [lambda: None] * 50, 1.0)
    with pytest.raises(Stopped):
        work.check()


def raced_losses(known: dict[Any, Any], patience: float = 1.5) -> dict[str, int]:
    """Race fits of two starts whose losses are known; return in how many folds each was fitted."""
    share = {(0, 1.0): 0.1, (0, 2.0): 0.9, (1, 1.0): 0.6, (1, 2.0): 0.7}
    folds = [validation for _, validation in stratified_folds(sample_of(), 5, 0)]

    def fit(start: int, fold: int, recipes: Sequence[Recipe]) -> dict[Recipe, FoldFit]:
        n = len(folds[fold])
        return {
            recipe: FoldFit(
                grow(sample_of()), None, 1.0 * (np.arange(n) < share[start, recipe.l2] * n),
                2, 4, 0.0,
            )
            for recipe in recipes
        }  # fmt: skip

    keys = [(start, Recipe(l2, 0.0)) for start, l2 in share]
    fits = raced(
        keys, fit, folds, Work(1, None), 1.0, known=known, together=True, patience=patience
    )
    return {f"{start}, {recipe.l2:g}": len(own) for (start, recipe), own in fits.items()}


def test_what_is_clearly_worse_is_not_fitted_in_the_other_folds() -> None:
    assert raced_losses({}) == {"0, 1": 5, "0, 2": 1, "1, 1": 1, "1, 2": 1}


def test_the_best_fit_of_a_start_can_be_kept_longer() -> None:
    assert raced_losses({}, patience=1e9) == {"0, 1": 5, "0, 2": 1, "1, 1": 5, "1, 2": 1}


def test_what_is_known_already_takes_part_in_a_race() -> None:
    perfect = [
        FoldFit(grow(sample_of()), None, np.zeros(len(validation)), 2, 4, 0.0)
        for _, validation in stratified_folds(sample_of(), 5, 0)
    ]
    best = (2, Recipe(1.0, 0.0))
    assert raced_losses({best: perfect})["0, 1"] == 1
    assert raced_losses({best: perfect[:1]})["0, 1"] == 5  # it was given up itself


def test_few_rows_are_judged_three_times() -> None:
    clf = AutoTreeClassifier(random_state=0).fit(X[::2], Y[::2])
    assert max(record["folds"] for record in clf.candidates_) == 15
    assert "5-fold cross-validation made 3 times" in clf.choice_
    for record in clf.candidates_:
        if record["folds"] == 15:  # as exact as 75 rows are, not 225
            error = record["error"]
            assert record["standard_error"] == pytest.approx(np.sqrt(error * (1.0 - error) / 75))
    clf = AutoTreeClassifier(random_state=0).fit(X, Y)
    assert max(record["folds"] for record in clf.candidates_) == 5
    assert "5-fold cross-validation," in clf.choice_
