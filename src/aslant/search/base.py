"""What a search is, and what it returns.

A search looks for the split of one node. Those of this package run in the compiled core; one of
your own needs only a ``find`` method::

    class RandomDirections(SplitSearch):
        def __init__(self, n=50):
            self.n = n

        def find(self, node, rng):
            return node.best_along(rng.normal(size=(self.n, node.X.shape[1])))

``node.X`` (filled, never NaN), ``node.y`` (class codes), ``node.weight``, ``node.class_weight`` and
``node.n_classes`` describe the rows at the node; ``node.best_along(directions)`` is the exact
threshold search along one or several directions, and ``node.score(split)`` the value of any split.
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self, TypeVar, dataclass_transform

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator

from aslant import _core

_Class = TypeVar("_Class")

CRITERIA = (
    "gini",
    "entropy",
    "gain_ratio",
    "twoing",
    "max_minority",
    "sum_minority",
    "sum_of_variances",
)


@dataclass_transform(kw_only_default=True, field_specifiers=(field,))
def parameters(cls: type[_Class]) -> type[_Class]:
    """Make the annotated attributes of a class its constructor's parameters, keyword-only.

    scikit-learn reads parameters off the constructor; this writes the constructor, and a subclass
    inherits its parents' parameters instead of repeating them.
    """
    return dataclass(kw_only=True, eq=False, repr=False)(cls)


@dataclass(frozen=True)
class HyperplaneSplit:
    """Child 0 where ``x @ coef <= threshold``, else child 1.

    ``fill`` holds, per column, what stands in for a missing value: always the node's own, so a
    search leaves it out. ``score`` is the value of the split where the core computed one.
    """

    coef: npt.NDArray[np.float64]
    threshold: float
    fill: npt.NDArray[np.float64] | None = None
    score: float | None = None


@dataclass(frozen=True)
class LinearMachineSplit:
    """Child ``argmax_k(weights[k] @ x + bias[k])``, ties to the smaller k."""

    weights: npt.NDArray[np.float64]
    bias: npt.NDArray[np.float64]
    fill: npt.NDArray[np.float64] | None = None
    score: float | None = None


#: What a search may return.
Split = HyperplaneSplit | LinearMachineSplit


class SplitSearch(BaseEstimator):
    """Base of all searches; parameters are constructor arguments, as in scikit-learn."""

    #: Criterion used when the estimator is given none.
    default_criterion: ClassVar[str] = "gini"
    #: Criteria the search can work with.
    criteria: ClassVar[Sequence[str]] = CRITERIA

    @classmethod
    def with_parameters_of(cls, estimator: BaseEstimator) -> Self:
        """Make the search with the estimator's parameters of the same names."""
        return cls(**{name: getattr(estimator, name) for name in cls().get_params(deep=False)})

    def find(self, node: _core.Node, rng: np.random.Generator) -> Split | None:
        """Return the split of a node, or None if there is none worth making."""
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


def check_number(
    name: str, value: Any, low: float, high: float = np.inf, *, whole: bool = False
) -> None:
    """Raise one clear error unless low <= value <= high (and whole, if asked)."""
    kinds = (int, np.integer) if whole else (int, float, np.integer, np.floating)
    if isinstance(value, bool | np.bool_) or not isinstance(value, kinds):
        kind = "a whole number" if whole else "a number"
        raise TypeError(f"{name} must be {kind}, got {value!r}.")
    if not low <= value <= high:
        limit = f"at least {low:g}" if high == np.inf else f"between {low:g} and {high:g}"
        raise ValueError(f"{name} must be {limit}, got {value!r}.")


def check_choice(name: str, value: Any, choices: Sequence[str]) -> None:
    """Raise one clear error, with the nearest valid name, unless value is one of the choices."""
    if isinstance(value, str) and value in choices:
        return
    near = difflib.get_close_matches(str(value), choices, n=1)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    raise ValueError(f"{name} must be one of {', '.join(map(repr, choices))}, got {value!r}.{hint}")


def check_search(name: str, value: Any) -> None:
    """Raise one clear error unless value is a search."""
    if not isinstance(value, SplitSearch):
        raise TypeError(f"{name} must be a search from aslant.search, got {value!r}.")


def check_flag(name: str, value: Any) -> None:
    """Raise one clear error unless value is True or False."""
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"{name} must be True or False, got {value!r}.")
