"""The F test and the sentence, for results made by hand."""

import numpy as np
import pytest
from scipy import stats

from aslant import CARTClassifier
from aslant.comparison.contender import Contender
from aslant.comparison.fold import FoldResult
from aslant.comparison.verdict import advise, best_of, f_test, five_by_two_cv_f, ratio_in_words


def contender(name, kind, accuracy, leaves, halves=None, coefficients=np.nan, seconds=1.0):
    def result(value):
        return FoldResult(
            leaves=leaves,
            features_per_test=1.0,
            cpu_seconds=seconds,
            wall_seconds=1.0,
            accuracy=value,
            coefficients=coefficients,
        )

    # Without any spread the test would be certain of everything.
    jitter = np.tile([0.002, -0.002], 5)
    halves = accuracy + jitter if halves is None else halves
    made = Contender(name, name.upper(), kind, CARTClassifier())
    made.folds = [result(accuracy)] * 5
    made.halves = [result(value) for value in halves]
    return made


def sentence(*contenders, most_frequent=0.5):
    return advise(contenders, f_test(contenders), most_frequent)


def test_oblique_is_better():
    hhcart = contender("hhcart", "oblique", 0.921, 5.0, np.full(10, 0.921))
    cart = contender("cart", "axis-parallel", 0.9, 20.0)
    assert sentence(hhcart, cart) == (
        "an oblique tree is 2.1 points better with a quarter of the leaves: use HHCART"
    )


def test_axis_parallel_is_better():
    oc1 = contender("oc1", "oblique", 0.85, 5.0, np.full(10, 0.85))
    cart = contender("cart", "axis-parallel", 0.9, 20.0)
    assert sentence(oc1, cart) == "an axis-parallel tree is 5.0 points better: use CART"


@pytest.mark.parametrize(("folds", "halves"), [(0.95, 0.85), (0.85, 0.95)])
def test_folds_and_test_must_agree(folds, halves):
    """A clear difference in the halves is no evidence for the opposite difference of the folds."""
    oc1 = contender("oc1", "oblique", folds, 19.0, np.full(10, halves))
    cart = contender("cart", "axis-parallel", 0.9, 20.0)
    assert f_test([oc1, cart]).p_value < 0.01
    assert sentence(oc1, cart) == "no evidence that oblique tests help here: use CART"


def test_no_evidence():
    noise = 0.9 + 0.05 * np.tile([1.0, -1.0], 5)
    oc1 = contender("oc1", "oblique", 0.91, 19.0, noise)
    cart = contender("cart", "axis-parallel", 0.9, 20.0)
    assert sentence(oc1, cart) == "no evidence that oblique tests help here: use CART"
    small = contender("oc1", "oblique", 0.91, 10.0, noise)
    assert sentence(small, cart).endswith("use CART, or OC1 for half the leaves")


def test_nothing_can_be_learned():
    oc1 = contender("oc1", "oblique", 0.7, 19.0)
    cart = contender("cart", "axis-parallel", 0.65, 20.0)
    assert (
        "no tree does better than always predicting the most frequent class (70.0 %)"
        in sentence(oc1, cart, most_frequent=0.7)
    )


def test_only_one_kind():
    cart = contender("cart", "axis-parallel", 0.9, 20.0)
    assert sentence(cart).endswith("the best of them is CART")
    cart.folds = []
    assert "nothing was finished" in sentence(cart)


def test_several_trees_are_not_the_best_oblique_tree():
    kdt = contender("kdt", "several trees", 0.99, 50.0)
    oc1 = contender("oc1", "oblique", 0.9, 5.0)
    cart = contender("cart", "axis-parallel", 0.9, 20.0)
    assert best_of([kdt, oc1, cart], "oblique") is oc1
    assert f_test([kdt, oc1, cart]).oblique == {"oc1": 10}


def test_a_half_evaluates_the_method_that_the_other_half_chose():
    """Two methods that are good on one half each: choosing by the same half would flatter."""
    even = contender("even", "oblique", 0.9, 5.0, np.tile([0.95, 0.85], 5))
    odd = contender("odd", "oblique", 0.9, 5.0, np.tile([0.85, 0.95], 5))
    cart = contender("cart", "axis-parallel", 0.9, 20.0, np.full(10, 0.9))
    test = f_test([even, odd, cart])
    assert test.difference == pytest.approx(-0.05)
    assert test.oblique == {"odd": 5, "even": 5}
    assert test.axis_parallel == {"cart": 10}


def test_one_of_each_kind_is_the_textbook_test():
    rng = np.random.default_rng(0)
    a, b = rng.normal(0.9, 0.02, 10), rng.normal(0.88, 0.02, 10)
    contenders = [
        contender("oc1", "oblique", 0.9, 5.0, a),
        contender("cart", "axis-parallel", 0.88, 5.0, b),
    ]
    _, expected = five_by_two_cv_f((a - b).reshape(5, 2))
    assert f_test(contenders).p_value == pytest.approx(expected)


def test_without_evidence_there_is_rarely_an_alarm():
    """Ten oblique methods that are as good as CART, all of them noise."""
    rng = np.random.default_rng(0)
    alarms = 0
    for _ in range(100):
        field = [
            contender(f"m{k}", "oblique", 0.8, 9.0, rng.normal(0.8, 0.02, 10)) for k in range(10)
        ]
        field.append(contender("cart", "axis-parallel", 0.8, 9.0, rng.normal(0.8, 0.02, 10)))
        alarms += f_test(field).p_value < 0.05
    assert alarms <= 10


@pytest.mark.parametrize(
    ("share", "words"),
    [
        (0.03, "3 % of the leaves"),
        (0.26, "a quarter of the leaves"),
        (0.5, "half the leaves"),
        (1.02, "about as many leaves"),
        (2.5, "2.5 times the leaves"),
    ],
)
def test_shares_in_words(share, words):
    assert ratio_in_words(share) == words


def test_of_equally_good_methods_the_simplest_is_advised():
    """Within a standard error of the best, coefficients count, then leaves, then time."""
    best = contender("best", "oblique", 0.9, 4.0, coefficients=40.0)
    best.folds = [
        contender("x", "oblique", a, 4.0, coefficients=40.0).folds[0] for a in (0.86, 0.94)
    ]
    near = contender("near", "oblique", 0.89, 5.0, coefficients=10.0)
    far = contender("far", "oblique", 0.8, 2.0, coefficients=2.0)
    assert best_of([best, near, far], "oblique") is near
    same = contender("same", "oblique", 0.89, 5.0, coefficients=10.0, seconds=0.5)
    assert best_of([best, near, far, same], "oblique") is same


def test_the_sentence_counts_coefficients_and_time():
    oc1 = contender("oc1", "oblique", 0.95, 5.0, np.full(10, 0.95), 12.0, 50.0)
    cart = contender("cart", "axis-parallel", 0.9, 20.0, None, 19.0)
    assert sentence(oc1, cart) == (
        "an oblique tree is 5.0 points better with a quarter of the leaves, 12 coefficients "
        "instead of 19, more than twenty times the time: use OC1"
    )


def test_five_by_two() -> None:
    """A worked example: p = (0.1, 0), five times, has f = 0.05 / (2 * 0.025) = 1."""
    statistic, p_value = five_by_two_cv_f([[0.1, 0.0]] * 5)
    assert statistic == pytest.approx(1.0)
    assert p_value == pytest.approx(stats.f.sf(1.0, 10, 5))
    assert five_by_two_cv_f(np.zeros((5, 2)))[1] == 1.0
    assert five_by_two_cv_f(np.ones((5, 2)))[1] == 0.0
    with pytest.raises(ValueError, match=r"\(5, 2\)"):
        five_by_two_cv_f(np.zeros((2, 5)))
