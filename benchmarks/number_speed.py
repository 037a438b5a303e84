"""Speed of trees and forests that predict numbers, as ratios to scikit-learn's.

    python benchmarks/number_speed.py [--quick] [--out benchmarks/results/number_speed.json]

CPU time of one thread, both sides one after the other; Friedman's first function with noise. Trees
are not pruned. OC1 is compared with itself on two classes, the rows above and below the median, to
the same depth. With --quick the data are a tenth as long.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from engine import ratio, run_as_program
from rich.console import Console
from rich.table import Table
from sklearn.datasets import make_friedman1
from sklearn.ensemble import RandomForestRegressor
from sklearn.tree import DecisionTreeRegressor

from aslant import (
    CARTRegressor,
    LeastSquaresTreeRegressor,
    ObliqueRandomForestRegressor,
    OC1Classifier,
    OC1Regressor,
)

Row = dict[str, Any]


def trees(n: int, repeats: int) -> list[Row]:
    X, y = make_friedman1(n, 50, noise=1.0, random_state=0)
    theirs = DecisionTreeRegressor(random_state=0)
    rows = []
    for name, ours, target in (
        ("CARTRegressor", CARTRegressor(), 0.2),
        ("LeastSquaresTreeRegressor", LeastSquaresTreeRegressor(pruning=None), 0.3),
    ):
        value = ratio(lambda: ours.fit(X, y), lambda: theirs.fit(X, y), repeats)  # noqa: B023
        rows.append({"what": f"{name} fit, {n:,} x 50", "ratio": value, "target": target})
    return rows


def oc1(n: int, repeats: int) -> list[Row]:
    X, y = make_friedman1(n, 10, noise=1.0, random_state=0)
    settings: dict[str, Any] = {"pruning": None, "max_depth": 5, "random_state": 0}
    numbers, classes = OC1Regressor(**settings), OC1Classifier(**settings)
    above = y > np.median(y)
    value = ratio(lambda: numbers.fit(X, y), lambda: classes.fit(X, above), repeats)
    what = f"OC1Regressor fit / OC1Classifier's with two classes, {n:,} x 10, depth 5"
    return [{"what": what, "ratio": value, "target": 1.0}]


def forests(n: int, n_trees: int, repeats: int) -> list[Row]:
    X, y = make_friedman1(n, 20, noise=1.0, random_state=0)
    X = X.astype(np.float32)  # what scikit-learn's forests read
    theirs = RandomForestRegressor(n_trees, random_state=0)
    rows = []
    for search, target in (("axis_parallel", 0.3), ("forest", 1.0)):
        ours = ObliqueRandomForestRegressor(n_trees, search=search, random_state=0)
        value = ratio(lambda: ours.fit(X, y), lambda: theirs.fit(X, y), repeats)  # noqa: B023
        case = f"forest of {n_trees}, search={search!r}, {n:,} x 20"
        rows.append({"what": f"fit, {case}", "ratio": value, "target": target})
        ours.predict(X[:8])  # the trees are put together when they are first asked
        asked: tuple[Callable[[], Any], Callable[[], Any]] = (
            lambda: ours.predict(X),  # noqa: B023
            lambda: theirs.predict(X),
        )
        rows.append({"what": f"predict, {case}", "ratio": ratio(*asked, 3), "target": 0.5})
    return rows


def show(rows: list[Row]) -> None:
    table = Table("what", "ratio", "target", title="aslant / scikit-learn, numbers")
    for row in rows:
        table.add_row(row["what"], f"{row['ratio']:.2f}", f"<= {row['target']:g}")
    Console().print(table)


def measure(quick: bool) -> list[Row]:
    shorter, repeats = (10, 1) if quick else (1, 3)
    return [
        *trees(100_000 // shorter, 1),
        *oc1(5_000 // shorter, repeats),
        *forests(10_000 // shorter, 20 if quick else 50, 1),
    ]


if __name__ == "__main__":
    run_as_program(__doc__ or "", "number_speed", measure, show)
