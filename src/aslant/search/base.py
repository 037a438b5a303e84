"""What a search is, and what it returns.

A search looks for the split of one node. Those of this package run in the compiled core; one of
your own needs only a ``find`` method::

    class RandomDirections(SplitSearch):
        def __init__(self, n=50):
            self.n = n

        def find(self, node, rng):
            return node.best_along(rng.normal(size=(self.n, node.X.shape[1])))

``node.X`` (filled, never NaN), ``node.y`` (class codes; numbers if the search has
``handles_regression = True`` and the tree is a regression tree), ``node.weight``,
``node.class_weight`` and ``node.n_classes`` describe the rows at the node;
``node.best_along(directions)`` is the exact threshold search along one or several directions, and
``node.score(split)`` the value of any split.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator

from aslant import _core
from aslant.tree.split import HyperplaneSplit, LinearMachineSplit, Split
from aslant.utils.checks import check_choice, check_flag, check_number
from aslant.utils.parameters import parameters

# The names that searches use, and those that used to live here.
__all__ = [
    "CRITERIA",
    "REGRESSION_CRITERIA",
    "Criterion",
    "HyperplaneSplit",
    "LinearMachineSplit",
    "Split",
    "SplitSearch",
    "Wrapper",
    "check_choice",
    "check_flag",
    "check_number",
    "check_search",
    "chosen_search",
    "parameters",
]

#: Criteria of classification trees.
CRITERIA = tuple(name for name, task in _core.criteria() if task == "classification")

#: A criterion: one of `CRITERIA`, or a function of the class weights of both children.
Criterion = str | Callable[[npt.NDArray[np.float64], npt.NDArray[np.float64]], float]

#: Criteria of regression trees.
REGRESSION_CRITERIA = tuple(name for name, task in _core.criteria() if task == "regression")


class SplitSearch(BaseEstimator):
    """Base of all searches; parameters are constructor arguments, as in scikit-learn."""

    #: Criterion used when the estimator is given none.
    default_criterion: ClassVar[str] = "gini"
    #: Criteria the search can work with.
    criteria: ClassVar[Sequence[str]] = CRITERIA
    #: Whether the search can value splits by numbers; if not, it is given two classes instead: see
    #: `aslant.search.ResidualSigns`.
    handles_regression: ClassVar[bool] = False

    @classmethod
    def with_parameters_of(cls, estimator: BaseEstimator) -> Self:
        """Make the search with the estimator's parameters of the same names."""
        given = estimator.get_params(deep=False)
        names = [name for name in cls().get_params(deep=False) if name in given]
        return cls(**{name: given[name] for name in names})

    def find(self, node: _core.Node, rng: np.random.Generator) -> Split | None:
        """Return the split of a node, or None if no split improves the node."""
        return _core.find_split(self.core(), node, int(rng.integers(2**63)))

    def core(self) -> _core.Search:
        """Return the search as the growth loop calls it: here, by calling back ``find``."""
        if type(self).find is SplitSearch.find:
            raise TypeError(f"{type(self).__name__} must define find(node, rng) or core()")
        return _core.python_search(self)

    def core_of_standardized(self) -> _core.Search:
        """Return the search for columns that a wrapper has standardised already."""
        return self.core()


class Wrapper(SplitSearch):
    """Base of searches around another one, ``search``, whose criteria are theirs."""

    search: SplitSearch

    @property
    def default_criterion(self) -> str:  # type: ignore[override]
        """Criterion of the inner search."""
        check_search("search", self.search)
        return self.search.default_criterion

    @property
    def criteria(self) -> Sequence[str]:  # type: ignore[override]
        """Criteria of the inner search."""
        check_search("search", self.search)
        return self.search.criteria


def chosen_search(search: Any, known: Mapping[str, type[SplitSearch]]) -> SplitSearch:
    """Return the search that the parameter `search` of an estimator names or is."""
    if isinstance(search, SplitSearch):
        return search
    if not isinstance(search, str):
        raise TypeError(f"search must be a name or an object from aslant.search, got {search!r}.")
    check_choice("search", search, tuple(known))
    return known[search]()


def check_search(name: str, value: Any) -> None:
    """Validate that value is a search."""
    if not isinstance(value, SplitSearch):
        raise TypeError(f"{name} must be a search from aslant.search, got {value!r}.")
