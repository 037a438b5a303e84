"""Malformed arguments end in an exception with a sentence, never in a wrong answer or a crash."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from processes import check_in_process

from aslant import _core

REFUSED = (ValueError, TypeError)
NUMBERS = np.array([-1.0, 0.5, 2.0, 3.0])
CLASSES = np.array([0, 1, 0, 1], dtype=np.int32)
GOOD = {
    "u": NUMBERS,
    "V": NUMBERS,
    "R": np.array([1.0, -1.0, 2.0, 0.0]),
    "y": CLASSES,
    "n_classes": 2,
    "criterion": "gini",
    "weight": np.ones(4),
}


def with_entry(array: np.ndarray, value: float) -> np.ndarray:
    """Return a copy whose second entry is replaced."""
    changed = array.copy()
    changed[1] = value
    return changed


BAD_VECTORS = {
    "too short": NUMBERS[:3],
    "too long": np.arange(5.0),
    "empty": np.empty(0),
    "matrix": np.ones((4, 1)),
    "scalar": 1.0,
    "text": np.array(["a", "b", "c", "d"]),
    "objects": np.array([object()] * 4),
    "complex": np.ones(4) * 1j,
    "missing": None,
    "NaN": with_entry(NUMBERS, np.nan),
    "infinite": with_entry(NUMBERS, np.inf),
}
BAD_CLASSES = {
    "too short": CLASSES[:3],
    "too long": np.zeros(5, np.int32),
    "empty": np.empty(0, np.int32),
    "matrix": np.zeros((4, 1), np.int32),
    "negative": with_entry(CLASSES, -1),
    "too large": with_entry(CLASSES, 2),
    "far too large": with_entry(CLASSES, np.iinfo(np.int32).max),
    "fractional": np.array([0.0, 0.5, 1.0, 1.0]),
    "wraps around in 32 bits": np.array([0, 2**32, 0, 1]),
    "text": np.array(["0", "1", "0", "x"]),
    "missing": None,
}
BAD_WEIGHTS = {
    "too short": np.ones(3),
    "too long": np.ones(5),
    "empty": np.empty(0),
    "matrix": np.ones((4, 1)),
    "negative": with_entry(np.ones(4), -1.0),
    "zero": with_entry(np.ones(4), 0.0),
    "NaN": with_entry(np.ones(4), np.nan),
    "infinite": with_entry(np.ones(4), np.inf),
    "text": np.array(["a", "b", "c", "d"]),
}
BAD_OPTIONS: dict[str, list[Any]] = {
    "n_classes": [0, -1, 1.5, "2", None],
    "criterion": ["ginni", "", "GINI", None, 3],
    "min_weight": [np.nan, "1"],
    "min_rows": [1.5, "1", None],
    "tie_tolerance": [np.nan, "0"],
}


def call(kernel: str, **changes: Any) -> object:
    names = ["u"] if kernel == "best_threshold" else ["V", "R"]
    arguments = {name: GOOD[name] for name in [*names, "y", "n_classes", "criterion", "weight"]}
    return getattr(_core, kernel)(**{**arguments, **changes})


def cases(faults: dict[str, Any]) -> Callable[[Any], Any]:
    return pytest.mark.parametrize("bad", faults.values(), ids=faults.keys())


@pytest.mark.parametrize("kernel", ["line_search", "best_threshold"])
def test_the_arguments_these_tests_spoil_are_good(kernel: str) -> None:
    assert call(kernel) is not None


@pytest.mark.parametrize(
    ("kernel", "name"), [("line_search", "V"), ("line_search", "R"), ("best_threshold", "u")]
)
@cases(BAD_VECTORS)
def test_positions(kernel: str, name: str, bad: Any) -> None:
    with pytest.raises(REFUSED):
        call(kernel, **{name: bad})


@pytest.mark.parametrize("kernel", ["line_search", "best_threshold"])
@cases(BAD_CLASSES)
def test_classes(kernel: str, bad: Any) -> None:
    with pytest.raises(REFUSED):
        call(kernel, y=bad)


@pytest.mark.parametrize("kernel", ["line_search", "best_threshold"])
@cases(BAD_WEIGHTS)
def test_weights(kernel: str, bad: Any) -> None:
    with pytest.raises(REFUSED):
        call(kernel, weight=bad)


@pytest.mark.parametrize("kernel", ["line_search", "best_threshold"])
@pytest.mark.parametrize(
    ("name", "bad"), [(name, bad) for name, values in BAD_OPTIONS.items() for bad in values]
)
def test_options(kernel: str, name: str, bad: Any) -> None:
    with pytest.raises(REFUSED):
        call(kernel, **{name: bad})


@pytest.mark.parametrize("kernel", ["line_search", "best_threshold"])
def test_no_rows_at_all(kernel: str) -> None:
    none = np.empty(0)
    positions = {"u": none} if kernel == "best_threshold" else {"V": none, "R": none}
    with pytest.raises(REFUSED):
        call(kernel, **positions, y=np.empty(0, np.int32), weight=None)


@pytest.mark.parametrize("kernel", ["line_search", "best_threshold"])
@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_targets_of_a_regression_are_finite(kernel: str, bad: float) -> None:
    with pytest.raises(REFUSED):
        call(kernel, y=with_entry(NUMBERS, bad), criterion="squared_error")


def test_an_unknown_argument_is_named() -> None:
    with pytest.raises(TypeError):
        call("line_search", wieght=np.ones(4))


BAD_CLASS_WEIGHTS = {
    "too long": np.ones(4),
    "too short": np.ones(2),
    "empty": np.empty(0),
    "matrix": np.ones((3, 1)),
    "negative": np.array([1.0, -1.0, 2.0]),
    "NaN": np.array([1.0, np.nan, 2.0]),
    "infinite": np.array([1.0, np.inf, 2.0]),
    "text": np.array(["a", "b", "c"]),
    "missing": None,
}


@cases(BAD_CLASS_WEIGHTS)
def test_children_of_a_score(bad: Any) -> None:
    for children in ((bad, np.ones(3)), (np.ones(3), bad)):
        with pytest.raises(REFUSED):
            _core.score(*children, "gini")


@cases({name: bad for name, bad in BAD_CLASS_WEIGHTS.items() if not name.startswith("too")})
def test_class_weights_of_an_impurity(bad: Any) -> None:
    with pytest.raises(REFUSED):
        _core.impurity(bad, "gini")


@pytest.mark.parametrize("bad", ["ginni", "", None, 3, "squared_error"])
def test_criterion_of_a_score_or_impurity(bad: Any) -> None:
    with pytest.raises(REFUSED):
        _core.score(np.ones(3), np.ones(3), bad)
    with pytest.raises(REFUSED):
        _core.impurity(np.ones(3), bad)


# ------------------------------------------------------------------ trees grown in pieces


def pieces_of(n_classes: int, n_rows: int = 300) -> _core.Problem:
    """Return a problem of two numbers and classes, or of numbers to predict if there are none."""
    y = np.arange(n_rows) % max(n_classes, 1)
    return _core.Problem(
        features=_core.Features(
            X=np.arange(2.0 * n_rows).reshape(n_rows, 2),
            column_feature=np.array([0, 1], dtype=np.int32),
            column_level=np.array([-1, -1], dtype=np.int32),
        ),
        target=_core.Target(y.astype(np.int32 if n_classes else float), n_classes),
        rows=None,
        criterion="gini" if n_classes else "squared_error",
        min_rows=1,
        min_weight=0.0,
        fill_with_training_mean=False,
    )


def bins_of_other_classes_than_the_rows() -> None:
    for of_bins, of_rows in [(2, 300), (300, 2), (2, 0), (0, 2)]:
        centre = np.empty(0) if of_bins else np.zeros(1)
        bins = _core.LineBins(of_bins, centre, np.array([10.0, 20.0]))
        before = bins.numbers()
        with pytest.raises(REFUSED, match="must have the same"):
            bins.add(pieces_of(of_rows), np.arange(300), np.arange(300.0))
        np.testing.assert_array_equal(bins.numbers(), before)


def means_of_no_column() -> None:
    problem = pieces_of(2)
    piece = _core.Piece(problem, _core.gather_facts(problem, np.zeros(300, np.int32), 1)[0])
    assert [piece.mean(0), piece.mean(1)] == pytest.approx([299.0, 300.0])
    for column in (2, -1, 10**7, -(10**7)):
        with pytest.raises(REFUSED, match="no such column"):
            piece.mean(column)


def codes_that_are_no_levels() -> None:
    survey = {
        "has_missing": np.zeros(1, np.uint8),
        "has_extreme": np.zeros(1, np.uint8),
        "exponent": np.zeros(1, np.int32),
        "training_mean": np.empty(0),
        "deviation": np.empty(0),
        "distinct_rows": 4,
    }
    columns = np.zeros(3, np.int32), np.arange(3, dtype=np.int32)
    for known in (None, survey):
        _core.Features(np.array([[0.0], [1.0], [2.0], [1.0]]), *columns, known)
        for code in (3.0, -1.0, 0.5, 1e7, -1e7, 1e300, np.inf):
            with pytest.raises(REFUSED, match="level"):
                _core.Features(np.array([[0.0], [1.0], [2.0], [code]]), *columns, known)


@pytest.mark.parametrize(
    "check",
    [bins_of_other_classes_than_the_rows, means_of_no_column, codes_that_are_no_levels],
    ids=lambda check: check.__name__,
)
def test_no_crash(check: Callable[[], None]) -> None:
    check_in_process(check)


def test_unaligned_rows_are_copied() -> None:
    """A processor need not read a number from an odd address."""
    memory = np.zeros(8 * 8 + 1, dtype=np.uint8)
    X = memory[1 - memory.ctypes.data % 2 :][:64].view(np.float64).reshape(4, 2)
    assert not X.flags.aligned
    columns = np.array([0, 1], np.int32), np.array([-1, -1], np.int32)
    features = _core.Features(X, *columns)
    X[:] = 1.0
    problem = _core.Problem(features, _core.Target(CLASSES, 2), None, "gini", 1, 0.0, False)
    assert not _core.Node(problem).X.any()
