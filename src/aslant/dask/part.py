"""The rows of one partition, and the computations of a pass.

Every function here is a pure function of a partition, the nodes in which its rows are and a small
message; a worker that dies loses nothing that cannot be computed again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from aslant import _core
from aslant.dask.sums import FactsLayout, merged_bins

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class FitPlan:
    """The settings that all partitions share.

    Attributes
    ----------
    columns : tuple of ndarray
        Feature and level of every column that a test may read.
    n_classes : int
        Number of classes; 0 for regression.
    n_outputs : int
        How many numbers are predicted; 0 where classes are.
    criterion : str
        Criterion of the splits.
    min_rows, min_weight : int, float
        What every child must hold.
    by_training_mean : bool
        Whether the training mean stands in for missing values, not that of the node.
    whole : dict
        What is known of all rows: see ``GlobalSurvey`` and ``GlobalWeights`` in ``src/core/data``.
    """

    columns: tuple[Array, Array]
    n_classes: int
    n_outputs: int
    criterion: str
    min_rows: int
    min_weight: float
    by_training_mean: bool
    whole: dict[str, Any]

    @property
    def layout(self) -> FactsLayout:
        """The layout of the facts of a node."""
        width = self.n_classes or 1 + self.n_outputs
        n_features = int(self.columns[0].max()) + 1
        return FactsLayout(width, len(self.columns[0]), n_features, self.n_outputs)

    def problem(self, X: Array, y: Array, weight: Floats, number: Array | None) -> _core.Problem:
        """Return rows as the core sees them."""
        return _core.Problem(
            features=_core.Features(X, *self.columns, known=self.whole, number=number),
            target=_core.Target(y, self.n_classes, weight, known=self.whole),
            rows=None,
            criterion=self.criterion,
            min_rows=self.min_rows,
            min_weight=self.min_weight,
            fill_with_training_mean=self.by_training_mean,
        )

    def without_rows(self) -> _core.Problem:
        """Return a problem of one placeholder row: a node without rows has only facts."""
        n_features = int(self.columns[0].max()) + 1
        y = np.zeros(1 if self.n_outputs < 2 else (1, self.n_outputs))
        y = y.astype(np.int32) if self.n_classes else y
        return self.problem(np.zeros((1, n_features)), y, np.ones(1), None)


@dataclass(frozen=True)
class Part:
    """Encoded rows of one partition.

    Attributes
    ----------
    X, y, weight : ndarray
        Values, class codes or numbers, and weights.
    number : ndarray of int
        The number of each row among all rows of the collection.
    """

    X: Array
    y: Array
    weight: Floats
    number: Array

    def __len__(self) -> int:
        return len(self.y)

    def take(self, rows: Array) -> Part:
        """Return some of the rows."""
        return Part(self.X[rows], self.y[rows], self.weight[rows], self.number[rows])

    def problem(self, plan: FitPlan) -> _core.Problem:
        """Return the rows as the core sees them."""
        return plan.problem(self.X, self.y, self.weight, self.number)


def joined(parts: list[Part]) -> Part:
    """Return the rows of several parts, in their order."""
    if len(parts) == 1:
        return parts[0]
    return Part(
        *(
            np.concatenate([getattr(part, name) for part in parts])
            for name in ("X", "y", "weight", "number")
        )
    )


# ---------------------------------------------------------------------- gathering


@dataclass(frozen=True)
class Wanted:
    """Samples to be drawn: of node i ``rows[i]`` rows, none if that is 0.

    Attributes
    ----------
    keys : ndarray of uint64
        Keys of the nodes.
    rows : ndarray of bool
        Which nodes need a sample.
    size : int
        Rows of a sample.
    present : ndarray of int
        -1, or, for the second sample of a node, how many classes it has.
    """

    keys: Array
    rows: Array
    size: int
    present: Array


@dataclass(frozen=True)
class Gathered:
    """Facts about the nodes of a level, and samples of their rows."""

    facts: Floats | None
    sample: Part | None
    node: Array
    key: Array

    def of(self, node: int) -> Part:
        """Return the sample of one node, in the order of the rows."""
        assert self.sample is not None
        rows = np.flatnonzero(self.node == node)
        return self.sample.take(rows[np.argsort(self.sample.number[rows], kind="stable")])


def gather(part: Part, node: Array, n_nodes: int, wanted: Wanted, plan: FitPlan) -> Gathered:
    """Return facts and samples of the nodes, from the rows of the partition."""
    nothing = np.zeros(0, dtype=np.intp)
    if len(part) == 0:
        return Gathered(None, None, nothing, nothing.astype(np.uint64))
    problem = part.problem(plan)
    facts = _core.gather_facts(problem, node, n_nodes)
    if not wanted.rows.any():
        return Gathered(facts, None, nothing, nothing.astype(np.uint64))
    sampled = np.where((node >= 0) & wanted.rows[node], node, -1).astype(np.int32)
    rows, nodes, keys = _core.draw_samples(
        problem, sampled, wanted.keys, wanted.size, wanted.present
    )
    return Gathered(facts, part.take(rows), nodes, keys)


def merged_gathered(a: Gathered, b: Gathered, wanted: Wanted, plan: FitPlan) -> Gathered:
    """Merge the results of two sets of partitions."""
    if a.facts is None or b.facts is None:
        return b if a.facts is None else a
    facts = plan.layout.merged(a.facts, b.facts)
    if a.sample is None or b.sample is None:
        return replace(b if a.sample is None else a, facts=facts)
    sample = joined([a.sample, b.sample])
    node, key = np.concatenate([a.node, b.node]), np.concatenate([a.key, b.key])
    kept = _smallest(sample, node, key, wanted, plan)
    return Gathered(facts, sample.take(kept), node[kept], key[kept])


def _smallest(sample: Part, node: Array, key: Array, wanted: Wanted, plan: FitPlan) -> Array:
    """Return the rows with the smallest sample keys of every node, or of every class of it."""
    problem = plan.without_rows()
    kept = []
    for one in np.unique(node):
        present = int(wanted.present[one])
        size = _core.sample_size(problem, wanted.size, present)
        rows = np.flatnonzero(node == one)
        by_class = present >= 0 and plan.n_classes > 0
        for label in range(plan.n_classes) if by_class else [None]:
            some = rows if label is None else rows[sample.y[rows] == label]
            if len(some) > size:
                some = some[np.argpartition(key[some], size - 1)[:size]]
            kept.append(some)
    return np.sort(np.concatenate(kept))


# ---------------------------------------------------------------------- lines

# A test in compressed sparse rows: start, column, coef, offset and, once complete, fill.
Test = dict[str, Array]


@dataclass(frozen=True)
class Line:
    """A direction along which a node is to be divided.

    Attributes
    ----------
    node : int
        Number of the node in its level.
    facts : ndarray
        Facts of the node.
    test : dict
        The test found on a sample, in the units of the node's columns: one vector for a
        hyperplane, more for a linear machine.
    limits : tuple
        Rows and weight that a child must hold.
    own_finish : bool
        Whether the search finishes by a rule of its own.
    part : int
        Which part of the search it was.
    edges : ndarray or None
        Edges of the bins along the line.
    keeps_empty : bool
        Whether a child that no row takes is one all the same.
    """

    node: int
    facts: Floats
    test: Test
    limits: tuple[int, float]
    own_finish: bool
    part: int
    edges: Floats | None
    keeps_empty: bool = False

    @property
    def is_machine(self) -> bool:
        """Whether it is a linear machine, not a hyperplane."""
        return len(self.test["offset"]) > 1

    @cached_property
    def category(self) -> int:
        """The first column that a machine over the levels of a category reads."""
        return int(self.test["column"].min())

    def bins(self, plan: FitPlan) -> _core.LineBins:
        """Return the bins along the line, empty."""
        assert self.edges is not None
        centre = _core.Piece(plan.without_rows(), self.facts).centre
        one_feature = len(self.test["column"]) == 1
        return _core.LineBins(plan.n_classes, centre, self.edges, one_feature)


@dataclass(frozen=True)
class LineRows:
    """Positions of rows on a line, with their targets."""

    places: Floats
    number: Array
    y: Array
    weight: Floats


def _rows_of_nodes(node: Array, n_nodes: int) -> list[Array]:
    """Return the rows of each node, in their order."""
    if n_nodes == 1:
        return [np.flatnonzero(node == 0)]
    short = node.astype(np.int16) if n_nodes < 2**15 else node  # which NumPy sorts by digits
    order = np.argsort(short, kind="stable")
    begin = np.searchsorted(short[order], np.arange(n_nodes + 1))
    return [order[begin[i] : begin[i + 1]] for i in range(n_nodes)]


def count_lines(
    part: Part, node: Array, n_nodes: int, lines: list[Line], means: Floats | None, plan: FitPlan
) -> tuple[list[Floats | None], Floats | None]:
    """Return the bins of every line, and the sums of impurities of every node.

    A linear machine has no bins: rows and statistics of its children stand for them. `means` are
    those of the nodes for regression.
    """
    if len(part) == 0:
        return [None] * len(lines), None
    problem = part.problem(plan)
    rows = _rows_of_nodes(node, n_nodes)
    counted: list[Floats | None] = []
    for line in lines:
        piece = _core.Piece(problem, line.facts)
        if line.is_machine and not line.own_finish:
            counted.append(piece.children(rows[line.node], line.test))
        elif line.own_finish:
            counted.append(None)
        else:
            bins = line.bins(plan)
            places = piece.places(rows[line.node], line.test)
            bins.add(problem, rows[line.node], places)
            counted.append(bins.numbers())
    sums = None
    if means is not None:
        sums = np.array([_core.impurity_sum(problem, means[i], rows[i]) for i in range(n_nodes)])
    return counted, sums


Counted = tuple[list[Floats | None], Floats | None]


def merged_counts(a: Counted, b: Counted, lines: list[Line]) -> Counted:
    """Add the counts of two sets of partitions."""
    from aslant.dask.sums import added

    counted: list[Floats | None] = []
    for line, x, y in zip(lines, a[0], b[0], strict=True):
        if x is None or y is None:
            counted.append(y if x is None else x)
        elif line.is_machine:
            counted.append(x + y)
        else:
            assert line.edges is not None
            counted.append(merged_bins(x, y, len(line.edges) + 1))
    if a[1] is None or b[1] is None:
        return counted, b[1] if a[1] is None else a[1]
    return counted, added(a[1], b[1])


def pick_rows(
    part: Part,
    node: Array,
    n_nodes: int,
    lines: list[Line],
    chosen: list[tuple[Floats, Array] | None],
    plan: FitPlan,
) -> list[LineRows | None]:
    """Return the rows of each line that must be sorted.

    `chosen` holds the merged bins of a line and which of them may hold the best place; of a line
    that is finished by a search's own rule all rows are returned.
    """
    if len(part) == 0:
        return [None] * len(lines)
    problem = part.problem(plan)
    rows = _rows_of_nodes(node, n_nodes)
    picked: list[LineRows | None] = []
    for line, choice in zip(lines, chosen, strict=True):
        here = rows[line.node]
        if line.own_finish and line.is_machine:
            places = part.X[here, plan.columns[0][line.category]].astype(np.float64)
        elif line.own_finish:
            places = _core.Piece(problem, line.facts).places(here, line.test)
        elif choice is None:
            picked.append(None)
            continue
        else:
            bins = line.bins(plan)
            bins.add_numbers(choice[0])
            places = _core.Piece(problem, line.facts).places(here, line.test)
            wanted = bins.wanted_rows(choice[1], places)
            here, places = here[wanted], places[wanted]
        picked.append(LineRows(places, part.number[here], part.y[here], part.weight[here]))
    return picked


def merged_rows(a: list[LineRows | None], b: list[LineRows | None]) -> list[LineRows | None]:
    """Join the rows of two sets of partitions, in their order."""
    together: list[LineRows | None] = []
    for x, y in zip(a, b, strict=True):
        if x is None or y is None:
            together.append(y if x is None else x)
            continue
        together.append(
            LineRows(
                *(
                    np.concatenate([getattr(x, name), getattr(y, name)])
                    for name in ("places", "number", "y", "weight")
                )
            )
        )
    return together


# ---------------------------------------------------------------------- routing


@dataclass(frozen=True)
class NodeDivision:
    """How a node is divided, and the numbers of its children in the next level."""

    node: int
    test: Test
    children: Array


def route(
    part: Part, node: Array, n_nodes: int, divisions: list[NodeDivision], plan: FitPlan
) -> Array:
    """Return the nodes of the next level in which the rows are, -1 for rows that have arrived."""
    last = max((int(division.children[-1]) for division in divisions), default=0)
    # The nodes of all rows are kept, level by level: short numbers where they suffice.
    arrived = np.full(len(part), -1, dtype=np.int16 if last < 2**15 else np.int32)
    if len(part) == 0:
        return arrived
    problem = part.problem(plan)
    rows = _rows_of_nodes(node, n_nodes)
    for division in divisions:
        here = rows[division.node]
        child = _core.send_rows(problem, division.test, here)
        arrived[here] = division.children[child]
    return arrived


def select(part: Part, node: Array, numbers: list[int]) -> list[Part]:
    """Return the rows of some nodes."""
    return [part.take(np.flatnonzero(node == number)) for number in numbers]
