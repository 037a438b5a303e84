"""Dividing rows by their content: shares, folds, copies and order."""

from __future__ import annotations

import numpy as np
import pytest

from aslant.sample import Sample


def sample(seed: int = 0, n: int = 300, weighted: bool = False) -> Sample:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    X[rng.random(X.shape) < 0.05] = np.nan
    weight = rng.integers(1, 5, n).astype(float) if weighted else np.ones(n)
    return Sample(X, rng.integers(0, 3, n).astype(np.int32), weight, 3)


def content(part: Sample) -> list[tuple[float, ...]]:
    """Return the rows in an order that depends on nothing but themselves."""
    rows = np.column_stack([np.nan_to_num(part.X, nan=-99.0), part.y, part.weight])
    return sorted(map(tuple, rows.tolist()))


def unit_rows(part: Sample) -> list[tuple[float, ...]]:
    """Return the rows as content() does, a row of weight 3 as three rows."""
    times = part.weight.astype(int)
    copies = part.take(np.repeat(np.arange(len(part)), times))
    return content(Sample(copies.X, copies.y, np.ones(len(copies)), part.n_classes))


def fold_of_rows(whole: Sample, n_folds: int, seed: int) -> np.ndarray:
    """Return the fold of each row of a sample whose rows are all different."""
    fold = np.full(len(whole), -1)
    where = {row: i for i, row in enumerate(map(tuple, np.nan_to_num(whole.X, nan=-99.0)))}
    for number, (_, part) in enumerate(whole.folds(n_folds, seed)):
        for row in map(tuple, np.nan_to_num(part.X, nan=-99.0)):
            fold[where[row]] = number
    return fold


def test_taking_rows() -> None:
    whole = sample()
    mask = np.arange(300) % 7 == 0
    part = whole.take(mask)
    assert len(part) == mask.sum()
    assert part.n_classes == 3
    assert content(part) == content(whole.take(np.flatnonzero(mask)))


@pytest.mark.parametrize("fraction", [0.05, 0.1, 1 / 3, 0.5, 0.9])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_share_held_out(fraction: float, weighted: bool) -> None:
    whole = sample(weighted=weighted)
    kept, out = whole.hold_out(fraction, seed=1)
    assert unit_rows(whole) == sorted(unit_rows(kept) + unit_rows(out))
    total, largest = whole.weight.sum(), whole.weight.max()
    assert fraction * total - largest < out.weight.sum() <= fraction * total * (1.0 + 1e-9)


def test_exact_shares_are_exact() -> None:
    """Rounding must not lose a row: a tenth of 300 rows are 30 rows, a third 100."""
    whole = sample()
    for fraction, rows in ((0.1, 30), (1 / 3, 100), (0.7, 210), (0.01, 3)):
        assert len(whole.hold_out(fraction, seed=0)[1]) == rows


def test_few_rows_may_spare_none() -> None:
    kept, out = sample(n=4).hold_out(0.1, seed=0)
    assert (len(kept), len(out)) == (4, 0)


@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_the_rows_does_not_matter(seed: int) -> None:
    whole = sample(seed, weighted=True)
    order = np.random.default_rng(9).permutation(300)
    shuffled = whole.take(order)
    assert content(whole.hold_out(0.2, seed)[1]) == content(shuffled.hold_out(0.2, seed)[1])
    for (_, one), (_, other) in zip(whole.folds(5, seed), shuffled.folds(5, seed), strict=True):
        assert content(one) == content(other)


@pytest.mark.parametrize("divide", ["hold_out", "folds"])
def test_a_row_of_weight_three_goes_where_three_copies_go(divide: str) -> None:
    whole = sample(weighted=True)
    times = whole.weight.astype(int)
    copies = whole.take(np.repeat(np.arange(300), times))
    copies = Sample(copies.X, copies.y, np.ones(len(copies)), 3)
    if divide == "folds":
        pairs = list(zip(whole.folds(10, 3), copies.folds(10, 3), strict=True))
    else:
        pairs = [(whole.hold_out(0.25, 3), copies.hold_out(0.25, 3))]
    for parts, of_copies in pairs:
        for part, of_copy in zip(parts, of_copies, strict=True):
            assert unit_rows(part) == unit_rows(of_copy)


def test_copies_are_shared_out_evenly() -> None:
    """Or a pattern of discrete data would be all for growing, or all for pruning."""
    base = sample(n=40)
    many = base.take(np.tile(np.arange(40), 6))
    kept, out = many.hold_out(1 / 3, seed=0)
    assert set(content(kept)) == set(content(out)) == set(content(base))
    for others, fold in many.folds(3, seed=0):
        assert (len(others), len(fold)) == (160, 80)
        assert set(content(fold)) == set(content(base))


def test_real_weights_are_not_numbers_of_copies() -> None:
    whole = sample(weighted=True)
    real = Sample(whole.X, whole.y, whole.weight / 8.0, 3)
    kept, out = real.hold_out(0.25, seed=2)
    assert content(real) == sorted(content(kept) + content(out))
    assert 0.2 < out.weight.sum() / real.weight.sum() <= 0.25
    assert sum(len(fold) for _, fold in real.folds(4, seed=2)) == 300
    assert (whole.n_cases, real.n_cases) == (whole.weight.sum(), 300)


def test_what_counts_as_an_equal_row() -> None:
    """Zeros of both signs and all kinds of NaN are equal; 32 bits hold the same numbers as 64."""
    other_nan = np.array([0x7FF8000000000123], dtype=np.uint64).view(np.float64)[0]
    one, other = np.full((200, 2), 0.0), np.full((200, 2), -0.0)
    rng = np.random.default_rng(0)
    one[:, 1] = other[:, 1] = rng.normal(size=200).astype(np.float32)
    one[::5, 1], other[::5, 1] = np.nan, other_nan
    y, weight = np.zeros(200, np.int32), np.ones(200)
    out = content(Sample(one, y, weight, 2).hold_out(0.3, seed=0)[1])
    assert out == content(Sample(other, y, weight, 2).hold_out(0.3, seed=0)[1])
    single = one.astype(np.float32)
    assert out == content(Sample(single, y, weight, 2).hold_out(0.3, seed=0)[1])


@pytest.mark.parametrize("n_folds", [2, 3, 5, 10])
def test_folds_are_of_nearly_equal_weight(n_folds: int) -> None:
    for weighted in (False, True):
        whole = sample(weighted=weighted)
        weight = [fold.weight.sum() for _, fold in whole.folds(n_folds, seed=0)]
        assert len(weight) == n_folds
        assert np.ptp(weight) <= 2.0 * whole.weight.max()


def test_every_seed_divides_differently() -> None:
    whole = sample()
    folds = [tuple(fold_of_rows(whole, 5, seed)) for seed in range(20)]
    assert len(set(folds)) == 20
    # No row is favoured: each is held out about one time in five.
    times_out = np.mean([np.array(fold) == 0 for fold in folds], axis=0)
    assert 0.15 < times_out.mean() < 0.25
    assert times_out.max() < 0.75


def test_classes_are_represented() -> None:
    """Nothing stratifies, but nothing separates the classes either."""
    whole = sample(n=3000)
    share = np.bincount(whole.y) / 3000
    out = whole.hold_out(1 / 3, seed=0)[1]
    np.testing.assert_allclose(np.bincount(out.y) / len(out), share, atol=0.05)
