"""Growth of a tree level by level over partitions.

The growth loop is the one of ``src/core/growth/grow.cpp`` and asks the same functions of the core;
what differs is that sums and samples come from partitions. Nodes with few rows are grown whole by
one worker. Nothing here knows Dask: `Workers` says what is needed of whoever holds the partitions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from aslant import _core
from aslant.dask import part as parts
from aslant.dask import tasks
from aslant.dask.assembly import Place, flattened, keep_best_first
from aslant.dask.part import Array, Floats, NodeDivision
from aslant.dask.tasks import Found, Settings
from aslant.dask.workers import Handle, Local, Workers


class LevelwiseGrowth:
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
            keep_best_first(root, self._settings.rules["max_leaf_nodes"])
        return flattened(root, self._plan)

    # ------------------------------------------------------------------ one level

    def _level(
        self, frontier: list[Place], families: list[list[Place]], expected: list[int]
    ) -> tuple[list[Place], list[list[Place]], list[int]]:
        sampled = np.array(expected) > self._settings.local_rows
        gathered = self._gather(frontier, sampled, np.full(len(frontier), -1, dtype=np.int32))
        (facts,) = self._workers.results([self._workers.call(tasks.facts, gathered)])
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
        """Record the facts of the nodes; undo a split that left a child too small."""
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
        return _core.Piece(self._empty, facts).may_split(
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
                    tasks.propose,
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
            (sums,) = self._workers.results([self._workers.call(tasks.impurities, counts)])
            for place, pair in zip(frontier, sums, strict=True):
                if place.rows >= 0:
                    place.impurity = max(0.0, float(pair[0] + pair[1]) / place.weight(self._plan))
        if not lines:
            return dict.fromkeys(samples)
        chosen = self._workers.call(tasks.choose, counts, lines=lines, plan=self._plan)
        self.passes[-1] += 1
        rows = self._workers.reduced(
            self._workers.each(parts.pick_rows, self._rows, self._nodes, chosen=chosen, **common),
            parts.merged_rows,
        )
        finished = self._workers.results(
            [
                self._workers.call(
                    tasks.finish, counts, chosen, rows, number=i, line=line, settings=settings
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
        divisions: list[NodeDivision] = []
        following: list[Place] = []
        families: list[list[Place]] = []
        expected: list[int] = []
        for i, split in found.items():
            place = frontier[i]
            test = None if split is None else self._accepted_test(place, facts[i], split)
            if test is None or split is None:
                self._arrive(place)
                continue
            n_children = max(2, len(split.test["offset"]))
            place.test, place.gain = test, split.score * place.weight(self._plan)
            place.keeps_empty = split.keeps_empty
            place.children = [
                Place(_core.child_key(place.key, c), place.depth + 1) for c in range(n_children)
            ]
            numbers = np.arange(len(following), len(following) + n_children, dtype=np.int32)
            divisions.append(NodeDivision(i, test, numbers))
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

    def _accepted_test(self, place: Place, facts: Floats, found: Found) -> parts.Test | None:
        accepted = _core.accepts_split(
            self._plan.criterion,
            found.score,
            place.weight(self._plan) / self._total,
            _core.search_decides(self._settings.search.core()),
            self._settings.rules["min_impurity_decrease"],
        )
        if not accepted:
            return None
        return _core.Piece(self._empty, facts).completed(found.test)

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
                pieces = self._workers.each(tasks.select, self._rows, *nodes, wanted=wanted)
                order = [
                    place for of_level in nodes for place, level, _ in batch if level is of_level
                ]
                heads = [(place.key, place.depth) for place in order]
                task = self._workers.call(
                    tasks.grow_batch,
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
