"""Axis-parallel tests, the ordinary decision tree.

L. Breiman, J. Friedman, R. Olshen and C. Stone, *Classification and Regression Trees*, 1984.

Idea
    Every threshold of every feature is tried; the best score wins; on ties the first number, then
    the first category.

Categories
    A test is ``x in A``. For two classes levels are ordered by the share of one class and the runs
    of that order are tried; the best of all subsets is among them for every criterion but
    max minority and the gain ratio, which are not convex. For more classes the subsets of one
    level and the runs of the levels ordered by their first CRIMCOORD (Loh and Shih 1997) are tried.
    For a target of one number, levels are ordered by its mean, and the best subset is a run again.
"""

from __future__ import annotations

from aslant import _core
from aslant.search.base import SplitSearch


class AxisParallel(SplitSearch):
    """Best test of one feature: ``x <= t`` for a number, ``x in A`` for a category."""

    handles_regression = True

    def core(self) -> _core.Search:
        """Return the compiled search."""
        return _core.search("AxisParallel")
