"""Rows that the caller keeps for pruning: exactly those, and only where pruning uses any."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.model_selection import cross_validate

from aslant import CARTClassifier, KDTClassifier, OC1Classifier
from aslant.prune import CostComplexity, ReducedError

X, Y = make_classification(300, 6, n_informative=4, flip_y=0.2, random_state=0)
KEPT = np.arange(300) % 3 == 0


def disagreements(pruned: CARTClassifier, judges: np.ndarray) -> int:
    return int(np.sum(pruned.predict(X[judges]) != Y[judges]))


def test_the_tree_is_grown_on_the_other_rows() -> None:
    pruned = CARTClassifier(pruning=ReducedError()).fit(X, Y, prune_rows=KEPT)
    grown = CARTClassifier().fit(X[~KEPT], Y[~KEPT])
    assert pruned.tree_.n_node_samples[0] == 200
    assert pruned.tree_.threshold[0] == grown.tree_.threshold[0]
    assert pruned.get_n_leaves() < grown.get_n_leaves()
    # No pruning of the grown tree errs less on the rows it was judged by.
    assert disagreements(pruned, KEPT) < disagreements(grown, KEPT)


@pytest.mark.parametrize("pruning", ["reduced_error", CostComplexity(validation=0.5)])
def test_the_share_of_the_pruner_does_not_matter(pruning: object) -> None:
    model = CARTClassifier(pruning=pruning).fit(X, Y, prune_rows=KEPT)
    assert model.tree_.n_node_samples[0] == 200


def test_all_methods_get_the_same_rows() -> None:
    several = KDTClassifier("oc1", n_estimators=2, pruning="reduced_error")
    for model in (OC1Classifier(restarts=2), several):
        fitted = clone(model).fit(X, Y, prune_rows=KEPT)
        for member in getattr(fitted, "estimators_", [fitted]):
            assert member.tree_.n_node_samples[0] == 200


def test_rows_without_weight_do_not_shift_the_mask() -> None:
    weight = np.ones(300)
    weight[:30] = 0.0
    model = CARTClassifier(pruning="reduced_error")
    weighted = clone(model).fit(X, Y, sample_weight=weight, prune_rows=KEPT).tree_
    assert weighted == clone(model).fit(X[30:], Y[30:], prune_rows=KEPT[30:]).tree_


def test_the_mask_is_divided_with_the_rows_by_scikit_learn() -> None:
    model = CARTClassifier(pruning="reduced_error")
    scores = cross_validate(model, X, Y, cv=3, params={"prune_rows": KEPT}, error_score="raise")
    assert len(scores["test_score"]) == 3


@pytest.mark.parametrize(
    ("mask", "words"),
    [
        (KEPT.astype(int), "must be a mask"),
        (KEPT[:-1], r"of shape \(299,\)"),
        (np.flatnonzero(KEPT), "must be a mask"),
        (np.ones(300, dtype=bool), "leave rows to grow on"),
        (np.zeros(300, dtype=bool), "leave rows to grow on"),
    ],
)
def test_masks_that_are_none(mask: np.ndarray, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        CARTClassifier(pruning="reduced_error").fit(X, Y, prune_rows=mask)


@pytest.mark.parametrize("pruning", [None, "error_based", CostComplexity(cv=3)])
def test_a_pruning_that_uses_no_such_rows_refuses_them(pruning: object) -> None:
    with pytest.raises(ValueError, match="needs a pruning that uses validation rows"):
        CARTClassifier(pruning=pruning).fit(X, Y, prune_rows=KEPT)
