"""aslant: oblique decision trees.

Trees whose nodes test a linear combination of features, ``0.8*age - 1.2*bmi <= 3.1``: every
classical system, faithful to its paper, as scikit-learn estimators.
"""

from typing import TYPE_CHECKING, Any

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
from aslant.regression import ObliqueDecisionTreeRegressor
from aslant.systems import (
    C45Classifier,
    CARTClassifier,
    CARTLCClassifier,
    CARTLCRegressor,
    CARTRegressor,
    FisherTreeClassifier,
    HHCARTClassifier,
    HHCARTRegressor,
    KDTClassifier,
    LeastSquaresTreeRegressor,
    LMDTClassifier,
    LTUTreeClassifier,
    MMLTreeClassifier,
    OC1Classifier,
    OC1Regressor,
    PolePairClassifier,
    QUESTClassifier,
    SADTClassifier,
)

if TYPE_CHECKING:
    from aslant.comparison import compare

__version__ = "0.1.0"

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
    "ModelFileError",
    "OC1Classifier",
    "OC1Regressor",
    "ObliqueDecisionTreeClassifier",
    "ObliqueDecisionTreeRegressor",
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


def __getattr__(name: str) -> Any:
    """Import what only few programs need when it is first used."""
    if name == "compare":
        from aslant.comparison import compare

        return compare
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
