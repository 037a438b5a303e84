"""Thermal training: which reading of the paper gives the published trees.

    ASLANT_DATA=... python benchmarks/thermal.py [--parts grid plus others lmdt pocket tests]

C. E. Brodley and P. E. Utgoff, *Multivariate Decision Trees*, 1995, leave open what the "last 2n
instances" of their stopping rule are, in which order rows come, who wins ties, and whether pruning
keeps ties and the root. The grid grows the trees of their tables 5, 9 and 11 and of LMDT in table 2
of the OC1 paper with each reading, and prunes each tree in every way; plus those of tables 14, 17
and 18, others those of the other learners, lmdt shows the sizes of LMDT's trees, pocket those of
the Pocket algorithm trained for shorter, tests some sizes of thermal trees. A figure agrees if
accuracy is within two published standard deviations on either side, a size if the two are within
30 % of each other. Finished trees are kept in build/thermal.jsonl, so an interrupted run continues.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from aslant_papers.brodley1995 import (
    ALL_METHODS,
    SEVERAL_CLASSES,
    TWO_CLASSES,
    WITH_UNIVARIATE,
)
from aslant_papers.cells import LoadedData, load_rows
from aslant_papers.protocol import Data, TableColumn
from aslant_papers.published import PublishedFigure, published_figures
from blocks import markdown
from page_blocks import source
from provenance import commit, environment, read_results, write_results

from aslant import LMDTClassifier, LTUTreeClassifier
from aslant.comparison.splits import Division, Folds
from aslant.prune import ReducedError
from aslant.prune.base import Grown, Pruner
from aslant.search import Pocket, Thermal
from aslant.tree.tree import Tree

RESULTS = Path(__file__).parent / "results" / "thermal.json"
JOURNAL = Path(__file__).parents[1] / "build" / "thermal.jsonl"
N_RUNS = 2

Reading = tuple[str, str, str, str, str]  # unit, emag, checked, order, ties
UPDATES = "updates", "current"
ERRORS = "errors", "current"
INSTANCES = "instances", "current"
CHOSEN: Reading = (*INSTANCES, "pass", "drawn", "first")
ORDERS = ("once", "first"), ("drawn", "first"), ("shuffled", "heavier"), ("shuffled", "wrong")
# Every rule with one order; the other orders and ties with two of the rules.
GRID: list[Reading] = [
    *(
        (*counted, checked, "shuffled", "first")
        for counted in (UPDATES, ERRORS, ("instances", "last"), INSTANCES)
        for checked in ("pass", "instance")
    ),
    *((*counted, "pass", *order) for counted in (ERRORS, INSTANCES) for order in ORDERS),
    (*ERRORS, "instance", "drawn", "first"),
]
PLUS: list[Reading] = [
    (*UPDATES, "pass", "shuffled", "first"),
    (*ERRORS, "pass", "drawn", "first"),
    (*ERRORS, "instance", "drawn", "first"),
    (*INSTANCES, "pass", "shuffled", "first"),
    CHOSEN,
]
LMDT: list[Reading] = [
    (*UPDATES, "pass", "drawn", "first"),
    (*ERRORS, "pass", "drawn", "first"),
    (*ERRORS, "instance", "drawn", "first"),
    CHOSEN,
]
TESTS: list[Reading] = [
    (*UPDATES, "pass", "shuffled", "first"),
    (*ERRORS, "pass", "drawn", "first"),
    CHOSEN,
]
OTHERS = ("RLS", "RLS + Uni", "single features", "Pocket")
PRESENTATIONS = (100, 1000, 3000, 10_000)
PRUNINGS = {
    f"{ties}{', root stays' if keep_root else ''}": ReducedError(ties=ties, keep_root=keep_root)
    for ties, keep_root in product(("prune", "keep"), (False, True))
}
ROOT_STAYS = [way for way, pruner in PRUNINGS.items() if pruner.keep_root]
ARTIFICIAL = tuple(
    TableColumn(name.upper(), Data(name, redrawn=True)) for name in ("ls10", "pol", "rcb")
)
HALF_QUARTER_QUARTER = Folds(runs=10, folds=4, prune_share=0.25)
NEAR_SIZE = 1.3
KEPT_SIZES = "sizes with ties kept: agree / too large / too small"
SIZES = ("tests", "size", "leaves", "hyperplanes")

Figures = dict[str, list[float]]
Job = tuple[str, TableColumn, Any, Any]  # row of the paper, data set, model, plan


class InEveryWay(Pruner):
    """Keeps what every pruner makes of a tree; leaves the tree itself as it is."""

    def __init__(self) -> None:
        self.pruned: list[Tree] = []

    @property
    def held_out(self) -> float:
        """Share of the rows to keep out; the caller names the rows."""
        return 1 / 3

    def check(self) -> None:
        """There is nothing to check."""

    def prune(self, grown: Grown) -> Tree:
        """Return the tree, after pruning it in every way."""
        self.pruned = [pruner.prune(grown) for pruner in PRUNINGS.values()]
        return grown.tree


def grown_trees(
    model: Any, rows: LoadedData, division: Division, seed: int
) -> tuple[list[Tree], Any, int]:
    """Return the tree pruned in every way, the fitted model and its count of corrections."""
    every = InEveryWay()
    model.set_params(random_state=seed, categorical_features=rows.categorical or None)
    if division.prune is None:
        model.set_params(pruning=None).fit(rows.X[division.train], rows.y[division.train])
        return [model.tree_] * len(PRUNINGS), model, model.n_hyperplanes_
    train = np.concatenate([division.train, division.prune])
    by = np.arange(len(train)) >= len(division.train)
    model.set_params(pruning=every).fit(rows.X[train], rows.y[train], prune_rows=by)
    return every.pruned, model, model.n_hyperplanes_


def measured(model: Any, column: TableColumn, plan: Any) -> list[Figures]:
    """Return accuracy and sizes for every pruning, a figure for each run."""
    figures: list[Figures] = [{name: [] for name in ("accuracy", *SIZES)} for _ in PRUNINGS]
    for run in range(min(N_RUNS, plan.runs)):
        rows = load_rows(column.data, run)
        right = np.zeros(len(PRUNINGS))
        sizes = np.zeros((len(PRUNINGS), 4))
        divisions = list(plan.divide(rows.y, rows.split, run))
        for number, division in enumerate(divisions):
            trees, fitted, hyperplanes = grown_trees(model, rows, division, 100 * run + number)
            encoded, truth = fitted._encoded(rows.X[division.test]), rows.y[division.test]
            for way, tree in enumerate(trees):
                label = fitted.classes_[tree.value.argmax(axis=1)][tree.apply(encoded)]
                right[way] += np.sum(label == truth)
                tests = tree.n_nodes - tree.n_leaves
                sizes[way] += (tests, tree.features_in_test.sum(), tree.n_leaves, hyperplanes)
        n_tested = sum(len(division.test) for division in divisions)
        for way, figure in enumerate(figures):
            figure["accuracy"].append(100.0 * right[way] / n_tested)
            for name, total in zip(SIZES, sizes[way], strict=True):
                figure[name].append(total / len(divisions))
    return figures


def plus_jobs(learner: Thermal) -> Iterator[Job]:
    """Yield the rows of linear machines beside single features, tables 14, 17 and 18."""
    for letter, criterion in (("G", "gini"), ("I", "gain_ratio")):
        for selection in ("DSBE", "HSS", "SBE", "SFS"):
            for column in SEVERAL_CLASSES:
                model = LMDTClassifier(
                    learner=learner,
                    selection=selection.lower(),
                    univariate=True,
                    criterion=criterion,
                    keep_empty=True,
                )
                yield f"{selection}-{letter} + Uni", column, model, column.plan


def grid_jobs(learner: Thermal) -> Iterator[Job]:
    """Yield the rows of tables 5, 9 and 11, and of LMDT in the OC1 paper."""
    for selection in ("DSBE", "SBE", "SFS"):
        for column in TWO_CLASSES:
            unit = LTUTreeClassifier(learner=learner, selection=selection.lower())
            yield f"Thermal + {selection}", column, unit, None
    for column in SEVERAL_CLASSES:
        for selection in ("DSBE",) if column.label == "Segment" else ("DSBE", "SBE", "SFS"):
            machine = LMDTClassifier(learner=learner, selection=selection.lower(), keep_empty=True)
            yield f"{selection} (Thermal)", column, machine, column.plan
    yield from lmdt_jobs(learner)


def lmdt_jobs(learner: Thermal) -> Iterator[Job]:
    """Yield the rows of LMDT in the OC1 paper."""
    for column in ARTIFICIAL:
        machine = LMDTClassifier(learner=learner, keep_empty=True)
        yield "LMDT", column, machine, Folds(runs=10, folds=5)


def other_jobs(learner: str) -> Iterator[Job]:
    """Yield the rows of another learner in tables 5 and 9, or those named in tables 13 to 18."""
    rows = {
        "single features": ("RP-C4.5", "Uni-G", "Uni-I"),
        "RLS + Uni": [method.label for group in WITH_UNIVARIATE.values() for method in group],
    }
    for method in ALL_METHODS if learner in rows else ():
        if method.label in rows[learner]:
            for column in TWO_CLASSES if "RLS" in learner else (*TWO_CLASSES, *SEVERAL_CLASSES):
                yield method.label, column, method.estimator.make(), column.plan
    if learner in rows:
        return
    for selection, column in product(("DSBE", "SBE", "SFS"), TWO_CLASSES):
        unit = LTUTreeClassifier(learner=learner.lower(), selection=selection.lower())
        yield f"{learner} + {selection}", column, unit, None


def pocket_jobs(presentations: int) -> Iterator[Job]:
    """Yield the rows of Pocket with SBE, trained for this many rows or once with all."""
    learner = Pocket(presentations=presentations, passes=1)
    for column in TWO_CLASSES:
        unit = LTUTreeClassifier(learner=learner, selection="sbe")
        yield "Pocket + SBE", column, unit, None


def size_jobs(learner: Thermal) -> Iterator[Job]:
    """Yield a few rows whose sizes tell the readings apart."""
    for selection in ("DSBE", "SFS"):
        unit = LTUTreeClassifier(learner=learner, selection=selection.lower())
        bupa = next(column for column in TWO_CLASSES if column.label == "Bupa")
        yield f"Thermal + {selection}", bupa, unit, None
    for row, column, model, plan in plus_jobs(learner):
        if column.label == "LED" and row == "DSBE-G + Uni":
            yield row, column, model, plan


PLACES = {  # tables with the rows of a job, and their measures
    "brodley1995": {
        5: ("accuracy",),
        9: ("tests", "size"),
        11: ("accuracy",),
        13: ("accuracy",),
        16: ("tests", "size"),
        14: ("accuracy",),
        17: ("tests", "size", "leaves"),
        18: ("tests", "size", "leaves"),
    },
    "murthy1994": {2: ("accuracy", "leaves")},
}


def published(row: str, column: str) -> Iterator[tuple[int, str, PublishedFigure]]:
    """Yield table, measure and figure of what the papers print of a job."""
    for paper, tables in PLACES.items():
        for number, measures in tables.items():
            for measure in measures:
                figure = published_figures(paper).get((number, row, column, measure))
                if figure is not None:
                    yield number, measure, figure


def agreement(measure: str, figure: PublishedFigure, ours: float) -> int:
    """Return 0 if the figures agree, 1 if ours is larger, -1 if it is smaller."""
    difference = ours - figure.value
    agrees = abs(difference) <= 2.0 * (figure.sd or 0.0) + 1e-9
    if measure != "accuracy":
        agrees = figure.value / NEAR_SIZE <= ours <= figure.value * NEAR_SIZE
    return 0 if agrees else int(np.sign(difference))


def learner_of(reading: Reading) -> Thermal:
    """Return thermal training as one reading has it."""
    unit, emag, checked, order, ties = reading
    return Thermal(unit=unit, emag=emag, checked=checked, order=order, ties=ties)


def counts(name: str, jobs: Iterable[Job]) -> dict[str, Any]:
    """Return how many figures of some rows agree, are larger and are smaller, by pruning."""
    found: dict[str, Any] = {way: {"accuracy": [0] * 3, "size": [0] * 3} for way in PRUNINGS}
    for row, column, model, plan in jobs:
        figures = remembered(name, row, column, model, plan)
        for way, figure in zip(PRUNINGS, figures, strict=True):
            for _, measure, printed in published(row, column.label):
                mark = agreement(measure, printed, float(np.mean(figure[measure])))
                kind = "accuracy" if measure == "accuracy" else "size"
                found[way][kind][(0, 1, 2)[mark]] += 1
    agree = [of_way["accuracy"][0] + of_way["size"][0] for of_way in found.values()]
    print(f"{name}: {' / '.join(map(str, agree))} agree", flush=True)
    return found


def lmdt_figures(name: str, jobs: Iterable[Job]) -> dict[str, list[float]]:
    """Return accuracy, leaves and corrections of unpruned trees by data set."""
    found = {}
    for row, column, model, plan in jobs:
        figure = remembered(name, row, column, model, plan)[0]
        found[column.label] = [
            round(float(np.mean(figure[one])), 2) for one in ("accuracy", "leaves", "hyperplanes")
        ]
    print(f"LMDT, {name}: {found}", flush=True)
    return found


def tests_figures(name: str, jobs: Iterable[Job]) -> dict[str, dict[str, float]]:
    """Return the mean number of tests by row and pruning, for the two ways that keep the root."""
    found = {}
    for row, column, model, plan in jobs:
        figures = dict(zip(PRUNINGS, remembered(name, row, column, model, plan), strict=True))
        found[f"{column.label}, {row}"] = {
            way: round(float(np.mean(figures[way]["tests"])), 1) for way in ROOT_STAYS
        }
    print(f"tests, {name}: {found}", flush=True)
    return found


def remembered(name: str, row: str, column: TableColumn, model: Any, plan: Any) -> list[Figures]:
    """Return the figures of a job, computed once with each commit."""
    key = f"{commit()} | {name} | {row} | {column.label} | {N_RUNS} runs"
    for line in JOURNAL.read_text().splitlines() if JOURNAL.exists() else []:
        entry = json.loads(line)
        if entry["key"] == key:
            return entry["figures"]
    figures = measured(model, column, plan or HALF_QUARTER_QUARTER)
    JOURNAL.parent.mkdir(parents=True, exist_ok=True)
    with open(JOURNAL, "a") as out:
        out.write(json.dumps({"key": key, "figures": figures}) + "\n")
    return figures


PARTS: dict[str, Callable[[], dict[str, Any]]] = {
    "grid": lambda: {named(r): counts(named(r), grid_jobs(learner_of(r))) for r in GRID},
    "plus": lambda: {named(r): counts(named(r), plus_jobs(learner_of(r))) for r in PLUS},
    "others": lambda: {name: counts(name, other_jobs(name)) for name in OTHERS},
    "lmdt": lambda: {named(r): lmdt_figures(named(r), lmdt_jobs(learner_of(r))) for r in LMDT},
    "pocket": lambda: {
        f"{n:,}": tests_figures(f"Pocket, {n:,} rows", pocket_jobs(n)) for n in PRESENTATIONS
    },
    "tests": lambda: {named(r): tests_figures(named(r), size_jobs(learner_of(r))) for r in TESTS},
}


def named(reading: Reading) -> str:
    """Return the two columns of the tables that describe a reading."""
    unit, emag, checked, order, ties = reading
    rule = (unit, checked) if unit == "updates" else (unit, emag, checked)
    return f"{', '.join(rule)} | {order}, {ties}"


def table(part: str) -> str:
    """Return how many figures agree with every pruning: of the grid, plus or others."""
    found = read_results(RESULTS)[0][part]
    others = part == "others"
    header = ["rows"] if others else ["unit, emag, checked", "order, ties"]
    rows = []
    for name, ways in found.items():
        agree = [str(way["accuracy"][0] + way["size"][0]) for way in ways.values()]
        cells = name.split(" | ")
        if name == named(CHOSEN):
            cells = [f"**{cell}**" for cell in cells]
            agree[1] = f"**{agree[1]}**"
        total = str(sum(map(sum, next(iter(ways.values())).values())))
        kept = " / ".join(map(str, ways["keep"]["size"]))
        rows.append([*cells, total, *agree, kept] if others else [*cells, *agree])
    header = [*header, *(["figures"] if others else []), *PRUNINGS]
    return markdown([*header, KEPT_SIZES] if others else header, rows) + _source()


def lmdt_table() -> str:
    """Return accuracy / leaves / corrections of LMDT's trees below the published ones."""
    columns = [column.label for column in ARTIFICIAL]
    printed = published_figures("murthy1994")
    names = ("accuracy", "leaves", "hyperplanes")
    rows = [
        ["published", *(_printed([printed.get((2, "LMDT", c, n)) for n in names]) for c in columns)]
    ]
    for name, figures in read_results(RESULTS)[0]["lmdt"].items():
        cells = [f"{a:.1f} / {leaves:.1f} / {n:,.0f}" for a, leaves, n in figures.values()]
        rows.append([name.split(" | ")[0], *cells])
    return markdown(["", *columns], rows) + _source()


def tests_table(part: str, first: str) -> str:
    """Return the numbers of tests with ties pruned / kept, below the published ones."""
    found = read_results(RESULTS)[0][part]
    places = list(next(iter(found.values())))
    printed = {
        f"{column}, {row}": figure.value
        for (_, row, column, measure), figure in published_figures("brodley1995").items()
        if measure == "tests"
    }
    rows = [["published", *(f"{printed[place]:g}" for place in places)]]
    for name, by_place in found.items():
        cells = [
            " / ".join(f"{by_place[place][way]:.1f}" for way in ROOT_STAYS) for place in places
        ]
        rows.append([name.replace(" | ", ", "), *cells])
    return markdown([first, *places], rows) + _source()


def _printed(figures: list[PublishedFigure | None]) -> str:
    return " / ".join(
        f"{one.value:,g}" + (f" ± {one.sd:g}" if one.sd else "") for one in figures if one
    )


def _source() -> str:
    return source(RESULTS.name, "python benchmarks/thermal.py")


def main() -> None:
    """Compute what the journal does not have, and write the result file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS))
    parts = parser.parse_args().parts
    begun = environment()
    found = {part: PARTS[part]() for part in parts}
    earlier, of_earlier = read_results(RESULTS) if RESULTS.exists() else ({}, {})
    others = {part: figures for part, figures in earlier.items() if part not in found}
    write_results(RESULTS, others | found, begun, of_earlier if others else None)
    print(f"written to {RESULTS}")


if __name__ == "__main__":
    main()
