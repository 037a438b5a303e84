"""Forests: many trees of randomised searches on bootstrapped rows."""

from aslant.estimators.forest.classifier import (
    ObliqueExtraTreesClassifier,
    ObliqueRandomForestClassifier,
)
from aslant.estimators.forest.regressor import (
    ObliqueExtraTreesRegressor,
    ObliqueRandomForestRegressor,
)

__all__ = [
    "ObliqueExtraTreesClassifier",
    "ObliqueExtraTreesRegressor",
    "ObliqueRandomForestClassifier",
    "ObliqueRandomForestRegressor",
]
