"""Methods that do nothing but what a test needs, and a clock that only they move."""

import numpy as np
import pytest

from aslant import CARTClassifier
from aslant.comparison.contender import VARIANTS
from aslant.estimators.methods import METHODS, Method


class Clock:
    """Tells a time that passes only while a fake method fits."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


CLOCK = Clock()
SEEN = {}  # by method: the training rows of each fit, in order


class Recorded(CARTClassifier):
    """CART that notes the rows it is given and takes some seconds a row."""

    seconds_a_row = 0.0

    def fit(self, X, y, sample_weight=None, prune_rows=None):
        SEEN.setdefault(type(self).__name__, []).append(np.sort(X[:, 0]).tolist())
        for _ in range(10):  # as a growing tree does, it looks now and then whether to go on
            CLOCK.now += self.seconds_a_row * len(y) / 10
            if callable(self.verbose):
                self.verbose(0, 1)
        return super().fit(X, y, sample_weight, prune_rows)


class Quick(Recorded):
    seconds_a_row = 0.001


class Slow(Recorded):
    seconds_a_row = 1.0


class Broken(Recorded):
    def fit(self, X, y, sample_weight=None, prune_rows=None):
        raise RuntimeError("this method\nis broken")


class Interrupted(Recorded):
    """Ctrl-C comes at its second fit."""

    seconds_a_row = 0.01

    def fit(self, X, y, sample_weight=None, prune_rows=None):
        if SEEN.get("Interrupted"):
            raise KeyboardInterrupt
        return super().fit(X, y, sample_weight, prune_rows)


@pytest.fixture
def field(monkeypatch):
    """Replace the methods by CART and the fakes of these names."""
    CLOCK.now = 0.0
    SEEN.clear()

    def enter(**fakes):
        for name in list(METHODS):
            monkeypatch.delitem(METHODS, name)
        for name in list(VARIANTS):
            monkeypatch.delitem(VARIANTS, name)
        monkeypatch.setitem(METHODS, "cart", Method(Quick, "", ""))
        for name, estimator in fakes.items():
            monkeypatch.setitem(METHODS, name, Method(estimator, "", ""))

    return enter


@pytest.fixture
def slanted():
    """Two classes on either side of an oblique plane."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 3))
    return X, np.where(X.sum(axis=1) > 0.3, "above", "below")
