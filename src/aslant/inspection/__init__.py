"""Seeing a fitted model: text, Graphviz, pictures, explanations, and the report page."""

from aslant.inspection.explanation import explain, plot_importances, plot_path, shapley_values
from aslant.inspection.graphviz import export_graphviz
from aslant.inspection.plots.boundary import plot_boundary
from aslant.inspection.plots.node_picture import plot_test
from aslant.inspection.plots.plot import plot_tree
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
