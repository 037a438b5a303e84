"""Wide tables: what shrinkage changes where columns are many for the rows.

    python benchmarks/wide.py [--quick] [--seconds 20]

Accuracy on held-out rows with ``shrinkage="auto"`` and with ``shrinkage="none"``, the published
way, beside scikit-learn's tree: made data, with as many rows held out; and random parts of real
sets, the other rows held out (needs ASLANT_DATA). The limits of five and ten rows a column were
chosen on these. Where the fits of a method on one problem take more seconds of CPU time than the
limit, its line says that it has not finished; HHCART(A) is not begun on 500 columns, which take it
minutes, as published many. Writes ``results/wide.json``.
"""

from __future__ import annotations

import argparse
import json
import os
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from aslant_papers.datasets import load_dataset
from limits import within
from provenance import environment, write_results
from sklearn.datasets import load_breast_cancer, load_digits, load_wine, make_classification
from sklearn.model_selection import StratifiedKFold, StratifiedShuffleSplit
from sklearn.tree import DecisionTreeClassifier

from aslant import FisherTreeClassifier, HHCARTClassifier, LTUTreeClassifier, QUESTClassifier
from aslant.search import RLS

RESULTS = Path(__file__).parent / "results" / "wide.json"
MANY_COLUMNS = "made, 1,400 x 500"
Division = tuple[Any, Any, Any, Any]


def made(rows: int, columns: int, draws: int) -> list[Division]:
    divisions = []
    for seed in range(draws):
        X, y = make_classification(
            2 * rows, columns, n_informative=20, n_redundant=20, flip_y=0.02, random_state=seed
        )
        divisions.append((X[:rows], X[rows:], y[:rows], y[rows:]))
    return divisions


def parts(X: Any, y: Any, rows: int, draws: int = 6) -> list[Division]:
    division = StratifiedShuffleSplit(draws, train_size=rows, random_state=1)
    return [(X[train], X[test], y[train], y[test]) for train, test in division.split(X, y)]


def real(name: str) -> tuple[Any, Any]:
    bunch = load_dataset(name)
    return np.asarray(bunch.data, dtype=float), np.asarray(bunch.target)


def folds(X: Any, y: Any, rounds: int = 2) -> list[Division]:
    divisions = []
    for seed in range(rounds):
        for train, test in StratifiedKFold(3, shuffle=True, random_state=seed).split(X, y):
            divisions.append((X[train], X[test], y[train], y[test]))
    return divisions


METHODS: dict[str, Callable[[str], Any]] = {
    "HHCART(A)": lambda shrinkage: HHCARTClassifier(shrinkage=shrinkage),
    "HHCART(D)": lambda shrinkage: HHCARTClassifier(variant="dominant", shrinkage=shrinkage),
    "Fisher": lambda shrinkage: FisherTreeClassifier(shrinkage=shrinkage),
    "QUEST": lambda shrinkage: QUESTClassifier(shrinkage=shrinkage),
    "threshold units, RLS": lambda shrinkage: LTUTreeClassifier(learner=RLS(shrinkage=shrinkage)),
}


def evaluate(model: Any, divisions: list[Division]) -> dict[str, float]:
    scores = []
    start = time.process_time()
    for X, X_test, y, y_test in divisions:
        scores.append(model.set_params(random_state=0).fit(X, y).score(X_test, y_test))
    seconds = time.process_time() - start
    return {"accuracy": float(np.mean(scores)), "seconds": seconds / len(divisions)}


def problems() -> dict[str, list[Division]]:
    found = {
        "digits, 300 x 64": parts(*load_digits(return_X_y=True), 300, draws=2),
        "breast cancer, 150 x 30": parts(*load_breast_cancer(return_X_y=True), 150),
        "wine, 80 x 13": parts(*load_wine(return_X_y=True), 80),
    }
    if os.environ.get("ASLANT_DATA"):
        found["sonar, 140 x 60"] = parts(*real("sonar"), 140)
        found["sonar, 3 folds in two orders"] = folds(*real("sonar"))
        found["ionosphere, 200 x 34"] = parts(*real("ionosphere"), 200)
        found["lung cancer, 21 x 56"] = parts(*real("lung_cancer"), 21, draws=12)
    found["made, 400 x 100"] = made(400, 100, draws=2)
    found[MANY_COLUMNS] = made(1400, 500, draws=1)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one division, nothing written")
    parser.add_argument(
        "--seconds", type=float, default=20.0, help="limit of a method on a problem"
    )
    options = parser.parse_args()
    begun = environment()
    cells = []
    for problem, divisions in problems().items():
        chosen = divisions[: 1 if options.quick else None]
        models = {("scikit-learn's tree", ""): DecisionTreeClassifier()}
        for method, make in METHODS.items():
            models |= {(method, how): make(how) for how in ("none", "auto")}
        for (method, how), model in models.items():
            hopeless = problem == MANY_COLUMNS and method == "HHCART(A)"
            found = None if hopeless else within(options.seconds, evaluate, model, chosen)
            cell = {"problem": problem, "method": method, "shrinkage": how}
            cells.append(cell | (found or {"not finished": options.seconds}))
            print(json.dumps(cells[-1]), flush=True)
            if not options.quick:  # a run that is broken off leaves what it has
                write_results(RESULTS, cells, begun)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main()
