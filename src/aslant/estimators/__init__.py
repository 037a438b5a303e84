"""The scikit-learn boundary: validate, encode, weigh, grow, prune, predict.

`TreeGrower` holds what trees and forests share, `BaseTree` what estimators of one tree and of
several add, `SingleTree` those of one; `TreeClassifier` predicts classes (those of numbers:
`aslant.regression`); `ObliqueDecisionTreeClassifier` is the generic tree with any search, any
criterion and any pruning. The published systems are in `aslant.systems`.
"""

from aslant.estimators.base import BaseTree, Target
from aslant.estimators.classifier import BaseTreeClassifier, TreeClassifier
from aslant.estimators.generic import ObliqueDecisionTreeClassifier
from aslant.estimators.single_tree import SingleTree

__all__ = [
    "BaseTree",
    "BaseTreeClassifier",
    "ObliqueDecisionTreeClassifier",
    "SingleTree",
    "Target",
    "TreeClassifier",
]
