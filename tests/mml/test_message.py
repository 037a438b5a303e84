"""The message about a tree: against a slow twin, for every method, and for odd rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from oracles.message import Message
from sklearn.base import is_regressor
from sklearn.datasets import load_iris
from sklearn.tree import DecisionTreeClassifier

from aslant import (
    AutoTreeClassifier,
    C45Classifier,
    CARTClassifier,
    KDTClassifier,
    ObliqueDecisionTreeClassifier,
)
from aslant.estimators.methods import METHODS
from aslant.mml import message_length
from aslant.mml.code import ALPHAS
from aslant.search import MML, OC1, SADT, HyperplaneSplit, LinearMachineSplit, SplitSearch

IRIS = load_iris(return_X_y=True)
CODES: list[dict[str, Any]] = [
    {},
    {"direction": "paper", "position": "pair", "alpha": 0.3},
    {"position": "none", "alpha": 2.0},
]
SEARCHES: dict[str, SplitSearch] = {
    "axis": MML(max_features_per_test=1, min_saving=-8.0),
    "mml": MML(min_saving=-8.0, restarts=4, rounds=2),
    "evolution": MML(strategy="evolution", restarts=20, rounds=20, min_saving=-8.0),
    "oc1": OC1(restarts=2),
}


def mixed(seed: int, n: int = 90) -> tuple[np.ndarray, np.ndarray]:
    """Return a continuous number, a coarse one, and categories of two and four levels."""
    rng = np.random.default_rng(seed)
    X = np.column_stack(
        [rng.normal(size=n), rng.integers(0, 6, n), rng.integers(0, 2, n), rng.integers(0, 4, n)]
    ).astype(float)
    y = (X[:, 0] + 0.5 * X[:, 1] + (X[:, 3] == 2) > 1.5).astype(int) + (X[:, 3] == 1)
    X[rng.random(X.shape) < 0.08] = np.nan
    return X, y


@pytest.mark.parametrize("code", CODES, ids=str)
@pytest.mark.parametrize("name", SEARCHES)
def test_against_the_slow_twin(name: str, code: dict[str, Any]) -> None:
    for seed in range(2):
        X, y = mixed(seed)
        tree = ObliqueDecisionTreeClassifier(
            SEARCHES[name], categorical_features=[2, 3], random_state=seed, max_depth=4
        ).fit(X, y)
        most = getattr(SEARCHES[name], "max_features_per_test", None)
        slow = Message(tree.tree_, tree._encoded(X), y, most=most, **code)
        fast = message_length(tree, X, y, **code)
        for part, bits in slow.parts.items():
            if name == "oc1" and part in ("direction", "position", "attributes"):
                continue  # reads categories through all their levels: one of them says nothing new
            assert getattr(fast, part) == pytest.approx(bits, rel=1e-4, abs=1e-9), part
        assert fast.total == pytest.approx(sum(list(fast.parts().values())[:-1]))
        assert tree.get_n_leaves() > 2


@pytest.mark.parametrize("name", METHODS)
def test_every_method_has_a_message(name: str) -> None:
    X, y = IRIS
    small = {"max_depth": 3} if "max_depth" in METHODS[name].parameters() else {}
    tree = METHODS[name].make({"random_state": 0, **small}).fit(X, y)
    if hasattr(tree, "estimators_"):
        with pytest.raises(TypeError, match="holds one tree"):
            message_length(tree, X, y)
        tree = tree.estimators_[0]
    if is_regressor(tree):  # a stage of boosting
        with pytest.raises(TypeError, match="holds one tree"):
            message_length(tree, X, y)
        return
    message = message_length(tree, X, y)
    assert np.isfinite(list(message.parts().values())).all()
    leaf = message_length(CARTClassifier(min_samples_split=1000).fit(X, y), X, y)
    assert 0.0 < message.tree < message.total < leaf.total
    assert leaf.attributes == leaf.direction == leaf.position == 0.0
    assert leaf.structure == 2.0


def test_branches_by_level() -> None:
    """C4.5's test of a category states the feature only; its children have three siblings."""
    frame = pd.DataFrame({"sky": list("abc") * 20, "wind": np.arange(60.0) % 7})
    y = np.array(list("abc") * 20)
    message = message_length(C45Classifier().fit(frame, y), frame, y)
    kind = np.log2(3)
    assert message.attributes == pytest.approx(kind + np.log2(2) + np.log2(2))
    assert message.structure == pytest.approx(1.0 + 3 * np.log2(1.5))
    assert message.direction == message.position == 0.0


class Machine(SplitSearch):
    """Always the same linear machine."""

    def find(self, node, rng):
        weights = np.zeros((3, node.X.shape[1]))
        weights[:, 0] = [0.0, 1.0, 2.0]
        return LinearMachineSplit(weights, np.array([0.0, -2.5, -7.35]))


def test_linear_machines() -> None:
    X, y = IRIS
    tree = ObliqueDecisionTreeClassifier(Machine(), max_depth=1).fit(X[:, 2:3], y)
    message = message_length(tree, X[:, 2:3], y)
    assert message.attributes == pytest.approx(np.log2(3) + np.log2(6))
    assert message.structure == pytest.approx(1.0 + 3 * np.log2(1.5))
    assert 5.0 < message.direction < 40.0
    # The same rows in other units: the machine is another, its message is the same.
    scaled = ObliqueDecisionTreeClassifier(_Scaled(), max_depth=1).fit(1024.0 * X[:, 2:3], y)
    assert message_length(scaled, 1024.0 * X[:, 2:3], y).total == pytest.approx(message.total)


class _Scaled(Machine):
    def find(self, node, rng):
        split = super().find(node, rng)
        return LinearMachineSplit(split.weights / 1024.0, split.bias)


def test_units_do_not_matter() -> None:
    X, y = IRIS
    tree = ObliqueDecisionTreeClassifier("mml", random_state=0).fit(X, y)
    other = ObliqueDecisionTreeClassifier("mml", random_state=0).fit(X * 8.0, y)
    assert message_length(tree, X, y).total == pytest.approx(
        message_length(other, X * 8.0, y).total
    )


def test_whole_weights_are_repeated_rows() -> None:
    X, y = mixed(3)
    weight = np.random.default_rng(0).integers(0, 4, len(y))
    tree = ObliqueDecisionTreeClassifier(SEARCHES["mml"], random_state=0).fit(X, y)
    repeated = np.repeat(np.arange(len(y)), weight)
    one = message_length(tree, X, y, weight)
    other = message_length(tree, X[repeated], y[repeated])
    assert one.total == pytest.approx(other.total)


def test_rows_that_a_test_does_not_divide() -> None:
    """The message is that of the smaller tree which tells as much about them."""
    X, y = IRIS
    tree = CARTClassifier(max_depth=2).fit(X, y)
    setosa = message_length(tree, X[:50], y[:50])
    assert setosa.attributes == setosa.position == 0.0
    rest = message_length(tree, X[50:], y[50:])
    stump = CARTClassifier(max_depth=1).fit(X[50:], y[50:])
    assert rest.position == pytest.approx(message_length(stump, X[50:], y[50:]).position)


def test_alpha_chosen_for_the_tree() -> None:
    X, y = IRIS
    tree = CARTClassifier(max_depth=2).fit(X, y)
    each = {alpha: message_length(tree, X, y, alpha=alpha) for alpha in ALPHAS}
    chosen = message_length(tree, X, y, alpha="tree")
    best = min(each.values(), key=lambda message: message.total)
    assert chosen.alpha == best.alpha < 1.0
    assert chosen.total == pytest.approx(best.total + np.log2(6))


def test_the_code_of_the_estimator_is_used() -> None:
    X, y = IRIS
    tree = ObliqueDecisionTreeClassifier(MML(max_features_per_test=2, alpha=0.5)).fit(X, y)
    own = message_length(tree, X, y)
    assert own == message_length(tree, X, y, max_features_per_test=2, alpha=0.5)
    assert own.total != message_length(tree, X, y, alpha=1.0).total


def test_class_weights_weigh_cases_and_make_none() -> None:
    X, y = IRIS
    plain = CARTClassifier(max_depth=1).fit(X, y)
    weight = np.where(y == 0, 3.0, 1.0)
    tree = CARTClassifier(max_depth=1, class_weight={0: 3, 1: 1, 2: 1}).fit(X, y)
    expected = message_length(plain, X, y, weight * 150.0 / weight.sum()).leaves
    assert message_length(tree, X, y).leaves == pytest.approx(expected)
    twice = CARTClassifier(max_depth=1, class_weight={0: 2, 1: 2, 2: 2}).fit(X, y)
    assert message_length(twice, X, y).leaves == message_length(plain, X, y).leaves


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"alpha": 0}, "alpha must be between"),
        ({"alpha": "each"}, "alpha must be a number or 'tree', got 'each'"),
        ({"direction": "caps"}, "Did you mean 'cap'"),
        ({"position": 3}, "position must be one of"),
        ({"max_features_per_test": 1}, "at least the 2 features that a test of this tree reads"),
        ({"max_features_per_test": 0}, "max_features_per_test must be at least 1"),
    ],
    ids=str,
)
def test_bad_codes(changed: dict[str, Any], message: str) -> None:
    X, y = IRIS
    tree = ObliqueDecisionTreeClassifier(MML(), random_state=0).fit(X[:, :2], y)
    assert tree.tree_.features_per_test > 1.0
    with pytest.raises((ValueError, TypeError), match=message):
        message_length(tree, X[:, :2], y, **changed)


def test_bad_input() -> None:
    X, y = IRIS
    tree = CARTClassifier().fit(X, y)
    with pytest.raises(ValueError, match="classes that the tree was fitted with, got 7"):
        message_length(tree, X, np.where(y == 0, 7, y))
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        message_length(tree, X, y[:-1])
    with pytest.raises(ValueError, match="features"):
        message_length(tree, X[:, :2], y)
    with pytest.raises(TypeError, match="got DecisionTreeClassifier"):
        message_length(DecisionTreeClassifier().fit(X, y), X, y)
    several = KDTClassifier(SADT(patience=50), n_estimators=2).fit(X, y)
    with pytest.raises(TypeError, match="got KDTClassifier"):
        message_length(several, X, y)


def test_a_linear_leaf_has_no_message() -> None:
    X, y = IRIS
    tree = AutoTreeClassifier(leaf="linear", effort="low", random_state=0).fit(X, y)
    with pytest.raises(TypeError, match="a linear leaf"):
        message_length(tree, X, y)


def test_the_dimensions_of_the_text_are_all_features_that_vary() -> None:
    """One split of two features among five, one of which is constant."""
    rng = np.random.default_rng(0)
    X = rng.uniform(size=(60, 5))
    X[:, 4] = 1.0
    y = X[:, 0] + X[:, 1] > 1.0
    tree = ObliqueDecisionTreeClassifier(OC1(restarts=3), max_depth=1, random_state=0).fit(
        X[:, :2], y
    )
    split = tree.tree_.split(0)
    wide = ObliqueDecisionTreeClassifier(Given(split), max_depth=1).fit(X, y)
    stated = [
        message_length(wide, X, y, direction=name, max_features_per_test=3).direction
        for name in ("paper", "paper_all")
    ]
    ratio = 2.0 ** stated[0] - 1.0  # (d - 1) log2(1 + d / margin^2) with d = 2
    assert stated[1] == pytest.approx(3.0 * np.log2(1.0 + 2.0 * ratio))


class Given(SplitSearch):
    """The same split at every node, whose features come first."""

    def __init__(self, split: Any = None) -> None:
        self.split = split

    def find(self, node: Any, rng: Any) -> HyperplaneSplit:
        coef = np.zeros(node.X.shape[1])
        coef[: len(self.split.coef)] = self.split.coef
        return HyperplaneSplit(coef, self.split.threshold, fill=np.zeros(len(coef)))
