"""The parts of the message are lengths of codes that can be decoded.

A code can be decoded if its words, over all that could be said, have a Kraft sum of at most 1. Here
all that could be said is written out for small problems, and the class code is run as a coder.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache
from itertools import combinations, product

import numpy as np
import pytest
from scipy.special import betainc

from aslant.mml.code import (
    ALPHAS,
    attribute_bits,
    cap_bits,
    direction_bits,
    grouping_bits,
    leaf_bits,
    level_bits,
    machine_bits,
    node_bits,
    outcome_bits,
    position_bits,
    root_bits,
    subset_bits,
)

# ---------------------------------------------------------------------- leaves


def adaptive(classes: tuple[int, ...], n_classes: int, alpha: Fraction) -> list[list[Fraction]]:
    """Return the probabilities of all classes before each row, as the receiver knows them."""
    counts = [Fraction(0)] * n_classes
    steps = []
    for label in classes:
        total = sum(counts) + n_classes * alpha
        steps.append([(count + alpha) / total for count in counts])
        counts[label] += 1
    return steps


def encode(classes: tuple[int, ...], n_classes: int, alpha: Fraction) -> tuple[Fraction, Fraction]:
    """Return the interval that an exact arithmetic coder ends with: its start and its width."""
    start, width = Fraction(0), Fraction(1)
    for label, share in zip(classes, adaptive(classes, n_classes, alpha), strict=True):
        start += width * sum(share[:label], Fraction(0))
        width *= share[label]
    return start, width


def decode(number: Fraction, n_rows: int, n_classes: int, alpha: Fraction) -> tuple[int, ...]:
    """Read the classes back from any number in the interval."""
    classes: tuple[int, ...] = ()
    start, width = Fraction(0), Fraction(1)
    for _ in range(n_rows):
        shares = adaptive((*classes, 0), n_classes, alpha)[-1]
        label = 0
        while number >= start + width * shares[label]:
            start += width * shares[label]
            label += 1
        width *= shares[label]
        classes = (*classes, label)
    return classes


@pytest.mark.parametrize("alpha", [Fraction(1), Fraction(1, 2), Fraction(1, 10)])
@pytest.mark.parametrize(("n_rows", "n_classes"), [(6, 2), (4, 3)])
def test_the_leaf_code_is_that_of_an_arithmetic_coder(
    alpha: Fraction, n_rows: int, n_classes: int
) -> None:
    widths = []
    for classes in product(range(n_classes), repeat=n_rows):
        start, width = encode(classes, n_classes, alpha)
        assert decode(start + width / 3, n_rows, n_classes, alpha) == classes
        stated = float(leaf_bits(np.bincount(classes, minlength=n_classes), float(alpha)))
        assert stated == pytest.approx(-math.log2(width), abs=1e-9)
        widths.append(width)
    assert sum(widths) == 1


def test_weights_are_numbers_of_rows() -> None:
    whole = leaf_bits([3.0, 5.0], 1.0)
    assert whole == pytest.approx(math.log2(9 * math.comb(8, 3)))
    assert leaf_bits([2.9, 5.0], 1.0) < whole < leaf_bits([3.1, 5.0], 1.0)
    assert leaf_bits([0.0, 0.0, 0.0], 0.5) == 0.0


def test_smaller_alpha_favours_pure_leaves() -> None:
    pure = [float(leaf_bits([20, 0], alpha)) for alpha in ALPHAS]
    mixed = [float(leaf_bits([10, 10], alpha)) for alpha in ALPHAS]
    assert pure == sorted(pure, reverse=True)
    assert mixed == sorted(mixed)


# ---------------------------------------------------------------------- structure


@cache
def shape_sum(depth: int, n_outcomes: int) -> float:
    """Kraft sum of all shapes of a subtree below the root, cut off at a depth."""
    leaf = 2.0 ** -node_bits(True, n_outcomes)
    if depth == 0:
        return leaf
    return leaf + 2.0 ** -node_bits(False, n_outcomes) * shape_sum(depth - 1, n_outcomes) ** (
        n_outcomes
    )


@pytest.mark.parametrize("n_outcomes", [2, 3, 5])
@pytest.mark.parametrize("n_features", [1, 2, 7])
def test_shapes_of_trees(n_outcomes: int, n_features: int) -> None:
    sums = []
    for depth in (2, 8, 60):
        below = shape_sum(depth, n_outcomes) ** n_outcomes
        tested = 2.0 ** -root_bits(False, n_features) * below
        sums.append(2.0 ** -root_bits(True, n_features) + tested)
    assert sums == sorted(sums)
    assert 0.9 < sums[-1] <= 1.0 + 1e-12


def test_structure_of_wallace_and_patrick() -> None:
    assert node_bits(True, 2) == node_bits(False, 2) == 1.0
    assert root_bits(True, 8) == 3.0
    assert root_bits(False, 8) == pytest.approx(math.log2(8 / 7))
    assert node_bits(False, 3) == pytest.approx(math.log2(3))


# ---------------------------------------------------------------------- attributes


@pytest.mark.parametrize(("n", "most"), [(1, 3), (5, 3), (6, None), (4, 1)])
def test_choices_of_features(n: int, most: int | None) -> None:
    sizes = range(1, min(n, most or n) + 1)
    total = sum(
        2.0 ** -attribute_bits(n, d, most) for d in sizes for _ in combinations(range(n), d)
    )
    assert total == pytest.approx(1.0)


@pytest.mark.parametrize(("n", "most", "fewest"), [(5, 3, 2), (6, None, 4), (2, 3, 3)])
def test_choices_of_at_least_so_many_features(n: int, most: int | None, fewest: int) -> None:
    sizes = range(min(fewest, n), min(n, most or n) + 1)
    total = sum(
        2.0 ** -attribute_bits(n, d, most, fewest) for d in sizes for _ in combinations(range(n), d)
    )
    assert total == pytest.approx(1.0)
    assert attribute_bits(n, n, most, fewest, "none") == 0.0


@pytest.mark.parametrize("n_levels", [2, 3, 4, 7])
def test_groupings_of_levels(n_levels: int) -> None:
    groupings = set()
    for size in range(1, n_levels):
        for chosen in combinations(range(n_levels), size):
            others = tuple(sorted(set(range(n_levels)) - set(chosen)))
            groupings.add(frozenset([chosen, others]))
    lengths = [grouping_bits(n_levels, min(map(len, grouping))) for grouping in groupings]
    assert sum(2.0**-bits for bits in lengths) == pytest.approx(1.0)


@pytest.mark.parametrize("n_levels", [3, 5])
def test_levels_in_linear_tests(n_levels: int) -> None:
    subsets = [d for d in range(1, n_levels) for _ in combinations(range(n_levels), d)]
    assert sum(2.0 ** -level_bits(n_levels, d) for d in subsets) == pytest.approx(1.0)
    assert level_bits(2, 1) == 0.0


def test_numbers_of_outcomes() -> None:
    assert 0.999 < sum(2.0 ** -outcome_bits(k) for k in range(2, 10_000)) <= 1.0


def test_subsets() -> None:
    for n, k in [(1, 1), (5, 2), (60, 3)]:
        assert subset_bits(n, k) == pytest.approx(math.log2(math.comb(n, k)))


# ---------------------------------------------------------------------- direction and position


def divisions(points: np.ndarray, rng: np.random.Generator, n_directions: int) -> dict:
    """Return the widest margin seen for each division of the points, by the size of child 0."""
    widest: dict[tuple[int, bytes], float] = {}
    for _ in range(n_directions):
        w = rng.normal(size=points.shape[1])
        w /= np.linalg.norm(w)
        u = points @ w
        order = np.argsort(u)
        for k in range(1, len(points)):
            margin = u[order[k]] - u[order[k - 1]]
            key = (k, np.sort(order[:k]).tobytes())
            widest[key] = max(margin, widest.get(key, 0.0))
    return widest


@pytest.mark.parametrize(("n", "d"), [(3, 2), (7, 2), (5, 3), (8, 3), (6, 4)])
def test_directions_and_positions(n: int, d: int) -> None:
    """Over all linear divisions, each stated with the widest margin found, Kraft's sum holds."""
    rng = np.random.default_rng(n + 10 * d)
    points = rng.random((n, d))
    points = (points - points.min(axis=0)) / np.ptp(points, axis=0)
    widest = divisions(points, rng, 4000)
    assert len(widest) > n
    gap = position_bits("gap", n)
    caps = [direction_bits("cap", d, margin) for margin in widest.values()]
    assert sum(2.0 ** -(bits + gap) for bits in caps) <= 1.0
    pair = position_bits("pair", n)
    assert pair >= gap
    for k in range(1, n):  # already for each size of child 0, before the position is stated
        of_size = [m for (size, _), m in widest.items() if size == k]
        assert sum(2.0 ** -direction_bits("cap", d, margin) for margin in of_size) <= 1.0


@pytest.mark.parametrize("d", [2, 3, 6])
def test_all_directions_of_the_cap_divide_alike(d: int) -> None:
    rng = np.random.default_rng(d)
    points = rng.random((30, d))
    for _ in range(50):
        w = rng.normal(size=d)
        w /= np.linalg.norm(w)
        u = np.sort(points @ w)
        k = int(rng.integers(1, 30))
        tangent = (u[k] - u[k - 1]) / math.sqrt(d)
        inside = set(np.argsort(points @ w)[:k])
        for _ in range(20):
            aside = rng.normal(size=d)
            aside -= (aside @ w) * w
            aside /= np.linalg.norm(aside)
            turned = w + 0.999 * tangent * rng.random() * aside
            assert set(np.argsort(points @ turned)[:k]) == inside


@pytest.mark.parametrize("d", [2, 3, 4, 9, 40])
@pytest.mark.parametrize("angle", [1e-6, 0.01, 0.3, 0.78, 1.2])
def test_shares_of_caps(d: int, angle: float) -> None:
    x = math.sin(angle) ** 2
    share = 0.5 * betainc(0.5 * (d - 1), 0.5, x)
    if share > 1e-290:
        assert cap_bits(d, x) == pytest.approx(-math.log2(share), rel=1e-9)
    if d == 2:
        assert cap_bits(2, x) == pytest.approx(-math.log2(angle / math.pi), rel=1e-9)
    if d == 3:
        assert cap_bits(3, x) == pytest.approx(-math.log2(math.sin(angle / 2) ** 2), rel=1e-9)


def test_shares_of_caps_by_drawing() -> None:
    rng = np.random.default_rng(0)
    w = rng.normal(size=(200_000, 3))
    within = w[:, 0] / np.linalg.norm(w, axis=1) > math.cos(0.2)
    assert 2.0 ** -cap_bits(3, math.sin(0.2) ** 2) == pytest.approx(within.mean(), rel=0.1)


def test_tiny_margins_stay_finite() -> None:
    for code in ("cap", "paper"):
        assert math.isfinite(direction_bits(code, 50, 0.0))
        assert math.isfinite(machine_bits(code, 5, 50, 0.0))


def test_the_formula_of_the_paper() -> None:
    """Closed form of -log2 (sin theta)^(2 (d - 1)) at tan theta = margin / sqrt(d)."""
    for d, margin in [(2, 0.3), (3, 0.01), (5, 1.0)]:
        theta = math.asin(2.0 / math.sqrt(d * (2.0 / margin) ** 2 + 4.0))
        stated = -2 * (d - 1) * math.log2(math.sin(theta))
        assert direction_bits("paper", d, margin) == pytest.approx(stated, rel=1e-12)
    assert direction_bits("paper", 1, 0.1) == 0.0
    narrow, wide = 0.01, 1.5
    assert direction_bits("paper", 3, narrow) > direction_bits("cap", 3, narrow)
    assert direction_bits("paper", 3, wide) < direction_bits("cap", 3, wide)


def test_linear_machines() -> None:
    """Weights drawn at random, each division of the rows stated with the widest lead found."""
    rng = np.random.default_rng(1)
    points = rng.random((5, 1))
    rows = np.column_stack([points, np.ones(5)])
    widest: dict[bytes, float] = {}
    for _ in range(4000):
        whole = rng.normal(size=(3, 2))
        whole -= whole.mean(axis=0)
        scores = np.sort(rows @ whole.T, axis=1) / np.linalg.norm(whole)
        winner = np.argmax(rows @ whole.T, axis=1).tobytes()
        lead = (scores[:, -1] - scores[:, -2]).min()
        widest[winner] = max(lead, widest.get(winner, 0.0))
    assert len(widest) > 10
    assert sum(2.0 ** -machine_bits("cap", 3, 1, lead) for lead in widest.values()) <= 1.0


# ---------------------------------------------------------------------- whole trees


def tree_sum(rows: frozenset[int], X: np.ndarray, n_siblings: int) -> float:
    """Kraft sum of all univariate trees over these rows: each cut divides them anew."""
    values = X[sorted(rows)]
    varying = [j for j in range(X.shape[1]) if len(np.unique(values[:, j])) > 1]
    structure = [
        2.0 ** -(node_bits(leaf, n_siblings) if n_siblings else root_bits(leaf, len(varying)))
        for leaf in (True, False)
    ]
    total = structure[0]
    for j in varying:
        cuts = np.unique(values[:, j])[:-1]
        test = attribute_bits(len(varying), 1, 1) + position_bits("gap", len(cuts) + 1)
        for cut in cuts:
            inside = frozenset(i for i in rows if X[i, j] <= cut)
            below = tree_sum(inside, X, 2) * tree_sum(rows - inside, X, 2)
            total += structure[1] * 2.0**-test * below
    return total


@pytest.mark.parametrize("n_features", [1, 2, 3])
def test_all_univariate_trees_of_a_few_rows(n_features: int) -> None:
    X = np.random.default_rng(n_features).integers(0, 4, (5, n_features)).astype(float)
    X[:, 0] = np.arange(5)
    assert 0.5 < tree_sum(frozenset(range(5)), X, 0) <= 1.0
