"""Scikit-learn's parameters that stop growth."""

from __future__ import annotations

from aslant.estimators.base import BaseTree
from aslant.growth import StoppingRules
from aslant.utils.parameters import parameters


@parameters
class StoppingParameters(BaseTree):
    """Scikit-learn's parameters that stop growth; not to be used itself.

    Parameters
    ----------
    max_depth : int or None, default=None
        Greatest depth of a leaf.
    min_samples_split : int or float, default=2
        Rows a node needs to be split; a float is a fraction of all rows.
    min_samples_leaf : int or float, default=1
        Rows every child must hold; a float is a fraction of all rows.
    min_weight_fraction_leaf : float, default=0.0
        Fraction of the total weight every child must hold.
    min_impurity_decrease : float, default=0.0
        Least score of a split, weighted by the fraction of the rows at the node.
    max_leaf_nodes : int or None, default=None
        Grow best-first, up to this many leaves.
    """

    max_depth: int | None = None
    min_samples_split: float = 2
    min_samples_leaf: float = 1
    min_weight_fraction_leaf: float = 0.0
    min_impurity_decrease: float = 0.0
    max_leaf_nodes: int | None = None

    def _stopping_rules(self) -> StoppingRules:
        return StoppingRules(
            max_depth=self.max_depth,
            min_samples_split=self.min_samples_split,
            min_samples_leaf=self.min_samples_leaf,
            min_weight_fraction_leaf=self.min_weight_fraction_leaf,
            min_impurity_decrease=self.min_impurity_decrease,
            max_leaf_nodes=self.max_leaf_nodes,
        )
