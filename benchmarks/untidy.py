"""Tables as they come: many levels, informative missing values, a rare class; before and after.

    python benchmarks/untidy.py [--case NAME]

"Before" is what these methods did when categories were always read by their levels, missing values
were filled with means and nothing more, and probabilities were the frequencies of the leaves: the
same is available today through parameters. "After" are the defaults. Half of the rows
are for testing. Writes ``results/untidy.json``; docs/guide/ shows the figures.
"""

from __future__ import annotations

import argparse
import json
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from limits import within
from provenance import environment, read_results, write_results
from sklearn.compose import make_column_transformer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss, roc_auc_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeClassifier

from aslant.estimators.methods import METHODS

RESULTS = Path(__file__).parent / "results" / "untidy.json"
BEFORE = {"max_levels": None, "missing": "node_mean", "smoothing": 0.0}
SECONDS_PER_FIT = 200.0
"""A fit that takes longer is given up, and its cell has no figure."""


def oblique(n_rows: int, seed: int) -> tuple[pd.DataFrame, np.ndarray]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, 6))
    y = X @ rng.normal(size=6) + 0.3 * rng.normal(size=n_rows) > 0.0
    return pd.DataFrame(X, columns=list("abcdef")), np.where(y, "yes", "no")


def with_levels(n_levels: int) -> tuple[pd.DataFrame, np.ndarray]:
    X, y = oblique(6000, 0)
    X["zip"] = [f"z{k}" for k in np.random.default_rng(1).integers(n_levels, size=len(y))]
    return X, y


def with_informative_missing() -> tuple[pd.DataFrame, np.ndarray]:
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(4000, 3)), columns=list("abc"))
    hole = rng.random(4000) < 0.3
    y = np.where(rng.random(4000) < np.where(hole, 0.95, 0.05), "yes", "no")
    X.loc[hole, "a"] = np.nan
    return X, y


def with_a_rare_class() -> tuple[pd.DataFrame, np.ndarray]:
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(10_000, 6)), columns=list("abcdef"))
    utility = 1.2 * X["a"] + 0.8 * X["b"] - 0.6 * X["c"] * X["d"] - 5.4
    return X, np.where(rng.random(10_000) < 1.0 / (1.0 + np.exp(-utility)), "yes", "no")


def fit(model: Any, X: pd.DataFrame, y: np.ndarray, **scores: Any) -> dict[str, float] | None:
    """Fit to every second row, evaluate on the others; None if that takes too long."""
    if type(model).__module__.startswith("aslant"):
        model.set_params(random_state=0)
    return within(SECONDS_PER_FIT, fit_and_judge, model, X, y, scores)


def fit_and_judge(model: Any, X: pd.DataFrame, y: np.ndarray, scores: Any) -> dict[str, float]:
    model.fit(X.iloc[::2], y[::2])
    return {name: float(score(model, X.iloc[1::2], y[1::2])) for name, score in scores.items()}


def accuracy(model: Any, X: Any, y: Any) -> float:
    return model.score(X, y)


def auc(model: Any, X: Any, y: Any) -> float:
    return roc_auc_score(y == "yes", model.predict_proba(X)[:, 1])


def loss(model: Any, X: Any, y: Any) -> float:
    return log_loss(y, model.predict_proba(X), labels=model.classes_)


def logistic(X: pd.DataFrame) -> Any:
    encoder = OneHotEncoder(handle_unknown="ignore")
    texts = [name for name in X.columns if X[name].dtype not in (float, int)]
    one_hot = make_column_transformer((encoder, texts), remainder="passthrough")
    return make_pipeline(one_hot, LogisticRegression(max_iter=2000))


Note = Callable[[str, str, dict[str, float] | None], None]
ALL = ("c45", "cart", "quest", "hhcart", "ltu", "oc1", "lmdt")


def noise_levels(note: Note) -> None:
    clean, y = oblique(6000, 0)
    zips, _ = with_levels(1000)
    for method in ALL:
        make = METHODS[method].estimator
        note(method, "without the column", fit(make(), clean, y, accuracy=accuracy))
        note(method, "before", fit(make(**BEFORE), zips, y, accuracy=accuracy))
        note(method, "after", fit(make(), zips, y, accuracy=accuracy))
    note("logistic regression", "one-hot", fit(logistic(zips), zips, y, accuracy=accuracy))


def informative_missing(note: Note) -> None:
    X, y = with_informative_missing()
    for method in ALL:
        make = METHODS[method].estimator
        note(method, "before", fit(make(**BEFORE), X, y, accuracy=accuracy))
        note(method, "after", fit(make(), X, y, accuracy=accuracy))
    eight = DecisionTreeClassifier(max_leaf_nodes=8)
    note("scikit-learn's tree", "8 leaves", fit(eight, X, y, accuracy=accuracy))


def rare_class(note: Note) -> None:
    X, y = with_a_rare_class()
    scores = {"auc": auc, "log_loss": loss}
    for method in ("c45", "cart", "quest", "ltu", "oc1"):
        make = METHODS[method].estimator
        note(method, "before", fit(make(**BEFORE), X, y, **scores))
        note(method, "after", fit(make(), X, y, **scores))
        weighted = make(class_weight="balanced", min_samples_leaf=20, pruning=None)
        note(method, "balanced, leaves of 20", fit(weighted, X, y, **scores))
        large = make(min_samples_leaf=50, pruning=None)
        note(method, "leaves of 50", fit(large, X, y, **scores))
    note("logistic regression", "", fit(LogisticRegression(), X, y, **scores))
    note("share of the class", "", {"share": float((y == "yes").mean())})


CASES = {
    "1000 noise levels": noise_levels,
    "informative missing values": informative_missing,
    "rare class": rare_class,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--case", choices=CASES, help="only this one; the others stay as they are")
    chosen = parser.parse_args().case
    begun = environment()
    cells: list[dict[str, Any]] = []
    earlier = None
    if chosen is not None:
        old, earlier = read_results(RESULTS)
        cells = [cell for cell in old if cell["case"] != chosen]
    for case, run in CASES.items():
        if chosen not in (None, case):
            continue

        def note(
            method: str, setting: str, found: dict[str, float] | None, case: str = case
        ) -> None:
            cells.append({"case": case, "method": method, "setting": setting, **(found or {})})
            print(json.dumps(cells[-1]), flush=True)

        run(note)
    write_results(RESULTS, cells, begun, earlier)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main()
