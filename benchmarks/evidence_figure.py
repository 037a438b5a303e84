"""Accuracy against the size of a tree, from the records of auto_evidence.py.

    python benchmarks/evidence_figure.py [--out docs/figures/auto.png]

Each point is a method at its defaults: mean accuracy over the data sets of two groups, and the
geometric mean of the coefficients in all tests of the tree together. The number beside a point is
that of its leaves. Forests and boosting have no place on the axis; they are lines.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from auto_evidence import records
from evidence_tables import Means, means_of, together

# Names of lines that differ by fewer points stand together.
CLOSE = 0.4


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("docs/figures/auto.png"))
    write(parser.parse_args().out)


def write(path: Path) -> None:
    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    means = means_of(together(records()))
    figure, ax = plt.subplots(figsize=(7.5, 4.5), layout="constrained")
    draw(ax, means)
    figure.savefig(path, dpi=120)
    plt.close(figure)
    print(f"written to {path}")


def draw(ax: Any, means: Means) -> None:
    methods = [m for m in dict.fromkeys(method for _, method in means) if "effort" not in m]
    sets = [s for s in dict.fromkeys(s for s, _ in means) if all((s, m) in means for m in methods)]
    levels, placed, lines = [], [], []
    for method in methods:
        own = [means[s, method] for s in sets]
        accuracy = 100 * float(np.mean([one["accuracy"] for one in own]))
        levels.append(accuracy)
        if "coefficients" not in own[0]:
            ax.axhline(accuracy, color="0.6", linewidth=1, linestyle="--")
            lines.append((accuracy, method))
            continue
        size, leaves = (
            float(np.exp(np.mean([np.log(max(one[key], 1.0)) for one in own])))
            for key in ("coefficients", "leaves")
        )
        ax.plot(size, accuracy, "o", color="C3" if method.startswith("auto") else "C0")
        crowded = any(abs(np.log(size / x)) < 0.2 and abs(accuracy - y) < 0.3 for x, y in placed)
        place = (5, -12) if crowded else (5, 4)
        placed.append((size, accuracy))
        name = f"{method} ({leaves:.0f})"
        ax.annotate(name, (size, accuracy), xytext=place, textcoords="offset points")
    _name_lines(ax, sorted(lines))
    ax.set_xscale("log")
    ax.set_ylim(min(levels) - 0.4, max(levels) + 0.4)
    left, right = ax.get_xlim()
    ax.set_xlim(left / 2.5, right * 3)  # room for the names
    ax.set_xlabel("coefficients in the whole tree (leaves in brackets)")
    ax.set_ylabel(f"accuracy %, mean over {len(sets)} data sets")


def _name_lines(ax: Any, lines: list[tuple[float, str]]) -> None:
    """Write the names of lines below them; lines that lie close together have one text."""
    groups: list[list[tuple[float, str]]] = []
    for level, name in lines:
        if groups and level - groups[-1][-1][0] < CLOSE:
            groups[-1].append((level, name))
        else:
            groups.append([(level, name)])
    for group in groups:
        text = ", ".join(name for _, name in reversed(group))
        place = (0.01, group[0][0] - 0.05)
        ax.annotate(text, place, xycoords=("axes fraction", "data"), va="top")


if __name__ == "__main__":
    main()
