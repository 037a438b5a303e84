"""How good is it? All our estimators and other people's on the suite, each at its defaults.

    python benchmarks/suite.py run [--old] [--repeats 3] [--of NAME ...] [--sets NAME ...]
    python benchmarks/suite.py forget --of NAME ...   so that they are fitted again
    python benchmarks/suite.py failures      what failed or was cut off so far, and why
    python benchmarks/suite.py collect       the journals as benchmarks/results/suite.json
    python benchmarks/suite.py page          docs/how-good.md and its figures from that file
    python benchmarks/suite.py resume        that file as a journal, to continue on another machine

Three-fold cross-validation of at most 1,000 rows of each set, repeated; the same rows and folds for
all. Each fit is a process of its own with one thread, 20 s of CPU time and 8 GB of memory;
what needs more is listed as such, and so is what fails. Where a contestant was cut off or failed in
the first fold of a set, the other folds of that set are not tried. Repeats are the outermost loop
and sets the next, so an interrupted run is even; in each repeat the slow contestants (SLOW) come
after all others. Every fit is one line of build/suite/*.jsonl; starting
the program again continues where it stopped. ASLANT_DATA names the folder of the data (see
suite_data.py). Peers live in environments of their own: `make suite` builds them and runs all.
"""

from __future__ import annotations

import os

if __name__ == "__main__":
    for _variable in ("OMP", "OPENBLAS", "MKL", "NUMEXPR", "RAYON", "NUMBA"):
        os.environ[f"{_variable}_NUM_THREADS"] = "1"

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from limits import CUT_OFF, attempt
from provenance import environment, finished, load, package_version
from suite_contestants import OLD, SLOW, Contestant, contestants
from suite_data import N_FOLDS, SuiteSet, suite
from suite_fit import figures, modules_of_a_fit, preload

LIMIT = 20.0  # CPU seconds of a fit and its predictions
JOURNALS = Path(__file__).parents[1] / "build" / "suite"

Record = dict[str, Any]


def records(folder: Path = JOURNALS) -> list[Record]:
    """Return the finished fits of all journals; the last of several for the same fold counts."""
    found = [one for one in lines(folder) if "set" in one]
    return list({place(one): one for one in found}.values())


def lines(folder: Path = JOURNALS) -> list[Record]:
    """Return all lines of the journals: fits, and the environments of runs."""
    found: list[Record] = []
    for path in sorted(folder.glob("*.jsonl")):
        found += [json.loads(line) for line in path.read_text().splitlines()]
    return found


def place(record: Record) -> tuple[int, str, str, int]:
    return record["repeat"], record["set"], record["contestant"], record["fold"]


class Journal:
    """A file with one line for each fit, and one for the begin and the end of each run."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path = path
        self.known = {place(one): one for one in records(path.parent)}

    def add(self, line: Record) -> None:
        with open(self.path, "a") as file:
            file.write(json.dumps(line) + "\n")
        if "set" in line:
            self.known[place(line)] = line


def run(journal: Journal, names: list[str], sets: list[SuiteSet], repeats: int) -> None:
    """Fit what is not in the journal yet."""
    field = {
        name: one
        for name, one in contestants().items()
        if name in names and not is_finished(journal, name, one, sets, repeats)
    }
    begun = environment() | {
        "versions": {one.package: package_version(one.package) for one in field.values()}
    }
    journal.add({"environment": begun})
    try:
        for repeat in range(repeats):
            for slow in (False, True):
                part = {name: one for name, one in field.items() if (name in SLOW) == slow}
                load_packages(part)
                for one in sets:
                    run_set(journal, part, one, repeat)
                    journal.add({"load": load()})
                    print(f"repeat {repeat}, {one.name}: {len(part)} contestants", flush=True)
    finally:
        journal.add({"environment": finished(begun)})


def is_finished(
    journal: Journal, name: str, contestant: Contestant, sets: list[SuiteSet], repeats: int
) -> bool:
    """Whether the journal has all fits; the environment of a run is that of what it fits."""
    return all(
        (repeat, one.name, name, fold) in journal.known
        for one in sets
        if one.task in contestant.makers
        for repeat in range(repeats)
        for fold in range(N_FOLDS)
    )


def load_packages(field: dict[str, Contestant]) -> None:
    """Import here what fits import, so that none of them is charged for it."""
    for contestant in field.values():
        for maker in contestant.makers.values():
            preload(attempt(LIMIT, modules_of_a_fit, maker)[0] or [])


def run_set(journal: Journal, field: dict[str, Contestant], one: SuiteSet, repeat: int) -> None:
    X, y = one.rows()
    for fold, (train, test) in enumerate(one.folds(X, y, repeat)):
        for name, contestant in field.items():
            where = {"repeat": repeat, "set": one.name, "contestant": name, "fold": fold}
            if one.task not in contestant.makers or place(where) in journal.known:
                continue
            first = journal.known.get(place(where | {"fold": 0}), {"status": "ok"})
            if first["status"] != "ok":
                found: Record = {key: first[key] for key in ("status", "reason")}
            else:
                maker = contestant.makers[one.task]
                parts = X[train], y[train], X[test], y[test]
                found = outcome(*attempt(LIMIT, figures, maker, one.task, parts))
            journal.add({**where, "task": one.task, **found})


def outcome(found: Record | None, reason: str) -> Record:
    """Return the figures of a fit with its status: "ok", "cut off" or "failed"."""
    if found is not None and not reason:
        return found
    if reason == CUT_OFF:
        return {"status": CUT_OFF, "reason": f"more than {LIMIT:g} s"}
    return {"status": "failed", "reason": reason or "ended without an answer"}


def forget(names: list[str]) -> None:
    """Take the fits of some contestants out of the journals."""
    for path in JOURNALS.glob("*.jsonl"):
        kept = [
            line
            for line in path.read_text().splitlines(keepends=True)
            if json.loads(line).get("contestant") not in names
        ]
        path.write_text("".join(kept))


def failures() -> None:
    """Print what has no figures so far: contestant, reason, number of folds."""
    counts: dict[tuple[str, str], int] = {}
    for one in records():
        if one["status"] != "ok":
            key = one["contestant"], one["reason"]
            counts[key] = counts.get(key, 0) + 1
    for (name, reason), count in sorted(counts.items()):
        print(f"{name}: {reason} ({count} folds)")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["run", "forget", "failures", "collect", "page", "resume"])
    parser.add_argument("--repeats", type=int, default=N_FOLDS)
    parser.add_argument("--old", action="store_true", help="those that need an old scikit-learn")
    parser.add_argument("--of", nargs="+", default=[], metavar="NAME", help="default: all others")
    parser.add_argument("--sets", nargs="+", default=[], metavar="NAME", help="default: all")
    given = parser.parse_args()
    if given.what == "run":
        try:
            sets = [one for one in suite() if not given.sets or one.name in given.sets]
        except FileNotFoundError as error:
            sys.exit(str(error))
        names = given.of or [name for name in contestants() if (name in OLD) == given.old]
        journal = Journal(JOURNALS / f"{'old' if given.old else 'suite'}.jsonl")
        run(journal, names, sets, given.repeats)
    elif given.what == "forget":
        forget(given.of)
    elif given.what == "failures":
        failures()
    else:
        import suite_page  # needs matplotlib and aslant-papers, which the peers' environments lack

        commands = {
            "collect": suite_page.collect,
            "page": suite_page.write,
            "resume": suite_page.resume,
        }
        commands[given.what]()


if __name__ == "__main__":
    main()
