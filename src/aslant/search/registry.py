"""Searches by the names that estimators take: adding one takes a file and a line here."""

from __future__ import annotations

from aslant.search.axis_parallel import AxisParallel
from aslant.search.base import SplitSearch
from aslant.search.c45 import C45
from aslant.search.cart_lc import CARTLC
from aslant.search.fisher import Fisher
from aslant.search.fisher_climb import FisherClimb
from aslant.search.forest import ForestSplit, RandomProjection
from aslant.search.hhcart import HHCART
from aslant.search.least_squares import LeastSquares
from aslant.search.linear_machine import LinearMachine, ThresholdUnit
from aslant.search.mml import MML
from aslant.search.oc1 import OC1
from aslant.search.pole_pair import PolePair
from aslant.search.quest import QUEST
from aslant.search.sadt import SADT

#: Searches by the name that `ObliqueDecisionTreeClassifier(search=...)` takes.
SEARCHES: dict[str, type[SplitSearch]] = {
    "axis_parallel": AxisParallel,
    "c45": C45,
    "oc1": OC1,
    "cart_lc": CARTLC,
    "sadt": SADT,
    "threshold_unit": ThresholdUnit,
    "linear_machine": LinearMachine,
    "fisher": Fisher,
    "fisher_climb": FisherClimb,
    "quest": QUEST,
    "hhcart": HHCART,
    "pole_pair": PolePair,
    "mml": MML,
}

#: Searches by the name that `ObliqueDecisionTreeRegressor(search=...)` takes.
REGRESSION_SEARCHES: dict[str, type[SplitSearch]] = {
    **{name: search for name, search in SEARCHES.items() if name != "mml"},
    "least_squares": LeastSquares,
}

#: Searches by the name that a forest takes: two that draw features themselves, and all the others.
FOREST_SEARCHES: dict[str, type[SplitSearch]] = {
    "forest": ForestSplit,
    "random_projection": RandomProjection,
    **SEARCHES,
}

#: Searches by the name that a forest of numbers takes.
FOREST_REGRESSION_SEARCHES: dict[str, type[SplitSearch]] = {
    "forest": ForestSplit,
    "random_projection": RandomProjection,
    **REGRESSION_SEARCHES,
}
