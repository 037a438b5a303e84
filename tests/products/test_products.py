"""Products of features: every estimator x every kind of input x every operation.

A case succeeds and agrees with `predict`, or is refused in one clear sentence. The everyday suite
covers all pairs: every estimator with every input, every estimator with every operation, every
input with every operation. The slow suite runs all cases.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import matplotlib
import matplotlib.pyplot as plt
import pytest
from products.operations import OPERATIONS, Case
from zoo import ESTIMATORS, TABLES, fitted, table

matplotlib.use("Agg")

ONE_TREE = r"shows one tree, and \w+ holds \d+: pass one of its estimators_\.$"
# The sentences that may refuse an operation. Everything else must succeed.
REFUSALS: dict[str, str] = {
    "fit": r"^Sparse data was passed for X, but \w+ with these parameters needs dense data\.",
    "cross_val_score": "looks like an identifier|greater than the number of samples",
    "export_text": ONE_TREE,
    "export_graphviz": ONE_TREE,
    "plot_tree": ONE_TREE,
    "report": ONE_TREE,
    "counterfactual": ONE_TREE,
    "export_pmml": "not votes|needs one output",
    "export_code sql": "names differ in more than case",
    "partitions": "must be an estimator of one tree|with partitions use|make it a categorical",
}


def attempt(operation: str, call: Callable[[], Any]) -> Any:
    """Return what a call returns, or None if it is refused in a sentence of `REFUSALS`."""
    try:
        return call()
    except pytest.skip.Exception:  # does not apply
        return None
    except (TypeError, ValueError, FileNotFoundError, ImportError) as error:
        expected = REFUSALS.get(operation)
        if expected and re.search(expected, str(error)) and "\n" not in str(error):
            return None
        error.add_note(f"in {operation}")
        raise
    finally:
        plt.close("all")


def run(estimator: str, data: str, operations: list[str], folder: Path) -> None:
    model = attempt("fit", lambda: fitted(estimator, data))
    if model is None:
        return
    case = Case(model, table(data), folder)
    for name in operations:
        attempt(name, lambda name=name: OPERATIONS[name](case))  # type: ignore[misc]


def pairs() -> Iterator[tuple[str, str, list[str]]]:
    """Yield an estimator, an input and operations: together they cover all pairs."""
    names = list(ESTIMATORS)
    for i, data in enumerate(TABLES):
        for k, estimator in enumerate(names):
            operations = [o for j, o in enumerate(OPERATIONS) if (i + j) % len(names) == k]
            yield estimator, data, operations


def products() -> Iterator[tuple[str, str, list[str]]]:
    for data in TABLES:
        for estimator in ESTIMATORS:
            yield estimator, data, list(OPERATIONS)


@pytest.mark.parametrize(("estimator", "data", "operations"), list(pairs()))
def test_pairs(estimator: str, data: str, operations: list[str], tmp_path: Path) -> None:
    run(estimator, data, operations, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize(("estimator", "data", "operations"), list(products()))
def test_products(estimator: str, data: str, operations: list[str], tmp_path: Path) -> None:
    run(estimator, data, operations, tmp_path)
