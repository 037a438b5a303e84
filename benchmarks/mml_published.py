"""MML oblique trees as published: which charges and which effort give the published trees.

    ASLANT_DATA=... python benchmarks/mml_published.py [--runs 8] [--datasets Bupa,Balance]

P. J. Tan and D. L. Dowe, *MML Inference of Oblique Decision Trees*, 2004, print a length for the
direction of a test and none for its features or its cut, and do not say how many rounds and
restarts their search has. Every line is `MMLTreeClassifier.as_published` with some of it changed:
accuracy, RCL and leaves, means over the first divisions of ``aslant reproduce tan2004``.
"""

from __future__ import annotations

import argparse

import numpy as np
from aslant_papers.cells import Cell, compute, load_rows
from aslant_papers.protocol import published
from aslant_papers.published import published_figures
from aslant_papers.records import MEASURES
from aslant_papers.tan2004 import TABLE_1

SHORT = {"rounds": 200}
VARIANTS = {
    "as published": {},
    "200 rounds": SHORT,
    "200 rounds, which features charged": {**SHORT, "attributes": "subset"},
    "200 rounds, features and gap charged": {**SHORT, "attributes": "subset", "position": "gap"},
    "200 rounds, features, single ones too": {
        **SHORT,
        "attributes": "subset",
        "min_features_per_test": 1,
    },
    "200 rounds, exact cap": {**SHORT, "direction": "cap"},
    "200 rounds, exact cap, 2 bits cheaper": {**SHORT, "direction": "cap", "min_saving": -2.0},
    "200 rounds, 2 bits cheaper": {**SHORT, "min_saving": -2.0},
    "the best prior of a leaf": {"alpha": "tree"},
    "prior counts of 0.3": {"alpha": 0.3},
    "single features too": {"min_features_per_test": 1},
    "1000 restarts, 1000 rounds": {"restarts": 1000, "rounds": 1000},
}
SHOWN = ("accuracy", "rcl", "leaves")


def main() -> None:
    """Print a line for every data set and variant."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=8)
    parser.add_argument("--datasets", default="Bupa,Balance,Wisconsin,Wine")
    parser.add_argument("--variants", default="", help="those whose name contains this")
    args = parser.parse_args()
    columns = {column.label: column for column in TABLE_1.columns}
    for name in args.datasets.split(","):
        data = columns[name].data
        figures = published_figures("tan2004")
        printed = [figures[1, "MML oblique tree", name, measure].value for measure in SHOWN]
        print(f"{name}: published {' / '.join(map(str, printed))}", flush=True)
        for variant, changes in VARIANTS.items():
            if args.variants not in variant:
                continue
            tree = published("MMLTreeClassifier", **changes)
            records = [
                compute(Cell(data, load_rows(data, run).fingerprint(), TABLE_1.plan, run, tree))
                for run in range(args.runs)
            ]
            means = [np.mean([MEASURES[m].of(record, None) for record in records]) for m in SHOWN]
            print(f"  {variant}: {means[0]:.1f} / {means[1]:.2f} / {means[2]:.1f}", flush=True)


if __name__ == "__main__":
    main()
