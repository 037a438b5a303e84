"""The tree to try first: grown, fitted as a whole and chosen without any parameter to set."""

from aslant.auto.estimator import AutoTreeClassifier

__all__ = ["AutoTreeClassifier"]
