"""Searches to test, and nodes for them to work on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aslant import _core
from aslant.search import (
    HHCARTG,
    MML,
    OC1,
    QUEST,
    SADT,
    AverageGain,
    AxisParallel,
    BestOf,
    CrimCoords,
    Fisher,
    HyperplaneSplit,
    LinearMachine,
    LinearMachineSplit,
    Pocket,
    SequentialSelection,
    SplitSearch,
    Standardize,
    ThresholdUnit,
)
from aslant.search.registry import SEARCHES

Split = HyperplaneSplit | LinearMachineSplit
Matrix = NDArray[np.float64]

# Searches that take long with their own defaults, with shorter ones. MML also makes the best split
# whatever it costs: on so few rows it rightly makes none, and the contract is about those it makes.
SHORTER: dict[str, SplitSearch] = {
    "sadt": SADT(patience=3000),
    "mml": MML(min_saving=-np.inf, restarts=6, rounds=2),
}


def every_search() -> dict[str, SplitSearch]:
    """Return all registered searches, and the wrappers around them, by name."""
    plain = {name: SHORTER.get(name) or search() for name, search in SEARCHES.items()}
    standardized = {f"standardize({name})": Standardize(search) for name, search in plain.items()}
    scored = {
        f"crim_coords({name})": CrimCoords(plain[name])
        for name in ("axis_parallel", "c45", "cart_lc", "fisher")
    }
    variants = {
        "crim_coords(oc1)": CrimCoords(OC1(restarts=3)),
        "fisher(one_vs_rest)": Fisher(multiclass="one_vs_rest", univariate=True),
        "quest(univariate)": QUEST(split="univariate", split_point="qda"),
        "hhcart_g": HHCARTG(min_impurity=0.0),
    }
    best = {
        "best_of(axis_parallel, sadt)": BestOf([AxisParallel(), plain["sadt"]]),
        "best_of(standardize(oc1), cart_lc)": BestOf(
            [Standardize(OC1(restarts=3)), plain["cart_lc"]]
        ),
    }
    best["average_gain"] = AverageGain()
    best["average_gain(sbe(rls))"] = AverageGain([SequentialSelection(ThresholdUnit())])
    return {**plain, **standardized, **scored, **variants, **best, **every_selection()}


def every_selection() -> dict[str, SplitSearch]:
    """Return every way to select features, every learner among them, by name."""
    pocket = Pocket(presentations=1000)
    around = {
        "sbe(rls)": SequentialSelection(ThresholdUnit()),
        "sbe(thermal, shortlist)": SequentialSelection(
            ThresholdUnit(learner="thermal"), shortlist=2
        ),
        "sfs(pocket)": SequentialSelection(ThresholdUnit(learner=pocket), method="sfs"),
        "dsbe(linear_machine)": SequentialSelection(LinearMachine(), method="dsbe"),
        "hss(linear_machine(rls))": SequentialSelection(LinearMachine(learner="rls"), method="hss"),
        "cart(cart)": SequentialSelection(ThresholdUnit(learner="cart"), method="cart"),
        "dsbe(oc1)": SequentialSelection(OC1(restarts=1, jumps=1), method="dsbe"),
    }
    return {f"select by {name}": search for name, search in around.items()}


def make_problem(
    X: ArrayLike,
    y: ArrayLike,
    *,
    n_classes: int | None = None,
    weight: ArrayLike | None = None,
    criterion: str = "gini",
    levels: Mapping[int, int] | None = None,
    min_rows: int = 1,
    min_weight: float = 0.0,
    training_mean: bool = False,
) -> _core.Problem:
    """Return the problem of growing on all rows; levels: how many each categorical feature has."""
    X = np.asarray(X) if isinstance(X, np.ndarray) else np.array(X, dtype=float)
    y = np.asarray(y, dtype=np.int32)
    counts = levels or {}
    columns = [
        (feature, level)
        for feature in range(X.shape[1])
        for level in (range(counts[feature]) if feature in counts else [-1])
    ]
    return _core.Problem(
        features=_core.Features(
            X=X,
            column_feature=np.array([feature for feature, _ in columns], dtype=np.int32),
            column_level=np.array([level for _, level in columns], dtype=np.int32),
        ),
        target=_core.Target(
            y,
            n_classes=int(y.max()) + 1 if n_classes is None else n_classes,
            weight=None if weight is None else np.asarray(weight, dtype=float),
        ),
        rows=None,
        criterion=criterion,
        min_rows=min_rows,
        min_weight=min_weight,
        fill_with_training_mean=training_mean,
    )


def make_node(X: ArrayLike, y: ArrayLike, **settings: Any) -> _core.Node:
    """Return the node that holds all rows, with the settings of `make_problem`."""
    return _core.Node(make_problem(X, y, **settings))


def find(search: SplitSearch, node: _core.Node, seed: int = 0) -> Split | None:
    """Return the split of a node."""
    return search.find(node, np.random.default_rng(seed))


def children(node: _core.Node, split: Split) -> NDArray[np.intp]:
    """Return the child that each row of the node goes to."""
    if isinstance(split, HyperplaneSplit):
        return (node.X @ split.coef > split.threshold).astype(np.intp)
    return np.argmax(node.X @ split.weights.T + split.bias, axis=1)


def branches(split: Split | None) -> Matrix:
    """Return the coefficients and the offset of each vector, as rows; (0, 0) without a split."""
    if split is None:
        return np.empty((0, 0))
    if isinstance(split, HyperplaneSplit):
        return np.append(split.coef, split.threshold)[None]
    return np.column_stack([split.weights, split.bias])


def blobs(
    seed: int, n: int = 60, d: int = 4, n_classes: int = 3
) -> tuple[Matrix, NDArray[np.intp]]:
    """Return overlapping classes that an oblique test separates better than a threshold."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, n_classes, n)
    y[:n_classes] = np.arange(n_classes)[:n]
    X = rng.normal(size=(n, d)) + 0.8 * rng.normal(size=(n_classes, d))[y]
    return X, y
