"""Gradient boosting: sums of trees with oblique splits, each fitted to what the others leave."""

from aslant.estimators.boosting.classifier import ObliqueGradientBoostingClassifier
from aslant.estimators.boosting.regressor import ObliqueGradientBoostingRegressor

__all__ = ["ObliqueGradientBoostingClassifier", "ObliqueGradientBoostingRegressor"]
