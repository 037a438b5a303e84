"""The tables of the evidence for the trees to try first, as Markdown."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np

TOGETHER = ("further", "suite")
TITLES = {
    "further": "Sets that had no part in anything",
    "suite": "The suite",
    "suite-regression": "The suite, regression",
    "fresh": "Sets that had a part in the recipe",
    "papers": "Other sets of the papers",
    "chosen": "Sets that had a part in the constants",
}
COLUMNS = (
    "method",
    "accuracy % or R2",
    "minus auto",
    "better / worse",
    "log-loss",
    "calibration error %",
    "AUC %",
    "leaves",
    "coefficients",
    "features per test",
    "time, × scikit-learn's tree",
)
REFERENCE = "scikit-learn's tree"

Means = dict[tuple[str, str], dict[str, float]]


def tables(records: list[dict[str, Any]]) -> str:
    """Return tables of means for the fresh sets and each group, and of accuracies for each set."""
    both = together(records)
    parts = ["## Both groups together\n", _summary(means_of(both))] if both else []
    for group, title in TITLES.items():
        means = means_of([record for record in records if record["group"] == group])
        if means:
            parts += [f"## {title}\n", _summary(means), _by_set(means)]
    return "\n".join(parts)


SHORT_COLUMNS = (
    "",
    "accuracy %",
    "log-loss",
    "AUC %",
    "leaves",
    "coefficients",
    "time, × scikit-learn's tree",
)


def short_table(records: list[dict[str, Any]]) -> str:
    """Return the means over the two large groups in few columns."""
    rows, _ = _rows(means_of(together(records)))
    kept = [0, 1, 4, 6, 7, 8, 10]
    return _markdown(list(SHORT_COLUMNS), [[row[k] for k in kept] for row in rows])


def together(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the records of the two large groups; a name that both have is two sets."""
    return [
        record | {"set": f"{record['group']}: {record['set']}"}
        for record in records
        if record["group"] in TOGETHER
    ]


def means_of(records: list[dict[str, Any]]) -> Means:
    """Means over the folds of each set and method."""
    lists: dict[tuple[str, str], dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for record in records:
        for key, value in record.items():
            if key not in ("set", "group", "method", "fold"):
                lists[record["set"], record["method"]][key].append(value)
    return {
        place: {key: float(np.mean(values)) for key, values in own.items()}
        for place, own in lists.items()
    }


def _summary(means: Means) -> str:
    rows, n_sets = _rows(means)
    note = (
        f"Means over {n_sets} sets (leaves, coefficients and time: geometric); AUC over those "
        "of two classes; minus auto: mean difference, with its standard error over sets; better / "
        "worse counts sets against auto.\n"
    )
    return note + "\n" + _markdown(list(COLUMNS), rows)


def _rows(means: Means) -> tuple[list[list[str]], int]:
    """Return the cells of a summary, and over how many sets the means are."""
    methods = list(dict.fromkeys(method for _, method in means))
    # A method that was not run on some sets is told apart.
    sets = [
        s
        for s in dict.fromkeys(s for s, _ in means)
        if (s, "auto") in means and (s, REFERENCE) in means
    ]
    rows = []
    for method in methods:
        own = [s for s in sets if (s, method) in means]
        if 2 * len(own) < len(sets):  # too few to compare means
            continue
        values = {s: means[s, method] for s in own}
        key = "accuracy" if "accuracy" in values[own[0]] else "r2"
        against = [100 * (values[s][key] - means[s, "auto"][key]) for s in own]
        error = np.std(against, ddof=1) / np.sqrt(len(own)) if len(own) > 1 else np.nan
        duel = f"{sum(a > 1e-9 for a in against)} / {sum(a < -1e-9 for a in against)}"
        of_cart = [v["seconds"] / means[s, REFERENCE]["seconds"] for s, v in values.items()]
        rows.append(
            [
                method + ("" if len(own) == len(sets) else f" ({len(own)} sets)"),
                f"{100 * np.mean([v[key] for v in values.values()]):.1f}",
                "" if method == "auto" else f"{np.mean(against):+.2f} ± {error:.2f}",
                "" if method == "auto" else duel,
                _mean(values, "log_loss", "{:.3f}"),
                _mean(values, "calibration", "{:.1f}", 100),
                _mean(values, "auc", "{:.1f}", 100),
                _geometric(values, "leaves"),
                _geometric(values, "coefficients"),
                _mean(values, "features_per_test", "{:.1f}"),
                f"{np.exp(np.mean(np.log(of_cart))):.1f}",
            ]
        )
    return rows, len(sets)


def _mean(values: dict[str, dict[str, float]], key: str, form: str, times: float = 1.0) -> str:
    found = [times * own[key] for own in values.values() if key in own]
    return form.format(np.mean(found)) if found else ""


def _geometric(values: dict[str, dict[str, float]], key: str) -> str:
    found = [max(own[key], 1.0) for own in values.values() if key in own]
    return f"{np.exp(np.mean(np.log(found))):.1f}" if found else ""


def _by_set(means: Means) -> str:
    methods = list(dict.fromkeys(method for _, method in means))
    shown = [m for m in methods if "effort" not in m]
    rows = []
    for name in dict.fromkeys(s for s, _ in means):
        found = [means.get((name, m), {}) for m in shown]
        cells = [one.get("accuracy", one.get("r2")) for one in found]
        rows.append([name, *("" if c is None else f"{100 * c:.1f}" for c in cells)])
    return _markdown(["accuracy % or R2", *shown], rows)


def _markdown(header: list[str], rows: list[list[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)
