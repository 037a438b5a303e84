"""Cline: three quick ways to put a plane between two classes.

M. F. Amasyalı and O. K. Ersoy, *Cline: A new decision-tree family*, IEEE Transactions on Neural
Networks 19, 2008. We had no copy of the paper: this is its idea as others describe it
(Wickramarachchi et al. 2016, section 2.3), with the details ours.

Idea
    Every node makes three hyperplanes between two classes and keeps the best: the bisector of the
    two nearest rows of different classes, the bisector of the means of the classes, and Fisher's
    linear discriminant halfway between the means. Nothing is searched, so a node is cheap.

Where we had no source
    *Ties* go to the first of the three, and of equally near rows to the first pair in the order of
    their values. *A singular scatter* is inverted where it has spread.


Where we differ
    *Several classes*: the original makes a classifier for every pair of classes and lets them vote,
    which is ``sklearn.multiclass.OneVsOneClassifier`` around a tree with this search. Within one
    tree every pair of classes that is left at a node proposes its planes, valued by all rows.
    *The best threshold* along each of the three directions is an option.
"""

from __future__ import annotations

from itertools import combinations
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy.spatial import cKDTree

from aslant import _core
from aslant.search.base import HyperplaneSplit, Split, SplitSearch
from aslant.utils.checks import check_choice
from aslant.utils.parameters import parameters

Vector = npt.NDArray[np.float64]


@parameters
class Cline(SplitSearch):
    """The best of three planes between two classes.

    Parameters
    ----------
    threshold : {"midpoint", "best"}, default="midpoint"
        Halfway between the two rows or means, as published, or the best one along the direction.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from aslant import ObliqueDecisionTreeClassifier
    >>> from aslant.search import Cline
    >>> X, y = load_iris(return_X_y=True)
    >>> ObliqueDecisionTreeClassifier(Cline(), max_depth=3).fit(X, y).score(X, y) > 0.95
    True
    """

    threshold: Literal["midpoint", "best"] = "midpoint"

    def core(self) -> _core.Search:
        """Return the search as the growth loop calls it."""
        check_choice("threshold", self.threshold, ("midpoint", "best"))
        return super().core()

    def find(self, node: _core.Node, rng: np.random.Generator) -> Split | None:
        """Return the best of the planes between any two classes at the node."""
        present = np.flatnonzero(node.class_weight > 0.0).tolist()
        planes = [plane for pair in combinations(present, 2) for plane in _planes(node, *pair)]
        if not planes:
            return None
        if self.threshold == "best":
            return node.best_along(np.array([direction for direction, _ in planes]))
        best: HyperplaneSplit | None = None
        for direction, middle in planes:
            found = _valued(node, direction, middle)
            if found is not None and (best is None or (found.score or 0.0) > (best.score or 0.0)):
                best = found
        return best


def _valued(node: _core.Node, direction: Vector, middle: float) -> HyperplaneSplit | None:
    """Return the split halfway with its value, None if it gives a child too few rows."""
    left = node.X @ direction <= middle
    rows, weight = int(np.count_nonzero(left)), float(node.weight[left].sum())
    anywhere = node.best_along(direction)
    if anywhere is None or min(rows, len(left) - rows) < node.min_rows:
        return None
    if min(weight, float(node.weight.sum()) - weight) <= 0.0:
        return None
    score = node.score(HyperplaneSplit(direction, middle))
    return HyperplaneSplit(direction, middle, anywhere.fill, score) if score > 0.0 else None


def _planes(node: _core.Node, a: int, b: int) -> list[tuple[Vector, float]]:
    """Return directions and middles of the planes between two classes."""
    one, other = (node.y == a), (node.y == b)
    means = [np.average(node.X[rows], 0, node.weight[rows]) for rows in (one, other)]
    pairs = [_nearest(node.X[one], node.X[other]), (means[0], means[1])]
    planes = [(q - p, float((q - p) @ (p + q) / 2.0)) for p, q in pairs]
    discriminant = _discriminant(node, (one, other), means)
    planes.append((discriminant, float(discriminant @ (means[0] + means[1]) / 2.0)))
    return [_upright(w, t) for w, t in planes if np.isfinite(w).all() and np.any(w != 0.0)]


def _upright(direction: Vector, middle: float) -> tuple[Vector, float]:
    """Return the plane with its first coefficient positive: classes have no order."""
    sign = float(np.sign(direction[np.flatnonzero(direction)[0]]))
    return sign * direction, sign * middle


def _nearest(first: Vector, second: Vector) -> tuple[Vector, Vector]:
    """Return the nearest two rows; the first such pair in the order of their values."""
    first, second = (rows[np.lexsort(rows.T[::-1])] for rows in (first, second))
    distance, index = cKDTree(second).query(first)
    near = int(np.argmin(distance))
    return first[near], second[int(index[near])]


def _discriminant(
    node: _core.Node, classes: tuple[npt.NDArray[np.bool_], ...], means: list[Vector]
) -> Vector:
    """Return Fisher's direction, by the pooled scatter of the two classes."""
    scatter = np.zeros((node.X.shape[1], node.X.shape[1]))
    for rows, mean in zip(classes, means, strict=True):
        centred = node.X[rows] - mean
        scatter += (centred * node.weight[rows][:, None]).T @ centred
    return np.asarray(np.linalg.pinv(scatter, hermitian=True) @ (means[1] - means[0]))
