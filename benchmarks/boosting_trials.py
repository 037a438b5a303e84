"""Ideas for gradient boosting that were tried and whether they pay.

    python benchmarks/boosting_trials.py [--sets NAME ...]

Sets of two classes and of regression in the folder `suite` of ASLANT_DATA; at most 2,000 rows,
three folds, 100 rounds, one thread; figures are added to results/boosting_trials.json. All trials
share one plain loop over rounds, so differences are those of the idea.
"""

from __future__ import annotations

import argparse
import json
import os
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from blocks import markdown
from boosting import data_set, mean_and_error
from page_blocks import found, source
from provenance import environment, read_results, write_results
from scipy.special import expit
from sklearn.linear_model import LogisticRegression, RidgeCV
from sklearn.metrics import log_loss, r2_score
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from aslant import _core
from aslant.estimators.boosting.base import _tree_of
from aslant.tree.tree import Tree

RESULTS = Path(__file__).parent / "results" / "boosting_trials.json"
ROUNDS, RATE, MOST_ROWS, FOLDS = 100, 0.1, 2000, 3
Array = np.ndarray
Predictor = Callable[[Array], Array]


class Rounds:
    """Boosting round by round: subclasses change the columns, the start or the leaves."""

    def __init__(self, classes: bool, seed: int = 0) -> None:
        self.classes, self.seed = classes, seed

    def fit(self, X: Array, y: Array) -> Rounds:
        y = y.astype(float)
        name = "log_loss" if self.classes else "squared_error"
        loss = _core.BoostingLoss(name, 0.5, 1, y, None)
        start = self.start(X, y, loss.baseline()[0])
        raw, self.stages = start(X), [start]
        for i in range(ROUNDS):
            rng = np.random.default_rng([self.seed, i])
            p = 1 / (1 + np.exp(-raw))
            gradient, hessian = (p - y, p * (1 - p)) if self.classes else (raw - y, np.ones(len(y)))
            columns = self.columns(X, gradient, hessian, rng)
            stage = self.stage(columns, loss, X, raw, gradient, hessian, i)
            raw = raw + stage(X)
            self.stages.append(stage)
        return self

    def predict(self, X: Array) -> Array:
        return sum(stage(X) for stage in self.stages)

    def start(self, X: Array, y: Array, baseline: float) -> Predictor:
        return lambda X: np.full(len(X), baseline)

    def columns(self, X: Array, g: Array, h: Array, rng: np.random.Generator) -> Predictor:
        return lambda X: X

    def stage(
        self,
        columns: Predictor,
        loss: _core.BoostingLoss,
        X: Array,
        raw: Array,
        g: Array,
        h: Array,
        i: int,
    ) -> Predictor:
        tree = _tree_of(self.grow(columns(X), loss, raw, i))
        values = self.leaves(tree, X, tree.apply(columns(X)), g, h)
        return lambda X: values(X, tree.apply(columns(X)))

    def grow(self, X: Array, loss: _core.BoostingLoss, raw: Array, i: int) -> Any:
        n = X.shape[1]
        numbers = np.arange(n, dtype=np.int32), np.full(n, -1, dtype=np.int32)
        binned = _core.BinnedFeatures(np.ascontiguousarray(X), *numbers, None, 255, self.seed, 1)
        eligible = sum(binned.feature(j)["in_directions"] for j in range(n))
        drawn = min(eligible, max(2, round(2 * eligible**0.5)))
        boosting = _core.Boosting(
            binned=binned,
            loss=loss,
            raw=raw[None].copy(),
            learning_rate=RATE,
            max_leaf_nodes=31,
            max_depth=-1,
            min_samples_leaf=20,
            l2_regularization=1.0,
            max_features=1.0,
            monotonic=[0] * n,
            interaction_groups=[],
            n_drawn=drawn,
            max_features_per_test=drawn,
            oblique_min_rows=100,
        )
        (arrays,) = boosting.grow(1000 * self.seed + i, 1)
        return arrays

    def leaves(
        self, tree: Tree, X: Array, leaf: Array, g: Array, h: Array
    ) -> Callable[[Array, Array], Array]:
        return lambda X, leaf: tree.value[leaf, 0]


class ExtraColumn(Rounds):
    """One more column in each round: the ridge direction of a random third of the features."""

    def columns(self, X: Array, g: Array, h: Array, rng: np.random.Generator) -> Predictor:
        chosen = rng.choice(X.shape[1], max(2, X.shape[1] // 3), replace=False)
        chosen = chosen[X[:, chosen].std(axis=0) > 0]
        mean, scale = X[:, chosen].mean(axis=0), X[:, chosen].std(axis=0)
        Z = (X[:, chosen] - mean) / scale
        Z = Z - (h @ Z) / h.sum()
        A = Z.T @ (h[:, None] * Z)
        w = np.linalg.solve(A + np.diag(0.01 * np.diag(A) + 1e-9), -Z.T @ g) / scale
        return lambda X: np.column_stack([X, X[:, chosen] @ w])


class FirstStage(Rounds):
    """A linear model comes first."""

    def start(self, X: Array, y: Array, baseline: float) -> Predictor:
        linear = (
            LogisticRegression(max_iter=200) if self.classes else RidgeCV(np.logspace(-3, 3, 7))
        )
        model = make_pipeline(StandardScaler(), linear).fit(X, y)
        return model.decision_function if self.classes else model.predict


class LinearLeaves(Rounds):
    """In each leaf a ridge regression of the Newton steps on the features tested above it."""

    def leaves(
        self, tree: Tree, X: Array, leaf: Array, g: Array, h: Array
    ) -> Callable[[Array, Array], Array]:
        low, high = X.min(axis=0), X.max(axis=0)
        mean, scale = X.mean(axis=0), X.std(axis=0) + 1e-12
        coef, constant = np.zeros((len(tree.value), X.shape[1])), tree.value[:, 0].copy()
        for number, features in tested_above(tree).items():
            rows = np.flatnonzero(leaf == number)
            if len(rows) < 5 * (len(features) + 1):
                continue
            Z, weight = (X[np.ix_(rows, features)] - mean[features]) / scale[features], h[rows]
            center = weight @ Z / weight.sum()
            Z = Z - center
            A = Z.T @ (weight[:, None] * Z)
            penalty = np.diag(A) + 0.1 * weight.sum()
            w = RATE * np.linalg.solve(A + np.diag(penalty), -Z.T @ g[rows])
            coef[number, features] = w / scale[features]
            constant[number] -= w @ (center + mean[features] / scale[features])

        def values(X: Array, leaf: Array) -> Array:
            inside = np.clip(X, low, high)
            return constant[leaf] + np.einsum("ij,ij->i", inside, coef[leaf])

        return values


def tested_above(tree: Tree) -> dict[int, list[int]]:
    """Return the features tested above each leaf."""
    above: dict[int, list[int]] = {}

    def visit(node: int, features: set[int]) -> None:
        if tree.children[node, 0] < 0:
            if features:
                above[node] = sorted(features)
            return
        tested = np.flatnonzero(tree.split(node).coef)
        for child in tree.children[node]:
            visit(int(child), features | set(map(int, tested)))

    visit(0, set())
    return above


class SoftStages(Rounds):
    """Sigmoids instead of tests, and the values of all leaves fitted together.

    A sigmoid is as wide as a fifth of the deviation of what its node tests.
    """

    WIDTH, PENALTY = 0.2, 1.0

    def stage(
        self,
        columns: Predictor,
        loss: _core.BoostingLoss,
        X: Array,
        raw: Array,
        g: Array,
        h: Array,
        i: int,
    ) -> Predictor:
        tree = _tree_of(self.grow(X, loss, raw, i))
        width = np.zeros(tree.n_nodes)
        for node, rows in rows_by_node(tree, X).items():
            test = tree.split(node)
            width[node] = self.WIDTH * max(np.std(X[rows] @ test.coef), 1e-12)
        shares = leaf_shares(tree, X, width)
        A = shares.T @ (h[:, None] * shares) + self.PENALTY * np.eye(shares.shape[1])
        value = -RATE * np.linalg.solve(A, shares.T @ g)
        return lambda X: leaf_shares(tree, X, width) @ value


def rows_by_node(tree: Tree, X: Array) -> dict[int, Array]:
    """Return the rows that reach each test."""
    reached: dict[int, Array] = {}

    def visit(node: int, rows: Array) -> None:
        if tree.children[node, 0] < 0:
            return
        reached[node] = rows
        test = tree.split(node)
        left = X[rows] @ test.coef <= test.threshold
        visit(int(tree.children[node, 0]), rows[left])
        visit(int(tree.children[node, 1]), rows[~left])

    visit(0, np.arange(len(X)))
    return reached


def leaf_shares(tree: Tree, X: Array, width: Array) -> Array:
    """Return how much of each row is in each leaf."""
    shares: list[Array] = []

    def visit(node: int, share: Array) -> None:
        if tree.children[node, 0] < 0:
            shares.append(share)
            return
        test = tree.split(node)
        left = expit((test.threshold - X @ test.coef) / width[node])
        visit(int(tree.children[node, 0]), share * left)
        visit(int(tree.children[node, 1]), share * (1.0 - left))

    visit(0, np.ones(len(X)))
    return np.column_stack(shares)


class OrderedTargets(Rounds):
    """Columns of 3 to 50 integers are also target-encoded as in CatBoost.

    A training row is encoded by the rows before it in a random order.
    """

    PRIOR = 1.0

    def fit(self, X: Array, y: Array) -> OrderedTargets:
        coded = [np.unique(x).size for x in X.T]
        self.codes = [
            j for j, n in enumerate(coded) if 3 <= n <= 50 and (X[:, j] == np.round(X[:, j])).all()
        ]
        order = np.random.default_rng(self.seed).permutation(len(y))
        self.mean = float(y.mean())
        new = [self.ordered(X[order, j], y[order])[np.argsort(order)] for j in self.codes]
        self.sums = [
            {
                level: (float(y[X[:, j] == level].sum()), int(np.sum(X[:, j] == level)))
                for level in np.unique(X[:, j])
            }
            for j in self.codes
        ]
        super().fit(np.column_stack([X, *new]), y)
        return self

    def ordered(self, levels: Array, y: Array) -> Array:
        encoded = np.empty(len(y))
        for level in np.unique(levels):
            rows = np.flatnonzero(levels == level)
            before = np.concatenate([[0.0], np.cumsum(y[rows])[:-1]])
            encoded[rows] = (before + self.PRIOR * self.mean) / (np.arange(len(rows)) + self.PRIOR)
        return encoded

    def predict(self, X: Array) -> Array:
        new = []
        for j, sums in zip(self.codes, self.sums, strict=True):
            known = np.array([sums.get(level, (0.0, 0)) for level in X[:, j]])
            new.append((known[:, 0] + self.PRIOR * self.mean) / (known[:, 1] + self.PRIOR))
        return super().predict(np.column_stack([X, *new]))


class FiveSeeds:
    """The mean of five models."""

    def __init__(self, classes: bool) -> None:
        self.models = [Rounds(classes, seed) for seed in range(5)]

    def fit(self, X: Array, y: Array) -> FiveSeeds:
        for model in self.models:
            model.fit(X, y)
        return self

    def predict(self, X: Array) -> Array:
        return np.mean([model.predict(X) for model in self.models], axis=0)


TRIALS: dict[str, Callable[[bool], Any]] = {
    "as built": Rounds,
    "extra column": ExtraColumn,
    "linear first stage": FirstStage,
    "linear leaves": LinearLeaves,
    "soft stages": SoftStages,
    "ordered target encoding": OrderedTargets,
    "mean of five seeds": FiveSeeds,
}


def scores(name: str, classes: bool) -> dict[str, dict[str, float]]:
    X, y = data_set(name)
    X, y = X[:MOST_ROWS], y[:MOST_ROWS]
    if classes:
        y = (y == np.unique(y)[1]).astype(int)
    division = (StratifiedKFold if classes else KFold)(FOLDS, shuffle=True, random_state=0)
    figures: dict[str, list[list[float]]] = {trial: [] for trial in TRIALS}
    for train, test in division.split(X, y):
        for trial, make in TRIALS.items():
            begin = time.process_time()
            raw = make(classes).fit(X[train], y[train]).predict(X[test])
            seconds = time.process_time() - begin
            if classes:
                p = np.clip(1 / (1 + np.exp(-raw)), 1e-6, 1 - 1e-6)
                quality = [100.0 * np.mean((raw > 0) == y[test]), log_loss(y[test], p)]
            else:
                quality = [100.0 * r2_score(y[test], raw)]
            figures[trial].append([seconds, *map(float, quality)])
    names = ["seconds", "accuracy", "log_loss"] if classes else ["seconds", "r2"]
    return {
        trial: dict(zip(names, np.mean(folds, axis=0).tolist(), strict=True))
        for trial, folds in figures.items()
    }


def run(sets: list[str]) -> None:
    begun, known = environment(), read_results(RESULTS)[0] if RESULTS.exists() else {}
    index = json.loads((Path(os.environ["ASLANT_DATA"]) / "suite" / "index.json").read_text())
    for entry in sorted(index, key=lambda e: min(e["rows"], MOST_ROWS) * e["features"]):
        name, classes = entry["name"], entry["task"] == "classification"
        asked = name in sets if sets else name not in known
        if not asked or (classes and entry.get("classes") != 2):
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            known[name] = scores(name, classes)
        write_results(RESULTS, known, begun)
        print(name, flush=True)


def differences(known: dict[str, Any], trial: str, measure: str) -> list[float]:
    rows = [row for row in known.values() if measure in row[trial]]
    return [row[trial][measure] - row["as built"][measure] for row in rows]


def table() -> str:
    """Return the table of docs/algorithms/boosting.md."""
    known = found("boosting_trials")
    n_classes = sum("accuracy" in row["as built"] for row in known.values())
    rows = []
    for trial in list(TRIALS)[1:]:
        times = [row[trial]["seconds"] / row["as built"]["seconds"] for row in known.values()]
        figures = [
            mean_and_error(differences(known, trial, measure), digits)
            for measure, digits in (("accuracy", 2), ("log_loss", 3), ("r2", 2))
        ]
        gains = [
            row[trial]["r2"] - row["as built"]["r2"] for row in known.values() if "r2" in row[trial]
        ]
        wins = f"{np.median(gains):+.2f}; {sum(g > 0 for g in gains)} : {sum(g < 0 for g in gains)}"
        rows.append([trial, *figures, wins, f"{np.median(times):.1f}"])
    header = ["trial", "accuracy", "log-loss", "R2", "R2, median; better : worse", "time"]
    return (
        f"Differences to what is built, means ± standard errors over {n_classes} sets of two "
        f"classes and {len(known) - n_classes} of regression.\n\n"
        + markdown(header, rows)
        + source("boosting_trials.json", "python benchmarks/boosting_trials.py")
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--sets", nargs="+", default=[])
    run(parser.parse_args().sets)


if __name__ == "__main__":
    main()
