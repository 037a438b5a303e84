"""What weights mean: cases or proportions, for every estimator and in scikit-learn's ensembles."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.ensemble import (
    AdaBoostClassifier,
    BaggingClassifier,
    StackingClassifier,
    VotingClassifier,
)
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import train_test_split
from sklearn.tree import DecisionTreeClassifier

import aslant
from aslant import (
    KDTClassifier,
    MMLTreeClassifier,
    ObliqueExtraTreesClassifier,
    ObliqueRandomForestClassifier,
    OC1Classifier,
    PolePairClassifier,
    QUESTClassifier,
    SADTClassifier,
)
from aslant.encoding.weights import row_weights
from aslant.search import SADT

# Those that read more than the proportions of weights, why, and settings that show it.
COUNT_CASES: dict[str, tuple[str, dict[str, Any]]] = {
    "AutoTreeClassifier": (
        "coefficients are weighed against every case",
        {"effort": "low", "leaf": "constant"},
    ),
    "C45Classifier": ("the least cases of a branch, error-based pruning", {}),
    "FisherTreeClassifier": ("the least cases of a branch, error-based pruning", {}),
    "MMLTreeClassifier": ("the message states the class of every case", {}),
    "QUESTClassifier": (
        "association between class and feature is more significant with more cases",
        {"split": "univariate", "pruning": None},
    ),
    "ObliqueGradientBoostingClassifier": ("the L2 penalty is weighed against every case", {}),
    "LMDTClassifier": ("a machine is trained on every case", {"pruning": None}),
    "LTUTreeClassifier": (
        "Pocket and thermal training present every case",
        {"learner": "pocket", "pruning": None},
    ),
}
# Annealing with its own patience takes long. Annealing and the many small nodes of forests turn on
# the last bit of an entropy, which the scale of the weights changes, unlike that of a Gini index.
QUICK: dict[str, Any] = {
    "SADTClassifier": SADTClassifier(patience=1000, criterion="gini"),
    "KDTClassifier": KDTClassifier(SADT(patience=1000), n_estimators=3, criterion="gini"),
    "OC1Classifier": OC1Classifier(restarts=5),
    "ObliqueRandomForestClassifier": ObliqueRandomForestClassifier(criterion="gini"),
    "ObliqueExtraTreesClassifier": ObliqueExtraTreesClassifier(criterion="gini"),
    "MMLTreeClassifier": MMLTreeClassifier(restarts=4),
}
NAMES = sorted(name for name in aslant.__all__ if name.endswith("Classifier"))
every_estimator = pytest.mark.parametrize("name", NAMES)


def estimator(name: str, **settings: Any) -> Any:
    model = clone(QUICK[name]) if name in QUICK else getattr(aslant, name)()
    return model.set_params(random_state=0, **settings)


def overlapping(n: int, seed: int) -> tuple[Any, Any]:
    """Two normal classes that overlap, the second one rare."""
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.2).astype(int)
    return rng.normal(size=(n, 4)) + 1.1 * y[:, None], y


# ------------------------------------------------------------------ the rule


def test_whole_weights_are_cases() -> None:
    y = np.array([0, 1, 1])
    assert row_weights(None, None, y).tolist() == [1, 1, 1]
    assert row_weights([3, 0, 2], None, y).tolist() == [3, 0, 2]


def test_other_weights_sum_to_the_number_of_rows() -> None:
    y = np.array([0, 1, 1, 0])
    weight = row_weights([0.5, 1.0, 0.0, 0.5], None, y)
    np.testing.assert_allclose(weight, [0.75, 1.5, 0.0, 0.75])
    assert row_weights(np.full(4, 0.1), None, y).tolist() == [1, 1, 1, 1]
    # All numbers of this size are whole: that says nothing.
    assert row_weights(np.full(4, 2.0**60), None, y).tolist() == [1, 1, 1, 1]


def test_class_weights_do_not_change_the_number_of_cases() -> None:
    y = np.array([0, 1, 1, 0])
    weight = row_weights([1, 2, 3, 1], {0: 1, 1: 4}, y)
    np.testing.assert_allclose(weight, np.array([1, 8, 12, 1]) * 7 / 22)
    assert row_weights(None, {0: 10, 1: 10}, y).tolist() == [1, 1, 1, 1]


def test_the_scale_does_not_depend_on_the_order_of_the_rows() -> None:
    rng = np.random.default_rng(0)
    weight, order = rng.random(1000) * 10.0 ** rng.integers(-8, 8, 1000), rng.permutation(1000)
    y = np.zeros(1000, int)
    assert np.array_equal(row_weights(weight, None, y)[order], row_weights(weight[order], None, y))


# ------------------------------------------------------------------ every estimator


@every_estimator
def test_only_proportions_of_weights_that_are_not_whole_count(name: str) -> None:
    X, y = load_iris(return_X_y=True)
    weight = np.random.default_rng(0).integers(1, 9, 150) / 8.0
    expected = estimator(name).fit(X, y, weight)
    for factor in (2.0**-200, 2.0**-40, 1 / 16):
        other = estimator(name).fit(X, y, weight * factor)
        assert np.array_equal(other.apply(X), expected.apply(X))
        assert np.array_equal(other.predict_proba(X), expected.predict_proba(X))


@every_estimator
def test_equal_weights_are_none(name: str) -> None:
    X, y = load_iris(return_X_y=True)
    expected = estimator(name).fit(X, y).predict_proba(X)
    for weight in (1 / 150, 0.3, 1e-60):
        got = estimator(name).fit(X, y, np.full(150, weight)).predict_proba(X)
        assert np.array_equal(got, expected)
    by_class = estimator(name, class_weight={0: 10, 1: 10, 2: 10}).fit(X, y)
    assert np.array_equal(by_class.predict_proba(X), expected)


@every_estimator
def test_whole_weights_are_proportions_unless_cases_are_counted(name: str) -> None:
    """With the exceptions, more cases must make a difference: else they are no exceptions."""
    X, y = overlapping(400, seed=1)
    _, settings = COUNT_CASES.get(name, ("", {}))
    expected = estimator(name, **settings).fit(X, y).apply(X)
    got = estimator(name, **settings).fit(X, y, np.full(400, 16)).apply(X)
    assert np.array_equal(got, expected) == (name not in COUNT_CASES)


@pytest.mark.parametrize("model", [OC1Classifier, PolePairClassifier, QUESTClassifier])
def test_whole_weights_do_not_switch_pruning_off(model: Any) -> None:
    X, y = overlapping(600, seed=0)
    new_X, new_y = overlapping(4000, seed=1)
    whole, nearly = (
        model(class_weight={0: 1, 1: weight}, random_state=0).fit(X, y) for weight in (4, 4.0001)
    )
    assert max(whole.get_n_leaves(), nearly.get_n_leaves()) < 30  # ties are broken by rounding
    score = balanced_accuracy_score(new_y, whole.predict(new_X))
    unpruned = model(class_weight={0: 1, 1: 4}, random_state=0, pruning=None).fit(X, y)
    assert score > balanced_accuracy_score(new_y, unpruned.predict(new_X))
    rows = model(random_state=0).fit(X, y, np.full(600, 10))
    assert rows.get_n_leaves() < 30


def test_folds_of_rows_of_very_different_weights() -> None:
    model = QUESTClassifier().fit([[0.0], [1.0]], [0, 1], sample_weight=[1, 0.01])
    assert model.predict([[0.0]]).tolist() == [0]


# ------------------------------------------------------------------ scikit-learn's ensembles

CANCER = train_test_split(*load_breast_cancer(return_X_y=True), random_state=0)


def shallow(name: str) -> Any:
    """Return a small tree."""
    own = "max_depth" in getattr(aslant, name)().get_params()
    return estimator(name, **({"max_depth": 3} if own else {"effort": "low"}))


@pytest.mark.parametrize(
    "name", ["C45Classifier", "FisherTreeClassifier", "MMLTreeClassifier", "QUESTClassifier"]
)
def test_weights_that_sum_to_one_leave_a_tree(name: str) -> None:
    X, _, y, _ = CANCER
    model = estimator(name).fit(X, y, np.full(len(y), 1 / len(y)))
    assert model.get_n_leaves() > 2
    assert model.score(X, y) > 0.93


@every_estimator
def test_boosted(name: str) -> None:
    X, new_X, y, new_y = CANCER
    single = shallow(name).fit(X, y)
    boosted = AdaBoostClassifier(shallow(name), n_estimators=8, random_state=0)
    boosted.fit(X, y)
    assert boosted.score(X, y) > single.score(X, y) - 0.01
    assert boosted.score(new_X, new_y) > 0.9
    # Boosting ends early only where a tree makes no error, or is no better than chance.
    assert len(boosted.estimators_) >= 2 or boosted.score(X, y) == 1.0


@every_estimator
def test_bagged(name: str) -> None:
    X, new_X, y, new_y = CANCER
    bagged = BaggingClassifier(shallow(name), n_estimators=7, random_state=0)
    bagged.fit(X, y)
    assert bagged.score(new_X, new_y) > 0.86
    # The trees see different rows.
    assert len({tuple(one.predict(new_X)) for one in bagged.estimators_}) > 1


@every_estimator
def test_in_a_vote_in_a_stack_and_calibrated(name: str) -> None:
    X, new_X, y, new_y = CANCER
    members = [
        ("ours", shallow(name)),
        ("theirs", DecisionTreeClassifier(max_depth=3, random_state=0)),
    ]
    weight = np.where(y == 1, 0.5, 2.0)
    vote = VotingClassifier(members, voting="soft").fit(X, y, sample_weight=weight)
    stack = StackingClassifier(members, LogisticRegression(), cv=3).fit(X, y)
    calibrated = CalibratedClassifierCV(shallow(name), cv=3).fit(X, y, weight)
    for model in (vote, stack, calibrated):
        assert model.score(new_X, new_y) > 0.85
        proba = model.predict_proba(new_X)
        assert np.isfinite(proba).all()
        np.testing.assert_allclose(proba.sum(axis=1), 1.0)
