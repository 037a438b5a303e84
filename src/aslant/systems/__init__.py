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

__all__ = [
    "C45Classifier",
    "CARTClassifier",
    "CARTLCClassifier",
    "FisherTreeClassifier",
    "HHCARTClassifier",
    "KDTClassifier",
    "LMDTClassifier",
    "LTUTreeClassifier",
    "MMLTreeClassifier",
    "OC1Classifier",
    "PolePairClassifier",
    "QUESTClassifier",
    "SADTClassifier",
]
