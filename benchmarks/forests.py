"""Forests beside other people's: accuracy, log-loss, calibration, and cost.

    python benchmarks/forests.py sets                      the data sets in one file, for the next
    python benchmarks/forests.py accuracy [--of NAME ...] [--sets NAME ...]
    python benchmarks/forests.py report                    the tables of docs/algorithms/forest.md
    python benchmarks/forests.py speed
    python benchmarks/forests.py memory

Accuracy: 100 trees each, 3-fold cross-validation (--repeats times), the same folds for all. Figures
are added to those in the file, so that a peer that needs an environment of its own is asked by the
interpreter there: treeple needs an old scikit-learn (benchmarks/peers-treeple.txt). Times are CPU
time of fits on one thread relative to scikit-learn's RandomForestClassifier, where it takes part in
the same run.

Speed: CPU time on one thread, and wall time on one and two, as ratios to scikit-learn's
RandomForestClassifier, side by side; a tenth of the trees on the large set. Memory: what a fit adds
to a fresh process that holds the data, at its highest, and the same for scikit-learn's.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from forest_contestants import BASE, CONTESTANTS, OLD
from forest_data import MOST_ROWS, DataSet, shortened, store, stored
from page_blocks import source
from provenance import UNKNOWN, environment, read_results, write_results
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedKFold

LEAST_PROBABILITY = 1e-3  # a hundred trees that agree are not certain
RESULTS = Path(__file__).parent / "results"
SETS = Path(__file__).parents[1] / "build" / "forest_sets.npz"

PAGE = Path(__file__).parents[1] / "docs" / "algorithms" / "forest.md"
BEGIN = "<!-- written by benchmarks/forests.py report -->"
END = "<!-- end of what is written -->"
HEAD = """| forest | accuracy | difference | worst set | wins/ties/losses | log-loss | ratio | \
calibration error | time of a fit |
|---|---|---|---|---|---|---|---|---|"""
ENOUGH_SETS = 20  # a contestant of fewer has a table of its own

Figures = dict[str, float]


# ---------------------------------------------------------------------- accuracy


def calibration_error(proba: np.ndarray, y: np.ndarray) -> float:
    """Return the mean distance of confidence and accuracy over ten bins of the confidence."""
    confidence, hit = proba.max(axis=1), proba.argmax(axis=1) == y
    bins = np.minimum((confidence * 10).astype(int), 9)
    gaps = [abs(confidence[bins == b].sum() - hit[bins == b].sum()) for b in np.unique(bins)]
    return float(np.sum(gaps) / len(y))


def figures(proba: np.ndarray, y: np.ndarray) -> Figures:
    safe = np.maximum(proba, LEAST_PROBABILITY)
    safe /= safe.sum(axis=1, keepdims=True)
    return {
        "accuracy": 100.0 * float(np.mean(proba.argmax(axis=1) == y)),
        "log_loss": float(log_loss(y, safe, labels=np.arange(y.max() + 1))),
        "calibration_error": calibration_error(proba, y),
    }


def of_one_set(data: DataSet, names: list[str], repeats: int) -> dict[str, Figures]:
    """Return the figures of the contestants, means over the repeats."""
    X, y = data.X, data.y
    found: dict[str, list[Figures]] = {name: [] for name in names}
    seconds = dict.fromkeys(names, 0.0)
    for repeat in range(repeats):
        folds = list(StratifiedKFold(3, shuffle=True, random_state=repeat).split(X, y))
        for name in names:
            proba = np.zeros((len(y), y.max() + 1))
            for train, test in folds:
                model = CONTESTANTS[name](data.categories)
                began = time.process_time()
                model.fit(X[train], y[train])
                seconds[name] += time.process_time() - began
                proba[test] = model.predict_proba(X[test])
            found[name].append(figures(proba, y))
    means = {
        name: {what: float(np.mean([each[what] for each in of])) for what in of[0]}
        for name, of in found.items()
    }
    for name in names if BASE in names else ():
        means[name]["fit_time"] = seconds[name] / seconds[BASE]
    return means


def accuracy(
    out: Path, names: list[str], sets: list[str] | None, most_rows: int, repeats: int
) -> None:
    """Measure some contestants on some sets, and add the figures to those in the file."""
    warnings.simplefilter("ignore")
    begun = environment()
    chosen = [shortened(data, most_rows) for data in stored(SETS) if not sets or data.name in sets]
    for data in sorted(chosen, key=lambda data: data.X.size * (data.y.max() + 1)):
        began = time.process_time()
        measured = of_one_set(data, names, repeats)
        results: dict[str, Any] = read_results(out)[0] if out.exists() else {}
        n_rows, n_features = data.X.shape
        entry = results.setdefault(
            data.name, {"rows": n_rows, "features": n_features, "fresh": data.fresh, "of": {}}
        )
        for name, of in measured.items():
            entry["of"][name] = entry["of"].get(name, {}) | of | {"commit": begun["commit"]}
        write_results(out, results, begun)
        spent = time.process_time() - began
        print(data.name, *(f"{of['accuracy']:.2f}" for of in measured.values()), f"{spent:.0f} s",
              flush=True)  # fmt: skip


def report(results: dict[str, Any], page: Path) -> None:
    """Put tables into the page, each of sets that all of its contestants were run on."""
    run_on = {name: [s for s in results if name in results[s]["of"]] for name in CONTESTANTS}
    often = [name for name in CONTESTANTS if len(run_on[name]) >= ENOUGH_SETS]
    common = [r for r in results.values() if r["of"].keys() >= set(often)]
    parts = [
        table("All sets", often, common),
        table("The papers' sets and scikit-learn's", often, [r for r in common if not r["fresh"]]),
        table("Fresh sets", often, [r for r in common if r["fresh"]]),
    ]
    for name in CONTESTANTS:
        of = [r for r in common if name in r["of"]]
        if name not in often and of:
            parts.append(table(f"The sets that {name} was run on, too", [*often, name], of))
    parts += [
        f"Sets on which {name} was not run: {', '.join(s for s in results if s not in sets)}.\n"
        for name, sets in run_on.items()
        if sets and len(sets) < len(results)
    ]
    line = source("forests.json", "python benchmarks/forests.py accuracy")
    commits = {of.get("commit", UNKNOWN) for r in results.values() for of in r["of"].values()}
    if len(commits) > 1:
        line = line.replace(".*\n", f"; figures of the commits {', '.join(sorted(commits))}.*\n")
    parts.append(line.lstrip())
    before, begin, rest = page.read_text().partition(BEGIN)
    _, end, after = rest.partition(END)
    page.write_text(before + begin + "\n".join(["\n", *parts]) + end + after)


def table(title: str, names: list[str], results: list[dict[str, Any]]) -> str:
    rows = "\n".join(row_of(name, results) for name in names)
    return f"{title} ({len(results)}):\n\n{HEAD}\n{rows}\n"


def row_of(name: str, results: list[dict[str, Any]]) -> str:
    """Compare one contestant with scikit-learn's forest."""

    def column(of: str, what: str) -> np.ndarray:
        return np.array([r["of"][of][what] for r in results])

    gap = column(name, "accuracy") - column(BASE, "accuracy")
    loss = column(name, "log_loss").mean()
    times = [r["of"][name]["fit_time"] for r in results if "fit_time" in r["of"][name]]
    return (
        f"| {name} | {column(name, 'accuracy').mean():.2f} | {gap.mean():+.2f} | "
        f"{gap.min():+.1f} | {(gap > 0.5).sum()}/{(abs(gap) <= 0.5).sum()}/{(gap < -0.5).sum()} | "
        f"{loss:.3f} | {loss / column(BASE, 'log_loss').mean():.2f} | "
        f"{column(name, 'calibration_error').mean():.3f} | "
        f"{f'{np.median(times):.2f}' if len(times) == len(results) else ''} |"
    )


# ---------------------------------------------------------------------- speed


def timed(call: Callable[[], Any], clock: Callable[[], float]) -> float:
    began = clock()
    call()
    return clock() - began


def speed_of(rows: int, features: int, n_trees: int, repeats: int) -> list[dict[str, Any]]:
    from aslant import ObliqueRandomForestClassifier

    X, y = make_classification(rows, features, n_informative=features // 2, random_state=0)
    table = []
    for search in ("axis_parallel", "forest"):
        ratios: dict[str, list[float]] = {"fit": [], "predict": [], "two threads": []}
        for _ in range(repeats):
            theirs = RandomForestClassifier(n_trees, random_state=0)
            ours = ObliqueRandomForestClassifier(n_trees, search=search, random_state=0)
            base = timed(lambda: theirs.fit(X, y), time.process_time)  # noqa: B023
            cost = timed(lambda: ours.fit(X, y), time.process_time)  # noqa: B023
            ratios["fit"].append(cost / base)
            ours.predict_proba(X[:8])  # the trees are put together when they are first asked
            base = timed(lambda: theirs.predict_proba(X), time.process_time)  # noqa: B023
            cost = timed(lambda: ours.predict_proba(X), time.process_time)  # noqa: B023
            ratios["predict"].append(cost / base)
            one = timed(lambda: ours.set_params(n_jobs=1).fit(X, y), time.monotonic)  # noqa: B023
            two = timed(lambda: ours.set_params(n_jobs=2).fit(X, y), time.monotonic)  # noqa: B023
            ratios["two threads"].append(two / one)
        medians = {what: float(np.median(values)) for what, values in ratios.items()}
        table.append(
            {"rows": rows, "features": features, "trees": n_trees, "search": search, **medians}
        )
        print(table[-1], flush=True)
    return table


def speed(out: Path, n_trees: int, repeats: int) -> None:
    from aslant import ObliqueRandomForestClassifier

    begun = environment()
    ObliqueRandomForestClassifier(2).fit([[0.0], [1.0]], [0, 1])
    table = [
        *speed_of(10_000, 20, n_trees, repeats),
        *speed_of(100_000, 50, max(1, n_trees // 10), 1),
    ]
    write_results(out, table, begun)


# ---------------------------------------------------------------------- memory

MEMORY = "import sys, forests; print(forests.memory_of_fit(*sys.argv[1:]))"


def memory_of_fit(which: str, file: str, n_trees: str) -> int:
    """Return by how many bytes a fit in this process rises above what is there before."""

    def memory(of: str) -> int:
        found = re.search(of + r":\s*(\d+)", Path("/proc/self/status").read_text())
        assert found is not None
        return int(found[1]) * 1024

    from aslant import ObliqueRandomForestClassifier

    arrays = np.load(file)
    X, y = arrays["X"], arrays["y"]
    forest: Any = RandomForestClassifier(int(n_trees), random_state=0)
    if which != "sklearn":
        forest = ObliqueRandomForestClassifier(int(n_trees), search=which, random_state=0)
    ObliqueRandomForestClassifier(1).fit([[0.0], [1.0]], [0, 1])
    RandomForestClassifier(1).fit([[0.0], [1.0]], [0, 1])
    before = memory("VmRSS")
    Path("/proc/self/clear_refs").write_text("5")
    forest.fit(X, y)
    return memory("VmHWM") - before


def memory_on(rows: int, features: int, n_trees: int, kind: str) -> dict[str, Any]:
    """Return what fits add to processes that have only loaded the data: nothing freed is reused."""
    X, y = make_classification(rows, features, n_informative=features // 2, random_state=0)
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        file = str(Path(folder) / "data.npz")
        np.savez(file, X=X.astype(kind), y=y)
        for which in ("sklearn", "axis_parallel", "forest"):
            command = [sys.executable, "-c", MEMORY, which, file, str(n_trees)]
            run = subprocess.run(
                command, capture_output=True, text=True, check=True, cwd=Path(__file__).parent
            )
            found[which] = int(run.stdout) / 1e6
    return {"rows": rows, "features": features, "trees": n_trees, "kind": kind, "megabytes": found}


def memory(out: Path, n_trees: int) -> None:
    begun = environment()
    table = []
    for rows, features, trees in ((10_000, 20, n_trees), (100_000, 50, max(1, n_trees // 10))):
        for kind in ("float64", "float32"):
            table.append(memory_on(rows, features, trees, kind))
            print(table[-1], flush=True)
    write_results(out, table, begun)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("sets", "accuracy", "report", "speed", "memory"))
    parser.add_argument("--trees", type=int, default=100)
    parser.add_argument(
        "--repeats", type=int, default=1, help="of folds, or of the small set's times"
    )
    parser.add_argument(
        "--of", nargs="*", help=f"only these; default: all but {OLD}", choices=CONTESTANTS
    )
    parser.add_argument("--sets", nargs="*", help="only these data sets")
    parser.add_argument("--rows", type=int, default=MOST_ROWS, help="at most so many of a set")
    parser.add_argument("--out", type=Path)
    chosen = parser.parse_args()
    name = {"speed": "forests_speed.json", "memory": "forests_memory.json"}
    out = chosen.out or RESULTS / name.get(chosen.what, "forests.json")
    if chosen.what == "sets":
        store(SETS)
    elif chosen.what == "accuracy":
        names = chosen.of or [name for name in CONTESTANTS if name != OLD]
        accuracy(out, names, chosen.sets, chosen.rows, chosen.repeats)
    elif chosen.what == "speed":
        speed(out, chosen.trees, chosen.repeats)
    elif chosen.what == "memory":
        memory(out, chosen.trees)
    else:
        report(read_results(out)[0], PAGE)


if __name__ == "__main__":
    main()
