"""The published systems are the searches and prunings that their papers describe."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

import aslant
from aslant import (
    C45Classifier,
    CARTLCClassifier,
    FisherTreeClassifier,
    HHCARTClassifier,
    LMDTClassifier,
    LTUTreeClassifier,
    ObliqueDecisionTreeClassifier,
    OC1Classifier,
    PolePairClassifier,
    QUESTClassifier,
    SADTClassifier,
)
from aslant.estimators.published.as_published import AsPublished
from aslant.prune import CostComplexity, ErrorBased, ReducedError
from aslant.search import (
    C45,
    CARTLC,
    HHCART,
    OC1,
    QUEST,
    SADT,
    CrimCoords,
    Fisher,
    LinearMachine,
    PolePair,
    SequentialSelection,
    ThresholdUnit,
)


def mixed(n: int = 150) -> tuple[pd.DataFrame, np.ndarray]:
    """Return rows of numbers and a category that act together."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(n, 3)), columns=["a", "b", "c"])
    X["kind"] = pd.Categorical(rng.choice(["p", "q", "r", "s"], n))
    shift = X["kind"].map({"p": 0.0, "q": 0.8, "r": -0.8, "s": 1.5}).astype(float)
    y = np.digitize(X["a"] + 0.7 * X["b"] + shift + 0.3 * rng.normal(size=n), [-0.5, 0.8])
    return X, y


COMPOSED: dict[str, tuple[Any, Any, Any]] = {
    "c45": (C45Classifier(), C45(), ErrorBased()),
    "oc1": (OC1Classifier(), OC1(), CostComplexity(validation=0.1, keep_root=True)),
    "cart_lc": (CARTLCClassifier(), CARTLC(), CostComplexity(validation=0.1, keep_root=True)),
    "fisher": (FisherTreeClassifier(), CrimCoords(Fisher()), ErrorBased()),
    "hhcart": (HHCARTClassifier(), CrimCoords(HHCART()), CostComplexity(validation=0.1)),
    "quest": (QUESTClassifier(), QUEST(), CostComplexity(cv=10)),
    "pole_pair": (
        PolePairClassifier(),
        PolePair(),
        CostComplexity(cv=10, leaf_matching=True),
    ),
    "ltu": (LTUTreeClassifier(), ThresholdUnit(), ReducedError(validation=1 / 3)),
    "lmdt": (
        LMDTClassifier(),
        SequentialSelection(LinearMachine(), method="dsbe"),
        ReducedError(validation=0.1),
    ),
}


def test_cart_as_published_prunes_by_ten_fold_cross_validation() -> None:
    """Breiman et al. 1984, section 3.4."""
    pruning = aslant.CARTClassifier.as_published().pruning
    assert isinstance(pruning, CostComplexity)
    assert (pruning.cv, pruning.keep_root) == (10, False)


def test_quest_as_published_prunes_on_a_tenth_of_the_rows() -> None:
    """Wickramarachchi et al. 2016, section 4.2."""
    X, y = mixed(100)
    assert QUESTClassifier.as_published().fit(X, y).tree_.n_node_samples[0] == 90


def test_sadt_as_published_moves_all_coefficients() -> None:
    """Murthy, Kasif and Salzberg 1994, section 2."""
    assert SADTClassifier.as_published().move == "all"
    assert SADTClassifier.as_published(move="single").move == "single"


@pytest.mark.parametrize("system", COMPOSED)
def test_a_system_is_its_search_with_its_pruning(system: str) -> None:
    X, y = mixed()
    preset, search, pruning = COMPOSED[system]
    generic = ObliqueDecisionTreeClassifier(
        search, pruning=pruning, min_samples_split=preset.min_samples_split
    )
    for seed in range(3):
        tree = preset.set_params(random_state=seed).fit(X, y).tree_
        assert tree == generic.set_params(random_state=seed).fit(X, y).tree_


def test_fisher_scores_categories() -> None:
    """Without the scores the tree is another one, so the equality above means something."""
    X, y = mixed()
    unscored = ObliqueDecisionTreeClassifier(Fisher(), pruning=ErrorBased()).fit(X, y)
    assert FisherTreeClassifier().fit(X, y).tree_ != unscored.tree_


@pytest.mark.parametrize("cls", [OC1Classifier, CARTLCClassifier])
def test_the_root_split_stays(cls: type) -> None:
    """Also on noise, where HHCART's pruning leaves nothing."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(80, 3)), rng.integers(0, 2, 80)
    sizes = [cls(random_state=seed).fit(X, y).get_n_leaves() for seed in range(8)]
    assert min(sizes) == 2
    others = [HHCARTClassifier(random_state=seed).fit(X, y).get_n_leaves() for seed in range(8)]
    assert min(others) == 1


@pytest.mark.parametrize(("cls", "held_out"), [(LMDTClassifier, 10), (LTUTreeClassifier, 33)])
def test_the_share_of_rows_that_is_held_out(cls: type, held_out: int) -> None:
    X, y = mixed(100)
    assert cls().fit(X, y).tree_.n_node_samples[0] == 100 - held_out


def test_sadt_cools_slowly() -> None:
    """Its temperature halves in about 700 steps; no published figure was made with another."""
    X, y = mixed(60)
    settings: dict[str, Any] = {"patience": 500, "max_depth": 2, "random_state": 0}
    slow = SADTClassifier(cooling=0.5 ** (1 / 692.8), **settings).fit(X, y)
    default = SADTClassifier(**settings).fit(X, y)
    assert SADT().cooling == SADTClassifier().cooling == 0.999
    np.testing.assert_array_equal(slow.predict(X), default.predict(X))
    fast = SADTClassifier(cooling=0.9, **settings).fit(X, y)
    assert fast.tree_ != default.tree_


@pytest.mark.parametrize(
    "estimator",
    [
        c
        for c in map(vars(aslant).get, aslant.__all__)
        if isinstance(c, type) and issubclass(c, AsPublished)
    ],
)
def test_as_published_takes_changes_and_shows_its_settings(estimator):
    published = estimator.as_published(random_state=7)
    assert type(published) is estimator
    assert published.get_params()["random_state"] == 7
    assert clone(published).get_params().keys() == published.get_params().keys()
    with pytest.raises(TypeError):
        estimator.as_published(no_such_parameter=1)
