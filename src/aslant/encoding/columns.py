"""One column of the caller's table: its kind, its levels, and how it becomes numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from aslant.encoding import dates, levels, table
from aslant.encoding.kinds import Kind
from aslant.encoding.table import RawColumn, is_missing
from aslant.utils.checks import check_choice, check_number

Encoding = Literal["number", "levels", "target"]
#: The parameters of every estimator that say how its columns become numbers.
ENCODING_PARAMETERS = (
    "categorical_features",
    "max_levels",
    "min_frequency",
    "high_cardinality",
    "missing",
    "date_parts",
)
HIGH_CARDINALITY = ("target", "merge")
MISSING = ("auto", "node_mean", "training_mean", "indicator")
_INDICATOR: dict[str, Literal["informative", "always"]] = {
    "auto": "informative",
    "indicator": "always",
}


@dataclass(frozen=True)
class Options:
    """How columns become numbers: the encoding parameters of the estimators.

    Attributes
    ----------
    min_frequency : int, float or None
        Levels with fewer rows (a float: a smaller share of the rows) are merged into "other".
    max_levels : int or None
        A category that still has more levels than this is encoded as `high_cardinality` says.
    high_cardinality : {"target", "merge"}
        Target encoding, or all but the most frequent levels are merged into "other".
    date_parts : sequence of str
        Parts of dates that become features of their own.
    missing : {"auto", "node_mean", "training_mean", "indicator"}
        What stands in for a missing value, and whether missing indicators are added.
    """

    min_frequency: float | None = None
    max_levels: int | None = 30
    high_cardinality: str = "target"
    date_parts: Sequence[str] = ()
    missing: str = "auto"

    @property
    def indicator(self) -> Literal["never", "informative", "always"]:
        """Whether a missing indicator is added: never, if missingness is informative, or always."""
        return _INDICATOR.get(self.missing, "never")

    def check(self) -> None:
        """Validate the parameters."""
        self.least_rows(1)
        if self.max_levels is not None:
            check_number("max_levels", self.max_levels, 2, integer=True)
        check_choice("high_cardinality", self.high_cardinality, HIGH_CARDINALITY)
        check_choice("missing", self.missing, MISSING)
        parts: Any = self.date_parts
        if isinstance(parts, str) or not isinstance(parts, Sequence):
            raise TypeError(
                f"date_parts must be a sequence of {', '.join(dates.DATE_PARTS)}, got {parts!r}."
            )
        for part in parts:
            check_choice("date_parts", part, dates.DATE_PARTS)

    def least_rows(self, n_rows: int) -> float:
        """Return the number of rows below which a level is merged into "other"."""
        least: Any = self.min_frequency
        if least is None:
            return 0.0
        if isinstance(least, float | np.floating):
            check_number("min_frequency", least, 0.0, 1.0)
            return float(least * n_rows)
        check_number("min_frequency", least, 1, integer=True)
        return float(least)


@dataclass(frozen=True)
class Column:
    """A column of the table that an estimator was fitted to.

    Attributes
    ----------
    name : str
        Its name.
    kind : {"number", "boolean", "date", "duration", "ordered", "category", "unused"}
        Its kind; "unused" if the estimator never reads it, whatever it holds.
    missing : float
        Share of the training rows in which it is missing.
    levels : list
        Levels of a category, ordered or not, in the order of their codes. The last one is "other"
        if `merged` is not empty.
    merged : list
        The levels that were merged into "other".
    encoding : {"number", "levels", "target"}
        Whether the tree reads it as a number, by its levels, or by target encoding.
    date_format : str or None
        Of dates in texts: which of the numbers comes first.
    """

    name: str
    kind: Kind
    missing: float = 0.0
    levels: list[Any] = field(default_factory=list)
    merged: list[Any] = field(default_factory=list)
    encoding: Encoding = "number"
    date_format: str | None = None

    def encode(
        self, column: RawColumn, unseen: dict[str, str] | None = None
    ) -> npt.NDArray[np.float64]:
        """Return the values as numbers; a level that training never saw is -1, "other" or NaN.

        What was unseen is added to `unseen`, by the name of the column.

        Raises
        ------
        ValueError
            If the values are not of the kind that the column was fitted as.
        """
        if self.kind == "unused":
            return np.full(len(column), np.nan)
        if self.kind in ("category", "ordered"):
            return self._codes(column, unseen)
        family = table.family_of(column)
        if self.kind in ("date", "duration"):
            if family == self.kind:
                return table.days(column)
            return table.days_of(self._moments(column))
        if family in ("number", "boolean"):
            found = table.floats(column)
        else:
            try:
                found = table.parsed_floats(table.values(column))
            except table.NotANumber as error:
                raise self._wrong_kind(error.value) from None
        if np.isinf(found).any():
            raise ValueError(
                f"Feature {self.name!r} contains infinity or a value too large for float64."
            )
        return found

    def _codes(self, column: RawColumn, unseen: dict[str, str] | None) -> npt.NDArray[np.float64]:
        code = {level: number for number, level in enumerate(self.levels)}
        other = -1.0 if self.encoding == "target" else np.nan
        if self.merged:
            # A value "other" that was not a level in training is unseen, hence "other" too.
            code |= dict.fromkeys(self.merged, len(self.levels) - 1)
            other = len(self.levels) - 1.0
        quickly = table.codes_of(column, code)
        column = column if quickly is not None else table.values(column)
        found = levels.codes(column, code, self.name) if quickly is None else quickly
        if quickly is None and not (found >= 0).any():
            self._check_unseen(column)
        strange = np.flatnonzero(found < 0)
        if len(strange) and unseen is not None:
            rows = "1 row" if len(strange) == 1 else f"{len(strange)} rows"
            example = f"such as {column[int(strange[0])]!r:.80}"
            unseen[self.name] = f"{example}, in {rows}; they count as {self.unseen_as}"
        found[strange] = other
        return found

    def _check_unseen(self, column: Sequence[Any]) -> None:
        """Validate that a column without any known level holds text if all its levels are text."""
        present = table.present(column)
        if present and self.levels and all(type(level) is str for level in self.levels):
            other = next((value for value in present if not isinstance(value, str)), None)
            if other is not None:
                raise self._wrong_kind(other)

    def _moments(self, column: RawColumn) -> npt.NDArray[Any]:
        """Return dates as datetime64 or durations as timedelta64, NaT where they are missing."""
        texts = list(table.text_counts(column) or {})
        place = table.codes_of(column, {text: k for k, text in enumerate(texts)})
        if place is not None:  # every text is read once
            moments = np.append(self._moments_of(texts), np.datetime64("NaT", "us"))
            return np.asarray(moments[np.nan_to_num(place, nan=-1.0).astype(np.intp)])
        return self._moments_of(table.values(column))

    def _moments_of(self, values: Sequence[Any]) -> npt.NDArray[Any]:
        code = "M8[us]" if self.kind == "date" else "m8[us]"
        found = np.full(len(values), "NaT", dtype=code)
        for row, value in enumerate(values):
            if is_missing(value):
                continue
            known = (
                dates.moment(value, self.date_format)
                if self.kind == "date"
                else dates.duration(value)
            )
            if known is None:
                raise self._wrong_kind(value)
            found[row] = known
        return found

    def _wrong_kind(self, value: Any) -> ValueError:
        like = {
            "number": "a number; name the feature in categorical_features to use it as a category",
            "boolean": "a boolean or a number",
            "date": "a date like those in training",
            "duration": "a duration as in training",
        }.get(self.kind, f"text as in training, such as {self.levels[0]!r}" if self.levels else "")
        return ValueError(f"Feature {self.name!r} holds {value!r:.80}, which is not {like}.")

    @property
    def unseen_as(self) -> str:
        """What a level counts as that training never saw."""
        if self.merged:
            return repr(self.levels[-1])
        return "an average level" if self.encoding == "target" else "missing"

    def describe(self) -> str:
        """Return kind and levels in a few words."""
        text: str = self.kind
        if self.kind in ("category", "ordered"):
            text += f", {len(self.levels)} levels"
        if self.merged:
            text += f", {len(self.merged)} more merged into {self.levels[-1]!r}"
        if self.encoding == "target":
            text += ", target encoded"
        if self.missing > 0.0:
            text += f", {100 * self.missing:.2g} % missing"
        return text

    def to_state(self) -> dict[str, Any]:
        """Return the column as plain values."""
        return asdict(self)

    @classmethod
    def from_state(cls, state: dict[str, Any]) -> Column:
        """Rebuild a column from what `to_state` returned; ValueError if it is not valid."""
        if state.get("encoding") == "shares":  # the name of target encoding in older files
            state = {**state, "encoding": "target"}
        column: Any = cls(**state)  # of whatever types the file has
        valid = (
            isinstance(column.name, str)
            and column.kind in get_args(Kind)
            and column.encoding in get_args(Encoding)
            and isinstance(column.missing, float | int)
            and type(column.levels) is list
            and type(column.merged) is list
            and (column.date_format is None or isinstance(column.date_format, str))
            and (not column.merged or len(column.levels) > 0)
            and (column.encoding == "number" or column.kind == "category")
        )
        if not valid:
            raise ValueError("a column of the encoder is not valid")
        return column


def fit_column(
    name: str, kind: Kind, column: RawColumn, options: Options, date_format: str | None = None
) -> Column:
    """Learn the levels of a column, and how it is encoded."""
    if kind in ("number", "boolean") and table.family_of(column) in ("number", "boolean"):
        return Column(name, kind, float(np.isnan(table.floats(column)).mean()))
    n_rows = len(column)
    texts = table.text_counts(column)
    values: list[Any] = []
    if texts is not None:
        n_known = sum(texts.values())
    elif table.family_of(column) in ("date", "duration") and kind != "category":
        n_known = n_rows - table.missing_count(column)
    else:
        values = table.values(column)
        n_known = len(table.present(values))
    missing = (n_rows - n_known) / max(1, n_rows)
    if kind == "ordered":
        return Column(name, kind, missing, levels=table.ordered_levels(column) or [])
    if kind != "category":
        return Column(name, kind, missing, date_format=date_format)
    counts = levels.counted_levels(values, name) if texts is None else Counter(texts)
    return category_of(name, missing, counts, n_rows, options)


def category_of(
    name: str, missing: float, counts: Counter[Any], n_rows: int, options: Options
) -> Column:
    """Return a category, given how often each level occurs in how many rows.

    Rare levels are merged first; `max_levels` limits those that are left.
    """
    kept, merged = levels.merge_rare(counts, options.least_rows(n_rows), None)
    encoding: Encoding = "levels"
    if options.max_levels is not None and len(kept) + bool(merged) > options.max_levels:
        if options.high_cardinality == "target":
            encoding = "target"
        else:
            least = options.least_rows(n_rows)
            kept, merged = levels.merge_rare(counts, least, options.max_levels)
    if merged:
        kept = [*kept, levels.name_of_merged([*kept, *merged])]
    return Column(name, "category", missing, kept, merged, encoding)
