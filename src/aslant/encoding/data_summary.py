"""What a table holds, and what in it deserves a look before a model is trusted.

A fit warns of the findings in one `DataWarning`; `data_summary` shows them with all columns. The
costly checks read a sample of the rows.
"""

from __future__ import annotations

import re
import warnings
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from aslant.encoding.choice import declared_columns
from aslant.encoding.columns import Column, Options
from aslant.encoding.data_warning import DataWarning
from aslant.encoding.fitting import fit_columns
from aslant.encoding.kinds import ColumnsRefused
from aslant.encoding.missing_indicators import informative
from aslant.encoding.table import InputTable, is_missing, read_table
from aslant.encoding.targets import quantity_in
from aslant.utils.checks import check_choice

Floats = npt.NDArray[np.float64]

_SAMPLE = 20_000  # rows that the costly checks read
_FEW_ROWS = 50  # below this, nothing is concluded from how values are distributed
_SENTINELS = (-99999, -9999, -999, -99, -9, -1, 99, 999, 9999, 99999, 999999)
_NAMES_OF_IDENTIFIERS = re.compile(r"(^|[_ .-])(id|key|index|no|nr|number)$", re.IGNORECASE)
_BINS = 64
_LEAKING = {"accuracy": 0.99, "R2": 0.95}  # of one column by itself, at least
_RARE_CLASS = 10  # rows


@dataclass(frozen=True)
class Finding:
    """Something in the data that deserves a look.

    Attributes
    ----------
    column : str or None
        The column; None if it is about the rows or the target.
    problem : str
        What was found.
    advice : str
        What to do.
    refused : bool
        Whether a fit refuses the column as it is.
    """

    column: str | None
    problem: str
    advice: str
    refused: bool = False

    def __str__(self) -> str:
        subject = "" if self.column is None else f"column {self.column!r} "
        return f"{subject}{self.problem}: {self.advice}"


@dataclass(frozen=True)
class ColumnSummary:
    """A column of the table.

    Attributes
    ----------
    name, kind : str
        Name and kind; the kind of a refused column is "refused".
    description : str
        Kind, levels and missing values in a few words, and how the kind was decided.
    missing : float
        Share of the rows in which it is missing.
    informative : bool or None
        Whether missingness depends on the target; None if that is not known.
    levels : int or None
        Number of levels of a category.
    """

    name: str
    kind: str
    description: str
    missing: float = 0.0
    informative: bool | None = None
    levels: int | None = None


@dataclass(frozen=True)
class DataSummary:
    """What `data_summary` returns; its text is a line for each column and each finding.

    Attributes
    ----------
    n_rows, n_duplicates : int
        Rows, and those that equal an earlier row, the target included.
    columns : list of ColumnSummary
        The columns.
    target : str
        The target in a few words; empty if there is none.
    findings : list of Finding
        What deserves a look.
    """

    n_rows: int
    n_duplicates: int
    columns: list[ColumnSummary]
    target: str
    findings: list[Finding]

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def lines(self) -> list[str]:
        """Return the text as lines."""
        duplicates = f", {self.n_duplicates} of them duplicates" if self.n_duplicates else ""
        first = f"{self.n_rows} rows{duplicates}"
        target = [f"target: {self.target}"] if self.target else []
        columns = [f"{column.name}: {column.description}" for column in self.columns]
        return [first, *target, *columns, *(f"Check: {finding}." for finding in self.findings)]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return asdict(self)


def data_summary(
    X: Any,
    y: Any = None,
    *,
    categorical_features: Any = "from_dtype",
    task: Literal["classification", "regression"] | None = None,
) -> DataSummary:
    """Describe a table before a fit: kinds of columns, missing values, and what deserves a look.

    Looked for are identifiers, also numeric ones, free text, codes for missing values such as
    -999, levels that differ in case only, constant and equal columns, duplicate rows, rare
    classes, and columns that nearly decide the target by themselves, which may be leakage.

    Parameters
    ----------
    X : array-like or data frame of shape (n_samples, n_features)
        The rows.
    y : array-like of shape (n_samples,), optional
        The target.
    categorical_features : 'from_dtype', None, mask, indices or names, default='from_dtype'
        As for the estimators.
    task : {"classification", "regression"}, optional
        What the target is; else its values decide.

    Returns
    -------
    DataSummary
        The summary; ``print`` shows it.

    Examples
    --------
    >>> import pandas as pd
    >>> from aslant import data_summary
    >>> frame = pd.DataFrame({"age": [31, 45, -999, 62] * 20, "ward": ["North", "north"] * 40})
    >>> summary = data_summary(frame)
    >>> for finding in summary.findings:
    ...     print(finding.column, finding.problem, sep=": ")
    None: 76 rows equal an earlier row
    age: holds -999 in 20 rows, far from all other values
    ward: has levels that differ in case or blanks only, 'North' and 'north'
    """
    if task is not None:
        check_choice("task", task, ("classification", "regression"))
    table = read_table(X)
    table.check_not_empty()
    by_type = isinstance(categorical_features, str) and categorical_features == "from_dtype"
    declared = declared_columns(table, categorical_features)
    fitted, refused = _fitted(table, declared, by_type)
    encoded = np.empty((table.n_rows, len(fitted)), order="F")
    for place, (j, column) in enumerate(fitted.items()):
        encoded[:, place] = column.encode(table.columns[j])
    target = None if y is None else _Target.of(y, table.n_rows, task)
    y = None if target is None else target.values
    n_classes = 0 if target is None else len(target.labels)
    found = findings(list(fitted.values()), encoded, y, n_classes)
    n_duplicates = _n_duplicates(encoded, target)
    about_rows = _about_rows(n_duplicates, target)
    described = {
        j: _described(column, encoded[:, place], target, table.families[j], j in declared)
        for place, (j, column) in enumerate(fitted.items())
    }
    for j, finding in refused.items():
        described[j] = ColumnSummary(table.name(j), "refused", finding.problem)
    return DataSummary(
        table.n_rows,
        n_duplicates,
        [described[j] for j in sorted(described)],
        "" if target is None else target.description,
        [*about_rows, *refused.values(), *found],
    )


def warn_about(
    columns: Sequence[Column], encoded: Any, y: npt.NDArray[Any], n_classes: int
) -> None:
    """Warn of all findings of a fit at once."""
    first = y if y.ndim == 1 else y[:, 0]
    found = findings(columns, encoded, first, n_classes)
    if found:
        listed = "; ".join(map(str, found))
        warnings.warn(f"The data deserves a look: {listed}.", DataWarning, stacklevel=4)


# ---------------------------------------------------------------------- the target


@dataclass(frozen=True)
class _Target:
    values: npt.NDArray[Any]  # class codes, or numbers
    labels: list[Any]  # the classes; none for regression

    @classmethod
    def of(cls, y: Any, n_rows: int, task: str | None) -> _Target:
        values = np.asarray(y)
        if values.ndim == 2 and values.shape[1] == 1:
            values = values[:, 0]
        if values.ndim != 1 or len(values) != n_rows:
            raise ValueError(
                f"y must have one value for each of the {n_rows} rows, got an array of shape "
                f"{values.shape}."
            )
        if task is None:
            numeric = values.dtype.kind in "fiu" and quantity_in(values) is not None
            task = "regression" if numeric else "classification"
        if task == "regression":
            return cls(values.astype(np.float64), [])
        if values.dtype.kind in "biuUS":
            labels, codes = np.unique(values, return_inverse=True)
            return cls(codes.astype(np.int64), labels.tolist())
        present = sorted({value for value in values.tolist() if not is_missing(value)}, key=str)
        code = {label: number for number, label in enumerate(present)}
        return cls(np.array([code.get(value, -1) for value in values.tolist()]), present)

    @property
    def counts(self) -> list[int]:
        return np.bincount(self.values[self.values >= 0], minlength=len(self.labels)).tolist()

    @property
    def description(self) -> str:
        if not self.labels:
            low, high = np.nanmin(self.values), np.nanmax(self.values)
            return f"numbers from {low:g} to {high:g}"
        pairs = [f"{label} {count}" for label, count in zip(self.labels, self.counts, strict=True)]
        more = ", ..." if len(pairs) > 8 else ""
        return f"{len(pairs)} classes, {', '.join(pairs[:8])}{more}"


def _about_rows(n_duplicates: int, target: _Target | None) -> list[Finding]:
    found = []
    if n_duplicates:
        rows = "1 row equals" if n_duplicates == 1 else f"{n_duplicates} rows equal"
        advice = "check whether they are cases of their own"
        found.append(Finding(None, f"{rows} an earlier row", advice))
    if target is None or len(target.labels) < 2 or sum(target.counts) < _FEW_ROWS:
        return found
    pairs = zip(target.labels, target.counts, strict=True)
    rare = [f"{label!r} ({count})" for label, count in pairs if count < _RARE_CLASS]
    if rare:
        problem = f"classes with fewer than {_RARE_CLASS} rows, {', '.join(rare[:5])}"
        found.append(Finding(None, problem, "merge them, leave them out, or collect more rows"))
    return found


# ---------------------------------------------------------------------- columns


def _fitted(
    table: InputTable, declared: list[int], by_type: bool
) -> tuple[dict[int, Column], dict[int, Finding]]:
    """Return the columns that a fit can use, and what is wrong with the others, by position."""
    fitted, refused = {}, {}
    options = Options(max_levels=None)
    for j, column in enumerate(table.columns):
        one = InputTable([column], [table.name(j)], table.n_rows)
        try:
            (fitted[j],) = fit_columns(one, [0] if j in declared else [], options, by_type=by_type)
        except ColumnsRefused as error:
            reason = error.reasons[table.name(j)]
            advice = "leave the column out, or declare it a category"
            refused[j] = Finding(table.name(j), reason, advice, refused=True)
    return fitted, refused


def _described(
    column: Column, values: Floats, target: _Target | None, family: str, declared: bool
) -> ColumnSummary:
    is_informative = None
    if target is not None and 0.0 < column.missing < 1.0:
        y = target.values
        codes = y if target.labels else (y > np.nanmean(y)).astype(np.int64)
        known = codes >= 0
        missing = np.isnan(values[known])[:, np.newaxis]
        is_informative = bool(informative(missing, codes[known], np.ones(known.sum()))[0])
    how = "declared" if declared else "by its values" if family == "objects" else "by its type"
    text = f"{column.describe()} ({how})"
    if is_informative:
        text += "; missingness is informative, so missing='auto' adds an indicator"
    if column.kind == "date":
        text += "; becomes days since 1970, and date_parts adds year, month, day, weekday or hour"
    n_levels = len(column.levels) if column.kind in ("category", "ordered") else None
    return ColumnSummary(column.name, column.kind, text, column.missing, is_informative, n_levels)


def _n_duplicates(encoded: Floats, target: _Target | None) -> int:
    keys = np.zeros(len(encoded), dtype=np.uint64)
    columns = [*encoded.T, *([] if target is None else [target.values.astype(np.float64)])]
    with np.errstate(over="ignore"):
        for column in columns:
            keys = (keys ^ _bits(column)) * np.uint64(0x9E3779B97F4A7C15)
            keys ^= keys >> np.uint64(29)
    keys.sort()
    return int((keys[1:] == keys[:-1]).sum())


def _bits(column: Floats) -> npt.NDArray[np.uint64]:
    """Return the bits of numbers; equal numbers, and all missing values, have the same."""
    values = np.ascontiguousarray(column, dtype=np.float64) + 0.0
    values[np.isnan(values)] = np.nan
    return values.view(np.uint64)


# ---------------------------------------------------------------------- findings


def findings(
    columns: Sequence[Column], encoded: Any, y: npt.NDArray[Any] | None, n_classes: int
) -> list[Finding]:
    """Return what deserves a look in columns, given their encoded values.

    Parameters
    ----------
    columns : sequence of Column
        The columns.
    encoded : ndarray of shape (n_rows, n_columns or more)
        Numbers, days, codes of levels; NaN is missing.
    y : ndarray of shape (n_rows,) or None
        Class codes (-1 is missing) or numbers.
    n_classes : int
        Number of classes; 0 for regression.
    """
    n_rows = encoded.shape[0]
    rows = np.arange(n_rows)
    if n_rows > _SAMPLE:
        rows = np.sort(np.random.default_rng(0).choice(n_rows, _SAMPLE, replace=False))
    found: list[Finding] = []
    seen: dict[int, list[int]] = defaultdict(list)
    target = None if y is None or n_rows < _FEW_ROWS else _in_units(y[rows])
    for j, column in enumerate(columns):
        if column.kind == "unused":
            continue
        values = np.asarray(encoded[rows, j], dtype=np.float64)
        with np.errstate(all="ignore"):  # differences of extreme values
            found += _of_column(column, values)
            if target is not None:
                found += _leaks(column, values, target, n_classes)
        same = hash(_bits(values).tobytes())
        twin = next((k for k in seen[same] if _equal(encoded, j, k)), None)
        known = values[~np.isnan(values)]
        if twin is not None and len(known) and known.min() < known.max():
            problem = f"equals column {columns[twin].name!r} in every row"
            found.append(Finding(column.name, problem, "leave one of them out"))
        seen[same].append(j)
    return found


def _in_units(y: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return numbers divided by the largest, so that no square overflows; class codes as given."""
    largest = np.abs(y).max(initial=0)
    return y if y.dtype.kind in "biu" or not 0.0 < largest < np.inf else y / largest


def _equal(encoded: Any, j: int, k: int) -> bool:
    return bool(np.array_equal(encoded[:, j], encoded[:, k], equal_nan=True))


def _of_column(column: Column, values: Floats) -> Iterator[Finding]:
    known = values[~np.isnan(values)]
    if len(known) == 0:
        yield Finding(column.name, "has no values", "leave it out")
        return
    distinct, counts = np.unique(known, return_counts=True)
    if len(distinct) == 1 and len(known) == len(values) > 1:
        yield Finding(column.name, "has the same value in every row", "leave it out")
    if column.kind == "number" and len(known) >= _FEW_ROWS:
        if _is_identifier(column.name, known, distinct):
            problem = f"looks like an identifier: {len(distinct)} different integers"
            yield Finding(column.name, problem, "leave it out unless it is a quantity")
        for value, count in _sentinels(distinct, counts):
            problem = f"holds {value:g} in {count} rows, far from all other values"
            advice = "if it stands for a missing value, replace it"
            yield Finding(column.name, problem, advice)
    yield from _variants(column)


def _is_identifier(name: str, known: Floats, distinct: Floats) -> bool:
    """Whether integers number the rows: all different, and in order, without gaps, or named so."""
    if len(distinct) < len(known) or (known != np.round(known)).any():
        return False
    dense = distinct[-1] - distinct[0] < 2 * len(known)
    in_order = bool((np.diff(known) > 0.0).all())
    return dense or in_order or _NAMES_OF_IDENTIFIERS.search(name) is not None


def _sentinels(distinct: Floats, counts: npt.NDArray[np.intp]) -> Iterator[tuple[float, int]]:
    """Yield usual codes for missing values at the ends of a column, and how often they occur."""
    for end, others in ((0, distinct[1:]), (-1, distinct[:-1])):
        value, count = float(distinct[end]), int(counts[end])
        if value not in _SENTINELS or len(others) < 2 or count < max(3, 0.002 * counts.sum()):
            continue
        gap = abs(value - float(others[0 if end == 0 else -1]))
        spread = float(others[-1] - others[0])
        # Few negative numbers are far away from numbers that are all positive.
        if gap > 0.5 * spread and (abs(value) > 9 or gap > 2.0 * spread):
            yield value, count


def _variants(column: Column) -> Iterator[Finding]:
    """Yield levels that differ in case or blanks only."""
    if column.kind not in ("category", "ordered"):
        return
    alike: dict[str, list[str]] = defaultdict(list)
    for level in [*column.levels, *column.merged]:
        if isinstance(level, str):
            alike[" ".join(level.split()).casefold()].append(level)
    several = [texts for texts in alike.values() if len(texts) > 1]
    if several:
        listed = ", ".join(" and ".join(map(repr, texts)) for texts in several[:3])
        problem = f"has levels that differ in case or blanks only, {listed}"
        yield Finding(column.name, problem, "write them alike")


def _leaks(
    column: Column, values: Floats, y: npt.NDArray[Any], n_classes: int
) -> Iterator[Finding]:
    """Yield a column that nearly decides the target by itself, learned on half of the rows."""
    half = np.random.default_rng(0).random(len(y)) < 0.5
    if n_classes:
        known, groups = y >= 0, _groups(column, values)
        score, least = _accuracy(groups[known], y[known], half[known], n_classes)
        shown, enough = f"{100 * score:.3g} % accuracy", _LEAKING["accuracy"]
    else:
        score, least = _r2(column, values, y, half), 0.0
        shown, enough = f"R2 {score:.3g}", _LEAKING["R2"]
    if score >= enough and 1.0 - score <= 0.1 * (1.0 - least):
        problem = f"decides the target almost by itself ({shown})"
        advice = "if it is not known at prediction time, leave it out"
        yield Finding(column.name, problem, advice)


def _groups(column: Column, values: Floats) -> npt.NDArray[np.intp]:
    """Return the level of each row, or one of many intervals; missing values are a group."""
    known = values[~np.isnan(values)]
    if column.kind == "category":
        _, groups = np.unique(values, return_inverse=True)
    else:
        edges = (
            np.unique(np.quantile(known, np.linspace(0, 1, _BINS + 1)[1:-1]))
            if len(known)
            else known
        )
        groups = np.searchsorted(edges, values) + 1
        groups[np.isnan(values)] = 0
    return groups


def _accuracy(
    groups: npt.NDArray[np.intp], y: npt.NDArray[Any], half: npt.NDArray[np.bool_], n_classes: int
) -> tuple[float, float]:
    """Return the accuracy of the majority class of each group, and of the largest class."""
    if not half.any() or half.all():
        return 0.0, 0.0
    table = np.zeros((groups.max() + 1, n_classes))
    np.add.at(table, (groups[half], y[half]), 1.0)
    overall = int(table.sum(axis=0).argmax())
    majority = np.where(table.sum(axis=1) > 0, table.argmax(axis=1), overall)
    truth = y[~half]
    return float((majority[groups[~half]] == truth).mean()), float((truth == overall).mean())


def _r2(column: Column, values: Floats, y: Floats, half: npt.NDArray[np.bool_]) -> float:
    """Return R2 of the mean of each level, or of lines between the points of half of the rows."""
    size = float(np.abs(y).max(initial=0.0))
    y = y / size if size > 0.0 else y  # so that no square overflows
    truth = y[~half]
    if not half.any() or not len(truth):
        return 0.0
    mean = y[half].mean()
    spread = float(((truth - truth.mean()) ** 2).sum())
    if not np.isfinite(spread) or spread == 0.0:
        return 0.0
    known = half & ~np.isnan(values)
    points, place = np.unique(values[known], return_inverse=True)
    if len(points) == 0:
        return 0.0
    means = np.bincount(place, y[known]) / np.bincount(place)
    guess = np.interp(values[~half], points, means)
    if column.kind == "category":
        guess = np.where(np.isin(values[~half], points), guess, mean)
    return 1.0 - float(((truth - np.where(np.isnan(guess), mean, guess)) ** 2).sum()) / spread
