"""Missing values: the node's mean, the training set's, or also a feature that says where they are.

    python benchmarks/missing.py [--quick]

Two times 5-fold cross-validation on tables that have missing values of their own, and on complete
ones into which they are put: at random, and telling (more often in one class than in the others).
Needs ``ASLANT_DATA``; writes ``results/missing.json``, which docs/guide/your-data.md shows.
"""

from __future__ import annotations

import argparse
import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from aslant_papers.datasets import load_dataset
from provenance import environment, write_results
from sklearn.model_selection import StratifiedKFold

from aslant.estimators.methods import METHODS

RESULTS = Path(__file__).parent / "results" / "missing.json"
MODES = ("node_mean", "training_mean", "indicator", "auto")
METHODS_TRIED = ("cart", "c45", "quest", "ltu", "oc1", "lmdt")
OWN = ("hepatitis", "credit_approval", "breast_cancer_wisconsin", "cleveland_heart")
COMPLETE = ("pima_diabetes", "heart_statlog", "ionosphere", "bupa", "wine", "glass")
SHARE = 0.2
# Shares of missing values in the first class and in all others, where they are telling.
TELLING = (0.5, 0.1)


def rows_of(name: str, most: int) -> tuple[Any, Any]:
    bunch = load_dataset(name)
    rows = np.random.default_rng(0).permutation(len(bunch.target))[:most]
    X, y = bunch.data, np.asarray(bunch.target)
    return (X.iloc[rows].reset_index(drop=True) if hasattr(X, "iloc") else X[rows]), y[rows]


def with_missing_values(X: Any, y: Any, kind: str) -> Any:
    """Return X with missing values: at random, or informative in a third of the features."""
    rng = np.random.default_rng(1)
    X = np.array(X, dtype=np.float64)
    if kind == "random":
        X[rng.random(X.shape) < SHARE] = np.nan
        return X
    share = np.where(y == np.unique(y)[0], *TELLING)[:, np.newaxis]
    features = rng.permutation(X.shape[1])[: max(1, X.shape[1] // 3)]
    X[:, features] = np.where(rng.random((len(X), len(features))) < share, np.nan, X[:, features])
    return X


def measure(X: Any, y: Any, method: str, missing: str, repeats: int) -> dict[str, float]:
    results = []
    for repeat in range(repeats):
        folds = StratifiedKFold(5, shuffle=True, random_state=repeat)
        for train, test in folds.split(np.zeros(len(y)), y):
            model = METHODS[method].estimator(missing=missing, random_state=repeat)
            rows = (X.iloc[train], X.iloc[test]) if hasattr(X, "iloc") else (X[train], X[test])
            model.fit(rows[0], y[train])
            results.append((model.score(rows[1], y[test]), model.get_n_leaves()))
    accuracy, leaves = np.mean(results, axis=0).tolist()
    return {"accuracy": accuracy, "leaves": leaves}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one cross-validation, 500 rows")
    quick = parser.parse_args().quick
    most = 500 if quick else 1500
    tables = {(name, "own"): rows_of(name, most) for name in OWN}
    for name in COMPLETE:
        X, y = rows_of(name, most)
        for kind in ("random", "telling"):
            tables[name, kind] = with_missing_values(X, y, kind), y
    begun = environment()
    cells = []
    for (name, kind), (X, y) in tables.items():
        for method in METHODS_TRIED:
            for missing in MODES:
                found = measure(X, y, method, missing, 1 if quick else 2)
                cells.append({"table": name, "pattern": kind, "method": method, "missing": missing})
                cells[-1].update(found)
                print(json.dumps(cells[-1]), flush=True)
    write_results(RESULTS, cells, begun)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main()
