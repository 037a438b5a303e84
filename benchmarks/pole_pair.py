"""Speed and accuracy of pole pairs beside scikit-learn's axis-parallel tree, from one run.

    python benchmarks/pole_pair.py [--quick] [--out benchmarks/results/pole_pair.json]

Times are ratios of CPU times of one thread, median over repeats in which both sides ran one after
the other: see engine.py. The times are those of trees that are not pruned, unless it says so.
Accuracies are on as many new rows; "pruned" means both trees pruned alike, by a tenth of the rows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from engine import ratio, run_as_program
from rich.console import Console
from rich.table import Table
from sklearn.datasets import make_classification
from sklearn.tree import DecisionTreeClassifier

from aslant import CARTClassifier, PolePairClassifier
from aslant.datasets import make_ls10
from aslant.prune import CostComplexity

Rows = tuple[np.ndarray, np.ndarray]
ACCURACIES = ("accuracy", "axis-parallel", "pruned", "axis-parallel, pruned")


def ls10_with_noise(n: int, random_state: int) -> Rows:
    """Return LS10 with a tenth of the labels exchanged."""
    X, y = make_ls10(n, random_state=random_state)
    y = np.unique(y, return_inverse=True)[1]
    wrong = np.random.default_rng(random_state + 1000).random(n) < 0.1
    return X, np.where(wrong, 1 - y, y)


def rotated_gaussians(n: int, random_state: int) -> Rows:
    """Return two normal classes in ten dimensions, apart along an oblique direction."""
    rotation = np.linalg.qr(np.random.default_rng(98).normal(size=(10, 10)))[0]
    rng = np.random.default_rng(random_state)
    y = rng.integers(0, 2, n)
    X = rng.normal(size=(n, 10)) * np.linspace(0.7, 1.4, 10) + np.where(y == 1, 0.4, -0.4)[:, None]
    return X @ rotation.T, y


def exact(repeats: int) -> list[dict[str, Any]]:
    """All pairs at every node, with and without the published pruning."""
    X, y = make_classification(1500, 20, n_informative=10, random_state=0)
    cart = DecisionTreeClassifier(random_state=0)
    rows = []
    for name, tree in (
        ("with its ten subsidiary trees", PolePairClassifier(random_state=0)),
        ("not pruned", PolePairClassifier(random_state=0, pruning=None)),
    ):
        times = ratio(lambda: tree.fit(X, y), lambda: cart.fit(X, y), repeats)  # noqa: B023
        what = f"exact, 1,500 x 20, {name}"
        rows.append({"what": what, "ratio": times, "target": 300.0})
    return rows


def sampled(n: int, repeats: int) -> list[dict[str, Any]]:
    """Poles sampled at every node of a large tree."""
    problems: dict[str, Callable[[int, int], Rows]] = {
        "LS10": make_ls10,
        "LS10 with noise": ls10_with_noise,
        "rotated Gaussians": rotated_gaussians,
    }
    rows = []
    for problem, make in problems.items():
        X, y = make(n, random_state=0)
        X_new, y_new = make(n, random_state=1)
        cart, pruning = DecisionTreeClassifier(random_state=0), CostComplexity(validation=0.1)
        pruned_cart = CARTClassifier(pruning=pruning, random_state=0).fit(X, y)
        for thresholds in ("midpoint", "all"):
            tree = PolePairClassifier(thresholds=thresholds, pruning=None, random_state=0)
            pruned = PolePairClassifier(thresholds=thresholds, pruning=pruning, random_state=0)
            pruned.fit(X, y)
            times = ratio(lambda: tree.fit(X, y), lambda: cart.fit(X, y), repeats)  # noqa: B023
            models = (tree, cart, pruned, pruned_cart)
            accuracy = [float(model.score(X_new, y_new)) for model in models]
            rows.append(
                {
                    "what": f'sampled, {n:,} x 10, "{thresholds}": {problem}',
                    "ratio": times,
                    "target": 5.0,
                    **dict(zip(ACCURACIES, accuracy, strict=True)),
                }
            )
    return rows


def show(rows: list[dict[str, Any]]) -> None:
    table = Table(title="PolePairClassifier / scikit-learn's DecisionTreeClassifier, one run")
    for column in ("what", "ratio", "target", *ACCURACIES):
        table.add_column(column, justify="left" if column == "what" else "right")
    for row in rows:
        shown = [f"{row[name]:.3f}" if name in row else "" for name in ACCURACIES]
        table.add_row(row["what"], f"{row['ratio']:.2f}", f"<= {row['target']:g}", *shown)
    Console().print(table)


def measure(quick: bool) -> list[dict[str, Any]]:
    repeats = 1 if quick else 3
    return [*exact(repeats), *sampled(20_000 if quick else 100_000, repeats)]


if __name__ == "__main__":
    run_as_program(__doc__, "pole_pair", measure, show)
