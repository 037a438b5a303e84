"""The split criteria, each written down as its definition reads.

Every criterion compares the class weights of child 0 and child 1; a higher score is a better split.
An empty child leaves nothing gained, so its score is 0 under every criterion.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Vector = NDArray[np.float64]

CRITERIA = (
    "gini",
    "entropy",
    "gain_ratio",
    "twoing",
    "max_minority",
    "sum_minority",
    "sum_of_variances",
)


def gini(class_weights: Vector) -> float:
    """Return the probability that two rows drawn with replacement differ in class."""
    total = class_weights.sum()
    if total == 0.0:
        return 0.0
    shares = class_weights / total
    return float(1.0 - np.sum(shares**2))


def entropy(class_weights: Vector) -> float:
    """Return the entropy, in bits, of the class of a row drawn at random."""
    total = class_weights.sum()
    if total == 0.0:
        return 0.0
    shares = class_weights[class_weights > 0.0] / total
    return float(-np.sum(shares * np.log2(shares)))


def minority(class_weights: Vector) -> float:
    """Return the weight of the rows that do not belong to the most frequent class."""
    return float(class_weights.sum() - class_weights.max())


def frequency_ranks(class_weights: Vector) -> Vector:
    """Return the rank of each class: 1 is the most frequent, ties go to the smaller index."""
    ranks = np.empty(len(class_weights))
    ranks[np.argsort(-class_weights, kind="stable")] = np.arange(1, len(class_weights) + 1)
    return ranks


def scatter(values: Vector, weight: Vector) -> float:
    """Return the weighted sum of squares of the values about their weighted mean."""
    total = weight.sum()
    if total == 0.0:
        return 0.0
    mean = np.sum(weight * values) / total
    return float(np.sum(weight * (values - mean) ** 2))


def impurity(class_weights: ArrayLike, criterion: str) -> float:
    """Return the impurity of one node; 0 for a pure or an empty one."""
    weights = np.asarray(class_weights, dtype=np.float64)
    total = weights.sum()
    if total == 0.0:
        return 0.0
    if criterion in ("gini", "twoing"):
        return gini(weights)
    if criterion in ("entropy", "gain_ratio"):
        return entropy(weights)
    if criterion in ("max_minority", "sum_minority"):
        return minority(weights) / float(total)
    if criterion == "sum_of_variances":
        return scatter(frequency_ranks(weights), weights) / float(total)
    raise ValueError(f"criterion is {criterion!r}; it must be one of {', '.join(CRITERIA)}.")


def score(child_0: ArrayLike, child_1: ArrayLike, criterion: str) -> float:
    """Return what a split is worth, from the class weights of its two children."""
    left = np.asarray(child_0, dtype=np.float64)
    right = np.asarray(child_1, dtype=np.float64)
    parent = left + right
    n_left, n_right, n = left.sum(), right.sum(), parent.sum()
    if n_left == 0.0 or n_right == 0.0:
        return 0.0
    share_left, share_right = n_left / n, n_right / n
    if criterion == "gini":
        return float(gini(parent) - share_left * gini(left) - share_right * gini(right))
    if criterion in ("entropy", "gain_ratio"):
        gain = entropy(parent) - share_left * entropy(left) - share_right * entropy(right)
        sizes = np.array([n_left, n_right])
        return float(gain) if criterion == "entropy" else float(gain / entropy(sizes))
    if criterion == "twoing":
        difference = np.sum(np.abs(left / n_left - right / n_right))
        return float(share_left * share_right * difference**2)
    if criterion == "max_minority":
        return float((minority(parent) - max(minority(left), minority(right))) / n)
    if criterion == "sum_minority":
        return float((minority(parent) - minority(left) - minority(right)) / n)
    if criterion == "sum_of_variances":
        ranks = frequency_ranks(parent)
        gain = scatter(ranks, parent) - scatter(ranks, left) - scatter(ranks, right)
        return float(gain / n)
    raise ValueError(f"criterion is {criterion!r}; it must be one of {', '.join(CRITERIA)}.")


def squared_error(targets: Vector, weight: Vector, in_child_0: NDArray[np.bool_]) -> float:
    """Return by how much a split lowers the variance of real-valued targets."""
    total = weight.sum()
    if total == 0.0:
        return 0.0
    within = sum(scatter(targets[side], weight[side]) for side in (in_child_0, ~in_child_0))
    return float((scatter(targets, weight) - within) / total)
