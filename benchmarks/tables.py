"""The time of large tables: Adult with its categories, and 200,000 rows of twenty numbers.

    python benchmarks/tables.py [--case NAME] [--method NAME] [--quick] [--patience 3]

Every method with its own defaults, pruning included, against scikit-learn's tree on the same rows
(one-hot where there are categories): CPU time of one thread, as a ratio from one run. Every fit is
the first of a process of its own; of those that take less than ten seconds, which vary by a sixth,
the fastest of three counts. Every fifth row of Adult is held out, and 50,000 rows of the numbers. A
fit that takes three times its target is given up, and its line says at which ratio. Writes
``results/tables.json``; needs ASLANT_DATA for Adult.
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
import pandas as pd
from aslant_papers.datasets import load_dataset
from limits import within
from provenance import environment, read_results, write_results
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.datasets import make_classification
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeClassifier

from aslant import HHCARTClassifier, LMDTClassifier, OC1Classifier, QUESTClassifier

RESULTS = Path(__file__).parent / "results" / "tables.json"
Rows = tuple[Any, Any, Any, Any]
"""Training rows, test rows, and their classes."""


def adult(quick: bool) -> Rows:
    bunch = load_dataset("adult")
    X, y = pd.DataFrame(bunch.data, columns=bunch.feature_names), bunch.target
    X = X.infer_objects()
    held_out = np.arange(len(y)) % 5 == 0
    chosen = ~held_out & (np.arange(len(y)) % 10 == 1) if quick else ~held_out
    return X[chosen], X[held_out], y[chosen], y[held_out]


def numbers(quick: bool) -> Rows:
    n = 20_000 if quick else 200_000
    X, y = make_classification(
        n + 50_000, 20, n_informative=10, n_redundant=4, flip_y=0.05, random_state=0
    )
    return X[:n], X[n:], y[:n], y[n:]


def one_hot_tree() -> Any:
    texts = make_column_selector(dtype_exclude="number")
    one_hot = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    return make_pipeline(
        make_column_transformer((one_hot, texts), remainder="passthrough"),
        DecisionTreeClassifier(random_state=0),
    )


# Method: how it is made, and its target as a multiple of scikit-learn's time.
CASES: dict[str, tuple[Callable[[bool], Rows], Callable[[], Any], dict[str, Any]]] = {
    "adult": (
        adult,
        one_hot_tree,
        {
            "QUEST": (QUESTClassifier, 3.0),
            "OC1": (OC1Classifier, 10.0),
            "LMDT": (LMDTClassifier, 20.0),
        },
    ),
    "200,000 x 20": (
        numbers,
        lambda: DecisionTreeClassifier(random_state=0),
        {
            "QUEST": (QUESTClassifier, 3.0),
            "HHCART(A)": (HHCARTClassifier, 3.0),
            "OC1, search_rows=20,000": (lambda: OC1Classifier(search_rows=20_000), 4.0),
            "LMDT": (LMDTClassifier, 20.0),
        },
    ),
}


def fit(model: Any, rows: Rows) -> dict[str, float]:
    X, X_test, y, y_test = rows
    if type(model).__module__.startswith("aslant"):
        model.set_params(random_state=0, n_jobs=1)
    start = time.process_time()
    model.fit(X, y)
    seconds = time.process_time() - start
    last = model[-1] if hasattr(model, "steps") else model
    found = {"seconds": seconds, "accuracy": model.score(X_test, y_test)}
    return found | {"leaves": int(last.get_n_leaves())}


def fastest_fit(make: Callable[[], Any], rows: Rows, limit: float) -> dict[str, float] | None:
    """Return the result of one fit, of the fastest of three if they are short; None: given up."""
    best: dict[str, float] | None = within(limit, fit, make(), rows)
    for _ in range(2 if best and best["seconds"] < 10.0 else 0):
        again = within(limit, fit, make(), rows)
        if again and again["seconds"] < best["seconds"]:
            best = again
    return best


def run(case: str, methods: list[str], quick: bool, patience: float) -> list[dict[str, Any]]:
    make_rows, theirs, ours = CASES[case]
    rows = make_rows(quick)
    base = fastest_fit(theirs, rows, 600.0)
    if base is None:
        raise RuntimeError("scikit-learn's tree took more than ten minutes")
    cells = [{"case": case, "method": "scikit-learn's tree", "ratio": 1.0, **base}]
    print(json.dumps(cells[-1]), flush=True)
    for method, (make, target) in ours.items():
        if methods and method not in methods:
            continue
        limit = patience * target * base["seconds"]
        found = fastest_fit(make, rows, limit)
        cell: dict[str, Any] = {"case": case, "method": method, "target": target}
        if found:
            cell |= {"ratio": found["seconds"] / base["seconds"], **found}
        else:
            cell |= {"not finished": limit / base["seconds"]}
        cells.append(cell)
        print(json.dumps(cell), flush=True)
    return cells


def write(cells: list[dict[str, Any]], begun: dict[str, Any], earlier: tuple[Any, Any]) -> None:
    """Put the lines of the cases that were run in the place of those that they had."""
    cases = {cell["case"] for cell in cells}
    kept = [cell for cell in earlier[0] if cell["case"] not in cases]
    write_results(RESULTS, kept + cells, begun, earlier[1] if kept else None)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--case", choices=CASES, help="only this one")
    parser.add_argument("--method", action="append", help="only this one; may be repeated")
    parser.add_argument("--quick", action="store_true", help="a tenth of the rows, nothing written")
    parser.add_argument("--patience", type=float, default=3.0, help="give up at so many targets")
    options = parser.parse_args()
    begun = environment()
    earlier = read_results(RESULTS) if RESULTS.exists() else ([], {})
    cells: list[dict[str, Any]] = []
    for case in [options.case] if options.case else CASES:
        cells += run(case, options.method or [], options.quick, options.patience)
        if not (options.method or options.quick):
            write(cells, begun, earlier)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main()
