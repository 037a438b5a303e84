"""The published systems: one class each, holding its paper's defaults."""

from aslant.systems.kdt import KDTClassifier
from aslant.systems.mml import MMLTreeClassifier
from aslant.systems.multivariate import LMDTClassifier, LTUTreeClassifier
from aslant.systems.presets import (
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
from aslant.systems.regressors import (
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
