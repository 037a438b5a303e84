"""The tests of the papers, against SciPy, statsmodels' definitions and printed values."""

from __future__ import annotations

import matplotlib
import numpy as np
import pytest
from aslant_papers.figures import indistinct_groups, plot_critical_difference
from aslant_papers.plans import FixedTest
from aslant_papers.statistics import (
    class_rates,
    contrast,
    corrected_paired_t,
    friedman,
    macro_f,
    mcnemar,
    mean_ranks,
    nemenyi_critical_difference,
    one_way_anova,
    paired_t,
    two_way_anova,
)
from scipy import stats
from sklearn.metrics import confusion_matrix, f1_score, recall_score

matplotlib.use("agg")


@pytest.mark.parametrize(
    ("b", "c", "printed"), [(0, 0, 1.0), (1, 1, 0.75), (2, 2, 0.69), (7, 7, 0.60), (3, 4, 0.50)]
)
def test_the_single_tail_that_hinton_and_revow_print(b: int, c: int, printed: float) -> None:
    assert mcnemar(b, c, single_tail=True).p_value == pytest.approx(printed, abs=0.005)


@pytest.mark.parametrize(("b", "c"), [(0, 0), (5, 5), (3, 11), (11, 3), (0, 8)])
def test_mcnemar_is_the_exact_binomial_test(b: int, c: int) -> None:
    expected = stats.binomtest(b, b + c, 0.5).pvalue if b + c else 1.0
    assert mcnemar(b, c).p_value == pytest.approx(expected)


def test_mcnemar_takes_counts() -> None:
    with pytest.raises(ValueError, match="got -1 and 2"):
        mcnemar(-1, 2)


def test_paired_t() -> None:
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, 10))
    assert paired_t(a, b).p_value == pytest.approx(stats.ttest_rel(a, b).pvalue)
    assert paired_t(a, a).p_value == 1.0


def test_corrected_paired_t() -> None:
    """With no test rows it is the plain t test; shared rows make it more careful."""
    differences = np.random.default_rng(0).normal(0.01, 0.02, 50)
    plain = stats.ttest_1samp(differences, 0.0)
    uncorrected = corrected_paired_t(differences, 0.0)
    assert uncorrected.statistic == pytest.approx(plain.statistic)
    assert uncorrected.p_value == pytest.approx(plain.pvalue)
    corrected = corrected_paired_t(differences, 0.2)
    # The variance of the mean is (1/50 + 1/4) of that of a difference, instead of 1/50.
    assert corrected.statistic == pytest.approx(plain.statistic * np.sqrt(0.02 / 0.27))
    assert corrected_paired_t(np.zeros(5), 0.2).p_value == 1.0
    assert corrected_paired_t(np.ones(5), 0.2).p_value == 0.0
    with pytest.raises(ValueError, match="two or more"):
        corrected_paired_t([0.1], 0.2)


def test_a_contrast_of_two_groups_is_the_t_test() -> None:
    rng = np.random.default_rng(1)
    a, b = rng.normal(size=12), rng.normal(0.7, size=9)
    expected = stats.ttest_ind(a, b)
    assert contrast([a, b], (1, -1)).statistic == pytest.approx(expected.statistic**2)
    assert contrast([a, b], (1, -1)).p_value == pytest.approx(expected.pvalue)


def test_orthogonal_contrasts_add_up_to_the_one_way_analysis() -> None:
    groups = np.random.default_rng(2).normal(size=(3, 10)) + np.array([[0], [1], [1.5]])
    parts = [contrast(groups, c).statistic for c in ((2, -1, -1), (0, 1, -1))]
    assert sum(parts) / 2 == pytest.approx(one_way_anova(groups).statistic)


def test_contrasts_need_sum_zero() -> None:
    with pytest.raises(ValueError, match="sum 0"):
        contrast([[1.0, 2.0], [3.0, 4.0]], (1, 1))


def test_groups_without_spread() -> None:
    assert contrast([[1.0, 1.0], [1.0, 1.0]], (1, -1)).p_value == 1.0
    assert contrast([[1.0, 1.0], [2.0, 2.0]], (1, -1)).p_value == 0.0


def test_two_way_anova_of_a_worked_example() -> None:
    """Box and Cox 1964, survival times of animals: 3 poisons, 4 treatments, 4 animals each.

    The analysis is in every textbook: F = 23.22 (poison), 13.81 (treatment), 1.87 (interaction).
    """
    times = [
        [[31, 45, 46, 43], [82, 110, 88, 72], [43, 45, 63, 76], [45, 71, 66, 62]],
        [[36, 29, 40, 23], [92, 61, 49, 124], [44, 35, 31, 40], [56, 102, 71, 38]],
        [[22, 21, 18, 23], [30, 37, 38, 29], [23, 25, 24, 22], [30, 36, 31, 33]],
    ]
    result = two_way_anova(np.array(times) / 100)
    assert result.rows.statistic == pytest.approx(23.22, abs=0.01)
    assert result.columns.statistic == pytest.approx(13.81, abs=0.01)
    assert result.interaction.statistic == pytest.approx(1.87, abs=0.01)
    assert result.interaction.p_value == pytest.approx(0.112, abs=0.001)


def test_two_way_anova_needs_repetitions() -> None:
    with pytest.raises(ValueError, match="three axes"):
        two_way_anova(np.zeros((3, 3, 1)))


def test_ranks_share_places() -> None:
    assert mean_ranks([[0.9, 0.8, 0.9], [0.7, 0.6, 0.5]]).tolist() == [1.25, 2.5, 2.25]


def test_friedman() -> None:
    rng = np.random.default_rng(3)
    scores = rng.normal((0, 0, 0, 3), size=(14, 4))
    assert friedman(scores).p_value == stats.friedmanchisquare(*scores.T).pvalue


def test_critical_difference_of_demsar() -> None:
    """Demsar 2006, section 3.2.3: four methods on fourteen data sets."""
    assert nemenyi_critical_difference(4, 14) == pytest.approx(1.25, abs=0.005)
    assert nemenyi_critical_difference(4, 14, alpha=0.10) == pytest.approx(1.12, abs=0.005)


def test_rates_of_classes() -> None:
    rng = np.random.default_rng(4)
    truth, predicted = rng.integers(0, 3, 60), rng.integers(0, 3, 60)
    confusion = confusion_matrix(truth, predicted)
    positive, negative = class_rates(confusion)
    assert positive == pytest.approx(recall_score(truth, predicted, average=None))
    others = [recall_score(truth != k, predicted != k) for k in range(3)]
    assert negative == pytest.approx(others)
    assert macro_f(confusion) == pytest.approx(f1_score(truth, predicted, average="macro"))


def test_a_class_that_is_never_right_has_f_zero() -> None:
    assert macro_f(np.array([[0, 2], [0, 2]])) == pytest.approx(1 / 3)
    assert macro_f(np.array([[0, 0], [0, 2]])) == pytest.approx(1 / 2)


def test_critical_difference():
    scores = np.tile([0.9, 0.8, 0.7], (12, 1))
    ax = plot_critical_difference(scores, ["good", "middling", "bad"])
    assert [text.get_text() for text in ax.texts] == ["good  1.00", "middling  2.00", "bad  3.00"]
    assert "critical difference 0.96" in ax.get_xlabel()
    with pytest.raises(ValueError, match="got shape"):
        plot_critical_difference(scores, ["good", "bad"])


def test_groups_that_are_not_told_apart():
    assert indistinct_groups([1.0, 1.5, 2.4, 4.0], 1.0) == [(0, 1), (1, 2)]
    assert indistinct_groups([1.0, 3.0], 1.0) == []
    assert indistinct_groups([1.0, 1.1, 1.2], 1.0) == [(0, 2)]


def test_a_given_division_is_taken_as_it_is() -> None:
    split = np.array(["test", "train", "train", "test"])
    (division,) = FixedTest(runs=1).divide(np.arange(4), split, 7)
    assert division.train.tolist() == [1, 2]
    assert division.test.tolist() == [0, 3]


def test_a_copy_without_its_division() -> None:
    with pytest.raises(ValueError, match="which rows are for testing"):
        FixedTest(runs=1).divide(np.arange(4), None, 0)
