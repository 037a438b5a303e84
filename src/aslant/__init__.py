"""aslant: oblique decision trees.

Trees whose nodes test a linear combination of features, ``0.8*age - 1.2*bmi <= 3.1``: every
classical system, faithful to its paper, as scikit-learn estimators.
"""

from typing import TYPE_CHECKING, Any

from aslant.auto import AutoTreeClassifier, AutoTreeRegressor
from aslant.estimators import ObliqueDecisionTreeClassifier
from aslant.explanation import explain, plot_importances, plot_path, shapley_values
from aslant.export import (
    ModelFileError,
    export_graphviz,
    export_text,
    load,
    plot_boundary,
    plot_test,
    plot_tree,
    readable_depth,
    save,
)
from aslant.forest import (
    ObliqueExtraTreesClassifier,
    ObliqueExtraTreesRegressor,
    ObliqueRandomForestClassifier,
    ObliqueRandomForestRegressor,
)
from aslant.regression import ObliqueDecisionTreeRegressor
from aslant.ship import export_code, export_onnx, register_onnx
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
    from aslant.reporting import report, view

__version__ = "0.1.0"

__all__ = [
    "AutoTreeClassifier",
    "AutoTreeRegressor",
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
    "ObliqueExtraTreesClassifier",
    "ObliqueExtraTreesRegressor",
    "ObliqueRandomForestClassifier",
    "ObliqueRandomForestRegressor",
    "PolePairClassifier",
    "QUESTClassifier",
    "SADTClassifier",
    "compare",
    "explain",
    "export_code",
    "export_graphviz",
    "export_onnx",
    "export_text",
    "load",
    "plot_boundary",
    "plot_importances",
    "plot_path",
    "plot_test",
    "plot_tree",
    "readable_depth",
    "register_onnx",
    "report",
    "save",
    "shapley_values",
    "view",
]


def __getattr__(name: str) -> Any:
    """Import what only few programs need when it is first used."""
    if name == "compare":
        from aslant.comparison import compare

        return compare
    if name in ("report", "view"):
        from aslant import reporting

        return getattr(reporting, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
