"""The pictures of docs/performance.md, drawn from the results of peers.py."""

from __future__ import annotations

from itertools import cycle
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, NullFormatter

MARKERS = "os^vD<>PX*hpd8H"
OURS = ("#b2182b", "#ef8a62", "#d6604d", "#f4a582", "#67001f")
OTHERS = plt.get_cmap("tab20").colors[0::2] + plt.get_cmap("Dark2").colors  # type: ignore[attr-defined]


def styles(contestants: list[str]) -> dict[str, dict[str, Any]]:
    """Return how each contestant is drawn: ours in reds, CART in black, the others as they come."""
    reds, colours = cycle(OURS), cycle([c for c in OTHERS if c[0] < 0.8])
    drawn = {}
    for name, marker in zip(contestants, cycle(MARKERS), strict=False):
        ours = name.startswith("aslant")
        colour: Any = next(reds) if ours else next(colours)
        drawn[name] = {
            "color": "black" if name == "scikit-learn CART" else colour,
            "marker": marker,
            "markersize": 7 if ours else 5,
            "linewidth": 2 if ours else 1,
        }
    return drawn


def growth(results: dict[str, Any], axis: str, folder: Path) -> str:
    """Draw fit time against rows or features, both axes logarithmic; return the file's name."""
    sizes, number = results["plan"][axis], ("rows", "features").index(axis)
    picture, axes = plt.subplots(figsize=(7.5, 5), layout="constrained")
    for name, style in styles(list_of_contestants(results)).items():
        done = {
            row["task"][number]: row["cpu"]
            for row in results["measurements"]
            if row["contestant"] == name and row["kind"] == "fit" and row["task"] in sizes
            if row["status"] == "ok"
        }
        if done:
            axes.loglog(sorted(done), [done[size] for size in sorted(done)], label=name, **style)
    fixed = f"{sizes[0][0]:,} rows" if axis == "features" else f"{sizes[0][1]} features"
    axes.set(xlabel=f"{axis}, at {fixed}", ylabel="CPU seconds of a fit")
    label_plainly(axes.xaxis, [size[number] for size in sizes])
    label_plainly(axes.yaxis)
    axes.grid(alpha=0.3)
    axes.legend(fontsize=7, loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)
    return save(picture, folder, f"performance_{axis}.png")


def price_and_accuracy(results: dict[str, Any], folder: Path) -> str:
    """Draw accuracy against the price of a fit, a panel per data set; return the file's name."""
    data_sets = results["plan"]["data_sets"]
    columns = min(4, len(data_sets))
    lines = -(-len(data_sets) // columns)
    picture, panels = plt.subplots(
        lines, columns, figsize=(3 * columns + 2, 2.8 * lines), layout="constrained", squeeze=False
    )
    drawn = styles(list_of_contestants(results))
    for panel, data_set in zip(panels.flat, data_sets, strict=False):
        draw_panel(panel, [r for r in results["measurements"] if r["task"] == data_set], drawn)
        panel.set_title(data_set, fontsize=10)
    for unused in panels.flat[len(data_sets) :]:
        unused.set_axis_off()
    picture.supxlabel("CPU time of a fit / scikit-learn's CART", fontsize=9)
    picture.supylabel("accuracy on held-out rows, %", fontsize=9)
    keys = [Line2D([], [], linestyle="", label=name, **style) for name, style in drawn.items()]
    picture.legend(handles=keys, fontsize=7, loc="outside right center", frameon=False)
    return save(picture, folder, "performance_data_sets.png")


def draw_panel(panel: Axes, rows: list[dict[str, Any]], drawn: dict[str, dict[str, Any]]) -> None:
    for row in rows:
        if row["status"] == "ok":
            style = {k: v for k, v in drawn[row["contestant"]].items() if k != "linewidth"}
            panel.semilogx(row["cpu_ratio"], 100 * row["accuracy"], linestyle="", **style)
    label_plainly(panel.xaxis)
    panel.axvline(1, color="grey", linewidth=0.5)
    panel.grid(alpha=0.3)
    panel.tick_params(labelsize=7)


def label_plainly(axis: Axis, ticks: list[int] | None = None) -> None:
    """Label a logarithmic axis with plain numbers: the ticks, or 1 and 3 of every decade."""
    axis.set_major_locator(FixedLocator(ticks) if ticks else LogLocator(subs=(1.0, 3.0)))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,g}"))
    axis.set_minor_formatter(NullFormatter())


def list_of_contestants(results: dict[str, Any]) -> list[str]:
    return list(dict.fromkeys(row["contestant"] for row in results["measurements"]))


def save(picture: Any, folder: Path, name: str) -> str:
    folder.mkdir(parents=True, exist_ok=True)
    picture.savefig(folder / name, dpi=110)
    plt.close(picture)
    return name
