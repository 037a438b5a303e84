"""Several trees: votes, averages, and the choice of one."""

from aslant.ensemble.kdt import KDTClassifier
from aslant.ensemble.mml import MMLTreeClassifier

__all__ = ["KDTClassifier", "MMLTreeClassifier"]
