"""Searches: one method, one file.

Adding one takes a file and a line in `SEARCHES`; the contract tests then run on it.
"""

from aslant.search.axis_parallel import AxisParallel
from aslant.search.base import CRITERIA, HyperplaneSplit, LinearMachineSplit, Split, SplitSearch
from aslant.search.best_of import BestOf
from aslant.search.c45 import C45
from aslant.search.cart_lc import CARTLC
from aslant.search.mml import MML
from aslant.search.oc1 import OC1
from aslant.search.sadt import SADT
from aslant.search.standardize import Standardize

#: Searches by the name that `ObliqueDecisionTreeClassifier(search=...)` takes.
SEARCHES: dict[str, type[SplitSearch]] = {
    "axis_parallel": AxisParallel,
    "c45": C45,
    "oc1": OC1,
    "cart_lc": CARTLC,
    "sadt": SADT,
    "mml": MML,
}

__all__ = [
    "C45",
    "CARTLC",
    "CRITERIA",
    "MML",
    "OC1",
    "SADT",
    "SEARCHES",
    "AxisParallel",
    "BestOf",
    "HyperplaneSplit",
    "LinearMachineSplit",
    "Split",
    "SplitSearch",
    "Standardize",
]
