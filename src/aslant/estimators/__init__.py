"""The scikit-learn boundary: validate, encode, weigh; call `aslant.growth`; predict and save.

`BaseTree` is the base of all. `SingleTree` has one tree, `TreeEnsemble` several. `TreeEstimator`
adds the parameters of growth and pruning. `TreeClassifier` and `TreeRegressor` are single trees
that are grown with one search; the generic trees take any. The systems of papers are in
`published/`, forests in `forest/`, the automatic choice in `auto/`.
"""

from aslant.estimators.base import BaseTree
from aslant.estimators.classifier import (
    BaseTreeClassifier,
    ObliqueDecisionTreeClassifier,
    TreeClassifier,
)
from aslant.estimators.regressor import (
    BaseTreeRegressor,
    ObliqueDecisionTreeRegressor,
    TreeRegressor,
)
from aslant.estimators.single_tree import SingleTree
from aslant.estimators.tree_estimator import TreeEstimator

__all__ = [
    "BaseTree",
    "BaseTreeClassifier",
    "BaseTreeRegressor",
    "ObliqueDecisionTreeClassifier",
    "ObliqueDecisionTreeRegressor",
    "SingleTree",
    "TreeClassifier",
    "TreeEstimator",
    "TreeRegressor",
]
