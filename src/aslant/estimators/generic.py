"""The generic tree: any search, any criterion, any pruning."""

from __future__ import annotations

from dataclasses import field

from aslant.estimators.classifier import TreeClassifier
from aslant.search import SEARCHES, SplitSearch
from aslant.search.base import Criterion, chosen_search
from aslant.utils.parameters import parameters


@parameters
class ObliqueDecisionTreeClassifier(TreeClassifier):
    """A decision tree with any search, any criterion and any pruning.

    Parameters
    ----------
    search : str or SplitSearch, default='oc1'
        How a node looks for its split: a name of `aslant.search.SEARCHES`, a search of
        `aslant.search` with parameters of its own, or a `SplitSearch` you wrote.
    criterion : str, callable or None, default=None
        ``"gini"``, ``"entropy"`` (information gain), ``"gain_ratio"``, ``"twoing"``,
        ``"max_minority"``, ``"sum_minority"`` or ``"sum_of_variances"``; None is the search's own.
        Or a function of your own: it is given the class weights of both children as two arrays
        and returns what the split is worth, more being better and 0 or less no split at all. It
        is called for every place of every hyperplane, so such a tree takes much longer.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from aslant import ObliqueDecisionTreeClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> ObliqueDecisionTreeClassifier(random_state=0).fit(X, y).get_n_leaves()
    5
    """

    search: str | SplitSearch = field(default="oc1", kw_only=False)
    criterion: Criterion | None = None

    def _make_search(self) -> SplitSearch:
        return chosen_search(self.search, SEARCHES)
