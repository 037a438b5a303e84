"""Wide tables: what shrinkage changes where columns are many for the rows.

    python benchmarks/wide.py [--quick]

Accuracy on held-out rows with ``shrinkage="auto"`` and with ``shrinkage="none"``, the published
way, beside scikit-learn's tree: made data of 1,400 rows and 500 columns, and real sets of fewer
than ten rows a column (needs ASLANT_DATA). Half of the made rows, and each of three folds of the
others, are held out. Writes ``results/wide.json``.
"""

from __future__ import annotations

import argparse
import json
import os
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.datasets import make_classification
from sklearn.model_selection import StratifiedKFold
from sklearn.tree import DecisionTreeClassifier

from aslant import FisherTreeClassifier, HHCARTClassifier, LTUTreeClassifier, QUESTClassifier
from aslant.datasets import load
from aslant.search import RLS

RESULTS = Path(__file__).parent / "results" / "wide.json"
Division = tuple[Any, Any, Any, Any]


def made(rows: int, columns: int) -> Iterator[Division]:
    for seed in range(3):
        X, y = make_classification(
            2 * rows, columns, n_informative=20, n_redundant=20, flip_y=0.02, random_state=seed
        )
        yield X[:rows], X[rows:], y[:rows], y[rows:]


def real(name: str) -> Iterator[Division]:
    bunch = load(name)
    X, y = np.asarray(bunch.data, dtype=float), np.asarray(bunch.target)
    for train, test in StratifiedKFold(3, shuffle=True, random_state=0).split(X, y):
        yield X[train], X[test], y[train], y[test]


METHODS: dict[str, Callable[[str], Any]] = {
    "HHCART(A)": lambda shrinkage: HHCARTClassifier(shrinkage=shrinkage),
    "HHCART(D)": lambda shrinkage: HHCARTClassifier(variant="dominant", shrinkage=shrinkage),
    "Fisher": lambda shrinkage: FisherTreeClassifier(shrinkage=shrinkage),
    "QUEST": lambda shrinkage: QUESTClassifier(shrinkage=shrinkage),
    "threshold units, RLS": lambda shrinkage: LTUTreeClassifier(learner=RLS(shrinkage=shrinkage)),
}


def judge(model: Any, divisions: list[Division]) -> dict[str, float]:
    scores = []
    start = time.process_time()
    for X, X_test, y, y_test in divisions:
        scores.append(model.set_params(random_state=0).fit(X, y).score(X_test, y_test))
    seconds = time.process_time() - start
    return {"accuracy": float(np.mean(scores)), "seconds": seconds / len(divisions)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one division, nothing written")
    quick = parser.parse_args().quick
    problems = {
        "1,400 x 500": made(1400, 500),
        "400 x 100": made(400, 100),
        "1,000 x 50": made(1000, 50),
    }
    if os.environ.get("ASLANT_DATA"):
        problems |= {name: real(name) for name in ("sonar", "ionosphere", "lung_cancer")}
    cells = []
    for problem, divisions in problems.items():
        chosen = list(divisions)[: 1 if quick else None]
        models = {("scikit-learn's tree", ""): DecisionTreeClassifier()}
        for method, make in METHODS.items():
            models |= {(method, how): make(how) for how in ("none", "auto")}
        for (method, how), model in models.items():
            cell = {"problem": problem, "method": method, "shrinkage": how}
            cells.append(cell | judge(model, chosen))
            print(json.dumps(cells[-1]), flush=True)
    if not quick:
        RESULTS.write_text(json.dumps(cells, indent=1) + "\n")


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main()
