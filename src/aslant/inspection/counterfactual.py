"""`counterfactual`: the smallest change of a row that changes the prediction."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import LinearConstraint
from sklearn.base import is_regressor

from aslant.codegen.describe import describe
from aslant.codegen.description import Combination, Description, Input
from aslant.encoding.dates import date_of
from aslant.inspection.change_problem import ChangeProblem, Freedom
from aslant.inspection.changed_rows import with_value
from aslant.inspection.resolve import encoded_rows, on_encoded_rows, resolve_tree
from aslant.inspection.rounding import number
from aslant.inspection.rows import features_read
from aslant.inspection.tables import one_row
from aslant.utils.checks import check_choice

Array = npt.NDArray[np.float64]

# Scores of gates that a soft tree is asked for, one after the other, until the prediction changes.
_MARGINS = (0.0, 1.0, 2.0, 4.0, 8.0, 16.0)
_BISECTIONS = 40
_ROUNDING = 0.02  # what rounding may add to a change
_DATE_PARTS = ("year", "month", "day", "weekday", "hour")


@dataclass(frozen=True)
class Change:
    """What becomes of one feature.

    Attributes
    ----------
    feature : str
        Its name.
    before, after : object
        Its value in the row, and the new one.
    """

    feature: str
    before: Any
    after: Any

    def __str__(self) -> str:
        """Return ``age: 38 -> 41.2 (+3.2)``, or ``color: red -> blue``."""
        before, after = (_shown(value) for value in (self.before, self.after))
        if isinstance(self.before, float) and isinstance(self.after, float):
            change = self.after - self.before
            sign = "-" if change < 0.0 else "+"
            return f"{self.feature}: {before} -> {after} ({sign}{number(abs(change), 6)})"
        return f"{self.feature}: {before} -> {after}"


@dataclass(frozen=True)
class Counterfactual:
    """The smallest change of a row that changes the prediction.

    Attributes
    ----------
    changes : tuple of Change
        The features that change, the largest change first.
    distance : float
        The sum of all changes: numbers in standard deviations over the training rows, 1 for each
        step of an ordered category and for another level of a category.
    before, after : object
        The predictions.
    is_exact : bool
        Whether no smaller change exists. Of a soft tree, smaller ones may.
    """

    changes: tuple[Change, ...]
    distance: float
    before: Any
    after: Any
    is_exact: bool

    def to_text(self) -> str:
        """Return the change in words, a line for each feature."""
        head = f"{_shown(self.before)} -> {_shown(self.after)}, distance {number(self.distance, 3)}"
        return "\n".join([head, *(f"  {change}" for change in self.changes)]) + "\n"


def counterfactual(
    estimator: Any,
    x: Any,
    *,
    target: Any = None,
    vary: Sequence[str] | None = None,
    ranges: Mapping[str, Sequence[Any]] | None = None,
    directions: Mapping[str, str] | None = None,
) -> Counterfactual | None:
    """Return the smallest change of a row that changes what a tree predicts.

    A mixed-integer linear program finds, for every leaf that predicts the target, the smallest
    change that takes the row there; the best leaf wins. Missing values stay missing. New numbers
    are rounded to few digits away from the row, which adds at most two percent to the change.

    Parameters
    ----------
    estimator : fitted tree classifier or regressor
        A tree of this package, or a pipeline of scalers that ends in one.
    x : array-like or data frame
        One row: its values, or a table with one row.
    target : object, optional
        The class to reach; by default any other than the predicted one. For a regressor of one
        output, a pair: the least and the greatest prediction.
    vary : sequence of str, optional
        Names of the features that may change; by default all that the tree reads.
    ranges : dict, optional
        By feature: the least and the greatest new value of a number or a date, or a list of the
        levels that a category may get.
    directions : dict, optional
        By feature: "increase" or "decrease", for numbers, dates and ordered categories.

    Returns
    -------
    Counterfactual or None
        None if no allowed change reaches the target.

    Examples
    --------
    >>> from aslant import CARTClassifier, counterfactual
    >>> tree = CARTClassifier().fit([[1.0], [2.0], [6.0]], ["a", "a", "b"])
    >>> print(counterfactual(tree, [2.5]).to_text(), end="")
    a -> b, distance 0.699
      x0: 2.5 -> 4.01 (+1.51)
    """
    model = resolve_tree(estimator, "counterfactual")
    description = describe(model, "counterfactual")
    row = _Row(model, description, one_row(x, "counterfactual"))
    wanted = _Wanted(model, description, row, target)
    freedoms = _freedoms(model, description, row, vary, ranges or {}, directions or {})
    problem = ChangeProblem(description, row.values, row.encoded, freedoms)
    best: tuple[float, list[float]] | None = None
    for found, cost in _candidates(problem, wanted, row):
        if best is None or cost < best[0]:
            best = cost, found
    if best is None:
        return None
    final = _rounded(row, best[1], freedoms, wanted)
    after = row.prediction(final)
    return Counterfactual(
        changes=_changes(description, row, final, freedoms),
        distance=sum(_cost(row, final, j, freedom) for j, freedom in freedoms.items()),
        before=row.prediction(row.values),
        after=after,
        is_exact=description.combination is not Combination.SOFT,
    )


# ---------------------------------------------------------------------- the row and the target


class _Row:
    """A row, and what a model predicts for changed ones."""

    def __init__(self, model: Any, description: Description, X: Any) -> None:
        self.model = on_encoded_rows(model)
        self.description = description
        self.encoded = encoded_rows(model, X)[0]
        self.values = self.encoded[: len(description.inputs)].tolist()
        for j in model.encoder_.target_encodings:  # back to codes
            code = float(model.encoder_.level_codes(X, j)[0])
            self.values[j] = float(len(description.inputs[j].levels)) if code < 0.0 else code

    def changed(self, values: Sequence[float]) -> Array:
        """Return the encoded row with other values of some inputs."""
        encoded = self.encoded[np.newaxis]
        for j, (value, before) in enumerate(zip(values, self.values, strict=True)):
            if value != before and not np.isnan(value):
                encoded = with_value(self.description, encoded, j, value)
        return encoded

    def prediction(self, values: Sequence[float]) -> Any:
        """Return what the model predicts for a row."""
        predicted = self.model.predict(self.changed(values))[0]
        return predicted.item() if isinstance(predicted, np.generic) else predicted


class _Wanted:
    """The predictions that are wanted."""

    def __init__(self, model: Any, description: Description, row: _Row, target: Any) -> None:
        self.row = row
        self.description = description
        self.bounds: tuple[float, float] | None = None
        self.classes: list[int] = []
        if is_regressor(model):
            self.bounds = _checked_bounds(model, target)
            return
        labels = model.classes_.tolist()
        if target is None:
            before = row.prediction(row.values)
            self.classes = [k for k, label in enumerate(labels) if label != before]
            return
        if target not in labels:
            raise ValueError(f"target must be one of the classes {labels}, got {target!r}.")
        self.classes = [labels.index(target)]

    def holds(self, values: Sequence[float]) -> bool:
        """Whether the model predicts what is wanted."""
        predicted = self.row.prediction(values)
        if self.bounds is not None:
            return self.bounds[0] <= predicted <= self.bounds[1]
        return self.row.model.classes_.tolist().index(predicted) in self.classes

    def ways(self, problem: ChangeProblem) -> Iterator[tuple[int, list[LinearConstraint]]]:
        """Yield leaves and what must hold there besides the tests on the way."""
        for i, node in enumerate(self.description.trees[0]):
            if not node.is_leaf:
                continue
            if self.description.is_logit:
                others = range(len(self.description.classes))
                for k in self.classes:
                    yield i, [problem.logit_above(i, k, j) for j in others if j != k]
            elif self.bounds is None:
                soft = self.description.combination is Combination.SOFT
                winner = int(np.argmax(node.output)) if soft else node.winner
                if winner in self.classes:
                    yield i, []
            elif node.slopes:
                slope, (low, high) = node.slopes[0], self.bounds
                if slope.high >= low and slope.low <= high:
                    low = -np.inf if slope.low >= low else low
                    high = np.inf if slope.high <= high else high
                    yield i, [problem.output_between(i, 0, low, high)]
            elif self.bounds[0] <= node.output[0] <= self.bounds[1] or self._may_mix():
                yield i, []

    def _may_mix(self) -> bool:
        """Whether predictions lie between those of leaves."""
        return self.description.combination is Combination.SOFT


def _checked_bounds(model: Any, target: Any) -> tuple[float, float]:
    if model.n_outputs_ != 1:
        raise ValueError(f"counterfactual needs one output, got {model.n_outputs_}.")
    try:
        low, high = (float(bound) for bound in target)
    except (TypeError, ValueError):
        raise ValueError(
            f"target must be the least and the greatest prediction of a regressor, got {target!r}."
        ) from None
    return low, high


# ---------------------------------------------------------------------- what may change


def _freedoms(
    model: Any,
    description: Description,
    row: _Row,
    vary: Sequence[str] | None,
    ranges: Mapping[str, Sequence[Any]],
    directions: Mapping[str, str],
) -> dict[int, Freedom]:
    names = [given.name for given in description.inputs]
    for option, given in (("vary", vary or ()), ("ranges", ranges), ("directions", directions)):
        for name in given:
            if name not in names:
                raise ValueError(f"{option} names features of the model, got {name!r}.")
    read = {description.features[j].source for j in features_read([model.tree_])}
    by_parts = {f.source for f in description.features if f.what in _DATE_PARTS}
    freedoms = {}
    for j, name in enumerate(names):
        if j not in read or (vary is not None and name not in vary):
            continue
        is_fixed = np.isnan(row.values[j]) or j in by_parts
        if is_fixed and vary is not None:
            why = "its parts are features" if j in by_parts else "it is missing in the row"
            raise ValueError(f"vary names features that can change, got {name!r}: {why}.")
        if not is_fixed:
            freedoms[j] = _freedom(model, description, row.values[j], j, ranges, directions)
    return freedoms


def _freedom(
    model: Any,
    description: Description,
    value: float,
    j: int,
    ranges: Mapping[str, Sequence[Any]],
    directions: Mapping[str, str],
) -> Freedom:
    given, feature = description.inputs[j], description.features[j]
    direction = directions.get(given.name)
    if direction is not None:
        check_choice(f"directions[{given.name!r}]", direction, ("increase", "decrease"))
    if given.kind in ("levels", "boolean"):
        codes = _codes(given, value, ranges)
        if feature.levels is not None or feature.what == "encoded":
            if direction is not None:
                raise ValueError(f"directions needs an order, and {given.name!r} has none.")
            return Freedom(0.0, 0.0, codes=codes)
        low, high, unit = float(min(codes)), float(max(codes)), 1.0
    else:
        low, high = (_as_number(bound) for bound in ranges.get(given.name, (-np.inf, np.inf)))
        spread = getattr(model, "column_spread_", None)
        unit = 1.0 if spread is None else float(spread[_column(model.tree_, j)])
    if direction is not None:
        low, high = (max(low, value), high) if direction == "increase" else (low, min(high, value))
    is_whole = given.kind in ("levels", "boolean", "date")
    return Freedom(low, high, unit if 0.0 < unit < np.inf else 1.0, is_whole=is_whole)


def _column(tree: Any, feature: int) -> int:
    return int(np.flatnonzero(tree.column_feature == feature)[0])


def _codes(given: Input, value: float, ranges: Mapping[str, Sequence[Any]]) -> tuple[int, ...]:
    """Return the codes of the levels that a category may get, its own included."""
    levels = list(given.levels) or [False, True]
    allowed = list(ranges.get(given.name, levels))
    if any(level not in levels for level in allowed):
        raise ValueError(f"ranges[{given.name!r}] must list levels of {levels}, got {allowed}.")
    return tuple(sorted({int(value), *(levels.index(level) for level in allowed)}))


def _as_number(bound: Any) -> float:
    """Return a bound; of a date, days since 1970 began."""
    if isinstance(bound, str | dt.date):
        moment: Any = np.datetime64(bound, "us") - np.datetime64("1970-01-01", "us")
        return float(moment / np.timedelta64(1, "D"))
    return float(bound)


# ---------------------------------------------------------------------- the search


def _candidates(
    problem: ChangeProblem, wanted: _Wanted, row: _Row
) -> Iterator[tuple[list[float], float]]:
    """Yield rows that are predicted as wanted, and what they cost."""
    is_soft = problem.description.combination is Combination.SOFT
    for leaf, further in wanted.ways(problem):
        for margin in _MARGINS if is_soft else (0.0,):
            found = problem.solve([*problem.constraints(leaf, margin), *further])
            if found is None:
                break
            values, cost = found
            if wanted.holds(values):
                if is_soft:
                    values, cost = _shortened(problem, wanted, row, values, cost)
                yield values, cost
                break


def _shortened(
    problem: ChangeProblem, wanted: _Wanted, row: _Row, values: list[float], cost: float
) -> tuple[list[float], float]:
    """Return the first point on the way from the row that is predicted as wanted.

    Only numbers can be changed in part.
    """
    if any(problem.freedoms[j].is_whole or problem.freedoms[j].codes for j in problem.freedoms):
        return values, cost
    start, end = np.array(row.values), np.array(values)
    low, high = 0.0, 1.0
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        holds = wanted.holds((start + middle * (end - start)).tolist())
        low, high = (low, middle) if holds else (middle, high)
    return (start + high * (end - start)).tolist(), high * cost


def _rounded(
    row: _Row, values: list[float], freedoms: dict[int, Freedom], wanted: _Wanted
) -> list[float]:
    """Return the row with as few digits as keep the prediction, away from the row as it was."""

    def distance(values: list[float]) -> float:
        return sum(_cost(row, values, j, freedom) for j, freedom in freedoms.items())

    numbers = [
        j
        for j, freedom in freedoms.items()
        if values[j] != row.values[j] and not freedom.is_whole and not freedom.codes
    ]
    for digits in range(2, 16):
        made = list(values)
        for j in numbers:
            up = values[j] > row.values[j]
            short = _significant(values[j], digits, math.ceil if up else math.floor)
            made[j] = min(max(short, freedoms[j].low), freedoms[j].high)
        if wanted.holds(made) and distance(made) <= (1.0 + _ROUNDING) * distance(values):
            return made
    return values


def _significant(value: float, digits: int, rounding: Callable[[float], int]) -> float:
    if value == 0.0:
        return 0.0
    unit = 10.0 ** (math.floor(math.log10(abs(value))) - digits + 1)
    return float(f"{rounding(value / unit) * unit:.{digits}g}")


# ---------------------------------------------------------------------- in words


def _cost(row: _Row, values: Sequence[float], j: int, freedom: Freedom) -> float:
    if freedom.codes:
        return float(values[j] != row.values[j])
    return abs(values[j] - row.values[j]) / freedom.unit


def _changes(
    description: Description, row: _Row, values: Sequence[float], freedoms: dict[int, Freedom]
) -> tuple[Change, ...]:
    changed = [j for j in freedoms if values[j] != row.values[j]]
    changed.sort(key=lambda j: -_cost(row, values, j, freedoms[j]))
    return tuple(
        Change(
            description.inputs[j].name,
            _original(description.inputs[j], row.values[j]),
            _original(description.inputs[j], values[j]),
        )
        for j in changed
    )


def _original(given: Input, value: float) -> Any:
    """Return a value as the caller knows it."""
    if given.kind == "date":
        return date_of(value, with_time=value != round(value))
    if given.kind == "boolean":
        return bool(value)
    if given.kind == "levels":
        code = int(value)
        return given.levels[code] if code < len(given.levels) else "another level"
    return value


def _shown(value: Any) -> str:
    return number(value, 6) if isinstance(value, float) else str(value)
