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
    assert content(whole) == sorted(content(kept) + content(out))
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
    assert np.array_equal(whole.folds(5, seed)[order], shuffled.folds(5, seed))


@pytest.mark.parametrize("divide", ["hold_out", "folds"])
def test_a_row_of_weight_three_goes_where_three_copies_go(divide: str) -> None:
    whole = sample(weighted=True)
    times = whole.weight.astype(int)
    copies = whole.take(np.repeat(np.arange(300), times))
    copies = Sample(copies.X, copies.y, np.ones(len(copies)), 3)
    if divide == "folds":
        assert np.array_equal(np.repeat(whole.folds(10, 3), times), copies.folds(10, 3))
    else:
        out, of_copies = whole.hold_out(0.25, 3)[1], copies.hold_out(0.25, 3)[1]
        assert out.weight.sum() == len(of_copies)


def test_equal_rows_stay_together() -> None:
    base = sample(n=40)
    twice = base.take(np.tile(np.arange(40), 6))
    fold = twice.folds(4, seed=0).reshape(6, 40)
    assert (fold == fold[0]).all()


def test_what_counts_as_an_equal_row() -> None:
    """Zeros of both signs and all kinds of NaN are equal; 32 bits hold the same numbers as 64."""
    other_nan = np.array([0x7FF8000000000123], dtype=np.uint64).view(np.float64)[0]
    one, other = np.full((200, 2), 0.0), np.full((200, 2), -0.0)
    rng = np.random.default_rng(0)
    one[:, 1] = other[:, 1] = rng.normal(size=200).astype(np.float32)
    one[::5, 1], other[::5, 1] = np.nan, other_nan
    y, weight = np.zeros(200, np.int32), np.ones(200)
    fold = Sample(one, y, weight, 2).folds(7, seed=0)
    assert np.array_equal(fold, Sample(other, y, weight, 2).folds(7, seed=0))
    single = one.astype(np.float32)
    assert np.array_equal(fold, Sample(single, y, weight, 2).folds(7, seed=0))


@pytest.mark.parametrize("n_folds", [2, 3, 5, 10])
def test_folds_are_of_nearly_equal_weight(n_folds: int) -> None:
    for weighted in (False, True):
        whole = sample(weighted=weighted)
        fold = whole.folds(n_folds, seed=0)
        assert np.unique(fold).tolist() == list(range(n_folds))
        weight = np.bincount(fold, whole.weight)
        assert np.ptp(weight) <= 2.0 * whole.weight.max()


def test_every_seed_divides_differently() -> None:
    whole = sample()
    folds = [tuple(whole.folds(5, seed)) for seed in range(20)]
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
