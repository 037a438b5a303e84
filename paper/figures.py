"""Write the figures of the paper from the result files, between its markers.

    python paper/figures.py [paper/paper.md]    # make pages

Nothing between ``<!-- name -->`` and ``<!-- end of name -->`` is typed: a block is a function of
this file, which reads the result files that the benchmarks and ``aslant reproduce`` write.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "benchmarks" / "results"
sys.path.insert(0, str(ROOT / "benchmarks"))

from blocks import write_block  # noqa: E402
from evidence_tables import short_table, together  # noqa: E402
from provenance import read_results  # noqa: E402

SYSTEMS = {
    "murthy1994": "OC1, CART-LC, C4.5 [@murthy1994]",
    "brodley1995": "linear machines, threshold units [@brodley1995]",
    "hinton1996": "pole pairs [@hinton1996]",
    "tan2004": "minimum message length [@tan2004]",
    "wickramarachchi2016": "HHCART [@wickramarachchi2016]",
}
SINGLE_TREES = {
    "auto": "aslant's default tree",
    "cart, pruned": "CART, pruned (aslant)",
    "scikit-learn's tree": "CART (scikit-learn)",
    "logistic regression": "logistic regression",
    "forest of 200": "random forest of 200 trees",
    "gradient boosting": "gradient boosting (scikit-learn)",
    "LightGBM": "LightGBM",
}


def table(header: list[str], rows: list[list[str]], caption: str) -> str:
    """Return a table of Markdown with a caption, numbers to the right."""
    lines = [header, [f":{'-' * 8}", *["---:"] * (len(header) - 1)], *rows]  # relative widths
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + f"\n\n: {caption}\n"


def reproduction() -> str:
    """Return how many published figures agree, by paper."""
    page = (ROOT / "docs" / "reproduction" / "README.md").read_text(encoding="utf-8")
    found = re.findall(r"^\| \[(\w+)\]\([\w.]+\) \|(.*)\|$", page, flags=re.MULTILINE)
    cells = {}
    for paper, line in found:  # the first table has every paper once
        cells.setdefault(paper, [cell.strip() for cell in line.split("|")])
    rows, outcomes = [], np.zeros(3, dtype=int)  # agree, better, worse
    for paper, title in SYSTEMS.items():
        accuracy, size, _, tests, claims = cells[paper]
        confirmed, open_, contradicted, _ = claims.split(" / ")
        rows.append([title, accuracy, size, tests, f"{confirmed} / {open_} / {contradicted}"])
        for counts in (accuracy, size):
            outcomes += [int(number) for number in counts.split(" / ")] if counts else [0, 0, 0]
    header = ["systems", "accuracy or error", "size", "tests", "claims"]
    caption = (
        "Published figures that agree with ours / where ours are better / worse; significance "
        "tests with the same outcome; and conclusions that are confirmed / not distinguishable / "
        "contradicted. Written by `make records`."
    )
    agree, better, worse = outcomes
    sentence = (
        f"Of {sum(outcomes)} published accuracies and sizes that can be computed again, {agree} "
        f"agree within two standard deviations, {better} of ours are better and {worse} worse."
    )
    return f"{sentence}\n\n{table(header, rows, caption)}"


def trees() -> str:
    """Return the default tree beside other models."""
    lines = (RESULTS / "auto_evidence.jsonl").read_text(encoding="utf-8").splitlines()
    records = [record for record in map(json.loads, lines) if "set" in record]
    n_sets = len({record["set"] for record in together(records) if record["method"] == "auto"})
    cells = {}
    for line in short_table(records).splitlines()[2:]:
        method, *numbers = [cell.strip() for cell in line.strip("|").split("|")]
        cells[method] = numbers
    rows = [[title, *cells[method]] for method, title in SINGLE_TREES.items()]
    header = ["model", "accuracy, %", "log-loss", "AUC, %", "leaves", "coefficients", "fit time"]
    caption = (
        f"Means over {n_sets} data sets, 5-fold cross-validation, every method at its defaults; "
        "leaves, coefficients and fit time (in units of scikit-learn's tree) are geometric means. "
        "Written by `benchmarks/auto_evidence.py`."
    )
    return table(header, rows, caption)


def forests() -> str:
    """Return what an oblique forest gains and costs."""
    sets = read_results(RESULTS / "forests.json")[0]
    pairs = [(one["of"]["aslant forest"], one["of"]["sklearn forest"]) for one in sets.values()]
    gain = np.mean([ours["accuracy"] - theirs["accuracy"] for ours, theirs in pairs])
    loss = np.exp(np.mean([np.log(a["log_loss"] / b["log_loss"]) for a, b in pairs]))
    time = np.exp(np.mean([np.log(a["fit_time"] / b["fit_time"]) for a, b in pairs]))
    return (
        f"Compared with scikit-learn's random forest over {len(pairs)} data sets, the mean "
        f"accuracy differs by {gain:+.1f} points; log-loss and fit time are {loss:.2f} and "
        f"{time:.2f} times as large, as geometric means (`benchmarks/forests.py`).\n"
    )


def boosting() -> str:
    """Return what an oblique boosting model gains and costs."""
    sets = read_results(RESULTS / "boosting.json")[0]
    parts = []
    for task, measure, name in (
        ("classification", "accuracy", "accuracy"),
        ("regression", "r2", "$R^2$"),
    ):
        pairs = [
            (one["figures"]["aslant"], one["figures"]["HistGradientBoosting"])
            for one in sets.values()
            if one["task"] == task
        ]
        gains = np.array([ours[measure] - theirs[measure] for ours, theirs in pairs])
        error = np.std(gains, ddof=1) / np.sqrt(len(gains))
        parts.append(
            f"{np.mean(gains):+.1f} points of {name} over {len(pairs)} data sets of {task} "
            f"(standard error {error:.1f}, median {np.median(gains):+.1f})"
        )
    both = [one["figures"] for one in sets.values()]
    ratios = [one["aslant"]["seconds"] / one["HistGradientBoosting"]["seconds"] for one in both]
    time = np.exp(np.mean(np.log(ratios)))
    return (
        f"The difference from scikit-learn's HistGradientBoosting is {' and '.join(parts)} on "
        f"average, in {time:.2f} times the fit time (`benchmarks/boosting.py`).\n"
    )


BLOCKS = {
    "reproduction": reproduction,
    "trees": trees,
    "forests": forests,
    "boosting": boosting,
}


def main() -> None:
    """Write the blocks."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("paper", type=Path, nargs="?", default=ROOT / "paper" / "paper.md")
    paper = parser.parse_args().paper
    for name, block in BLOCKS.items():
        write_block(paper, name, block())


if __name__ == "__main__":
    main()
