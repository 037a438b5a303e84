"""What the targets do not cover: the slowest searches; and how all ratios are taken.

    python benchmarks/engine.py [--quick] [--out benchmarks/results/engine.json]

Every ratio is the median over repeats in which both sides ran one after the other; times are CPU
times of one thread. The machine and the versions go into the file. The other benchmarks take their
clocks and their frame from here.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from provenance import environment, write_results
from rich.console import Console
from rich.table import Table
from sklearn.tree import DecisionTreeClassifier

from aslant import OC1Classifier, SADTClassifier
from aslant.datasets import make_ls10
from aslant.search import OC1


def cpu_time(work: Callable[[], Any]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def wall_time(work: Callable[[], Any]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def ratio(
    ours: Callable[[], Any],
    theirs: Callable[[], Any],
    repeats: int,
    clock: Callable[[Callable[[], Any]], float] = cpu_time,
) -> float:
    """Median over repeats of our time divided by theirs, both taken side by side."""
    return statistics.median(clock(ours) / clock(theirs) for _ in range(repeats))


def growth_exponent(sizes: Sequence[float], seconds: Sequence[float]) -> float:
    """Slope of log time over log size, by least squares: 1 is linear growth."""
    return float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])


def searches(repeats: int) -> list[dict[str, Any]]:
    """Compare the slowest searches on LS10 with an axis-parallel tree."""
    X, y = make_ls10(random_state=0)
    cart = DecisionTreeClassifier(random_state=0)
    return [
        {
            "what": f"{name} fit, LS10",
            "ratio": ratio(lambda: tree.fit(X, y), lambda: cart.fit(X, y), repeats),  # noqa: B023
            "target": target,
        }
        for name, tree, target in (
            (
                'OC1 with origin="original"',
                OC1Classifier(
                    search=OC1(restarts=20, jumps=5, origin="original"),
                    pruning=None,
                    random_state=0,
                ),
                60.0,
            ),
            ("SADT", SADTClassifier(random_state=0), None),
        )
    ]


def show(rows: list[dict[str, Any]]) -> None:
    table = Table(title="aslant / scikit-learn's DecisionTreeClassifier, one run")
    table.add_column("what")
    table.add_column("ratio", justify="right")
    table.add_column("target", justify="right")
    for row in rows:
        target = "" if row["target"] is None else f"<= {row['target']:g}"
        table.add_row(row["what"], f"{row['ratio']:.2f}", target)
    Console().print(table)


def run_as_program(
    description: str,
    name: str,
    measure: Callable[[bool], list[dict[str, Any]]],
    show: Callable[[list[dict[str, Any]]], None] = show,
) -> None:
    """Measure, quickly or not, show the ratios and write them with the machine into a file."""
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="fewer repeats, smaller data")
    parser.add_argument("--out", type=Path, default=Path(f"benchmarks/results/{name}.json"))
    options = parser.parse_args()
    begun = environment()
    rows = measure(options.quick)
    show(rows)
    write_results(options.out, rows, begun)
    print(f"written to {options.out}")


def measure(quick: bool) -> list[dict[str, Any]]:
    repeats = 1 if quick else 5
    return searches(repeats)


if __name__ == "__main__":
    run_as_program(__doc__, "engine", measure)
