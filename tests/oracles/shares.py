"""Shares of the classes by level, row by row, from the formulas in the text of the module."""

from __future__ import annotations

from typing import Any

import numpy as np


def shares_by_level(
    levels: Any, y: Any, n_classes: int
) -> tuple[dict[Any, np.ndarray], np.ndarray]:
    """Return the shares of each level, and those of a level without rows; NaN rows are left out."""
    rows = [(level, k) for level, k in zip(levels, y, strict=True) if level is not None]
    overall = np.array([sum(k == c for _, k in rows) / len(rows) for c in range(n_classes)])
    groups: dict[Any, list[int]] = {}
    for level, k in rows:
        groups.setdefault(level, []).append(k)
    # One-way analysis of variance of the indicators of the classes, summed over the classes.
    within = between = 0.0
    for own in groups.values():
        for c in range(n_classes):
            values = np.array([float(k == c) for k in own])
            within += ((values - values.mean()) ** 2).sum()
            between += len(own) * (values.mean() - overall[c]) ** 2
    within /= len(rows) - len(groups)
    between /= len(groups) - 1
    sizes = np.array([len(own) for own in groups.values()], dtype=float)
    typical = (sizes.sum() - (sizes**2).sum() / sizes.sum()) / (len(groups) - 1)
    variance = (between - within) / typical
    if variance <= 0.0:
        return dict.fromkeys(groups, overall), overall
    m = within / variance
    found = {
        level: (np.bincount(own, minlength=n_classes) + m * overall) / (len(own) + m)
        for level, own in groups.items()
    }
    return found, overall
