"""The scikit-learn boundary: validate, encode, weigh, grow, prune, predict.

`TreeGrower` holds what trees and forests share, `BaseTree` what estimators of one tree and of
several add, `SingleTree` those of one; `TreeClassifier` and `TreeRegressor` predict. The generic
trees take any search, any criterion and any pruning. The published systems are in `published/`.
"""

from aslant.estimators.base import BaseTree, Target
from aslant.estimators.classifier import BaseTreeClassifier, TreeClassifier
from aslant.estimators.generic import ObliqueDecisionTreeClassifier
from aslant.estimators.regressor import ObliqueDecisionTreeRegressor, TreeRegressor
from aslant.estimators.single_tree import SingleTree

__all__ = [
    "BaseTree",
    "BaseTreeClassifier",
    "ObliqueDecisionTreeClassifier",
    "ObliqueDecisionTreeRegressor",
    "SingleTree",
    "Target",
    "TreeClassifier",
    "TreeRegressor",
]
