"""Gradient boosting beside other people's: accuracy, log-loss, R2, and cost.

    python benchmarks/boosting.py accuracy [--of NAME ...] [--sets NAME ...] [--folds 3]
    python benchmarks/boosting.py speed [--rows 1000000]
    python benchmarks/boosting.py report                  the tables of docs/algorithms/boosting.md

Accuracy: the folder `suite` of ASLANT_DATA, at most 3,000 rows of a set, k-fold cross-validation
with the same folds for all (one fold with more than five classes), each contestant with its own
defaults, 100 rounds and one thread. Figures are added to those in the file. Times are CPU times of
fits in the same run. Peers live in an environment of their own (benchmarks/peers.txt); one that
is not installed is left out.

Speed: made data of several sizes, CPU time of fits and predictions on one thread, relative to
HistGradientBoosting, and the highest memory of a process that fits; for aslant also the elapsed
time of two threads.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from page_blocks import source
from provenance import environment, read_results, write_results
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.metrics import log_loss, r2_score
from sklearn.model_selection import KFold, StratifiedKFold

from aslant import (
    ObliqueGradientBoostingClassifier,
    ObliqueGradientBoostingRegressor,
    ObliqueRandomForestClassifier,
    ObliqueRandomForestRegressor,
)

ROUNDS = 100
REPEATS = 3  # of each speed, of which the least counts
MOST_ROWS = 3000
MANY_CLASSES = 5  # with more than so many, one fold
BASE = "HistGradientBoosting"
TWO_THREADS = "two threads"  # elapsed time, relative to one
RESULTS = Path(__file__).parent / "results"
PAGE = Path(__file__).parents[1] / "docs" / "algorithms" / "boosting.md"
BEGIN = "<!-- written by benchmarks/boosting.py report -->"
END = "<!-- end of what is written -->"

Maker = Callable[[bool], Any]


class Ydf:
    """YDF with scikit-learn's methods; one thread."""

    def __init__(self, classes: bool, axes: str) -> None:
        self.classes, self.axes = classes, axes

    def fit(self, X: np.ndarray, y: np.ndarray) -> Ydf:
        import ydf

        ydf.verbose(0)
        task = ydf.Task.CLASSIFICATION if self.classes else ydf.Task.REGRESSION
        learner = ydf.GradientBoostedTreesLearner(
            label="y", task=task, num_trees=ROUNDS, num_threads=1, split_axis=self.axes
        )
        self.labels = np.unique(y) if self.classes else None
        target = y.astype(str) if self.classes else y
        self.model = learner.train({"x": X.astype(np.float32), "y": target})
        return self

    def predict(self, X: np.ndarray) -> np.ndarray:
        return np.asarray(self.model.predict({"x": X.astype(np.float32)}))

    def predict_proba(self, X: np.ndarray) -> np.ndarray:
        found = self.predict(X)
        found = np.column_stack([1.0 - found, found]) if found.ndim == 1 else found
        order = [self.model.label_classes().index(str(label)) for label in self.labels]
        return found[:, order]


def lightgbm(classes: bool) -> Any:
    import lightgbm

    kind = lightgbm.LGBMClassifier if classes else lightgbm.LGBMRegressor
    return kind(n_estimators=ROUNDS, n_jobs=1, verbose=-1)


def xgboost(classes: bool) -> Any:
    import xgboost

    kind = xgboost.XGBClassifier if classes else xgboost.XGBRegressor
    return kind(n_estimators=ROUNDS, n_jobs=1)


def catboost(classes: bool) -> Any:
    import catboost

    kind = catboost.CatBoostClassifier if classes else catboost.CatBoostRegressor
    return kind(iterations=ROUNDS, thread_count=1, verbose=False, allow_writing_files=False)


def oqboost(classes: bool) -> Any:
    import oqboost

    kind = oqboost.OQBoostClassifier if classes else oqboost.OQBoostRegressor
    return kind(n_estimators=ROUNDS)


def ours(classes: bool, early_stopping: bool = False, **settings: Any) -> Any:
    kind = ObliqueGradientBoostingClassifier if classes else ObliqueGradientBoostingRegressor
    given = {"max_iter": ROUNDS, "random_state": 0, "n_jobs": 1, **settings}
    return kind(early_stopping=early_stopping, **given)


def theirs(classes: bool) -> Any:
    kind = HistGradientBoostingClassifier if classes else HistGradientBoostingRegressor
    return kind(max_iter=ROUNDS, random_state=0, early_stopping=False)


def forest(classes: bool) -> Any:
    kind = ObliqueRandomForestClassifier if classes else ObliqueRandomForestRegressor
    return kind(random_state=0)


CONTESTANTS: dict[str, Maker] = {
    BASE: theirs,
    "aslant": ours,
    "aslant, oblique=False": lambda classes: ours(classes, oblique=False),
    "aslant, early_stopping=True": lambda classes: ours(classes, early_stopping=True),
    "LightGBM": lightgbm,
    "XGBoost": xgboost,
    "CatBoost": catboost,
    "YDF": lambda classes: Ydf(classes, "AXIS_ALIGNED"),
    "YDF, sparse oblique": lambda classes: Ydf(classes, "SPARSE_OBLIQUE"),
    "OQBoost": oqboost,
    "aslant's forest": forest,
}

# ---------------------------------------------------------------------- accuracy


def data_set(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Return features and target, classes as codes, of a random sample of the rows."""
    folder = Path(os.environ["ASLANT_DATA"]) / "suite"
    frame = pd.read_csv(folder / f"{name}.csv.gz")
    frame = frame.sample(min(len(frame), MOST_ROWS), random_state=0)
    X = np.column_stack(
        [
            pd.factorize(frame[column])[0] if frame[column].dtype == object else frame[column]
            for column in frame.columns[:-1]
        ]
    )
    return X.astype(np.float64), frame[frame.columns[-1]].to_numpy()


def scores(name: str, task: str, made: list[str], folds: int) -> dict[str, dict[str, float]]:
    X, y = data_set(name)
    classes = task == "classification"
    if classes:
        codes = pd.factorize(y, sort=True)[0]
        enough = np.bincount(codes) >= folds
        X, y = X[enough[codes]], pd.factorize(codes[enough[codes]], sort=True)[0]
    division = (StratifiedKFold if classes else KFold)(folds, shuffle=True, random_state=0)
    found: dict[str, list[dict[str, float]]] = {one: [] for one in made}
    n_folds = 1 if classes and y.max() >= MANY_CLASSES else folds
    for train, test in islice(division.split(X, y), n_folds):
        for one in made:
            model = CONTESTANTS[one](classes)
            begin = time.process_time()
            model.fit(X[train], y[train])
            figures = {"seconds": time.process_time() - begin}
            if classes:
                proba = np.clip(model.predict_proba(X[test]), 1e-6, None)
                proba /= proba.sum(axis=1, keepdims=True)
                figures["accuracy"] = 100.0 * float(np.mean(proba.argmax(axis=1) == y[test]))
                figures["log_loss"] = float(log_loss(y[test], proba, labels=np.unique(y)))
            else:
                figures["r2"] = 100.0 * float(r2_score(y[test], np.ravel(model.predict(X[test]))))
            found[one].append(figures)
    return {
        one: {key: float(np.mean([f[key] for f in parts])) for key in parts[0]}
        for one, parts in found.items()
    }


def cost(entry: dict[str, Any]) -> float:
    """Return about how long the fits of a data set take."""
    return (entry.get("classes") or 1) * min(entry["rows"], MOST_ROWS) * entry["features"]


def accuracy(of: list[str], sets: list[str], folds: int) -> None:
    path, begun = RESULTS / "boosting.json", environment()
    known: dict[str, Any] = read_results(path)[0] if path.exists() else {}
    index = json.loads((Path(os.environ["ASLANT_DATA"]) / "suite" / "index.json").read_text())
    for entry in sorted(index, key=cost):
        name, task = entry["name"], entry["task"]
        if sets and name not in sets:
            continue
        begin = time.monotonic()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            new = scores(name, task, of, folds)
        row = known.setdefault(name, {"task": task, "figures": {}})
        row["figures"].update(new)
        write_results(path, known, begun)
        print(f"{name}: {time.monotonic() - begin:.0f} s", flush=True)


# ---------------------------------------------------------------------- speed


def made_data(n_rows: int, n_features: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_rows, n_features))
    signal = X[:, :8] @ rng.normal(size=8) + np.abs(X[:, 3]) * X[:, 4]
    return X, (signal + rng.normal(size=n_rows) > 0).astype(int)


def one_fit(name: str, n_rows: int, n_features: int) -> None:
    """Print CPU seconds of a fit and of predictions, and the highest memory in megabytes."""
    X, y = made_data(n_rows, n_features)
    model = CONTESTANTS[name](True)
    model.fit(X[:500], y[:500])  # loads what is loaded late
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    begin = time.process_time()
    model.fit(X, y)
    fitted = time.process_time() - begin
    begin = time.process_time()
    model.predict_proba(X)
    predicted = time.process_time() - begin
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(json.dumps([fitted, predicted, (after - before) / 1024.0]))


def speed(of: list[str], sizes: list[tuple[int, int]]) -> None:
    path, begun = RESULTS / "boosting_speed.json", environment()
    known: dict[str, Any] = read_results(path)[0] if path.exists() else {}
    for n_rows, n_features in sizes:
        found: dict[str, list[float]] = {}
        for name in REPEATS * of:  # by turns, since other processes come and go
            command = [sys.executable, __file__, "one", name, str(n_rows), str(n_features)]
            one_thread = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
            done = subprocess.run(
                command, capture_output=True, text=True, env={**os.environ, **one_thread}
            )
            if done.returncode == 0:
                new = json.loads(done.stdout.splitlines()[-1])
                found[name] = [min(pair) for pair in zip(new, found.get(name, new), strict=True)]
            print(n_rows, n_features, name, found.get(name), flush=True)
        size = known.setdefault(f"{n_rows} x {n_features}", {})
        size.update(found)
        if "aslant" in of:
            size[TWO_THREADS] = two_threads(n_rows, n_features)
        write_results(path, known, begun)


def two_threads(n_rows: int, n_features: int) -> float:
    """Return the elapsed time of a fit on two threads, relative to one."""
    X, y = made_data(n_rows, n_features)
    elapsed = {1: np.inf, 2: np.inf}
    for n_jobs in REPEATS * (1, 2):
        begin = time.perf_counter()
        ours(True, n_jobs=n_jobs).fit(X, y)
        elapsed[n_jobs] = min(elapsed[n_jobs], time.perf_counter() - begin)
    return elapsed[2] / elapsed[1]


# ---------------------------------------------------------------------- tables


def mean_and_error(values: list[float], digits: int) -> str:
    error = np.std(values, ddof=1) / np.sqrt(len(values))
    return f"{np.mean(values):+.{digits}f} ± {error:.{digits}f}"


def accuracy_table(known: dict[str, Any]) -> list[str]:
    lines = [
        "| aslant less | accuracy, points | log-loss | R2, points | time of a fit, aslant / it |",
        "|---|---|---|---|---|",
    ]
    for name in CONTESTANTS:
        pairs = [
            (row["figures"]["aslant"], row["figures"][name])
            for row in known.values()
            if name in row["figures"] and "aslant" in row["figures"]
        ]
        if name == "aslant" or not pairs:
            continue
        cells = [name]
        for key, digits in (("accuracy", 2), ("log_loss", 3), ("r2", 2)):
            cells.append(mean_and_error([a[key] - b[key] for a, b in pairs if key in a], digits))
        ratios = [a["seconds"] / b["seconds"] for a, b in pairs]
        cells.append(f"{np.exp(np.mean(np.log(ratios))):.2f}")
        lines.append(f"| {' | '.join(cells)} |")
    n_classes = sum(row["task"] == "classification" for row in known.values())
    return [
        f"Means ± standard errors over {n_classes} sets of classes and {len(known) - n_classes} of "
        "regression, geometric mean of times:",
        "",
        *lines,
        source("boosting.json", "python benchmarks/boosting.py accuracy").rstrip(),
    ]


def speed_table(known: dict[str, Any]) -> list[str]:
    lines = [
        "| rows x features | model | fit | prediction | memory |",
        "|---|---|---|---|---|",
    ]
    for size in sorted(known, key=lambda size: int(size.split(" x ")[0])):
        base = known[size][BASE]
        for name, found in known[size].items():
            if name in (BASE, TWO_THREADS):
                continue
            # Small fits add nothing to what the process held before.
            pairs = zip(found, base, strict=True)
            cells = [f"{a / b:.2f}" if b > 1e-3 else "" for a, b in pairs]
            lines.append(f"| {size} | {name} | {' | '.join(cells)} |")
    shares = [f"{of[TWO_THREADS]:.2f} ({size})" for size, of in known.items() if TWO_THREADS in of]
    threads = f"Elapsed time of aslant's fit on two threads, relative to one: {', '.join(shares)}."
    return [
        f"CPU time on one thread and added memory relative to {BASE}, 100 rounds:",
        "",
        *lines,
        *(["", threads] if shares else []),
        source("boosting_speed.json", "python benchmarks/boosting.py speed").rstrip(),
    ]


def report() -> None:
    parts = accuracy_table(read_results(RESULTS / "boosting.json")[0])
    parts += ["", *speed_table(read_results(RESULTS / "boosting_speed.json")[0])]
    text = PAGE.read_text()
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    PAGE.write_text("\n".join([before + BEGIN, *parts, END]) + after)


def installed(names: list[str]) -> list[str]:
    found = []
    for name in names:
        try:
            CONTESTANTS[name](True)
            if name.startswith("YDF"):
                __import__("ydf")
        except ImportError:
            print(f"{name} is not installed.", file=sys.stderr)
        else:
            found.append(name)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["accuracy", "speed", "report", "one"])
    parser.add_argument("rest", nargs="*")
    parser.add_argument("--of", nargs="+", default=list(CONTESTANTS))
    parser.add_argument("--sets", nargs="+", default=[])
    parser.add_argument("--folds", type=int, default=3)
    parser.add_argument("--rows", type=int, nargs="+", default=[2000, 20000, 100000])
    given = parser.parse_args()
    if given.what == "one":
        one_fit(given.rest[0], int(given.rest[1]), int(given.rest[2]))
    elif given.what == "accuracy":
        accuracy(installed(given.of), given.sets, given.folds)
    elif given.what == "speed":
        speed(installed(given.of), [(rows, 20) for rows in given.rows])
    else:
        report()


if __name__ == "__main__":
    main()
