"""Everything that decides how a tree is grown, besides the rows and the seed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from numbers import Integral, Real
from typing import Any, Self

import numpy as np

from aslant import _core
from aslant.growth.constraints import Constraints
from aslant.prune import Pruner
from aslant.refine import JointFit
from aslant.search import SplitSearch
from aslant.search.base import Criterion
from aslant.utils.checks import check_choice, check_number

#: Called now and then with how many rows are in leaves, and with the number of all rows.
Progress = Callable[[int, int], None]


@dataclass(frozen=True, kw_only=True)
class StoppingRules:
    """When a node is not split: scikit-learn's parameters of the same names."""

    max_depth: int | None = None
    min_samples_split: float = 2
    min_samples_leaf: float = 1
    min_weight_fraction_leaf: float = 0.0
    min_impurity_decrease: float = 0.0
    max_leaf_nodes: int | None = None

    def check(self) -> None:
        """Validate every rule."""
        if self.max_depth is not None:
            check_number("max_depth", self.max_depth, 1, integer=True)
        if self.max_leaf_nodes is not None:
            check_number("max_leaf_nodes", self.max_leaf_nodes, 2, integer=True)
        check_number("min_weight_fraction_leaf", self.min_weight_fraction_leaf, 0.0, 0.5)
        check_number("min_impurity_decrease", self.min_impurity_decrease, 0.0)
        self.min_leaf(1)
        _count("min_samples_split", self.min_samples_split, 1, 2)

    def min_leaf(self, n_rows: int) -> int:
        """Return the rows that every child must hold, at most one more than there are."""
        return min(_count("min_samples_leaf", self.min_samples_leaf, n_rows, 1), n_rows + 1)

    def for_rows(self, n_rows: int) -> dict[str, Any]:
        """Return the rules in rows, as the core takes them.

        Numbers beyond all rows mean the same as the number just beyond them, which the core's
        integers can hold.
        """
        min_split = _count("min_samples_split", self.min_samples_split, n_rows, 2)
        return {
            "max_depth": -1 if self.max_depth is None else min(int(self.max_depth), n_rows),
            "min_samples_split": min(max(min_split, 2 * self.min_leaf(n_rows)), n_rows + 1),
            "min_impurity_decrease": float(self.min_impurity_decrease),
            "max_leaf_nodes": min(int(self.max_leaf_nodes or 0), n_rows + 1),
        }


@dataclass(frozen=True, kw_only=True)
class TreeSettings:
    """How one tree is grown, pruned and refined.

    Attributes
    ----------
    search : SplitSearch
        What looks for the split of a node.
    criterion : str or callable
        Splitting criterion.
    stopping : StoppingRules
        When a node is not split.
    fill_with_training_mean : bool
        Whether missing values are filled with the means of the training rows, not of the node.
    search_rows : int or None
        A node with more rows is searched on a random sample of so many.
    search_finish : {'threshold', 'coefficients'}
        What is fitted to all rows after a search on a sample.
    linear_leaves, extrapolate : bool
        Regression: whether leaves have linear functions, and whether these may leave the range of
        the leaf's targets.
    target_exponent : int
        Regression: the targets of the sample are the caller's divided by this power of two.
    constraints : Constraints
        What tests may read.
    pruner : Pruner or None
        What makes the grown tree smaller.
    test_search : SplitSearch or None
        What a pruner uses to learn a test again; None is `search`.
    refinement : JointFit or None
        What fits all tests and leaves of the pruned tree together.
    ccp_alpha : float
        Minimal cost-complexity pruning at the end.
    n_threads : int
        Threads.
    progress : callable or None
        Called with rows done and all rows; may raise to stop.
    """

    search: SplitSearch
    criterion: Criterion
    stopping: StoppingRules = field(default_factory=StoppingRules)
    fill_with_training_mean: bool = False
    search_rows: int | None = None
    search_finish: str = "threshold"
    linear_leaves: bool = False
    extrapolate: bool = False
    target_exponent: int = 0
    constraints: Constraints = field(default_factory=Constraints)
    pruner: Pruner | None = None
    test_search: SplitSearch | None = None
    refinement: JointFit | None = None
    ccp_alpha: float = 0.0
    n_threads: int = 1
    progress: Progress | None = None

    def check(self) -> None:
        """Validate what does not depend on the rows."""
        self.stopping.check()
        check_number("ccp_alpha", self.ccp_alpha, 0.0)
        check_choice("search_finish", self.search_finish, ("threshold", "coefficients"))
        if self.search_rows is not None:
            check_number("search_rows", self.search_rows, 2, integer=True)
        elif self.search_finish != "threshold":
            raise ValueError(
                "search_finish has no effect unless search_rows is given, got "
                f"{self.search_finish!r}."
            )
        if self.pruner is not None:
            self.pruner.check()
        if self.refinement is not None:
            self.refinement.check()

    @property
    def impurity_power(self) -> int:
        """The power with which impurities grow with the targets: deviances 1, squared errors 2."""
        return 1 if self.criterion == "poisson" else 2

    def for_targets_divided(self, exponent: int) -> Self:
        """Return the settings for targets that were divided by a power of two."""
        shrink = self.impurity_power * exponent
        decrease = _times_power_of_two(self.stopping.min_impurity_decrease, -shrink)
        return replace(
            self,
            stopping=replace(self.stopping, min_impurity_decrease=decrease),
            ccp_alpha=_times_power_of_two(self.ccp_alpha, -shrink),
            constraints=self.constraints.with_costs_divided(shrink),
            target_exponent=exponent,
        )

    def core_search(self, n_rows: int) -> _core.Search:
        """Return the search as the growth loop calls it."""
        search = self.search.core()
        if self.search_rows is not None:
            search = _core.search(
                "OnSample",
                search=search,
                rows=max(2, min(int(self.search_rows), n_rows)),
                climbs=self.search_finish == "coefficients",
            )
        return self.constraints.search(search)


def _count(name: str, value: Any, n_rows: int, least: int) -> int:
    """Return the rows that a count or a fraction means."""
    number = isinstance(value, Real) and not isinstance(value, bool | np.bool_)
    if number and isinstance(value, Integral) and int(value) >= least:
        return int(value)
    if number and not isinstance(value, Integral) and 0.0 < value <= 1.0:
        return max(least, int(np.ceil(value * n_rows)))
    raise ValueError(
        f"The {name!r} parameter must be an int in the range [{least}, inf) or a float in the "
        f"range (0.0, 1.0], got {value!r}."
    )


def _times_power_of_two(threshold: float, exponent: int) -> float:
    """Return a threshold of impurity for other targets; infinity is beyond all decreases."""
    with np.errstate(over="ignore"):
        return float(np.ldexp(threshold, exponent))
