"""Searches that misbehave, and trees that grow into a chain: an error or a tree, never a crash."""

from __future__ import annotations

import gc
import threading
from typing import Any

import numpy as np
import pytest
from processes import run_program
from sklearn.datasets import load_iris

from aslant import CARTClassifier, ObliqueDecisionTreeClassifier
from aslant.search import AxisParallel, HyperplaneSplit, LinearMachineSplit, SplitSearch

X, Y = load_iris(return_X_y=True)
ONES = np.ones(4)


class Returning(SplitSearch):
    """Returns the same thing at every node."""

    def __init__(self, value: Any = None) -> None:
        self.value = value

    def find(self, node, rng):
        return self.value


class Raising(SplitSearch):
    """Fails at the first node with fewer rows than a limit."""

    def __init__(self, problem: BaseException | None = None, below: int = 10**9) -> None:
        self.problem = problem
        self.below = below

    def find(self, node, rng):
        if len(node.y) < self.below:
            raise self.problem
        return AxisParallel().find(node, rng)


class Keeping(SplitSearch):
    """Keeps every node it has seen."""

    def __init__(self, seen: list[Any] | None = None) -> None:
        self.seen = seen

    def find(self, node, rng):
        self.seen.append(node)
        return AxisParallel().find(node, rng)


NONSENSE: dict[str, tuple[Any, str]] = {
    "number": (5, "must return a HyperplaneSplit, a LinearMachineSplit or None"),
    "text": ("split", "must return a HyperplaneSplit, a LinearMachineSplit or None"),
    "tuple": ((ONES, 0.0), "must return a HyperplaneSplit, a LinearMachineSplit or None"),
    "array": (ONES, "must return a HyperplaneSplit, a LinearMachineSplit or None"),
    "too few coefficients": (HyperplaneSplit(np.ones(3), 0.0), "each of the node's 4 columns"),
    "too many coefficients": (HyperplaneSplit(np.ones(5), 0.0), "each of the node's 4 columns"),
    "matrix of coefficients": (HyperplaneSplit(np.ones((1, 4)), 0.0), "each of the node's 4"),
    "no coefficients": (HyperplaneSplit(None, 0.0), "each of the node's 4 columns"),
    "NaN": (HyperplaneSplit(ONES * np.nan, 0.0), "must be finite"),
    "infinite threshold": (HyperplaneSplit(ONES, np.inf), "must be finite"),
    "text as coefficients": (HyperplaneSplit("abcd", 0.0), "could not convert"),
    "one vector": (LinearMachineSplit(np.ones((1, 4)), np.ones(1)), "at least two vectors"),
    "no vector": (LinearMachineSplit(np.ones((0, 4)), np.ones(0)), "at least two vectors"),
    "short bias": (LinearMachineSplit(np.ones((3, 4)), np.ones(2)), "each of the node's 4"),
    "NaN in a machine": (LinearMachineSplit(np.full((2, 4), np.nan), np.ones(2)), "finite"),
}


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize(("value", "message"), NONSENSE.values(), ids=NONSENSE.keys())
def test_nonsense_is_refused(value: Any, message: str, n_jobs: int) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        ObliqueDecisionTreeClassifier(Returning(value), n_jobs=n_jobs).fit(X, Y)


NO_SPLIT: dict[str, Any] = {
    "None": None,
    "zeros": HyperplaneSplit(np.zeros(4), 1.0),
    "all rows on one side": HyperplaneSplit(ONES, 1e9),
    "the same vector twice": LinearMachineSplit(np.ones((2, 4)), np.zeros(2)),
    "a machine of zeros": LinearMachineSplit(np.zeros((3, 4)), np.arange(3.0)),
    "a child that gets nothing": LinearMachineSplit(np.eye(4)[[0, 3]], np.array([0.0, -1e9])),
    "sums that overflow": HyperplaneSplit(ONES * 1e308, 1.0),
}


@pytest.mark.parametrize("value", NO_SPLIT.values(), ids=NO_SPLIT.keys())
def test_a_split_that_divides_nothing_makes_a_leaf(value: Any) -> None:
    model = ObliqueDecisionTreeClassifier(Returning(value)).fit(X, Y)
    assert model.get_n_leaves() == 1
    assert model.predict_proba(X[:1]).tolist() == [[pytest.approx(1 / 3)] * 3]


def test_the_same_split_at_every_node_ends() -> None:
    split = HyperplaneSplit(np.array([0.0, 0.0, 1.0, 0.0]), 2.5)
    assert ObliqueDecisionTreeClassifier(Returning(split)).fit(X, Y).get_n_leaves() == 2


PROBLEMS = [ValueError("my own"), KeyboardInterrupt(), SystemExit(3), MemoryError(), KeyError("k")]


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("max_leaf_nodes", [None, 10])
@pytest.mark.parametrize("problem", PROBLEMS, ids=repr)
def test_what_a_search_raises_comes_out(
    problem: BaseException, max_leaf_nodes: int | None, n_jobs: int
) -> None:
    for below in (10**9, 60):
        model = ObliqueDecisionTreeClassifier(
            Raising(problem, below), n_jobs=n_jobs, max_leaf_nodes=max_leaf_nodes
        )
        with pytest.raises(type(problem)) as raised:
            model.fit(X, Y)
        assert raised.value is problem
        assert not hasattr(model, "tree_")


def test_a_search_without_find() -> None:
    class Nothing(SplitSearch):
        pass

    class Other(SplitSearch):
        def find(self, node):
            return None

    with pytest.raises(TypeError, match="Nothing must define find"):
        ObliqueDecisionTreeClassifier(Nothing()).fit(X, Y)
    with pytest.raises(TypeError, match="find"):
        ObliqueDecisionTreeClassifier(Other()).fit(X, Y)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_nodes_outlive_the_fit_and_the_data(n_jobs: int) -> None:
    seen: list[Any] = []
    data = X.copy()
    data[::7, 1] = np.nan
    expected = CARTClassifier().fit(data, Y)
    model = ObliqueDecisionTreeClassifier(Keeping(seen), n_jobs=n_jobs).fit(data, Y)
    assert model.tree_ == expected.tree_
    del data, model
    gc.collect()
    np.full((150, 4), 1e9)  # whatever was freed is written over
    for node in seen:
        assert np.abs(node.X).max() < 10.0
        assert node.weight.sum() == node.class_weight.sum() == len(node.y)
        assert (
            node.best_along(np.eye(4)).score
            == AxisParallel().find(node, np.random.default_rng(0)).score
        )
        assert np.isfinite(node.score(HyperplaneSplit(ONES, 10.0)))
    columns = seen[0].X
    seen.clear()
    gc.collect()
    assert columns.shape == (150, 4)
    assert np.isfinite(columns).all()


KEPT = """
import gc
import numpy as np
from aslant import ObliqueDecisionTreeClassifier
from aslant.search import SplitSearch

kept = []

class Keeping(SplitSearch):
    def find(self, node, rng):
        kept.append(node)  # and nothing of it is read before the fit has ended

def fit():
    X = np.random.default_rng(0).normal(size=(100_000, 20))
    X[::9, 3] = np.nan
    ObliqueDecisionTreeClassifier(Keeping()).fit(X, X[:, 4] > 0.5)
    return X[:, 4].sum()

expected = fit()
gc.collect()  # so large an array goes back to the system: reading it would end the process
split = kept[0].best_along(np.eye(20))
assert np.flatnonzero(split.coef).tolist() == [4]
assert kept[0].score(split) == split.score
np.testing.assert_allclose(kept[0].X[:, 4].sum(), expected)
assert np.isfinite(kept[0].X).all()
print("done")
"""


def test_a_node_that_is_first_read_after_the_fit() -> None:
    ended = run_program(KEPT)
    assert (ended.stdout, ended.stderr, ended.returncode) == ("done\n", "", 0)


def test_one_search_on_several_threads_at_once() -> None:
    seen: list[Any] = []
    search = Keeping(seen)
    models = [ObliqueDecisionTreeClassifier(search, n_jobs=2) for _ in range(3)]
    threads = [threading.Thread(target=model.fit, args=(X, Y)) for model in models]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert models[0].tree_ == models[1].tree_ == models[2].tree_
    assert len(seen) % 3 == 0


def test_a_search_that_fits_a_tree_itself() -> None:
    class Nested(SplitSearch):
        def find(self, node, rng):
            inner = CARTClassifier(max_depth=1, n_jobs=2).fit(np.array(node.X), node.y)
            return inner.tree_.split(0)

    model = ObliqueDecisionTreeClassifier(Nested(), n_jobs=2).fit(X, Y)
    assert model.tree_ == CARTClassifier().fit(X, Y).tree_


def test_bad_directions() -> None:
    class Along(SplitSearch):
        def __init__(self, directions: Any = None) -> None:
            self.directions = directions

        def find(self, node, rng):
            return node.best_along(self.directions)

    for bad in (np.ones(3), np.ones((2, 5)), np.ones((2, 2, 4)), np.full(4, np.nan), None, "abcd"):
        with pytest.raises((ValueError, TypeError), match="directions"):
            ObliqueDecisionTreeClassifier(Along(bad)).fit(X, Y)


CHAIN = """
import pickle, threading
import numpy as np
from aslant import ObliqueDecisionTreeClassifier
from aslant.search import HyperplaneSplit, SplitSearch

class Peeling(SplitSearch):
    def find(self, node, rng):
        return HyperplaneSplit(np.ones(1), node.X.min() + 0.5)

def chain(n=6000):
    rows, label = np.arange(n, dtype=float)[:, None], np.arange(n) % 2
    model = ObliqueDecisionTreeClassifier(Peeling(), criterion="gini").fit(rows, label)
    assert (model.get_depth(), model.get_n_leaves()) == (n - 1, n)
    few = [0, n // 2, n - 1]
    assert model.predict(rows[few]).tolist() == label[few].tolist()
    assert model.decision_path(rows[few]).sum(axis=1).tolist() == [2, n // 2 + 2, n]
    assert pickle.loads(pickle.dumps(model)).tree_ == model.tree_
    assert model.tree_.pruned([1000]).max_depth == model.tree_.depth[1000]
    assert model.set_params(max_leaf_nodes=50).fit(rows, label).get_depth() == 49
    assert model.set_params(ccp_alpha=0.1).fit(rows, label).get_n_leaves() == 1
    print("done")

threading.stack_size(256 * 1024)
thread = threading.Thread(target=chain)
thread.start()
thread.join()
"""


def test_a_tree_that_is_a_chain() -> None:
    """One row leaves at each of 6000 nodes, and the stack is a small one: nothing may recurse.

    In a process of its own, for if something does that process dies.
    """
    ended = run_program(CHAIN)
    assert (ended.stdout, ended.stderr, ended.returncode) == ("done\n", "", 0)
