"""The tables on pages that come from one small result file each: a function per table.

Every table ends with the command that measured it, its file, and where the figures come from.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
from blocks import markdown
from provenance import described, read_results

RESULTS = Path(__file__).parent / "results"
SKLEARN = "scikit-learn's tree"


def source(file: str, command: str) -> str:
    """Return the line under a table."""
    about = described(read_results(RESULTS / file)[1])
    return f"\n*`{command}`, `benchmarks/results/{file}`: {about}.*\n"


def found(name: str) -> Any:
    return read_results(RESULTS / f"{name}.json")[0]


def number(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def ratios(name: str, what: str = "") -> str:
    """Return the rows of a benchmark that measures ratios, with their targets."""
    rows = [
        [row["what"], number(row["ratio"]), number(row.get("target"))]
        for row in found(name)
        if row["what"].startswith(what)
    ]
    return markdown(["", "ratio", "target"], rows) + source(
        f"{name}.json", f"python benchmarks/{name}.py"
    )


def targets(cases: dict[tuple[str, str], str]) -> str:
    """Return some of the ratios of targets.py, under names of our own."""
    known = {(row["what"], row["case"]): row["ratio"] for row in found("targets")}
    rows = [[name, number(known[place])] for place, name in cases.items()]
    return markdown(["fit", "time / scikit-learn's tree"], rows) + source(
        "targets.json", "python benchmarks/targets.py"
    )


CART = "CARTClassifier fit / scikit-learn's, many features"
TEN = "CARTClassifier fit / scikit-learn's, ten features"
OBLIQUE = "fit / scikit-learn's CART fit, two classes"
SAMPLED = "search_rows=10,000, depth 8 / scikit-learn's CART"
HILL = "OC1 (20 restarts, 5 jumps), unpruned / scikit-learn's CART"


def large_data() -> str:
    return targets(
        {
            (TEN, "1,000,000 x 10"): "`CARTClassifier`, 1,000,000 x 10",
            (CART, "100,000 x 50"): "`CARTClassifier`, 100,000 x 50",
            (OBLIQUE, "Fisher, 100,000 x 50"): "`FisherTreeClassifier`, 100,000 x 50",
            (OBLIQUE, "HHCART(D), 100,000 x 50"): "`HHCARTClassifier`, dominant, 100,000 x 50",
            (SAMPLED, "HHCART(D), 1,000,000 x 20"): "the same with `search_rows=10_000`, "
            "depth 8, 1,000,000 x 20",
            (HILL, "LS10"): "`OC1Classifier`, 20 restarts, unpruned, LS10",
            (HILL, "Letter"): "the same on Letter, 20,000 x 16",
        }
    )


def tables() -> str:
    rows = []
    case = ""
    for cell in found("tables"):
        name = cell["case"].capitalize() if cell["case"] != case else ""
        case = cell["case"]
        rows.append(
            [
                *(name, cell["method"], number(cell.get("ratio")), number(cell.get("target"))),
                *(
                    (f"{100 * cell['accuracy']:.1f}", f"{cell['leaves']:,}")
                    if "ratio" in cell
                    else (f"not finished at {cell['not finished']:.0f}", "")
                ),
            ]
        )
    header = ["data", "fit", "ratio", "target", "accuracy on test rows, %", "leaves"]
    return markdown(header, rows) + source(
        "tables.json", "python benchmarks/tables.py --patience 15"
    )


def wide() -> str:
    cells = {(c["problem"], c["method"], c["shrinkage"]): c for c in found("wide")}
    methods = [m for m in dict.fromkeys(method for _, method, _ in cells) if m != SKLEARN]

    def shown(problem: str, method: str, how: str) -> str:
        value = cells[problem, method, how].get("accuracy")
        return "not run" if value is None else f"{value:.3f}".lstrip("0")

    rows = [
        [
            *(problem.replace("made,", "simulated,"), shown(problem, SKLEARN, "")),
            *(" / ".join(shown(problem, m, how) for how in ("none", "auto")) for m in methods),
        ]
        for problem in dict.fromkeys(problem for problem, _, _ in cells)
    ]
    return markdown(["rows x columns", SKLEARN, *methods], rows) + source(
        "wide.json", "python benchmarks/wide.py"
    )


def on_dask() -> str:
    known = found("on_dask")["ratios"]
    names = {
        "2 workers to ordinary, wall time": "wall time to that of the ordinary estimator on one "
        "core",
        "2 workers to ordinary, peak memory of a process": "peak memory of a worker to that of "
        "the ordinary process",
        "2 workers to 1": "two workers to one, wall time",
        "exponent of the rows": "exponent of the rows, from one million to five",
        "2 workers to LightGBM's, wall time": "wall time to that of one LightGBM tree of as many "
        "leaves on the same cluster",
    }
    rows = [[title, number(known.get(name))] for name, title in names.items()]
    return markdown(["", "ratio"], rows) + source("on_dask.json", "python benchmarks/on_dask.py")


def categories() -> str:
    cells = found("categories")
    encodings = list(dict.fromkeys(cell["encoding"] for cell in cells))
    rows = []
    for table in dict.fromkeys(cell["table"] for cell in cells):
        means = []
        for encoding in encodings:
            own = [c for c in cells if (c["table"], c["encoding"]) == (table, encoding)]
            known = [100 * c["accuracy"] for c in own if "accuracy" in c]
            means.append(f"{np.mean(known):.1f}" if known else "-")
        rows.append([table, *means])
    names = {"levels": "every level", "coordinate": "one coordinate", "shares": "target"}
    header = [" ".join(names.get(word, word) for word in one.split()) for one in encodings]
    return markdown(["table", *header], rows) + source(
        "categories.json", "python benchmarks/categories.py"
    )


def missing() -> str:
    cells = found("missing")
    names = {"own": "original", "random": "at random", "telling": "informative"}
    modes = list(dict.fromkeys(cell["missing"] for cell in cells))
    rows = []
    for kind, title in names.items():
        own = [cell for cell in cells if cell["pattern"] == kind]
        n_tables = len({cell["table"] for cell in own})
        means = (np.mean([c["accuracy"] for c in own if c["missing"] == m]) for m in modes)
        rows.append([f"{title} ({n_tables} tables)", *(f"{100 * mean:.1f}" for mean in means)])
    return markdown(["missing values", *(f"`{mode}`" for mode in modes)], rows) + source(
        "missing.json", "python benchmarks/missing.py"
    )


def untidy(case: str) -> str:
    """Return accuracy in percent, or AUC / log-loss, a line for each method."""
    of_case = [cell for cell in found("untidy") if cell["case"] == case]
    often = Counter(cell["setting"] for cell in of_case)
    cells = [cell for cell in of_case if cell["setting"] and often[cell["setting"]] > 1]
    settings = list(dict.fromkeys(cell["setting"] for cell in cells))
    known = {(cell["method"], cell["setting"]): cell for cell in cells}

    def shown(cell: dict[str, Any] | None) -> str:
        if cell is None:
            return ""
        if "accuracy" in cell:
            return f"{100 * cell['accuracy']:.1f}"
        return f"{cell['auc']:.3f} / {cell['log_loss']:.3f}" if "auc" in cell else "-"

    methods = list(dict.fromkeys(cell["method"] for cell in cells))
    rows = [[m, *(shown(known.get((m, setting))) for setting in settings)] for m in methods]
    others = [
        ", ".join(part for part in (cell["method"], cell["setting"]) if part) + f" {shown(cell)}"
        for cell in of_case
        if cell not in cells and {"accuracy", "auc"} & set(cell)
    ]
    beside = f"\nFor comparison: {'; '.join(others)}.\n" if others else ""
    command = "python benchmarks/untidy.py"
    return markdown(["method", *settings], rows) + beside + source("untidy.json", command)


def smoothing() -> str:
    """Return mean log-loss / mean rank, a line for each strength and a column for each prior."""
    cells = found("smoothing")
    names = [key for key in cells[0] if key not in ("table", "method")]
    losses = np.array([[cell[name] for name in names] for cell in cells])
    ranks = losses.argsort(axis=1).argsort(axis=1).mean(axis=0) + 1.0
    shown = {
        tuple(name.split()): f"{mean:.3f} / {rank:.1f}"
        for name, mean, rank in zip(names, losses.mean(axis=0), ranks, strict=True)
    }
    priors = ("uniform", "root", "parent")
    rows = [
        [strength, *(shown.get((strength, prior), "") for prior in priors)]
        for strength in dict.fromkeys(strength for strength, _ in shown)
    ]
    return markdown(["`smoothing`", *priors], rows) + source(
        "smoothing.json", "python benchmarks/smoothing.py"
    )


def pole_pairs() -> str:
    rows = []
    for row in found("pole_pair"):
        if "accuracy" in row:
            thresholds, data = row["what"].split(", ")[-1].split(": ")
            shown = [100 * row[key] for key in ("accuracy", "axis-parallel")]
            pruned = [100 * row[key] for key in ("pruned", "axis-parallel, pruned")]
            rows.append(
                [
                    *(data, thresholds, number(row["ratio"])),
                    *(", ".join(f"{value:.1f}" for value in pair) for pair in (shown, pruned)),
                ]
            )
    header = ["data", "`thresholds`", "time", "accuracy, axis-parallel", "pruned, axis-parallel"]
    return markdown(header, rows) + source("pole_pair.json", "python benchmarks/pole_pair.py")


def auto_time() -> str:
    rows = [
        [
            *(row["what"], " x ".join(f"{n:,}" for n in row.get("shape", []))),
            *(number(row["ratio"]), number(row.get("forest")), str(row.get("leaves", ""))),
        ]
        for row in found("auto")
    ]
    header = [
        "set",
        "rows x features",
        "auto / scikit-learn's tree",
        "forest of 200 / it",
        "leaves",
    ]
    return markdown(header, rows) + source("auto.json", "python benchmarks/auto.py")


def auto_large() -> str:
    rows = [
        [
            *(row["what"].replace("made", "simulated"), " x ".join(f"{n:,}" for n in row["shape"])),
            *(number(row["ratio"]), number(row["seconds"]), str(row["leaves"])),
        ]
        for row in found("auto_large")
    ]
    header = ["data", "rows x features", "time / scikit-learn's tree", "seconds of CPU", "leaves"]
    return markdown(header, rows) + source("auto_large.json", "python benchmarks/auto_large.py")


def boosting_without() -> str:
    """Return the differences to other boosting without the set that decides each measure."""
    sets = found("boosting")

    def shown(name: str, task: str, measure: str, digits: int, left_out: str) -> str:
        gains = [
            one["figures"]["aslant"][measure] - one["figures"][name][measure]
            for title, one in sets.items()
            if one["task"] == task and name in one["figures"] and left_out not in title
        ]
        error = np.std(gains, ddof=1) / np.sqrt(len(gains))
        return f"{np.mean(gains):+.{digits}f} ± {error:.{digits}f}"

    names = dict.fromkeys(name for one in sets.values() for name in one["figures"])
    rows = [
        [
            name,
            shown(name, "classification", "accuracy", 2, "Hill_Valley"),
            shown(name, "classification", "log_loss", 3, "Hill_Valley"),
            shown(name, "regression", "r2", 2, "USCrime"),
        ]
        for name in names
        if not name.startswith("aslant")
    ]
    header = ["aslant less", "accuracy, points", "log-loss", "R2, points"]
    command = "python benchmarks/boosting.py accuracy"
    return markdown(header, rows) + source("boosting.json", command)


def regression() -> str:
    from regression import table

    command = "python benchmarks/regression.py --rows 500 --folds 3"
    return table(found("regression")) + source("regression.json", command)


def number_forests() -> str:
    known = found("number_forests")
    base = known[SKLEARN.replace("tree", "forest")]
    rows = []
    for name, sets in known.items():
        gaps = [own["r2"] - base[one]["r2"] for one, own in sets.items()]
        times = [own["seconds"] / base[one]["seconds"] for one, own in sets.items()]
        rows.append([name, f"{np.mean(gaps):+.3f}", f"{min(gaps):+.3f}", f"{np.median(times):.2f}"])
    header = ["", "mean out-of-bag R2 minus that of scikit-learn's forest", "worst set", "time"]
    return markdown(header, rows) + source(
        "number_forests.json", "python benchmarks/number_forests.py"
    )


def forest_speed() -> str:
    rows = [
        [
            *(f"{row['rows']:,} x {row['features']}", str(row["trees"]), row["search"]),
            *(number(row[key]) for key in ("fit", "predict", "two threads")),
        ]
        for row in found("forests_speed")
    ]
    header = ["data", "trees", "search", "fit", "prediction", "two threads"]
    return markdown(header, rows) + source(
        "forests_speed.json", "python benchmarks/forests.py speed"
    )


def first_table(page: Path) -> str:
    """Return the first table of another page."""
    lines = page.read_text().splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith("|"))
    last = next(i for i in range(first, len(lines)) if not lines[i].startswith("|"))
    return "\n".join(lines[first:last]) + "\n"
