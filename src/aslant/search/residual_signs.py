"""Searches that need classes, in regression trees.

P. Chaudhuri, M.-C. Huang, W.-Y. Loh and R. Yao, *Piecewise-polynomial regression trees*, Statistica
Sinica 4, 1994 (SUPPORT); W.-Y. Loh, *Regression trees with unbiased variable selection and
interaction detection*, Statistica Sinica 12, 2002 (GUIDE).

Idea
    The rows of a node form two classes: those above the value fitted at the node, and the others.
    The value is the mean, or the least-squares line, whose residuals show curvature where those of
    the mean show the slope. Any search then separates the two; the threshold along the direction it
    found is the best by the tree's own criterion.

Where the papers are silent
    *Rows exactly on the fitted value* count as above. *Several outputs*: the residuals are
    projected on their first principal axis. *A split with more than two branches* stays as the
    search found it and is valued by the tree's criterion. *If the line fits exactly*, the residuals
    are those of the mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Literal

from sklearn.base import clone

from aslant import _core
from aslant.search.base import (
    REGRESSION_CRITERIA,
    SplitSearch,
    Wrapper,
    check_choice,
    check_search,
    parameters,
)
from aslant.search.best_of import BestOf
from aslant.search.mml import MML
from aslant.search.sequential_selection import SequentialSelection
from aslant.search.standardize import Standardize


@parameters
class ResidualSigns(Wrapper):
    """Run a search for two classes, the rows above and below the node's fitted value.

    Parameters
    ----------
    search : SplitSearch
        The search; its own criterion values the splits that it compares.
    fit : {'mean', 'line'}, default='mean'
        The fitted value: the mean of the node, or its least-squares line.
    """

    handles_regression = True

    search: SplitSearch = field(kw_only=False)
    fit: Literal["mean", "line"] = "mean"

    @property
    def default_criterion(self) -> str:  # type: ignore[override]
        """Criterion of the tree."""
        return REGRESSION_CRITERIA[0]

    @property
    def criteria(self) -> Sequence[str]:  # type: ignore[override]
        """Criteria of the tree."""
        return REGRESSION_CRITERIA

    def core(self) -> _core.Search:
        """Return the compiled search."""
        check_search("search", self.search)
        check_choice("fit", self.fit, ("mean", "line"))
        return _core.search(
            "ResidualSigns",
            search=self.search.core(),
            line=self.fit == "line",
            criterion=self.search.default_criterion,
        )


def for_regression(search: SplitSearch) -> SplitSearch:
    """Return the search as regression trees run it.

    One that values splits by numbers stays as it is; one that needs classes is given them.
    """
    check_search("search", search)
    if isinstance(search, Standardize | SequentialSelection):
        return clone(search).set_params(search=for_regression(search.search))
    if isinstance(search, BestOf):
        return BestOf([for_regression(one) for one in search.searches])
    if isinstance(search, MML):
        raise ValueError(
            "MML needs classes to predict: the messages that it measures are of classes."
        )
    return search if search.handles_regression else ResidualSigns(search)
