"""The figures of docs/compare.md: ``python examples/compare_figures.py FOLDER``.

Needs matplotlib, and the papers' data sets in the folder that ASLANT_DATA names.
"""

from __future__ import annotations

import sys
from pathlib import Path

import matplotlib

matplotlib.use("agg")

from aslant import compare
from aslant.comparison import learning_curves, plot_critical_difference
from aslant.datasets import load

SMALL = ("iris", "wine", "glass", "bupa", "pima_diabetes", "heart_statlog", "sonar", "ionosphere")
METHODS = ("cart", "c45", "oc1", "cart_lc", "fisher", "quest", "ltu")


def main(folder: Path) -> None:
    """Draw accuracy against leaves, learning curves and mean ranks over data sets."""
    tables = []
    for name in SMALL:
        data = load(name)
        table = compare(data.data, data.target, METHODS, repeats=1)
        print(f"{name}: {table.advice}", flush=True)
        tables.append({row.method: row.figures["accuracy"].mean for row in table.rows})
        if name == "pima_diabetes":
            keep(table.plot(), folder / "accuracy_and_leaves.png")
    scores = [[table[method] for method in METHODS] for table in tables]
    keep(plot_critical_difference(scores, METHODS), folder / "critical_difference.png")
    pol = load("pol")
    keep(learning_curves(pol.data, pol.target, METHODS).plot(), folder / "learning_curves.png")


def keep(ax: matplotlib.axes.Axes, path: Path) -> None:
    """Write the picture that these axes are part of."""
    ax.figure.savefig(path, dpi=110, bbox_inches="tight")
    print(path, flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
