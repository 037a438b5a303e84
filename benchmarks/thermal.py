"""Thermal training: which reading of the paper gives the published trees.

    ASLANT_DATA=... python benchmarks/thermal.py [--runs 2] [--plus | --others] [--cache FOLDER]

C. E. Brodley and P. E. Utgoff, *Multivariate Decision Trees*, 1995, leave open what the "last 2n
instances" of their stopping rule are, in which order rows come, who wins ties, and whether pruning
keeps ties and the root. Every combination below grows the trees of their tables 5, 9 and 11 (tables
17 and 18 with ``--plus``) and of LMDT in table 2 of the OC1 paper; each tree is grown once and
pruned in every way. ``--others`` does so for the other learners of tables 5 and 9. A cell agrees
if accuracy is within two published standard deviations on either side, a size if the two are within
30 % of each other.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
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

from aslant import LMDTClassifier, LTUTreeClassifier
from aslant.comparison.splits import Division, Folds
from aslant.prune import ReducedError
from aslant.prune.base import Grown, Pruner
from aslant.search import Thermal
from aslant.tree.tree import Tree

RULES = (
    {"unit": "updates", "checked": "pass"},
    {"unit": "updates", "checked": "instance"},
    {"unit": "errors", "emag": "current", "checked": "pass"},
    {"unit": "errors", "emag": "current", "checked": "instance"},
    {"unit": "instances", "emag": "last", "checked": "pass"},
    {"unit": "instances", "emag": "last", "checked": "instance"},
    {"unit": "instances", "emag": "current", "checked": "pass"},
    {"unit": "instances", "emag": "current", "checked": "instance"},
)
# Orders with the paper's ties, the other ties with one order.
PRESENTATIONS = (
    ("once", "first"),
    ("shuffled", "first"),
    ("drawn", "first"),
    ("shuffled", "heavier"),
    ("shuffled", "wrong"),
)
PRUNINGS = {
    f"ties={ties!r}, keep_root={keep_root}": ReducedError(ties=ties, keep_root=keep_root)
    for ties, keep_root in product(("prune", "keep"), (False, True))
}
ARTIFICIAL = tuple(
    TableColumn(name.upper(), Data(name, redrawn=True)) for name in ("ls10", "pol", "rcb")
)
HALF_QUARTER_QUARTER = Folds(runs=10, folds=4, prune_share=0.25)
NEAR_SIZE = 1.3
SIZES = ("tests", "size", "leaves", "hyperplanes")

Figures = dict[str, list[float]]


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


def measured(model: Any, column: TableColumn, plan: Any, runs: int) -> list[Figures]:
    """Return accuracy and sizes for every pruning, a figure for each run."""
    figures: list[Figures] = [{name: [] for name in ("accuracy", *SIZES)} for _ in PRUNINGS]
    for run in range(min(runs, plan.runs)):
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


def jobs(
    learner: Thermal, keep_empty: bool, plus: bool
) -> Iterator[tuple[str, TableColumn, Any, Any]]:
    """Yield the name of each row, its data set, model and plan."""
    if plus:
        for letter, criterion in (("G", "gini"), ("I", "gain_ratio")):
            for selection in ("DSBE", "HSS", "SBE", "SFS"):
                for column in SEVERAL_CLASSES:
                    model = LMDTClassifier(
                        learner=learner,
                        selection=selection.lower(),
                        univariate=True,
                        criterion=criterion,
                        keep_empty=keep_empty,
                    )
                    yield f"{selection}-{letter} + Uni", column, model, column.plan
        return
    for selection in ("DSBE", "SBE", "SFS"):
        for column in TWO_CLASSES:
            unit = LTUTreeClassifier(learner=learner, selection=selection.lower())
            yield f"Thermal + {selection}", column, unit, None
    for column in SEVERAL_CLASSES:
        for selection in ("DSBE",) if column.label == "Segment" else ("DSBE", "SBE", "SFS"):
            machine = LMDTClassifier(
                learner=learner, selection=selection.lower(), keep_empty=keep_empty
            )
            yield f"{selection} (Thermal)", column, machine, column.plan
    for column in ARTIFICIAL:
        machine = LMDTClassifier(learner=learner, keep_empty=keep_empty)
        yield "LMDT", column, machine, Folds(runs=10, folds=5)


def other_jobs(learner: str) -> Iterator[tuple[str, TableColumn, Any, Any]]:
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


def name_of(rule: dict[str, str], order: str, ties: str, keep_empty: bool) -> str:
    """Return a readable name of one combination."""
    settings = {**rule, "order": order, "ties": ties}
    text = ", ".join(f"{key}={value}" for key, value in settings.items())
    return f"{text}, keep_empty={keep_empty}"


def main() -> None:
    """Run the grid and print how many cells agree."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=2)
    parser.add_argument("--plus", action="store_true", help="tables 14, 17 and 18")
    parser.add_argument(
        "--others", action="store_true", help="RLS, the Pocket algorithm, single features"
    )
    parser.add_argument("--only", default="", help="combinations whose name contains this")
    parser.add_argument("--keep-empty", default="yes", choices=("yes", "no", "both"))
    parser.add_argument("--cache", type=Path, default=Path("build/thermal"))
    args = parser.parse_args()
    args.cache.mkdir(parents=True, exist_ok=True)
    if args.others:
        for learner in ("RLS", "RLS + Uni", "single features", "Pocket"):
            if args.only not in learner:
                continue
            report(args, learner, other_jobs(learner))
        return
    kept = {"yes": (True,), "no": (False,), "both": (True, False)}[args.keep_empty]
    for rule, (order, ties), keep_empty in product(RULES, PRESENTATIONS, kept):
        name = name_of(rule, order, ties, keep_empty)
        if args.only in name:
            learner = Thermal(**rule, order=order, ties=ties)
            report(args, name, jobs(learner, keep_empty, args.plus))


def report(
    args: argparse.Namespace, name: str, todo: Iterator[tuple[str, TableColumn, Any, Any]]
) -> None:
    """Print how many figures of some rows agree, for every pruning."""
    counts = {way: np.zeros(6, dtype=int) for way in PRUNINGS}
    for row, column, model, plan in todo:
        figures = remembered(args, name, row, column, model, plan or HALF_QUARTER_QUARTER)
        for way, figure in zip(PRUNINGS, figures, strict=True):
            for _, measure, printed in published(row, column.label):
                mark = agreement(measure, printed, float(np.mean(figure[measure])))
                kind = 0 if measure == "accuracy" else 3
                counts[way][kind + (0, 1, 2)[mark]] += 1
    for way, (agree, larger, smaller, s_agree, s_larger, s_smaller) in counts.items():
        print(
            f"{name} | {way} | accuracy {agree} agree, {larger} higher, {smaller} lower"
            f" | sizes {s_agree} agree, {s_larger} larger, {s_smaller} smaller"
            f" | {agree + s_agree}",
            flush=True,
        )


def remembered(
    args: argparse.Namespace, name: str, row: str, column: TableColumn, model: Any, plan: Any
) -> list[Figures]:
    """Return the figures of a job, computed once."""
    file = args.cache / "figures.jsonl"
    key = f"{name} | {row} | {column.label} | {args.runs} runs"
    if file.exists():
        for line in file.read_text().splitlines():
            entry = json.loads(line)
            if entry["key"] == key:
                return entry["figures"]
    figures = measured(model, column, plan, args.runs)
    with open(file, "a") as out:
        out.write(json.dumps({"key": key, "figures": figures}) + "\n")
    return figures


if __name__ == "__main__":
    main()
