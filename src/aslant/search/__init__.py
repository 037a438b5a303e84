"""Searches: one method, one file.

Adding one takes a file and a line in `aslant.search.registry`; the contract tests then run on it.
"""

from aslant.search.average_gain import AverageGain
from aslant.search.axis_parallel import AxisParallel
from aslant.search.base import (
    HyperplaneSplit,
    LinearMachineSplit,
    Split,
    SplitSearch,
)
from aslant.search.best_of import BestOf
from aslant.search.c45 import C45
from aslant.search.cart_lc import CARTLC
from aslant.search.cline import Cline
from aslant.search.crim_coords import CrimCoords
from aslant.search.fisher import Fisher
from aslant.search.fisher_climb import FisherClimb
from aslant.search.forest import ForestSplit, RandomProjection
from aslant.search.hhcart import HHCART
from aslant.search.hhcart_g import HHCARTG
from aslant.search.learners import RLS, Learner, Pocket, Thermal
from aslant.search.least_squares import LeastSquares
from aslant.search.linear_machine import LinearMachine, ThresholdUnit
from aslant.search.mml import MML
from aslant.search.oc1 import OC1
from aslant.search.pole_pair import PolePair
from aslant.search.quest import QUEST
from aslant.search.residual_signs import ResidualSigns
from aslant.search.sadt import SADT
from aslant.search.sequential_selection import SequentialSelection
from aslant.search.standardize import Standardize

__all__ = [
    "C45",
    "CARTLC",
    "HHCART",
    "HHCARTG",
    "MML",
    "OC1",
    "QUEST",
    "RLS",
    "SADT",
    "AverageGain",
    "AxisParallel",
    "BestOf",
    "Cline",
    "CrimCoords",
    "Fisher",
    "FisherClimb",
    "ForestSplit",
    "HyperplaneSplit",
    "Learner",
    "LeastSquares",
    "LinearMachine",
    "LinearMachineSplit",
    "Pocket",
    "PolePair",
    "RandomProjection",
    "ResidualSigns",
    "SequentialSelection",
    "Split",
    "SplitSearch",
    "Standardize",
    "Thermal",
    "ThresholdUnit",
]
