"""Folds, starts and the rule of the choice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_iris

from aslant import AutoTreeClassifier, ObliqueDecisionTreeClassifier
from aslant.encoding.sample import Sample
from aslant.estimators.auto.candidates import Candidate, best_candidate
from aslant.estimators.auto.choosing import _candidates, _ranking, _Referee
from aslant.estimators.auto.competitors import (
    FoldFit,
    GrownTree,
    JointTree,
    LinearLeaf,
    Recipe,
    SingleLeaf,
    SoftenedTree,
)
from aslant.estimators.auto.effort import EFFORTS
from aslant.estimators.auto.evaluation import Evaluation
from aslant.estimators.auto.fitting import ClassFitting
from aslant.estimators.auto.leaf import leaf_of
from aslant.estimators.auto.race import clearly_worse, raced
from aslant.estimators.auto.starts import Fold, Start, grow_starts, stratified_folds
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


def best_only(linear_leaves: bool) -> tuple[float, ...]:
    return (0.0,)


WAY = {"one": TreeSettings(search=AxisParallel(), criterion="entropy")}


def grow(sample: Sample) -> Tree:
    clf = ObliqueDecisionTreeClassifier("axis_parallel", criterion="entropy", random_state=0)
    return clf.fit(sample.X, sample.y, sample.weight).tree_


@pytest.mark.parametrize("most", [None, 2, 3])
def test_starts_have_a_test_and_no_more_leaves_than_allowed(most: int | None) -> None:
    sample = sample_of()
    folds = stratified_folds(sample, 5, 0)
    starts, n_hyperplanes = grow_starts(
        WAY, sample, folds, lambda _: (0.0,), most, Work(1, None), 1.0, 0
    )
    (start,) = starts
    assert n_hyperplanes > 0
    for tree in (start.tree, *start.fold_trees):
        assert 2 <= tree.n_leaves <= (most or 150)
    assert len(start.fold_trees) == 5


def test_a_start_is_kept_even_where_a_leaf_would_do() -> None:
    y = np.random.default_rng(1).integers(0, 2, 100)
    sample = sample_of(y)
    folds = stratified_folds(sample, 5, 0)
    starts, _ = grow_starts(WAY, sample, folds, best_only, None, Work(1, None), 1.0, 0)
    assert starts[0].tree.n_leaves >= 2


def test_equal_starts_are_kept_once_and_smaller_ones_are_named() -> None:
    y = (X[:, 2] + np.random.default_rng(0).normal(size=150) > 3.5).astype(int)
    sample = sample_of(y)
    folds = stratified_folds(sample, 5, 0)
    starts, _ = grow_starts(
        WAY, sample, folds, lambda _: (0.0, 0.0, 4.0), None, Work(1, None), 1.0, 0
    )
    assert [start.name for start in starts] in (["one"], ["one", "one, smaller"])
    if len(starts) == 2:
        assert starts[1].tree.n_leaves < starts[0].tree.n_leaves


def fitting_of(most_features: int | None = None, soft: bool = True) -> ClassFitting:
    return ClassFitting(
        EFFORTS["medium"], True, most_features, 1, False, lambda: None, soft, ("constant", "linear")
    )


def start_of(sample: Sample, folds: Sequence[Fold]) -> Start:
    return Start("one", grow(sample), [grow(others) for others, _ in folds], True)


@pytest.mark.parametrize("soft", [True, False])
@pytest.mark.parametrize("most_features", [None, 2])
@pytest.mark.parametrize("kind", [JointTree, SoftenedTree, GrownTree])
def test_fits_in_folds_predict_what_their_trees_predict(
    kind: type[Any], most_features: int | None, soft: bool
) -> None:
    """A fit in a fold is the fit of an estimator that knows only the other folds."""
    sample = sample_of()
    folds = stratified_folds(sample, 5, 0)
    fitting = fitting_of(most_features, soft)
    competitor = kind(start_of(sample, folds), fitting, folds)
    fits = competitor.fit_fold(0, competitor.dense_recipes())
    assert list(fits) == competitor.dense_recipes()
    last = list(fits)[-1]
    sparse = competitor.sparse_recipes([last])
    fits |= competitor.fit_fold_sparse(0, sparse, fits[last]) if sparse else {}
    alone = kind(Start("one", grow(folds[0][0]), []), fitting, [])
    for recipe, fit in fits.items():
        refined = alone.fit(recipe, folds[0][0])
        assert (fit.leaves, fit.coefficients) == (
            refined.tree.n_leaves,
            len(refined.tree.coef_value),
        )
        expected = fitting.outputs(refined, *folds[0][:1], folds[0][1].X)
        assert fit.output == pytest.approx(expected, abs=1e-12)
        assert fit.output.sum(axis=1) == pytest.approx(np.ones(len(folds[0][1])))
        if most_features is not None and kind is not GrownTree:
            assert refined.tree.features_in_test.max() <= most_features


def test_linear_leaf_in_a_fold_is_that_of_the_other_folds() -> None:
    sample = sample_of()
    folds = stratified_folds(sample, 5, 0)
    competitor = LinearLeaf("line", fitting_of(), folds, leaf_of)
    fits = competitor.fit_fold(0, competitor.dense_recipes())
    best = Recipe(1.0)
    sparse = competitor.sparse_recipes([Recipe(10.0), best])
    assert {recipe.l2 for recipe in sparse} == {1.0}
    fits |= competitor.fit_fold_sparse(0, sparse, fits[best])
    counts = [fit.coefficients for fit in fits.values()]
    assert counts[0] == 12 > counts[-1]
    for recipe, fit in fits.items():
        tree = competitor.fit(recipe, folds[0][0]).tree
        assert fit.coefficients == np.count_nonzero(tree.leaf_coef)
        assert fit.output == pytest.approx(tree.probabilities(folds[0][1].X), abs=0.03)  # rounded


def candidate(loss: float, coefficients: float, leaves: float = 3.0, **figures: Any) -> Candidate:
    competitor = SingleLeaf(
        "nothing", fitting_of(), [], leaf_of, is_constant=figures.pop("is_constant", False)
    )
    fit = FoldFit(np.zeros((1, 2)), int(leaves), int(coefficients), 0.0)
    evaluation = Evaluation(np.zeros(1), loss, figures.pop("log_loss", None))
    return Candidate(competitor, Recipe(1.0), [fit], evaluation, loss, 0.02)


def test_a_constant_wins_only_if_nothing_informs_more() -> None:
    constant = candidate(0.10, 0, log_loss=0.40, is_constant=True)
    better, worse = candidate(0.101, 4, log_loss=0.35), candidate(0.10, 1, log_loss=0.45)
    good = candidate(0.05, 3, log_loss=0.3)
    for others, ranking in (
        ([better, worse], [better, constant]),
        ([worse], [constant]),
        ([], [constant]),
        ([better, good, worse], [good, better, constant]),
    ):
        assert _ranking([constant, *others], 0.5) == ranking


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
            recipe: FoldFit(1.0 * (np.arange(n) < share[start, recipe.l2] * n), 2, 4, 0.0)
            for recipe in recipes
        }

    def evaluate(fits: Mapping[Any, Sequence[FoldFit]]) -> dict[Any, Evaluation]:
        losses = {key: np.concatenate([fit.output for fit in own]) for key, own in fits.items()}
        return {key: Evaluation(loss, float(loss.mean())) for key, loss in losses.items()}

    keys = [(start, Recipe(l2, 0.0)) for start, l2 in share]
    fits = raced(
        keys,
        fit,
        evaluate,
        folds,
        Work(1, None),
        1.0,
        known=known,
        together=True,
        patience=patience,
    )
    return {f"{start}, {recipe.l2:g}": len(own) for (start, recipe), own in fits.items()}


def test_what_is_clearly_worse_is_not_fitted_in_the_other_folds() -> None:
    assert raced_losses({}) == {"0, 1": 5, "0, 2": 1, "1, 1": 1, "1, 2": 1}


def test_the_best_fit_of_a_start_can_be_kept_longer() -> None:
    assert raced_losses({}, patience=1e9) == {"0, 1": 5, "0, 2": 1, "1, 1": 5, "1, 2": 1}


def test_what_is_known_already_takes_part_in_a_race() -> None:
    perfect = [
        FoldFit(np.zeros(len(validation)), 2, 4, 0.0)
        for _, validation in stratified_folds(sample_of(), 5, 0)
    ]
    best = (2, Recipe(1.0, 0.0))
    assert raced_losses({best: perfect})["0, 1"] == 1
    assert raced_losses({best: perfect[:1]})["0, 1"] == 5  # it was given up itself


def test_few_rows_are_judged_three_times() -> None:
    clf = AutoTreeClassifier(random_state=0).fit(X[::2], Y[::2])
    assert max(record["folds"] for record in clf.candidates_) == 15
    assert "5-fold cross-validation made 3 times" in clf.choice_
    clf = AutoTreeClassifier(random_state=0).fit(X, Y)
    assert max(record["folds"] for record in clf.candidates_) == 5
    assert "5-fold cross-validation (" in clf.choice_


def test_three_evaluations_of_a_row_are_not_three_rows() -> None:
    once, thrice = (
        _candidates(
            {(0, Recipe(0.0)): fits},
            _Referee(
                [SingleLeaf("leaf", fitting_of(), [], leaf_of, is_constant=True)],
                rows,
                fitting_of(),
            ),
            None,
            150.0,
        )[0]
        for fits, rows in (
            ([FoldFit(np.eye(3)[Y[::-1]] * 0.9 + 0.1 / 3, 1, 0, 0.0)] * n, [sample_of()] * n)
            for n in (1, 3)
        )
    )
    assert thrice.loss == pytest.approx(once.loss)
    assert thrice.standard_error == pytest.approx(once.standard_error)
