"""The best of several searches."""

from __future__ import annotations

from collections.abc import Sequence

from aslant import _core
from aslant.search.base import SplitSearch, check_search


class BestOf(SplitSearch):
    """Run several searches at every node and keep the split of highest score.

    Parameters
    ----------
    searches : sequence of SplitSearch
        Searches in order of preference: the first wins ties.
    """

    def __init__(self, searches: Sequence[SplitSearch]) -> None:
        self.searches = searches

    @property
    def default_criterion(self) -> str:  # type: ignore[override]
        """Criterion of the first search, if the others can work with it."""
        own = self._checked()[0].default_criterion
        common = self.criteria
        if not common:
            raise ValueError(f"searches must have a criterion in common, got {self.searches!r}.")
        return own if own in common else common[0]

    @property
    def criteria(self) -> Sequence[str]:  # type: ignore[override]
        """Criteria that all the searches can work with."""
        first, *others = self._checked()
        return [c for c in first.criteria if all(c in other.criteria for other in others)]

    def core(self) -> _core.Search:
        """Return the compiled search."""
        return _core.search("BestOf", searches=[search.core() for search in self._checked()])

    def _checked(self) -> Sequence[SplitSearch]:
        if not isinstance(self.searches, list | tuple) or not self.searches:
            raise TypeError(
                f"searches must be a list of at least one search, got {self.searches!r}."
            )
        for search in self.searches:
            check_search("each of searches", search)
        return self.searches
