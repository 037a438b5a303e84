"""Categories of many levels: read by their levels, merged, or by the shares of the classes.

    python benchmarks/categories.py [--quick]

Three-fold cross-validation of several methods on tables with many levels, made-up and real
(``ASLANT_DATA`` names the folder of the real ones); writes ``results/categories.json``. Every
figure of docs/guide/your-data.md is from there. Times are ratios to reading the levels themselves.
"""

from __future__ import annotations

import argparse
import json
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from aslant_papers.datasets import load_dataset
from provenance import environment, write_results
from sklearn.model_selection import StratifiedKFold

from aslant.datasets import DatasetError
from aslant.encoding import target_encoding
from aslant.estimators.methods import METHODS

RESULTS = Path(__file__).parent / "results" / "categories.json"
METHODS_TRIED = ("cart", "c45", "quest", "ltu", "oc1")
ENCODINGS: dict[str, dict[str, Any]] = {
    "levels": {"max_levels": None},
    "min_frequency=5": {"max_levels": None, "min_frequency": 5},
    "min_frequency=20": {"max_levels": None, "min_frequency": 20},
    "merge to 30": {"max_levels": 30, "high_cardinality": "merge"},
    "shares above 30": {"max_levels": 30, "high_cardinality": "target"},
    "shares above 10": {"max_levels": 10, "high_cardinality": "target"},
    "coordinate above 30": {"coordinate": 30},
}
SECONDS_PER_FIT = 60.0
"""A fit that takes longer is given up, and its cell is empty."""


class TooSlowError(Exception):
    """The time for a fit is over."""


def made_up(n_rows: int, n_levels: int, n_classes: int, effect: float, seed: int) -> Any:
    """Return rows with three numbers and a category of many levels, whose effect is normal."""
    rng = np.random.default_rng(seed)
    level = rng.integers(n_levels, size=n_rows)
    numbers = rng.normal(size=(n_rows, 3))
    slopes = rng.normal(size=(3, n_classes))
    utility = 1.5 * numbers @ slopes + effect * rng.normal(size=(n_levels, n_classes))[level]
    y = (utility + rng.gumbel(size=utility.shape)).argmax(axis=1)
    X = pd.DataFrame(numbers, columns=["a", "b", "c"])
    X["zip"] = [f"z{one:03}" for one in level]
    return X, np.array([f"class {k}" for k in y])


def tables(quick: bool) -> dict[str, Any]:
    n_rows = 1000 if quick else 3000
    found = {
        "900 levels that matter": made_up(n_rows, 900, 2, 2.0, 0),
        "900 levels of noise": made_up(n_rows, 900, 2, 0.0, 1),
        "300 levels that matter, 4 classes": made_up(n_rows, 300, 4, 2.0, 2),
        "100 levels that matter": made_up(n_rows, 100, 2, 2.0, 3),
    }
    for name in ("adult", "bank_marketing", "credit_approval"):
        try:
            bunch = load_dataset(name)
        except DatasetError:
            continue
        rows = np.random.default_rng(0).permutation(len(bunch.target))[:n_rows]
        found[name] = bunch.data.iloc[rows].reset_index(drop=True), np.asarray(bunch.target)[rows]
    return found


def with_coordinate(train: Any, y: Any, test: Any, most: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Replace categories of many levels by one number: the first discriminant coordinate.

    Of indicators this is the direction along which the classes' shares of levels differ most.
    """
    train, test = train.copy(), test.copy()
    _, codes = np.unique(y, return_inverse=True)
    for name in train.columns:
        column = train[name].astype(object)
        if not column.map(lambda v: isinstance(v, str)).any() or column.nunique() <= most:
            continue
        levels = {level: code for code, level in enumerate(sorted(column.dropna().unique()))}
        shape = len(levels), int(codes.max()) + 1
        code = column.map(levels).to_numpy(np.float64)
        code_test = test[name].astype(object).map(levels).to_numpy(np.float64)
        code_test = np.where(test[name].notna() & np.isnan(code_test), -1.0, code_test)
        weight = np.ones(len(code))
        learned = target_encoding.class_shares(code, codes, weight, shape)
        fold = target_encoding.deal_into_folds(code[:, np.newaxis], codes)
        out = target_encoding.out_of_fold_shares(code, codes, weight, shape, fold)
        rows = np.bincount(code[code >= 0].astype(int), minlength=shape[0])
        centred = (learned[:-1] - learned[-1]) * np.sqrt(rows)[:, np.newaxis]
        direction = np.linalg.svd(centred / np.sqrt(learned[-1]), full_matrices=False)[2][0]
        direction = direction / np.sqrt(learned[-1])
        train[name] = out @ direction
        test[name] = target_encoding.looked_up(learned, code_test) @ direction
    return train, test


def fitted(method: str, options: dict[str, Any], train: Any, y: Any, test: Any) -> Any:
    """Return the estimator fitted to a fold, the test rows as it wants them, and its CPU time."""

    def watch(done: int, rows: int) -> None:
        if time.process_time() - began > SECONDS_PER_FIT:
            raise TooSlowError

    # As they were when this was measured; neither has to do with levels.
    options = {"missing": "node_mean", "smoothing": 2.0, **options}
    began = time.process_time()
    if "coordinate" in options:
        train, test = with_coordinate(train, y, test, options.pop("coordinate"))
        options["max_levels"] = None
    model = METHODS[method].estimator(**options, verbose=watch)
    if "random_state" in model.get_params():
        model.set_params(random_state=0)
    model.fit(train, y)
    return model, test, time.process_time() - began


def measure(X: Any, y: Any, method: str, options: dict[str, Any]) -> dict[str, float] | None:
    """Return accuracy, log-loss, leaves and time; None if a fit takes too long."""
    results = []
    for train, test in StratifiedKFold(3, shuffle=True, random_state=0).split(X, y):
        try:
            rows, asked = X.iloc[train], X.iloc[test]
            model, asked, seconds = fitted(method, options, rows, y[train], asked)
        except TooSlowError:
            return None
        proba = model.predict_proba(asked)
        true = proba[np.arange(len(test)), np.searchsorted(model.classes_, y[test])]
        log_loss = -np.log(np.maximum(true, 1e-15)).mean()
        results.append((model.score(asked, y[test]), log_loss, model.get_n_leaves(), seconds))
    names = ("accuracy", "log_loss", "leaves", "seconds")
    return dict(zip(names, np.mean(results, axis=0).tolist(), strict=True))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a third of the rows")
    quick = parser.parse_args().quick
    begun = environment()
    cells = []
    for table, (X, y) in tables(quick).items():
        for method in METHODS_TRIED:
            unit = None
            for encoding, options in ENCODINGS.items():
                found = measure(X, y, method, options)
                if encoding == "levels" and found is not None:
                    unit = found["seconds"]
                if found is not None:
                    seconds = found.pop("seconds")
                    found["time"] = None if unit is None else seconds / unit
                cells.append(
                    {"table": table, "method": method, "encoding": encoding, **(found or {})}
                )
                print(json.dumps(cells[-1]), flush=True)
    write_results(RESULTS, cells, begun)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main()
