"""What a forest keeps of the first fit, and the rows that its trees were grown on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from aslant import ObliqueRandomForestClassifier, load, save


def table(levels: str) -> tuple[pd.DataFrame, Any]:
    """Return rows whose class is a function of their level: a and c are 0, b and d are 1."""
    level = np.tile(list(levels), 40)
    frame = pd.DataFrame({"level": level, "x": np.arange(len(level)) % 7})
    return frame, np.isin(level, ["b", "d"]).astype(int)


def test_a_warm_start_keeps_the_levels_of_the_first_fit() -> None:
    X, y = table("abc")
    forest = ObliqueRandomForestClassifier(5, warm_start=True, max_features=None, random_state=0)
    assert forest.fit(X, y).score(X, y) == 1.0
    encoder = forest.encoder_
    forest.set_params(n_estimators=10).fit(*table("bcd"))
    assert forest.encoder_ is encoder
    assert len(forest) == 10 and forest.score(X, y) == 1.0


def test_a_refused_warm_start_changes_nothing() -> None:
    X, y = table("abc")
    forest = ObliqueRandomForestClassifier(5, warm_start=True, random_state=0).fit(X, y)
    before = forest.predict_proba(X)
    forest.set_params(n_estimators=8)
    with pytest.raises(ValueError, match="feature names"):
        forest.fit(X[["x", "level"]], y)
    with pytest.raises(ValueError, match="needs the classes of the first fit"):
        forest.fit(X, y + 1)
    assert np.array_equal(forest.predict_proba(X), before)


@pytest.mark.parametrize("bootstrap", [True, False])
def test_trees_draw_rows_that_have_a_weight(bootstrap: bool, tmp_path: Path) -> None:
    X, y = table("abc")
    weight = np.ones(len(y))
    weight[::3] = weight[:30] = 0.0
    forest = ObliqueRandomForestClassifier(3, bootstrap=bootstrap, random_state=0)
    forest.fit(X, y, weight)
    save(forest, tmp_path / "forest.aslant")
    for model in (forest, load(tmp_path / "forest.aslant")):
        for tree, rows in zip(model.trees_, model.estimators_samples_, strict=True):
            assert (weight[rows] > 0.0).all()
            assert np.array_equal(tree.value[0], np.bincount(y[rows], minlength=2))
