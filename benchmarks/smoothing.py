"""Smoothing of class probabilities: log-loss by method and data set.

    python benchmarks/smoothing.py

Two times 5-fold cross-validation on the papers' data sets, at most 1000 rows of each; needs
``ASLANT_DATA``. A probability of zero counts as the least above it, as in scikit-learn. Writes
``results/smoothing.json``; docs/guide/imbalance.md shows the means.
"""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from aslant_papers.datasets import load_dataset
from provenance import environment, write_results
from sklearn.model_selection import StratifiedKFold

from aslant.estimators.methods import METHODS
from aslant.tree.smoothing import node_probabilities

RESULTS = Path(__file__).parent / "results" / "smoothing.json"
METHODS_TRIED = ("cart", "c45", "quest", "ltu", "oc1")
SETS = (
    "australian_credit", "balance_scale", "breast_cancer_ljubljana", "breast_cancer_wisconsin",
    "bupa", "cleveland_heart", "credit_approval", "glass", "haberman", "heart_statlog", "hepatitis",
    "ionosphere", "iris", "letter", "pima_diabetes", "segment", "shuttle", "sonar", "vowel", "wine",
)  # fmt: skip
SMOOTHINGS: list[tuple[float | str, str]] = [
    (0.0, "uniform"),
    *(
        (m, p)
        for m in (0.5, 1.0, 2.0, 4.0, 8.0, 16.0, "laplace")
        for p in ("uniform", "root", "parent")
    ),
]
LEAST = np.finfo(np.float64).eps


def rows_of(name: str) -> tuple[Any, Any]:
    """Return at most 1000 rows, of classes with a row for every fold."""
    bunch = load_dataset(name)
    X, y = bunch.data, np.asarray(bunch.target)
    rows = np.random.default_rng(0).permutation(len(y))[:1000]
    labels, counts = np.unique(y[rows], return_counts=True)
    rows = rows[np.isin(y[rows], labels[counts >= 5])]
    return (X.iloc[rows] if hasattr(X, "iloc") else X[rows]), y[rows]


def losses(X: Any, y: Any, method: str) -> dict[str, float]:
    """Return the mean log-loss for every smoothing; the trees are the same."""
    found: dict[str, list[float]] = {}
    for repeat in range(2):
        folds = StratifiedKFold(5, shuffle=True, random_state=repeat)
        for train, test in folds.split(np.zeros(len(y)), y):
            parts = (X.iloc[train], X.iloc[test]) if hasattr(X, "iloc") else (X[train], X[test])
            model = METHODS[method].estimator(random_state=repeat).fit(parts[0], y[train])
            leaves, codes = model.apply(parts[1]), np.searchsorted(model.classes_, y[test])
            for smoothing, prior in SMOOTHINGS:
                proba = node_probabilities(model.tree_, smoothing, prior)[leaves, codes]
                loss = -np.log(proba.clip(LEAST, 1.0)).mean()
                found.setdefault(f"{smoothing} {prior}", []).append(float(loss))
    return {name: float(np.mean(values)) for name, values in found.items()}


def main() -> None:
    begun = environment()
    cells = []
    for name in SETS:
        X, y = rows_of(name)
        for method in METHODS_TRIED:
            cells.append({"table": name, "method": method, **losses(X, y, method)})
            print(json.dumps(cells[-1]), flush=True)
    write_results(RESULTS, cells, begun)
    names = [f"{smoothing} {prior}" for smoothing, prior in SMOOTHINGS]
    table = np.array([[cell[name] for name in names] for cell in cells])
    ranks = table.argsort(axis=1).argsort(axis=1).mean(axis=0) + 1.0
    for name, mean, rank in zip(names, table.mean(axis=0), ranks, strict=True):
        print(f"{name:20} {mean:.3f} {rank:.1f}")


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main()
