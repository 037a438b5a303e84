"""HHCART(G): one reflection a node, along an angle bisector of two planes.

A later variant by the authors of HHCART, of which we had only an outline; the planes are those of
N. Manwani and P. S. Sastry, *Geometric Decision Tree*, IEEE Transactions on Systems, Man and
Cybernetics B 42, 2012.

Idea
    For each of two classes there is a plane that runs through its rows and keeps away from those of
    the other: the first and the last generalised eigenvector of the mean squares of both. The two
    bisectors of the angle between these planes divide the classes; the better one, by the
    criterion, gives the direction of the one Householder reflection of the node. All thresholds of
    all reflected columns compete with the plain axis-parallel test, as in HHCART.

Where we had no source
    *More than two classes*: the heaviest against all others. *A singular matrix* has 1e-8 of its
    mean diagonal added to it. *Columns constant at the node* take no part.

Where we differ
    *Scale*: columns are standardised for the planes, which otherwise depend on their units.
    *Categories* take part as indicator columns.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import numpy.typing as npt
from scipy.linalg import eigh

from aslant import _core
from aslant.search.axis_parallel import AxisParallel
from aslant.search.base import HyperplaneSplit, Split, SplitSearch
from aslant.utils.checks import check_number
from aslant.utils.parameters import parameters

Vector = npt.NDArray[np.float64]


@parameters
class HHCARTG(SplitSearch):
    """Thresholds on rows reflected along an angle bisector.

    Parameters
    ----------
    min_impurity : float, default=0.2
        A node whose Gini impurity is no greater is a leaf; 0.2 in the authors' own program.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from aslant import ObliqueDecisionTreeClassifier
    >>> from aslant.search import HHCARTG
    >>> X, y = load_iris(return_X_y=True)
    >>> ObliqueDecisionTreeClassifier(HHCARTG()).fit(X, y).get_n_leaves()
    3
    """

    default_criterion: ClassVar[str] = "gini"

    min_impurity: float = 0.2

    def core(self) -> _core.Search:
        """Return the search as the growth loop calls it."""
        check_number("min_impurity", self.min_impurity, 0.0, 1.0)
        return super().core()

    def find(self, node: _core.Node, rng: np.random.Generator) -> Split | None:
        """Return the best threshold in the reflected space, or the axis-parallel one."""
        shares = node.class_weight / node.class_weight.sum()
        if 1.0 - float(shares @ shares) <= self.min_impurity:
            return None
        best = AxisParallel().find(node, rng)
        columns = np.flatnonzero(np.ptp(node.X, axis=0) > 0.0)
        normal = _best_bisector(node, columns) if len(columns) > 1 else None
        if normal is None:
            return best
        reflected = node.best_along(_reflected_axes(normal, columns, node.X.shape[1]))
        if reflected is None or best is None:
            return reflected or best
        return reflected if node.score(reflected) > node.score(best) else best


def _best_bisector(node: _core.Node, columns: npt.NDArray[np.intp]) -> Vector | None:
    """Return the normal, over the columns, of the better bisector of the two clustering planes."""
    heaviest = node.y == int(np.argmax(node.class_weight))
    X = node.X[:, columns]
    mean = np.average(X, 0, node.weight)
    unit = np.sqrt(np.average((X - mean) ** 2, 0, node.weight))
    Z = np.column_stack([(X - mean) / unit, np.ones(len(X))])
    first, second = (_mean_squares(Z[rows], node.weight[rows]) for rows in (heaviest, ~heaviest))
    vectors = eigh(first, second)[1]
    planes = [_unit_normal(vectors[:, k]) for k in (0, -1)]
    if planes[0] is None or planes[1] is None:
        return None
    scored = []
    for bisector in (planes[0] + planes[1], planes[0] - planes[1]):
        normal = bisector[:-1] / unit
        if not np.any(normal):
            continue
        coef = np.zeros(node.X.shape[1])
        coef[columns] = normal
        split = HyperplaneSplit(coef, float(normal @ mean - bisector[-1]))
        scored.append((node.score(split), normal))
    return max(scored, key=lambda pair: pair[0])[1] if scored else None


def _mean_squares(Z: Vector, weight: Vector) -> Vector:
    """Return the weighted mean of z z', made definite."""
    matrix = (Z * weight[:, None]).T @ Z / weight.sum()
    return np.asarray(matrix + 1e-8 * np.trace(matrix) / len(matrix) * np.eye(len(matrix)))


def _unit_normal(plane: Vector) -> Vector | None:
    """Return the plane with a normal of length one, its greatest component positive."""
    length = float(np.linalg.norm(plane[:-1]))
    if not length > 0.0:
        return None
    greatest = plane[int(np.argmax(np.abs(plane[:-1])))]
    return np.asarray(plane / (length * np.sign(greatest)))


def _reflected_axes(normal: Vector, columns: npt.NDArray[np.intp], n_columns: int) -> Vector:
    """Return, as rows, the axes of the space in which the normal is the first axis."""
    d = normal / np.linalg.norm(normal)
    u = -d
    u[0] += 1.0
    length = float(np.linalg.norm(u))
    H = np.eye(len(d)) if length < 1e-12 else np.eye(len(d)) - 2.0 * np.outer(u, u) / length**2
    axes = np.zeros((len(d), n_columns))
    axes[:, columns] = H
    return axes
