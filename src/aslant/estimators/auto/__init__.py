"""The tree to try first: grown, fitted as a whole and chosen without any parameter to set."""

from aslant.estimators.auto.estimator import AutoTreeClassifier
from aslant.estimators.auto.regressor import AutoTreeRegressor

__all__ = ["AutoTreeClassifier", "AutoTreeRegressor"]
