"""One column of the caller's table: what was found out about it, and how it becomes numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from aslant.encoding import dates, levels
from aslant.encoding.kinds import Kind
from aslant.encoding.table import is_missing, numbers, present
from aslant.utils.checks import check_choice, check_number

Values = Sequence[Any] | npt.NDArray[np.float64]
MANY_LEVELS = ("shares", "merge")


@dataclass(frozen=True)
class Options:
    """How columns become numbers, as the parameters of the estimators say it.

    Attributes
    ----------
    min_frequency : int, float or None
        Levels with fewer rows (a float: a smaller share of them) are merged into "other".
    max_levels : int or None
        A category with more levels than this is treated as `many_levels` says.
    many_levels : {"shares", "merge"}
        A level stands for the shares of the classes in it; or all but the most frequent are merged.
    date_parts : sequence of str
        Parts of dates that become features of their own.
    indicator : {"never", "telling", "always"}
        Whether a feature that says where a column is missing is added: never, where that differs
        between the classes (a chi-squared test), or wherever values are missing.
    """

    min_frequency: float | None = None
    max_levels: int | None = None
    many_levels: str = "shares"
    date_parts: Sequence[str] = ()
    indicator: Literal["never", "telling", "always"] = "never"

    def check(self) -> None:
        """Raise one clear error if a parameter has no meaning."""
        self.least_rows(1)
        if self.max_levels is not None:
            check_number("max_levels", self.max_levels, 2, whole=True)
        check_choice("many_levels", self.many_levels, MANY_LEVELS)
        if isinstance(self.date_parts, str) or not isinstance(self.date_parts, Sequence):
            raise TypeError(
                f"date_parts must be a sequence of {', '.join(dates.DATE_PARTS)}, got "
                f"{self.date_parts!r}."
            )
        for part in self.date_parts:
            check_choice("date_parts", part, dates.DATE_PARTS)

    def least_rows(self, n_rows: int) -> float:
        """Return the rows that a level needs to stay."""
        least = self.min_frequency
        if least is None:
            return 0.0
        if isinstance(least, float | np.floating):
            check_number("min_frequency", least, 0.0, 1.0)
            return float(least * n_rows)
        check_number("min_frequency", least, 1, whole=True)
        return least


@dataclass(frozen=True)
class Column:
    """A column of the table that an estimator was fitted to.

    Attributes
    ----------
    name : str
        Its name.
    kind : {"number", "boolean", "date", "duration", "ordered", "category", "unused"}
        What it was taken for.
    missing : float
        Share of the training rows in which it is missing.
    levels : list
        Of a category, ordered or not: its levels in the order of their codes. The last one is a
        name for all rare ones if `merged` is not empty.
    merged : list
        The levels that were too rare, or too many.
    encoding : {"number", "levels", "shares"}
        Whether the tree reads it as a number, by its levels, or by the class shares of its levels.
    date_format : str or None
        Of dates in texts: which of the numbers comes first.
    """

    name: str
    kind: Kind
    missing: float = 0.0
    levels: list[Any] = field(default_factory=list)
    merged: list[Any] = field(default_factory=list)
    encoding: Literal["number", "levels", "shares"] = "number"
    date_format: str | None = None

    def encode(self, column: Values) -> npt.NDArray[np.float64]:
        """Return the values as numbers; codes of levels are -1 for one that training never saw."""
        if self.kind in ("category", "ordered"):
            return self._codes(column)
        if self.kind == "unused":
            return np.full(len(column), np.nan)
        if self.kind == "date":
            return np.array([self._days(value) for value in column])
        if self.kind == "duration":
            return np.array([dates.duration(value) for value in column])
        return numbers(column, self.name)

    def _codes(self, column: Values) -> npt.NDArray[np.float64]:
        code = {level: number for number, level in enumerate(self.levels)}
        unseen = -1.0 if self.encoding == "shares" else np.nan
        if self.merged:
            # A level that is called "other" but was not a level before is one of the others.
            code |= dict.fromkeys(self.merged, len(self.levels) - 1)
            unseen = len(self.levels) - 1.0
        found = levels.codes(column, code, self.name)
        found[found < 0] = unseen
        return found

    def _days(self, value: Any) -> float:
        if is_missing(value):
            return np.nan
        found = dates.moment(value, self.date_format)
        if found is None:
            raise ValueError(
                f"Feature {self.name!r} holds {value!r}, which is not a date like those it was "
                "fitted to."
            )
        return dates.days(found)

    def describe(self) -> str:
        """Return kind and levels in a few words."""
        text: str = self.kind
        if self.kind in ("category", "ordered"):
            text += f", {len(self.levels)} levels"
        if self.merged:
            text += f", {len(self.merged)} more merged into {self.levels[-1]!r}"
        if self.encoding == "shares":
            text += ", read by their shares of the classes"
        if self.missing > 0.0:
            text += f", {100 * self.missing:.2g} % missing"
        return text

    def to_state(self) -> dict[str, Any]:
        """Return the column as plain values."""
        return asdict(self)

    @classmethod
    def from_state(cls, state: dict[str, Any]) -> Column:
        """Rebuild a column from what `to_state` returned; ValueError if it is none."""
        column = cls(**state)
        well = (
            isinstance(column.name, str)
            and column.kind in get_args(Kind)
            and column.encoding in ("number", "levels", "shares")
            and isinstance(column.missing, float | int)
            and type(column.levels) is list
            and type(column.merged) is list
            and (column.date_format is None or isinstance(column.date_format, str))
            and (not column.merged or len(column.levels) > 0)
            and (column.encoding == "number" or column.kind == "category")
        )
        if not well:
            raise ValueError("a column of the encoder is not one")
        return column


def fit_column(
    name: str,
    kind: Kind,
    column: Values,
    order: list[Any] | None,
    options: Options,
    date_format: str | None = None,
) -> Column:
    """Learn the levels of a column, and how it is to be read."""
    if isinstance(column, np.ndarray):
        missing = float(np.isnan(column).mean())
    else:
        missing = (len(column) - len(present(column))) / max(1, len(column))
    if order is not None and kind == "ordered":
        return Column(name, "ordered", missing, levels=order)
    if kind != "category":
        return Column(name, kind, missing, date_format=date_format)
    return category_of(name, missing, levels.counted_levels(column, name), len(column), options)


def category_of(
    name: str, missing: float, counts: Counter[Any], n_rows: int, options: Options
) -> Column:
    """Return a category, given how often each level occurs in how many rows."""
    kind: Kind = "category"
    many = options.max_levels is not None and len(counts) > options.max_levels
    if many and options.many_levels == "shares":
        return Column(name, kind, missing, levels.in_order(counts), encoding="shares")
    least = options.least_rows(n_rows)
    kept, merged = levels.merge_rare(counts, least, options.max_levels)
    if merged:
        kept = [*kept, levels.name_of_merged([*kept, *merged])]
    return Column(name, kind, missing, kept, merged, "levels")
