"""What a tree tells about itself."""

from __future__ import annotations

import pytest
from inspection.hand_built import AGE, BLUE, BMI, RED, build, leaf, plane


def test_features_per_test_is_the_mean_over_the_tests() -> None:
    """Levels of one category are one feature."""
    below = plane({AGE: 1.0}, 3.0, leaf(1.0, 0.0), leaf(0.0, 1.0))
    tree = build(plane({AGE: 1.0, BMI: 2.0, RED: 1.0, BLUE: 3.0}, 1.0, below, leaf(2.0, 0.0)))
    assert tree.features_in_test.tolist() == [3, 1, 0, 0, 0]
    assert tree.features_per_test == pytest.approx(2.0)
    assert build(leaf(1.0, 2.0)).features_per_test == 0.0
