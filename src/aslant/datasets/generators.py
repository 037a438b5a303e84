"""Artificial data with known structure, drawn from a seed.

LS10, POL and RCB are the problems of Murthy, Kasif & Salzberg (1994): points spread evenly over
a cube and labelled, without noise, by oblique lines. LED and waveform are the noisy problems of
Breiman, Friedman, Olshen & Stone (1984), used by Brodley & Utgoff and by Hinton & Revow; their
best possible accuracies are 74 % (LED with 10 % noise) and about 86 %.
"""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from sklearn.utils import check_random_state

RandomState: TypeAlias = int | np.random.RandomState | None
Labelled: TypeAlias = tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]

# Where POL's four lines x1 + x2 = const lie, and the lines of RCB below, were read off the
# published plots: the slopes are exact, the constants good to 0.002.
POL_LINES = (0.311, 0.624, 1.063, 1.626)

# Segments: top, upper left, upper right, middle, lower left, lower right, bottom.
LED_DIGITS = np.array(
    [
        [1, 1, 1, 0, 1, 1, 1],
        [0, 0, 1, 0, 0, 1, 0],
        [1, 0, 1, 1, 1, 0, 1],
        [1, 0, 1, 1, 0, 1, 1],
        [0, 1, 1, 1, 0, 1, 0],
        [1, 1, 0, 1, 0, 1, 1],
        [1, 1, 0, 1, 1, 1, 1],
        [1, 0, 1, 0, 0, 1, 0],
        [1, 1, 1, 1, 1, 1, 1],
        [1, 1, 1, 1, 0, 1, 1],
    ]
)

# Triangles of height 6 over 21 positions, with their peaks at positions 11, 15 and 7.
WAVES = np.maximum(6.0 - np.abs(np.arange(1, 22) - np.array([[11], [15], [7]])), 0.0)

# The two waves that each class mixes.
WAVE_PAIRS = np.array([[0, 1], [0, 2], [1, 2]])


def make_ls10(n_samples: int = 2000, random_state: RandomState = None) -> Labelled:
    """Ten dimensions, one oblique boundary.

    Class 1 if x1 + ... + x5 < x6 + ... + x10, else class 2; x uniform in the unit cube.

    Parameters
    ----------
    n_samples : int, default=2000
        The number of points.
    random_state : int, RandomState instance or None, default=None
        The seed, as everywhere in scikit-learn.

    Returns
    -------
    X : ndarray of shape (n_samples, 10)
    y : ndarray of shape (n_samples,)
        The classes 1 and 2.
    """
    X = _uniform(n_samples, 10, random_state)
    return X, np.where(X[:, :5].sum(axis=1) < X[:, 5:].sum(axis=1), 1, 2)


def make_pol(n_samples: int = 2000, random_state: RandomState = None) -> Labelled:
    """Parallel oblique lines: two classes alternate across four lines of slope -1.

    Parameters
    ----------
    n_samples : int, default=2000
        The number of points, uniform in the unit square.
    random_state : int, RandomState instance or None, default=None
        The seed, as everywhere in scikit-learn.

    Returns
    -------
    X : ndarray of shape (n_samples, 2)
    y : ndarray of shape (n_samples,)
        The classes 1 and 2.
    """
    X = _uniform(n_samples, 2, random_state)
    return X, label_pol(X)


def make_rcb(n_samples: int = 2000, random_state: RandomState = None) -> Labelled:
    """Rotated checkerboard: eight classes in an oblique tree of depth three.

    Parameters
    ----------
    n_samples : int, default=2000
        The number of points, uniform in the unit square.
    random_state : int, RandomState instance or None, default=None
        The seed, as everywhere in scikit-learn.

    Returns
    -------
    X : ndarray of shape (n_samples, 2)
    y : ndarray of shape (n_samples,)
        The classes 1 to 8.
    """
    X = _uniform(n_samples, 2, random_state)
    return X, label_rcb(X)


def make_led(
    n_samples: int = 1000, noise: float = 0.1, random_state: RandomState = None
) -> Labelled:
    """Digits on a faulty seven-segment display.

    Parameters
    ----------
    n_samples : int, default=1000
        The number of digits, each of the ten equally likely.
    noise : float, default=0.1
        The probability with which each segment, independently, shows the opposite.
    random_state : int, RandomState instance or None, default=None
        The seed, as everywhere in scikit-learn.

    Returns
    -------
    X : ndarray of shape (n_samples, 7)
        Segments, 1 = lit: top, upper left, upper right, middle, lower left, lower right, bottom.
    y : ndarray of shape (n_samples,)
        The digits 0 to 9.
    """
    _check_noise(noise)
    rng = check_random_state(random_state)
    y = rng.randint(len(LED_DIGITS), size=_checked_count(n_samples))
    inverted = rng.uniform(size=(len(y), LED_DIGITS.shape[1])) < noise
    return np.where(inverted, 1 - LED_DIGITS[y], LED_DIGITS[y]).astype(float), y.astype(np.int64)


def make_waveform(n_samples: int = 5000, random_state: RandomState = None) -> Labelled:
    """Noisy mixtures of two out of three triangular waves.

    A row of a class with waves g and h is u g + (1 - u) h plus standard normal noise at each of
    the 21 positions, u uniform in [0, 1].

    Parameters
    ----------
    n_samples : int, default=5000
        The number of rows, each of the three classes equally likely.
    random_state : int, RandomState instance or None, default=None
        The seed, as everywhere in scikit-learn.

    Returns
    -------
    X : ndarray of shape (n_samples, 21)
    y : ndarray of shape (n_samples,)
        The classes 0, 1 and 2.
    """
    rng = check_random_state(random_state)
    y = rng.randint(len(WAVE_PAIRS), size=_checked_count(n_samples))
    first, second = WAVES[WAVE_PAIRS[y, 0]], WAVES[WAVE_PAIRS[y, 1]]
    share = rng.uniform(size=(len(y), 1))
    noise = rng.normal(size=first.shape)
    return share * first + (1 - share) * second + noise, y.astype(np.int64)


def label_pol(X: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
    """Return the POL class of points of the plane."""
    return 1 + np.searchsorted(POL_LINES, X[:, 0] + X[:, 1]) % 2


def label_rcb(X: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
    """Return the RCB class of points of the plane."""
    x, y = X[:, 0], X[:, 1]
    above = np.where(
        y < 1 - 8 / 7 * x,
        np.where(y < 0.75 * x + 0.438, 2, 1),
        np.where(y > x + 0.502, 3, 4),
    )
    below = np.where(
        y > 1 - x,
        np.where(y > x - 0.312, 7, 8),
        np.where(y > 1.25 * x - 0.547, 5, 6),
    )
    return np.where(y > 16 / 15 * x, above, below)


def _uniform(n_samples: int, n_features: int, seed: RandomState) -> npt.NDArray[np.float64]:
    """Return points spread evenly over the unit cube."""
    points: npt.NDArray[np.float64] = check_random_state(seed).uniform(
        size=(_checked_count(n_samples), n_features)
    )
    return points


def _check_noise(noise: Any) -> None:
    """Validate that the probability of noise is one."""
    if not isinstance(noise, Real) or not 0 <= float(noise) <= 1:
        raise ValueError(f"noise must be a number from 0 to 1, got {noise!r}")


def _checked_count(n_samples: Any) -> int:
    """Return the number of rows asked for if it is a positive integer."""
    if isinstance(n_samples, bool) or not isinstance(n_samples, Integral) or n_samples < 1:
        raise ValueError(f"n_samples must be a positive integer, got {n_samples!r}")
    return int(n_samples)
