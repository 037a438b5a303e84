"""The results of the suite: from the journals to one file, and from it to means and comparisons."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from aslant_papers.statistics import corrected_paired_t
from limits import CUT_OFF
from scipy import stats

RESULTS = Path(__file__).parent / "results" / "suite.json"
MEASURES = (
    *("accuracy", "log_loss", "auc", "r2"),
    *("leaves", "coefficients", "fit_seconds", "predict_seconds"),
)
LOWER_IS_BETTER = ("log_loss",)

Record = dict[str, Any]


def collected(records: list[Record], environments: list[Record]) -> Record:
    """Return the content of the result file: lists over repeats and folds, by set and contestant.

    A contestant takes part with the repeats it finished on all sets of its tasks. Where a fold has
    no figures the reason stands instead, and the set counts as one without figures.
    """
    known = {(r["repeat"], r["set"], r["contestant"], r["fold"]): r for r in records}
    task_of = {r["set"]: r["task"] for r in records}
    n_folds = 1 + max(r["fold"] for r in records)
    repeats: dict[str, int] = {}
    for contestant in dict.fromkeys(r["contestant"] for r in records):
        tasks = {r["task"] for r in records if r["contestant"] == contestant}
        own = [name for name in task_of if task_of[name] in tasks]
        done = 0
        while all((done, name, contestant, n_folds - 1) in known for name in own):
            done += 1
        repeats[contestant] = done
    sets: Record = {name: {"task": task, "figures": {}} for name, task in sorted(task_of.items())}
    for contestant, done in repeats.items():
        for name, one in sets.items():
            places = [(r, name, contestant, f) for r in range(done) for f in range(n_folds)]
            if places and places[0] in known:
                one["figures"][contestant] = _folds([known[place] for place in places])
    return {
        "environment": _joined(environments),
        "folds": n_folds,
        "repeats": repeats,
        "sets": sets,
    }


def records_of(content: Record) -> list[Record]:
    """Return the fits of a result file, the reverse of `collected`."""
    found = []
    for name, one in content["sets"].items():
        for contestant, figures in one["figures"].items():
            for i in range(content["repeats"][contestant] * content["folds"]):
                repeat, fold = divmod(i, content["folds"])
                where = {"repeat": repeat, "set": name, "contestant": contestant, "fold": fold}
                found.append({**where, "task": one["task"], **_fold(figures, i)})
    return found


def _fold(figures: Record, i: int) -> Record:
    if "reason" in figures:
        cut_off = figures["reason"].startswith("more than")
        return {"status": CUT_OFF if cut_off else "failed", "reason": figures["reason"]}
    return {"status": "ok", **{key: values[i] for key, values in figures.items()}}


def _joined(environments: list[Record]) -> Record:
    """Return the environment of our last fits, with all packages, loads and commits of the run."""
    own = [one for one in environments if "aslant" in one["versions"]] or environments
    versions: Record = {}
    for one in environments:
        versions |= one["versions"]
    loads = [load for one in environments for load in one["load"]]
    commits = list(dict.fromkeys(one["commit"] for one in own))
    note = {"note": f"in runs at the commits {', '.join(commits)}"} if len(commits) > 1 else {}
    return own[-1] | note | {"versions": versions, "load": [min(loads), max(loads)]}


def _folds(records: list[Record]) -> Record:
    failed = [r for r in records if r["status"] != "ok"]
    if failed:
        return {"reason": failed[0]["reason"]}
    return {key: [r[key] for r in records] for key in MEASURES if key in records[0]}


def read(path: Path = RESULTS) -> Results:
    return Results(json.loads(path.read_text()))


@dataclass(frozen=True)
class Duel:
    """Two contestants on the sets where both have figures; differences are first less second."""

    sets: int
    difference: float
    better: int
    worse: int
    clearly_better: int
    clearly_worse: int
    best: tuple[str, float]
    worst: tuple[str, float]
    p_value: float  # of Wilcoxon's signed-rank test over the sets


class Results:
    """What is asked of the result file."""

    def __init__(self, content: Record) -> None:
        self.content = content
        self.test_share = 1.0 / content["folds"]

    def sets(self, task: str) -> list[str]:
        return [name for name, one in self.content["sets"].items() if one["task"] == task]

    def contestants(self, task: str) -> list[str]:
        """Return who took part in a task, in the order of the contest."""
        some = [self.content["sets"][name]["figures"] for name in self.sets(task)]
        return [c for c in self.content["repeats"] if any(c in figures for figures in some)]

    def folds(self, name: str, contestant: str, measure: str) -> list[float]:
        """Return the values of all folds, none where there are no figures."""
        return self.content["sets"][name]["figures"].get(contestant, {}).get(measure, [])

    def mean(self, name: str, contestant: str, measure: str) -> float:
        values = self.folds(name, contestant, measure)
        return float(np.mean(values)) if values else np.nan

    def means(self, task: str, contestant: str, measure: str) -> np.ndarray:
        return np.array([self.mean(name, contestant, measure) for name in self.sets(task)])

    def ranks(self, task: str, measure: str, contestants: list[str]) -> np.ndarray:
        """Return the ranks on each set; who has no figures there shares the last rank."""
        scores = np.column_stack([self.means(task, c, measure) for c in contestants])
        sign = 1.0 if measure in LOWER_IS_BETTER else -1.0
        return stats.rankdata(np.where(np.isnan(scores), np.inf, sign * scores), axis=1)

    def failures(self) -> dict[tuple[str, str], list[str]]:
        """Return the sets without figures, by contestant and reason."""
        found: dict[tuple[str, str], list[str]] = {}
        for contestant in self.content["repeats"]:
            for name, one in self.content["sets"].items():
                reason = one["figures"].get(contestant, {}).get("reason")
                if reason:
                    found.setdefault((contestant, reason), []).append(name)
        return found

    def duel(self, task: str, measure: str, first: str, second: str) -> Duel | None:
        """Compare two contestants; "clearly" is p < 0.05 in the corrected resampled t-test."""
        gaps: dict[str, float] = {}
        clearly = {1: 0, -1: 0}
        for name in self.sets(task):
            a, b = self.folds(name, first, measure), self.folds(name, second, measure)
            if not a or not b:
                continue
            n = min(len(a), len(b))
            differences = np.array(a[:n]) - np.array(b[:n])
            gaps[name] = float(differences.mean())
            if corrected_paired_t(differences, self.test_share).p_value < 0.05:
                clearly[int(np.sign(gaps[name]))] += 1
        if not gaps:
            return None
        values = np.array(list(gaps.values()))
        ordered = sorted(gaps.items(), key=lambda item: item[1])
        p_value = float(stats.wilcoxon(values).pvalue) if values.any() else 1.0
        return Duel(
            *(len(gaps), float(values.mean())),
            *(int(np.sum(values > 0)), int(np.sum(values < 0))),
            *(clearly[1], clearly[-1], ordered[-1], ordered[0], p_value),
        )


def holm(p_values: Iterable[float]) -> list[float]:
    """Return p-values adjusted for their number by Holm's step-down method."""
    given = list(p_values)
    adjusted = [0.0] * len(given)
    highest = 0.0
    for step, i in enumerate(np.argsort(given)):
        highest = max(highest, min(1.0, (len(given) - step) * given[i]))
        adjusted[i] = highest
    return adjusted
