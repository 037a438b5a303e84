"""docs/how-good.md and its figures, from benchmarks/results/suite.json."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from aslant_papers.statistics import friedman
from blocks import REPOSITORY, markdown, write_block
from provenance import described
from suite import JOURNALS, LIMIT, lines, records
from suite_contestants import ABSENT, BOOSTING, FOREST, OTHER, OURS, TREE, contestants
from suite_data import CLASSIFICATION, MOST_ROWS, N_FOLDS, REGRESSION, TASKS
from suite_results import RESULTS, Results, collected, holm, read, records_of

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "how-good.md"
MERIT = {CLASSIFICATION: "accuracy", REGRESSION: "r2"}
REFERENCE = "scikit-learn tree"
# Who is compared with whom, named before the run: one tree, a forest, boosting, each against peers
# of its kind.
DUELS = {
    f"{OURS} AutoTree": (
        *("scikit-learn tree", "logistic regression / ridge", "EBM", "linear-tree"),
        *("imodels FIGS", "imodels HSTree", "STree", "obliquetree", "scikit-learn forest"),
    ),
    f"{OURS} ObliqueRandomForest": (
        *("scikit-learn forest", "scikit-learn extra trees", "YDF forest"),
        *("YDF forest, sparse oblique", "treeple forest", "fastforest"),
    ),
    f"{OURS} ObliqueGradientBoosting": (
        *("HistGradientBoosting", "LightGBM", "XGBoost", "CatBoost", "OQBoost"),
        *("YDF boosting", "YDF boosting, sparse oblique", "EBM"),
    ),
}
SHORT = (  # the lines of the short table on README
    *("aslant AutoTree", "scikit-learn tree", "logistic regression / ridge"),
    *("aslant ObliqueRandomForest", "scikit-learn forest"),
    *("aslant ObliqueGradientBoosting", "HistGradientBoosting", "LightGBM", "XGBoost"),
    "OQBoost",
)
HEAD = """# How good is it?

All estimators of aslant at their defaults beside other people's at theirs, on {n} data sets.

- **Command:** `make suite`, which runs `python benchmarks/suite.py run`, `collect` and `page`; the
  last writes this page from `benchmarks/results/suite.json`.
- **Run:** {described}.
- **Data:** the suite, {classes} classification and {numbers} regression sets of
  [PMLB](https://github.com/EpistasisLab/pmlb); at most {rows:,} rows of each, drawn once; a class
  with fewer than {folds} of these rows is left out. All columns are read as numbers. No set was
  left out after the fact. The suite is not unseen: the number of leaves that `auto` may have was
  chosen on it, and boosting was compared on it while it was developed.
- **Protocol:** {repeats}.
  The rows and folds are the same for all. Every fit is a process with one thread and {limit:g} s of
  CPU time; what needs more, or fails, has the last rank on that set and is
  [listed below](#what-failed-and-why). Nothing was tuned.
- **Columns:** *rank* is the mean over the sets, 1 is best. *Less the tree* is the mean difference
  to scikit-learn's tree on the sets where both have figures. Log-loss has probabilities of at least
  1e-6; AUC is one against the rest. Leaves and coefficients of all trees together, and CPU times
  relative to scikit-learn's tree, are geometric means. Empty cells: not reported by the library.

Versions: {versions}.

"""
CONTEST = """![Mean ranks]({figure})

*Mean ranks by {merit}; bars join contestants that Nemenyi's test does not tell apart (p < 0.05).*
Friedman's test that all rank alike: chi-square {statistic:.0f}, p {p}.

"""
DUEL_NOTE = """Differences are ours less theirs, means over the sets where both have figures.
*Clearly* counts sets with p < 0.05 in the corrected resampled t-test over the folds (Nadeau and
Bengio, 2003). *p* is that of Wilcoxon's signed-rank test over the sets, adjusted by Holm's method
within the table.

"""


def collect() -> None:
    """Write the result file from the journals."""
    environments = [one["environment"] for one in lines() if "environment" in one]
    environments[-1]["load"] += [one["load"] for one in lines() if "load" in one]
    content = collected(records(), environments) | {"limit": LIMIT}
    RESULTS.write_text(compact(content))
    print(f"written to {RESULTS} from {JOURNALS}")


def resume() -> None:
    """Write the fits of the result file as a journal, to continue on another machine."""
    content = json.loads(RESULTS.read_text())
    JOURNALS.mkdir(parents=True, exist_ok=True)
    found = [{"environment": content["environment"]}, *records_of(content)]
    path = JOURNALS / "resumed.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in found))
    print(f"{len(found) - 1} fits written to {path}")


def compact(content: dict[str, object]) -> str:
    """Return JSON with a line for each contestant of each set, so that differences are readable."""
    marked = json.dumps(content, indent=1)
    parts = []
    depth_of_lists = 0
    for line in marked.splitlines():
        opened = depth_of_lists > 0
        depth_of_lists += line.rstrip().endswith("[") - (line.strip() in ("]", "],"))
        parts.append((" " + line.strip()) if opened else "\n" + line)
    return "".join(parts).lstrip("\n") + "\n"


def write() -> None:
    """Write the page, its figures, and the short table of the README."""
    results = read()
    kinds = {name: one.kind for name, one in contestants().items()}
    parts = [head(results)]
    for task in TASKS:
        parts += [f"## {task.capitalize()}\n\n", contest(results, task)]
        parts += [ranking(results, task, kinds), "\n"]
        parts += [f"### Ours against theirs, {task}\n\n", DUEL_NOTE, duels(results, task), "\n"]
    parts += ["## What failed, and why\n\n", failures(results), "\n"]
    for task in TASKS:
        parts += [f"## {task.capitalize()} set by set\n\n", *by_set(results, task, kinds)]
    PAGE.write_text("".join(parts).rstrip("\n") + "\n")
    write_block(ROOT / "README.md", "suite", short(results))
    print(f"written to {PAGE} and README.md")


def head(results: Results) -> str:
    versions = results.content["environment"].get("versions", {})
    numbers = {task: len(results.sets(task)) for task in TASKS}
    return HEAD.format(
        n=sum(numbers.values()),
        classes=numbers[CLASSIFICATION],
        numbers=numbers[REGRESSION],
        described=described(results.content["environment"]),
        rows=MOST_ROWS,
        folds=N_FOLDS,
        repeats=repeats_text(results),
        limit=results.content["limit"],
        versions=", ".join(f"{name} {version}" for name, version in sorted(versions.items())),
    )


def repeats_text(results: Results) -> str:
    """Return how often the folds were drawn, and for whom less often."""
    repeats = results.content["repeats"]
    most = max(repeats.values())
    text = f"{most} x {N_FOLDS}-fold cross-validation"
    for n in sorted({n for n in repeats.values() if 0 < n < most}, reverse=True):
        names = "; ".join(name for name in repeats if repeats[name] == n)
        text += f", {n} x for the contestants that need more time ({names})"
    return text


def contest(results: Results, task: str) -> str:
    """Draw the mean ranks, and say what Friedman's test finds."""
    from aslant_papers.figures import plot_critical_difference
    from matplotlib import pyplot as plt

    names = results.contestants(task)
    ranks = results.ranks(task, MERIT[task], names)
    path = PAGE.parent / "figures" / f"suite_{task}.png"
    ax = plot_critical_difference(-ranks, names)
    ax.figure.set_size_inches(8, 0.22 * len(names) + 1)
    ax.figure.savefig(path, dpi=90, bbox_inches="tight", metadata={"Software": None})
    plt.close("all")
    test = friedman(-ranks)
    return CONTEST.format(
        figure=path.relative_to(PAGE.parent).as_posix(),
        merit={"accuracy": "accuracy", "r2": "R2"}[MERIT[task]],
        statistic=test.statistic,
        p="< 0.001" if test.p_value < 0.001 else f"= {test.p_value:.3f}",
    )


def ranking(results: Results, task: str, kinds: dict[str, str]) -> str:
    """Return a line for each contestant, the best by rank first."""
    names = results.contestants(task)
    merit = MERIT[task]
    ranks = results.ranks(task, merit, names).mean(axis=0)
    loss_ranks = results.ranks(task, "log_loss", names).mean(axis=0)
    of_classes = task == CLASSIFICATION
    header = ["", "kind", "rank", *(["rank by log-loss"] if of_classes else [])]
    header += ["accuracy %" if of_classes else "R2 x 100", "less the tree"]
    header += ["log-loss", "AUC %"] if of_classes else []
    header += ["leaves", "coefficients", "fit time", "predict time", "sets without figures"]
    rows = []
    for i in np.argsort(ranks, kind="stable"):
        name = names[i]
        merits = 100 * results.means(task, name, merit)
        cells = [bold(name), kinds.get(name, ""), f"{ranks[i]:.1f}"]
        cells += [f"{loss_ranks[i]:.1f}"] if of_classes else []
        base = 100 * results.means(task, REFERENCE, merit)
        less = "" if name == REFERENCE else mean_text(merits - base, 1, signed=True)
        cells += [mean_text(merits, 1), less]
        if of_classes:
            cells.append(mean_text(results.means(task, name, "log_loss"), 3))
            cells.append(mean_text(100 * results.means(task, name, "auc"), 1))
        cells += [
            geometric_text(results.means(task, name, key), least=1.0)
            for key in ("leaves", "coefficients")
        ]
        for key in ("fit_seconds", "predict_seconds"):
            base = results.means(task, REFERENCE, key)
            cells.append(geometric_text(results.means(task, name, key) / base))
        rows.append([*cells, str(int(np.isnan(merits).sum()) or "")])
    return markdown(header, rows)


def bold(name: str) -> str:
    return f"**{name}**" if name.startswith(OURS) else name


def mean_text(values: np.ndarray, digits: int, signed: bool = False) -> str:
    known = values[~np.isnan(values)]
    return f"{known.mean():{'+' if signed else ''}.{digits}f}" if len(known) else ""


def geometric_text(values: np.ndarray, least: float = 1e-6) -> str:
    known = np.maximum(values[~np.isnan(values)], least)
    if not len(known):
        return ""
    mean = np.exp(np.log(known).mean())
    return f"{mean:,.0f}" if mean >= 100 else f"{mean:.2g}" if mean < 10 else f"{mean:.1f}"


def duels(results: Results, task: str) -> str:
    merit = MERIT[task]
    found = [
        (first, second, results.duel(task, merit, first, second))
        for first, others in DUELS.items()
        for second in others
        if second in results.contestants(task)
    ]
    known = [(first, second, duel) for first, second, duel in found if duel]
    rows = []
    for (first, second, duel), p in zip(known, holm(d.p_value for *_, d in known), strict=True):
        rows.append(
            [
                *(f"**{first}**", second, str(duel.sets), f"{100 * duel.difference:+.2f}"),
                *(f"{duel.better} / {duel.worse}", f"{duel.clearly_better} / {duel.clearly_worse}"),
                *(f"{100 * gap:+.1f} {name}" for name, gap in (duel.best, duel.worst)),
                "< 0.001" if p < 0.001 else f"{p:.3f}",
            ]
        )
    header = ["ours", "theirs", "sets", "difference, points", "better / worse", "clearly"]
    return markdown([*header, "greatest gain", "greatest loss", "p"], rows)


def failures(results: Results) -> str:
    rows = [
        [bold(name), reason, str(len(sets)), ", ".join(sets) if len(sets) <= 12 else "many"]
        for (name, reason), sets in results.failures().items()
    ]
    absent = [[name, reason, "all", ""] for name, reason in ABSENT.items()]
    unfinished = [
        [bold(name), "not all sets were measured yet", "all", ""]
        for name in contestants()
        if not results.content["repeats"].get(name)
    ]
    return markdown(["", "reason", "sets", "which"], [*rows, *absent, *unfinished])


def by_set(results: Results, task: str, kinds: dict[str, str]) -> list[str]:
    """Return a table of each kind of model: accuracy in percent, or R2, a line for each set."""
    parts = []
    names = results.contestants(task)
    for kind in (TREE, FOREST, BOOSTING, OTHER):
        own = [name for name in names if kinds.get(name) == kind]
        rows = [
            [one, *(mean_text(np.array([100 * results.mean(one, c, MERIT[task])]), 1) for c in own)]
            for one in results.sets(task)
        ]
        title = {"accuracy": "Accuracy %", "r2": "R2 x 100"}[MERIT[task]]
        parts += [f"{title}, kind of model: {kind}.\n\n", markdown(["", *own], rows), "\n"]
    return parts


def short(results: Results) -> str:
    """Return the block of the README."""
    task = CLASSIFICATION
    names = results.contestants(task)
    ranks = dict(zip(names, results.ranks(task, "accuracy", names).mean(axis=0), strict=True))
    rows = []
    for name in (one for one in SHORT if one in names):
        of_numbers = results.means(REGRESSION, name, "r2")
        own, base = (results.means(task, one, "fit_seconds") for one in (name, REFERENCE))
        rows.append(
            [
                *(bold(name), f"{ranks[name]:.1f}"),
                mean_text(100 * results.means(task, name, "accuracy"), 1),
                mean_text(results.means(task, name, "log_loss"), 3),
                mean_text(of_numbers, 3),
                *(geometric_text(results.means(task, name, "leaves")), geometric_text(own / base)),
            ]
        )
    numbers = [len(results.sets(task)) for task in TASKS]
    note = (
        f"{numbers[0]} classification and {numbers[1]} regression sets of PMLB, everyone at the "
        f"defaults, ranks among {len(names)} contestants; leaves and fit times (relative to "
        "scikit-learn's tree) are geometric means\n"
        f"([how good is it?]({REPOSITORY}docs/how-good.md); `make suite`, "
        "`benchmarks/results/suite.json`):\n\n"
    )
    header = ["", "mean rank", "accuracy %", "log-loss", "R2", "leaves", "fit time"]
    return note + markdown(header, rows)
