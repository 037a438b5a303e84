"""The sections of the API reference: public names, grouped by what they are for.

``tests/project/test_reference.py`` checks that every public name has its place.
"""

from __future__ import annotations

from typing import NamedTuple


class Section(NamedTuple):
    """A section: its heading, one sentence about it, and names by module."""

    heading: str
    text: str
    names: dict[str, str]


MODULES = (
    "aslant",
    "aslant.published",
    "aslant.search",
    "aslant.prune",
    "aslant.refine",
    "aslant.comparison",
    "aslant.dask",
    "aslant.datasets",
)
"""The public modules; a name that ``aslant`` has too is listed under ``aslant`` only."""

SECTIONS = (
    Section(
        "The tree to try first",
        "One small tree, fitted jointly and selected by cross-validation. There is nothing to set.",
        {"aslant": "AutoTreeClassifier AutoTreeRegressor"},
    ),
    Section(
        "Classical systems",
        "The systems of the literature, one class each. ``as_published()`` has the settings of the "
        "paper; the defaults differ where that was measured to be better. They can also be "
        "imported from ``aslant.published``.",
        {
            "aslant": "CARTClassifier C45Classifier OC1Classifier CARTLCClassifier SADTClassifier "
            "FisherTreeClassifier QUESTClassifier HHCARTClassifier PolePairClassifier "
            "LTUTreeClassifier LMDTClassifier MMLTreeClassifier KDTClassifier "
            "CARTRegressor OC1Regressor CARTLCRegressor HHCARTRegressor LeastSquaresTreeRegressor"
        },
    ),
    Section(
        "Forests",
        "Many trees with single features and linear combinations, drawn again at every node.",
        {
            "aslant": "ObliqueRandomForestClassifier ObliqueRandomForestRegressor "
            "ObliqueExtraTreesClassifier ObliqueExtraTreesRegressor"
        },
    ),
    Section(
        "Boosting",
        "Gradient boosting with the parameters of scikit-learn's HistGradientBoosting.",
        {"aslant": "ObliqueGradientBoostingClassifier ObliqueGradientBoostingRegressor"},
    ),
    Section(
        "Show a model",
        "As text, as a figure, as a page.",
        {
            "aslant": "export_text export_graphviz plot_tree plot_test plot_boundary plot_path "
            "plot_importances report view"
        },
    ),
    Section(
        "Explain a prediction",
        "Why a row gets its class, and what would change it.",
        {"aslant": "explain counterfactual shapley_values"},
    ),
    Section(
        "Deploy a model",
        "As code in another language, as a document for another runtime, as a file.",
        {"aslant": "export_code export_onnx export_pmml export_treelite save load ModelFileError"},
    ),
    Section(
        "Compare models",
        "Every method on the same folds of your data, and what constraints cost.",
        {
            "aslant": "compare constraint_costs",
            "aslant.comparison": "learning_curves plot_accuracy_and_leaves ComparisonTable "
            "LearningCurves ConstraintCosts FTest",
        },
    ),
    Section(
        "Data",
        "What deserves a look in a table, artificial data of the papers, and a reader of files.",
        {
            "aslant": "data_summary DataWarning",
            "aslant.datasets": "read_csv make_pol make_rcb make_ls10 make_led make_waveform "
            "DatasetError",
        },
    ),
    Section(
        "Tables larger than memory",
        "Trees and forests from the partitions of a Dask collection.",
        {"aslant.dask": "DaskTree DaskForest"},
    ),
    Section(
        "Trees from parts",
        "Any search with any pruning: the estimators behind the classical systems.",
        {"aslant": "ObliqueDecisionTreeClassifier ObliqueDecisionTreeRegressor"},
    ),
    Section(
        "Searches for a split",
        "What ``search=`` takes: the split of one node.",
        {
            "aslant.search": "AxisParallel C45 OC1 CARTLC SADT Fisher FisherClimb QUEST HHCART "
            "HHCARTG PolePair Cline ThresholdUnit LinearMachine MML LeastSquares ForestSplit "
            "RandomProjection"
        },
    ),
    Section(
        "Searches around other searches",
        "Change the features that a search sees, combine several, or turn a regression target into "
        "classes.",
        {
            "aslant.search": "SequentialSelection CrimCoords Standardize BestOf AverageGain "
            "ResidualSigns"
        },
    ),
    Section(
        "Learners of threshold units",
        "What ``learner=`` of threshold units and linear machines takes.",
        {"aslant.search": "RLS Pocket Thermal Learner"},
    ),
    Section(
        "Write a search",
        "Base class and results of a search of your own.",
        {"aslant.search": "SplitSearch HyperplaneSplit LinearMachineSplit"},
    ),
    Section(
        "Pruners",
        "What ``pruning=`` takes.",
        {
            "aslant.prune": "CostComplexity ReducedError ErrorBased Pessimistic "
            "MultivariateTreePruning MessageLengthPruning Pruner"
        },
    ),
    Section(
        "The joint fit",
        "What ``refine=`` takes: all tests of a grown tree fitted together.",
        {"aslant.refine": "JointFit SoftGates"},
    ),
)


def listed() -> list[tuple[str, str]]:
    """Return the module and the name of everything that the reference lists."""
    return [
        (module, name)
        for section in SECTIONS
        for module, names in section.names.items()
        for name in names.split()
    ]
