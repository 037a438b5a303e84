"""Seeing and keeping a tree: text, Graphviz, pictures, and a plain file."""

from aslant.export.boundary import plot_boundary
from aslant.export.graphviz import export_graphviz
from aslant.export.model_file import ModelFileError, load, save
from aslant.export.node_picture import plot_test
from aslant.export.page import readable_depth
from aslant.export.plot import plot_tree
from aslant.export.text import export_text

__all__ = [
    "ModelFileError",
    "export_graphviz",
    "export_text",
    "load",
    "plot_boundary",
    "plot_test",
    "plot_tree",
    "readable_depth",
    "save",
]
