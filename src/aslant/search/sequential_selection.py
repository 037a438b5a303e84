"""Which features a test reads: sequential selection around any search.

C. E. Brodley and P. E. Utgoff, *Multivariate Decision Trees*, Machine Learning 19:45-77, 1995,
section 4. CART's elimination is from L. Breiman et al., *Classification and Regression Trees*,
1984.

Idea
    ``"sbe"`` starts from all features and drops the one whose loss costs least; ``"sfs"`` starts
    from the best single feature and adds the one that helps most; ``"dsbe"`` drops the feature
    whose weights tell the classes apart least, which takes one fit where SBE takes one per feature;
    ``"hss"`` chooses forward or backward by comparing the best single feature with all of them;
    ``"cart"`` drops features while that costs less than beta times the largest loss, with the other
    coefficients as they are. The best test seen wins, the one with fewest features among equals.

Where the paper is silent
    *The ten per cent* that accuracy may fall are percentage points. *"Several times" the number of
    features*, the distinct rows that a test needs, are two.
    *Accuracy* is the share of rows in the majority class of their branch.
    *Features* are columns: every level of a category is one, except that two levels are one.

Where we differ
    With ``shortlist=i``, elimination tries only the i features of lowest dispersion: between DSBE
    (one) and SBE (all), as the paper's conclusion suggests.
"""

from __future__ import annotations

from dataclasses import field
from typing import Literal

from aslant import _core
from aslant.search.base import SplitSearch, Wrapper, check_search
from aslant.utils.checks import check_choice, check_number
from aslant.utils.parameters import parameters

#: The ways to select features.
METHODS = ("sbe", "sfs", "dsbe", "hss", "cart")


@parameters
class SequentialSelection(Wrapper):
    """Run a search on subsets of the features and keep the best test.

    Parameters
    ----------
    search : SplitSearch
        The search; features are standardised at the node before it sees them.
    method : {"sbe", "sfs", "dsbe", "hss", "cart"}, default="sbe"
        See above.
    accuracy_drop : float, default=0.1
        Selection goes on while accuracy is no more than this below the best seen.
    rows_per_feature : float, default=2.0
        Distinct rows that a test needs for each of its features.
    shortlist : int or None, default=None
        For "sbe" and "hss": how many features of lowest dispersion elimination tries. None: all.
    beta : float or None, default=None
        For "cart": the share of the largest loss that dropping a feature may cost. None: 0.2.
    """

    search: SplitSearch = field(kw_only=False)
    method: Literal["sbe", "sfs", "dsbe", "hss", "cart"] = "sbe"
    accuracy_drop: float = 0.1
    rows_per_feature: float = 2.0
    shortlist: int | None = None
    beta: float | None = None

    def core(self) -> _core.Search:
        """Return the compiled search, on standardised columns."""
        return _core.search("Standardize", search=self.core_of_standardized())

    def core_of_standardized(self) -> _core.Search:
        """Return the compiled search."""
        check_search("search", self.search)
        check_choice("method", self.method, METHODS)
        check_number("accuracy_drop", self.accuracy_drop, 0.0, 1.0)
        check_number("rows_per_feature", self.rows_per_feature, 0.0, 1e9)
        if self.shortlist is not None:
            check_number("shortlist", self.shortlist, 1, 2**30, integer=True)
            self._only_for("shortlist", "sbe", "hss")
        if self.beta is not None:
            check_number("beta", self.beta, 0.0, 1.0)
            self._only_for("beta", "cart")
        return _core.search(
            "SequentialSelection",
            search=self.search.core_of_standardized(),
            method=self.method,
            accuracy_drop=float(self.accuracy_drop),
            rows_per_feature=float(self.rows_per_feature),
            shortlist=self.shortlist or 0,
            beta=0.2 if self.beta is None else float(self.beta),
        )

    def _only_for(self, name: str, *methods: str) -> None:
        if self.method not in methods:
            raise ValueError(
                f"{name} applies to method {' and '.join(map(repr, methods))} only, got "
                f"{name}={getattr(self, name)!r} with method={self.method!r}."
            )
