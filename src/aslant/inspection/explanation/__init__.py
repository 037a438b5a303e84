"""Why a model predicts what it does: paths with the part of every feature, and Shapley values."""

from aslant.inspection.explanation.path import Explanation, PathStep, explain
from aslant.inspection.explanation.pictures import plot_importances, plot_path
from aslant.inspection.explanation.shapley import ShapleyValues, shapley_values

__all__ = [
    "Explanation",
    "PathStep",
    "ShapleyValues",
    "explain",
    "plot_importances",
    "plot_path",
    "shapley_values",
]
