"""Of two levels the first is the reference: a test names the other one only."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from aslant import (
    AutoTreeClassifier,
    HHCARTClassifier,
    ObliqueDecisionTreeRegressor,
    explain,
    export_text,
)
from aslant.inspection.formula import Style
from aslant.inspection.reading import reading_of


def table(missing: float = 0.0) -> tuple[pd.DataFrame, np.ndarray]:
    rng = np.random.default_rng(0)
    X = pd.DataFrame(
        {
            "age": rng.normal(40.0, 10.0, 400).round(),
            "insured": rng.choice(["No", "Yes"], 400),
            "ward": rng.choice(["north", "south", "east"], 400),
        }
    )
    y = (0.4 * X["age"] + 8.0 * (X["insured"] == "Yes") > 20.0).to_numpy()
    X.loc[rng.random(400) < missing, "insured"] = None
    return X, y


@pytest.mark.parametrize(
    ("model", "missing"),
    [(HHCARTClassifier(), 0.0), (HHCARTClassifier(), 0.2), (AutoTreeClassifier(random_state=0), 0)],
)
def test_a_test_names_one_of_two_levels(model: HHCARTClassifier, missing: float) -> None:
    X, y = table(missing)
    text = export_text(model.fit(X, y))
    assert "[insured=Yes]" in text and "[insured=No]" not in text


@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_shown_tests_are_those_of_the_tree(missing: float) -> None:
    """Every row, also one without a level, has the same side and the same distance."""
    X, y = table(missing)
    model = HHCARTClassifier(missing="node_mean").fit(X, y)
    reading = reading_of(model, "text", Style())
    encoded = model.encoder_.transform(model, X)
    tree = model.tree_
    changed = 0
    for node in np.flatnonzero(~tree.is_leaf):
        own, shown = tree.split(node), reading.tests.split(node)
        changed += not np.array_equal(own.coef, shown.coef)
        distances = []
        for split in (own, shown):
            code = encoded[:, tree.column_feature]
            values = np.where(tree.column_level >= 0, code == tree.column_level, code)
            values = np.where(np.isnan(code), split.fill, values)
            distances.append(values @ split.coef - split.threshold)
        np.testing.assert_allclose(*distances, atol=1e-9)
    assert changed > 0


def test_linear_leaves() -> None:
    X, _ = table()
    y = 0.4 * X["age"] + 8.0 * (X["insured"] == "Yes")
    model = ObliqueDecisionTreeRegressor("least_squares", leaf="linear", min_samples_split=500).fit(
        X, y
    )
    text = export_text(model)
    assert "8*[insured=Yes]" in text and "[insured=No]" not in text


def test_explanations_add_up() -> None:
    X, y = table(0.1)
    model = HHCARTClassifier(max_depth=1, pruning=None).fit(X, y)
    for steps in explain(model, X[:20]).steps:
        (step,) = steps
        below = "<=" in step.question
        assert (step.answer == "yes") == ((step.margin <= 0.0) if below else (step.margin >= 0.0))
