"""The joint fit as a step after growing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import train_test_split

from aslant import (
    CARTClassifier,
    HHCARTClassifier,
    LMDTClassifier,
    ObliqueDecisionTreeClassifier,
    OC1Classifier,
    QUESTClassifier,
    load,
    save,
)
from aslant.datasets import make_ls10, make_pol
from aslant.refine import JointFit
from aslant.refine.columns import StandardColumns
from aslant.refine.soft import SoftModel

from .trees import grown, rows, sample_of


@pytest.mark.parametrize(
    "clf",
    [
        CARTClassifier(max_leaf_nodes=20),
        OC1Classifier(restarts=3, random_state=0),
        HHCARTClassifier(random_state=0),
        QUESTClassifier(random_state=0),
        ObliqueDecisionTreeClassifier("fisher_climb", random_state=0),
    ],
)
def test_refining_makes_a_tree_no_larger_that_fits_better(clf: Any) -> None:
    X, y = make_ls10(600, random_state=0)
    plain = clone(clf).fit(X, y)
    refined = clone(clf).set_params(refine="joint").fit(X, y)
    assert refined.get_n_leaves() <= plain.get_n_leaves()
    assert refined.score(X, y) >= plain.score(X, y) - 0.01
    assert refined.tree_.value[0].sum() == len(y)  # all rows, those held out for pruning too


def test_tests_with_long_coefficients_are_not_lost() -> None:
    """Long coefficients cost more than all rows together, and went first, with what they divided.

    Deep tests of QUEST have them here: at the start they cost 840 times all that can be gained.
    """
    X, y = make_pol(800, random_state=0)
    plain = QUESTClassifier(random_state=0).fit(X, y)
    refined = QUESTClassifier(refine="joint", random_state=0).fit(X, y)
    assert refined.score(X, y) > plain.score(X, y) - 0.03


@pytest.mark.parametrize("l2", [0.0, 0.01, 1.0, 100.0])
def test_no_gate_costs_more_at_the_start_than_it_can_gain(l2: float) -> None:
    sample = rows(n=300, d=6)
    X = np.column_stack([sample.X, sample.X[:, 0] + 1e-3 * sample.X[:, 1]])  # nearly repeated
    sample = sample_of(X, sample.y)
    tree = grown(sample, "quest", max_leaf_nodes=None)
    model = SoftModel(tree, sample, fill_with_training_mean=False)
    moderate, start = (model.gates(model.start(l2=s)) for s in (0.0, l2))
    penalty = 0.5 * l2 * (start[:, :-1] ** 2).sum(axis=1)
    gain = tree.n_node_samples[~tree.is_leaf] * np.log(3)
    gain = np.maximum(gain, 0.5 * l2 * (4.0**2) * np.pi / 2)  # w of one normal feature
    assert (penalty <= gain * (1 + 1e-9)).all()
    short = 0.5 * l2 * (moderate[:, :-1] ** 2).sum(axis=1) <= gain
    np.testing.assert_array_equal(start[short], moderate[short])
    factor = start[:, [-1]] / moderate[:, [-1]]
    np.testing.assert_allclose(start, moderate * factor)  # the same hyperplanes
    assert (factor > 0.0).all()


def test_a_staircase_becomes_the_line_it_follows() -> None:
    X, y = make_ls10(1500, random_state=0)
    X, X_test, y, y_test = train_test_split(X, y, random_state=0)
    stairs = CARTClassifier(max_leaf_nodes=40).fit(X, y)
    line = CARTClassifier(max_leaf_nodes=40, refine=JointFit(l2=0.1)).fit(X, y)
    assert line.get_n_leaves() <= 4
    assert line.score(X_test, y_test) > 0.97 > 0.9 > stairs.score(X_test, y_test)


def test_more_strength_means_smaller_weights() -> None:
    sample = rows()
    model = SoftModel(grown(sample), sample, fill_with_training_mean=False)
    sizes = []
    for l2 in (0.01, 1.0, 100.0):
        fitted = model.minimise(model.start(), l2=l2, max_iter=60)
        sizes.append(float((model.weights(fitted) ** 2).sum()))
    assert sizes[0] > sizes[1] > sizes[2]


def test_an_l1_penalty_makes_tests_sparse() -> None:
    sample = rows(n=400, d=12)
    tree = grown(sample, "fisher_climb")
    counts = [
        len(JointFit(l2=0.01, l1=l1).refine(tree, sample).coef_value) for l1 in (0.0, 0.15, 0.6)
    ]
    assert counts[0] > counts[1] > counts[2] > 0


def test_a_path_yields_what_is_wanted() -> None:
    sample = rows(n=200, d=8)
    model = SoftModel(grown(sample, "fisher_climb"), sample, fill_with_training_mean=False)
    fit = JointFit(l2=0.01, max_iter=10)
    dense = fit.dense(model)
    whole = dict(fit.path(model, dense, (0.05, 0.2, 0.8)))
    assert list(whole) == [0.05, 0.2, 0.8]
    some = dict(fit.path(model, dense, (0.05, 0.2, 0.8), {0.2}))
    assert list(some) == [0.2]
    assert np.array_equal(some[0.2].parameters, whole[0.2].parameters)
    alone = np.zeros_like(dense)  # no test is left of this, and penalties change nothing
    assert list(dict(fit.path(model, alone, (0.05, 0.2), {0.2}))) == [0.2]


def test_large_coefficients_have_lower_penalties() -> None:
    sample = rows()
    model = SoftModel(grown(sample), sample, fill_with_training_mean=False)
    parameters = model.start()
    model.weights(parameters)[...] = 0.0
    model.weights(parameters)[0] = [3.0, -4.0, 0.0, 0.0, 0.0]  # root mean square: sqrt(5)
    relative = model.relative_penalties(parameters)
    size = np.sqrt(5.0)
    assert relative[0] == pytest.approx(np.sqrt([size / 3, size / 4, 10, 10, 10]))
    assert np.allclose(relative[1:], np.sqrt(10.0))  # all of them zero


def test_a_penalty_without_gain_leaves_a_leaf() -> None:
    sample = rows()
    assert JointFit(l1=1e6).refine(grown(sample), sample).n_leaves == 1


@pytest.mark.parametrize("most", [1, 2, 3])
@pytest.mark.parametrize("l1", [0.0, 0.1])
def test_limit_of_features_in_a_test(most: int, l1: float) -> None:
    sample = rows(n=300, d=8)
    fit = JointFit(l2=0.1, l1=l1, max_features_per_test=most)
    tree = fit.refine(grown(sample, "fisher_climb"), sample)
    assert tree.features_in_test.max() <= most
    assert tree.n_leaves > 1


def test_a_category_is_one_feature() -> None:
    rng = np.random.default_rng(0)
    colour = rng.integers(0, 6, 400)
    X = np.column_stack([colour, rng.normal(size=(400, 3))])
    y = np.isin(colour, [1, 2, 5]).astype(int)
    clf = CARTClassifier(
        max_leaf_nodes=8,
        categorical_features=[0],
        refine=JointFit(max_features_per_test=1, l2=0.01),
    ).fit(X, y)
    assert clf.tree_.features_in_test.max() == 1
    assert clf.score(X, y) == 1.0


@pytest.mark.parametrize("missing", ["node_mean", "training_mean"])
def test_missing_values(missing: str) -> None:
    X, y = make_pol(800, random_state=0)
    X = X.copy()
    X[np.random.default_rng(0).random(X.shape) < 0.1] = np.nan
    plain = CARTClassifier(max_leaf_nodes=30, missing=missing).fit(X, y)
    refined = clone(plain).set_params(refine=JointFit(l2=0.01)).fit(X, y)
    assert refined.score(X, y) >= plain.score(X, y) - 0.02
    fills = refined.tree_.coef_fill
    if missing == "training_mean":
        means = np.nanmean(X, axis=0)[refined.tree_.coef_column]
        assert fills == pytest.approx(means, rel=1e-6)
    else:
        assert len(np.unique(fills.round(6))) > 2


def test_weights_are_numbers_of_rows() -> None:
    sample = rows(n=120)
    times = np.random.default_rng(0).integers(1, 4, len(sample))
    repeated = sample_of(np.repeat(sample.X, times, axis=0), np.repeat(sample.y, times))
    weighted = sample_of(sample.X, sample.y, times)
    tree = grown(weighted)
    one, other = (JointFit(max_iter=15).refine(tree, rows) for rows in (weighted, repeated))
    assert np.array_equal(one.apply(sample.X), other.apply(sample.X))
    assert np.array_equal(one.value, other.value)


@pytest.mark.parametrize("scale", [1e-200, 1e-5, 1e5, 1e200])
def test_units_do_not_matter(scale: float) -> None:
    sample = rows()
    tree = JointFit(max_iter=10).refine(grown(sample), sample)
    scaled = sample_of(sample.X * scale, sample.y)
    other = JointFit(max_iter=10).refine(grown(scaled), scaled)
    assert np.mean(tree.apply(sample.X) == other.apply(scaled.X)) > 0.98


def test_linear_machines_are_refused() -> None:
    sample = rows()
    with pytest.raises(ValueError, match="this tree has linear machines"):
        LMDTClassifier(refine="joint", random_state=0).fit(sample.X, sample.y)


def test_a_leaf_stays_a_leaf() -> None:
    clf = CARTClassifier(refine="joint").fit([[0.0], [1.0]], ["a", "a"])
    assert clf.get_n_leaves() == 1


@pytest.mark.parametrize(
    ("refine", "error", "message"),
    [
        ("joined", ValueError, "refine must be one of 'joint', got 'joined'. Did you mean 'joint'"),
        (3, TypeError, "refine must be None, a name or an object from aslant.refine, got 3"),
        (JointFit(l2=-1.0), ValueError, "l2 must be"),
        (JointFit(l1="much"), TypeError, "l1 must be a number, got 'much'"),
        (JointFit(max_features_per_test=0), ValueError, "max_features_per_test must be at least 1"),
        (JointFit(max_iter=1.5), TypeError, "max_iter must be an integer"),
        (JointFit(tol=-1.0), ValueError, "tol must be between 0 and 1"),
    ],
)
def test_parameters_that_are_not_valid(refine: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        CARTClassifier(refine=refine).fit([[0.0], [1.0]], [0, 1])


def test_a_model_file_keeps_the_refinement(tmp_path: Any) -> None:
    sample = rows()
    clf = CARTClassifier(max_leaf_nodes=6, refine=JointFit(l2=0.1)).fit(sample.X, sample.y)
    save(clf, tmp_path / "model.aslant")
    again = load(tmp_path / "model.aslant")
    assert again.refine.l2 == 0.1
    assert again.fit(sample.X, sample.y).tree_ == clf.tree_


@pytest.mark.parametrize("scale", [2.0**1021, 2.0**-1000])
def test_the_largest_numbers_there_are(scale: float) -> None:
    """What a test sums up over the rows leaves the range of numbers."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 3)).clip(-2.0, 2.0)
    y = (X[:, 0] + X[:, 1] > 0.0).astype(int)
    model = CARTClassifier(max_depth=3, refine=JointFit(max_iter=50)).fit(X * scale, y)
    assert np.isfinite(model.predict_proba(X * scale)).all()
    assert model.score(X * scale, y) > 0.9


def test_features_of_wildly_different_scale() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 3))
    y = (X[:, 0] + X[:, 1] > 0.0).astype(int)
    X *= [1e-300, 1e300, 1.0]
    for search in ("fisher", "hhcart", "axis_parallel"):
        model = ObliqueDecisionTreeClassifier(
            search, max_depth=3, refine=JointFit(max_iter=50, max_features_per_test=1)
        )
        assert np.isfinite(model.fit(X, y).predict_proba(X)).all()


def test_planes_beyond_the_range_of_numbers() -> None:
    """They are known up to a factor, so they can be brought into the range."""
    sample = rows()
    tree = grown(sample)
    columns = StandardColumns.of(tree, sample)
    coef = np.arange(1.0, len(columns.unit) + 1.0)[np.newaxis]
    v, c = columns.planes_from_input(coef, np.array([3.0]))
    large = replace(columns, unit=columns.unit * 2.0**1000)
    other_v, other_c = large.planes_from_input(coef * 2.0**22, np.array([3.0]) * 2.0**1022)
    factor = other_v[0, 0] / v[0, 0]
    assert factor > 0.0
    np.testing.assert_allclose(other_v, factor * v)
    np.testing.assert_allclose(other_c, factor * c)
