"""Table 3 of Hinton and Revow, put together again: its p-values must fit the errors of table 2."""

from __future__ import annotations

from math import comb

import pytest
from aslant_papers.hinton1996 import split_bits
from aslant_papers.published import published_figures

TEST_ROWS = {
    **{"IR": 50, "TR": 72, "LV": 115, "DB": 256, "BC": 228, "GL": 54},
    **{"VW": 330, "WN": 59, "VH": 282, "WV": 700, "IS": 117, "SN": 69},
}
PAIRS = (("cart", "pole"), ("linear", "pole"), ("cart", "linear"))


def lower_tail(b: int, c: int) -> float:
    return sum(comb(b + c, i) for i in range(min(b, c) + 1)) / 2.0 ** (b + c)


def fits(p: float, errors: tuple[int, int], n_rows: int) -> bool:
    """Whether some rows that one method alone has wrong give this p-value and these errors."""
    difference = abs(errors[0] - errors[1])
    both = range((n_rows - difference) // 2 + 1)
    return any(abs(lower_tail(k, k + difference) - p) <= 0.00501 for k in both)


def consistent(data: str, swapped: bool = False) -> bool:
    """Whether whole numbers of errors fit the three ratios and the three p-values."""
    figures, n_rows = published_figures("hinton1996"), TEST_ROWS[data]
    ratios = [
        figures[2, f"{name} (large)", data, "relative_error"].value
        for name in ("cart", "linear", "pole")
    ]
    p = [figures[3, f"{a} and {b} (large)", data, "p_value"].value for a, b in PAIRS]
    if swapped:
        p = [p[1], p[2], p[0]]
    for base in range(10, n_rows + 1):
        counts = [round(ratio * base / 100.0) for ratio in ratios]
        if any(abs(100 * k / base - r) > 0.051 for k, r in zip(counts, ratios, strict=True)):
            continue
        cart, linear, pole = counts
        errors = ((cart, pole), (linear, pole), (cart, linear))
        if all(fits(*pair, n_rows) for pair in zip(p, errors, strict=True)):
            return True
    return False


@pytest.mark.parametrize("data", TEST_ROWS)
def test_the_restored_triples_fit_the_errors(data: str) -> None:
    assert consistent(data)


def test_another_order_of_the_triples_does_not_fit() -> None:
    """Not everywhere: where all errors are equal any order does."""
    assert sum(not consistent(data, swapped=True) for data in TEST_ROWS) >= 6


def test_the_price_of_a_split() -> None:
    """Section 2: with 1024 rows and 8 features, a row number is 10 bits and a feature 3."""
    kinds = ("axis", "pole", "pole, all thresholds", "general")
    assert [split_bits(kind, 1024, 8) for kind in kinds] == [13.0, 20.0, 30.0, 80.0]
