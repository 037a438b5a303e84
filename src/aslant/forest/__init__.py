"""Forests: many trees of randomised searches on bootstrapped rows."""

from aslant.forest.classifier import ObliqueExtraTreesClassifier, ObliqueRandomForestClassifier
from aslant.forest.regressor import ObliqueExtraTreesRegressor, ObliqueRandomForestRegressor

__all__ = [
    "ObliqueExtraTreesClassifier",
    "ObliqueExtraTreesRegressor",
    "ObliqueRandomForestClassifier",
    "ObliqueRandomForestRegressor",
]
