"""Work that threads share: predictions, forests, refining; and threads that are stopped.

With `test_determinism.py`, on growing, these are the tests of ``make test-threads``.
"""

from __future__ import annotations

import sys
import threading
from typing import Any

import numpy as np
import pytest
from zoo import RandomDirections

from aslant import (
    AutoTreeClassifier,
    CARTClassifier,
    CARTRegressor,
    HHCARTClassifier,
    KDTClassifier,
    MMLTreeClassifier,
    ObliqueDecisionTreeClassifier,
    ObliqueExtraTreesClassifier,
    ObliqueGradientBoostingClassifier,
    ObliqueRandomForestClassifier,
    OC1Classifier,
    OC1Regressor,
)
from aslant.refine import JointFit
from aslant.search import OC1, SADT, SplitSearch

RNG = np.random.default_rng(0)
X = RNG.normal(size=(1500, 6))
Y = np.digitize(X[:, 0] + X[:, 1] - X[:, 2] + 0.5 * RNG.normal(size=1500), [-1.0, 1.0])
MANY = np.tile(X, (12, 1)) + 1e-3 * RNG.normal(size=(18000, 6))
MANY[::7, 2] = np.nan


MODELS: dict[str, Any] = {
    "axis-parallel": CARTClassifier(),
    "oblique": HHCARTClassifier(max_depth=6),
    "on samples": OC1Classifier(restarts=2, jumps=1, search_rows=200, max_depth=4),
    "numbers": CARTRegressor(),
    "oblique numbers": OC1Regressor(restarts=2, jumps=1, max_depth=3),
    "linear leaves": CARTRegressor(max_depth=4, leaf="linear"),
    "refined": CARTClassifier(max_depth=3, refine=JointFit(max_iter=20)),
    "python": ObliqueDecisionTreeClassifier(RandomDirections(n=2), max_depth=4),
    "forest": ObliqueRandomForestClassifier(12, oob_score=False, max_depth=6),
    "balanced forest": ObliqueRandomForestClassifier(
        8, max_depth=5, class_weight="balanced_subsample"
    ),
    "forest of OC1": ObliqueRandomForestClassifier(
        4, search=OC1(restarts=1, jumps=1), max_depth=2, bootstrap=False
    ),
    "extra trees": ObliqueExtraTreesClassifier(12, max_depth=6),
    "boosting": ObliqueGradientBoostingClassifier(max_iter=5, early_stopping=True),
    "vote": KDTClassifier(SADT(patience=30), n_estimators=4, max_depth=3),
    "mml": MMLTreeClassifier(restarts=2, rounds=1, max_features_per_test=1, max_depth=3),
}


@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS.keys())
def test_threads_do_not_matter(model: Any) -> None:
    asked = "predict_proba" if hasattr(model, "predict_proba") else "predict"
    model.set_params(random_state=0, n_jobs=1).fit(X, Y)
    one = getattr(model, asked)(MANY)
    model.set_params(n_jobs=3)
    np.testing.assert_array_equal(getattr(model, asked)(MANY), one)
    model.fit(X, Y)
    np.testing.assert_array_equal(getattr(model, asked)(MANY), one)
    np.testing.assert_array_equal(
        model.apply(MANY), model.set_params(n_jobs=1).fit(X, Y).apply(MANY)
    )


def test_threads_do_not_matter_to_auto() -> None:
    model = AutoTreeClassifier(effort="low", random_state=0)
    one, two = (model.set_params(n_jobs=n).fit(X[:300], Y[:300]).tree_ for n in (1, 3))
    assert one == two


def test_rows_out_of_the_bag() -> None:
    forest = ObliqueRandomForestClassifier(40, oob_score=True, max_depth=4, random_state=0)
    one = forest.fit(X, Y).oob_decision_function_
    many = forest.set_params(n_jobs=3).fit(X, Y).oob_decision_function_
    np.testing.assert_array_equal(one, many)


class Enough(Exception):  # noqa: N818 - it is no error
    """What a callback raises."""


# Fits that would take minutes: growth looks outside a few times a second.
STOPPED: dict[str, Any] = {
    "tree": OC1Classifier(restarts=5000),
    "best first": OC1Classifier(restarts=5000, max_leaf_nodes=50),
    "forest": ObliqueRandomForestClassifier(50000),
    "vote": KDTClassifier(SADT(patience=10**7)),
}


@pytest.mark.parametrize("reason", [Enough, KeyboardInterrupt])
@pytest.mark.parametrize("model", STOPPED.values(), ids=STOPPED.keys())
def test_a_callback_stops_all_threads(model: Any, reason: type[BaseException]) -> None:
    calls = []

    def stop(done: int, total: int) -> None:
        calls.append(done)
        raise reason

    with pytest.raises(reason):
        model.set_params(n_jobs=3, random_state=0, verbose=stop).fit(X, Y)
    assert calls


# ------------------------------------------------------------------ a criterion written in Python


def gini(child0: Any, child1: Any) -> float:
    weight = child0.sum() + child1.sum()
    children = [child for child in (child0, child1) if child.sum() > 0]
    return float(sum(child @ child / child.sum() for child in children) / weight)


class Nesting:
    """A criterion that fits another tree now and then, with the memory of the fit it belongs to."""

    def __init__(self, model: Any) -> None:
        self.model, self.calls = model, 0

    def __call__(self, child0: Any, child1: Any) -> float:
        self.calls += 1
        if self.calls % 101 == 0:
            self.model.fit(X[:37], Y[:37])
        return gini(child0, child1)


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("search", ["axis_parallel", "cart_lc", "hhcart"])
@pytest.mark.parametrize(
    "inner",
    [CARTClassifier(), HHCARTClassifier(max_depth=2), OC1Classifier(restarts=1, max_depth=1)],
    ids=lambda model: type(model).__name__,
)
def test_a_criterion_may_fit_another_tree(inner: Any, search: str, n_jobs: int) -> None:
    settings = {"max_depth": 2, "random_state": 0, "n_jobs": n_jobs}
    plain = ObliqueDecisionTreeClassifier(search, criterion=gini, **settings)
    nesting = ObliqueDecisionTreeClassifier(search, criterion=Nesting(inner), **settings)
    rows = slice(60)
    assert nesting.fit(X[rows], Y[rows]).tree_ == plain.fit(X[rows], Y[rows]).tree_
    assert nesting.criterion.calls > 101


class Looking(SplitSearch):
    """Searches along directions until another thread of Python's has run meanwhile."""

    def __init__(self, awaken: threading.Event, awake: threading.Event) -> None:
        self.awaken, self.awake = awaken, awake
        self.seen = False

    def find(self, node: Any, rng: Any) -> None:
        directions = rng.normal(size=(20, node.X.shape[1]))
        interval = sys.getswitchinterval()
        sys.setswitchinterval(1000.0)  # nobody takes the interpreter's lock away
        try:
            self.awaken.set()
            for _ in range(1000):
                node.best_along(directions)
                self.seen = self.awake.is_set()
                if self.seen:
                    break
        finally:
            sys.setswitchinterval(interval)


def test_a_search_along_directions_lets_other_threads_run() -> None:
    awaken, awake = threading.Event(), threading.Event()

    def other() -> None:
        awaken.wait()
        awake.set()

    thread = threading.Thread(target=other)
    thread.start()
    search = Looking(awaken, awake)
    ObliqueDecisionTreeClassifier(search, max_depth=1).fit(X, Y)
    thread.join()
    assert search.seen
