"""The first looks at all rows: columns, classes, weights, and what searches ask of the whole.

Each look is one pass: partitions return sums, which are merged, and from which is decided what the
ordinary estimator decides from the rows.
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
from aslant.encoding import Column, FeatureEncoder, Options, check_labels, table
from aslant.encoding import levels as level_counts
from aslant.encoding.choice import declared_columns
from aslant.encoding.columns import category_of
from aslant.encoding.derived import MISSING, Derived
from aslant.encoding.kinds import Kind
from aslant.encoding.weights import Shares, own_weights
from aslant.estimators.regressor import check_regression_target

Matrix = npt.NDArray[np.floating[Any]]
# Kinds of columns that their types tell.
_KINDS: dict[str, Kind] = {"boolean": "boolean", "date": "date", "duration": "duration"}
# Beyond so many distinct rows nobody asks how many there are.
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
    """What partitions say of their columns, targets and weights."""

    rows: list[int]  # of every partition
    missing: Array  # rows, by column
    counts: dict[int, Counter[Any]]  # levels, by column that is a category
    labels: Counter[Any] = field(default_factory=Counter)
    largest: float = 0.0  # absolute number to predict
    lowest: Any = np.inf  # of each
    sums: list[tuple[float, float]] = field(default_factory=list)  # of the weights
    all_whole: bool = True
    most: dict[Any, float] = field(default_factory=dict)  # weight of each class, or of all rows
    weighing: int = 0  # rows with a weight


def first_look(block: Block, categories: dict[int, str], classes: bool, meta: Any) -> FirstLook:
    """Look at the rows of one partition."""
    _check_columns(block.X, meta)
    n_rows = len(block)
    look = FirstLook([n_rows], np.zeros(block.X.shape[1], dtype=np.int64), {})
    if n_rows == 0:
        look.counts = {j: Counter() for j in categories}
        return look
    look.missing = np.array([_n_missing(block.X, j) for j in range(block.X.shape[1])])
    look.counts = {j: _levels(block.X, j, name) for j, name in categories.items()}
    weight = own_weights(block.weight, n_rows)
    look.sums = [exact_sum(weight)]
    look.all_whole = bool((weight == np.floor(weight)).all())
    look.weighing = int(np.count_nonzero(weight))
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
    """Return what two lots of partitions say together."""
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
    """Raise one clear error unless a partition has the columns and types of the collection."""
    if not table.is_frame(X):
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
    for name, here, said in zip(X.columns, X.dtypes, meta.dtypes, strict=True):
        if str(here) != str(said):
            raise ValueError(
                f"column {name!r} is {here} in a partition, but the collection says {said}."
            )


def _n_missing(X: Any, j: int) -> int:
    if table.is_frame(X):
        return int(X.iloc[:, j].isna().sum())
    return int(np.isnan(X[:, j]).sum()) if X.dtype.kind == "f" else 0


def _levels(X: Any, j: int, name: str) -> Counter[Any]:
    if table.is_frame(X) and str(X.dtypes.iloc[j]) == "category":
        counts = X.iloc[:, j].value_counts()
        return Counter({level: int(n) for level, n in counts.items() if n > 0})
    return level_counts.counted_levels(table.values(X, j), name)


# ---------------------------------------------------------------------- the encoding


def columns_to_count(meta: Any, estimator: Any) -> dict[int, str]:
    """Return the columns that are categories, with their names; refuse what is not known.

    Raises
    ------
    ValueError
        If a column is text, or a categorical whose categories are not known.
    """
    names = table.column_names(meta)
    declared = set(declared_columns(meta, estimator.categorical_features))
    found = {}
    for j, family in enumerate(table.families(meta) if table.is_frame(meta) else []):
        name = names[j] if names else f"x{j}"
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
        ordered = table.ordered_levels(meta, j) is not None
        if j in declared or (family == "category" and not ordered):
            found[j] = name
    return found | {j: names[j] if names else f"x{j}" for j in declared}


def _are_known(meta: Any, j: int) -> bool:
    from dask.dataframe.utils import has_known_categories

    return bool(has_known_categories(meta.iloc[:, j]))


def options_of(estimator: Any) -> Options:
    """Return how columns become numbers; forests leave it at what is usual."""
    made: Options = getattr(estimator, "_encoding_options", Options)()
    return made


def encoder_of(
    estimator: Any, meta: Any, look: FirstLook, categories: dict[int, str]
) -> FeatureEncoder:
    """Return the encoding of the columns, and let the estimator know their number and names."""
    options = options_of(estimator)
    options.check()
    names = table.column_names(meta)
    n_rows = sum(look.rows)
    columns = []
    families = table.families(meta) if table.is_frame(meta) else ["number"] * meta.shape[1]
    for j, family in enumerate(families):
        name = names[j] if names else f"x{j}"
        missing = float(look.missing[j]) / max(1, n_rows)
        if j in categories:
            column = category_of(name, missing, look.counts[j], n_rows, options)
            if column.encoding == "shares":
                raise ValueError(
                    f"Feature {name!r} has {len(column.levels)} levels, more than max_levels="
                    f"{options.max_levels}, and their shares of the classes are learned on one "
                    "machine only: use many_levels='merge' or a larger max_levels."
                )
            columns.append(column)
            continue
        order = table.ordered_levels(meta, j)
        if order is not None:
            columns.append(Column(name, "ordered", missing, levels=order))
        else:
            columns.append(Column(name, _KINDS.get(family, "number"), missing))
    encoder = FeatureEncoder(columns)
    for j, column in enumerate(columns):
        if column.kind == "date":
            encoder.derived += [Derived(j, part) for part in dict.fromkeys(options.date_parts)]
    if options.indicator == "always":
        encoder.derived += [Derived(j, MISSING) for j, c in enumerate(columns) if _has_holes(c)]
    if table.is_frame(meta):
        validate_data(estimator, meta, skip_check_array=True)
    else:
        estimator.n_features_in_ = int(meta.shape[1])
    return encoder


def _has_holes(column: Column) -> bool:
    return 0.0 < column.missing < 1.0


# ---------------------------------------------------------------------- encoded rows


@dataclass(frozen=True)
class Encoding:
    """How blocks become encoded rows.

    Attributes
    ----------
    estimator : estimator
        Holds the encoder, and what the encoder must know of the input.
    classes : ndarray or None
        The class labels; None where numbers are predicted.
    exponent : int
        Numbers to predict are divided by two to this power.
    factors : ndarray
        Weight of each class.
    shares : Shares or None
        How weights are scaled; None leaves them as they are.
    """

    estimator: Any
    classes: Array | None
    exponent: int = 0
    factors: Floats | None = None
    shares: Shares | None = None

    def __call__(self, block: Block, first: int) -> Part:
        """Return the rows that weigh something; the first of the block has this number."""
        n_rows = len(block)
        width = len(self.estimator.encoder_.source)
        if n_rows == 0:
            y = np.zeros(0, dtype=np.int32 if self.classes is not None else np.float64)
            return Part(np.zeros((0, width)), y, np.zeros(0), np.zeros(0, dtype=np.int64))
        X = self.estimator.encoder_.transform(self.estimator, block.X)
        y = self.codes(block)
        weight = own_weights(block.weight, n_rows)
        if self.factors is not None:
            weight = weight * self.factors[y]
        if self.shares is not None:
            weight = self.shares.scaled(weight)
        part = Part(X, y, weight, np.arange(first, first + n_rows, dtype=np.int64))
        return part if (weight > 0.0).all() else part.take(np.flatnonzero(weight > 0.0))

    def codes(self, block: Block) -> Array:
        """Return what to predict as numbers."""
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
    """What partitions say of weights by class, targets and holes."""

    shares: list[tuple[float, float]] = field(default_factory=list)
    weighing: int = 0
    kept: list[tuple[float, float]] = field(default_factory=list)  # own weights of weighing rows
    numbers: Any = None  # rows, sums, and sums of squares about a centre, of scaled targets


def second_look(
    block: Block, encoding: Encoding, largest: float, scale: int, lowest: Any
) -> SecondLook:
    """Sum up what the weights and targets of one partition come to."""
    look = SecondLook()
    n_rows = len(block)
    if n_rows == 0:
        return look
    own = own_weights(block.weight, n_rows)
    y = encoding.codes(block)
    weight = own if encoding.factors is None else own * encoding.factors[y]
    look.shares = [exact_sum(weight / largest)]
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
    """Return what two lots of partitions say together."""
    if a.numbers is None or b.numbers is None:
        numbers = b.numbers if a.numbers is None else a.numbers
    else:
        pair = added(np.array([a.numbers[1]]), np.array([b.numbers[1]]))[0]
        numbers = (a.numbers[0] + b.numbers[0], tuple(pair.tolist()))
    return SecondLook(a.shares + b.shares, a.weighing + b.weighing, a.kept + b.kept, numbers)


# ---------------------------------------------------------------------- holes


def holes_by_class(part: Part, columns: list[int], n_classes: int, above: float | None) -> Floats:
    """Return the weight of the rows of each class, then that of those without each column."""
    y = part.y
    if above is not None:
        first = part.y if part.y.ndim == 1 else part.y[:, 0]
        y = (first > above).astype(np.int32)
    counts = [np.bincount(y, part.weight, n_classes)]
    for j in columns:
        missing = np.isnan(part.X[:, j])
        counts.append(np.bincount(y[missing], part.weight[missing], n_classes))
    return np.array(counts, dtype=np.float64)


def summed(a: Floats, b: Floats) -> Floats:
    """Return the sum."""
    return a + b


# ---------------------------------------------------------------------- what is known of all rows


@dataclass
class Survey:
    """What partitions say of their encoded rows."""

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
    """Return what two lots of partitions say together."""
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
    """Return what two lots of partitions say together."""
    if a is None or b is None:
        return b if a is None else a
    return added(a[0], b[0]), added(a[1], b[1])


def without_held_out(part: Part, held: Array | None) -> Part:
    """Return the rows that a tree is grown on."""
    return part if held is None else part.take(np.flatnonzero(~held))
