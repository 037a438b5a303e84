"""MML oblique trees as published: which charges and which effort give the published trees.

    ASLANT_DATA=... python benchmarks/mml_published.py [--runs 8] [--variants "200 rounds"]

P. J. Tan and D. L. Dowe, *MML Inference of Oblique Decision Trees*, 2004, print a length for the
direction of a test and none for its features or its cut, and do not say how many rounds and
restarts their search has. Every line is `MMLTreeClassifier.as_published` with some of it changed:
accuracy, RCL and leaves, means over the first divisions of ``aslant reproduce tan2004``. Finished
cells are kept in build/mml_published.jsonl, so an interrupted run continues.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np
from aslant_papers.cells import Cell, compute, load_rows
from aslant_papers.protocol import published
from aslant_papers.published import published_figures
from aslant_papers.records import MEASURES
from aslant_papers.tan2004 import TABLE_1
from blocks import markdown
from page_blocks import source
from provenance import commit, environment, read_results, write_results

RESULTS = Path(__file__).parent / "results" / "mml_published.json"
JOURNAL = Path(__file__).parents[1] / "build" / "mml_published.jsonl"
SETS = ("Bupa", "Balance", "Wisconsin")
SHORT = {"rounds": 200}
VARIANTS = {
    "features and gap charged, 200 rounds": {**SHORT, "attributes": "subset", "position": "gap"},
    "features charged, 200 rounds": {**SHORT, "attributes": "subset"},
    "neither charged, 200 rounds": SHORT,
    "neither, every split 2 bits cheaper, 200 rounds": {**SHORT, "min_saving": -2.0},
    "neither, the exact cap, 200 rounds": {**SHORT, "direction": "cap"},
    "features charged, single ones too, 200 rounds": {
        **SHORT,
        "attributes": "subset",
        "min_features_per_test": 1,
    },
    "**as published: neither charged, 2,000 rounds**": {},
    "the same, the best prior count for a tree": {"alpha": "tree"},
    "the same, prior counts of 0.3": {"alpha": 0.3},
    "the same, single features too": {"min_features_per_test": 1},
}
SHOWN = ("accuracy", "rcl", "leaves")


def measured(name: str, variant: str, runs: int) -> list[list[float]]:
    """Return accuracy, RCL and leaves of every division, computed once with each commit."""
    key = f"{commit()} | {name} | {variant} | {runs} runs"
    lines = JOURNAL.read_text().splitlines() if JOURNAL.exists() else []
    for line in map(json.loads, lines):
        if line["key"] == key:
            return line["figures"]
    data = {column.label: column for column in TABLE_1.columns}[name].data
    tree = published("MMLTreeClassifier", **VARIANTS[variant])
    records = [
        compute(Cell(data, load_rows(data, run).fingerprint(), TABLE_1.plan, run, tree))
        for run in range(runs)
    ]
    figures = [[float(MEASURES[m].of(record, None)) for m in SHOWN] for record in records]
    JOURNAL.parent.mkdir(parents=True, exist_ok=True)
    with open(JOURNAL, "a") as journal:
        journal.write(json.dumps({"key": key, "figures": figures}) + "\n")
    return figures


def table() -> str:
    """Return accuracy / RCL / leaves of every variant below the published figures."""
    found = {(one["variant"], one["set"]): one["figures"] for one in read_results(RESULTS)[0]}
    figures = published_figures("tan2004")
    printed = [
        _cell([figures[1, "MML oblique tree", name, measure].value for measure in SHOWN])
        for name in SETS
    ]
    rows = [
        [variant, *(_cell(np.mean(found[variant, name], axis=0)) for name in SETS)]
        for variant in VARIANTS
    ]
    command = "python benchmarks/mml_published.py"
    return markdown(["", *SETS], [["published", *printed], *rows]) + source(RESULTS.name, command)


def _cell(values: Any) -> str:
    accuracy, rcl, leaves = values
    return f"{accuracy:.1f} / {rcl:.2f} / {leaves:.1f}"


def main() -> None:
    """Compute what the journal does not have; write the file when all variants are there."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=8)
    parser.add_argument("--variants", default="", help="only those whose name contains this")
    args = parser.parse_args()
    begun = environment()
    found = []
    for variant in (one for one in VARIANTS if args.variants in one):
        for name in SETS:
            figures = measured(name, variant, args.runs)
            print(f"{variant}, {name}: {_cell(np.mean(figures, axis=0))}", flush=True)
            found.append({"variant": variant, "set": name, "figures": figures})
    if not args.variants:
        write_results(RESULTS, found, begun)
        print(f"written to {RESULTS}")


if __name__ == "__main__":
    main()
