"""The artificial data obey their published rules."""

import csv
import itertools
import os
from pathlib import Path

import numpy as np
import pytest
from aslant_papers.datasets import load_dataset
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from aslant.datasets import make_led, make_ls10, make_pol, make_rcb, make_waveform
from aslant.datasets.generators import LED_DIGITS, label_pol, label_rcb

MAKERS = {
    "ls10": (make_ls10, 2000, 10, range(1, 3)),
    "pol": (make_pol, 2000, 2, range(1, 3)),
    "rcb": (make_rcb, 2000, 2, range(1, 9)),
    "led": (make_led, 1000, 7, range(10)),
    "waveform": (make_waveform, 5000, 21, range(3)),
}

needs_data = pytest.mark.skipif(
    not os.environ.get("ASLANT_DATA"), reason="needs the papers' data sets: set ASLANT_DATA"
)


@pytest.mark.parametrize("name", MAKERS)
def test_default_shape_and_classes(name):
    make, rows, features, classes = MAKERS[name]
    X, y = make(random_state=3)
    assert X.shape == (rows, features)
    assert X.dtype == np.float64
    assert y.dtype.kind == "i"
    assert np.array_equal(np.unique(y), list(classes))
    assert make(n_samples=7, random_state=3)[0].shape == (7, features)


@pytest.mark.parametrize("name", MAKERS)
def test_the_seed_decides_everything(name):
    make = MAKERS[name][0]
    X, y = make(random_state=5)
    again_X, again_y = make(random_state=np.random.RandomState(5))
    other_X, _ = make(random_state=6)
    assert np.array_equal(X, again_X)
    assert np.array_equal(y, again_y)
    assert not np.array_equal(X, other_X)


@pytest.mark.parametrize("name", MAKERS)
def test_load_gives_what_the_function_gives(name):
    make, *_ = MAKERS[name]
    X, y = make(random_state=11)
    loaded = load_dataset(name.upper(), random_state=11)
    assert np.array_equal(loaded.data, X)
    assert np.array_equal(loaded.target, y)
    assert np.array_equal(load_dataset(name).data, make(random_state=0)[0])
    assert loaded.split is None
    assert not loaded.categorical.any()
    assert len(loaded.feature_names) == X.shape[1]


@pytest.mark.parametrize("name", MAKERS)
@pytest.mark.parametrize("n_samples", [0, -1, 2.5, True, "10"])
def test_n_samples_must_be_a_positive_integer(name, n_samples):
    with pytest.raises(ValueError, match="n_samples must be a positive integer"):
        MAKERS[name][0](n_samples=n_samples)


def test_ls10_is_one_hyperplane():
    X, y = make_ls10(random_state=0)
    side = X @ np.repeat([1.0, -1.0], 5)
    assert np.array_equal(y == 1, side < 0)
    assert 900 < (y == 1).sum() < 1100


def test_pol_alternates_across_parallel_lines():
    middles = np.array([0.2, 0.5, 0.8, 1.3, 1.8])
    assert label_pol(np.column_stack([middles, middles * 0])).tolist() == [1, 2, 1, 2, 1]
    X, y = make_pol(random_state=0)
    order = np.argsort(X.sum(axis=1))
    assert np.count_nonzero(np.diff(y[order])) == 4


def test_rcb_labels_one_point_of_each_cell():
    cells = {1: (0, 0.6), 2: (0.1, 0.3), 3: (0.2, 0.95), 4: (0.6, 0.8)}
    cells |= {5: (0.4, 0.2), 6: (0.6, 0.1), 7: (0.75, 0.6), 8: (0.9, 0.3)}
    assert label_rcb(np.array(list(cells.values()))).tolist() == list(cells)


def plotted_points(name):
    """Points of a published plot as (X, y), with the plot's frame of one hundredth taken off."""
    path = Path(os.environ["ASLANT_DATA"]) / "figures" / f"{name}_points.csv"
    with path.open(newline="") as file:
        rows = np.array(list(csv.reader(file))[1:], dtype=float)
    # The plot maps the smallest and the largest coordinate to 1/102 and 101/102.
    assert rows[:, :2].min() == pytest.approx(1 / 102, abs=1e-6)
    assert rows[:, :2].max() == pytest.approx(101 / 102, abs=1e-6)
    return (102 * rows[:, :2] - 1) / 100, rows[:, 2]


@needs_data
@pytest.mark.parametrize(("name", "label"), [("pol", label_pol), ("rcb", label_rcb)])
def test_rules_reproduce_every_label_of_the_published_plot(name, label):
    X, y = plotted_points(name)
    assert len(y) == 1000
    assert np.array_equal(label(X), y)


def test_led_without_noise_shows_the_digits():
    X, y = make_led(n_samples=200, noise=0, random_state=0)
    assert np.array_equal(X, LED_DIGITS[y])
    inverted, y = make_led(n_samples=200, noise=1, random_state=0)
    assert np.array_equal(inverted, 1 - LED_DIGITS[y])


def test_led_inverts_each_segment_at_the_given_rate():
    X, y = make_led(n_samples=20_000, noise=0.1, random_state=0)
    rates = (LED_DIGITS[y] != X).mean(axis=0)
    assert np.allclose(rates, 0.1, atol=4 * np.sqrt(0.09 / len(y)))


def test_led_best_possible_accuracy_is_the_published_74_percent():
    patterns = np.array(list(itertools.product([0, 1], repeat=7)))
    wrong = (patterns[:, None] != LED_DIGITS).sum(axis=2)
    likelihood = 0.1**wrong * 0.9 ** (7 - wrong)
    assert likelihood.max(axis=1).sum() / 10 == pytest.approx(0.74, abs=0.005)
    # The data must let that rule score what theory promises.
    X, y = make_led(n_samples=20_000, random_state=1)
    guess = (X[:, None] != LED_DIGITS).sum(axis=2).argmin(axis=1)
    assert (guess == y).mean() == pytest.approx(0.74, abs=0.015)


@pytest.mark.parametrize("noise", [-0.1, 1.5, float("nan"), "0.1"])
def test_led_noise_must_be_a_probability(noise):
    with pytest.raises(ValueError, match="noise must be a number from 0 to 1"):
        make_led(noise=noise)


def test_waveform_class_means_are_the_mixed_waves():
    X, y = make_waveform(n_samples=30_000, random_state=0)
    position = np.arange(1, 22)

    def wave(peak):
        return np.maximum(6 - np.abs(position - peak), 0)

    for label, peaks in enumerate([(11, 15), (11, 7), (15, 7)]):
        expected = (wave(peaks[0]) + wave(peaks[1])) / 2
        assert np.allclose(X[y == label].mean(axis=0), expected, atol=0.1)
    # Far from every wave of a class only the unit noise is left.
    assert X[y == 0, 0].std() == pytest.approx(1, abs=0.03)


def test_waveform_is_about_as_hard_as_published():
    X, y = make_waveform(random_state=0)
    half = len(y) // 2
    accuracy = LinearDiscriminantAnalysis().fit(X[:half], y[:half]).score(X[half:], y[half:])
    assert 0.82 < accuracy < 0.89  # the best possible is about 0.86
