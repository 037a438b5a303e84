"""AutoTreeClassifier on many rows beside scikit-learn's tree, as ratios from one run.

    python benchmarks/auto_large.py [--quick] [--out benchmarks/results/auto_large.json]

CPU times of one thread: Letter whole, which needs the folder that ASLANT_DATA names, and a million
made rows of 20 features. The targets: Letter within a minute on one core, and the million rows
within ten fits of scikit-learn's tree. With quick a tenth of the rows.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from engine import cpu_time, run_as_program
from problems import Rows, made, rows_of
from rich.console import Console
from rich.table import Table
from sklearn.tree import DecisionTreeClassifier

from aslant import AutoTreeClassifier

TARGET = 10.0


def problems(scale: int) -> Iterator[tuple[str, Rows]]:
    """Yield the name and the rows of every data set."""
    if os.environ.get("ASLANT_DATA"):
        X, y = rows_of("Letter")
        yield "Letter", (X[: len(y) // scale], y[: len(y) // scale])
    yield "made", made(1_000_000 // scale, 20)[0]


def measure(quick: bool) -> list[dict[str, Any]]:
    """Fit both on every data set."""
    found = []
    for name, (X, y) in problems(10 if quick else 1):
        cart = DecisionTreeClassifier(random_state=0)
        tree = AutoTreeClassifier(random_state=0, n_jobs=1)
        of_cart = cpu_time(lambda: cart.fit(X, y))  # noqa: B023
        seconds = cpu_time(lambda: tree.fit(X, y))  # noqa: B023
        row = {
            "what": name,
            "shape": list(X.shape),
            "ratio": seconds / of_cart,
            "seconds": seconds,
            "leaves": tree.get_n_leaves(),
        }
        found.append(row if name == "Letter" else {**row, "target": TARGET})
    return found


def show(rows: list[dict[str, Any]]) -> None:
    """Print the ratios."""
    table = Table(title="AutoTreeClassifier, in fits of scikit-learn's tree")
    for column in ("", "rows x features", "auto", "seconds", "leaves"):
        table.add_column(column, justify="left" if column == "" else "right")
    for row in rows:
        shape = " x ".join(f"{n:,}" for n in row["shape"])
        figures = (f"{row['ratio']:.1f}", f"{row['seconds']:.1f}", str(row["leaves"]))
        table.add_row(row["what"], shape, *figures)
    Console().print(table)


if __name__ == "__main__":
    run_as_program(__doc__, "auto_large", measure, show)
