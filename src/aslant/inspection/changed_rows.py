"""Encoded rows with another value of one input."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from aslant.codegen.description import Description
from aslant.encoding.dates import part

Array = npt.NDArray[np.float64]


def with_value(description: Description, encoded: Array, source: int, value: float) -> Array:
    """Return a copy of encoded rows in which an input has this value, or the level of this code.

    Everything that is derived from the input changes with it.
    """
    changed = encoded.copy()
    for k, feature in enumerate(description.features):
        if feature.source != source:
            continue
        if feature.what == "itself":
            changed[:, k] = value
        elif feature.what == "missing":
            changed[:, k] = 0.0
        elif feature.what == "encoded":
            changed[:, k] = feature.table[int(value)]
        else:
            changed[:, k] = part(np.array([value]), feature.what)[0]
    return changed
