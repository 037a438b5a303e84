"""Any search in standardised units."""

from __future__ import annotations

from aslant import _core
from aslant.search.base import SplitSearch, Wrapper, check_search


class Standardize(Wrapper):
    """Run a search on columns scaled to mean 0 and standard deviation 1 at every node.

    The split that is found is turned back into the units of the input, so nothing else changes.
    Searches that are not invariant to scale (OC1, among others) gain where features differ in unit.

    Parameters
    ----------
    search : SplitSearch
        The search to run.
    """

    def __init__(self, search: SplitSearch) -> None:
        self.search = search

    def core(self) -> _core.Search:
        """Return the compiled search."""
        return _core.search("Standardize", search=self.core_of_standardized())

    def core_of_standardized(self) -> _core.Search:
        """Return the inner search: columns need not be standardised twice."""
        check_search("search", self.search)
        return self.search.core()
