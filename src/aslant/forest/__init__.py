"""Forests: many trees of randomised searches on bootstrapped rows."""

from aslant.forest.classifier import ObliqueExtraTreesClassifier, ObliqueRandomForestClassifier

__all__ = ["ObliqueExtraTreesClassifier", "ObliqueRandomForestClassifier"]
