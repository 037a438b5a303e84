"""The eight points of the OC1 paper's figure 5.

S. K. Murthy, S. Kasif and S. Salzberg, *A System for Induction of Oblique Decision Trees*, Journal
of Artificial Intelligence Research 2, 1994. A line separates the classes. Moving one coefficient at
a time does not find it from the best axis-parallel split.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from aslant.datasets.generators import Labelled

_FIRST = ((0.0, 1.0), (0.1, 0.3), (0.2, 0.3), (0.5, 0.8))
_SECOND = ((0.0, 0.0), (1.0, 0.0), (0.8, 0.8), (0.9, 0.6))


def make_local_minimum(random_state: Any = None) -> Labelled:
    """Return the points and their classes; nothing in them is random."""
    X = np.array([*_FIRST, *_SECOND])
    return X, np.repeat([1, 2], len(_FIRST))
