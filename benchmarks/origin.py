"""OC1's origin on data that had no part in choosing its default.

    ASLANT_DATA=... python benchmarks/origin.py [--runs 3]

The default origin, the median, was kept after its figures in the OC1 paper's tables had been seen.
These are the numeric sets of less than 1,000 rows beside them: cross-validation of five folds, with
the protocol of the paper.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np
from aslant_papers.cells import Cell, compute
from aslant_papers.murthy1994 import TEN_TIMES_FIVE
from aslant_papers.protocol import Data, spec
from aslant_papers.records import MEASURES
from blocks import markdown
from page_blocks import source
from provenance import environment, read_results, write_results

from aslant.search import OC1

RESULTS = Path(__file__).parent / "results" / "origin.json"
SETS = {
    "bupa": "Bupa",
    "glass": "Glass",
    "glass_float": "Glass (float)",
    "wine": "Wine",
    "balance_scale": "Balance",
    "ionosphere": "Ionosphere",
    "sonar": "Sonar",
    "vowel": "Vowel",
}
ORIGINS = {
    "median": spec("OC1Classifier"),
    "original": spec("OC1Classifier", search=OC1(origin="original")),
}


def measured(runs: int) -> list[dict[str, Any]]:
    """Return accuracy and leaves of each run on each set with each origin."""
    found = []
    for name in SETS:
        for origin, estimator in ORIGINS.items():
            records = [
                compute(Cell(Data(name), "", TEN_TIMES_FIVE, run, estimator)) for run in range(runs)
            ]
            figures = {
                measure: [MEASURES[measure].of(record, None) for record in records]
                for measure in ("accuracy", "leaves")
            }
            found.append({"set": name, "origin": origin, **figures})
            print(f"{name}, {origin}: {np.mean(figures['accuracy']):.1f}", flush=True)
    return found


def table() -> str:
    """Return accuracy and its deviation over the runs, and leaves."""
    found = {(one["set"], one["origin"]): one for one in read_results(RESULTS)[0]}
    rows = [
        [label, *(_figures(found[name, origin]) for origin in ORIGINS)]
        for name, label in SETS.items()
    ]
    return markdown(["data", *ORIGINS], rows) + source(RESULTS.name, "python benchmarks/origin.py")


def _figures(one: dict[str, Any]) -> str:
    accuracy, leaves = one["accuracy"], one["leaves"]
    return f"{np.mean(accuracy):.1f} ± {np.std(accuracy, ddof=1):.1f} / {np.mean(leaves):.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    begun = environment()
    write_results(RESULTS, measured(options.runs), begun)
    print(f"written to {RESULTS}")


if __name__ == "__main__":
    main()
