"""What HHCART's text shows without a table: figures 1 and 2, and what a node costs.

The figures have two long classes in the plane. In figure 1 the line between them runs along the
longer axis of class 1, in figure 2 across it, at its end; the paper does not give the points: ours
are drawn, the second class of figure 2 lying across the first.

The appendix counts the work of a node with n rows, p features and C classes: HHCART(A) searches C p
spaces of p columns, HHCART(D) C of them. Here the columns are counted as they are searched, at a
root whose classes lie in all directions.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from aslant.estimators.published.presets import CARTClassifier, HHCARTClassifier

Rows = tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]


def figure_rows(number: int, seed: int = 0, n_rows: int = 200) -> Rows:
    """Return rows like those of figure 1 or 2, an eighth of a turn and a bit off the axes."""
    rng = np.random.default_rng(seed)
    y = np.repeat([0, 1], n_rows // 2)
    length, width = rng.uniform(-4.0, 4.0, len(y)), rng.uniform(-0.5, 0.5, len(y))
    along, across = length, width + np.where(y == 1, 1.2, 0.0)
    if number == 2:
        along, across = np.where(y == 1, width + 5.0, length), np.where(y == 1, length, width)
    angle = 0.25 * np.pi + 0.1
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    return np.column_stack([along, across]) @ turn, y


@dataclass(frozen=True)
class FigureTrees:
    """Accuracy of one split of HHCART(D), of one axis-parallel split, and CART's leaves."""

    reflected: float
    axis_parallel: float
    cart_leaves: int


def figure_trees(number: int, seed: int = 0) -> FigureTrees:
    """Return what one split does in figure 1 or 2."""
    X, y = figure_rows(number, seed)
    reflected = HHCARTClassifier.as_published(variant="dominant", max_depth=1, pruning=None)
    reflected.fit(X, y)
    parallel = CARTClassifier(criterion="twoing", max_depth=1, pruning=None).fit(X, y)
    whole = CARTClassifier(criterion="twoing", pruning=None).fit(X, y)
    return FigureTrees(reflected.score(X, y), parallel.score(X, y), whole.get_n_leaves())


def columns_searched(variant: str, n_features: int, n_classes: int, seed: int = 0) -> int:
    """Return how many reflected columns HHCART searches at a root."""
    rng = np.random.default_rng(seed)
    y = np.repeat(np.arange(n_classes), 3 * n_features)
    X = rng.normal(size=(len(y), n_features))
    for k in range(n_classes):
        X[y == k] = X[y == k] @ rng.normal(size=(n_features, n_features)) + k
    tree = HHCARTClassifier.as_published(variant=variant, max_depth=1, pruning=None).fit(X, y)
    return int(tree.n_hyperplanes_)
