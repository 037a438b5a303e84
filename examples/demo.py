"""The tree to try first, every method on one data set, and two figures.

Run it with ``make demo`` or ``python examples/demo.py --out demo``. Nothing is downloaded: the rows
are generated, or come with scikit-learn.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table
from sklearn.datasets import load_iris
from sklearn.model_selection import StratifiedKFold

from aslant import (
    AutoTreeClassifier,
    CARTClassifier,
    OC1Classifier,
    export_text,
    plot_boundary,
    plot_tree,
)
from aslant.datasets import make_ls10, make_pol
from aslant.estimators.methods import METHODS, Method


class Result(NamedTuple):
    """Cross-validated figures of one method."""

    accuracy: float
    deviation: float
    leaves: float
    features_per_test: float
    seconds: float


def main() -> None:
    """Read, compare, draw."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("demo"), help="folder for the pictures")
    out = parser.parse_args().out
    iris = load_iris()
    iris_tree = AutoTreeClassifier(random_state=0).fit(iris.data, iris.target_names[iris.target])
    print("A tree to read, by AutoTreeClassifier on iris:\n")
    print(export_text(iris_tree, feature_names=iris.feature_names))
    print(f"{iris_tree.choice_}\n")
    compare_methods(n_rows=600, n_folds=5)
    try:
        import matplotlib
    except ImportError:
        print("There are no pictures without matplotlib: pip install aslant[plot]")
        return
    matplotlib.use("agg")  # files need no window
    out.mkdir(parents=True, exist_ok=True)
    draw_boundaries(out / "boundary.png")
    draw_tree(iris_tree, iris.feature_names, out / "tree.png")


def compare_methods(n_rows: int, n_folds: int) -> None:
    """Cross-validate every method, with its defaults, on LS10 and print a table.

    LS10 is the OC1 paper's: ten features, two classes, one oblique boundary through all of them.
    """
    X, y = make_ls10(n_rows, random_state=0)
    folds = list(StratifiedKFold(n_folds, shuffle=True, random_state=0).split(X, y))
    watched = track(METHODS.items(), "Growing trees", console=Console(stderr=True), transient=True)
    results = {name: cross_validate(method, X, y, folds) for name, method in watched}

    table = Table(title=f"LS10: {n_rows} rows, 10 features, {n_folds}-fold cross-validation")
    table.add_column("method")
    for title in ("accuracy, %", "leaves", "features per test", "fit time, × CART's"):
        table.add_column(title, justify="right")
    for name, result in results.items():
        table.add_row(
            name,
            f"{100 * result.accuracy:.1f} ± {100 * result.deviation:.1f}",
            f"{result.leaves:.1f}",
            f"{result.features_per_test:.1f}",
            f"{result.seconds / results['cart'].seconds:.0f}",
        )
    Console().print(table)
    print("kdt counts the leaves of all its trees. `aslant methods` says what each method is.\n")


def cross_validate(
    method: Method, X: np.ndarray, y: np.ndarray, folds: list[tuple[np.ndarray, np.ndarray]]
) -> Result:
    """Fit on all folds but one, test on that one, for each fold."""
    accuracy, leaves, features_per_test, seconds = [], [], [], []
    for train, test in folds:
        clf = method.make({"random_state": 0})
        start = time.perf_counter()
        clf.fit(X[train], y[train])
        seconds.append(time.perf_counter() - start)
        accuracy.append(clf.score(X[test], y[test]))
        leaves.append(clf.get_n_leaves())
        members = getattr(clf, "estimators_", [clf])
        features_per_test.append(np.mean([m.tree_.features_per_test for m in members]))
    return Result(
        float(np.mean(accuracy)),
        float(np.std(accuracy, ddof=1)),
        float(np.mean(leaves)),
        float(np.mean(features_per_test)),
        float(np.median(seconds)),
    )


def draw_boundaries(path: Path) -> None:
    """Draw the regions of an axis-parallel and an oblique tree side by side."""
    import matplotlib.pyplot as plt

    X, y = make_pol(600, random_state=0)
    figure, axes = plt.subplots(1, 2, figsize=(12, 5.5), layout="constrained")
    for ax, clf in zip(axes, (CARTClassifier(), OC1Classifier(random_state=0)), strict=True):
        clf.fit(X, y)
        plot_boundary(clf, X, y, ax=ax)
        ax.set_title(f"{type(clf).__name__}: {clf.get_n_leaves()} leaves")
    figure.suptitle("POL: parallel oblique lines")
    figure.savefig(path, dpi=120)
    plt.close(figure)
    print(f"The boundaries of CART and OC1 on POL are in {path}.")


def draw_tree(clf: AutoTreeClassifier, feature_names: list[str], path: Path) -> None:
    """Draw a tree as boxes."""
    import matplotlib.pyplot as plt

    plot_tree(clf, feature_names=feature_names)
    plt.savefig(path, dpi=150)
    plt.close()
    print(f"The tree of iris is in {path}.")


if __name__ == "__main__":
    main()
