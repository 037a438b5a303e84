"""Speed of threshold units and linear machines beside scikit-learn's tree, as ratios from one run.

    python benchmarks/multivariate.py [--quick] [--out benchmarks/results/multivariate.json]

Every ratio is the median over repeats in which both sides ran one after the other; times are CPU
times of one thread. The cost of elimination by search (SBE) over elimination by dispersion (DSBE)
is that of least squares on data of Cleveland's shape (the real set where ASLANT_DATA is set).
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from aslant_papers.datasets import load_dataset
from engine import ratio, run_as_program
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.tree import DecisionTreeClassifier

from aslant import LMDTClassifier, LTUTreeClassifier

TREES = {
    "least squares": (LTUTreeClassifier(random_state=0), 10.0),
    "least squares + DSBE": (LTUTreeClassifier(selection="dsbe", random_state=0), 10.0),
    "thermal training": (LTUTreeClassifier(learner="thermal", random_state=0), 10.0),
    "Pocket": (LTUTreeClassifier(learner="pocket", random_state=0), 10.0),
}


def trees(n_rows: int, repeats: int) -> list[dict[str, Any]]:
    """Compare trees of two classes and 20 features with scikit-learn's."""
    X, y = make_classification(n_rows, 20, n_informative=10, random_state=0)
    cart = DecisionTreeClassifier(random_state=0)
    return [
        {
            "what": f"{name}, {n_rows:,} x 20",
            "ratio": ratio(lambda: tree.fit(X, y), lambda: cart.fit(X, y), repeats),  # noqa: B023
            "target": target,
        }
        for name, (tree, target) in TREES.items()
    ]


def cleveland() -> tuple[Any, Any, Any]:
    """Return Cleveland's rows, or as many of the same width."""
    if os.environ.get("ASLANT_DATA"):
        bunch = load_dataset("cleveland_heart")
        return bunch.data, bunch.target, bunch.categorical
    X, y = make_classification(303, 25, n_informative=8, random_state=0)
    return X, y, np.zeros(25, dtype=bool)


def eliminations(repeats: int) -> list[dict[str, Any]]:
    """Compare elimination by search with elimination by dispersion."""
    X, y, categorical = cleveland()
    rows = []
    for name, tree, target in (
        ("least squares", LTUTreeClassifier(), 3.0),
        ("thermal linear machine", LMDTClassifier(), None),
    ):
        settings = {"categorical_features": categorical, "random_state": 0}
        sbe = clone(tree).set_params(selection="sbe", **settings)
        dsbe = clone(tree).set_params(selection="dsbe", **settings)
        both = ratio(lambda: sbe.fit(X, y), lambda: dsbe.fit(X, y), repeats)  # noqa: B023
        rows.append({"what": f"SBE / DSBE, {name}, Cleveland", "ratio": both, "target": target})
    return rows


def measure(quick: bool) -> list[dict[str, Any]]:
    return [
        *eliminations(3 if quick else 15),
        *trees(10_000 if quick else 100_000, 1 if quick else 3),
    ]


if __name__ == "__main__":
    run_as_program(__doc__, "multivariate", measure)
