"""aslant: oblique decision trees.

Trees whose nodes test a linear combination of features, ``0.8*age - 1.2*bmi <= 3.1``: every
classical system, faithful to its paper, as scikit-learn estimators.
"""

from aslant.comparison import compare
from aslant.ensemble import KDTClassifier, MMLTreeClassifier
from aslant.estimators import ObliqueDecisionTreeClassifier
from aslant.export import (
    ModelFileError,
    export_graphviz,
    export_text,
    load,
    plot_boundary,
    plot_tree,
    save,
)
from aslant.forest import ObliqueExtraTreesClassifier, ObliqueRandomForestClassifier
from aslant.multivariate import LMDTClassifier, LTUTreeClassifier
from aslant.presets import (
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

__version__ = "0.1.0"

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
    "ModelFileError",
    "OC1Classifier",
    "ObliqueDecisionTreeClassifier",
    "ObliqueExtraTreesClassifier",
    "ObliqueRandomForestClassifier",
    "PolePairClassifier",
    "QUESTClassifier",
    "SADTClassifier",
    "compare",
    "export_graphviz",
    "export_text",
    "load",
    "plot_boundary",
    "plot_tree",
    "save",
]
