"""Why a model predicts what it does: paths with the part of every feature, and Shapley values."""

from aslant.explain.path import Explanation, PathStep, explain
from aslant.explain.pictures import plot_importances, plot_path
from aslant.explain.shapley import ShapleyValues, shapley_values

__all__ = [
    "Explanation",
    "PathStep",
    "ShapleyValues",
    "explain",
    "plot_importances",
    "plot_path",
    "shapley_values",
]
