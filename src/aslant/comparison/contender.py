"""A method in the comparison: its results so far, and what another fit of it would cost."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from sklearn.base import clone

from aslant.comparison.fold import FoldResult
from aslant.estimators import BaseTreeClassifier
from aslant.methods import METHODS, find_method

Kind = Literal["axis-parallel", "oblique", "several trees"]

REFERENCE = "cart"
"""The method whose time is the unit; it takes part in every comparison."""

_AXIS_PARALLEL = (REFERENCE, "c45")
# Shorter times say little about how the time grows with the rows.
_CLEAR_SECONDS = 0.05
# How the time of a tree usually grows with the rows, and how it may.
_USUAL_POWER, _LEAST_POWER, _LARGEST_POWER = 1.3, 1.0, 2.5


@dataclass
class Contender:
    """A method and what is known of it.

    Attributes
    ----------
    name : str
        Its name in `aslant.methods.METHODS`.
    label : str
        Its name in sentences.
    kind : {"axis-parallel", "oblique", "several trees"}
        What its models are.
    estimator : BaseTreeClassifier
        The method at its defaults.
    folds : list of FoldResult
        Results of the repeated cross-validation.
    halves : list of FoldResult
        Results of the five divisions into halves, two each, for the F test.
    seconds : dict of int to float
        How long a fit took, by the number of rows.
    reason : str
        Why there are no results.
    """

    name: str
    label: str
    kind: Kind
    estimator: BaseTreeClassifier
    folds: list[FoldResult] = field(default_factory=list)
    halves: list[FoldResult] = field(default_factory=list)
    seconds: dict[int, float] = field(default_factory=dict)
    reason: str = ""

    def make(self, seed: int) -> BaseTreeClassifier:
        """Return the estimator, unfitted, with this seed."""
        made: BaseTreeClassifier = clone(self.estimator)
        return made.set_params(random_state=seed)

    def learn(self, n_rows: int, seconds: float) -> None:
        """Take note of how long a fit to so many rows took."""
        self.seconds[n_rows] = seconds

    def expected_seconds(self, n_rows: int) -> float:
        """Return how long a fit to so many rows will probably take; 0 if nothing is known."""
        if not self.seconds:
            return 0.0
        nearest = min(self.seconds, key=lambda rows: abs(np.log(rows / n_rows)))
        return self.seconds[nearest] * (n_rows / nearest) ** self._power()

    def _power(self) -> float:
        """Return the power of the number of rows by which the time grows."""
        clear = sorted(rows for rows, time in self.seconds.items() if time > _CLEAR_SECONDS)
        if len(clear) < 2:
            return _USUAL_POWER
        few, many = clear[0], clear[-1]
        growth = np.log(self.seconds[many] / self.seconds[few]) / np.log(many / few)
        return float(np.clip(growth, _LEAST_POWER, _LARGEST_POWER))


def make_contenders(methods: Sequence[str] | None) -> list[Contender]:
    """Return the methods of these names, and the reference; all that there are by default."""
    if isinstance(methods, str):
        raise TypeError(f"methods must be a list of names, got the text {methods!r}.")
    chosen = set(METHODS) if methods is None else set(_checked(methods))
    chosen.add(REFERENCE)
    return [_contender(name) for name in METHODS if name in chosen]


def _checked(methods: Iterable[str]) -> list[str]:
    names = list(methods)
    for name in names:
        if not isinstance(name, str):
            raise TypeError(f"methods must be a list of names, got {name!r} in it.")
    found = [find_method(name) for name in names]
    if not found:
        raise ValueError("methods must name at least one method, got an empty list.")
    return [name for name, method in METHODS.items() if method in found]


def _contender(name: str) -> Contender:
    estimator = METHODS[name].estimator()
    kind: Kind = "oblique"
    if name in _AXIS_PARALLEL:
        kind = "axis-parallel"
    elif estimator.get_params().get("n_estimators", 1) > 1:
        kind = "several trees"
    label = type(estimator).__name__.removesuffix("Classifier")
    return Contender(name, label, kind, estimator)
