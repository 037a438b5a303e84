"""The statistical tests of the papers, and rates from a confusion matrix.

Runs of cross-validation share their rows, so the p-values of tests over runs are optimistic: they
are here because the papers print them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import stats

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Significance:
    """Statistic and p-value of a test."""

    statistic: float
    p_value: float


# ---------------------------------------------------------------------- two classifiers


def mcnemar(b: int, c: int, *, single_tail: bool = False) -> Significance:
    """McNemar's exact test of two classifiers on the same rows.

    Parameters
    ----------
    b, c : int
        Rows that only the first, and only the second, classifies correctly.
    single_tail : bool, default=False
        Return the lower tail ``P(X <= min(b, c))`` instead of twice it (at most 1): the figure that
        Hinton and Revow print.

    Returns
    -------
    Significance
        The statistic is min(b, c).
    """
    if b < 0 or c < 0:
        raise ValueError(f"b and c must be counts, got {b} and {c}.")
    if b + c == 0:
        return Significance(0.0, 1.0)
    tails = "less" if single_tail else "two-sided"
    result = stats.binomtest(min(b, c), b + c, 0.5, alternative=tails)
    return Significance(float(result.statistic * (b + c)), float(result.pvalue))


def paired_t(first: npt.ArrayLike, second: npt.ArrayLike) -> Significance:
    """Student's t test of the differences of paired values; equal values have p = 1."""
    a, b = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    if np.array_equal(a, b):
        return Significance(0.0, 1.0)
    result = stats.ttest_rel(a, b)
    return Significance(float(result.statistic), float(result.pvalue))


def corrected_paired_t(differences: npt.ArrayLike, test_share: float) -> Significance:
    """Student's t test of the differences over the folds of a repeated cross-validation.

    C. Nadeau and Y. Bengio, *Inference for the Generalization Error*, Machine Learning 52, 2003:
    training parts share most of their rows, so the variance of the mean is taken to be larger than
    that of independent differences, by the share of test to training rows.

    Parameters
    ----------
    differences : array-like of shape (folds,)
        Difference of the two methods in each fold of each run, two at least.
    test_share : float
        Share of the rows that a fold tests on, such as 0.2 of five folds.
    """
    d = np.asarray(differences, dtype=float)
    if d.ndim != 1 or len(d) < 2:
        raise ValueError(f"differences must be a list of two or more, got shape {d.shape}.")
    variance = float(d.var(ddof=1)) * (1.0 / len(d) + test_share / (1.0 - test_share))
    if variance == 0.0:
        return Significance(np.inf, 0.0) if d.any() else Significance(0.0, 1.0)
    statistic = float(d.mean()) / float(np.sqrt(variance))
    return Significance(statistic, float(2.0 * stats.t.sf(abs(statistic), len(d) - 1)))


# ---------------------------------------------------------------------- analysis of variance


def one_way_anova(groups: Sequence[npt.ArrayLike]) -> Significance:
    """F test of equal means of several groups."""
    result = stats.f_oneway(*groups)
    return Significance(float(result.statistic), float(result.pvalue))


def contrast(groups: Sequence[npt.ArrayLike], coefficients: Sequence[float]) -> Significance:
    """F test of one contrast of the group means, with the error of the one-way analysis.

    Parameters
    ----------
    groups : sequence of array-like
        The values of each group.
    coefficients : sequence of float
        One for each group, with sum 0: (2, -1, -1) sets the first against the other two.
    """
    values = [np.asarray(group, dtype=float) for group in groups]
    weights = np.asarray(coefficients, dtype=float)
    if len(weights) != len(values) or abs(weights.sum()) > 1e-9:
        raise ValueError(
            f"coefficients must be {len(values)} numbers with sum 0, got {list(coefficients)}."
        )
    sizes = np.array([len(group) for group in values])
    df = int(sizes.sum()) - len(values)
    error = sum(float(((group - group.mean()) ** 2).sum()) for group in values) / df
    estimate = float(weights @ [group.mean() for group in values])
    if error == 0.0:
        return Significance(np.inf, 0.0) if estimate else Significance(0.0, 1.0)
    statistic = estimate**2 / (error * float((weights**2 / sizes).sum()))
    return Significance(statistic, float(stats.f.sf(statistic, 1, df)))


@dataclass(frozen=True)
class TwoWayAnova:
    """F tests of the two factors and of their interaction."""

    rows: Significance
    columns: Significance
    interaction: Significance


def two_way_anova(values: npt.ArrayLike) -> TwoWayAnova:
    """Two-way analysis of variance with the same number of values in every cell.

    Parameters
    ----------
    values : array-like of shape (rows, columns, repetitions)
        At least two of each.
    """
    x = np.asarray(values, dtype=float)
    if x.ndim != 3 or min(x.shape) < 2:
        raise ValueError(f"values must have three axes of length 2 or more, got shape {x.shape}.")
    n_rows, n_columns, n = x.shape
    cells, grand = x.mean(axis=2), x.mean()
    row, column = cells.mean(axis=1), cells.mean(axis=0)
    df_error = n_rows * n_columns * (n - 1)
    error = float(((x - cells[:, :, None]) ** 2).sum()) / df_error

    def effect(sum_of_squares: float, df: int) -> Significance:
        statistic = sum_of_squares / df / error
        return Significance(statistic, float(stats.f.sf(statistic, df, df_error)))

    mixed = cells - row[:, None] - column[None, :] + grand
    return TwoWayAnova(
        rows=effect(n_columns * n * float(((row - grand) ** 2).sum()), n_rows - 1),
        columns=effect(n_rows * n * float(((column - grand) ** 2).sum()), n_columns - 1),
        interaction=effect(n * float((mixed**2).sum()), (n_rows - 1) * (n_columns - 1)),
    )


# ---------------------------------------------------------------------- several data sets


def mean_ranks(scores: npt.ArrayLike) -> FloatArray:
    """Mean rank of each method over data sets; rank 1 is the highest score, ties share ranks.

    Parameters
    ----------
    scores : array-like of shape (data sets, methods)
        Higher is better.
    """
    return stats.rankdata(-np.asarray(scores, dtype=float), axis=1).mean(axis=0)


def friedman(scores: npt.ArrayLike) -> Significance:
    """Friedman's test that all methods rank alike over the data sets."""
    result = stats.friedmanchisquare(*np.asarray(scores, dtype=float).T)
    return Significance(float(result.statistic), float(result.pvalue))


def nemenyi_critical_difference(n_methods: int, n_datasets: int, alpha: float = 0.05) -> float:
    """Return the difference of two mean ranks that is significant at the level alpha.

    J. Demsar, *Statistical Comparisons of Classifiers over Multiple Data Sets*, Journal of Machine
    Learning Research 7, 2006.
    """
    q = stats.studentized_range.ppf(1.0 - alpha, n_methods, np.inf) / np.sqrt(2.0)
    return float(q * np.sqrt(n_methods * (n_methods + 1) / (6.0 * n_datasets)))


# ---------------------------------------------------------------------- confusion matrices


def class_rates(confusion: npt.NDArray[Any]) -> tuple[FloatArray, FloatArray]:
    """Return true positive and true negative rate of each class against the others.

    Parameters
    ----------
    confusion : ndarray of shape (classes, classes)
        Rows counted by true (first axis) and predicted class. The rate of a class with no row is
        NaN.
    """
    total, hit = confusion.sum(), np.diag(confusion)
    true, predicted = confusion.sum(axis=1), confusion.sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        return hit / true, (total - true - predicted + hit) / (total - true)


def macro_f(confusion: npt.NDArray[Any]) -> float:
    """Return the mean over the classes of the F measure, which is 0 where nothing was right."""
    hit = np.diag(confusion)
    size = confusion.sum(axis=1) + confusion.sum(axis=0)
    return float(np.mean(np.divide(2.0 * hit, size, out=np.zeros(len(hit)), where=size > 0)))
