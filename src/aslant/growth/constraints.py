"""Constraints on tests: monotone predictions, groups of features, costs, features by depth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np
import numpy.typing as npt

from aslant import _core
from aslant.tree.split import HyperplaneSplit

Vector = npt.NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, eq=False)
class Constraints:
    """What the tests of a tree may read; the default is everything.

    Attributes
    ----------
    column_feature : ndarray of shape (n_columns,)
        The encoded feature of each column.
    column_sign : ndarray of shape (n_columns,)
        1 if predictions must not fall as the column grows, -1 if they must not rise, 0 if free.
    groups : sequence of sequences of int
        The features of each path lie in one of these groups; empty means no such constraint.
    allowed : sequence of sequences of int
        Features that tests may read at each depth, the last for all below; empty means all.
    costs : ndarray of shape (n_features,), optional
        Price of each feature, in units of the criterion, for the rows that reach the test.
    pay_per_test : bool
        Whether each test pays for its features, else the first one on a path.
    max_features_per_test : int or None
        Most features of a test.
    root : HyperplaneSplit or None
        The test of the root, in the units of the encoded columns.
    """

    column_feature: npt.NDArray[np.int32] = field(default_factory=lambda: np.zeros(0, np.int32))
    column_sign: npt.NDArray[np.int8] = field(default_factory=lambda: np.zeros(0, np.int8))
    groups: Sequence[Sequence[int]] = ()
    allowed: Sequence[Sequence[int]] = ()
    costs: Vector | None = None
    pay_per_test: bool = False
    max_features_per_test: int | None = None
    root: HyperplaneSplit | None = None

    @property
    def is_monotone(self) -> bool:
        """Whether predictions have to be monotone in a column."""
        return bool(self.column_sign.any())

    @property
    def any(self) -> bool:
        """Whether there is any constraint."""
        return (
            self.is_monotone
            or bool(self.groups or self.allowed)
            or self.costs is not None
            or self.max_features_per_test is not None
            or self.root is not None
        )

    def with_costs_divided(self, exponent: int) -> Self:
        """Return the constraints for a criterion that is divided by a power of two."""
        if self.costs is None:
            return self
        with np.errstate(over="ignore"):  # no test gains an infinite cost
            return replace(self, costs=np.ldexp(self.costs, -exponent))

    def search(self, search: _core.Search) -> _core.Search:
        """Return a search that keeps the constraints."""
        if not self.any:
            return search
        return _core.search(
            "Constrained",
            search=search,
            sign=self.column_sign.astype(float).tolist() if self.is_monotone else [],
            feature=self.column_feature.astype(float).tolist(),
            groups=self._marks(self.groups),
            allowed=self._marks(self.allowed),
            cost=[] if self.costs is None else self.costs.tolist(),
            pay_per_test=self.pay_per_test,
            max_features=int(self.max_features_per_test or 0),
            root_coef=[] if self.root is None else self.root.coef.tolist(),
            root_threshold=0.0 if self.root is None else float(self.root.threshold),
        )

    def _marks(self, sets: Sequence[Sequence[int]]) -> list[float]:
        """Return sets of features as rows of zeros and ones, one after the other."""
        marks = np.zeros((len(sets), int(self.column_feature[-1]) + 1))
        for row, members in zip(marks, sets, strict=True):
            row[list(members)] = 1.0
        return marks.ravel().tolist()

    def signed(self, arrays: dict[str, npt.NDArray[np.generic]]) -> None:
        """Add the signs of the columns to the arrays of a tree."""
        if self.is_monotone:
            arrays["column_sign"] = self.column_sign.copy()
