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
from products.operations import OPERATIONS, VIEWS, Case
from zoo import ESTIMATORS, TABLES, fitted, random_model, table

matplotlib.use("Agg")

ONE_TREE = r"shows one tree, and \w+ holds \d+: pass one of its estimators_\.$"
# The sentences that may refuse an operation. Everything else must succeed.
REFUSALS: dict[str, str] = {
    "fit": r"^Sparse data was passed for X, but \w+ with these parameters needs dense data\.",
    "cross_val_score": "looks like an identifier|greater than the number of samples",
    "export_text": ONE_TREE,
    "export_graphviz": ONE_TREE,
    "plot_tree": ONE_TREE,
    "counterfactual": ONE_TREE,
    "export_pmml": "not votes|needs one output",
    "export_code sql": "names differ in more than case",
    "export_code sqlite": "names differ in more than case",
    "export_code excel": "Excel needs a single tree|printable characters",
    "export_treelite": "export_treelite needs (hard|constant|one|features|tests)",
    "reasons": "needs a model of one tree|printable characters|needs one output",
    "intervals": "printable characters",
    "partitions": "an estimator of one tree|with partitions (use|a test is)|make it a categorical",
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
    run_all(Case(model, table(data), folder), operations)


def run_all(case: Case, operations: list[str]) -> None:
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


@pytest.mark.parametrize(
    "seed", [*range(20), *(pytest.param(k, marks=pytest.mark.slow) for k in range(20, 300))]
)
def test_every_view_of_a_random_model_agrees_with_its_predictions(
    seed: int, tmp_path: Path
) -> None:
    """Text, rules, code in every language, ONNX, PMML and a sheet, on rows that are new.

    Texts are written with all digits, dates to the minute. Code agrees within 1e-9 of the largest
    output, a sheet, which has 15 digits, too.
    """
    model, given, asked = random_model(seed)
    run_all(Case(model, given, tmp_path, asked), VIEWS)


@pytest.mark.slow
@pytest.mark.parametrize(("estimator", "data", "operations"), list(products()))
def test_products(estimator: str, data: str, operations: list[str], tmp_path: Path) -> None:
    run(estimator, data, operations, tmp_path)
