"""Several trees that vote."""

from aslant.ensemble.kdt import KDTClassifier

__all__ = ["KDTClassifier"]
