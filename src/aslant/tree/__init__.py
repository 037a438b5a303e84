"""Fitted trees as flat arrays: tests, values, prediction; no scikit-learn in here."""

from aslant.tree.logit_tree import LogitTree
from aslant.tree.regression_tree import RegressionTree
from aslant.tree.split import HyperplaneSplit, LinearMachineSplit, Split
from aslant.tree.tree import Tree

__all__ = ["HyperplaneSplit", "LinearMachineSplit", "LogitTree", "RegressionTree", "Split", "Tree"]
