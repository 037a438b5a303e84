"""The published systems: one class each, holding its paper's defaults."""

from aslant.estimators.published.kdt import KDTClassifier
from aslant.estimators.published.mml import MMLTreeClassifier
from aslant.estimators.published.multivariate import LMDTClassifier, LTUTreeClassifier
from aslant.estimators.published.presets import (
    C45Classifier,
    CARTClassifier,
    CARTLCClassifier,
    FisherTreeClassifier,
    HHCARTClassifier,
    OC1Classifier,
    PolePairClassifier,
    QUESTClassifier,
    SADTClassifier,
)
from aslant.estimators.published.regressors import (
    CARTLCRegressor,
    CARTRegressor,
    HHCARTRegressor,
    LeastSquaresTreeRegressor,
    OC1Regressor,
)

__all__ = [
    "C45Classifier",
    "CARTClassifier",
    "CARTLCClassifier",
    "CARTLCRegressor",
    "CARTRegressor",
    "FisherTreeClassifier",
    "HHCARTClassifier",
    "HHCARTRegressor",
    "KDTClassifier",
    "LMDTClassifier",
    "LTUTreeClassifier",
    "LeastSquaresTreeRegressor",
    "MMLTreeClassifier",
    "OC1Classifier",
    "OC1Regressor",
    "PolePairClassifier",
    "QUESTClassifier",
    "SADTClassifier",
]
