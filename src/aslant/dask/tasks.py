"""The work of one worker between the passes: search a sample, finish a line, grow a subtree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from aslant import _core
from aslant.dask import part as parts
from aslant.dask.part import Array, Counted, FitPlan, Floats, Gathered, Line, LineRows, Part, Test
from aslant.growth.grow import one_blas_thread
from aslant.search import SplitSearch


@dataclass(frozen=True)
class Settings:
    """Settings of the growth.

    Attributes
    ----------
    plan : FitPlan
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

    plan: FitPlan
    search: SplitSearch
    search_rows: int
    local_rows: int
    bins: int
    seed: int
    rules: dict[str, Any]


@dataclass(frozen=True)
class Found:
    """A finished split, in the units of the node's columns."""

    test: Test
    score: float
    rows0: int | None  # estimated rows of child 0, if known
    keeps_empty: bool = False


def facts(gathered: Gathered) -> Floats:
    """Return the facts of all nodes."""
    assert gathered.facts is not None
    return gathered.facts


def impurities(counts: Counted) -> Floats:
    """Return the sums of the impurities of all nodes."""
    assert counts[1] is not None
    return counts[1]


def propose(
    gathered: Gathered,
    node: int,
    facts: Floats,
    place: tuple[int, int],
    second: bool,
    settings: Settings,
) -> tuple[list[Line], int]:
    """Search the sample of a node; return the lines to finish on all rows."""
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
                found["test"],
                found["limits"],
                found["own_finish"],
                found["part"],
                edges,
                found["keeps_empty"],
            )
        )
    return lines, hyperplanes


def choose(counts: Counted, lines: list[Line], plan: FitPlan) -> list[tuple[Floats, Array] | None]:
    """Return the bins of every line, and which of them may hold the best position."""
    chosen: list[tuple[Floats, Array] | None] = []
    for line, numbers in zip(lines, counts[0], strict=True):
        if line.edges is None or numbers is None:
            chosen.append(None)
            continue
        bins = line.bins(plan)
        bins.add_numbers(numbers)
        chosen.append((numbers, bins.candidates(plan.criterion, line.limits)))
    return chosen


def finish(
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
        return Found(line.test, score, None, line.keeps_empty)
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
    return Found({**line.test, "offset": np.array([best[0]])}, best[1], best[2])


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
    problem = _core.Problem(
        features=_core.Features(
            rows.places[:, np.newaxis],
            np.zeros(len(columns), dtype=np.int32),
            level[columns] if line.is_machine else np.array([-1], dtype=np.int32),
            known=one,
        ),
        target=_core.Target(rows.y, plan.n_classes, rows.weight, known=one),
        rows=None,
        criterion=plan.criterion,
        min_rows=plan.min_rows,
        min_weight=plan.min_weight,
        fill_with_training_mean=plan.by_training_mean,
    )
    found = _core.own_finish(problem, settings.search.core(), line.part)
    if found is None:
        return None
    test, score = found
    if not line.is_machine:
        return Found({**line.test, "offset": test["offset"]}, score, None)
    return Found({**test, "column": columns[test["column"]]}, score, None)


def select(part: Part, *nodes: Array, wanted: list[list[int]]) -> list[Part]:
    """Return the rows of the wanted nodes of some levels."""
    found = []
    for of_level, numbers in zip(nodes, wanted, strict=True):
        found += parts.select(part, of_level, numbers)
    return found


def grow_batch(
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
