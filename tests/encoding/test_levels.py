"""Rare levels, very many levels, levels that training never saw."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from oracles.shares import shares_by_level

from aslant import C45Classifier, CARTClassifier, OC1Classifier, QUESTClassifier, export_text
from aslant.encoding import target_encoding as shares


def rare() -> tuple[pd.DataFrame, Any]:
    colour = ["red"] * 60 + ["green"] * 30 + ["pink"] * 4 + ["grey"] * 3 + ["teal"] * 3
    return pd.DataFrame({"colour": colour}), [c in ("red", "pink") for c in colour]


@pytest.mark.parametrize("least", [5, 0.05])
def test_rare_levels_are_merged(least: float) -> None:
    X, y = rare()
    model = CARTClassifier(min_frequency=least).fit(X, y)
    column = model.encoder_.columns_[0]
    assert column.levels == ["green", "red", "other"]
    assert column.merged == ["grey", "pink", "teal"]
    assert column.describe() == "category, 3 levels, 3 more merged into 'other'"
    assert model.tree_.column_level.tolist() == [0, 1, 2]
    # The merged and the unseen are one level, and none of them is missing.
    asked = pd.DataFrame({"colour": ["grey", "pink", "unheard of", "red", None]})
    codes = model.encoder_.transform(model, asked)[:, 0]
    assert codes[:4].tolist() == [2, 2, 2, 1]
    assert np.isnan(codes[4])
    told = CARTClassifier(min_frequency=least).fit(X, X["colour"].isin(column.merged))
    assert export_text(told).splitlines()[0] == "colour in {other}"


def test_a_single_rare_level_keeps_its_name() -> None:
    X = pd.DataFrame({"colour": ["red"] * 50 + ["green"] * 49 + ["pink"]})
    column = CARTClassifier(min_frequency=5).fit(X, X["colour"] == "red").encoder_.columns_[0]
    assert (column.levels, column.merged) == (["green", "pink", "red"], [])


def test_a_level_that_is_called_other() -> None:
    X, y = rare()
    X = X.replace({"green": "other"})
    column = CARTClassifier(min_frequency=5).fit(X, y).encoder_.columns_[0]
    assert column.levels == ["other", "red", "(other)"]


def test_only_the_most_frequent_are_kept_on_request() -> None:
    X, y = rare()
    model = CARTClassifier(max_levels=3, high_cardinality="merge").fit(X, y)
    assert model.encoder_.columns_[0].levels == ["green", "red", "other"]
    assert CARTClassifier(max_levels=5).fit(X, y).encoder_.columns_[0].merged == []
    by_shares = CARTClassifier(max_levels=4).fit(X, y)
    assert by_shares.encoder_.columns_[0].encoding == "target"


def many(n_rows: int = 2000, n_levels: int = 200, n_classes: int = 2) -> tuple[pd.DataFrame, Any]:
    rng = np.random.default_rng(0)
    level = rng.integers(n_levels, size=n_rows)
    effect = rng.normal(size=(n_levels, n_classes))
    y = (2.0 * effect[level] + rng.gumbel(size=(n_rows, n_classes))).argmax(axis=1)
    return pd.DataFrame({"zip": [f"z{k}" for k in level], "x": rng.normal(size=n_rows)}), y


@pytest.mark.parametrize("n_classes", [2, 3])
def test_shares_are_those_of_the_oracle(n_classes: int) -> None:
    X, y = many(n_classes=n_classes)
    X.loc[::50, "zip"] = None
    model = CARTClassifier().fit(X, y)
    levels = [None if pd.isna(level) else level for level in X["zip"]]
    expected, unseen = shares_by_level(levels, y, n_classes)
    names = [name for name in model.encoder_.feature_names if "share" in name]
    asked = pd.DataFrame({"zip": ["z7", "z8", "never", None], "x": 0.0})
    encoded = model.encoder_.transform(model, asked)
    if n_classes == 2:
        assert names == ["zip (share of 1)"]
        assert encoded[:3, 0] == pytest.approx([expected["z7"][1], expected["z8"][1], unseen[1]])
    else:
        assert names == ["zip (share of 0)", "zip (share of 1)", "zip (share of 2)"]
        columns = encoded[:, [0, 2, 3]]
        assert columns[:3] == pytest.approx(np.array([expected["z7"], expected["z8"], unseen]))
    assert np.isnan(encoded[3, 0])


def test_rows_do_not_see_their_own_class() -> None:
    """The share that a row is grown on comes from the other folds alone."""
    rng = np.random.default_rng(0)
    code, y = rng.integers(40, size=500).astype(float), rng.integers(2, size=500)
    fold = shares.deal_into_folds(code[:, np.newaxis], y)
    found = shares.out_of_fold_shares(code, y, np.ones(500), (40, 2), fold)
    others = fold != fold[0]
    learned = shares.class_shares(code[others], y[others], np.ones(others.sum()), (40, 2))
    assert np.array_equal(found[0], learned[int(code[0])])
    changed = y.copy()
    changed[0] = 1 - y[0]
    again = shares.out_of_fold_shares(code, changed, np.ones(500), (40, 2), fold)
    assert np.array_equal(found[0], again[0])


def test_folds_do_not_depend_on_the_order_and_share_out_copies() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(100, 2)), rng.integers(3, size=100)
    order = rng.permutation(100)
    assert np.array_equal(
        shares.deal_into_folds(X, y)[order], shares.deal_into_folds(X[order], y[order])
    )
    copies = shares.deal_into_folds(np.zeros((100, 2)), np.zeros(100, dtype=int))
    assert np.bincount(copies).tolist() == [20] * 5


def test_levels_without_meaning_all_get_the_same_share() -> None:
    code = np.repeat(np.arange(50.0), 4)
    y = np.tile([0, 1, 0, 1], 50)  # every level has half of each class: no variance between them
    learned = shares.class_shares(code, y, np.ones(200), (50, 2))
    assert (learned == 0.5).all()


@pytest.mark.parametrize("method", [QUESTClassifier, C45Classifier, OC1Classifier])
def test_a_column_of_noise_does_not_ruin_the_fit(method: Any) -> None:
    """The case that began it: a thousand levels of noise beside good features."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(1200, 3)), columns=list("abc"))
    y = np.where(X.sum(axis=1) > 0.0, "yes", "no")
    noise = X.assign(zip=[f"z{k}" for k in rng.integers(500, size=1200)])
    options = {} if method is C45Classifier else {"random_state": 0}
    clean = method(**options).fit(X[:600], y[:600]).score(X[600:], y[600:])
    noisy = method(**options).fit(noise[:600], y[:600]).score(noise[600:], y[600:])
    assert noisy > clean - 0.03


def test_high_cardinality_that_matter_are_used() -> None:
    X, y = many()
    model = CARTClassifier(max_leaf_nodes=4).fit(X, y)
    assert model.feature_importances_[0] > 0.9
    assert len(model.feature_importances_) == 2
    assert "zip (share of 1) <= 0." in export_text(model)


def test_weights_count_in_shares() -> None:
    X, y = many()
    weight = np.where(y == 1, 3.0, 1.0)
    plain, weighted = (CARTClassifier().fit(X, y, w) for w in (None, weight))
    asked = pd.DataFrame({"zip": ["never"], "x": 0.0})
    share = (y == 1).mean()
    assert plain.encoder_.transform(plain, asked)[0, 0] == pytest.approx(share)
    assert weighted.encoder_.transform(weighted, asked)[0, 0] == pytest.approx(
        3 * share / (3 * share + 1 - share)
    )
