"""Views of a fitted model: text, Graphviz, pictures, explanations, and the report page."""

from aslant.inspection.decision_path import explain
from aslant.inspection.graphviz import export_graphviz
from aslant.inspection.plots.boundary import plot_boundary
from aslant.inspection.plots.importances import plot_importances
from aslant.inspection.plots.node_test import plot_test
from aslant.inspection.plots.path import plot_path
from aslant.inspection.plots.tree_plot import plot_tree
from aslant.inspection.shapley import shapley_values
from aslant.inspection.text import export_text

__all__ = [
    "explain",
    "export_graphviz",
    "export_text",
    "plot_boundary",
    "plot_importances",
    "plot_path",
    "plot_test",
    "plot_tree",
    "shapley_values",
]
