"""Any search, with every category as one number.

W.-Y. Loh and Y.-S. Shih, *Split Selection Methods for Classification Trees*, Statistica Sinica 7,
1997; used with oblique splits by D. C. Wickramarachchi, B. L. Robertson, M. Reale, C. J. Price and
J. Brown, *HHCART: an oblique decision tree*, Computational Statistics and Data Analysis 96, 2016.

Idea
    At every node the levels of a category are scored by their first discriminant coordinate, the
    CRIMCOORD: the scores that separate the classes best. It is the first axis of the
    correspondence analysis of levels against classes; with two classes, an affine function of the
    share of one class among the rows of a level. The inner search sees numbers only; the
    coefficient it gives to a score becomes one weight for each level, so one oblique test mixes
    numbers and categories.

Where the paper is silent
    *Scale*: CRIMCOORDs have a sum of squares of 1, which would hide them from a search that
    depends on scale. Here they have mean 0 over the rows whose level is known, and as standard
    deviation the median of those of the node's numbers (1 if there are none). *Sign*: the most
    frequent class has the smaller mean. *Missing, unseen and absent levels* have the mean score 0.
    *Levels that do not depend on the class* have score 0 all, and take no part.
"""

from __future__ import annotations

from aslant import _core
from aslant.search.base import SplitSearch, Wrapper, check_search


class CrimCoords(Wrapper):
    """Run a search in which each categorical feature is one numeric column, scored at every node.

    The split that is found is turned back into weights of the levels, so nothing else changes. On
    data without categories it is the inner search itself.

    Parameters
    ----------
    search : SplitSearch
        The search to run.
    """

    def __init__(self, search: SplitSearch) -> None:
        self.search = search

    def core(self) -> _core.Search:
        """Return the compiled search."""
        check_search("search", self.search)
        return _core.search("CrimCoords", search=self.search.core())
