"""Speed of AutoTreeClassifier beside scikit-learn's tree and forest, as ratios from one run.

    python benchmarks/auto.py [--quick] [--out benchmarks/results/auto.json]

CPU times of one thread, medians where fits are short. The data sets are the eighteen that had a
part in the constants of the recipe (docs/algorithms/auto.md); those of the papers need the folder
that ASLANT_DATA names. The targets: at most 40 CART fits on the geometric mean, and on every set
but Letter at most the time of a forest of 200 trees.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import numpy as np
from aslant_papers.datasets import load_dataset
from engine import cpu_time, run_as_program
from evidence_data import CHOSEN
from rich.console import Console
from rich.table import Table
from sklearn.datasets import load_digits
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

from aslant import AutoTreeClassifier
from aslant.datasets import make_ls10, make_pol, make_rcb, make_waveform

TARGET = 40.0
MADE = {"LS10": make_ls10, "POL": make_pol, "RCB": make_rcb, "waveform": make_waveform}
STORED = [name for name in CHOSEN if name not in MADE and name != "digits"]
MOST_ROWS = 5_000


def problems() -> Iterator[tuple[str, Any, Any]]:
    """Yield the name, the rows and the classes of every data set."""
    if os.environ.get("ASLANT_DATA"):
        for name in STORED:
            bunch = load_dataset(name)
            X, y = np.asarray(bunch.data, dtype=np.float64), bunch.target
            if len(y) > MOST_ROWS:
                chosen = np.random.default_rng(0).permutation(len(y))[:MOST_ROWS]
                X, y = X[chosen], y[chosen]
            yield name, X, y
    for name, make in MADE.items():
        yield name, *make(2_000, random_state=0)
    yield "digits", *load_digits(return_X_y=True)


def measure(quick: bool) -> list[dict[str, Any]]:
    """Fit all three on every data set; with quick only on those below 500 rows."""
    rows = []
    for name, X, y in problems():
        if quick and len(y) > 500:
            continue
        repeats = max(3, min(50, 5_000 // len(y)))
        cart = DecisionTreeClassifier(random_state=0)
        of_cart = float(np.median([cpu_time(lambda: cart.fit(X, y)) for _ in range(repeats)]))  # noqa: B023
        forest = RandomForestClassifier(200, random_state=0)
        tree = AutoTreeClassifier(random_state=0)
        times = [cpu_time(lambda: tree.fit(X, y)) for _ in range(3 if len(y) < 1_000 else 1)]  # noqa: B023
        seconds = float(np.median(times))
        rows.append(
            {
                "what": name,
                "shape": list(X.shape),
                "ratio": seconds / of_cart,
                "forest": cpu_time(lambda: forest.fit(X, y)) / of_cart,  # noqa: B023
                "leaves": tree.get_n_leaves(),
            }
        )
    mean = float(np.exp(np.mean([np.log(row["ratio"]) for row in rows])))
    of_forest = float(np.exp(np.mean([np.log(row["forest"]) for row in rows])))
    rows.append({"what": "geometric mean", "ratio": mean, "forest": of_forest, "target": TARGET})
    return rows


def show(rows: list[dict[str, Any]]) -> None:
    """Print the ratios."""
    table = Table(title="AutoTreeClassifier and a forest of 200 trees, in fits of CART")
    for column in ("", "rows x features", "auto", "forest of 200", "leaves"):
        table.add_column(column, justify="left" if column == "" else "right")
    for row in rows:
        table.add_row(
            row["what"],
            " x ".join(f"{n:,}" for n in row.get("shape", [])),
            f"{row['ratio']:.0f}",
            f"{row['forest']:.0f}",
            str(row.get("leaves", "")),
        )
    Console().print(table)


if __name__ == "__main__":
    run_as_program(__doc__, "auto", measure, show)
