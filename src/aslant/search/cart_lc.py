"""CART with linear combinations.

L. Breiman, J. Friedman, R. Olshen and C. Stone, *Classification and Regression Trees*, 1984,
chapter 5; described by Murthy, Kasif and Salzberg (1994), figure 4, and by Brodley and Utgoff
(1995), section 3.4.

Idea
    Starting from the best univariate test, cycle through the features; for each find the best step
    ``v - delta (x_i + gamma) <= c`` over delta and three values of gamma; then the best threshold.
    Deterministic: no restarts, no jumps.

Where the paper is silent
    The cycles end when the score changes by less than a relative ``tolerance`` (1e-4) or after 100.

Where we differ
    Features are counted from their median at the node even without normalisation, so that nothing
    depends on where a scale begins; OC1's program counts from zero (``origin="original"``). The
    first of the best combinations seen is returned; the original returns the last one
    (``keep="last"``). In ours the score never falls, since a step is exact, so that the two differ
    only among combinations of the same score. In OC1's program the univariate test does not
    compete, and small nodes below the root have no other: `CARTLCClassifier.as_published` is all of
    it. Categories take part as indicator columns and missing values as node means; CART's complete
    cases and numbers only are ``complete_cases=True``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

import numpy as np

from aslant import _core
from aslant.search.base import SplitSearch
from aslant.utils.checks import check_choice, check_flag, check_no_effect, check_number
from aslant.utils.parameters import parameters


@parameters
class CARTLC(SplitSearch):
    """Hill-climbing one coefficient at a time, without random choices.

    Parameters
    ----------
    normalize : bool, default=False
        Search in units of (x - median) / interquartile range at the node, as CART does. The OC1
        paper's experiments do without.
    origin : {"median", "original"}, default="median"
        Without normalisation, where features are counted from: their median at the node, or zero
        (the lowest value, if that is negative), as in OC1's program; not with ``legacy_sweep``.
    gammas : sequence of float, default=(-0.25, 0.0, 0.25)
        Shifts of the feature tried with each step.
    max_cycles : int, default=100
        Upper limit of cycles over the features.
    tolerance : float, default=1e-4
        Relative change of the score over a cycle that ends the search.
    beta : float or None, default=None
        Backward deletion: features whose loss costs less than beta times the largest loss are
        dropped (CART's 0.2, Brodley and Utgoff's 0, 0.1 and 0.2). None: no deletion, as in the OC1
        paper.
    univariate : bool, default=True
        Whether the best univariate test competes.
    keep : {"best", "last"}, default="best"
        The first of the best combinations seen, or the last one, as in the original.
    legacy_sweep : bool, default=False
        The original's approximate steps, with its origin, instead of the exact ones.
    min_samples_oblique : int or None, default=0
        Below the root a combination needs more rows than this; None is twice the number of
        columns, as in OC1's program.
    complete_cases : bool, default=False
        Whether combinations are made of numbers alone and learned from the rows that have all of
        them, as CART does; otherwise categories and missing values take part.
    """

    default_criterion: ClassVar[str] = "twoing"
    handles_regression: ClassVar[bool] = True

    normalize: bool = False
    origin: Literal["median", "original"] = "median"
    gammas: Sequence[float] = (-0.25, 0.0, 0.25)
    max_cycles: int = 100
    tolerance: float = 1e-4
    beta: float | None = None
    univariate: bool = True
    keep: Literal["best", "last"] = "best"
    legacy_sweep: bool = False
    min_samples_oblique: int | None = 0
    complete_cases: bool = False

    def core(self) -> _core.Search:
        """Return the compiled search."""
        check_flag("normalize", self.normalize)
        check_choice("origin", self.origin, ("median", "original"))
        check_flag("univariate", self.univariate)
        check_choice("keep", self.keep, ("best", "last"))
        if self.min_samples_oblique is not None:
            check_number("min_samples_oblique", self.min_samples_oblique, 0, 2**62, integer=True)
        check_flag("legacy_sweep", self.legacy_sweep)
        if self.normalize:
            check_no_effect(self, "origin", "normalize=False")
        if self.legacy_sweep:
            check_no_effect(self, "origin", "legacy_sweep=False (the sweep has the original's)")
        check_flag("complete_cases", self.complete_cases)
        check_number("max_cycles", self.max_cycles, 1, 2**30, integer=True)
        check_number("tolerance", self.tolerance, 0.0)
        if self.beta is not None:
            check_number("beta", self.beta, 0.0, 1.0)
        combination = _core.search(
            "CARTLC",
            normalize=bool(self.normalize),
            original_zero=self.origin == "original",
            gammas=self._checked_gammas(),
            max_cycles=int(self.max_cycles),
            tolerance=float(self.tolerance),
            univariate=bool(self.univariate) and self._is_plain(),
            min_rows=-1 if self.min_samples_oblique is None else int(self.min_samples_oblique),
            keep_last=self.keep == "last",
            legacy_sweep=bool(self.legacy_sweep),
        )
        if self._is_plain():
            return combination
        if self.beta is not None:
            combination = _core.search(
                "SequentialSelection",
                search=combination,
                method="cart",
                accuracy_drop=1.0,
                rows_per_feature=0.0,
                shortlist=0,
                beta=float(self.beta),
            )
        if self.complete_cases:
            combination = _core.search("CompleteCases", search=combination)
        if not self.univariate:
            return combination
        return _core.search("BestOf", searches=[_core.search("AxisParallel"), combination])

    def _is_plain(self) -> bool:
        """Whether the search of the coefficients is all there is."""
        return self.beta is None and not self.complete_cases

    def _checked_gammas(self) -> list[float]:
        if not isinstance(self.gammas, list | tuple | np.ndarray) or len(self.gammas) == 0:
            raise TypeError(
                f"gammas must be a sequence of at least one number, got {self.gammas!r}."
            )
        for gamma in self.gammas:
            check_number("each of gammas", gamma, -1e6, 1e6)
        return [float(gamma) for gamma in self.gammas]
