"""How weights are learned, step by step as the paper has it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracles import learners as oracle
from oracles.criterion import Vector
from search.nodes import Split, blobs, branches, children, make_node
from sklearn.base import clone

from aslant import LMDTClassifier, _core
from aslant.search import (
    RLS,
    LinearMachine,
    Pocket,
    SequentialSelection,
    SplitSearch,
    Standardize,
    Thermal,
    ThresholdUnit,
)

THREE_CLASSES = {"seed": 3, "n": 30, "d": 3, "n_classes": 3}


def found(search: SplitSearch, X: Vector, y: Vector, seed: int = 5) -> Split:
    split = _core.find_split(search.core(), make_node(X, y), seed)
    assert split is not None
    return split


def in_standard_units(split: Split, X: Vector, deviation: Vector | None = None) -> Vector:
    """Return the vectors over (1, z); a hyperplane's has positive products for child 0."""
    rows = branches(split)
    coef, offset = rows[:, :-1], rows[:, -1]
    sign = -1.0 if len(rows) == 1 else 1.0
    scale = X.std(axis=0) if deviation is None else deviation
    return np.column_stack([offset + sign * coef @ X.mean(axis=0), sign * coef * scale])


def by_weight(y: Vector) -> tuple[Vector, Vector]:
    """Return the classes, heaviest first, and the place of each row's class among them."""
    order = np.argsort(-np.bincount(y), kind="stable")
    return order, np.argsort(order)[y]


def as_test(trained: Vector, Z: Vector, order: Vector) -> Vector:
    """Return the vectors by class, without those that win no row; of two only the difference."""
    vectors = trained[np.argsort(order)]
    winners = np.unique((oracle.with_constant(Z) @ vectors.T).argmax(axis=1))
    if len(winners) == 2:
        return (vectors[winners[0]] - vectors[winners[1]])[None]
    return vectors[winners]


# ---------------------------------------------------------------------- least squares


def two_classes(kind: str) -> tuple[Vector, Vector]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(14, 3))
    if kind == "collinear":
        X = np.column_stack([X, X[:, 0] - 2.0 * X[:, 1]])
    if kind == "copied column":
        X = np.column_stack([X, X[:, 1]])
    if kind == "fewer rows than columns":
        X = rng.normal(size=(5, 8))
    y = (X[:, 0] + 0.8 * rng.normal(size=len(X)) > 0.0).astype(int)
    assert len(set(y)) == 2
    return X, y


@pytest.mark.parametrize(
    "kind", ["random", "collinear", "copied column", "fewer rows than columns"]
)
def test_least_squares_ends_where_the_recursion_does(kind: str) -> None:
    """Three passes from W = 0 and P = 10^6 I, in exact arithmetic."""
    X, y = two_classes(kind)
    expected = oracle.recursive_least_squares(
        oracle.with_constant(oracle.standardized(X)), np.where(y == np.bincount(y).argmax(), 1, -1)
    )
    learned = in_standard_units(found(ThresholdUnit(), X, y), X)[0]
    np.testing.assert_allclose(learned, expected, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize(("variance", "passes"), [(0.01, 1), (0.5, 4), (1e3, 2)])
def test_variance_and_passes_of_the_recursion(variance: float, passes: int) -> None:
    """Small ones, so that each makes a difference."""
    X, y = two_classes("random")
    expected = oracle.recursive_least_squares(
        oracle.with_constant(oracle.standardized(X)),
        np.where(y == np.bincount(y).argmax(), 1, -1),
        variance,
        passes,
    )
    learner = RLS(variance=variance, passes=passes)
    learned = in_standard_units(found(ThresholdUnit(learner=learner), X, y), X)[0]
    np.testing.assert_allclose(learned, expected, rtol=1e-9)


@pytest.mark.parametrize(("n", "few"), [(79, True), (80, False)])
def test_a_larger_ridge_where_rows_are_few(n: int, few: bool) -> None:
    """Chen, Wiesel, Eldar and Hero 2010, equation 23; eight columns in standard units."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 8)) @ rng.normal(size=(8, 8))
    y = (X[:, 0] + rng.normal(size=n) > 0.5).astype(int)
    Z = oracle.standardized(X)
    S = Z.T @ Z / n
    squares, d = (S**2).sum(), 8
    share = ((1 - 2 / d) * squares + d**2) / ((n + 1 - 2 / d) * (squares - d))
    rows = oracle.with_constant(Z)
    ridge = np.diag([1e-6 / 3] + [1e-6 / 3 + few * n * share / (1 - share)] * d)
    target = np.where(y == np.bincount(y).argmax(), 1, -1)
    expected = np.linalg.solve(rows.T @ rows + ridge, rows.T @ target)
    search = ThresholdUnit(learner=RLS(shrinkage="auto"))
    learned = in_standard_units(found(search, X, y), X)[0]
    np.testing.assert_allclose(learned, expected, rtol=1e-6)


def test_the_order_of_rows_does_not_matter_to_the_recursion() -> None:
    """The remark of the paper that allows a closed form."""
    X, y = two_classes("random")
    Y, target = oracle.with_constant(X), np.where(y == 1, 1, -1)
    order = np.random.default_rng(1).permutation(len(y))
    np.testing.assert_array_equal(
        oracle.recursive_least_squares(Y, target),
        oracle.recursive_least_squares(Y[order], target[order]),
    )


def test_least_squares_of_several_classes_fits_each_against_the_others() -> None:
    X, y = blobs(**THREE_CLASSES)
    learned = in_standard_units(found(LinearMachine(learner="rls"), X, y), X)
    Y = oracle.with_constant(oracle.standardized(X))
    for k, vector in enumerate(learned):
        np.testing.assert_allclose(
            vector, oracle.least_squares(Y, np.where(y == k, 1.0, -1.0)), rtol=1e-9
        )


# ---------------------------------------------------------------------- correcting errors


NAMES = {"heat": "beta", "rate": "a", "step": "b", "correction": "epsilon", "calm": "alpha"}
READINGS = [
    {},
    {"heat": 1.0, "rate": 0.98, "step": 0.001},
    {"correction": 0.3, "calm": 0.2},
    {"calm": 0.0, "step": 0.01},
    *(
        {"unit": unit, "emag": emag, "checked": checked, "calm": 0.1}
        for unit, emag in (
            ("updates", "last"),
            ("errors", "last"),
            ("errors", "current"),
            ("instances", "last"),
            ("instances", "current"),
        )
        for checked in ("pass", "instance")
    ),
    *({"ties": ties, "calm": 0.05} for ties in ("heavier", "first", "wrong")),
    *({"order": order, "calm": 0.05} for order in ("once", "shuffled", "drawn")),
]


@pytest.mark.parametrize("n_classes", [2, 3, 4])
@pytest.mark.parametrize("reading", READINGS, ids=str)
def test_thermal_training_step_by_step(n_classes: int, reading: dict[str, Any]) -> None:
    X, y = blobs(7, n=25, d=3, n_classes=n_classes)
    order, target = by_weight(y)
    if reading.get("ties") == "first":
        order, target = np.arange(n_classes), y
    Z = oracle.standardized(X)
    rows = oracle.presented_order(Z, target, 5)
    stream = oracle.Stream.of_first_lesson(5)
    own = {NAMES.get(name, name): value for name, value in reading.items() if name != "order"}
    trained = oracle.ThermalTraining(
        oracle.with_constant(Z[rows]),
        target[rows],
        oracle.passes_in_order(reading.get("order", "once"), len(rows), stream),
        **own,
    ).run()
    split = found(LinearMachine(learner=Thermal(**reading)), X, y)
    np.testing.assert_allclose(
        in_standard_units(split, X), as_test(trained, Z, order), rtol=1e-9, atol=1e-12
    )


def test_every_correction_is_a_hyperplane_considered() -> None:
    """The OC1 paper counts them so for LMDT."""
    X, y = blobs(7, n=25, d=3, n_classes=3)
    Z, (_, target) = oracle.standardized(X), by_weight(y)
    clf = LMDTClassifier(selection=None, max_depth=1, pruning=None, random_state=3)
    seed = clf._draw_seed()
    rows = oracle.presented_order(Z, target, seed)
    passes = oracle.passes_in_order("once", len(rows), oracle.Stream.of_first_lesson(seed))
    training = oracle.ThermalTraining(oracle.with_constant(Z[rows]), target[rows], passes)
    training.run()
    assert clf.fit(X, y).n_hyperplanes_ == len(training.corrections)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("ratchet", [False, True])
@pytest.mark.parametrize("separable", [False, True])
def test_the_pocket_algorithm_step_by_step(n_classes: int, ratchet: bool, separable: bool) -> None:
    X, y = blobs(8, n=25, d=3, n_classes=n_classes)
    if separable:
        X[:, 0] += 6.0 * y
    order, target = by_weight(y)
    Z = oracle.standardized(X)
    rows = oracle.presented_order(Z, target, 5)
    trained = oracle.pocket(
        oracle.with_constant(Z[rows]),
        target[rows],
        oracle.Stream.of_first_lesson(5),
        presentations=400,
        ratchet=ratchet,
    )
    learner = Pocket(ratchet=ratchet, passes=1, presentations=400)
    split = found(LinearMachine(learner=learner), X, y)
    np.testing.assert_allclose(
        in_standard_units(split, X), as_test(trained, Z, order), rtol=1e-9, atol=1e-12
    )


# ---------------------------------------------------------------------- categories


def with_categories(seed: int, n_classes: int, n: int = 60) -> tuple[Vector, Vector, Vector]:
    """Return a number and two categories with holes, the classes, and the same as indicators."""
    rng = np.random.default_rng(seed)
    X = np.column_stack(
        [rng.normal(size=n), rng.choice(4, n, p=[0.5, 0.2, 0.2, 0.1]), rng.choice(3, n)]
    )
    signal = X[:, 0] + 1.5 * (X[:, 1] == 1) - (X[:, 2] == 0) + 0.8 * rng.normal(size=n)
    y = np.digitize(signal, np.quantile(signal, np.arange(1, n_classes) / n_classes))
    X[rng.random(n) < 0.15, 1] = np.nan
    X[rng.random(n) < 0.15, 2] = np.nan
    indicators = [
        np.where(np.isnan(X[:, j]), np.nan, X[:, j] == level)
        for j, levels in LEVELS.items()
        for level in range(levels)
    ]
    return X, y, np.column_stack([X[:, 0], *indicators])


LEVELS = {1: 4, 2: 3}
# What rounding tells apart grows with every correction, so there are few.
FEW_CORRECTIONS = {
    "rls": RLS(),
    "thermal": Thermal(rate=0.6),
    "drawn": Thermal(rate=0.6, order="drawn", unit="errors", ties="wrong"),
    "pocket": Pocket(passes=1, presentations=150),
    "ratchet": Pocket(passes=1, presentations=150, ratchet=True),
}
few_corrections = pytest.mark.parametrize(
    "learner", FEW_CORRECTIONS.values(), ids=FEW_CORRECTIONS.keys()
)


def same_to_rounding(one: Split | None, other: Split | None) -> bool:
    assert one is not None
    assert other is not None
    np.testing.assert_allclose(branches(one), branches(other), rtol=1e-7, atol=1e-9)
    return one.score == pytest.approx(other.score)


@few_corrections
@pytest.mark.parametrize("n_classes", [2, 3, 4])
@pytest.mark.parametrize("weighted", [False, True])
def test_a_category_is_learned_as_its_indicators_are(
    learner: object, n_classes: int, weighted: bool
) -> None:
    """By the levels of the rows, which costs less; with rows that have none."""
    for seed in range(6):
        X, y, indicators = with_categories(seed, n_classes)
        weight = np.random.default_rng(seed).integers(1, 4, len(y)) if weighted else None
        search = LinearMachine(learner=learner).core()
        by_level = _core.find_split(search, make_node(X, y, levels=LEVELS, weight=weight), 5)
        assert same_to_rounding(
            by_level, _core.find_split(search, make_node(indicators, y, weight=weight), 5)
        )


@few_corrections
@pytest.mark.parametrize("method", ["dsbe", "sfs"])
def test_some_columns_of_a_category(learner: object, method: str) -> None:
    """A row whose level has no column is told from others by what it has not."""
    partly = 0
    for seed in range(6):
        X, y, indicators = with_categories(seed, 3)
        search = SequentialSelection(LinearMachine(learner=learner), method=method).core()
        by_level = _core.find_split(search, make_node(X, y, levels=LEVELS), 5)
        assert same_to_rounding(by_level, _core.find_split(search, make_node(indicators, y), 5))
        used = np.count_nonzero(branches(by_level)[0, 1:5])
        partly += 2 <= used < 4
    assert partly > 0


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("name", ["thermal", "pocket"])
def test_categories_step_by_step(n_classes: int, name: str) -> None:
    X, y, indicators = with_categories(3, n_classes)
    order, target = by_weight(y)
    mean, deviation = np.nanmean(indicators, axis=0), np.nanstd(indicators, axis=0)
    Z = np.nan_to_num((indicators - mean) / deviation)
    Y = oracle.with_constant(Z)
    split = find_with_levels(FEW_CORRECTIONS[name], X, y)
    # The order is that of the core's own last bits.
    rows = oracle.presented_order(shown_columns(X, y), target, 5)
    if name == "thermal":
        passes = oracle.passes_in_order("once", len(rows), oracle.Stream.of_first_lesson(5))
        trained = oracle.ThermalTraining(Y[rows], target[rows], passes, a=0.6).run()
    else:
        trained = oracle.pocket(
            Y[rows], target[rows], oracle.Stream.of_first_lesson(5), presentations=150
        )
    filled = np.where(np.isnan(indicators), mean, indicators)
    learned = in_standard_units(split, filled, deviation)
    np.testing.assert_allclose(learned, as_test(trained, Z, order), rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("learner", ["rls", FEW_CORRECTIONS["thermal"]], ids=["rls", "thermal"])
def test_a_missing_level_need_not_stand_at_the_mean(learner: object) -> None:
    """Below the root the mean of the training set is none of the node."""
    settings = {"selection": None, "pruning": None, "max_depth": 3, "random_state": 0}
    for seed in range(4):
        X, y, indicators = with_categories(seed, 3, n=300)
        model = LMDTClassifier(learner=learner, missing="training_mean", **settings)
        by_level = clone(model).set_params(categorical_features=[1, 2]).fit(X, y).tree_
        by_hand = model.fit(indicators, y).tree_
        assert np.array_equal(by_level.n_node_samples, by_hand.n_node_samples)
        assert by_level.n_leaves > 5


class Shown(SplitSearch):
    """Keeps the columns it was shown."""

    def find(self, node: _core.Node, rng: object) -> None:
        self.columns = node.X.copy()


def shown_columns(X: Vector, y: Vector) -> Vector:
    inner = Shown()
    Standardize(inner).find(make_node(X, y, levels=LEVELS), np.random.default_rng(0))
    return inner.columns


def find_with_levels(learner: object, X: Vector, y: Vector) -> Split:
    search = LinearMachine(learner=learner).core()
    split = _core.find_split(search, make_node(X, y, levels=LEVELS), 5)
    assert split is not None
    return split


LEARNERS = {
    "pocket": Pocket(),
    "ratchet": Pocket(ratchet=True),
    "thermal": Thermal(),
}
every_learner = pytest.mark.parametrize("learner", LEARNERS.values(), ids=LEARNERS.keys())


@every_learner
@pytest.mark.parametrize("n_classes", [2, 3, 5])
def test_classes_that_a_machine_can_separate_are_separated(learner: object, n_classes: int) -> None:
    for seed in range(4):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(120, 3))
        true = rng.normal(size=(n_classes, 4))
        outputs = np.sort(oracle.with_constant(X) @ true.T, axis=1)
        X = X[outputs[:, -1] - outputs[:, -2] > 0.3]  # a margin between the classes
        y = (oracle.with_constant(X) @ true.T).argmax(axis=1)
        y = np.unique(y, return_inverse=True)[1]
        split = found(LinearMachine(learner=learner), X, y, seed)
        reached = children(make_node(X, y), split)
        assert all(len(set(y[reached == child])) == 1 for child in np.unique(reached))


def test_the_ratchet_gets_no_fewer_rows_right() -> None:
    """Than the pocket without it; on the whole, because chance may favour either."""
    right = {False: 0, True: 0}
    for seed in range(8):
        X, y = blobs(seed, n=60, n_classes=2)
        for ratchet in right:
            learner = Pocket(ratchet=ratchet, passes=1, presentations=2000)
            split = _core.find_split(LinearMachine(learner=learner).core(), make_node(X, y), seed)
            if split is not None:
                right[ratchet] += int(np.sum(children(make_node(X, y), split) == y))
    assert right[True] > right[False]


@every_learner
def test_the_order_of_rows_and_copies_do_not_matter(learner: object) -> None:
    """To the last bit: what is learned step by step amplifies every difference."""
    X, y = blobs(2, n=40)
    X[3, 1] = X[9, 0] = np.nan
    rng = np.random.default_rng(0)
    times = rng.integers(1, 4, len(y))
    copies = rng.permutation(np.repeat(np.arange(len(y)), times))
    search = LinearMachine(learner=learner).core()
    weighted = _core.find_split(search, make_node(X, y, weight=times), 3)
    repeated = _core.find_split(search, make_node(X[copies], y[copies]), 3)
    assert np.array_equal(branches(weighted), branches(repeated))


@every_learner
def test_a_weight_of_a_half_is_half_the_attention(learner: object) -> None:
    """Only ratios of weights count, and rows that weigh little are seen all the same."""
    X, y = blobs(4, n=60, n_classes=2)
    X[:, 0] += 9.0 * y
    search = LinearMachine(learner=learner).core()
    for scale in (1.0, 0.5, 1e-3, 1e6):
        split = _core.find_split(search, make_node(X, y, weight=np.full(len(y), scale)), 3)
        assert np.array_equal(children(make_node(X, y), split), y)


@every_learner
def test_other_seeds_learn_other_weights(learner: object) -> None:
    X, y = blobs(6)
    one, same, other = (found(LinearMachine(learner=learner), X, y, seed) for seed in (1, 1, 2))
    assert np.array_equal(branches(one), branches(same))
    assert not np.array_equal(branches(one), branches(other))
