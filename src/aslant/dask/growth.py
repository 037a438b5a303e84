"""Growing a tree level by level, its rows being in partitions.

The growth loop is the one of ``src/core/grow.cpp`` and asks the same functions of the core; what
differs is that sums and samples come from partitions. Nodes with few rows are grown whole by one
worker. Nothing here knows Dask: `Workers` says what is needed of whoever holds the partitions.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from aslant import _core
from aslant.dask import part as parts
from aslant.dask.part import Array, Counted, Division, Floats, Gathered, Line, LineRows, Part, Plan
from aslant.estimators.growing import one_blas_thread
from aslant.search import SplitSearch

Handle = Any  # what stands for a value that lies elsewhere
Local = tuple["Place", list[Handle], int]  # a place, the nodes of its level, its number there


class Workers(ABC):
    """Those who hold the partitions and compute with them."""

    @abstractmethod
    def each(self, function: Callable[..., Any], *lists: list[Handle], **common: Any) -> list[Any]:
        """Call a function for every partition; what it returns stays with the workers."""

    @abstractmethod
    def reduced(self, values: list[Handle], merge: Callable[..., Any], **common: Any) -> Handle:
        """Merge values two by two, neighbours first, in the order of the partitions."""

    @abstractmethod
    def call(self, function: Callable[..., Any], *values: Any, **common: Any) -> Handle:
        """Call a function once."""

    @abstractmethod
    def results(self, values: list[Handle]) -> list[Any]:
        """Bring values here."""

    @abstractmethod
    def kept(self, values: list[Handle], *, always: bool = True) -> list[Handle]:
        """Return values of every partition that are computed once; or if there is room for them."""

    @abstractmethod
    def expect(self, n_bytes: int) -> None:
        """Say how large the encoded rows are."""

    @abstractmethod
    def n_at_once(self) -> int:
        """Return how many large tasks may be under way together."""

    @abstractmethod
    def waves(self, locals_: list[Local]) -> list[list[list[Local]]]:
        """Divide nodes with few rows into waves of batches: a batch is grown by one worker."""


@dataclass(frozen=True)
class Settings:
    """What growth goes by.

    Attributes
    ----------
    plan : Plan
        What partitions must know.
    search : SplitSearch
        How nodes are searched.
    search_rows : int
        Rows of a sample.
    local_rows : int
        Nodes with no more rows are grown by one worker.
    bins : int
        Bins along a line.
    seed : int
        Seed of the tree.
    rules : dict
        Stopping rules, as the core takes them.
    """

    plan: Plan
    search: SplitSearch
    search_rows: int
    local_rows: int
    bins: int
    seed: int
    rules: dict[str, Any]


@dataclass
class Place:
    """A node while the tree is growing."""

    key: int
    depth: int
    rows: int = 0
    statistics: Floats = field(default_factory=lambda: np.zeros(0))
    impurity: float = 0.0
    gain: float = 0.0
    keeps_empty: bool = False  # whether a child may exist that no row takes
    test: parts.Test | None = None
    children: list[Place] = field(default_factory=list)
    subtree: dict[str, Any] | None = None

    def weight(self, plan: Plan) -> float:
        """Return its weight."""
        return float(self.statistics.sum() if plan.n_classes else self.statistics[0])


@dataclass(frozen=True)
class Found:
    """A finished split, in the units of the node's columns."""

    vectors: Floats
    offsets: Floats
    score: float
    rows0: int | None  # about as many rows go to child 0, where that is known
    keeps_empty: bool = False


class Growth:
    """The growth of one tree.

    Parameters
    ----------
    workers : Workers
        Who holds the rows.
    rows : list
        The rows of every partition, as `Part`.
    start : list
        For every partition the node of each row: 0, or -1 for a row that is held out.
    settings : Settings
        What growth goes by.
    report : callable
        Is told how many rows are in leaves.

    Attributes
    ----------
    passes : list of int
        How often all rows were looked at, level by level; the last counts those that bring the
        rows of small nodes together.
    hyperplanes : int
        Hyperplanes considered.
    """

    def __init__(
        self,
        workers: Workers,
        rows: list[Handle],
        start: list[Handle],
        settings: Settings,
        report: Callable[[int], None] | None = None,
    ) -> None:
        self._workers, self._rows, self._settings = workers, rows, settings
        self._plan = settings.plan
        self._empty = settings.plan.without_rows()
        self._nodes = start
        self._locals: list[Local] = []
        self._report, self._done = report, 0
        self._total = 0.0
        self.hyperplanes = 0
        self.passes: list[int] = []

    def run(self) -> dict[str, Any]:
        """Grow the tree and return its arrays."""
        root = Place(_core.root_key(self._settings.seed), 0)
        frontier = [root]
        parents: list[list[Place]] = [[root]]
        expected = [self._settings.local_rows + 1]
        while frontier:
            self.passes.append(0)
            frontier, parents, expected = self._level(frontier, parents, expected)
        self.passes.append(0)
        self._grow_locals()
        if self._settings.rules["max_leaf_nodes"] > 0:
            keep_best_first(root, self._settings.rules["max_leaf_nodes"], self._plan)
        return flattened(root, self._plan)

    # ------------------------------------------------------------------ one level

    def _level(
        self, frontier: list[Place], families: list[list[Place]], expected: list[int]
    ) -> tuple[list[Place], list[list[Place]], list[int]]:
        sampled = np.array(expected) > self._settings.local_rows
        gathered = self._gather(frontier, sampled, np.full(len(frontier), -1, dtype=np.int32))
        (facts,) = self._workers.results([self._workers.call(_facts, gathered)])
        self._measure(frontier, facts, families)
        open_ = [i for i, place in enumerate(frontier) if self._is_open(place, facts[i])]
        large = [i for i in open_ if frontier[i].rows > self._settings.local_rows]
        for i in sorted(set(open_) - set(large)):
            self._locals.append((frontier[i], self._nodes, i))
        unsampled = [i for i in large if not sampled[i]]
        if unsampled:  # more rows came than was expected
            mask = np.isin(np.arange(len(frontier)), unsampled)
            more = self._gather(frontier, mask, np.full(len(frontier), -1, dtype=np.int32))
        samples = {i: more if i in unsampled else gathered for i in large}
        found = self._search(frontier, facts, samples, second=False)
        poor = [i for i in large if found[i] is None]
        if poor:
            present = np.array([np.count_nonzero(place.statistics > 0.0) for place in frontier])
            mask = np.isin(np.arange(len(frontier)), poor)
            again = self._gather(frontier, mask, present.astype(np.int32))
            found |= self._search(frontier, facts, dict.fromkeys(poor, again), second=True)
        for i, place in enumerate(frontier):
            if i not in open_:
                self._arrive(place)
        return self._divide(frontier, facts, found)

    def _gather(self, frontier: list[Place], sampled: Array, present: Array) -> Handle:
        keys = np.array([place.key for place in frontier], dtype=np.uint64)
        wanted = parts.Wanted(keys, sampled, self._settings.search_rows, present)
        self.passes[-1] += 1
        pieces = self._workers.each(
            parts.gather,
            self._rows,
            self._nodes,
            n_nodes=len(frontier),
            wanted=wanted,
            plan=self._plan,
        )
        return self._workers.reduced(pieces, parts.merged_gathered, wanted=wanted, plan=self._plan)

    def _measure(self, frontier: list[Place], facts: Floats, families: list[list[Place]]) -> None:
        """Note what the nodes hold; a division that left a child too small is undone."""
        for place, of_place in zip(frontier, facts, strict=True):
            piece = _core.Piece(self._empty, of_place)
            place.rows, place.statistics = piece.rows, piece.statistics
            if self._plan.n_classes:
                place.impurity = _core.impurity(place.statistics, self._plan.criterion)
        if self._total == 0.0:
            self._total = frontier[0].weight(self._plan)
            return
        row = {id(place): i for i, place in enumerate(frontier)}
        for parent, *children in families:
            piece = _core.Piece(self._empty, facts[row[id(children[0])]])
            if all(
                (parent.keeps_empty and child.rows == 0) or piece.allows(facts[row[id(child)]])
                for child in children
            ):
                continue
            parent.children, parent.test, parent.gain = [], None, 0.0
            for child in children:
                child.rows = -1
            self._arrive(parent)

    def _is_open(self, place: Place, facts: Floats) -> bool:
        if place.rows < 0:
            return False
        rules = self._settings.rules
        return _core.Piece(self._empty, facts).may_be_divided(
            place.depth, rules["max_depth"], rules["min_samples_split"]
        )

    def _arrive(self, place: Place) -> None:
        self._done += max(0, place.rows)
        if self._report is not None:
            self._report(self._done)

    def _search(
        self, frontier: list[Place], facts: Floats, samples: dict[int, Handle], *, second: bool
    ) -> dict[int, Found | None]:
        """Return the finished split of every sampled node, None where there is none."""
        settings = self._settings
        proposed = self._workers.results(
            [
                self._workers.call(
                    _propose,
                    sample,
                    node=i,
                    facts=facts[i],
                    place=(frontier[i].key, frontier[i].depth),
                    second=second,
                    settings=settings,
                )
                for i, sample in samples.items()
            ]
        )
        lines = [line for found, _ in proposed for line in found]
        self.hyperplanes += sum(hyperplanes for _, hyperplanes in proposed)
        means = None
        if self._plan.n_outputs and not second:
            means = np.array([place.statistics[1:] / place.statistics[0] for place in frontier])
        if not lines and means is None:
            return dict.fromkeys(samples)
        common = {"n_nodes": len(frontier), "lines": lines, "plan": self._plan}
        self.passes[-1] += 1
        counts = self._workers.reduced(
            self._workers.each(parts.count_lines, self._rows, self._nodes, means=means, **common),
            parts.merged_counts,
            lines=lines,
        )
        if means is not None:
            (sums,) = self._workers.results([self._workers.call(_impurities, counts)])
            for place, pair in zip(frontier, sums, strict=True):
                if place.rows >= 0:
                    place.impurity = max(0.0, float(pair[0] + pair[1]) / place.weight(self._plan))
        if not lines:
            return dict.fromkeys(samples)
        chosen = self._workers.call(_choose, counts, lines=lines, plan=self._plan)
        self.passes[-1] += 1
        rows = self._workers.reduced(
            self._workers.each(parts.pick_rows, self._rows, self._nodes, chosen=chosen, **common),
            parts.merged_rows,
        )
        finished = self._workers.results(
            [
                self._workers.call(
                    _finish, counts, chosen, rows, number=i, line=line, settings=settings
                )
                for i, line in enumerate(lines)
            ]
        )
        best: dict[int, Found | None] = dict.fromkeys(samples)
        for line, found in zip(lines, finished, strict=True):
            known = best[line.node]
            if found is not None and (known is None or found.score > known.score):
                best[line.node] = found
        return best

    def _divide(
        self, frontier: list[Place], facts: Floats, found: dict[int, Found | None]
    ) -> tuple[list[Place], list[list[Place]], list[int]]:
        divisions: list[Division] = []
        following: list[Place] = []
        families: list[list[Place]] = []
        expected: list[int] = []
        for i, split in found.items():
            place = frontier[i]
            test = None if split is None else self._worth_making(place, facts[i], split)
            if test is None or split is None:
                self._arrive(place)
                continue
            n_children = max(2, len(split.offsets))
            place.test, place.gain = test, split.score * place.weight(self._plan)
            place.keeps_empty = split.keeps_empty
            place.children = [
                Place(_core.child_key(place.key, c), place.depth + 1) for c in range(n_children)
            ]
            numbers = np.arange(len(following), len(following) + n_children, dtype=np.int32)
            divisions.append(Division(i, test, numbers))
            families.append([place, *place.children])
            following += place.children
            rows0 = self._settings.local_rows + 1 if split.rows0 is None else split.rows0
            rest = place.rows if split.rows0 is None else place.rows - split.rows0
            expected += [rows0, *[rest] * (n_children - 1)]
        if divisions:
            routed = self._workers.each(
                parts.route,
                self._rows,
                self._nodes,
                n_nodes=len(frontier),
                divisions=divisions,
                plan=self._plan,
            )
            self._nodes = self._workers.kept(routed)
        return following, families, expected

    def _worth_making(self, place: Place, facts: Floats, found: Found) -> parts.Test | None:
        worth = _core.worth_making(
            self._plan.criterion,
            found.score,
            place.weight(self._plan) / self._total,
            _core.search_decides(self._settings.search.core()),
            self._settings.rules["min_impurity_decrease"],
        )
        if not worth:
            return None
        return _core.Piece(self._empty, facts).settle(found.vectors, found.offsets)

    # ------------------------------------------------------------------ nodes of few rows

    def _grow_locals(self) -> None:
        for wave in self._workers.waves(self._locals):
            self.passes[-1] += 1
            grown = []
            for batch in wave:
                nodes: list[list[Handle]] = []
                for _, of_level, _ in batch:
                    if not any(of_level is known for known in nodes):
                        nodes.append(of_level)
                wanted = [
                    [number for _, level, number in batch if level is of_level]
                    for of_level in nodes
                ]
                pieces = self._workers.each(_select, self._rows, *nodes, wanted=wanted)
                order = [
                    place for of_level in nodes for place, level, _ in batch if level is of_level
                ]
                heads = [(place.key, place.depth) for place in order]
                task = self._workers.call(
                    _grow_batch,
                    *pieces,
                    heads=heads,
                    total_weight=self._total,
                    settings=self._settings,
                )
                grown.append((order, task))
            for (order, _), subtrees in zip(
                grown, self._workers.results([task for _, task in grown]), strict=True
            ):
                for place, subtree in zip(order, subtrees, strict=True):
                    place.subtree = subtree
                    self.hyperplanes += int(subtree["hyperplanes"])
                    self._arrive(place)


# ---------------------------------------------------------------------- what one worker does


def _facts(gathered: Gathered) -> Floats:
    assert gathered.facts is not None
    return gathered.facts


def _impurities(counts: Counted) -> Floats:
    assert counts[1] is not None
    return counts[1]


def _propose(
    gathered: Gathered,
    node: int,
    facts: Floats,
    place: tuple[int, int],
    second: bool,
    settings: Settings,
) -> tuple[list[Line], int]:
    """Search the sample of a node; return the lines on which all rows decide."""
    piece = _core.Piece(gathered.of(node).problem(settings.plan), facts)
    with one_blas_thread():
        proposals, hyperplanes = piece.propose(settings.search.core(), *place, second)
    lines = []
    for found in proposals:
        edges = None
        if "places" in found and not found["own_finish"]:
            edges = _core.line_edges(found["places"], settings.bins)
        lines.append(
            Line(
                node,
                facts,
                found["vectors"],
                found["offsets"],
                found["limits"],
                found["own_finish"],
                found["part"],
                edges,
                found["keeps_empty"],
            )
        )
    return lines, hyperplanes


def _choose(counts: Counted, lines: list[Line], plan: Plan) -> list[tuple[Floats, Array] | None]:
    """Return the bins of every line, and which of them may hold the best place."""
    chosen: list[tuple[Floats, Array] | None] = []
    for line, numbers in zip(lines, counts[0], strict=True):
        if line.edges is None or numbers is None:
            chosen.append(None)
            continue
        bins = line.bins(plan)
        bins.add_numbers(numbers)
        chosen.append((numbers, bins.candidates(plan.criterion, line.limits)))
    return chosen


def _finish(
    counts: Counted,
    chosen: list[tuple[Floats, Array] | None],
    rows: list[LineRows | None],
    number: int,
    line: Line,
    settings: Settings,
) -> Found | None:
    """Finish one line on all rows."""
    plan, choice, picked = settings.plan, chosen[number], rows[number]
    if line.own_finish:
        assert picked is not None
        return _own_finish(line, picked, settings)
    if line.is_machine:
        children = counts[0][number]
        assert children is not None
        score = _core.Piece(plan.without_rows(), line.facts).machine_score(children)
        return Found(line.vectors, line.offsets, score, None, line.keeps_empty)
    if choice is None:
        return None
    bins = line.bins(plan)
    bins.add_numbers(choice[0])
    assert picked is not None
    best = bins.best(
        criterion=plan.criterion,
        limits=line.limits,
        candidates=choice[1],
        places=picked.places,
        number=picked.number,
        y=picked.y,
        weight=picked.weight,
        n_classes=plan.n_classes,
    )
    if best is None:
        return None
    return Found(line.vectors, np.array([best[0]]), best[1], best[2])


def _own_finish(line: Line, rows: LineRows, settings: Settings) -> Found | None:
    """Finish a line, or a test of a category, by the rule of the search that found it."""
    plan = settings.plan
    feature, level = plan.columns
    if line.is_machine:
        columns = np.flatnonzero(feature == feature[line.category])
    else:
        columns = np.zeros(1, dtype=np.intp)
    one = {
        **plan.whole,
        "has_missing": np.isnan(rows.places).any(keepdims=True),
        "has_extreme": np.zeros(1, dtype=bool),
        "exponent": np.zeros(1, dtype=np.int32),
        "training_mean": plan.whole["training_mean"][columns],
        "deviation": plan.whole["deviation"][columns],
    }
    data = _core.Data(
        X=rows.places[:, np.newaxis],
        y=rows.y,
        n_classes=plan.n_classes,
        weight=rows.weight,
        column_feature=np.zeros(len(columns), dtype=np.int32),
        column_level=level[columns] if line.is_machine else np.array([-1], dtype=np.int32),
        whole=one,
    )
    problem = _core.Problem(
        data=data,
        rows=None,
        criterion=plan.criterion,
        min_rows=plan.min_rows,
        min_weight=plan.min_weight,
        fill_with_training_mean=plan.by_training_mean,
    )
    found = _core.own_finish(problem, settings.search.core(), line.part)
    if found is None:
        return None
    vectors, offsets, score = found
    if not line.is_machine:
        return Found(line.vectors, offsets, score, None)
    dense = np.zeros((len(offsets), len(feature)))
    dense[:, columns] = vectors
    return Found(dense, offsets, score, None)


def _select(part: Part, *nodes: Array, wanted: list[list[int]]) -> list[Part]:
    """Return the rows of the wanted nodes of some levels."""
    found = []
    for of_level, numbers in zip(nodes, wanted, strict=True):
        found += parts.select(part, of_level, numbers)
    return found


def _grow_batch(
    *pieces: list[Part],
    heads: list[tuple[int, int]],
    total_weight: float,
    settings: Settings,
) -> list[dict[str, Any]]:
    """Grow the subtrees of some nodes, whose rows come from all partitions."""
    search = _core.search(
        "OnSample",
        search=settings.search.core(),
        rows=settings.search_rows,
        climbs=False,
    )
    subtrees = []
    for i, (key, depth) in enumerate(heads):
        rows = parts.joined([piece[i] for piece in pieces if len(piece[i]) > 0])
        with one_blas_thread():
            grown = _core.grow(
                problem=rows.problem(settings.plan),
                search=search,
                seed=0,
                n_threads=1,
                progress=None,
                key=key,
                depth=depth,
                total_weight=total_weight,
                **(settings.rules | {"max_leaf_nodes": 0}),
            )
        del grown["rows"], grown["row_begin"]
        subtrees.append(grown)
    return subtrees


# ---------------------------------------------------------------------- the tree


def flattened(root: Place, plan: Plan) -> dict[str, Any]:
    """Return the arrays of a tree, nodes in depth-first preorder, as the core returns them."""
    builder = _Builder(plan)
    stack = [(root, -1)]
    while stack:
        place, parent = stack.pop()
        if place.subtree is not None:
            builder.graft(place.subtree["tree"], parent)
            continue
        number = builder.add(place, parent)
        stack += [(child, number) for child in reversed(place.children)]
    return builder.arrays()


class _Builder:
    """Arrays of a tree that grow node by node."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._parent: list[int] = []
        self._lists: dict[str, list[npt.NDArray[Any]]] = {
            name: [] for name in ("value", "n_node_samples", "impurity", "rows", "size", "offset")
        }
        for name in ("coef_column", "coef_value", "coef_fill"):
            self._lists[name] = []

    def add(self, place: Place, parent: int) -> int:
        """Add one node and return its number."""
        self._parent.append(parent)
        test = place.test
        n_vectors = 0 if test is None else len(test["offset"])
        new: dict[str, Any] = {
            "value": place.statistics[np.newaxis],
            "n_node_samples": [place.rows],
            "impurity": [place.impurity],
            "rows": [n_vectors],
            "size": [] if test is None else np.diff(test["start"]),
            "offset": [] if test is None else test["offset"],
            "coef_column": [] if test is None else test["column"],
            "coef_value": [] if test is None else test["coef"],
            "coef_fill": [] if test is None else test["fill"],
        }
        self._append(new)
        return len(self._parent) - 1

    def graft(self, tree: dict[str, Any], parent: int) -> None:
        """Add the nodes of a subtree."""
        first = len(self._parent)
        parents = np.full(len(tree["children"]), -1)
        inner, slot = np.nonzero(tree["children"] >= 0)
        parents[tree["children"][inner, slot]] = inner
        self._parent += [parent, *(parents[1:] + first).tolist()]
        self._append(
            {
                **{name: tree[name] for name in ("value", "n_node_samples", "impurity", "offset")},
                **{name: tree[name] for name in ("coef_column", "coef_value", "coef_fill")},
                "rows": np.diff(tree["row_start"]),
                "size": np.diff(tree["coef_start"]),
            }
        )

    def _append(self, new: dict[str, Any]) -> None:
        for name, values in new.items():
            self._lists[name].append(np.asarray(values))

    def arrays(self) -> dict[str, Any]:
        """Return the arrays."""
        whole = {name: np.concatenate(values) for name, values in self._lists.items()}
        parent = np.array(self._parent)
        n_children = np.bincount(parent[1:], minlength=len(parent)) if len(parent) > 1 else [0]
        children = np.full((len(parent), max(2, int(np.max(n_children)))), -1, dtype=np.int32)
        slot = np.zeros(len(parent), dtype=np.intp)
        for node in range(1, len(parent)):
            children[parent[node], slot[parent[node]]] = node
            slot[parent[node]] += 1
        return {
            "children": children,
            "row_start": _starts(whole["rows"], np.int32),
            "coef_start": _starts(whole["size"], np.int64),
            "coef_column": whole["coef_column"].astype(np.int32),
            "coef_value": whole["coef_value"].astype(np.float64),
            "coef_fill": whole["coef_fill"].astype(np.float64),
            "offset": whole["offset"].astype(np.float64),
            "column_feature": np.array(self._plan.columns[0]),
            "column_level": np.array(self._plan.columns[1]),
            "value": whole["value"].astype(np.float64),
            "n_node_samples": whole["n_node_samples"].astype(np.int64),
            "impurity": whole["impurity"].astype(np.float64),
            "n_features": int(self._plan.columns[0].max()) + 1,
        }


def _starts(sizes: Array, dtype: type[np.integer[Any]]) -> Array:
    return np.concatenate([[0], np.cumsum(sizes)]).astype(dtype)


def keep_best_first(root: Place, max_leaf_nodes: int, plan: Plan) -> None:
    """Leave of a full tree what best-first growth would have made.

    A node's split does not depend on the order in which nodes are divided, so the order can be
    played again on the full tree: the split of the highest gain, times weight, comes next.
    """
    import heapq

    _expand(root, plan)
    waiting: list[tuple[float, int, Place]] = []
    kept: set[int] = set()
    order, leaves = 1, 1
    if root.children:
        heapq.heappush(waiting, (0.0, 0, root))
    while waiting:
        place = heapq.heappop(waiting)[2]
        more = len(place.children) - 1
        if leaves + more > max_leaf_nodes:
            continue
        leaves += more
        kept.add(id(place))
        for child in place.children:
            if child.children:
                heapq.heappush(waiting, (-child.gain, order, child))
                order += 1
    stack = [root]
    while stack:
        place = stack.pop()
        if id(place) not in kept:
            place.children, place.test = [], None
        stack += place.children


def _expand(root: Place, plan: Plan) -> None:
    """Make places of the nodes of subtrees."""
    stack = [root]
    while stack:
        place = stack.pop()
        if place.subtree is not None:
            made = _places_of(place.subtree)
            for name in ("rows", "statistics", "impurity", "gain", "test", "children"):
                setattr(place, name, getattr(made, name))
            place.subtree = None
        stack += place.children


def _places_of(subtree: dict[str, Any]) -> Place:
    tree = subtree["tree"]
    places = []
    for i in range(len(tree["children"])):
        place = Place(0, 0, int(tree["n_node_samples"][i]), tree["value"][i])
        place.impurity, place.gain = float(tree["impurity"][i]), float(subtree["gain"][i])
        first, last = tree["row_start"][i], tree["row_start"][i + 1]
        if last > first:
            begin, end = tree["coef_start"][first], tree["coef_start"][last]
            place.test = {
                "start": tree["coef_start"][first : last + 1] - begin,
                "column": tree["coef_column"][begin:end],
                "coef": tree["coef_value"][begin:end],
                "fill": tree["coef_fill"][begin:end],
                "offset": tree["offset"][first:last],
            }
        places.append(place)
    for place, children in zip(places, tree["children"], strict=True):
        place.children = [places[child] for child in children if child >= 0]
    return places[0]
