"""
A paper's table, computed again
===============================

The package aslant-papers holds the protocols and the printed figures of the papers. This is the
Iris column of the first table of the paper on OC1 (Murthy, Kasif and Salzberg 1994): ten 5-fold
cross-validations of each system, with the settings that the paper describes. Iris comes with
scikit-learn; the other columns need the papers' data sets.
"""

import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
from aslant_papers import find_paper
from aslant_papers.cli.reproduction import choose_tables
from aslant_papers.journal import Journal
from aslant_papers.layout import lay_out
from aslant_papers.report import make_report
from aslant_papers.runner import run_cells

(table,) = choose_tables(find_paper("murthy1994"), "1", "iris", None)
layout = lay_out(table)
with tempfile.TemporaryDirectory() as folder:
    cells = [cell for runs in layout.cells.values() for cell in runs]
    results = run_cells(cells, Journal(Path(folder)))
report = make_report("murthy1994", layout, results)

figure, axes = plt.subplots(1, 2, figsize=(11, 4), sharey=True, layout="constrained")
for ax, measure in zip(axes, ("accuracy", "leaves"), strict=True):
    entries = [entry for entry in report.entries if entry.measure == measure and entry.counted]
    for place, entry in enumerate(entries):
        published = f"{entry.published:.1f} ± {entry.published_sd:.1f}"
        ours = f"{entry.ours:.1f} ± {entry.ours_sd:.1f}"
        print(f"{entry.method:8s} {measure}: published {published}, ours {ours}: {entry.mark}")
        style = {"fmt": "o", "capsize": 4}
        ax.errorbar(
            entry.published, place - 0.12, xerr=entry.published_sd, color="tab:gray", **style
        )
        ax.errorbar(entry.ours, place + 0.12, xerr=entry.ours_sd, color="tab:blue", **style)
    ax.set(xlabel=measure, yticks=range(len(entries)), yticklabels=[e.method for e in entries])
axes[0].invert_yaxis()
axes[0].plot([], [], "o", color="tab:gray", label="published")
axes[0].plot([], [], "o", color="tab:blue", label="computed now")
axes[0].legend()

# %%
# **What the output tells.** A figure agrees if it is within two standard deviations of the printed
# one. The deviations are those over the ten cross-validations, so overlapping bars mean that this
# table does not distinguish the programs; they do not prove that the programs are the same. Sizes
# are the stricter check: an implementation that prunes differently shows there first. ``aslant
# reproduce murthy1994`` does all tables, and docs/reproduction has the results.
