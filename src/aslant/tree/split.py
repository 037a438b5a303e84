"""The test of a node, as a search returns it and a tree gives it back."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True)
class HyperplaneSplit:
    """Child 0 where ``x @ coef <= threshold``, else child 1.

    ``fill`` holds, per column, what stands in for a missing value: always the node's own, so a
    search leaves it out. ``score`` is the value of the split where the core computed one.
    """

    coef: npt.NDArray[np.float64]
    threshold: float
    fill: npt.NDArray[np.float64] | None = None
    score: float | None = None


@dataclass(frozen=True)
class LinearMachineSplit:
    """Child ``argmax_k(weights[k] @ x + bias[k])``, ties to the smaller k."""

    weights: npt.NDArray[np.float64]
    bias: npt.NDArray[np.float64]
    fill: npt.NDArray[np.float64] | None = None
    score: float | None = None


#: What a search may return.
Split = HyperplaneSplit | LinearMachineSplit
