"""What `search_rows` saves and what it costs: large nodes searched on a sample of their rows.

    python benchmarks/sampling.py [--quick] [--out benchmarks/results/sampling.json]

The CPU time of a fit divided by that of the same fit on all rows, with the accuracy on held-out
rows and the leaves of both. Trees are at their defaults, pruned where that is one. Letter needs the
folder that ASLANT_DATA names.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

from engine import cpu_time, run_as_program
from problems import Rows, Split, folds, made
from rich.console import Console
from rich.table import Table
from sklearn.model_selection import train_test_split

from aslant import HHCARTClassifier, OC1Classifier
from aslant.datasets import make_ls10, make_pol, make_rcb, make_waveform

SAMPLES = (1_000, 5_000)
GENERATORS: dict[str, Callable[..., Rows]] = {
    "LS10": make_ls10,
    "POL": make_pol,
    "RCB": make_rcb,
    "waveform": make_waveform,
}
TREES: dict[str, Callable[..., Any]] = {"OC1": OC1Classifier, "HHCART": HHCARTClassifier}


def problems(n: int) -> Iterator[tuple[str, Split]]:
    for name, make in GENERATORS.items():
        X, X_test, y, y_test = train_test_split(*make(n, random_state=0), random_state=0)
        yield f"{name}, {len(y):,} rows", ((X, y), (X_test, y_test))
    yield f"made, {n:,} x 20", made(n, 20)
    if os.environ.get("ASLANT_DATA"):
        yield "Letter, 16,000 rows", next(folds("Letter"))


def fit(tree: Any, split: Split) -> tuple[float, float, int]:
    """Return the time of a fit, the accuracy in % and the leaves."""
    (X, y), (X_test, y_test) = split
    seconds = cpu_time(lambda: tree.fit(X, y))
    return seconds, 100 * tree.score(X_test, y_test), tree.get_n_leaves()


def measure(quick: bool) -> list[dict[str, Any]]:
    rows = []
    for problem, split in problems(4_000 if quick else 20_000):
        for name, build in TREES.items():
            whole, accuracy, leaves = fit(build(random_state=0), split)
            for sample in SAMPLES:
                tree = build(search_rows=sample, random_state=0)
                seconds, of_sample, fewer = fit(tree, split)
                rows.append(
                    {
                        "what": f"{name}, {problem}",
                        "search_rows": sample,
                        "ratio": seconds / whole,
                        "accuracy": [accuracy, of_sample],
                        "leaves": [leaves, fewer],
                    }
                )
    return rows


def show(rows: list[dict[str, Any]]) -> None:
    table = Table(title="search_rows beside all rows: time, accuracy, leaves")
    for column in ("", "search_rows", "time", "accuracy %", "leaves"):
        table.add_column(column, justify="left" if column == "" else "right")
    for row in rows:
        table.add_row(
            row["what"],
            f"{row['search_rows']:,}",
            f"{row['ratio']:.2f}",
            "{:.1f} -> {:.1f}".format(*row["accuracy"]),
            "{} -> {}".format(*row["leaves"]),
        )
    Console().print(table)


if __name__ == "__main__":
    run_as_program(__doc__, "sampling", measure, show)
