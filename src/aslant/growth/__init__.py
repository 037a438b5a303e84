"""Growing: functions of a sample, settings and a seed. No estimator in here.

`grow_tree` grows one tree, `build_tree` also holds rows out, prunes and refines, `grow_forest`
grows many. Single trees, the automatic choice, forests, the published systems, Dask and the pruners
call these.
"""

from aslant.growth.build import build_tree, exponent_of, with_impurities
from aslant.growth.constraints import Constraints
from aslant.growth.forest import grow_forest
from aslant.growth.grow import Growth, grow_tree
from aslant.growth.importances import importances, mean_importances
from aslant.growth.settings import StoppingRules, TreeSettings

__all__ = [
    "Constraints",
    "Growth",
    "StoppingRules",
    "TreeSettings",
    "build_tree",
    "exponent_of",
    "grow_forest",
    "grow_tree",
    "importances",
    "mean_importances",
    "with_impurities",
]
