# The public names; each is imported when it is first used (see __init__.py).

from .codegen import (
    export_code as export_code,
)
from .codegen import (
    export_onnx as export_onnx,
)
from .codegen import (
    export_pmml as export_pmml,
)
from .codegen import (
    export_treelite as export_treelite,
)
from .comparison import (
    compare as compare,
)
from .comparison import (
    constraint_costs as constraint_costs,
)
from .encoding import (
    DataWarning as DataWarning,
)
from .encoding import (
    data_summary as data_summary,
)
from .estimators import (
    ObliqueDecisionTreeClassifier as ObliqueDecisionTreeClassifier,
)
from .estimators import (
    ObliqueDecisionTreeRegressor as ObliqueDecisionTreeRegressor,
)
from .estimators.auto import (
    AutoTreeClassifier as AutoTreeClassifier,
)
from .estimators.auto import (
    AutoTreeRegressor as AutoTreeRegressor,
)
from .estimators.boosting import (
    ObliqueGradientBoostingClassifier as ObliqueGradientBoostingClassifier,
)
from .estimators.boosting import (
    ObliqueGradientBoostingRegressor as ObliqueGradientBoostingRegressor,
)
from .estimators.forest import (
    ObliqueExtraTreesClassifier as ObliqueExtraTreesClassifier,
)
from .estimators.forest import (
    ObliqueExtraTreesRegressor as ObliqueExtraTreesRegressor,
)
from .estimators.forest import (
    ObliqueRandomForestClassifier as ObliqueRandomForestClassifier,
)
from .estimators.forest import (
    ObliqueRandomForestRegressor as ObliqueRandomForestRegressor,
)
from .estimators.published import (
    C45Classifier as C45Classifier,
)
from .estimators.published import (
    CARTClassifier as CARTClassifier,
)
from .estimators.published import (
    CARTLCClassifier as CARTLCClassifier,
)
from .estimators.published import (
    CARTLCRegressor as CARTLCRegressor,
)
from .estimators.published import (
    CARTRegressor as CARTRegressor,
)
from .estimators.published import (
    FisherTreeClassifier as FisherTreeClassifier,
)
from .estimators.published import (
    HHCARTClassifier as HHCARTClassifier,
)
from .estimators.published import (
    HHCARTRegressor as HHCARTRegressor,
)
from .estimators.published import (
    KDTClassifier as KDTClassifier,
)
from .estimators.published import (
    LeastSquaresTreeRegressor as LeastSquaresTreeRegressor,
)
from .estimators.published import (
    LMDTClassifier as LMDTClassifier,
)
from .estimators.published import (
    LTUTreeClassifier as LTUTreeClassifier,
)
from .estimators.published import (
    MMLTreeClassifier as MMLTreeClassifier,
)
from .estimators.published import (
    OC1Classifier as OC1Classifier,
)
from .estimators.published import (
    OC1Regressor as OC1Regressor,
)
from .estimators.published import (
    PolePairClassifier as PolePairClassifier,
)
from .estimators.published import (
    QUESTClassifier as QUESTClassifier,
)
from .estimators.published import (
    SADTClassifier as SADTClassifier,
)
from .inspection import (
    explain as explain,
)
from .inspection import (
    export_graphviz as export_graphviz,
)
from .inspection import (
    export_text as export_text,
)
from .inspection import (
    plot_boundary as plot_boundary,
)
from .inspection import (
    plot_importances as plot_importances,
)
from .inspection import (
    plot_path as plot_path,
)
from .inspection import (
    plot_test as plot_test,
)
from .inspection import (
    plot_tree as plot_tree,
)
from .inspection import (
    shapley_values as shapley_values,
)
from .inspection.counterfactual import (
    counterfactual as counterfactual,
)
from .inspection.report_page import (
    report as report,
)
from .inspection.report_page import (
    view as view,
)
from .model_file import (
    ModelFileError as ModelFileError,
)
from .model_file import (
    load as load,
)
from .model_file import (
    save as save,
)

__version__: str
__all__: list[str]
