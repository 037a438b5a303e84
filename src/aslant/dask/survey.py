"""The first passes over all rows: columns, classes, weights, and facts that searches need.

In each pass the partitions return sums, which are merged. From the sums follows what the ordinary
estimator computes from the rows.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import validate_data

from aslant import _core
from aslant.dask.part import Array, FitPlan, Floats, Part
from aslant.dask.sums import added, exact_sum
from aslant.encoding import Column, FeatureEncoder, levels
from aslant.encoding.choice import declared_columns
from aslant.encoding.columns import category_of
from aslant.encoding.kinds import Kind
from aslant.encoding.table import is_frame, missing_count, ordered_levels, read_table, values
from aslant.encoding.target_encoding import FOLDS, folds_by_number, level_counts, looked_up
from aslant.encoding.targets import check_labels
from aslant.encoding.weights import WeightScale, own_weights
from aslant.estimators.access import encoding_options
from aslant.estimators.regressor import check_regression_target

Matrix = npt.NDArray[np.floating[Any]]
# Kinds of columns by their types; any other is a number.
_KINDS: dict[str, Kind] = {"boolean": "boolean", "date": "date", "duration": "duration"}
# Distinct rows are counted up to this number.
_MOST_DISTINCT = 1 << 16


@dataclass(frozen=True)
class Block:
    """One partition as the caller has it."""

    X: Any
    y: Any
    weight: Any = None

    def __len__(self) -> int:
        return int(self.X.shape[0])


# ---------------------------------------------------------------------- the first look


@dataclass
class FirstLook:
    """Columns, targets and weights of partitions; rows of weight zero count as rows only."""

    rows: list[int]  # of every partition
    missing: Array  # rows, by column
    counts: dict[int, Counter[Any]]  # levels, by categorical column
    labels: Counter[Any] = field(default_factory=Counter)
    largest: float = 0.0  # absolute regression target
    lowest: Any = np.inf  # of each output
    sums: list[tuple[float, float]] = field(default_factory=list)  # of the weights
    all_whole: bool = True
    most: dict[Any, float] = field(default_factory=dict)  # largest weight of each class, or of all
    weighing: int = 0  # rows of positive weight


def first_look(block: Block, categories: dict[int, str], classes: bool, meta: Any) -> FirstLook:
    """Look at the rows of one partition."""
    _check_columns(block.X, meta)
    n_rows = len(block)
    look = FirstLook([n_rows], np.zeros(block.X.shape[1], dtype=np.int64), {})
    if n_rows == 0:
        look.counts = {j: Counter() for j in categories}
        return look
    weight = own_weights(block.weight, n_rows)
    table = read_table(block.X)
    table = table if (weight > 0.0).all() else table.take(np.flatnonzero(weight))
    look.missing = np.array([missing_count(column) for column in table.columns])
    look.counts = {
        j: levels.counted_levels(values(table.columns[j]), name) for j, name in categories.items()
    }
    look.sums = [exact_sum(weight)]
    look.all_whole = bool((weight == np.floor(weight)).all())
    look.weighing = table.n_rows
    if classes:
        labels, codes, counts = np.unique(
            check_labels(block.y, n_rows), return_inverse=True, return_counts=True
        )
        names = labels.tolist()
        look.labels = Counter(dict(zip(names, counts.tolist(), strict=True)))
        most = np.zeros(len(names))
        np.maximum.at(most, codes, weight)
        look.most = dict(zip(names, most.tolist(), strict=True))
    else:
        numbers = check_regression_target(block.y, n_rows)
        look.largest, look.lowest = float(np.abs(numbers).max()), np.min(numbers, axis=0)
        look.most = {None: float(weight.max())}
    return look


def merged_looks(a: FirstLook, b: FirstLook) -> FirstLook:
    """Merge the looks at two sets of partitions."""
    return FirstLook(
        a.rows + b.rows,
        a.missing + b.missing,
        {j: a.counts[j] + b.counts[j] for j in a.counts},
        a.labels + b.labels,
        max(a.largest, b.largest),
        np.minimum(a.lowest, b.lowest),
        a.sums + b.sums,
        a.all_whole and b.all_whole,
        {k: max(a.most.get(k, 0.0), b.most.get(k, 0.0)) for k in a.most | b.most},
        a.weighing + b.weighing,
    )


def _check_columns(X: Any, meta: Any) -> None:
    """Validate that a partition has the columns and types of the collection."""
    if not is_frame(X):
        if X.shape[1] != meta.shape[1] or X.dtype != meta.dtype:
            raise ValueError(
                f"a partition has {X.shape[1]} columns of {X.dtype}, but the collection says "
                f"{meta.shape[1]} of {meta.dtype}."
            )
        return
    if list(X.columns) != list(meta.columns):
        raise ValueError(
            f"a partition has the columns {list(X.columns)}, but the collection says "
            f"{list(meta.columns)}."
        )
    for name, here, declared in zip(X.columns, X.dtypes, meta.dtypes, strict=True):
        if str(here) != str(declared):
            raise ValueError(
                f"column {name!r} is {here} in a partition, but the collection says {declared}."
            )


# ---------------------------------------------------------------------- the encoding


def columns_to_count(meta: Any, estimator: Any) -> dict[int, str]:
    """Return the categorical columns with their names.

    Raises
    ------
    ValueError
        If a column is text, or a categorical whose categories are not known.
    """
    table = read_table(meta)
    declared = declared_columns(table, estimator.categorical_features)
    for j, family in enumerate(table.families):
        name = table.name(j)
        if family == "category" and not _are_known(meta, j):
            raise ValueError(
                f"Feature {name!r} is a categorical whose categories are not known to Dask: call "
                f"df.categorize(columns=[{name!r}]) first."
            )
        if family == "objects" and j not in declared:
            raise ValueError(
                f"Feature {name!r} is text: make it a categorical with known categories, as "
                f"df.categorize(columns=[{name!r}]) does, or leave it out."
            )
    return {
        j: table.name(j)
        for j, (column, family) in enumerate(zip(table.columns, table.families, strict=True))
        if j in declared or (family == "category" and ordered_levels(column) is None)
    }


def _are_known(meta: Any, j: int) -> bool:
    from dask.dataframe.utils import has_known_categories

    return bool(has_known_categories(meta.iloc[:, j]))


def encoder_of(
    estimator: Any, meta: Any, look: FirstLook, categories: dict[int, str]
) -> FeatureEncoder:
    """Return the encoding of the columns; set the estimator's number and names of features."""
    options = encoding_options(estimator)
    options.check()
    table = read_table(meta)
    columns = []
    for j, (column, family) in enumerate(zip(table.columns, table.families, strict=True)):
        name, order = table.name(j), ordered_levels(column)
        missing = float(look.missing[j]) / max(1, look.weighing)
        if j in categories:
            columns.append(category_of(name, missing, look.counts[j], look.weighing, options))
        elif order is not None:
            columns.append(Column(name, "ordered", missing, levels=order))
        else:
            columns.append(Column(name, _KINDS.get(family, "number"), missing))
    encoder = FeatureEncoder(columns)
    encoder.add_date_parts(options)
    if options.indicator == "always":
        encoder.add_missing_indicators(encoder.incomplete_columns())
    if is_frame(meta):
        validate_data(estimator, meta, skip_check_array=True)
    else:
        estimator.n_features_in_ = int(meta.shape[1])
    return encoder


# ---------------------------------------------------------------------- encoded rows


@dataclass(frozen=True)
class Encoding:
    """How blocks become encoded rows.

    Attributes
    ----------
    estimator : estimator
        Holds the encoder, and what the encoder must know of the input.
    classes : ndarray or None
        The class labels; None for regression.
    exponent : int
        Regression targets are divided by two to this power.
    factors : ndarray
        Weight of each class.
    scale : WeightScale or None
        How weights are scaled; None leaves them as they are.
    out_of_fold : dict
        Target encodings of each column, learned without the rows of each fold.
    """

    estimator: Any
    classes: Array | None
    exponent: int = 0
    factors: Floats | None = None
    scale: WeightScale | None = None
    out_of_fold: dict[int, list[Floats]] = field(default_factory=dict)

    def __call__(self, block: Block, first: int) -> Part:
        """Return the rows of positive weight, numbered from `first`."""
        n_rows = len(block)
        width = len(self.estimator.encoder_.source)
        if n_rows == 0:
            y = np.zeros(0, dtype=np.int32 if self.classes is not None else np.float64)
            return Part(np.zeros((0, width)), y, np.zeros(0), np.zeros(0, dtype=np.int64))
        X = self.estimator.encoder_.transform(self.estimator, block.X)
        number = np.arange(first, first + n_rows, dtype=np.int64)
        if self.out_of_fold:
            X = self._without_own_fold(X, block.X, number)
        y = self.codes(block)
        weight = own_weights(block.weight, n_rows)
        if self.factors is not None:
            weight = weight * self.factors[y]
        if self.scale is not None:
            weight = self.scale.scaled(weight)
        part = Part(X, y, weight, number)
        return part if (weight > 0.0).all() else part.take(np.flatnonzero(weight > 0.0))

    def _without_own_fold(self, X: Matrix, table: Any, number: Array) -> Matrix:
        """Return rows with the target encodings that were learned without their folds."""
        encoder, fold = self.estimator.encoder_, folds_by_number(number)
        found = {}
        for j, learned in self.out_of_fold.items():
            code = encoder.level_codes(table, j)
            by_fold = np.array([looked_up(one, code) for one in learned])
            found[j] = by_fold[fold, np.arange(len(fold))]
        whole: Matrix = encoder.with_target_encodings(X, found)
        return whole

    def codes(self, block: Block) -> Array:
        """Return class codes, or scaled regression targets."""
        if self.classes is None:
            return np.ldexp(check_regression_target(block.y, len(block)), -self.exponent)
        labels = check_labels(block.y, len(block))
        return np.searchsorted(self.classes, labels).astype(np.int32)


def encode(block: Block, first: int, encoding: Encoding) -> Part:
    """Return the encoded rows of a block."""
    return encoding(block, first)


# ---------------------------------------------------------------------- the second look


@dataclass
class SecondLook:
    """Sums over partitions: weights, and regression targets."""

    scaled: list[tuple[float, float]] = field(default_factory=list)  # weights over the largest
    weighing: int = 0
    kept: list[tuple[float, float]] = field(default_factory=list)  # sample weights of these rows
    numbers: Any = None  # rows, sums, and sums of squares about a centre, of scaled targets


def second_look(
    block: Block, encoding: Encoding, largest: float, scale: int, lowest: Any
) -> SecondLook:
    """Sum the weights and targets of one partition."""
    look = SecondLook()
    n_rows = len(block)
    if n_rows == 0:
        return look
    own = own_weights(block.weight, n_rows)
    y = encoding.codes(block)
    weight = own if encoding.factors is None else own * encoding.factors[y]
    look.scaled = [exact_sum(weight / largest)]
    look.weighing = int(np.count_nonzero(weight))
    look.kept = [exact_sum(own[weight > 0.0])]
    if encoding.classes is None:
        numbers = np.ldexp(np.reshape(y, (n_rows, -1)), -scale)
        weighing = weight > 0.0
        centred = numbers[weighing] - np.ldexp(lowest, -scale)
        look.numbers = np.array(
            [np.full(numbers.shape[1], len(centred)), centred.sum(axis=0), (centred**2).sum(axis=0)]
        )
        first = numbers[:, 0]
        share = weight / largest
        look.numbers = (look.numbers, exact_sum(first * share))
    return look


def merged_second(a: SecondLook, b: SecondLook) -> SecondLook:
    """Merge the sums of two sets of partitions."""
    if a.numbers is None or b.numbers is None:
        numbers = b.numbers if a.numbers is None else a.numbers
    else:
        pair = added(np.array([a.numbers[1]]), np.array([b.numbers[1]]))[0]
        numbers = (a.numbers[0] + b.numbers[0], tuple(pair.tolist()))
    return SecondLook(a.scaled + b.scaled, a.weighing + b.weighing, a.kept + b.kept, numbers)


# ---------------------------------------------------------------------- missing values


def missing_by_class(part: Part, columns: list[int], n_classes: int, above: float | None) -> Floats:
    """Return the weight of each class, then of its rows in which each column is missing."""
    y = _sides(part, above)
    counts = [np.bincount(y, part.weight, n_classes)]
    for j in columns:
        missing = np.isnan(part.X[:, j])
        counts.append(np.bincount(y[missing], part.weight[missing], n_classes))
    return np.array(counts, dtype=np.float64)


def summed(a: Floats, b: Floats) -> Floats:
    """Return the sum."""
    return a + b


def target_counts(
    part: Part, columns: dict[int, int], n_classes: int, above: float | None
) -> dict[int, Floats]:
    """Return the weight of each class in each level and fold, by target-encoded column.

    `columns` has the number of levels of each.
    """
    y, fold = _sides(part, above), folds_by_number(part.number)
    return {
        j: np.array(
            [
                level_counts(
                    part.X[fold == k, j],
                    y[fold == k],
                    part.weight[fold == k],
                    (n_levels, n_classes),
                )
                for k in range(FOLDS)
            ]
        )
        for j, n_levels in columns.items()
    }


def summed_by_column(a: dict[int, Floats], b: dict[int, Floats]) -> dict[int, Floats]:
    """Return the sums of each column."""
    return {j: a[j] + b[j] for j in a}


def _sides(part: Part, above: float | None) -> Array:
    """Return class codes: those of the target, or whether its first output is above a number."""
    if above is None:
        return part.y
    first = part.y if part.y.ndim == 1 else part.y[:, 0]
    return (first > above).astype(np.int32)


# ---------------------------------------------------------------------- facts about all rows


@dataclass
class Survey:
    """Facts about encoded rows that add up over partitions."""

    rows: int
    missing: Array
    extreme: Array
    largest: Floats
    smallest_weight: Floats  # of each class
    whole: Array  # whether all weights of each class are whole
    ones: bool  # whether all weights are 1
    weight: list[tuple[float, float]]
    spread: Floats  # by feature: values, their sum, their sum of squares
    keys: Array  # of distinct rows, the smallest


def survey(part: Part, columns: tuple[Array, Array], n_classes: int, distinct: bool) -> Survey:
    """Look at the encoded rows of one partition."""
    n_features = part.X.shape[1]
    missing, extreme = np.zeros(n_features, dtype=bool), np.zeros(n_features, dtype=bool)
    largest = np.zeros(n_features)
    for j in range(n_features):  # one column at a time: partitions are large
        size = np.abs(part.X[:, j].astype(np.float64))
        present = ~np.isnan(size)
        missing[j] = not present.all()
        extreme[j] = ((size > 0.0) & ~((size < 1e100) & (size > 1e-100))).any()
        largest[j] = size[present].max(initial=0.0)
    is_level = np.zeros(part.X.shape[1], dtype=bool)
    is_level[columns[0][columns[1] >= 0]] = True
    classes = part.y if n_classes else np.zeros(len(part), dtype=np.intp)
    smallest = np.full(max(1, n_classes), np.inf)
    np.minimum.at(smallest, classes, part.weight)
    whole = np.ones(max(1, n_classes), dtype=bool)
    whole[classes[(part.weight != np.floor(part.weight)) | (part.weight > 2**20)]] = False
    return Survey(
        len(part),
        missing,
        extreme & ~is_level,
        largest,
        smallest,
        whole,
        bool((part.weight == 1.0).all()),
        [exact_sum(part.weight)] if len(part) else [],
        _spread(part.X, columns),
        _keys(part, columns) if distinct and len(part) else np.zeros(0, dtype=np.uint64),
    )


def _spread(X: Matrix, columns: tuple[Array, Array]) -> Floats:
    """Return for each column: values, their sum, and their sum of squares."""
    found = np.zeros((len(columns[0]), 3))
    for j, (feature, level) in enumerate(zip(*columns, strict=True)):
        column = X[:, feature].astype(np.float64)
        column = column[~np.isnan(column)]
        column = column if level < 0 else (column == level).astype(np.float64)
        with np.errstate(over="ignore", invalid="ignore"):
            found[j] = len(column), column.sum(), (column**2).sum()
    return found


def _keys(part: Part, columns: tuple[Array, Array]) -> Array:
    keys = _core.content_keys(_core.Features(part.X, *columns))
    return np.unique(keys)[: _MOST_DISTINCT + 1]


def merged_surveys(a: Survey, b: Survey) -> Survey:
    """Merge the sums of two sets of partitions."""
    return Survey(
        a.rows + b.rows,
        a.missing | b.missing,
        a.extreme | b.extreme,
        np.maximum(a.largest, b.largest),
        np.minimum(a.smallest_weight, b.smallest_weight),
        a.whole & b.whole,
        a.ones and b.ones,
        a.weight + b.weight,
        a.spread + b.spread,
        np.unique(np.concatenate([a.keys, b.keys]))[: _MOST_DISTINCT + 1],
    )


def are_countable(part: Part, unit: Floats) -> bool:
    """Whether every weight is a whole number of times the unit of its class."""
    counts = part.weight / unit[part.y]
    whole = (counts == np.floor(counts)) & (counts <= 2**20)
    return bool((whole & (counts * unit[part.y] == part.weight)).all())


def both(a: bool, b: bool) -> bool:
    """Whether both are true."""
    return a and b


def column_deviations(spread: Floats) -> Floats:
    """Return the standard deviation of each column from its sums."""
    n, total, squares = np.maximum(spread[:, 0], 1.0), spread[:, 1], spread[:, 2]
    with np.errstate(over="ignore", invalid="ignore"):
        return np.sqrt(np.maximum(squares / n - (total / n) ** 2, 0.0))


def squares(part: Part, means: Floats, plan: FitPlan) -> tuple[Floats, Floats] | None:
    """Return the sums of squared distances from the means of the columns, and their weights."""
    return _core.squares_about(part.problem(plan), means) if len(part) else None


def merged_squares(
    a: tuple[Floats, Floats] | None, b: tuple[Floats, Floats] | None
) -> tuple[Floats, Floats] | None:
    """Merge the sums of two sets of partitions."""
    if a is None or b is None:
        return b if a is None else a
    return added(a[0], b[0]), added(a[1], b[1])
