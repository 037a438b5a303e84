"""Probabilities of a forest that mean what they say.

The mean of many trees' frequencies is too cautious where classes are clear, for some trees always
err, and too sure where they are not, for every leaf is pure. One number mends much of both: the
frequencies are raised to a power, under which rows that trees have not drawn have the least
log-loss (temperature scaling: C. Guo and others, *On Calibration of Modern Neural Networks*, 2017,
with out-of-bag rows in place of a validation set). The order of the classes stays what it was.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize_scalar

Floats = npt.NDArray[np.float64]

_POWERS = 0.25, 8.0  # the least and the greatest


def with_power(share: Floats, power: float, n_trees: int) -> Floats:
    """Return probabilities, none of them zero, as if one more tree predicted all alike."""
    logarithms = np.log((n_trees * share + 1.0 / share.shape[1]) / (n_trees + 1.0))
    raised = np.exp(power * logarithms)
    return np.asarray(raised / raised.sum(axis=1, keepdims=True))


def best_power(
    share: Floats, codes: npt.NDArray[np.integer], weight: Floats, n_trees: int
) -> float:
    """Return the power under which the classes have the least mean of -ln p; NaN rows are none."""
    known = ~np.isnan(share[:, 0])
    if not known.any():
        return 1.0
    share, codes, weight = share[known], codes[known], weight[known]
    rows = np.arange(len(codes))

    def loss(logarithm: float) -> float:
        proba = with_power(share, float(np.exp(logarithm)), n_trees)
        return -float(np.average(np.log(proba[rows, codes]), weights=weight))

    found = minimize_scalar(loss, bounds=np.log(_POWERS), method="bounded", options={"xatol": 1e-3})
    return float(np.exp(found.x))
