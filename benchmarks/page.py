"""Write docs/performance.md and its pictures from the results of peers.py and targets.py.

    python benchmarks/page.py

Every run writes the page again. Text about missed targets is written by hand, in
benchmarks/missed_targets.md, and goes into the page as it is.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path
from typing import Any

from figures import growth, list_of_contestants, price_and_accuracy
from provenance import described

RESULTS = Path("benchmarks/results")
MISSED = Path("benchmarks/missed_targets.md")
PAGE = Path("docs/performance.md")
PICTURES = Path("docs/figures")

INTRODUCTION = """# Performance

Fit and prediction times of aslant and of other libraries. `make pages` writes this page:

- from `benchmarks/results/targets.json` (`make bench`): {of_targets};
- from `benchmarks/results/peers.json` (`make bench-peers`): {of_peers}.
{rough}
## How it was measured

- Python {python}, {system}. Versions: {versions}.
- Each measurement is a separate process. In it, scikit-learn's `DecisionTreeClassifier` is
  measured beside the contestant, fit after fit on the same rows, and the ratio of the two is kept:
  **compare ratios, not seconds**. The line "scikit-learn CART" is that tree beside itself: how far
  it is from 1 shows the noise. treeple does not import with the current scikit-learn and runs in a
  separate environment, beside the tree of scikit-learn 1.6.1.
- One thread. CPU time unless it says wall time. Up to {repeats} repeats, fewer when {budget:g} s of
  CPU time are used up; medians of times and ratios.
- Every tree is grown until its leaves are pure, and is not pruned; the rest is at the authors'
  defaults. OC1 has 20 restarts and 5 jumps. obliquetree combines two features at a node by default;
  "all features" sets `n_pair` to their number. "LightGBM, one tree" is one round of boosting
  without a limit on leaves (a tree for each class when there are more than two). Its 100 rounds,
  the default, are not a single tree: they show the gain of boosting.
- The data sets are divided into five folds, one per repeat; accuracy and leaves are means over the
  folds. The rows for growth and prediction are `make_classification`, two classes, with half of
  the features informative.
- A fit that needs more than {limit:g} s of CPU time is ended and shown as "more than {limit:g} s".
  A contestant that raises or crashes is shown as failed; the reasons are at the end of this page.
- `make bench-peers QUICK=--quick` repeats all this roughly, on smaller data.
"""

TARGETS = """## Targets

Measured by `python benchmarks/targets.py`. "Before" is the version before the core's present form,
measured by the same program (`benchmarks/results/targets_before.json`).

{table}"""


def table(header: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    lines = [[cell.replace("|", "\\|") for cell in row] for row in (header, *rows)]
    lines.insert(1, ["---"] * len(lines[0]))
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def figure(value: float) -> str:
    """Return three digits, and whole numbers from a hundred on."""
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def size_of(task: Any) -> str:
    return task if isinstance(task, str) else f"{task[0]:,} x {task[1]}"


class Results:
    """The measurements of peers.py, found by kind, contestant and task."""

    def __init__(self, results: dict[str, Any]) -> None:
        self.contestants = list_of_contestants(results)
        self.rows = {
            (row["kind"], row["contestant"], size_of(row["task"])): row
            for row in results["measurements"]
        }

    def cell(self, kind: str, contestant: str, task: Any, shown: str) -> str:
        """Return one figure of a table; where there is none, what happened instead."""
        row = self.rows.get((kind, contestant, size_of(task)))
        if row is None:
            return "–"
        if row["status"] == "ok":
            return shown.format(
                accuracy=100 * row.get("accuracy", 0),
                leaves=row.get("leaves", 0),
                million_rows=0 if isinstance(task, str) else task[0] / row["cpu"] / 1e6,
                **{key: figure(row[key]) for key in row if key.endswith("_ratio")},
                speed=figure(1 / row["cpu_ratio"]),
                microseconds=1e6 * row.get("one_row", 0),
            )
        return "failed" if row["status"] == "failed" else row["reason"].split(":")[0]

    def compared(self, kind: str, tasks: list[Any], shown: str) -> str:
        """Return a table with a line per contestant and a column per task."""
        return table(
            ["", *map(size_of, tasks)],
            (
                [name, *(self.cell(kind, name, t, shown) for t in tasks)]
                for name in self.contestants
            ),
        )


def targets(rows: list[dict[str, Any]], before: list[dict[str, Any]]) -> str:
    """Return the table of targets; what is measured is named once, at the first of its cases.

    Beside each ratio stands that of an older version, by the same program on the same machine.
    """
    older = {(row["what"], row["case"]): row["ratio"] for row in before}
    lines = []
    for what, cases in groupby(rows, key=lambda row: row["what"]):
        for number, row in enumerate(cases):
            value = "not measured" if row["ratio"] is None else f"{row['ratio']:.2f}"
            target = f"{'at least' if row['at_least'] else 'at most'} {row['target']:g}"
            verdict = {True: "met", False: "**missed**", None: "–"}[row["met"]]
            first = what if number == 0 else ""
            was = older.get((what, row["case"]))
            then = "–" if was is None else f"{was:.2f}"
            lines.append([first, row["case"], target, then, value, verdict, row["remark"]])
    return table(["what", "case", "target", "before", "now", "", "remark"], lines)


def data_sets(results: Results, plan: dict[str, Any], picture: str) -> str:
    names = plan["data_sets"]
    return f"""## Data sets

Accuracy on held-out rows in % / leaves / CPU time of a fit as a multiple of scikit-learn's CART.

{results.compared("fit", names, "{accuracy:.1f} / {leaves:.0f} / {cpu_ratio}")}
![accuracy against the time of a fit](figures/{picture})

The same fits in wall time, as multiples:

{results.compared("fit", names, "{wall_ratio}")}"""


def scaling(results: dict[str, Any], axis: str, picture: str) -> str:
    sizes = results["plan"][axis]
    slopes = {row["contestant"]: row for row in results["exponents"] if row["in"] == axis}
    found = Results(results)
    lines = []
    for name in found.contestants:
        slope = slopes.get(name)
        shown = f"{slope['exponent']:.2f} (to {slope['to']:,})" if slope else "–"
        cells = (found.cell("fit", name, task, "{cpu_ratio}") for task in sizes)
        lines.append([name, *cells, shown])
    header = ["", *map(size_of, sizes), f"exponent in {axis}"]
    return f"""## Growth with {axis}

CPU time of a fit as a multiple of scikit-learn's CART. The exponent is the slope of the logarithm
of the contestant's own time over that of the {axis}, by least squares over the sizes that it
finished: 1 is linear. After a fit that is too long, larger ones are not tried.

{table(header, lines)}
![fit time against {axis}](figures/{picture})
"""


def prediction(results: Results, plan: dict[str, Any]) -> str:
    shown = "{million_rows:.2f} / {speed} / {microseconds:.0f} / {one_row_ratio}"
    return f"""## Prediction

Trees of at most depth {plan["prediction_depth"]}, float64 rows. Million rows per second of CPU
time / that speed as a multiple of scikit-learn's tree of the same depth (higher is better) /
microseconds of wall time for a call with one row / those as a multiple of scikit-learn's (lower is
better).

{results.compared("prediction", [*plan["prediction"]], shown)}"""


def failures(measurements: list[dict[str, Any]]) -> str:
    """Return who did not finish what, and why, one line per contestant and reason."""
    found: dict[tuple[str, str], list[str]] = {}
    for row in measurements:
        if row["status"] != "ok":
            kind = "" if row["kind"] == "fit" else "prediction "
            what = kind + size_of(row["task"])
            found.setdefault((row["contestant"], row["reason"]), []).append(what)
    lines = ([name, ", ".join(tasks), reason] for (name, reason), tasks in found.items())
    text = table(["contestant", "where", "reason"], lines) if found else "Everything finished.\n"
    return f"## What failed or was cut off\n\n{text}"


def page(
    peers: dict[str, Any],
    reached: dict[str, Any],
    before: dict[str, Any],
    missed: str,
    pictures: dict[str, str],
) -> str:
    """Return the whole page."""
    plan, found = peers["plan"], Results(peers)
    rough = [
        name
        for name, part in (("the targets", reached), ("the peers", peers))
        if "--quick" in part["environment"]["command"]
    ]
    warning = (
        f"\nMeasured roughly (`--quick`, smaller data): {' and '.join(rough)}.\n" if rough else ""
    )
    introduction = INTRODUCTION.format(
        rough=warning,
        versions=", ".join(f"{name} {v}" for name, v in peers["versions"].items()),
        **{key: peers["environment"][key] for key in ("system", "python")},
        of_targets=described(reached["environment"]),
        of_peers=described(peers["environment"]),
        **{key: plan[key] for key in ("repeats", "budget", "limit")},
    )
    sections = [
        introduction,
        TARGETS.format(table=targets(reached["results"], before["results"])),
        f"### Where a target is missed\n\n{missed.strip()}\n",
        data_sets(found, plan, pictures["data_sets"]),
        scaling(peers, "rows", pictures["rows"]),
        scaling(peers, "features", pictures["features"]),
        prediction(found, plan),
        failures(peers["measurements"]),
    ]
    return "\n".join(sections)


def main() -> None:
    peers = json.loads((RESULTS / "peers.json").read_text())
    reached = json.loads((RESULTS / "targets.json").read_text())
    pictures = {
        "data_sets": price_and_accuracy(peers, PICTURES),
        "rows": growth(peers, "rows", PICTURES),
        "features": growth(peers, "features", PICTURES),
    }
    before = json.loads((RESULTS / "targets_before.json").read_text())
    PAGE.write_text(page(peers, reached, before, MISSED.read_text(), pictures))
    print(f"written to {PAGE}")


if __name__ == "__main__":
    main()
