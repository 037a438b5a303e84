"""The published figures of the OC1 paper, with its protocol: ten 5-fold cross-validations.

Murthy, Kasif and Salzberg, Journal of Artificial Intelligence Research 2, 1994, tables 1 and 2.
Accuracy is the share of all rows classified correctly, per cross-validation; leaves are the mean
over the fifty trees. The artificial data are drawn anew for every cross-validation, because one
draw alone moves the size of a POL tree by half. `pytest -m slow -s` prints the tables.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from sklearn.base import ClassifierMixin, clone
from sklearn.model_selection import KFold

from aslant import C45Classifier, CARTClassifier, CARTLCClassifier, OC1Classifier, SADTClassifier
from aslant.datasets import load, make_ls10, make_pol, make_rcb
from aslant.prune import CostComplexity

RUNS = 10
GENERATORS = {"LS10": make_ls10, "POL": make_pol, "RCB": make_rcb}

needs_data = pytest.mark.skipif(
    not os.environ.get("ASLANT_DATA"), reason="needs the papers' data sets: set ASLANT_DATA"
)


@dataclass(frozen=True)
class Figure:
    accuracy: float
    deviation: float
    leaves: float

    def __str__(self) -> str:
        return f"{self.accuracy:.1f} ± {self.deviation:.1f} / {self.leaves:.1f}"


def cross_validate(classifier: ClassifierMixin, data: Any, runs: int = RUNS) -> Figure:
    """Repeat 5-fold cross-validation; `data(run)` gives the rows of each."""
    accuracies, leaves = [], []
    for run in range(runs):
        X, y = data(run)
        correct = 0
        folds = KFold(5, shuffle=True, random_state=run).split(X)
        for fold, (train, test) in enumerate(folds):
            tree = clone(classifier).set_params(random_state=100 * run + fold)
            tree.fit(X[train], y[train])
            correct += int(np.sum(tree.predict(X[test]) == y[test]))
            leaves.append(tree.get_n_leaves())
        accuracies.append(100.0 * correct / len(y))
    return Figure(float(np.mean(accuracies)), float(np.std(accuracies, ddof=1)), np.mean(leaves))


def artificial(name: str, classifier: ClassifierMixin) -> Figure:
    return cross_validate(classifier, lambda run: GENERATORS[name](random_state=run))


def real(name: str, classifier: ClassifierMixin, runs: int = RUNS) -> Figure:
    bunch = load(name)
    return cross_validate(classifier, lambda run: (bunch.data, bunch.target), runs)


def report(label: str, ours: Figure, published: Figure) -> None:
    print(f"\n{label:32s} ours {ours!s:22s} published {published}", end="")


def assert_accuracy(ours: Figure, published: Figure) -> None:
    """Not below the published accuracy by more than two published deviations and one of ours.

    The published deviation is over partitions of one program's runs; ours adds the choice of seeds.
    """
    assert ours.accuracy >= published.accuracy - 2.0 * published.deviation - ours.deviation


# Table 2, restarts:jumps. 0 restarts means the axis-parallel start alone.
TABLE_2 = {
    ("LS10", 0, 0): Figure(89.8, 1.2, 67.0),
    ("LS10", 0, 20): Figure(91.5, 1.5, 55.2),
    ("LS10", 20, 0): Figure(95.0, 0.6, 25.6),
    ("LS10", 20, 20): Figure(97.2, 0.7, 13.9),
    ("POL", 0, 0): Figure(98.3, 0.3, 21.6),
    ("POL", 0, 20): Figure(99.3, 0.2, 9.0),
    ("POL", 20, 0): Figure(99.1, 0.2, 14.2),
    ("POL", 20, 20): Figure(99.6, 0.1, 5.5),
}


@pytest.mark.slow
@pytest.mark.parametrize("origin", ["original", "median"])
@pytest.mark.parametrize(("name", "restarts", "jumps"), list(TABLE_2))
def test_table_2(name: str, restarts: int, jumps: int, origin: str) -> None:
    """As the paper has it, and with our origin of the features, which is better."""
    published = TABLE_2[name, restarts, jumps]
    oc1 = OC1Classifier(restarts=max(1, restarts), jumps=jumps, origin=origin, pruning=None)
    ours = artificial(name, oc1)
    report(f"{name} OC1 {restarts}:{jumps}, {origin}", ours, published)
    assert_accuracy(ours, published)
    assert ours.leaves <= 1.25 * published.leaves


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "accuracy", "leaves", "origin"),
    [
        ("POL", 99.4, 5.05, "original"),
        ("RCB", 99.1, 8.2, "original"),
        ("LS10", 98.5, 7.0, "original"),
        ("POL", 99.4, 5.05, "median"),
        ("RCB", 99.1, 8.2, "median"),
        ("LS10", 99.3, 2.5, "median"),
    ],
)
def test_exact_sweep_reaches_the_true_partition(
    name: str, accuracy: float, leaves: float, origin: str
) -> None:
    """With 20 restarts and 20 jumps the exact sweep finds trees of (nearly) minimal size."""
    ours = artificial(name, OC1Classifier(restarts=20, jumps=20, origin=origin, pruning=None))
    report(f"{name} OC1 20:20, {origin}, at least", ours, Figure(accuracy, 0.0, leaves))
    assert ours.accuracy >= accuracy
    assert ours.leaves <= leaves


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "published"),
    [("LS10", Figure(95.2, 1.8, 15.5)), ("POL", Figure(99.3, 0.4, 8.4))],
)
def test_table_2_sadt(name: str, published: Figure) -> None:
    ours = artificial(name, SADTClassifier())
    report(f"{name} SADT", ours, published)
    assert_accuracy(ours, published)
    assert ours.leaves <= 1.5 * published.leaves  # the published deviations are 2.1 and 5.7 leaves


SYSTEMS = {
    "OC1": OC1Classifier(),
    "OC1, original": OC1Classifier(origin="original"),
    "CART-LC": CARTLCClassifier(),
    "OC1-AP": CARTClassifier(
        criterion="twoing", pruning=CostComplexity(validation=0.1, keep_root=True)
    ),
    "C4.5": C45Classifier(threshold_cost=False),  # the paper's C4.5 is the one of the book
}

TABLE_1 = {
    ("cancer", "OC1"): Figure(96.2, 0.3, 2.8),
    ("cancer", "OC1, original"): Figure(96.2, 0.3, 2.8),
    ("cancer", "CART-LC"): Figure(95.3, 0.6, 3.5),
    ("cancer", "OC1-AP"): Figure(94.5, 0.5, 6.4),
    ("cancer", "C4.5"): Figure(95.3, 2.0, 9.8),
    ("iris", "OC1"): Figure(94.7, 3.1, 3.1),
    ("iris", "OC1, original"): Figure(94.7, 3.1, 3.1),
    ("iris", "CART-LC"): Figure(93.5, 2.9, 3.2),
    ("iris", "OC1-AP"): Figure(92.7, 2.4, 3.2),
    ("iris", "C4.5"): Figure(95.1, 3.2, 4.6),
    ("housing", "OC1"): Figure(82.4, 0.8, 6.9),
    ("housing", "OC1, original"): Figure(82.4, 0.8, 6.9),
    ("housing", "CART-LC"): Figure(81.4, 1.2, 5.8),
    ("housing", "OC1-AP"): Figure(81.8, 1.0, 8.6),
    ("housing", "C4.5"): Figure(83.2, 3.1, 28.2),
    ("diabetes", "OC1"): Figure(74.4, 1.0, 5.4),
    ("diabetes", "OC1, original"): Figure(74.4, 1.0, 5.4),
    ("diabetes", "CART-LC"): Figure(73.7, 1.2, 8.0),
    ("diabetes", "OC1-AP"): Figure(73.8, 1.0, 11.4),
    ("diabetes", "C4.5"): Figure(71.4, 3.3, 56.3),
}


@needs_data
@pytest.mark.slow
@pytest.mark.parametrize(("name", "system"), list(TABLE_1))
def test_table_1(name: str, system: str) -> None:
    published = TABLE_1[name, system]
    ours = real(name, SYSTEMS[system])
    report(f"{name} {system}", ours, published)
    assert_accuracy(ours, published)


# Numeric sets under 1000 rows that had no part in choosing the default origin.
OTHER_SETS = (
    "bupa",
    "glass",
    "glass_float",
    "wine",
    "balance_scale",
    "ionosphere",
    "sonar",
    "vowel",
)


@needs_data
@pytest.mark.slow
def test_origin_on_other_data() -> None:
    """The default origin was kept after seeing the figures above; these sets had no part in it."""
    gains = []
    for name in OTHER_SETS:
        median = real(name, OC1Classifier(), runs=3)
        original = real(name, OC1Classifier(origin="original"), runs=3)
        print(f"\n{name:32s} median {median!s:22s} original {original}", end="")
        gains.append(median.accuracy - original.accuracy)
    print(f"\nmean gain in accuracy {np.mean(gains):.1f}, better on {np.sum(np.array(gains) > 0)}")
    assert np.mean(gains) > -1.0
