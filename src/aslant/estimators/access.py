"""What other parts of aslant may ask of an estimator: nobody else calls its protected methods."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from aslant.encoding import Options
from aslant.encoding.sample import Matrix
from aslant.estimators.base import BaseTree
from aslant.estimators.boosting import ObliqueGradientBoostingRegressor
from aslant.estimators.classifier import SingleTreeClassifier
from aslant.estimators.forest.base import BaseForest
from aslant.estimators.single_tree import SingleTree
from aslant.estimators.tree_estimator import TreeEstimator
from aslant.growth import TreeSettings
from aslant.growth.forest import tree_seeds
from aslant.tree.tree import Tree

# ---------------------------------------------------------------------- growth elsewhere


def settings_of(estimator: TreeEstimator | BaseForest) -> TreeSettings:
    """Return how an estimator grows its trees."""
    settings = estimator._tree_settings()
    settings.check()
    return settings


def encoding_options(estimator: BaseTree) -> Options:
    """Return how an estimator encodes columns."""
    return estimator._encoding_options()


def draw_seed(estimator: BaseTree) -> int:
    """Return the next seed of an estimator."""
    return estimator._draw_seed()


def rows_to_draw(forest: BaseForest, n_rows: int) -> int:
    """Return the rows that each tree of a forest draws."""
    return forest._rows_to_draw(n_rows)


def check_forest_parameters(forest: BaseForest) -> None:
    """Validate the parameters of a forest."""
    forest._check_parameters()


def set_tree(estimator: SingleTree, tree: Tree, n_hyperplanes: int) -> None:
    """Make a tree that was grown elsewhere the estimator's own."""
    estimator._set_tree(tree, n_hyperplanes)


def set_trees(
    forest: BaseForest,
    trees: list[Tree],
    n_hyperplanes: int,
    seed: int,
    n_drawn: int,
    exponent: int,
) -> None:
    """Make trees that were grown elsewhere the forest's own."""
    forest._seed, forest._seeds = seed, tree_seeds(seed, len(trees))
    forest._n_samples_bootstrap, forest._weighted_rows = n_drawn, None
    forest._set_trees(trees)
    forest.n_hyperplanes_ = n_hyperplanes
    forest._set_target_exponent(exponent)


# ---------------------------------------------------------------------- fitted models


def encoded_rows(model: BaseTree, X: Any, *, dense: bool = True) -> Matrix:
    """Return rows as the trees of a model read them."""
    return model._encoded(X, dense=dense)


def state_of(model: BaseTree) -> dict[str, Any]:
    """Return everything that fitting learned, as plain values and arrays."""
    return model._to_state()


def restore(model: BaseTree, state: dict[str, Any]) -> None:
    """Make an estimator fitted from what `state_of` returned."""
    model._from_state(state)


def check_before_predicting(model: BaseTree) -> None:
    """Validate the parameters that predictions depend on."""
    model._check_before_predicting()


def node_probabilities_of(model: SingleTreeClassifier) -> npt.NDArray[np.float64]:
    """Return the class probabilities of every node of a tree."""
    return model._node_probabilities()


def has_log_link(model: ObliqueGradientBoostingRegressor) -> bool:
    """Whether predictions are exponentials of the sums of the trees."""
    return model._has_log_link()
