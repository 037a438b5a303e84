"""Training data of all sorts, good and bad, drawn by a seeded generator."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from scipy.sparse import csr_matrix

Generator = np.random.Generator

EXTREMES = [1e308, -1e308, 1e300, 5e-324, 1e-310, -1e-300, 2.0**53, 1e16, 0.0, -0.0]
DTYPES = [
    "float64",
    "float32",
    "float16",
    "int64",
    "int32",
    "int8",
    "uint8",
    "uint64",
    "bool",
    ">f8",
]


def pick(rng: Generator, values: Any) -> Any:
    """Return one of the values as it is, not as NumPy would make it."""
    return values[int(rng.integers(len(values)))]


def mostly_good(rng: Generator, good: Any, bad: Any) -> Any:
    """Return one of the good values, now and then one of the bad ones."""
    return pick(rng, bad if rng.random() < 0.05 else good)


def numbers(rng: Generator, n: int, d: int) -> np.ndarray:
    """Return a matrix of numbers of one kind."""
    kind = pick(
        rng, ["normal"] * 4 + ["few", "constant", "copies", "scales", "extreme", "integers"]
    )
    X = rng.normal(size=(n, d))
    if kind == "few":
        X = rng.integers(0, 3, (n, d)).astype(float)
    elif kind == "constant":
        X[:, int(rng.integers(d)) :] = 3.5
    elif kind == "copies":
        X = X[rng.integers(0, max(1, n // 4), n)]
    elif kind == "scales":
        X = X * 10.0 ** rng.integers(-150, 150, d)
    elif kind == "extreme":
        at = rng.random((n, d)) < 0.2
        X[at] = rng.choice(EXTREMES, at.sum())
    elif kind == "integers":
        X = rng.integers(-50, 50, (n, d)).astype(float)
    return X


def matrix(rng: Generator, X: np.ndarray) -> Any:
    """Return the numbers with another type, layout or container, or with holes."""
    if rng.random() < 0.25:
        X = np.where(rng.random(X.shape) < pick(rng, [0.1, 0.5, 0.95]), np.nan, X)
    form = mostly_good(rng, ["as it is"] * 4 + ["dtype"] * 3 + GOOD_FORMS, BAD_FORMS)
    if form == "dtype":
        with np.errstate(all="ignore"):
            return np.nan_to_num(X, posinf=100.0, neginf=-100.0).astype(pick(rng, DTYPES))
    return _in_form(rng, X, form)


GOOD_FORMS = ["fortran", "strided", "backwards", "read-only", "list", "objects", "frame"]
BAD_FORMS = [
    "masked",
    "sparse",
    "flat",
    "infinite",
    "cube",
    "text numbers",
    "no rows",
    "no columns",
]


def _in_form(rng: Generator, X: np.ndarray, form: str) -> Any:
    if form == "read-only":
        X.flags.writeable = False
    if form == "infinite":
        X[int(rng.integers(len(X))), int(rng.integers(X.shape[1]))] = pick(rng, [np.inf, -np.inf])
    made: dict[str, Any] = {
        "fortran": lambda: np.asfortranarray(X),
        "strided": lambda: np.repeat(np.repeat(X, 2, axis=1), 3, axis=0)[::3, ::2],
        "backwards": lambda: X[::-1, ::-1],
        "list": lambda: X.tolist(),
        "objects": lambda: X.astype(object),
        "masked": lambda: np.ma.masked_array(X, mask=np.isnan(X)),
        "frame": lambda: pd.DataFrame(X, columns=[f"column {j}" for j in range(X.shape[1])]),
        "sparse": lambda: csr_matrix(np.nan_to_num(X)),
        "flat": lambda: X.ravel(),
        "cube": lambda: X[np.newaxis],
        "text numbers": lambda: X.astype(str),
        "no rows": lambda: X[:0],
        "no columns": lambda: X[:, :0],
    }
    return made[form]() if form in made else X


def frame(rng: Generator, n: int, d: int) -> pd.DataFrame:
    """Return a data frame of columns of different kinds."""
    return pd.DataFrame({f"f{j}": _column(rng, n) for j in range(d)})


def _column(rng: Generator, n: int) -> Any:
    good = ["number", "category", "text", "truth", "whole", "date", "mixed", "many"]
    kind = mostly_good(rng, good, ["empty", "identifier"])
    levels = np.array([f"level {k}" for k in range(int(rng.integers(1, 8)))], dtype=object)
    holes = rng.random(n) < pick(rng, [0.0, 0.0, 0.2])
    if kind == "number":
        return np.where(holes, np.nan, rng.normal(size=n))
    if kind == "category":
        return pd.Categorical(np.where(holes, None, rng.choice(levels, n)))
    if kind == "text":
        return np.where(holes, None, rng.choice(levels, n))
    if kind == "truth":
        return rng.random(n) < 0.5
    if kind == "whole":
        return pd.array(np.where(holes, None, rng.integers(-5, 5, n)), dtype="Int64")
    if kind == "date":
        days = pd.to_datetime("2020-01-01") + pd.to_timedelta(rng.integers(0, 900, n), unit="D")
        return pd.Series(days).where(~holes)
    if kind == "mixed":
        column = np.empty(n, dtype=object)
        column[:] = [pick(rng, [1, 2.5, "a", None, True]) for _ in range(n)]
        return column
    if kind == "many":
        return np.array([f"m{k}" for k in rng.integers(0, 40, n)], dtype=object)
    if kind == "identifier":
        return np.array([f"id {k}" for k in range(n)], dtype=object)
    return np.full(n, np.nan)


def classes(rng: Generator, n: int, signal: np.ndarray) -> Any:
    """Return class labels of some type, related to the signal or not."""
    n_classes = int(pick(rng, [1, 2, 2, 3, 3, 5, 12]))
    codes = rng.integers(0, n_classes, n)
    if rng.random() < 0.7 and n_classes > 1:
        cuts = np.quantile(signal, np.linspace(0.0, 1.0, n_classes + 1)[1:-1]) if n else []
        codes = np.digitize(signal, cuts)
    made: dict[str, Any] = {
        "codes": lambda: codes,
        "text": lambda: np.array([f"class {k}" for k in codes]),
        "object": lambda: np.array([f"class {k}" for k in codes], dtype=object),
        "float": lambda: codes.astype(float),
        "truth": lambda: codes > 0,
        "negative": lambda: codes - 7,
        "list": lambda: codes.tolist(),
        "column": lambda: codes[:, np.newaxis],
        "series": lambda: pd.Series(codes, dtype="category"),
        "missing": lambda: np.where(codes == 0, np.nan, codes),
        "real": lambda: signal,
        "short": lambda: codes[:-1],
        "nested": lambda: np.column_stack([codes, codes]),
        "none": lambda: None,
    }
    bad = ["missing", "real", "short", "nested", "none"]
    good = ["codes"] * 4 + [form for form in made if form not in bad]
    return made[mostly_good(rng, good, bad)]()


def targets(rng: Generator, n: int, signal: np.ndarray) -> Any:
    """Return numbers to predict."""
    y = signal + 0.1 * rng.normal(size=n)
    made: dict[str, Any] = {
        "plain": lambda: y,
        "counts": lambda: rng.poisson(2.0, n),
        "constant": lambda: np.full(n, 2.5),
        "several": lambda: np.column_stack([y, -y, signal]),
        "huge": lambda: y * 1e300,
        "tiny": lambda: y * 1e-300,
        "list": lambda: y.tolist(),
        "float32": lambda: y.astype(np.float32),
        "whole": lambda: np.round(10 * y).astype(int),
        "missing": lambda: np.where(np.arange(n) == 0, np.nan, y),
        "infinite": lambda: np.where(np.arange(n) == 0, np.inf, y),
        "text": lambda: y.astype(str),
        "short": lambda: y[:-1],
        "offset": lambda: y + 1e9,
    }
    bad = ["missing", "infinite", "text", "short"]
    good = ["plain"] * 4 + [form for form in made if form not in bad]
    return made[mostly_good(rng, good, bad)]()


def weights(rng: Generator, n: int) -> Any:
    """Return weights of rows."""
    plain = rng.random(n)
    made: dict[str, Any] = {
        "none": lambda: None,
        "plain": lambda: plain,
        "whole": lambda: rng.integers(0, 4, n),
        "some zero": lambda: plain * (rng.random(n) < 0.5),
        "all zero": lambda: np.zeros(n),
        "scales": lambda: 10.0 ** rng.integers(-60, 60, n),
        "small": lambda: plain * 1e-30,
        "negative": lambda: plain - 0.5,
        "missing": lambda: np.where(plain < 0.2, np.nan, plain),
        "one": lambda: 2.0,
        "short": lambda: plain[:-1],
        "list": lambda: plain.tolist(),
    }
    bad = ["all zero", "negative", "missing", "short"]
    good = ["none"] * 8 + [form for form in made if form not in bad]
    return made[mostly_good(rng, good, bad)]()
