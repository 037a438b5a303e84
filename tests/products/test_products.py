"""Products of features: every estimator x every kind of input x every operation.

A case succeeds and agrees with `predict`, or is refused in one clear sentence. The everyday suite
covers all pairs: every estimator with every input, every estimator with every operation, every
input with every operation. The slow suite runs all cases.
"""

from __future__ import annotations

import linecache
import re
import traceback
from collections.abc import Iterator
from pathlib import Path

import matplotlib
import matplotlib.pyplot as plt
import pytest
from products.operations import OPERATIONS, Case
from zoo import ESTIMATORS, TABLES, fitted, table

matplotlib.use("Agg")

REFUSALS = (TypeError, ValueError, FileNotFoundError, ImportError)
# What Python and NumPy say of an argument that nobody checked.
UNCHECKED = re.compile(
    r"broadcast|has no attribute|unhashable|not supported between|ambiguous|out of bounds|NoneType|"
    r"not (callable|iterable|subscriptable)|unexpected keyword|positional argument|std::|"
    r"could not convert|int\(\) argument|float\(\) argument|dimension"
)


def assert_clear(error: Exception) -> None:
    """Assert that an error is one sentence that aslant or scikit-learn says on purpose."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    lines = [linecache.getline(last.filename, n) for n in range(last.lineno - 8, last.lineno + 1)]
    on_purpose = "raise " in "".join(lines) and re.search("/(aslant|sklearn)/", last.filename)
    message = str(error)
    clear = isinstance(error, REFUSALS) and on_purpose and not UNCHECKED.search(message)
    if not (clear and message and "\n" not in message):
        raise error


def run(estimator: str, data: str, operations: list[str], folder: Path) -> list[str]:
    """Run operations on one fit, and return the operations that were refused."""
    try:
        model = fitted(estimator, data)
    except Exception as error:
        assert_clear(error)
        return ["fit"]
    refused = []
    for name in operations:
        try:
            OPERATIONS[name](Case(model, table(data), folder))
        except pytest.skip.Exception:
            continue
        except Exception as error:
            try:
                assert_clear(error)
            except Exception:
                error.add_note(f"{estimator} x {data} x {name}")
                raise
            refused.append(name)
        finally:
            plt.close("all")
    return refused


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


@pytest.mark.parametrize(("estimator", "data", "operations"), pairs())
def test_pairs(estimator: str, data: str, operations: list[str], tmp_path: Path) -> None:
    run(estimator, data, operations, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize(("estimator", "data", "operations"), products())
def test_products(estimator: str, data: str, operations: list[str], tmp_path: Path) -> None:
    run(estimator, data, operations, tmp_path)
