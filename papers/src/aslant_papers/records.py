"""The record of one run, and the measures computed from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from aslant_papers.statistics import class_rates, macro_f


@dataclass(frozen=True)
class RunRecord:
    """One run of one method on one data set: all tests on its test rows, and its trees.

    Attributes
    ----------
    confusion : list of list of int
        Test rows by true (first axis) and predicted class.
    correct : str
        A bit for each test row, in the order of the divisions, as hexadecimal digits.
    log_loss : float
        Sum of -ln of the probability of the true class, by Laplace's estimate in the leaf.
    baseline_errors : int
        Errors of the tree that is a single leaf.
    leaves, nodes, tests, size, multivariate_tests, hyperplanes : list of int
        Of each tree, or of all trees that vote together; `size` is the sum over the tests of the
        number of features.
    seconds : list of float
        Processor time of each fit.
    r2 : list of float
        Where numbers are predicted: the share of the variance of the test rows that each fit
        explains. There are no classes then, and nothing of them is kept.
    """

    confusion: list[list[int]]
    correct: str
    log_loss: float
    baseline_errors: int
    leaves: list[int]
    nodes: list[int]
    tests: list[int]
    size: list[int]
    multivariate_tests: list[int]
    hyperplanes: list[int]
    seconds: list[float]
    r2: list[float] = field(default_factory=list)

    @property
    def counts(self) -> npt.NDArray[np.int64]:
        """The confusion matrix."""
        return np.array(self.confusion)

    @property
    def hits(self) -> npt.NDArray[np.bool_]:
        """Whether each test row was classified correctly."""
        packed = np.frombuffer(bytes.fromhex(self.correct), dtype=np.uint8)
        return np.unpackbits(packed, count=int(self.counts.sum())).astype(bool)


def pack_bits(hits: npt.NDArray[np.bool_]) -> str:
    """Return truth values as hexadecimal digits, as `RunRecord.correct` keeps them."""
    return np.packbits(hits).tobytes().hex()


@dataclass(frozen=True)
class Measure:
    """A number that tables show.

    Attributes
    ----------
    title : str
        What it is.
    better : int or None
        1 if higher is better, -1 if lower, 0 if neither; None if the paper's figure cannot be
        compared, because it was counted in another way or on another machine.
    digits : int
        Digits after the point that papers print.
    of : callable
        Computes it from a run and, for measures of one class, the index of the class.
    once : bool
        Whether it is that of the first run alone, as where a paper made only one.
    """

    title: str
    better: int | None
    digits: int
    of: Callable[[RunRecord, int | None], float]
    once: bool = False


def _accuracy(run: RunRecord, _: int | None) -> float:
    return 100.0 * float(np.trace(run.counts)) / float(run.counts.sum())


def _relative_error(run: RunRecord, _: int | None) -> float:
    errors = run.counts.sum() - np.trace(run.counts)
    return 100.0 * float(errors) / max(1, run.baseline_errors)


def _rcl(run: RunRecord, _: int | None) -> float:
    """Code length of the test labels, in units of that of uniform guessing (Tan and Dowe)."""
    return run.log_loss / float(run.counts.sum() * np.log(len(run.counts)))


def _true_positive_rate(run: RunRecord, class_index: int | None) -> float:
    return float(class_rates(run.counts)[0][class_index or 0])


def _true_negative_rate(run: RunRecord, class_index: int | None) -> float:
    return float(class_rates(run.counts)[1][class_index or 0])


def _mean_of(name: str) -> Callable[[RunRecord, int | None], float]:
    return lambda run, _: float(np.mean(getattr(run, name)))


def _r2(run: RunRecord, _: int | None) -> float:
    return float(np.mean(run.r2)) if run.r2 else np.nan


def _univariate_tests(run: RunRecord, _: int | None) -> float:
    return float(np.mean(run.tests) - np.mean(run.multivariate_tests))


def _features_per_test(run: RunRecord, _: int | None) -> float:
    return sum(run.size) / max(1, sum(run.tests))


MEASURES = {
    "accuracy": Measure("accuracy, %", 1, 1, _accuracy),
    "r2": Measure("R2", 1, 3, _r2),
    "relative_error": Measure("error, % of a single leaf's", -1, 1, _relative_error),
    "relative_error_once": Measure(
        "error, % of a single leaf's, of the first division alone", -1, 1, _relative_error, True
    ),
    "rcl": Measure("RCL, code length relative to guessing", -1, 2, _rcl),
    "macro_f": Measure("macro F", 1, 2, lambda run, _: macro_f(run.counts)),
    "true_positive_rate": Measure("true positive rate of the class", 1, 2, _true_positive_rate),
    "true_negative_rate": Measure("true negative rate of the class", 1, 2, _true_negative_rate),
    "true_positive_rate_1": Measure(
        "true positive rate of class 1", 1, 2, lambda run, _: _true_positive_rate(run, 0)
    ),
    "true_positive_rate_2": Measure(
        "true positive rate of class 2", 1, 2, lambda run, _: _true_positive_rate(run, 1)
    ),
    "leaves": Measure("leaves", -1, 1, _mean_of("leaves")),
    "nodes": Measure("nodes", -1, 1, _mean_of("nodes")),
    "tests": Measure("tests", -1, 1, _mean_of("tests")),
    "size": Measure("size, features summed over the tests", -1, 1, _mean_of("size")),
    "features_per_test": Measure("features per test", -1, 1, _features_per_test),
    "multivariate_tests": Measure(
        "tests of several features", 0, 1, _mean_of("multivariate_tests")
    ),
    "univariate_tests": Measure("tests of one feature", 0, 1, _univariate_tests),
    "hyperplanes": Measure("hyperplanes considered per tree", 0, 0, _mean_of("hyperplanes")),
    "cpu_seconds": Measure("processor seconds per tree", None, 3, _mean_of("seconds")),
}

SIZES = ("leaves", "nodes", "tests", "size")
"""Measures of the size of trees, of which the summary also counts those within 30 %."""
