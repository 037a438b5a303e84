"""Dividing rows by their content: shares, folds, copies and order."""

from __future__ import annotations

import numpy as np
import pytest

from aslant.encoding.sample import Sample


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


def test_dividing_copies_no_data() -> None:
    whole = sample()
    parts = [whole.take(np.arange(5)), *whole.hold_out(0.3, 1), *next(iter(whole.folds(3, 1)))]
    for part in parts:
        assert part.shared_X is whole.X
        assert np.array_equal(whole.X[part.rows], part.X, equal_nan=True)
        assert np.array_equal(whole.y[part.rows], part.y)
        assert np.array_equal(whole.weight[part.rows], part.weight)


def test_rows_of_rows_and_repeated_rows() -> None:
    part = sample().take(np.arange(300) >= 100).take(np.array([7, 7, 0]))
    assert part.rows.tolist() == [107, 107, 100]
    assert len(part) == len(part.X) == 3


def test_rows_that_the_caller_chose_are_held_out() -> None:
    whole = sample(n=6)
    chosen = np.array([True, False, False, True, False, False])
    whole = Sample(whole.X, whole.y, whole.weight, 3, chosen).take(np.arange(1, 6))
    kept, out = whole.hold_out(0.9, seed=0)
    assert (kept.rows.tolist(), out.rows.tolist()) == ([1, 2, 4, 5], [3])


@pytest.mark.parametrize("fraction", [0.05, 0.1, 1 / 3, 0.5, 0.9])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_share_held_out(fraction: float, weighted: bool) -> None:
    whole = sample(weighted=weighted)
    kept, out = whole.hold_out(fraction, seed=1)
    assert sorted([*kept.rows, *out.rows]) == list(range(300))
    assert len(out) == int(fraction * 300 + 1e-9)


def test_exact_shares_are_exact() -> None:
    """Rounding must not lose a row: a tenth of 300 rows are 30 rows, 0.57 of them 171."""
    whole = sample()
    assert 300 * 0.57 < 171
    for fraction, rows in ((0.1, 30), (1 / 3, 100), (0.7, 210), (0.01, 3), (0.57, 171)):
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


@pytest.mark.parametrize("scale", [1.0, 3.0, 0.37])
def test_weights_do_not_change_the_division(scale: float) -> None:
    """A row is held out or it is not, and its weight goes with it."""
    plain = sample()
    weight = np.random.default_rng(1).integers(1, 5, 300) * scale
    heavy = Sample(plain.X, plain.y, weight, 3)
    for part, other in zip(plain.hold_out(0.25, 3), heavy.hold_out(0.25, 3), strict=True):
        assert np.array_equal(part.rows, other.rows)
    for parts, others in zip(plain.folds(10, 3), heavy.folds(10, 3), strict=True):
        for part, other in zip(parts, others, strict=True):
            assert np.array_equal(part.rows, other.rows)


def test_copies_of_different_weights_in_any_order() -> None:
    """Nothing tells such copies apart but their weight: it decides which of them is held out."""
    X, y = np.zeros((60, 2)), np.zeros(60, dtype=np.int32)
    weight = np.arange(1.0, 61.0)
    order = np.random.default_rng(0).permutation(60)
    whole, shuffled = Sample(X, y, weight, 2), Sample(X, y, weight[order], 2)
    for (_, one), (_, other) in zip(whole.folds(4, 0), shuffled.folds(4, 0), strict=True):
        assert sorted(one.weight) == sorted(other.weight)
    assert content(whole.hold_out(0.3, 0)[1]) == content(shuffled.hold_out(0.3, 0)[1])


def test_no_row_is_on_both_sides() -> None:
    whole = sample(weighted=True)
    for kept, out in (whole.hold_out(0.4, 0), *whole.folds(4, 0)):
        assert not set(kept.rows) & set(out.rows)
        assert kept.weight.sum() + out.weight.sum() == whole.weight.sum()


def test_copies_are_shared_out_evenly() -> None:
    """Or a pattern of discrete data would be all for growing, or all for pruning."""
    base = sample(n=40)
    many = base.take(np.tile(np.arange(40), 6))
    kept, out = many.hold_out(1 / 3, seed=0)
    assert set(content(kept)) == set(content(out)) == set(content(base))
    for others, fold in many.folds(3, seed=0):
        assert (len(others), len(fold)) == (160, 80)
        assert set(content(fold)) == set(content(base))


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


@pytest.mark.parametrize("n_folds", [2, 3, 7, 10])
def test_folds_have_nearly_as_many_rows(n_folds: int) -> None:
    """Whatever the rows weigh, no fold is empty."""
    whole = sample()
    whole = Sample(whole.X, whole.y, 10.0 ** np.arange(0, -300, -1), 3)
    sizes = [len(fold) for _, fold in whole.folds(n_folds, seed=0)]
    assert sum(sizes) == 300
    assert max(sizes) - min(sizes) <= 1


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
