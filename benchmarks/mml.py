"""Cost of MML trees: against scikit-learn's CART, against the published search, and by rows.

    python benchmarks/mml.py [--quick] [--out benchmarks/results/mml.json]

Ratios are medians over repeats in which both sides ran one after the other, in CPU time of one
thread. The exponent is the slope of log(time) over log(rows) for one node and for a whole tree.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
from engine import cpu_time, growth_exponent, ratio, run_as_program
from sklearn.datasets import load_iris, load_wine
from sklearn.tree import DecisionTreeClassifier

from aslant import MMLTreeClassifier, ObliqueDecisionTreeClassifier
from aslant.datasets import make_ls10
from aslant.mml import message_length
from aslant.search import MML


def balance() -> tuple[np.ndarray, np.ndarray]:
    """Return the Balance data: weight times distance on both sides, every case once."""
    X = np.array(list(product(range(1, 6), repeat=4)), dtype=float)
    return X, np.sign(X[:, 0] * X[:, 1] - X[:, 2] * X[:, 3]).astype(int)


def against_cart(repeats: int) -> list[dict[str, Any]]:
    X, y = balance()
    cart = DecisionTreeClassifier(random_state=0)
    cart.fit(X, y)
    rows = []
    for name, tree, target in (
        ("MMLTreeClassifier", MMLTreeClassifier(random_state=0), 100.0),
        ("the same, univariate", MMLTreeClassifier(max_features_per_test=1), None),
    ):
        tree.fit(X, y)
        cost = ratio(lambda: tree.fit(X, y), lambda: cart.fit(X, y), repeats)  # noqa: B023
        rows.append({"what": f"{name} fit, Balance 625 x 4", "ratio": cost, "target": target})
    return rows


def against_evolution(repeats: int) -> list[dict[str, Any]]:
    """Time and length of the sweep, divided by those of the published evolution strategy."""
    rows = []
    for name, (X, y) in {
        "Balance": balance(),
        "Iris": load_iris(return_X_y=True),
        "Wine": load_wine(return_X_y=True),
    }.items():
        sweep, evolution = (
            ObliqueDecisionTreeClassifier(MML(strategy=strategy), random_state=0)
            for strategy in ("sweep", "evolution")
        )
        cost = ratio(lambda: sweep.fit(X, y), lambda: evolution.fit(X, y), repeats)  # noqa: B023
        lengths = [
            np.mean(
                [
                    message_length(tree.set_params(random_state=s).fit(X, y), X, y).total
                    for s in range(2 * repeats)
                ]
            )
            for tree in (sweep, evolution)
        ]
        rows.append({"what": f"sweep / evolution, time, {name}", "ratio": cost, "target": 1.0})
        rows.append(
            {
                "what": f"sweep / evolution, mean message, {name}",
                "ratio": float(lengths[0] / lengths[1]),
                "target": 1.0,
            }
        )
    return rows


def exponents(sizes: list[int]) -> list[dict[str, Any]]:
    """Growth of the cost with the rows: 1 is linear."""
    rows = []
    for what, depth in (("one node", 1), ("a tree of depth 4", 4)):
        times = []
        for n in sizes:
            X, y = make_ls10(n, random_state=0)
            tree = ObliqueDecisionTreeClassifier(
                MML(restarts=8, min_saving=-np.inf), max_depth=depth, random_state=0
            )
            times.append(min(cpu_time(lambda: tree.fit(X, y)) for _ in range(2)))  # noqa: B023
        slope = growth_exponent(sizes, times)
        name = f"exponent of the rows, {what}, {sizes[0]:,} to {sizes[-1]:,} rows"
        rows.append({"what": name, "ratio": slope, "target": 1.1})
    return rows


def measure(quick: bool) -> list[dict[str, Any]]:
    repeats = 1 if quick else 5
    return [
        *against_cart(5 * repeats),
        *against_evolution(repeats),
        *exponents([500, 2000, 8000] if quick else [500, 2000, 8000, 32000]),
    ]


if __name__ == "__main__":
    run_as_program(__doc__, "mml", measure)
