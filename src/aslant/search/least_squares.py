"""Least squares: the direction in which a linear function of the columns predicts the target.

C. E. Brodley and P. E. Utgoff, *Multivariate Decision Trees*, Machine Learning 19:45-77, 1995,
whose recursive least squares here has a number for a target.

Idea
    A ridge regression of the target on the node's columns, in standard units, gives a direction;
    the best threshold along it is the test. Around it, `aslant.search.SequentialSelection` chooses
    the columns.

Where the paper is silent
    *Several outputs*: each is regressed, and the direction is the first principal axis of the
    fitted values. *Accuracy*, by which selection stops, is the share of the squared deviation at
    the node that the two branches explain.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from aslant import _core
from aslant.search.base import REGRESSION_CRITERIA, SplitSearch, check_number, parameters


@parameters
class LeastSquares(SplitSearch):
    """Best threshold along the ridge regression of the target on the columns.

    For regression trees only.

    Parameters
    ----------
    ridge : float, default=1e-3
        Penalty on the squared coefficients, for columns of standard deviation 1, as a share of the
        rows' weight.
    """

    default_criterion: ClassVar[str] = REGRESSION_CRITERIA[0]
    criteria: ClassVar[Sequence[str]] = REGRESSION_CRITERIA
    handles_regression: ClassVar[bool] = True

    ridge: float = 1e-3

    def core(self) -> _core.Search:
        """Return the compiled search, on standardised columns."""
        return _core.search("Standardize", search=self.core_of_standardized())

    def core_of_standardized(self) -> _core.Search:
        """Return the compiled search."""
        check_number("ridge", self.ridge, 1e-12, 1e12)
        return _core.search("LeastSquaresSplit", ridge=float(self.ridge))
