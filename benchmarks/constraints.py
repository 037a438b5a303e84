"""What monotonic constraints cost: score, size and time with and without them, beside others.

    python benchmarks/constraints.py          twice 5-fold cross-validation
    python benchmarks/constraints.py page     write the table of docs/guide/control.md

Tables whose features have a known direction. Needs ``ASLANT_DATA``; writes
``results/constraints.json``. Scores are R2, or AUC for two classes; violations are pairs of test
rows and their copies, one constrained feature moved, whose predictions are in the wrong order.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from provenance import described, environment, read_results, write_results
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.metrics import r2_score, roc_auc_score
from sklearn.model_selection import KFold, StratifiedKFold

import aslant

RESULTS = Path(__file__).parent / "results" / "constraints.json"
PAGE = Path(__file__).parent.parent / "docs" / "guide" / "control.md"
BEGIN, END = "<!-- costs -->", "<!-- end of costs -->"
REPEATS = 2

# File, whether it is classification, and the direction of some features ("*": all of them).
TABLES: dict[str, tuple[str, str, dict[str, int]]] = {
    "ESL": ("suite/1027_ESL.csv.gz", "target", {"*": 1}),
    "SWD": ("suite/1028_SWD.csv.gz", "target", {"*": 1}),
    "LEV": ("suite/1029_LEV.csv.gz", "target", {"*": 1}),
    "auto price": (
        "suite/195_auto_price.csv.gz",
        "target",
        {
            "curb-weight": 1,
            "engine-size": 1,
            "horsepower": 1,
            "width": 1,
            "city-mpg": -1,
            "highway-mpg": -1,
        },
    ),
    "Boston": ("boston_housing.csv", "MEDV", {"RM": 1, "LSTAT": -1, "CRIM": -1, "NOX": -1}),
    "Pima": (
        "pima_diabetes.csv",
        "class",
        {"pregnant": 1, "glucose": 1, "mass": 1, "pedigree": 1, "age": 1},
    ),
}


def load(name: str) -> tuple[pd.DataFrame, np.ndarray, dict[str, int]]:
    file, target, signs = TABLES[name]
    data = pd.read_csv(Path(os.environ["ASLANT_DATA"]) / file)
    X = data.drop(columns=[target, *({"class"} & set(data.columns) - {target})]).astype(float)
    y = data[target].to_numpy()
    if signs.keys() == {"*"}:
        signs = dict.fromkeys(X.columns, signs["*"])
    return X, y, signs


def contestants(classes: bool) -> dict[str, Any]:
    import lightgbm

    if classes:
        return {
            "default tree": aslant.AutoTreeClassifier(random_state=0),
            "OC1": aslant.OC1Classifier(random_state=0),
            "CART, pruned": aslant.CARTClassifier(pruning="cost_complexity", random_state=0),
            "forest": aslant.ObliqueRandomForestClassifier(random_state=0),
            "boosting": aslant.ObliqueGradientBoostingClassifier(random_state=0),
            "HistGradientBoosting": HistGradientBoostingClassifier(random_state=0),
            "LightGBM": lightgbm.LGBMClassifier(verbose=-1, n_jobs=1, random_state=0),
        }
    return {
        "default tree": aslant.AutoTreeRegressor(random_state=0),
        "OC1": aslant.OC1Regressor(random_state=0),
        "CART, pruned": aslant.CARTRegressor(pruning="cost_complexity", random_state=0),
        "forest": aslant.ObliqueRandomForestRegressor(random_state=0),
        "boosting": aslant.ObliqueGradientBoostingRegressor(random_state=0),
        "HistGradientBoosting": HistGradientBoostingRegressor(random_state=0),
        "LightGBM": lightgbm.LGBMRegressor(verbose=-1, n_jobs=1, random_state=0),
    }


def constrained(model: Any, X: pd.DataFrame, signs: dict[str, int]) -> Any:
    each = [signs.get(name, 0) for name in X.columns]
    if type(model).__module__.startswith("lightgbm"):
        return model.set_params(monotone_constraints=each)
    return model.set_params(monotonic_cst=each)


def outputs(model: Any, X: pd.DataFrame) -> np.ndarray:
    return model.predict_proba(X)[:, 1] if hasattr(model, "predict_proba") else model.predict(X)


def violations(model: Any, X: pd.DataFrame, signs: dict[str, int]) -> float:
    """Return the fraction of moved rows whose prediction moves the wrong way."""
    rng = np.random.default_rng(0)
    before, wrong = outputs(model, X), []
    for name, sign in signs.items():
        moved = X.copy()
        moved[name] = np.maximum(X[name], rng.permutation(X[name].to_numpy()))
        wrong.append(sign * (outputs(model, moved) - before) < -1e-9)
    return float(np.mean(wrong))


def measure(name: str) -> list[dict[str, Any]]:
    X, y, signs = load(name)
    classes = len(np.unique(y)) == 2
    records = []
    for label in contestants(classes):
        for bound in (False, True):
            scores, seconds, leaves, wrong = [], [], [], []
            for repeat in range(REPEATS):
                divide = StratifiedKFold if classes else KFold
                for train, test in divide(5, shuffle=True, random_state=repeat).split(X, y):
                    model = contestants(classes)[label]
                    model = constrained(model, X, signs) if bound else model
                    begin = time.process_time()
                    model.fit(X.iloc[train], y[train])
                    seconds.append(time.process_time() - begin)
                    score = roc_auc_score if classes else r2_score
                    scores.append(score(y[test], outputs(model, X.iloc[test])))
                    leaves.append(model.get_n_leaves() if hasattr(model, "get_n_leaves") else 0)
                    wrong.append(violations(model, X.iloc[test], signs))
            records.append(
                {
                    "data": name,
                    "method": label,
                    "constrained": bound,
                    "score": float(np.mean(scores)),
                    "deviation": float(np.std(scores)),
                    "seconds": float(np.mean(seconds)),
                    "leaves": float(np.mean(leaves)),
                    "violations": float(np.mean(wrong)),
                }
            )
            print(records[-1], flush=True)
    return records


def page() -> None:
    """Write the table of the guide from the results."""
    found, about = read_results(RESULTS)
    records = {(r["data"], r["method"], r["constrained"]): r for r in found}
    methods = list(dict.fromkeys(r["method"] for r in found))
    lines = [
        "| data | " + " | ".join(methods) + " |",
        "|---" * (len(methods) + 1) + "|",
    ]
    for name in TABLES:
        cells = []
        for method in methods:
            free, bound = records[name, method, False], records[name, method, True]
            cells.append(f"{100 * free['score']:.1f} → {100 * bound['score']:.1f}")
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    for title, form in (
        (
            "mean",
            lambda f, b: (
                f"{100 * np.mean([x['score'] for x in f]):.1f} → "
                f"{100 * np.mean([x['score'] for x in b]):.1f}"
            ),
        ),
        (
            "wrong pairs, %",
            lambda f, b: (
                f"{100 * np.mean([x['violations'] for x in f]):.1f} → "
                f"{100 * np.mean([x['violations'] for x in b]):.1f}"
            ),
        ),
        (
            "time, ratio",
            lambda f, b: (
                f"{np.mean([y['seconds'] / x['seconds'] for x, y in zip(f, b, strict=True)]):.2f}"
            ),
        ),
        (
            "leaves",
            lambda f, b: (
                f"{np.mean([x['leaves'] for x in f]):.0f} → {np.mean([x['leaves'] for x in b]):.0f}"
                if f[0]["leaves"]
                else ""
            ),
        ),
    ):
        cells = []
        for method in methods:
            free = [records[name, method, False] for name in TABLES]
            bound = [records[name, method, True] for name in TABLES]
            cells.append(form(free, bound))
        lines.append(f"| {title} | " + " | ".join(cells) + " |")
    text = PAGE.read_text()
    begin, end = text.index(BEGIN) + len(BEGIN), text.index(END)
    lines += ["", f"*`benchmarks/results/constraints.json`: {described(about)}.*"]
    PAGE.write_text(text[:begin] + "\n" + "\n".join(lines) + "\n" + text[end:])


def main() -> None:
    if sys.argv[1:] == ["page"]:
        page()
        return
    begun = environment()
    write_results(RESULTS, [record for name in TABLES for record in measure(name)], begun)


if __name__ == "__main__":
    main()
